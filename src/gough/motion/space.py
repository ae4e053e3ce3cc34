"""Displacements of a robot's freedoms from a reference pose: the space of its motions.

A displacement has one entry for each of ``robot.freedoms``.  Its meaning depends on the freedoms of
the platform:

- it turns about all axes, and its position is free of that (hexapods, spherical wrists): positions
  add, and the rotation vector, base axes, is applied to the reference, ``R = exp(w) R_ref``.  No
  orientation is special, and a straight displacement turns about a fixed axis;
- it turns about one axis at most (Delta, planar robots, Quattro): coordinates add;
- its legs decide the rest (five-bar, 3-RPS): coordinates add, and the loops are closed as
  ``gough.state`` does.

All are for thousands of samples at once; the first two are closed forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base import spatial, turns
from gough.base.batch import as_array, check_finite, check_pose
from gough.base.once import known_of
from gough.errors import GoughError, InputError
from gough.evaluation.loops.state import state
from gough.evaluation.loops.states import closed_states
from gough.geometry.newton import AssembledState
from gough.geometry.walk import configuration_at
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.motion.continued import EXACT, continued, whole_turns
from gough.motion.jets import Jet
from gough.robot import Robot
from gough.states.state import State

_FAR = 1.0 + 2.0 * np.cos(1.0)  # trace of a rotation by 1 rad


class Point(NamedTuple):
    """A pose and the freedoms that describe it."""

    T_0p: np.ndarray
    x: np.ndarray


@dataclass(frozen=True, eq=False)
class Space:
    """The space of a robot's motions.

    Attributes:
        assembly: the robot.
        kind: ``"turning"``, ``"straight"`` or ``"closing"``, in the order of this module's text.
        Psi: constant map of the freedoms' rates to the twist, where there is one.
    """

    assembly: Assembly
    kind: str
    Psi: np.ndarray

    def __reduce__(self) -> tuple[Any, ...]:
        """What a pickle holds: the robot, whose space it is."""
        return space_of, (self.assembly.robot,)

    @property
    def free(self) -> list[int]:
        """Indices of the freedoms among x y z rx ry rz."""
        return list(self.assembly.free)

    @property
    def turns(self) -> np.ndarray:
        """Which freedoms are rotations, (n,)."""
        return np.array([i > 2 for i in self.free])

    def point(self, pose: Any, name: str) -> Point:
        """A pose argument: ``None`` (home), freedoms (n,), or a matrix (4, 4) that can be taken."""
        chart, free = self.assembly.chart, self.free
        if pose is None:
            T = self.assembly.T_home
            return Point(T, chart.coordinates(T)[free])
        core = (4, 4) if axes_of(pose) == 2 else (len(free),)
        array = as_array(pose, core, name)
        if array.shape != core:
            raise InputError(
                f"{name} has shape {array.shape}, expected ({len(free)},) or (4, 4)",
                hint=f"One pose: {', '.join(self.assembly.freedoms)}, or a matrix.",
                argument=name,
            )
        check_finite(array, name)
        try:
            if core == (4, 4):
                check_pose(array, name)
                configuration_at(self.assembly, array)
                return Point(array, chart.coordinates(array)[free])
            return Point(state(self.assembly.robot, array).T_0p, array)
        except GoughError as err:
            raise located(err, name, argument=name) from err

    def points(self, poses: Sequence[Any], names: Sequence[str]) -> list[Point]:
        """Pose arguments in a row; angles of matrices are continued from the pose before."""
        found = [self.point(pose, name) for pose, name in zip(poses, names, strict=True)]
        said = np.array([pose is None or axes_of(pose) < 2 for pose in poses])
        if said[1:].all():
            return found
        T, x = (np.array(part) for part in zip(*found, strict=True))
        x = self.going_on(x, T, said)
        return [Point(*each) for each in zip(T, x, strict=True)]

    def going_on(
        self, x: np.ndarray, T_0p: np.ndarray, said: np.ndarray, off: float = EXACT
    ) -> np.ndarray:
        """Freedoms (K, n) of poses in a row, angles nearest those before.

        Args:
            x: freedoms of the single poses (K, n).
            T_0p: the poses (K, 4, 4).
            said: which of them are given by their freedoms, and stay (K,).
            off: how far rotations may be off a common axis [rad].
        """
        if self.kind == "turning" or not self.turns.any():
            return x  # rotations are compared as such
        w = turns.logs(T_0p[:, :3, :3] @ self.assembly.chart.R_ref.T)
        turn = np.hstack([np.zeros_like(w), whole_turns(w, off)])
        return continued(x, turn[:, self.free], said)

    def displacement(self, reference: Point, to: Point) -> np.ndarray:
        """What takes a reference to another pose, (n,); rotations on SO(3) go the short way."""
        found = to.x - reference.x
        if self.kind == "turning":
            w = spatial.rotation_log(to.T_0p[:3, :3] @ reference.T_0p[:3, :3].T)
            found[self.turns] = w
        return np.asarray(found)

    def states(self, reference: Point, moved: Jet, t: np.ndarray, *, quick: bool = False) -> State:
        """States at displacements (K, n) from a reference; ``t`` (K,) is for error messages.

        With ``quick`` a state that a kernel doubts is refused at once: nobody looks for the reason.
        """
        if self.kind == "turning":
            return self._turning(reference, moved)
        if self.kind == "straight":
            return self._straight(reference, moved)
        return self._closing(reference, moved, t, quick=quick)

    def _turning(self, reference: Point, moved: Jet) -> State:
        Psi_p, positions = self.Psi[:3, ~self.turns], Jet(*(d[:, ~self.turns] for d in moved))
        w = Jet(*(d[:, self.turns] for d in moved))
        p, v, vdot = (d @ Psi_p.T for d in positions)
        omega, omegadot = turns.turning(w)
        R = turns.rotations(w.value) @ reference.T_0p[:3, :3]
        return _states(R, reference.T_0p[:3, 3] + p, np.hstack([v, omega, vdot, omegadot]))

    def _straight(self, reference: Point, moved: Jet) -> State:
        y, yd, ydd = (
            d @ self.Psi.T for d in moved
        )  # about one axis a rotation vector's rate is omega
        R = turns.rotations(y[:, 3:]) @ reference.T_0p[:3, :3]
        return _states(R, reference.T_0p[:3, 3] + y[:, :3], np.hstack([yd, ydd]))

    def _closing(self, reference: Point, moved: Jet, t: np.ndarray, *, quick: bool) -> State:
        x = Jet(reference.x + moved.value, moved.rate, moved.acceleration)

        def one(k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            if quick:
                raise GoughError(f"{self.assembly.robot.name}: out of reach at t = {t[k]:.6g} s")
            try:
                return state(self.assembly.robot, *(part[k] for part in x)).arrays
            except GoughError as err:
                raise at_time(err, float(t[k])) from err

        return State(*closed_states(self.assembly, x, one)[:3])

    def check_reach(self, states: State, t: np.ndarray) -> None:
        """Refuse poses that a leg cannot reach: closed forms of the motion do not check legs."""
        if self.kind == "closing":
            return
        R_home, here = self.assembly.T_home[:3, :3], None
        for T, when in zip(states.T_0p, t, strict=True):
            # far from home's orientation a closed form does not settle it, and the way is long
            far = np.trace(R_home.T @ T[:3, :3]) < _FAR
            try:
                found = configuration_at(self.assembly, T, here if far else None)
            except GoughError as err:
                raise at_time(err, float(when)) from err
            here = AssembledState(T, found)


def space_of(robot: Robot) -> Space:
    """The space of a robot's motions, found on first demand."""
    return _space(assembled(robot))


@known_of(Assembly)
def _space(assembly: Assembly) -> Space:
    n = assembly.mobility
    if not n:
        raise InputError(f"{assembly.robot.name}: the platform cannot move", argument="robot")
    Psi = np.eye(6) if n == 6 else assembly.constant_Psi
    if Psi is None:
        return Space(assembly, "closing", np.zeros((6, n)))
    turning = [i > 2 for i in assembly.free]
    axes = int(np.linalg.matrix_rank(Psi[3:], tol=1e-9))
    if axes == 3 and sum(turning) == 3 and not Psi[:3, turning].any() and _own_rates(Psi, turning):
        return Space(assembly, "turning", Psi)
    if axes == 0 or (axes == 1 and _about_one_axis(assembly, Psi)):
        return Space(assembly, "straight", Psi)
    return Space(assembly, "closing", Psi)


def _own_rates(Psi: np.ndarray, turning: list[bool]) -> bool:
    """Whether the angular velocity is that of the freedoms alone."""
    others = Psi[3:, [not each for each in turning]]
    return bool(not others.any() and (Psi[3:, turning] == np.eye(3)).all())


def _about_one_axis(assembly: Assembly, Psi: np.ndarray) -> bool:
    """Whether rotation vectors, counted from the chart's reference, stay on the axis of turning."""
    w = assembly.chart.coordinates(assembly.T_home)[3:]
    axis = np.linalg.svd(Psi[3:])[0][:, 0]
    return bool(np.linalg.norm(w - axis * (axis @ w)) < 1e-9)


def axes_of(value: Any) -> int:
    """Number of an argument's axes; 0 of what is no array, which its reader refuses."""
    try:
        return int(np.ndim(value))
    except (ValueError, TypeError):  # lists of different lengths, states
        return 0


def _states(R: np.ndarray, p: np.ndarray, rates: np.ndarray) -> State:
    T = np.zeros((len(p), 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = R, p, 1.0
    return State(T, rates[:, :6], rates[:, 6:])


def at_time(err: GoughError, t: float) -> GoughError:
    """The same error with the time added to its message."""
    return located(err, f"at t = {t:.6g} s", time=t)


def located(err: GoughError, where: str, **data: Any) -> GoughError:
    """The same error with the place added to its message."""
    return type(err)(f"{where}: {err.message}", hint=err.hint, **{**err.data, **data})
