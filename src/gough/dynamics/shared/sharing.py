"""Efforts of more motors than freedoms: which of the many that produce a motion.

``A tau = w`` has a family of answers, ``tau + N y``; the smallest is taken, in a weighted norm, and
within bounds where bounds are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base import english as words
from gough.base.arguments import check_known
from gough.base.batch import as_array
from gough.base.linalg import minimum_norm
from gough.base.spatial import Array
from gough.errors import EffortsInfeasible, InputError, WrongMotors, shown
from gough.mechanism.by_pose import check_pose_tells_all
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot

TOLERANCE = 1e-9
"""How far a bound may be passed by rounding, relative to the efforts that are needed."""

STUCK = 1e-10
"""Entries of internal efforts below this share of the largest are rounding: set to zero."""


@dataclass(frozen=True, eq=False)
class EffortSharing:
    """How efforts are shared among more motors than freedoms.

    The smallest ``sum(weights * tau**2)`` is taken among all efforts that produce the motion and
    keep within bounds.

    Args:
        weights: of each motor, in the order of ``robot.motors``, all positive; 1 if not given.
            Give them where motors differ in size, or turn and slide side by side.
        bounds: ``"limits"`` for the axes' own ``limits.effort``, or ``(low, high)``, each one
            number or one a motor.
        preload: least effort by motor, with its sign: ``{"elbow": 2.0}`` keeps ``elbow`` at 2 N m
            or above, ``-2.0`` at -2 N m or below, so that its gear always bears on one flank.
    """

    weights: Any = None
    bounds: Any = None
    preload: Mapping[str, float] | None = None


class Sharing:
    """A :class:`EffortSharing` made ready for a robot.

    Attributes:
        low, high: bounds of every motor, infinite where there are none.
    """

    def __init__(self, assembly: Assembly, share: EffortSharing | None = None) -> None:
        if share is not None and not isinstance(share, EffortSharing):
            raise InputError(f"share: expected gough.EffortSharing, got {type(share).__name__}")
        share = share or EffortSharing()
        self.robot = assembly.robot
        self._root = np.sqrt(_weights(self.robot, share.weights))
        self.low, self.high = _bounds(self.robot, share.bounds)
        _preload(self.robot, share.preload, self.low, self.high)
        crossed = np.flatnonzero(self.low > self.high)
        if len(crossed):
            i = int(crossed[0])
            raise InputError(
                f"share: motor {self.robot.motors[i]!r} is to stay above {self.low[i]:g} and below "
                f"{self.high[i]:g}",
                hint="Lower the preload, or widen the bounds.",
            )
        self.bounded = bool(np.isfinite(self.low).any() or np.isfinite(self.high).any())

    @property
    def weights(self) -> tuple[float, ...]:
        """Weight of each motor."""
        return tuple(float(x) for x in self._root**2)

    @classmethod
    def weighted(cls, assembly: Assembly, weights: Sequence[float]) -> Sharing:
        """The smallest efforts in a weighted norm, without bounds."""
        return cls(assembly, EffortSharing(weights=list(weights)))

    def efforts(self, A: Array, w: Array) -> Array:
        """Smallest efforts with ``A tau = w``; numbers, and without bounds also symbols."""
        tau = minimum_norm(A / self._root, w) / self._root
        return self._bounded_efforts(np.asarray(A), np.asarray(tau)) if self.bounded else tau

    def within_bounds(self, tau: Array) -> Array:
        """Efforts that have no choice, or the error that says that they break a bound."""
        if self.bounded:
            excess = _excess(self.low, self.high, tau)
            if excess.max(initial=0.0) > TOLERANCE * self._size(tau):
                raise self._infeasible(tau, float(excess.max()))
        return tau

    def _bounded_efforts(self, A: np.ndarray, smallest: np.ndarray) -> np.ndarray:
        """The smallest efforts within bounds, from the smallest of all."""
        size = self._size(smallest)
        Z = null_space(A / self._root)
        moved = Z / self._root[:, None]
        reach = np.linalg.norm(moved, axis=1)
        moved[reach < STUCK * reach.max(initial=0.0)] = 0.0
        tau = _least_distance(moved, smallest, self.low, self.high, size)
        if self._fits(tau, 0.0, size):
            return np.asarray(np.clip(tau, self.low, self.high))
        excess, border = self._least_excess(A, A @ smallest / size, size)
        if excess > 1e-7 * size:  # the tolerance of linprog's solver (HiGHS)
            raise self._infeasible(border, excess)
        # the bounds leave next to nothing: a little more room, and the smallest within it
        room = 2.0 * max(excess, TOLERANCE * size)
        tau = _least_distance(moved, smallest, self.low - room, self.high + room, size)
        if not self._fits(tau, room, size):
            raise self._infeasible(border, excess)
        return tau

    def _fits(self, tau: np.ndarray, room: float, size: float) -> bool:
        return bool(_excess(self.low, self.high, tau).max() <= room + TOLERANCE * size)

    def _least_excess(self, A: np.ndarray, w: np.ndarray, size: float) -> tuple[float, np.ndarray]:
        """By how much bounds must be passed at least, and efforts that do it; in units of size."""
        m = len(self.low)
        below, above = np.isfinite(self.low), np.isfinite(self.high)
        unit = np.ones((m, 1))
        upper = np.hstack([np.eye(m), -unit])[above]
        lower = np.hstack([-np.eye(m), -unit])[below]
        rows = np.abs(A).max(axis=1, keepdims=True)
        from scipy.optimize import linprog  # noqa: PLC0415  heavy: loaded on first use

        found = linprog(
            np.eye(m + 1)[-1],
            A_ub=np.vstack([upper, lower]),
            b_ub=np.concatenate([self.high[above], -self.low[below]]) / size,
            A_eq=np.hstack([A / rows, np.zeros((len(w), 1))]),
            b_eq=w / rows[:, 0],
            bounds=[(None, None)] * m + [(0.0, None)],
        )
        if found.status != 0:
            raise InputError(f"efforts within bounds were not found: {found.message}")
        return float(found.x[m]) * size, np.asarray(found.x[:m]) * size

    def _infeasible(self, tau: np.ndarray, excess: float) -> EffortsInfeasible:
        over_bound = _excess(self.low, self.high, tau) > 0.5 * excess
        names = [n for n, at in zip(self.robot.motors, over_bound, strict=True) if at]
        return EffortsInfeasible(
            f"{self.robot.name}: no efforts within bounds and preload produce this motion: the "
            f"closest pass them by {excess:.4g} at {', '.join(names)}",
            hint="Slow the motion down, carry less, widen the bounds or lower the preload.",
            excess=excess,
            motors=tuple(names),
            efforts=tau,
        )

    def _size(self, tau: np.ndarray) -> float:
        """Size of the efforts that are needed: for the motion, and by bounds that exclude zero."""
        needed = np.maximum(np.maximum(self.low, -self.high), np.abs(tau))
        return float(needed.max(initial=0.0)) or 1.0


def _least_distance(
    moved: np.ndarray, smallest: np.ndarray, low: np.ndarray, high: np.ndarray, size: float
) -> np.ndarray:
    """The efforts ``smallest + moved y`` within bounds with the smallest y.

    Least distance to ``G y >= h`` is a problem of non-negative least squares (Lawson and Hanson,
    chapter 23); if there is no such y, what comes out breaks a bound.
    """
    if _excess(low, high, smallest).max() <= 1e-14 * size:
        return smallest
    free = (moved != 0.0).any(axis=1)  # the others have no choice
    below, above = np.isfinite(low) & free, np.isfinite(high) & free
    G = np.vstack([moved[below], -moved[above]])
    h = np.concatenate([(low - smallest)[below], (smallest - high)[above]]) / size
    if not len(h) or h.max() <= 1e-14:
        return smallest
    from scipy.optimize import nnls  # noqa: PLC0415  heavy: loaded on first use

    u, _ = nnls(np.vstack([G.T, h]), np.eye(moved.shape[1] + 1)[-1])
    active = u > 0.0
    # the active bounds give y once more, without what the multipliers lost to rounding
    y = np.linalg.lstsq(G[active], h[active], rcond=None)[0] * size
    return np.asarray(smallest + moved @ y)


def check_motors(assembly: Assembly, share: EffortSharing | None = None) -> None:
    """Refuse fewer motors than freedoms, and more unless that is said to be meant."""
    robot, n = assembly.robot, assembly.mobility
    motors = len(robot.motors)
    counts = f"{words.counted(motors, 'motor')} for {words.counted(n, 'freedom')}"
    if motors > n:
        check_pose_tells_all(assembly)  # motors that the platform does not feel are not redundant
    if motors == n or (motors > n and (robot.redundant or share is not None)):
        return
    which = "fewer" if motors < n else "more"
    hint = (
        "Add motors, or use gough.forward_dynamics, which works with any number."
        if motors < n
        else "If that is meant, say redundant: true in the description, or give "
        "share=gough.EffortSharing() for the smallest efforts."
    )
    if not n:
        hint = "The platform cannot move: gough.doctor(robot) says what holds it."
    raise WrongMotors(
        f"{robot.name}: {counts}: {which} than the mobility",
        hint=hint,
        motors=motors,
        mobility=n,
    )


def null_space(A: np.ndarray) -> np.ndarray:
    """Orthonormal columns z with ``A z = 0``, rows of each A ``(..., n, m)`` being independent."""
    _, _, Vt = np.linalg.svd(A)
    return np.asarray(np.swapaxes(Vt[..., A.shape[-2] :, :], -1, -2))


def _excess(low: np.ndarray, high: np.ndarray, tau: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(np.maximum(low - tau, tau - high), 0.0))


def _one_each(robot: Robot, values: Any, name: str) -> np.ndarray:
    m = len(robot.motors)
    array = as_array(values, (), name)
    if array.ndim > 1 or (array.ndim == 1 and array.shape != (m,)):
        raise InputError(f"{name} has shape {array.shape}, expected one number or ({m},)")
    if np.isnan(array).any():
        raise InputError(f"{name} has an entry that is not a number")
    return np.array(np.broadcast_to(array, (m,)))


def _weights(robot: Robot, values: Any) -> np.ndarray:
    weights = _one_each(robot, 1.0 if values is None else values, "share.weights")
    if not (np.isfinite(weights) & (weights > 0.0)).all():
        raise InputError(f"share.weights are {weights}, expected positive numbers")
    return weights


def _bounds(robot: Robot, bounds: Any) -> tuple[np.ndarray, np.ndarray]:
    m = len(robot.motors)
    if bounds is None:
        return np.full(m, -np.inf), np.full(m, np.inf)
    if isinstance(bounds, str):
        if bounds != "limits":
            raise InputError(f"share.bounds is {bounds!r}, expected 'limits' or (low, high)")
        efforts = [robot.axis(name).limits.effort for name in robot.motors]
        if all(effort is None for effort in efforts):
            raise InputError(
                f"share.bounds: no motor of {robot.name} has an effort limit",
                hint="Give limits: {effort: ...} to its axes, or bounds=(low, high).",
            )
        high = np.array([np.inf if effort is None else effort for effort in efforts])
        return -high, high
    if not isinstance(bounds, (tuple, list, np.ndarray)) or len(bounds) != 2:
        raise InputError(f"share.bounds: expected 'limits' or (low, high), got {shown(bounds)}")
    low, high = (_one_each(robot, side, "share.bounds") for side in bounds)
    if (low == np.inf).any() or (high == -np.inf).any():
        raise InputError("share.bounds: no effort is above +inf or below -inf")
    return low, high


def _preload(
    robot: Robot, preload: Mapping[str, float] | None, low: np.ndarray, high: np.ndarray
) -> None:
    """Raise low bounds, or lower high ones, to what the preload asks."""
    if preload is None:
        return
    if not isinstance(preload, Mapping):
        raise InputError(
            f"share.preload: expected {{motor: least effort}}, got {type(preload).__name__}"
        )
    for name, value in preload.items():
        check_known(name, robot.motors, "share.preload: no motor", "share")
        least = as_array(value, (), f"share.preload[{name!r}]")
        if least.ndim or not np.isfinite(least):
            raise InputError(f"share.preload[{name!r}] is {shown(value)}, expected one effort")
        i = robot.motors.index(name)
        if least > 0.0:
            low[i] = max(low[i], float(least))
        elif least < 0.0:
            high[i] = min(high[i], float(least))
