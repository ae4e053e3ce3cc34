"""Which columns of a regressor are independent, and how the others follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-9
"""What rounding leaves of a column without effect, beside the largest one in natural units.

Columns of states away from singularities have rounding of 1e-14 and less; a real effect that is
smaller could not be measured.
"""

WEAK = 0.02
"""A column that differs from all others together by less than this share of itself is weak.

Efforts are measured to about this share: noise hides what the parameter does.
"""

_PASSES = (0.1, 0.01, 1e-3, 1e-5)
"""Shares of itself that a column must add to be taken, pass by pass: strong columns come first."""


@dataclass(frozen=True, eq=False)
class Independent:
    """Independent columns of a matrix.

    Attributes:
        columns: their numbers, in the order of preference.
        idle: columns without any effect.
        matrix: ``K (number, all)`` with ``W chi = W[:, columns] K chi``.
        above: smallest singular value that counts, beside the largest one.
        below: largest singular value that does not count.
    """

    columns: tuple[int, ...]
    idle: tuple[int, ...]
    matrix: np.ndarray
    above: float
    below: float


def independent_columns(W: np.ndarray, order: Sequence[int], natural: np.ndarray) -> Independent:
    """Independent columns, found where the singular values have their widest gap.

    Args:
        W: rows of many motions.
        order: columns by preference: an earlier one leads a group that later ones join.
        natural: natural unit of each column's parameter: in these, columns compare in size.
    """
    sizes = np.linalg.norm(W, axis=0)
    felt = _felt(sizes, natural)
    idle = tuple(int(k) for k in np.flatnonzero(~felt))
    kept = [k for k in order if felt[k]]
    unit = W[:, kept] / sizes[kept]
    rank, above, below = _rank(unit)
    cut = np.sqrt(max(below, 1e-17) * above)
    chosen = _chosen(unit, rank, cut)
    columns = tuple(kept[k] for k in chosen)
    matrix = np.zeros((len(columns), W.shape[1]))
    if columns:
        follow = np.linalg.lstsq(unit[:, chosen], unit, rcond=None)[0]
        follow[np.abs(follow) < ROUNDING] = 0.0
        matrix[:, kept] = follow / sizes[list(columns)][:, None] * sizes[kept]
        matrix[:, columns] = np.eye(len(columns))
    return Independent(columns, idle, matrix, above, below)


def distinct(W: np.ndarray) -> np.ndarray:
    """By which share of itself each column differs from all others together: 0 to 1.

    It is the sine of the angle between the column and what the others span; 0 of a zero column.
    """
    sizes = np.linalg.norm(W, axis=0)
    present = sizes > 0.0
    found = np.zeros(W.shape[1])
    if present.any():
        _, s, Vt = np.linalg.svd(W[:, present] / sizes[present], full_matrices=False)
        s = np.maximum(s, 1e-17 * s[0])
        found[present] = 1.0 / np.sqrt(((Vt / s[:, None]) ** 2).sum(axis=0))
    return np.minimum(found, 1.0)


def rank_of(W: np.ndarray, natural: np.ndarray) -> int:
    """Number of independent columns."""
    sizes = np.linalg.norm(W, axis=0)
    felt = _felt(sizes, natural)
    return _rank(W[:, felt] / sizes[felt])[0]


def _felt(sizes: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Columns that have an effect, beside the largest one, in natural units."""
    own = sizes * natural
    return np.asarray(own > ROUNDING * own.max(initial=0.0))


def _rank(unit: np.ndarray) -> tuple[int, float, float]:
    """Rank by the widest gap, and the singular values on both sides of it, the largest being 1."""
    if not unit.size:
        return 0, 1.0, 0.0
    s = np.linalg.svd(unit, compute_uv=False)
    s = np.append(s / s[0], 0.0)
    floor = np.maximum(s, 1e-16)  # singular values of zero are not known better
    # a gap above the rounding of a regressor is a weak column, not the end of the columns
    gaps = np.where(s[1:] < ROUNDING, floor[:-1] / floor[1:], 0.0)
    rank = int(np.argmax(gaps)) + 1
    return rank, float(s[rank - 1]), float(s[rank])


def _chosen(unit: np.ndarray, rank: int, cut: float) -> list[int]:
    """Columns that add to those before them, by preference, strong ones first."""
    left = unit.copy()
    taken: list[int] = []
    for least in (*_PASSES, cut):
        for k in range(unit.shape[1]):
            size = float(np.linalg.norm(left[:, k]))
            if len(taken) < rank and k not in taken and size > max(least, cut):
                direction = left[:, k] / size
                left -= np.outer(direction, direction @ left)
                left -= np.outer(direction, direction @ left)  # twice: orthogonal to rounding
                taken.append(k)
    return sorted(taken)
