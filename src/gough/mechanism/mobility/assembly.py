"""The robot assembled: everything that is worked out once from a description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from gough.base.linalg import Plan, choose_plan
from gough.base.spatial import twist_scales
from gough.errors import InputError
from gough.mechanism.closure.axes import (
    AxisPlace,
    find_axes,
    home_value,
    is_scalar,
    value,
)
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import (
    dense,
    group_scales,
    natural_gaps,
    platform_scales,
    rate_scales,
)
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Locks, described_locks
from gough.mechanism.closure.solution import Plans, Solution
from gough.mechanism.mobility.chart import Chart, choose_chart
from gough.mechanism.mobility.findings import findings
from gough.mechanism.mobility.freedoms import FREEDOMS, choose_freedoms, solved
from gough.mechanism.mobility.home import close_home, rough_poses
from gough.mechanism.mobility.idle import IdleFreedom, find_locks, moved_axes, null_basis
from gough.mechanism.mobility.rank import Ranks, generic_samples, measure, same_ranks
from gough.mechanism.mobility.scales import Scales, characteristic_length
from gough.mechanism.mobility.singular import SINGULAR, felt_by_motors, rank
from gough.mechanism.topology.topology import Topology, find_topology
from gough.robot import Robot
from gough.robot.joint import LOCKED


@dataclass(frozen=True, eq=False, repr=False)
class Assembly:
    """Hub, legs, closed home and mobility of a robot.

    Attributes:
        robot: the description.
        topology: hub and legs with their trees.
        length: characteristic length of the robot [m]; natural unit of lengths.
        T_home: platform pose at home.
        home: coordinates of every link at home.
        mobility: degrees of freedom of the platform.
        mobility_at_home: the same counted at home; larger if home is singular.
        over_constraint: number of redundant closure rows.
        idle: freedoms the platform does not feel, frozen by ``locks``.
        free: indices of V_r among the components of the platform twist.
        plans: pivots for a trace, good around home.
        axes: where every joint axis is found.
        home_values: coordinates of all turns and slides at home [rad or m].
        samples: assembled states around home, the first being home.
        start: the assembled state from which poses are sought: home, unless home is singular.
        chart: coordinates of the platform that ``gough.state`` uses.
        modes: mobilities counted in the samples; more than one where modes of motion meet.
    """

    robot: Robot
    topology: Topology
    length: float
    T_home: np.ndarray
    home: Configuration
    mobility: int
    mobility_at_home: int
    over_constraint: int
    idle: tuple[IdleFreedom, ...]
    locks: Locks
    free: tuple[int, ...]
    plans: Plans
    axes: dict[str, AxisPlace]
    home_values: dict[str, float]
    samples: tuple[tuple[np.ndarray, Configuration], ...]
    start: tuple[np.ndarray, Configuration]
    chart: Chart
    modes: tuple[int, ...]

    def __repr__(self) -> str:
        legs = len(self.topology.legs)
        return f"<Assembly of {self.robot.name!r}: {legs} legs, {self.mobility} freedoms>"

    def __reduce__(self) -> tuple[Any, ...]:
        """What a pickle holds: the description; everything else is found again."""
        if vars(self.robot).get("assembly") is self:
            return assembled, (self.robot,)
        figures = {each.name: getattr(self, each.name) for each in fields(self)}
        return _restored, (type(self), figures)

    def __copy__(self) -> Assembly:
        return self  # frozen

    def __deepcopy__(self, memo: Any) -> Assembly:
        return self

    @property
    def freedoms(self) -> tuple[str, ...]:
        """Names of the independent coordinates V_r, among ``x y z rx ry rz``."""
        return tuple(FREEDOMS[i] for i in self.free)

    def equations(self, T_0p: np.ndarray, configuration: Configuration) -> Equations:
        """Closure equations at a state."""
        return Equations(self.topology, self.locks, T_0p, configuration)

    def traced(self, at: Equations, *, settled: bool = True) -> Solution:
        """The equations factored by the fixed plans: for symbols, or for numbers near home.

        ``settled`` says that the pose is within the robot's mobility, so that a constant Psi holds.
        """
        Psi = self.constant_Psi if settled else None
        return Solution(at, self.plans, self.free, self.motor_axes, Psi)

    def solution(self, at: Equations) -> Solution:
        """The equations factored with pivots chosen for these numbers."""
        return solved([at], self.length, self.free, self.motor_axes)[0]

    @property
    def described(self) -> Assembly:
        """The robot as described, of which facts are known: itself, unless joints are moved."""
        return self

    @property
    def moved(self) -> bool:
        """Whether joints sit elsewhere than described; see ``mobility.moved``."""
        return False

    @property
    def motor_axes(self) -> list[AxisPlace]:
        """Where the axes of the motors are found."""
        return [self.axes[name] for name in self.robot.motors]

    def axis_position(self, at: Equations, name: str) -> Any:
        """Coordinate of a turning or sliding axis [rad or m], counted from home's turn."""
        return value(at, self.axes[name], self.home_values[name])

    @cached_property
    def gravity(self) -> np.ndarray:
        """Acceleration of free fall, base axes [m/s^2]."""
        return np.array(self.robot.gravity)

    @cached_property
    def regular_samples(self) -> list[tuple[np.ndarray, Configuration]]:
        """Samples whose closure equations have their full rank."""
        found = [self.samples[i] for i in self._generic]
        return [self.samples[0], *found] if self.start[1] is self.home else found

    @cached_property
    def regular_solutions(self) -> list[Solution]:
        """Closure equations of those samples, factored: what plans and figures are chosen from."""
        return [self.solution(self.equations(*sample)) for sample in self.regular_samples]

    @cached_property
    def motor_plan(self) -> Plan:
        """Pivots of ``J_inv^T tau = w_r``, good around home, for a trace."""
        scaled = [self.scales.jacobian(solution.J_inv).T for solution in self.regular_solutions]
        return choose_plan(scaled, self.mobility)

    @cached_property
    def constant_rows(self) -> np.ndarray:
        """Rows of Psi that are the same in every posture around home; NaN in the others."""
        return self.scales.constant_rows([each.Psi for each in self.sample_solutions()])

    @cached_property
    def constant_Psi(self) -> np.ndarray | None:
        """Psi of ``V_0p = Psi V_r``, if it is the same in every posture around home."""
        return None if np.isnan(self.constant_rows).any() else self.constant_rows

    @property
    def Psi_is_constant(self) -> bool:
        """Whether ``V_0p = Psi V_r`` has the same Psi in every posture around home."""
        return self.constant_Psi is not None

    @cached_property
    def motor_rank(self) -> int:
        """Freedoms that the motors control in a generic posture."""
        return max(self._motor_rank(i) or 0 for i in self._generic)

    @cached_property
    def motor_rank_at_home(self) -> int:
        """Freedoms that the motors control at home; less than generic if home is of Type 2.

        The generic number where a leg is singular there (Type 1): motors have no finite rates.
        """
        found = self._motor_rank(0)
        return self.motor_rank if found is None else found

    @cached_property
    def only_position(self) -> bool:
        """Whether the platform is moved for its position alone: the tip of a planar five-bar.

        Both freedoms of a planar machine are translations: where its leg is stretched out the tip
        loses a direction, Type 1, though the bar still turns.  Elsewhere the whole pose counts.
        """
        if len(self.free) != 2 or max(self.free) > 2:
            return False
        turns = np.hstack([self.scales.twists(each.Psi)[3:] for each in self.regular_solutions])
        return bool(np.linalg.svd(turns, compute_uv=False)[1] < SINGULAR)

    @cached_property
    def findings(self) -> tuple[str, ...]:
        """What a user should know before using the robot, in sentences."""
        return tuple(finding.sentence for finding in findings(self))

    @property
    def motors_control_platform(self) -> bool:
        """Whether every freedom of the platform is controlled by the motors."""
        return self.motor_rank == self.mobility

    @property
    def is_square(self) -> bool:
        """Whether the motors control the platform, and none is left over."""
        return self.motors_control_platform and len(self.robot.motors) == self.mobility

    @cached_property
    def idle_motors(self) -> tuple[str, ...]:
        """Motors that turn in idle freedoms: the platform does not feel what they do."""
        if not self.idle:
            return ()
        at = Equations(
            self.topology, described_locks(self.topology), *self.samples[self._generic[0]]
        )
        A = dense(at, self.length).A
        null = null_basis(A, len(self.idle)) if A.shape[1] else np.zeros((0, 0))
        return moved_axes(at, self.axes, self.robot.motors, null, self.length)

    @property
    def _generic(self) -> range:
        return range(1, len(self.samples)) if len(self.samples) > 1 else range(1)

    def sample_solutions(self) -> list[Solution]:
        """Closure equations of all samples, singular ones included, factored."""
        return [self._sample_solution(i) for i in range(len(self.samples))]

    def _sample_solution(self, index: int) -> Solution:
        return self.solution(self.equations(*self.samples[index]))

    def _motor_rank(self, index: int) -> int | None:
        """Freedoms that the motors control at a sample; none where a leg is singular."""
        if not self.robot.motors or not self.mobility:
            return 0
        with np.errstate(divide="ignore", invalid="ignore"):
            solution = self._sample_solution(index)
            felt, _ = felt_by_motors(self.scales, solution.J_inv, solution.Psi)
        if not np.isfinite(felt).all():
            return None
        return rank(np.linalg.svd(felt, compute_uv=False))

    @cached_property
    def scales(self) -> Scales:
        """Natural units: 1 rad, and the robot's length."""
        return self._scales(self.length)

    def scales_in(self, length: float) -> Scales:
        """The same with another length that is declared [m]."""
        return self.scales if length == self.length else self._scales(length)

    def _scales(self, length: float) -> Scales:
        slides = [self.axes[name].what == "slide" for name in self.robot.motors]
        return Scales(
            length=length,
            twist=twist_scales(length),
            freedoms=twist_scales(length)[list(self.free)],
            motors=np.array([length if slide else 1.0 for slide in slides]),
            rates=rate_scales(self.topology, length),
            rows=tuple(group_scales(self.topology, self.locks, length)),
        )

    def closure_error(self, at: Equations) -> float:
        """Largest closure residual of a state, natural units."""
        return float(np.abs(natural_gaps(at, self.length)).max(initial=0.0))


def assemble(robot: Robot, extra_hub: Iterable[str] = ()) -> Assembly:
    """Find hub and legs, close home, and work out how the robot can move."""
    poses = rough_poses(robot)
    length = characteristic_length(robot, poses)
    extra_hub = tuple(extra_hub)
    topology = find_topology(robot, extra_hub)
    held = [joint.name for joint in robot.joints if joint.idle == LOCKED and joint.freedoms == 1]
    if held:
        locked = _idle_among(robot, topology, length, poses, held)
        topology = find_topology(robot, extra_hub, locked)
    samples, ranks, chosen = _around_home(robot, topology, length, poses)
    (T_home, home), generic = samples[0], ranks[chosen]
    if robot.couplings:  # from now on their angles are the ones nearest home
        at_home = Equations(topology, described_locks(topology), T_home, home)
        angles = _home_values(robot, at_home, find_axes(robot, topology))
        topology = find_topology(robot, extra_hub, topology.locked, angles=angles)
    legs = [max(r.legs[i] for r in ranks) for i in range(len(topology.legs))]
    nullity = [leg.tree.rates - rank for leg, rank in zip(topology.legs, legs, strict=True)]
    locks, idle = find_locks(
        robot,
        Equations(topology, described_locks(topology), *samples[chosen]),
        nullity,
        generic.A,
        generic.columns - generic.joints,
        length,
    )
    states = [Equations(topology, locks, *sample) for sample in samples]
    mobility = generic.mobility
    # locks are chosen in a generic posture; where axes are in line at home they may not hold there
    loose = bool(idle) and not _holds(states[0], length)
    regular = [i for i, r in enumerate(ranks) if r.mobility == mobility and not (loose and i == 0)]
    free = choose_freedoms([ranks[i] for i in regular], mobility)
    first, *_ = solved([states[i] for i in regular], length, free)
    natural = first.platform_rows()[0] * twist_scales(length)
    natural = natural / platform_scales(first, length)[:, None]
    axes = find_axes(robot, topology)
    return Assembly(
        robot=robot,
        topology=topology,
        length=length,
        T_home=T_home,
        home=home,
        mobility=mobility,
        mobility_at_home=ranks[0].mobility,
        over_constraint=generic.rows - generic.all,
        idle=idle,
        locks=locks,
        free=free,
        plans=first.plans,
        axes=axes,
        home_values=_home_values(robot, states[0], axes),
        samples=tuple(samples),
        start=samples[0 if same_ranks(ranks[0], generic) and not loose else chosen],
        chart=choose_chart(T_home, natural, free),
        modes=tuple(sorted({r.mobility for r in ranks[1:]})),
    )


def _holds(at: Equations, length: float) -> bool:
    """Whether the locks of a state leave no joint free while the platform is held."""
    A = dense(at, length).A  # not finite where of three hinges for a ball two are in line
    return bool(np.isfinite(A).all() and rank(np.linalg.svd(A, compute_uv=False)) == A.shape[1])


def _home_values(robot: Robot, home: Equations, axes: Mapping[str, AxisPlace]) -> dict[str, float]:
    """Coordinates of all turns and slides at home [rad or m], on the turns that it names."""
    given = robot.home.joints
    return {
        name: home_value(home, place, given.get(name))
        for name, place in axes.items()
        if is_scalar(place)
    }


def _around_home(
    robot: Robot, topology: Topology, length: float, poses: dict[str, np.ndarray]
) -> tuple[list[tuple[np.ndarray, Configuration]], list[Ranks], int]:
    """Home and postures around it, their ranks, and the number of a generic one."""
    samples = generic_samples(topology, *close_home(robot, topology, length, poses), length)
    ranks = [measure(topology, *sample, length) for sample in samples]
    others = range(1, len(ranks)) if len(ranks) > 1 else range(1)
    return samples, ranks, max(others, key=lambda i: (ranks[i].all, ranks[i].joints))


def _idle_among(
    robot: Robot,
    topology: Topology,
    length: float,
    poses: dict[str, np.ndarray],
    names: Iterable[str],
) -> tuple[str, ...]:
    """Which of some joints of one axis can move while the platform is held."""
    samples, ranks, generic = _around_home(robot, topology, length, poses)
    at = Equations(topology, described_locks(topology), *samples[generic])
    null = null_basis(dense(at, length).A, ranks[generic].columns - ranks[generic].joints)
    return moved_axes(at, find_axes(robot, topology), names, null, length)


def _restored(made: type[Assembly], figures: dict[str, Any]) -> Assembly:
    """An assembly that is not its robot's own, of a pickle."""
    return made(**figures)


def assembled(robot: Robot) -> Assembly:
    """The assembly of a robot; refuses an argument that is no robot."""
    if not isinstance(robot, Robot):
        told = f"expected a gough.Robot, got {type(robot).__name__}"
        raise InputError(told, hint="gough.load(path) makes one of a file.", argument="robot")
    return robot.assembly
