"""Motions of the motors followed sample by sample, all motions of a batch in lock-step.

A kernel answers as long as legs are on home's branch and it is sure; otherwise NumPy moves the
motors there, in steps so small that the assembly mode is followed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.conditions import is_valid
from gough.base.once import known_of
from gough.errors import GoughError, UnreachablePose
from gough.evaluation.engine import Runner
from gough.geometry.direct import lead, wound
from gough.geometry.inverse import motor_positions
from gough.geometry.newton import AssembledState
from gough.geometry.walk import configuration_at
from gough.kinematics.from_motors import moved_by_motors
from gough.kinematics.poses import PoseStatus
from gough.mechanism.closure.coordinates import pack
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import holding
from gough.mechanism.mobility.singular import SINGULAR
from gough.modes.follow import find_poses
from gough.modes.stepper import FARTHEST, whole_turns

LONGEST = 0.5
"""Longest way of a motor between two samples for which a kernel is called, natural units.

Newton's method converges on the same branch from there; longer ways are led in parts by NumPy.
"""

NEAR = 0.05
"""Modes are said to meet where the smallest singular value is below this share of the usual one."""

# Differences, natural units, between one posture found from its pose and found from its motors:
# near a stretched leg joints are known to the root of rounding only.
_SAME_MOTORS, _SAME_JOINTS = 1e-8, 1e-6

# ``lead`` gives up below strides of 1e-4: what stopped it lies within 2e-4 of its way, and so
# within the next 4e-4.  That part is led again, and so on: at Type 2 the singular value falls with
# the root of what is left, and is below SINGULAR after three or four rounds.
_CLOSER, _ROUNDS = 4e-4, 4


class End(NamedTuple):
    """Where no pose continues a motion.

    Attributes:
        sample: the first that has none.
        state: the one nearest to where the motion ends.
        singular: whether that is a Type 2 singularity.
    """

    sample: int
    state: AssembledState
    singular: bool


class Path:
    """One motion of the motors on its way.

    Attributes:
        place: index of the motion in the batch.
        goals: positions of the motors ``(K, n)``.
        poses, status: of the samples, ``(K, 4, 4)`` and ``(K,)``.
        apart: all joints of the samples that are not on home's branch.
        crossed: samples before which legs changed their branch, and their names.
        end: where it ends too early, if it does.
        T_0p: the last pose known.
        state: all joints there; ``None`` if legs are on home's branch, and so known from the pose.
        q: motor positions there, on the turn that the motion is on.
    """

    def __init__(
        self, assembly: Assembly, place: tuple[int, ...], state: AssembledState, goals: np.ndarray
    ) -> None:
        self.assembly, self.place, self.goals, self.T_0p = assembly, place, goals, state.T_0p
        self.sound = (np.abs(goals) <= FARTHEST).all(axis=1)
        self.poses = np.full((len(goals), 4, 4), np.nan)
        self.status = np.where(self.sound, PoseStatus.NOT_CONVERGED, PoseStatus.BAD_INPUT).astype(
            np.int8
        )
        self.apart: dict[int, AssembledState] = {}
        self.crossed: list[tuple[int, str]] = []
        self.end: End | None = None
        own = motor_positions(assembly, assembly.equations(*state))
        first = goals[np.argmax(self.sound)] if self.sound.any() else own
        # turns that were counted before the start are kept
        self.q = np.asarray(own + whole_turns(assembly, first - own))
        self.state = None if self._from_pose(state) else state

    @property
    def whole(self) -> AssembledState:
        """Pose and all joints, with the turns of the motors counted."""
        state = self._at_pose(self.T_0p) if self.state is None else self.state
        return wound(self.assembly, state, self.q)

    def at(self, k: int) -> AssembledState:
        """Pose and all joints of a sample."""
        return self.apart[k] if k in self.apart else self._at_pose(self.poses[k])

    def _at_pose(self, T_0p: np.ndarray) -> AssembledState:
        """All joints on home's branch."""
        return AssembledState(T_0p, configuration_at(self.assembly, T_0p, turns=False))

    def is_near(self, k: int) -> bool:
        """Whether a kernel may be asked for a sample's pose."""
        way = np.abs((self.goals[k] - self.q) / self.assembly.scales.motors)
        return self.state is None and bool(way.max(initial=0.0) <= LONGEST)

    def go(self, k: int, T_0p: np.ndarray | None) -> None:
        """Continue to a sample, whose pose a kernel has found; otherwise lead the motors there."""
        if T_0p is None:
            self._lead(k)
        else:
            self.q, self.T_0p = self.goals[k], T_0p
        if self.end is not None:
            ended = PoseStatus.SINGULAR if self.end.singular else PoseStatus.OUT_OF_REACH
            self.status[k:][self.sound[k:]] = ended
            return
        self.poses[k], self.status[k] = self.T_0p, PoseStatus.CONVERGED
        if self.state is not None:
            self.apart[k] = self.state

    def _lead(self, k: int) -> None:
        """Move the motors to a sample by NumPy, or record where that ends."""
        way = self.goals[k] - self.q
        legs: list[str] = []
        try:
            with np.errstate(all="ignore"):
                there = lead(self.assembly, self.goals[k], self.whole, first=self.q, passed=legs)
        except UnreachablePose as err:
            reached = err.data.get("reached")
            if reached is not None:
                self.q = self.q + err.data["share"] * way
                self.T_0p, self.state = reached.T_0p, reached
            self.end = self._ends(k, way)
        else:
            self.q, self.T_0p = self.goals[k], there.T_0p
            self.state = None if self._from_pose(there) else there
        self.crossed += [(k, leg) for leg in dict.fromkeys(legs)]

    def _ends(self, k: int, way: np.ndarray) -> End:
        """Approach the place where a way of the motors ends, in ever shorter steps.

        The path's own state stays the last regular one: a singular state is no good start.
        """
        a, met, at = self.assembly, self.whole, self.q
        for _ in range(_ROUNDS):
            if type_2_at(a, met) < SINGULAR:
                break
            ahead = _CLOSER * way
            try:
                with np.errstate(all="ignore"):
                    met = lead(a, at + ahead, met, first=at, passed=[])
                at = at + ahead
            except UnreachablePose as err:
                met = err.data["reached"]
                at, way = at + err.data["share"] * ahead, ahead
        return End(k, met, type_2_at(a, met) < NEAR * usual(a))

    def _from_pose(self, state: AssembledState) -> bool:
        """Whether the joints are those that home's branch has at this pose."""
        a = self.assembly
        try:
            with np.errstate(all="ignore"):
                home = configuration_at(a, state.T_0p, turns=False)
        except GoughError:
            return False
        ways = motor_positions(a, a.equations(state.T_0p, home)) - self.q
        ways = np.asarray(ways - whole_turns(a, ways)) / a.scales.motors
        if np.abs(ways).max(initial=0.0) > _SAME_MOTORS:
            return False
        apart = np.abs(pack(home) - pack(state.configuration)).max(initial=0.0)
        # joints of idle freedoms may differ: they do not move the platform
        return bool(a.idle) or bool(apart < _SAME_JOINTS * max(a.length, 1.0))


def follow_all(paths: list[Path], *, kernels: bool, threads: int | None) -> None:
    """Follow motions of as many samples."""
    for k in range(len(paths[0].goals) if paths else 0):
        todo = [path for path in paths if path.end is None and path.sound[k]]
        near = [path for path in todo if kernels and path.is_near(k)]
        found = _by_kernel(near, k, threads)
        for path in todo:
            path.go(k, found.get(path))


def _by_kernel(near: list[Path], k: int, threads: int | None) -> dict[Path, np.ndarray]:
    """Poses that the kernel is sure of, by motion."""
    if not near:
        return {}
    robot = near[0].assembly.robot
    if len(near) == 1:  # one state has a shorter way
        (path,) = near
        one = find_poses(robot, path.goals[k], path.T_0p, doubts=False)
        return {path: one.T_0p} if one.converged else {}
    goals, start = np.stack([p.goals[k] for p in near]), np.stack([p.T_0p for p in near])
    many = find_poses(robot, goals, start, threads=threads, doubts=False)
    return {p: T for p, T, good in zip(near, many.T_0p, many.converged, strict=True) if good}


class Along(NamedTuple):
    """Twists, twist rates and Jacobians of B motions of K samples; NaN where none is.

    Attributes:
        V_0p, Vdot_0p: ``(B, K, 6)``.
        J_inv: ``qd = J_inv V_r``, ``(B, K, n, freedoms)``.
        Psi: ``V_0p = Psi V_r``, ``(B, K, 6, freedoms)``.
    """

    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    J_inv: np.ndarray
    Psi: np.ndarray


def along(
    assembly: Assembly,
    paths: list[Path],
    qd: np.ndarray,
    qdd: np.ndarray,
    program: Runner | None,
) -> Along:
    """Motion of the platform along motions that have been followed.

    Args:
        assembly: the robot.
        paths: the motions.
        qd: rates of the motors ``(B, K, n)``.
        qdd: their accelerations.
        program: of ``"motion_of_motors"``, for samples on home's branch.
    """
    n, freedoms = qd.shape[-1], assembly.mobility
    cores = ((6,), (6,), (n, freedoms), (6, freedoms))
    found = Along(*(np.full((*qd.shape[:2], *core), np.nan) for core in cores))
    T = np.array([path.poses for path in paths]).reshape(*qd.shape[:2], 4, 4)
    left = np.isfinite(T).all(axis=(2, 3))
    if program is not None:
        given = program.run([T, qd, qdd], {})
        sure = left & is_valid(given["doubt"])
        for b, path in enumerate(paths):
            sure[b, list(path.apart)] = False
        for name, values in zip(found._fields, found, strict=True):
            values[sure] = given[name][sure]
        left &= ~sure
    for b, k in np.argwhere(left):
        try:
            with np.errstate(all="ignore"):
                state = paths[b].at(int(k))
                found.J_inv[b, k], found.Psi[b, k] = jacobians_at(assembly, state)
                found.V_0p[b, k], found.Vdot_0p[b, k] = moved_by_motors(
                    assembly, state, qd[b, k], qdd[b, k]
                )
        except GoughError:
            continue  # a singular pose has no rates: they stay NaN
    return found


def jacobians_at(assembly: Assembly, state: AssembledState) -> tuple[np.ndarray, np.ndarray]:
    """``qd = J_inv V_r`` and ``V_0p = Psi V_r`` of an assembled state."""
    solution = assembly.solution(assembly.equations(*state))
    return np.asarray(solution.J_inv), np.asarray(solution.Psi)


def type_2_at(assembly: Assembly, state: AssembledState) -> float:
    """Distance of an assembled state to Type 2 singularities, natural units."""
    return float(holding(assembly.scales, *jacobians_at(assembly, state)).type_2)


@known_of(Assembly)
def usual(assembly: Assembly) -> float:
    """Median distance to Type 2 singularities in postures around home, natural units."""
    values = [type_2_at(assembly, AssembledState(*sample)) for sample in assembly.regular_samples]
    return float(np.nanmedian(values)) if np.isfinite(values).any() else 0.0
