"""Whether a singularity lies between two near states, read off their rows."""

from __future__ import annotations

import numpy as np

_RIDGE = 1e-14
"""Added to squares of rows that may be singular, natural units: rounding of them."""


def same_side(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Whether no singularity lies between rows ``(K, m, n)`` of near states."""
    with np.errstate(all="ignore"):
        return np.asarray(np.linalg.det(before.swapaxes(1, 2) @ after) > 0.0)


def unfolded(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Whether no leg is stretched or folded between rows ``(K, m, n)``, nor two of them at once.

    Two legs that fold in one stride leave the sign of a determinant as it was; each of them turns
    an eigenvalue of ``before^-1 after`` negative, which is near the identity otherwise.
    """
    good = np.isfinite(before).all(axis=(1, 2)) & np.isfinite(after).all(axis=(1, 2))
    A, B = before[good], after[good]
    square = A.swapaxes(1, 2) @ A + _RIDGE * np.eye(A.shape[2])
    sides = np.linalg.eigvals(np.linalg.solve(square, A.swapaxes(1, 2) @ B))
    good[good] = sides.real.min(axis=1, initial=1.0) > 0.0
    return np.asarray(good)
