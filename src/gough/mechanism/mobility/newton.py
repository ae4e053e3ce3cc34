"""Newton's method on the closure equations of one state: joints and platform together.

What is held (the pose, the freedoms, the motors, or nothing) is a value, :class:`Held`; all else is
unknown, and moves as little as it can.  Whatever closes many states at once, or in compiled steps,
trusts its steps by the same rule, :func:`shrinks`; :func:`continued` takes the same steps for many
states.  What follows no branch, and may stay open, goes downhill from anywhere: :func:`descended`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.base.spatial import moved
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import dense, move, split, turning
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Locks, described_locks
from gough.mechanism.mobility.chart import Chart
from gough.mechanism.topology.topology import Topology

CLOSED = 1e-11
"""Largest residual of an assembled posture, in natural units (rad, or shares of the length).

Newton's method leaves some 1e-15 for each joint of a chain; a bound much looser would show in
efforts, which ``gough.audit`` compares to 1e-9.
"""

CONTRACTION = 0.25
"""Steps that shrink by four lead to the solution connected with their start (Kantorovich)."""

FINE = 1e-7
"""Steps so small need not shrink any more, natural units: the next one is its square, rounding."""

LARGEST_TURN = 1.0
"""Most that a step may turn a joint and be trusted [rad]: tangents of sine and cosine end there."""

_MOST_STEPS = {"stay": 30, "find": 60}
_RANK = {"stay": 1e-12, "find": 1e-9}  # from far, what is nearly loose must not run away
_FULL = 1e-7  # pivots smaller than this share of the largest may be those of lost rank
_LONGEST = 0.5  # of a step from far, natural units: rows are linear over about half a radian
_LEAST = 1e-15  # damping: squares of singular values below are made of rounding


def shrinks(size: Any, previous: Any, contraction: float = CONTRACTION) -> Any:
    """Whether Newton steps are smaller than those before them by a factor: the rule of trust.

    Then the machine has not jumped to another branch.  Sizes are in natural units, of one state or
    of many; the first step has an infinite one before it.
    """
    return (size < contraction * previous) | (size < FINE)


class Held(NamedTuple):
    """What is held while loops are closed; a value ``y`` describes the platform.

    Attributes:
        pose: of the platform.
        left: which of its six coordinates are left to be found.
        rates: its twist by the rates of those, 6xk.
        moved: ``y`` after a step of those.
        conditions: further rows over (u, V), natural units, and how far they are from met.
    """

    pose: Callable[[np.ndarray], np.ndarray]
    left: Sequence[int]
    rates: Callable[[np.ndarray], np.ndarray]
    moved: Callable[[np.ndarray, np.ndarray], np.ndarray]
    conditions: Callable[[Equations], tuple[np.ndarray, np.ndarray]] | None = None


POSE = Held(lambda T: T, (), lambda _: np.zeros((6, 0)), lambda T, _: T)
"""The pose is held; ``y`` is the pose."""

NOTHING = Held(lambda T: T, range(6), lambda _: np.eye(6), moved)
"""Nothing is held; ``y`` is the pose."""


def freedoms_held(chart: Chart, free: Sequence[int]) -> Held:
    """Some of a platform's coordinates are held; ``y`` is all six."""
    left = [i for i in range(6) if i not in free]

    def after(y: np.ndarray, step: np.ndarray) -> np.ndarray:
        found = y.copy()
        found[left] += step
        return found

    return Held(chart.pose, left, lambda y: chart.rates(y)[:, left], after)


class Closed(NamedTuple):
    """The platform, all joints, and the largest equation left open, natural units, once known."""

    y: np.ndarray
    configuration: Configuration
    error: float = np.inf


def newton(
    topology: Topology,
    length: float,
    held: Held,
    start: Closed,
    *,
    trust: bool,
    first: float = np.inf,
    locks: Locks | None = None,
    enough: float = 0.0,
    least: float | None = None,
) -> Closed:
    """Close the loops by Newton's method; the error is infinite where steps cannot be trusted.

    Args:
        topology: the machine.
        length: its size [m].
        held: what stays.
        start: where the rest is.
        trust: whether to stay on the branch of the start.  Otherwise steps are cut short, so that a
            machine that is badly open finds together, on whatever branch.
        first: size up to which the first step is trusted, natural units.
        locks: what idle freedoms keep to; if not given they move as little as they can.
        enough: residual at which to stop, natural units; by default at rounding.
        least: singular values below this, natural units, count as zero, and residuals as closed:
            the precision of a description whose loops do not close any better.
    """
    frozen = described_locks(topology) if locks is None else locks
    turns, how = turning(topology), "stay" if trust else "find"
    n_u, closed = len(turns), CLOSED if least is None else least
    here, best, previous = start, start, first / CONTRACTION
    for _ in range(_MOST_STEPS[how]):
        at = Equations(topology, frozen, held.pose(here.y), here.configuration)
        system = dense(at, length)
        rows, right = system.rows, system.r
        if held.conditions is not None:
            extra, off_by = held.conditions(at)
            rows, right = np.vstack([rows, extra]), np.concatenate([right, off_by])
        # no coordinate mixes metres and radians: rates are the same in natural units
        rows = np.hstack([rows[:, :-6], rows[:, -6:] @ held.rates(here.y)])
        open_by = float(np.abs(right).max(initial=0.0))
        if not trust and best.error < closed and open_by > 0.5 * best.error:
            break  # closed to rounding: no step helps any more
        if open_by < best.error:
            best = Closed(here.y, here.configuration, open_by)
        if open_by <= enough:  # or nothing at all is open
            break
        step = np.linalg.lstsq(rows, right, rcond=_RANK[how] if least is None else least)[0]
        size = float(np.abs(step).max(initial=0.0))
        if trust:
            if size < 1e-15 or (size < FINE and size > 0.5 * previous):
                break  # closed to rounding, or as well as an inexact pose can be
            turn = float(np.abs(step[:n_u][turns]).max(initial=0.0))
            # at the very border of reach steps shrink by halves only: what is closed may take them
            if open_by > CLOSED and not (turn < LARGEST_TURN and shrinks(size, previous)):
                return start
        elif size > _LONGEST:
            step = step * (_LONGEST / size)
        previous = size
        y = held.moved(here.y, step[n_u:] * system.V_scale[list(held.left)])
        joints = split(topology, step[:n_u] * system.u_scale)
        here = Closed(y, move(topology, here.configuration, joints))
    return best


class Descent(NamedTuple):
    """How steps downhill are taken.

    Attributes:
        most: number of steps, at most.
        longest: largest entry of a step, natural units.
        damping: of the first step (Levenberg, Marquardt), natural units; 0: least squares.
        enough: residual at which a state counts as closed, natural units.
    """

    most: int
    longest: float
    damping: float
    enough: float


# a posture that is open by 1e-6 is near enough for Newton's method with trusted steps
FROM_FAR = Descent(60, 0.7, 1e-2, 1e-6)
# where two modes meet, steps only halve what is missing: 40 of them leave 1e-12 of it
LAST_DIGITS = Descent(40, 0.1, 0.0, 1e-15)

States = tuple[np.ndarray, ...]
"""Many states: arrays with one entry, of whatever shape, for each."""


System = Callable[[States, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""``J (N, m, n)`` and ``r (N, m)``, natural units, of states and their numbers among all.

A step ``J x = r`` would close them.
"""


def continued(
    system: System,
    moved: Callable[[States, np.ndarray], States],
    start: States,
    turns: np.ndarray,
) -> tuple[States, np.ndarray]:
    """Close many states by trusted steps, each on the branch of its start: :func:`newton` of many.

    Args:
        system: rows and what they leave open.
        moved: states after a step ``(N, n)``.
        start: states to start from.
        turns: entries of a step that turn joints.

    Returns:
        The states, and the largest equation that each leaves open: infinite where a step cannot be
        trusted, NaN where rows are no numbers.
    """
    found, error = tuple(array.copy() for array in start), np.full(len(start[0]), np.inf)
    previous = np.full(len(error), np.inf)
    active, here = np.arange(len(error)), found
    for _ in range(_MOST_STEPS["stay"]):
        J, r = system(here, active)
        finite = np.isfinite(J).all(axis=(1, 2)) & np.isfinite(r).all(axis=1)
        error[active[~finite]] = np.nan
        active, J, r = active[finite], J[finite], r[finite]
        here = tuple(array[finite] for array in here)
        open_by = _norms(r, np.inf)
        better = open_by < error[active]
        error[active[better]] = open_by[better]
        for mine, new in zip(found, here, strict=True):
            mine[active[better]] = new[better]
        step = _shortest(J, r)
        size = np.abs(step).max(axis=1, initial=0.0)
        before = previous[active]
        # closed to rounding, or as well as an inexact pose can be
        settled = (open_by == 0.0) | (size < 1e-15) | ((size < FINE) & (size > 0.5 * before))
        turn = np.abs(step[:, turns]).max(axis=1, initial=0.0)
        trusted = (open_by <= CLOSED) | ((turn < LARGEST_TURN) & shrinks(size, before))
        error[active[~settled & ~trusted]] = np.inf
        going = ~settled & trusted
        previous[active] = size
        active = active[going]
        if not len(active):
            break
        here = moved(tuple(array[going] for array in here), step[going])
    return found, error


def _shortest(J: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Least-squares steps ``J x = r`` of many states, the shortest ones."""
    wide = J.shape[1] < J.shape[2]
    Q, R = np.linalg.qr(J.swapaxes(1, 2) if wide else J)
    pivots = np.abs(np.einsum("kii->ki", R))
    full = pivots.min(axis=1, initial=1.0) > _FULL * pivots.max(axis=1, initial=0.0)
    R[~full] = np.eye(R.shape[1])
    if wide:
        step = Q @ np.linalg.solve(R.swapaxes(1, 2), r[:, :, None])
    else:
        step = np.linalg.solve(R, Q.swapaxes(1, 2) @ r[:, :, None])
    # idle freedoms, or next to a singularity: singular values take five times as long
    step[~full] = np.linalg.pinv(J[~full], rcond=_RANK["stay"]) @ r[~full, :, None]
    return np.asarray(step[:, :, 0])


def descended(
    system: System,
    moved: Callable[[States, np.ndarray], States],
    start: States,
    rule: Descent,
) -> tuple[States, np.ndarray]:
    """Close many states by damped steps, each of which reduces the residual.

    Args:
        system: rows and what they leave open.
        moved: states after a step ``(N, n)``.
        start: states to start from, however open.
        rule: number, length and damping of the steps.

    Returns:
        The states, and the largest equation that each leaves open.
    """
    found = tuple(array.copy() for array in start)
    count = len(found[0])
    error, damping = np.full(count, np.inf), np.full(count, rule.damping)
    active, here = np.arange(count), found
    J, r = system(here, active)
    order = 2 if rule.damping else np.inf
    for _ in range(rule.most):
        if not len(active):
            break
        step = _downhill(J, r, damping[active])
        longest = np.abs(step).max(axis=1, initial=1e-300)
        there = moved(here, step * np.minimum(1.0, rule.longest / longest)[:, None])
        J_there, r_there = system(there, active)
        better = _norms(r_there, order) < _norms(r, order)
        damping[active] *= np.where(better, 1.0 / 6.0, 6.0)
        for mine, new in zip((J, r, *here), (J_there, r_there, *there), strict=True):
            mine[better] = new[better]
        for mine, new in zip(found, here, strict=True):
            mine[active] = new
        error[active] = _norms(r, np.inf)
        # a step damped by 1e8 moves nothing: it is at a minimum that is not closed
        goes_on = damping[active] < 1e8 if rule.damping else better
        going = goes_on & (error[active] > rule.enough)
        active, J, r = active[going], J[going], r[going]
        here = tuple(array[going] for array in here)
    return found, error


def _downhill(J: np.ndarray, r: np.ndarray, damping: np.ndarray) -> np.ndarray:
    if not damping.any():
        return np.asarray((np.linalg.pinv(J, rcond=1e-11) @ r[:, :, None])[:, :, 0])
    Jt = J.transpose(0, 2, 1)
    A = Jt @ J + np.maximum(damping, _LEAST)[:, None, None] * np.eye(J.shape[2])
    return np.asarray(np.linalg.solve(A, Jt @ r[:, :, None])[:, :, 0])


def _norms(r: np.ndarray, order: float) -> np.ndarray:
    return np.asarray(np.linalg.norm(r, order, axis=1)) if r.shape[1] else np.zeros(len(r))
