"""The error of freezing idle freedoms, and whether it is small enough.

A machine with one such freedom s set free obeys ::

    M_r Vdot_r + m sdd + c_r = J_inv^T tau
    m^T Vdot_r + M_s sdd + c_s = 0

All models here hold s still.  That takes the effort ``f_s = m^T Vdot_r + c_s``, which nothing in
the machine exerts; let go, s would accelerate by ``-f_s / M_s`` and change what the platform needs
by ``-m f_s / M_s``.  It is exact only if f_s vanishes in every motion, as for a bar of revolution
that spins about its axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gough.base import english as words
from gough.base.once import known_of
from gough.base.spatial import Array, symbolic
from gough.dynamics import legs
from gough.dynamics.shared.definite import natural_inertia
from gough.dynamics.shared.masses import central_masses
from gough.dynamics.shared.parameters import Parameters, own_parameters
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import FrozenFreedom, warn
from gough.kinematics.motion import Kinematics
from gough.mechanism.by_pose import check_pose_tells_all
from gough.mechanism.closure.coordinates import scale_of_rates
from gough.mechanism.closure.locks import Lock
from gough.mechanism.closure.solution import Rates, RightSide, Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.idle import moved_axes
from gough.robot.joint import LOCKED
from gough.robot.names import joint_of

EXACT = 1e-9
"""Changes of efforts and accelerations, relative, that are rounding: nothing is said about them."""

SMALL = 1e-2
"""Changes up to this are answered with a warning; beyond it a number would mislead."""

_STATES, _MOTIONS = 3, 5
_NO_INERTIA = 1e-14
"""Share of :func:`natural_inertia` below which the inertia of a freedom is rounding."""


@dataclass(frozen=True, eq=False)
class Frozen:
    """An idle freedom, which the platform does not feel, and the error of freezing it.

    Attributes:
        place: the row that freezes it.
        bodies: those that move in it, with velocity and angular velocity at one state, body axes.
        joints: those that move in it.
        motors: actuated axes that move in it.
        springs: axes with springs that move in it.
        held: whether a joint of it says ``idle: locked``.
        dragged: whether joints drag it along, ``idle: drags``: the description says how it moves.
        effect: largest relative change of efforts or accelerations if it were set free, friction
            apart.
        friction: largest effort of friction on it, relative to what the motion takes.
    """

    place: Place
    bodies: dict[str, tuple[np.ndarray, np.ndarray]]
    joints: tuple[str, ...]
    motors: tuple[str, ...]
    springs: tuple[str, ...]
    held: bool
    dragged: bool
    effect: float
    friction: float

    def cost(self, *, friction: bool = True) -> float:
        """Relative change that freezing hides; infinite where a motor or a spring acts on it."""
        if self.motors or self.springs:
            return np.inf
        if self.held:
            return 0.0
        return self.effect + (self.friction if friction else 0.0)

    def refused(self, cost: float) -> bool:
        """Whether no number is given at this cost."""
        return cost > (np.finfo(float).max if self.dragged else SMALL)

    @property
    def approximate(self) -> bool:
        """Whether it is a spin between two joints that is held: its rate is, not its angle."""
        return self.held and self.place.spin and self.effect > EXACT

    @property
    def noted(self) -> bool:
        """Whether something is to be said about it."""
        if self.dragged and self.cost() <= SMALL:
            return False
        return self.cost() > EXACT or self.approximate

    @property
    def who(self) -> str:
        """What moves, in words."""
        can = f"{words.quoted(tuple(self.bodies))} can move while the platform is held still"
        return f"{can} (joints {', '.join(self.joints)})"

    @property
    def why(self) -> str:
        """What is wrong with freezing it, in words."""
        if self.motors:
            drive = "motor" if len(self.motors) == 1 else "motors"
            return f"{drive} {words.quoted(self.motors)} would move it, which no model here shows"
        if self.springs:
            axes = words.quoted(self.springs)
            return f"the spring of {axes} would move it, which no model here shows"
        if self.held:
            return (
                "'idle: locked' holds its rate, not its angle, which is not exact for bodies that "
                "are not of revolution: make the joint universal, or prismatic if it slides"
            )
        how = "dragged along by its joints" if self.dragged else "frozen"
        return (
            f"it is {how} in all models; set free it would change efforts or accelerations by "
            f"{words.percent(self.effect + self.friction)}"
        )


def frozen_freedoms(assembly: Assembly, figures: Parameters | None = None) -> tuple[Frozen, ...]:
    """Every frozen freedom with its error, measured on first demand; or with other ``figures``."""
    own = _own_frozen(assembly)
    if figures is None or not differ(assembly, own, figures):
        return own
    return tuple(_measured(assembly, figures))


@known_of(Assembly)
def _own_frozen(assembly: Assembly) -> tuple[Frozen, ...]:
    return tuple(_measured(assembly))


def frozen_exactly(assembly: Assembly) -> bool:
    """Whether nothing is frozen, or freezing changes no motion by more than rounding."""
    return not frozen_notes(assembly)


def check_frozen(
    assembly: Assembly, *, friction: bool = True, figures: Parameters | None = None
) -> None:
    """Refuse dynamics where freezing changes much (``SMALL``), warn where it changes a little.

    Where joints drag a freedom along, the description says how it moves: what would be refused
    otherwise is a warning.

    Args:
        assembly: the robot.
        friction: whether the answer includes friction.
        figures: of bodies and axes that replace the robot's own.

    Raises:
        FrozenFreedom: a motor or a spring acts on one, or its effect is more than ``SMALL``.
    """
    if not assembly.idle:
        return
    check_pose_tells_all(assembly)
    freedoms = frozen_freedoms(assembly, figures)
    found = [(each.cost(friction=friction), each) for each in freedoms]
    found = [(cost, each) for cost, each in found if not each.dragged or cost > SMALL]
    found.sort(key=lambda pair: (pair[1].refused(pair[0]), pair[0]))
    cost, worst = found[-1] if found else (0.0, None)
    name = assembly.robot.name
    if worst is not None and worst.refused(cost):
        raise FrozenFreedom(
            f"{name}: {worst.who}; {worst.why}",
            hint=_remedy(worst),
            joints=worst.joints,
            bodies=tuple(worst.bodies),
            effect=cost,
        )
    if worst is None or cost <= EXACT:
        worst = next((each for each in freedoms if each.approximate), None)
    if worst is not None:
        warn(f"{name}: {worst.who}; {worst.why}")


def warn_of_turning_base(assembly: Assembly) -> None:
    """Say that spins which are frozen do not turn against a base that turns itself.

    A rod that is free to spin keeps its spin in space; dragged along or held by a joint, it does
    what the description says.
    """
    free = [
        each
        for each in (frozen_freedoms(assembly) if assembly.idle else ())
        if each.place.spin and not each.dragged and not each.held
    ]
    if free:
        bodies = words.quoted([name for each in free for name in each.bodies])
        warn(
            f"{assembly.robot.name}: the base turns, and the idle spins of {bodies} are frozen "
            "relative to it: set free, they would stay behind; 'idle: drags' at their joints says "
            "that these take them along"
        )


def differ(assembly: Assembly, freedoms: Sequence[Frozen], figures: Parameters) -> bool:
    """Whether ``figures`` change bodies or axes that move in frozen freedoms."""
    robot, own = assembly.robot, central_masses(assembly.robot)
    bodies = {body for each in freedoms for body in each.bodies}
    joints = {joint for each in freedoms for joint in each.joints}
    pairs: list[tuple[Any, Any]] = []
    for name in bodies & set(figures.bodies):
        _, *given = figures.bodies[name]
        _, *known = own.get(name, (name, 0.0, np.zeros(3), np.zeros((3, 3))))
        pairs += zip(given, known, strict=True)
    for name, axis in figures.axes.items():
        if name.partition(".")[0] in joints:
            pairs += zip(axis[:4], own_parameters(robot.axis(name))[:4], strict=True)
    return any(symbolic(given) or not np.all(given == known) for given, known in pairs)


def frozen_notes(assembly: Assembly) -> tuple[str, ...]:
    """Sentences about frozen freedoms whose effect is more than rounding."""
    if not assembly.idle:
        return ()
    said = (each for each in frozen_freedoms(assembly) if each.noted)
    return tuple(f"{each.who}; {each.why}" for each in said)


def _remedy(freedom: Frozen) -> str:
    if freedom.motors or freedom.springs:
        # what only gives way comes first: whoever holds a motor loses it
        joints = list(dict.fromkeys(map(joint_of, (*freedom.springs, *freedom.motors))))
        held = words.quoted(joints, "or")
        return (
            "A freedom needs a state of its own for that, which models here do not have: hold "
            f"{held} where it is, lock= of gough.load or 'locked' of the robot, or name another "
            "platform."
        )
    return (
        "If one of these joints is held, as by a brake, say 'idle: locked' there; otherwise make "
        "it fixed, drive it as part of the platform's motion, or give a spinning body its mass "
        "centre on the axis and equal moments across it."
    )


class Place(NamedTuple):
    """A lock: its tree (-1 is the hub), its row among that tree's, and its natural size."""

    tree: int
    row: int
    size: float
    lock: Lock

    @property
    def spin(self) -> bool:
        """Whether a body does not turn about an axis of its own; else a joint's rate is zero."""
        return self.lock.axis is not None

    @property
    def dragged(self) -> bool:
        """Whether joints drag it along."""
        return bool(self.lock.beside)


def _places(assembly: Assembly, solution: Solution) -> Iterator[Place]:
    """Locks that freeze a freedom; those of joints that the description locks come before them."""
    topology, locked = assembly.topology, assembly.topology.locked
    rows = [solution.hub_block.E.shape[0], *(block.E.shape[0] for block in solution.blocks)]
    groups = zip(topology.trees, rows, assembly.locks.trees, strict=True)
    for index, (tree, count, locks) in enumerate(groups, start=-1):
        for k, lock in enumerate(locks):
            held = lock.axis is None and tree.links[tree.link_of(lock.column)].joint in locked
            if not held:
                size = 1.0
                if lock.axis is None:
                    size = float(scale_of_rates(tree, assembly.length)[lock.column])
                yield Place(index, count - len(locks) + k, size, lock)


def _measured(assembly: Assembly, figures: Parameters | None = None) -> Iterator[Frozen]:
    solutions = assembly.regular_solutions[:_STATES]
    places = list(_places(assembly, solutions[0]))
    costs, rng = np.zeros((len(places), 2)), np.random.default_rng(1853)
    for solution in solutions if assembly.mobility else ():
        costs = np.fmax(costs, _costs(assembly, solution, places, rng, figures))
    for place, (effect, friction) in zip(places, costs, strict=True):
        yield _described(assembly, solutions[0], place, float(effect), float(friction))


def _described(
    assembly: Assembly, solution: Solution, place: Place, effect: float, friction: float
) -> Frozen:
    robot = assembly.robot
    alone = alone_in_motion(assembly, solution, place, rates=True)
    null = (alone.rates.together / assembly.scales.rates)[:, None]
    axes = moved_axes(solution.equations, assembly.axes, robot.axis_names, null, assembly.length)
    joints = tuple(dict.fromkeys(name.partition(".")[0] for name in axes))
    bodies = {}
    for body in robot.bodies:
        motion = alone.body_motion(body.name)
        speed = np.linalg.norm(motion.v) / assembly.length + np.linalg.norm(motion.w)
        if speed > 1e-6:  # the freedom moves at unit speed, natural units: less is rounding
            R = np.asarray(solution.equations.body_poses[body.name].R)
            bodies[body.name] = (R.T @ motion.v, R.T @ motion.w)
    return Frozen(
        place,
        bodies,
        joints,
        tuple(name for name in axes if name in robot.motors),
        tuple(name for name in axes if robot.axis(name).spring is not None),
        any(robot.joint(name).idle == LOCKED for name in joints),
        place.dragged,
        effect,
        friction,
    )


def null_rates(solution: Solution, place: Place) -> Rates:
    """Rates of all links when the frozen freedom alone moves, at its natural speed."""
    hub = np.zeros(solution.hub_block.E.shape[0])
    rows = [np.zeros(block.E.shape[0]) for block in solution.blocks]
    (hub if place.tree < 0 else rows[place.tree])[place.row] = place.size
    return solution.rates(np.zeros(6), RightSide(hub.tolist(), [row.tolist() for row in rows]))


def alone_in_motion(
    assembly: Assembly, solution: Solution, place: Place, *, rates: bool
) -> Kinematics:
    """Kinematics with the frozen freedom alone in motion, or alone accelerated from rest."""
    null = null_rates(solution, place)
    still = Rates(np.zeros(len(null.hub)), [np.zeros(len(leg)) for leg in null.legs])
    first, second = (null, still) if rates else (still, null)
    none = np.zeros(6)
    return Kinematics(assembly, solution, none, none, rates=first, accelerations=second)


def _motion(assembly: Assembly, solution: Solution, rng: np.random.Generator) -> Kinematics:
    """A motion in which gravity, velocities and accelerations are of one size."""
    gravity = float(np.linalg.norm(assembly.gravity))
    rate = np.sqrt(gravity / assembly.length) if gravity > 0.0 else 1.0
    scales = assembly.scales.freedoms
    V = solution.complete(rng.normal(size=assembly.mobility) * scales * rate)
    Vdot_r = rng.normal(size=assembly.mobility) * scales * rate**2
    return Kinematics(assembly, solution, V).accelerated(Vdot_r)


class Taken(NamedTuple):
    """Efforts that a motion takes: in V_r, natural units, and in every joint."""

    w: Array
    hub: Array
    legs: list[Array]

    def along(self, null: Rates) -> Array:
        """Effort along a frozen freedom."""
        total: Array = self.hub @ null.hub if len(null.hub) else 0.0
        for tau, rates in zip(self.legs, null.legs, strict=True):
            total = total + tau @ rates if len(rates) else total
        return total


def taken(kin: Kinematics, loads: StateLoads) -> Taken:
    """Efforts that a motion takes, in V_r and in every joint."""
    found = legs.platform_and_legs(kin, loads.during(kin.V, kin.assembly.length))
    w = kin.solution.Psi.T @ kin.solution.on_platform(*found)
    return Taken(w * kin.assembly.scales.freedoms, found.hub, found.legs)


def _costs(
    assembly: Assembly,
    solution: Solution,
    places: Sequence[Place],
    rng: np.random.Generator,
    figures: Parameters | None,
) -> np.ndarray:
    """Relative change that freezing hides, and relative friction, of each freedom at one state."""
    scales = assembly.scales.freedoms
    rough = StateLoads(assembly.gravity, figures=figures)
    smooth = replace(rough, friction=False)
    inertial = rough.inertial
    still = Kinematics(assembly, solution)
    M_r = np.asarray(legs.inertia_matrix(still, inertial)) * np.outer(scales, scales)
    motions = [_motion(assembly, solution, rng) for _ in range(_MOTIONS)]
    both = [(taken(kin, smooth), taken(kin, rough)) for kin in motions]
    found = np.zeros((len(places), 2))
    for i, place in enumerate(places):
        null = null_rates(solution, place)
        own = taken(alone_in_motion(assembly, solution, place, rates=False), inertial)
        m, M_s = np.asarray(own.w), float(own.along(null))
        heavy = M_s > _NO_INERTIA * max(natural_inertia(assembly), M_s)
        M_free = M_r - np.outer(m, m) / M_s if heavy else M_r
        for kin, (free, rubbed) in zip(motions, both, strict=True):
            f_s, size = float(free.along(null)), max(float(np.linalg.norm(free.w)), 1e-300)
            # once it has moved, what acted on it acts on the platform: that much changes
            effects = [abs(f_s) / size]
            if heavy and np.isfinite(M_free).all():
                change = m * (f_s / M_s)  # and this at once
                effects.append(float(np.linalg.norm(change)) / size)
                more = np.linalg.lstsq(M_free, change, rcond=1e-10)[0]
                Vdot_r = kin.Vdot[list(assembly.free)] / scales
                effects.append(float(np.linalg.norm(more) / np.linalg.norm(Vdot_r)))
            friction = abs(float(rubbed.along(null)) - f_s) / size
            found[i] = np.maximum(found[i], [max(effects), friction])
    return found
