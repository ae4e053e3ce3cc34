"""Newton's method on the closure equations of one state: joints and platform together.

What is held (the pose, the freedoms, the motors, or nothing) is a value, :class:`Held`; all else is
unknown, and moves as little as it can.  Whatever closes many states at once, or in compiled steps,
trusts its steps by the same rule, :func:`shrinks`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.closure.coordinates import Configuration
from gough.closure.dense import dense, move, split, turning
from gough.closure.equations import Equations, Gauges, locks
from gough.mobility.chart import Chart
from gough.spatial import moved
from gough.topology.topology import Topology

CLOSED = 1e-11
"""Largest residual of an assembled posture, in natural units (rad, or shares of the length)."""

CONTRACTION = 0.25
"""Steps that shrink by four lead to the solution connected with their start (Kantorovich)."""

FINE = 1e-7
"""Steps so small need not shrink any more, natural units: rounding is near."""

LARGEST_TURN = 1.0
"""Most that a step may turn a joint and be trusted [rad]."""

_MOST_STEPS = {"stay": 30, "find": 60}
_RANK = {"stay": 1e-12, "find": 1e-9}  # from far, what is nearly loose must not run away
_LONGEST = 0.5  # of a step from far, natural units


def shrinks(size: Any, previous: Any, contraction: float = CONTRACTION) -> Any:
    """The rule of trust: whether steps are so much smaller than those before them.

    Then the machine has not jumped to another branch.  Sizes are in natural units, of one state or
    of many; the first step has an infinite one before it.
    """
    return (size < contraction * previous) | (size < FINE)


class Held(NamedTuple):
    """What is held while loops are closed; a value ``y`` stands for the platform.

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
    gauges: Gauges | None = None,
) -> Closed:
    """Close the loops as well as it can be done; the error is infinite where that is not trusted.

    Args:
        topology: the machine.
        length: its size [m].
        held: what stays.
        start: where the rest is.
        trust: whether to stay on the branch of the start.  Otherwise steps are cut short, so that a
            machine that is badly open finds together, on whatever branch.
        gauges: what idle freedoms keep to; if not given they move as little as they can.
    """
    frozen = locks(topology) if gauges is None else gauges
    turns, how = turning(topology), "stay" if trust else "find"
    n_u = len(turns)
    here, best, previous = start, start, np.inf
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
        if not trust and best.error < CLOSED and open_by > 0.5 * best.error:
            break  # closed to rounding: no step helps any more
        if open_by < best.error:
            best = Closed(here.y, here.configuration, open_by)
        step = np.linalg.lstsq(rows, right, rcond=_RANK[how])[0]
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
