"""Distances of many states to singularities and to limits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.dynamics.quantities.axes import bounded_axes
from gough.evaluation.loops.closing import Closer, States
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly
from gough.singularity.distances import measures_of
from gough.singularity.workspace.flood import chunks

ROUNDING = 1e-9
"""A limit is passed where it is exceeded by more than this share: states on it are not exact."""

# Strokes may be far shorter than positions: of those the share is smaller, yet not below the
# precision to which states are closed.
_OF_STROKE, _LEAST_ROUNDING = 1e-7, 1e-11


class StateMeasures(NamedTuple):
    """Measures of K states; NaN, 0 or -1 in states that are not closed.

    Attributes:
        J_inv: ``qd = J_inv V_r`` ``(K, m, n)``.
        type_1, type_2, constraint: distances to singularities of each kind ``(K,)``.
        sign: sign of the determinant of ``J_inv`` ``(K,)``; 0 unless there are as many motors as
            freedoms.
        bounded: positions of limited axes ``(K, b)``, on the whole turn that suits them best.
        beyond: index of the limited axis that is farthest beyond its limits, -1 for none ``(K,)``.
    """

    J_inv: np.ndarray
    type_1: np.ndarray
    type_2: np.ndarray
    constraint: np.ndarray
    sign: np.ndarray
    bounded: np.ndarray
    beyond: np.ndarray


def figures(closer: Closer, states: States, length: float) -> StateMeasures:
    """Measures of states; the unit of lengths is ``length`` [m]."""
    assembly = closer.assembly
    K, m, n = len(states.good), len(assembly.robot.motors), assembly.mobility
    limited = bounded_axes(assembly)
    found = StateMeasures(
        np.full((K, m, n), np.nan),
        np.full(K, np.nan),
        np.full(K, np.nan),
        np.full(K, np.nan),
        np.zeros(K),
        np.full((K, len(limited)), np.nan),
        np.full(K, -1),
    )
    good = np.flatnonzero(states.good)
    for part in chunks(len(good)):
        at = good[part]
        judged = closer.judged(states.at(at))
        found.J_inv[at] = judged["J_inv"]
        seen = measures_of(assembly, judged, length)
        found.type_1[at], found.type_2[at] = seen.type_1, seen.type_2
        found.constraint[at], found.sign[at] = seen.constraint, seen.sign
        found.bounded[at], found.beyond[at] = _beyond(assembly, limited, judged["bounded"])
    return found


def determinant(assembly: Assembly, J_inv: np.ndarray) -> np.ndarray:
    """Determinant of ``J_inv`` with rows of length 1: it vanishes on Type 2, and stays finite.

    1 unless there are as many motors as freedoms.
    """
    K, m, n = J_inv.shape
    if m != n:
        return np.ones(K)
    matrix = assembly.scales.jacobian(J_inv)
    return np.asarray(np.linalg.det(matrix / np.linalg.norm(matrix, axis=2, keepdims=True)))


def limit_margins(
    assembly: Assembly, limited: list[str], positions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions on the whole turn that suits their limits best, and what is left before limits.

    A leg determines an angle up to whole turns; an axis is within its limits if the angle is so on
    one of its turns.

    Args:
        assembly: the robot.
        limited: axes with limits of position.
        positions: of these ``(K, b)``.

    Returns:
        Positions ``(K, b)``, and what is left before the lower and before the upper limit, natural
        units, negative beyond a limit ``(K, b, 2)``.
    """
    positions, left = positions.copy(), np.empty((*positions.shape, 2))
    for i, name in enumerate(limited):
        low, high = assembly.robot.axis(name).limits.position or (-np.inf, np.inf)
        turn = is_turn(assembly.axes[name])
        if turn and np.isfinite(low + high):
            middle = 0.5 * (low + high)
            away = np.round((positions[:, i] - middle) / (2.0 * np.pi))
            inside = (positions[:, i] >= low) & (positions[:, i] <= high)
            positions[:, i] -= np.where(inside, 0.0, 2.0 * np.pi * away)
        size = max(abs(x) for x in (low, high, 1e-300) if np.isfinite(x))
        slack = max(min(ROUNDING * size, _OF_STROKE * (high - low)), _LEAST_ROUNDING * size)
        both = np.stack([positions[:, i] - low, high - positions[:, i]], axis=1)
        left[:, i] = (both + slack) / (1.0 if turn else assembly.length)
    return positions, left


def _beyond(
    assembly: Assembly, limited: list[str], positions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions on the whole turn that suits their limits best, and the axis farthest beyond."""
    positions, left = limit_margins(assembly, limited, positions)
    if not limited:
        return positions, np.full(len(positions), -1)
    least = left.min(axis=2)
    return positions, np.where(least.min(axis=1) < 0.0, least.argmin(axis=1), -1)
