"""An assembled state, and the state that continues it when pose, freedoms or motors change."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from gough.mechanism.closure.rows import is_flipped
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import CLOSED, POSE, Closed, Held, newton


class AssembledState(NamedTuple):
    """A platform pose and coordinates of all links."""

    T_0p: np.ndarray
    configuration: Configuration


def close_on_branch(
    assembly: Assembly,
    held: Held,
    y: np.ndarray,
    configuration: Configuration,
    tolerance: float = CLOSED,
    first: float = np.inf,
) -> Closed | None:
    """Close the loops on the branch of a start, see :func:`gough.mechanism.mobility.newton.newton`.

    ``None`` if a step cannot be trusted, if the loops stay open, or if a joint would close with its
    axes opposed.
    """
    topology, start = assembly.topology, Closed(y, configuration)
    found = newton(topology, assembly.length, held, start, trust=True, first=first)
    if found.error > tolerance:
        return None
    at = Equations(topology, described_locks(topology), held.pose(found.y), found.configuration)
    return None if any(is_flipped(m) for m in at.all_loop_joints) else found


def joints_at(
    assembly: Assembly, T_0p: np.ndarray, near: Configuration, tolerance: float
) -> Configuration | None:
    """Coordinates of all links at a pose, continued from those of a pose nearby."""
    found = close_on_branch(assembly, POSE, T_0p, near, tolerance)
    return None if found is None else found.configuration


Place = TypeVar("Place")


def led(
    here: Place,
    attempt: Callable[[float, Place], Place | None],
    longest: float,
    smallest: float,
) -> tuple[Place, float]:
    """Move a machine along a way, in strides that are halved where it cannot follow.

    Args:
        here: the first place.
        attempt: the place at a share of the way, continued from a place before; ``None`` if it
            cannot be followed there.
        longest: stride that is tried first, as a share of the way.
        smallest: stride at which to give up.

    Returns:
        The last place, and the share of the way that leads there.
    """
    done, stride = 0.0, min(1.0, longest)
    while done < 1.0 and stride >= smallest:
        aim = min(1.0, done + stride)
        there = attempt(aim, here)
        if there is None:
            stride /= 2.0
        else:
            here, done, stride = there, aim, min(2.0 * stride, longest)
    return here, done
