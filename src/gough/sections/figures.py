"""Figures of states: distances to singularities and to limits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.closure.axes import is_turn
from gough.loops.closing import Closer, States
from gough.mobility.assembly import Assembly
from gough.sections.flood import chunks
from gough.tracing.stepping import bounded_axes

ROUNDING = 1e-9
"""A limit is passed where it is exceeded by more than this share."""


class Figures(NamedTuple):
    """Figures of K states; NaN, 0 or -1 in states that are not closed.

    Attributes:
        J_inv: ``qd = J_inv V_r`` ``(K, m, n)``.
        type_2: smallest singular value of ``J_inv``, natural units ``(K,)``.
        sign: sign of its determinant; 0 unless there are as many motors as freedoms.
        type_1: smallest singular value of the closure rows ``(K,)``.
        bounded: positions of limited axes ``(K, b)``, on the whole turn that suits them best.
        beyond: index of the limited axis that is farthest beyond its limits, -1 for none ``(K,)``.
    """

    J_inv: np.ndarray
    type_2: np.ndarray
    sign: np.ndarray
    type_1: np.ndarray
    bounded: np.ndarray
    beyond: np.ndarray


def figures(closer: Closer, states: States, length: float) -> Figures:
    """Figures of states, pose lengths in units of ``length``."""
    assembly = closer.assembly
    K, m, n = len(states.good), len(assembly.robot.motors), assembly.mobility
    limited = bounded_axes(assembly)
    found = Figures(
        np.full((K, m, n), np.nan),
        np.full(K, np.nan),
        np.zeros(K),
        np.full(K, np.nan),
        np.full((K, len(limited)), np.nan),
        np.full(K, -1),
    )
    good = np.flatnonzero(states.good)
    for part in chunks(len(good)):
        at = good[part]
        judged = closer.judged(states.at(at))
        found.J_inv[at] = judged["J_inv"]
        found.type_2[at], found.sign[at] = of_motors(assembly, judged["J_inv"], length)
        found.type_1[at] = smallest(judged["rows"])
        found.bounded[at], found.beyond[at] = _beyond(assembly, limited, judged["bounded"])
    return found


def scaled(assembly: Assembly, J_inv: np.ndarray, length: float) -> np.ndarray:
    """``J_inv`` with lengths in units of a declared length, angles in radians."""
    slides = [not is_turn(assembly.axes[name]) for name in assembly.robot.motors]
    moves = [i < 3 for i in assembly.free]
    motors, freedoms = (np.where(x, length, 1.0) for x in (slides, moves))
    return np.asarray(J_inv / motors[:, None] * freedoms)


def of_motors(
    assembly: Assembly, J_inv: np.ndarray, length: float
) -> tuple[np.ndarray, np.ndarray]:
    """Smallest singular value of the motors' Jacobian, and the sign of its determinant."""
    K, m, n = J_inv.shape
    if m < n:
        return np.zeros(K), np.zeros(K)
    matrix = scaled(assembly, J_inv, length)
    value = np.linalg.svd(matrix, compute_uv=False)[:, -1]
    return value, np.sign(np.linalg.det(matrix)) if m == n else np.zeros(K)


def determinant(assembly: Assembly, J_inv: np.ndarray) -> np.ndarray:
    """Determinant of ``J_inv`` with rows of length 1: it vanishes on Type 2, and stays finite.

    1 unless there are as many motors as freedoms.
    """
    K, m, n = J_inv.shape
    if m != n:
        return np.ones(K)
    matrix = scaled(assembly, J_inv, assembly.length)
    return np.asarray(np.linalg.det(matrix / np.linalg.norm(matrix, axis=2, keepdims=True)))


def smallest(rows: np.ndarray) -> np.ndarray:
    """Smallest singular value of each matrix (K, r, c) with r >= c; 1 without columns."""
    if not rows.shape[2]:
        return np.ones(len(rows))
    squares = np.linalg.eigvalsh(rows.swapaxes(1, 2) @ rows)[:, 0]
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def _beyond(
    assembly: Assembly, limited: list[str], positions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions on the whole turn that suits their limits best, and the axis farthest beyond.

    A leg tells an angle up to whole turns; an axis stands within its limits if one of its turns
    does.
    """
    positions = positions.copy()
    worst, which = np.zeros(len(positions)), np.full(len(positions), -1)
    for i, name in enumerate(limited):
        low, high = assembly.robot.axis(name).limits.position or (-np.inf, np.inf)
        turn = is_turn(assembly.axes[name])
        if turn and np.isfinite(low + high):
            middle = 0.5 * (low + high)
            away = np.round((positions[:, i] - middle) / (2.0 * np.pi))
            inside = (positions[:, i] >= low) & (positions[:, i] <= high)
            positions[:, i] -= np.where(inside, 0.0, 2.0 * np.pi * away)
        excess = np.maximum(positions[:, i] - high, low - positions[:, i])
        slack = ROUNDING * max(abs(x) for x in (low, high, 1e-300) if np.isfinite(x))
        excess = (excess - slack) / (1.0 if turn else assembly.length)
        further = excess > worst
        worst, which = np.where(further, excess, worst), np.where(further, i, which)
    return positions, which
