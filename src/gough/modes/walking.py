"""Motions of the motors followed sample by sample, all motions of a batch in lock-step.

A kernel answers as long as legs are on home's branch and it is sure; otherwise the motors are led
by NumPy, in steps so small that the mode is followed and never jumped.
"""

from __future__ import annotations

import numpy as np

from gough.closure.coordinates import pack
from gough.errors import GoughError, UnreachablePose
from gough.geometry.direct import lead
from gough.geometry.inverse import motor_positions
from gough.geometry.newton import State
from gough.geometry.turns import counted_axes
from gough.geometry.walk import configuration_at
from gough.mobility.assembly import Assembly
from gough.mobility.singular import SINGULAR
from gough.modes.along import type_2_at, usual
from gough.modes.follow import pose_from_motors
from gough.modes.poses import Status
from gough.modes.stepper import FARTHEST, whole_turns

LONGEST = 0.5
"""Way of a motor between two samples that a kernel is asked to go at once, natural units."""

NEAR = 0.05
"""Modes are said to meet where the smallest singular value is this share of what is usual."""

_SAME_MOTORS, _SAME_JOINTS = 1e-8, 1e-6

_CLOSER, _ROUNDS = 4e-4, 4  # share of a way that is gone once more in shorter steps, how often


class Path:
    """One motion of the motors on its way.

    Attributes:
        T_0p: the last pose known.
        state: all joints there; ``None`` if legs are on home's branch, and so known from the pose.
        q: motor positions there, on the turn that the motion is on.
        legs: names of legs that changed their branch in the last step.
        error: why no pose continues the motion, if none does.
        met: the state nearest to where it ends, if it does.
        singular: whether that is a Type-2 singularity.
    """

    def __init__(self, assembly: Assembly, state: State, q: np.ndarray) -> None:
        self.assembly, self.T_0p = assembly, state.T_0p
        own = motor_positions(assembly, assembly.equations(*state))
        sound = (np.abs(q) <= FARTHEST).all(axis=1)
        first = q[np.argmax(sound)] if sound.any() else own
        # a machine that was wound up before it started goes on from there
        self.q = np.asarray(own + whole_turns(assembly, first - own))
        self.state = None if self._from_pose(state) else state
        self.legs: list[str] = []
        self.error: GoughError | None = None
        self.met: State | None = None
        self.singular = False

    @property
    def whole(self) -> State:
        """Pose and all joints, with the turns of the motors counted."""
        a = self.assembly
        state = self.at_pose(a, self.T_0p) if self.state is None else self.state
        bare = State(state.T_0p, state.configuration._replace(turns=None))
        own = motor_positions(a, a.equations(*bare))
        turns = np.round((self.q - own) / (2.0 * np.pi))
        counted = set(counted_axes(a))
        places = zip((a.axes[name] for name in a.robot.motors), turns.tolist(), strict=True)
        known = {place: count for place, count in places if place in counted and count}
        return State(bare.T_0p, bare.configuration._replace(turns=known or None))

    @staticmethod
    def at_pose(assembly: Assembly, T_0p: np.ndarray) -> State:
        """All joints on home's branch."""
        return State(T_0p, configuration_at(assembly, T_0p, turns=False))

    def is_near(self, q: np.ndarray) -> bool:
        """Whether a kernel may be asked for the next pose."""
        way = np.abs((q - self.q) / self.assembly.scales.motors)
        return self.state is None and bool(way.max(initial=0.0) <= LONGEST)

    def arrive(self, q: np.ndarray, T_0p: np.ndarray) -> None:
        """The kernel has found the next pose."""
        self.q, self.T_0p, self.legs = q, T_0p, []

    def lead(self, q: np.ndarray) -> None:
        """Lead the motors to their next positions, or note why that cannot be."""
        self.legs = []
        try:
            with np.errstate(all="ignore"):
                there = lead(self.assembly, q, self.whole, first=self.q, passed=self.legs)
        except UnreachablePose as err:
            self.error, way = err, q - self.q
            reached = err.data.get("reached")
            if reached is not None:
                self.q = self.q + err.data["share"] * (q - self.q)
                self.T_0p, self.state = reached.T_0p, reached
            self._meet(way)
            return
        self.q, self.T_0p = q, there.T_0p
        self.state = None if self._from_pose(there) else there

    def _meet(self, way: np.ndarray) -> None:
        """Go on along a way of the motors that cannot be gone, in ever shorter steps.

        A singular state itself is no good start: the last one before it stays what it is.
        """
        a = self.assembly
        self.met, at = self.whole, self.q
        for _ in range(_ROUNDS):
            if self._left() < SINGULAR:
                break
            ahead = _CLOSER * way
            try:
                with np.errstate(all="ignore"):
                    self.met = lead(a, at + ahead, self.met, first=at, passed=[])
                at = at + ahead
            except UnreachablePose as err:
                self.met = err.data["reached"]
                at, way = at + err.data["share"] * ahead, ahead
        self.singular = self._left() < NEAR * usual(a)

    def _left(self) -> float:
        """Distance to Type 2 where the motion ends."""
        return np.inf if self.met is None else type_2_at(self.assembly, self.met)

    def _from_pose(self, state: State) -> bool:
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
        # what idle freedoms do is nobody's business
        return bool(a.idle) or bool(apart < _SAME_JOINTS * max(a.length, 1.0))


def follow_all(
    paths: list[Path], q: np.ndarray, *, kernels: bool, threads: int | None
) -> tuple[np.ndarray, np.ndarray, list[dict[int, State]], list[tuple[int, int, str]]]:
    """Follow motions ``(B, K, n)``.

    Returns:
        Poses ``(B, K, 4, 4)`` and their status ``(B, K)``; joints of samples that are not on home's
        branch, by motion and sample; legs that changed their branch: motion, sample, name.
    """
    B, K, _ = q.shape
    T = np.full((B, K, 4, 4), np.nan)
    status = np.full((B, K), Status.NOT_CONVERGED, dtype=np.int8)
    apart: list[dict[int, State]] = [{} for _ in range(B)]
    crossed: list[tuple[int, int, str]] = []
    sound = (np.abs(q) <= FARTHEST).all(axis=2)
    for k in range(K):
        todo = [b for b in range(B) if paths[b].error is None and sound[b, k]]
        near = [b for b in todo if kernels and paths[b].is_near(q[b, k])]
        found = _by_kernel(paths, q, near, k, threads)
        for b in todo:
            path = paths[b]
            if b in found:
                path.arrive(q[b, k], found[b])
            else:
                path.lead(q[b, k])
            crossed += [(b, k, leg) for leg in dict.fromkeys(path.legs)]
            if path.error is not None:
                status[b, k:] = Status.SINGULAR if path.singular else Status.OUT_OF_REACH
                continue
            T[b, k], status[b, k] = path.T_0p, Status.CONVERGED
            if path.state is not None:
                apart[b][k] = path.state
    status[~sound] = Status.BAD_INPUT
    return T, status, apart, crossed


def _by_kernel(
    paths: list[Path], q: np.ndarray, near: list[int], k: int, threads: int | None
) -> dict[int, np.ndarray]:
    """Poses that the kernel is sure of, by motion."""
    if not near:
        return {}
    robot = paths[near[0]].assembly.robot
    if len(near) == 1:  # one state has a shorter way
        (b,) = near
        one = pose_from_motors(robot, q[b, k], paths[b].T_0p, engine="compiled")
        return {b: one.T_0p} if one.converged else {}
    start = np.stack([paths[b].T_0p for b in near])
    many = pose_from_motors(robot, q[near, k], start, engine="compiled", threads=threads)
    return {b: T for b, T, good in zip(near, many.T_0p, many.converged, strict=True) if good}
