"""Newton's method on the closure equations, with a platform that is held, wholly or in part.

A step is trusted while steps shrink by four: then (Kantorovich) the solution is the one that is
connected with the start, and the machine has not jumped to another branch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gough.closure.coordinates import Configuration
from gough.closure.dense import dense, move, split, turning
from gough.closure.equations import Equations, locks
from gough.closure.rows import is_flipped
from gough.mobility.assembly import Assembly
from gough.mobility.home import CLOSED

CONTRACTION = 0.25
LARGEST_TURN = 1.0
_MOST_ITERATIONS = 30
FINE = 1e-7


class State(NamedTuple):
    """A platform pose and coordinates of all links."""

    T_0p: np.ndarray
    configuration: Configuration


class Platform(NamedTuple):
    """What is known of the platform.

    Attributes:
        pose: its pose as a function of the coordinates that are still unknown.
        rates: its twist per rate of each unknown coordinate, 6xk.
        scales: natural size of each.
    """

    pose: Callable[[np.ndarray], np.ndarray]
    rates: Callable[[np.ndarray], np.ndarray]
    scales: np.ndarray


class Closed(NamedTuple):
    """A machine that is closed: unknown coordinates of the platform, and all joints."""

    unknown: np.ndarray
    configuration: Configuration


def held(T_0p: np.ndarray) -> Platform:
    """A platform whose pose is known."""
    return Platform(lambda _: T_0p, lambda _: np.zeros((6, 0)), np.zeros(0))


def newton(
    assembly: Assembly,
    platform: Platform,
    start: Closed,
    tolerance: float,
    conditions: Callable[[Equations], tuple[np.ndarray, np.ndarray]] | None = None,
) -> Closed | None:
    """Close the loops; ``None`` if a step cannot be trusted, or if the loops stay open.

    Idle freedoms are not frozen here: they move as little as they can.  At the very border of
    reach steps shrink by halves only; a machine that is closed already may take them.
    ``conditions`` are further rows over (u, V), natural units, and how far they are from met.
    """
    y, configuration = start
    topology = assembly.topology
    turns = turning(topology)
    best, error, previous = start, np.inf, np.inf
    for _ in range(_MOST_ITERATIONS):
        at = Equations(topology, locks(topology), platform.pose(y), configuration)
        system = dense(at, assembly.length)
        n_u = system.A.shape[1]
        V_y = platform.rates(y) * platform.scales / system.V_scale[:, None]
        rows, right = np.hstack([system.A, -system.B @ V_y]), system.r
        if conditions is not None:
            extra, off_by = conditions(at)
            rows = np.vstack([rows, np.hstack([extra[:, :n_u], extra[:, n_u:] @ V_y])])
            right = np.concatenate([right, off_by])
        open_by = float(np.abs(right).max(initial=0.0))
        if open_by < error:
            best, error = Closed(y, configuration), open_by
        step = np.linalg.lstsq(rows, right, rcond=1e-12)[0]
        size = float(np.abs(step).max(initial=0.0))
        if size < 1e-15 or (size < FINE and size > 0.5 * previous):
            break  # closed to rounding, or as well as an inexact pose can be
        turn = float(np.abs(step[:n_u][turns]).max(initial=0.0))
        trusted = turn < LARGEST_TURN and size < CONTRACTION * previous
        if not trusted and size > FINE and open_by > CLOSED:
            return None
        previous = size
        configuration = move(topology, configuration, split(topology, step[:n_u] * system.u_scale))
        y = y + step[n_u:] * platform.scales
    if error > tolerance:
        return None
    at = Equations(topology, locks(topology), platform.pose(best.unknown), best.configuration)
    flipped = any(is_flipped(m) for group in (*at.meetings, at.hub_meetings) for m in group)
    return None if flipped else best
