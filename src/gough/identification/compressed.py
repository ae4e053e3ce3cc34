"""Rows of a least-squares problem compressed: few rows with the same sums of squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_BLOCK = 4096  # rows that are worked on at a time: many columns of many rows do not fit the cache


@dataclass(frozen=True, eq=False)
class Compressed:
    """``|W chi - tau|^2 = |R chi - z|^2 + rest`` for every ``chi``.

    Attributes:
        R: upper triangle ``(n, n)``, or as many rows as there were if fewer.
        z: right side ``(n,)``.
        rest: sum of squares that no ``chi`` explains.
        rows: how many rows there were.
    """

    R: np.ndarray
    z: np.ndarray
    rest: float
    rows: int

    def cost(self, chi: np.ndarray) -> float:
        """Sum of squares that parameters leave."""
        return float(np.sum((self.R @ chi - self.z) ** 2)) + self.rest

    @property
    def total(self) -> float:
        """Sum of squares of the right side."""
        return float(self.z @ self.z) + self.rest

    def with_columns(self, matrix: np.ndarray) -> Compressed:
        """The same problem for parameters ``x`` with ``chi = matrix @ x``."""
        return Compressed(self.R @ matrix, self.z, self.rest, self.rows)

    def free(self) -> tuple[np.ndarray, float, int]:
        """Parameters of the unconstrained fit, the sum of squares that it leaves, and its rank.

        Of many equal fits it is the smallest with columns of unit size.
        """
        sizes = np.linalg.norm(self.R, axis=0)
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        x, _, rank, _ = np.linalg.lstsq(self.R / sizes, self.z, rcond=_DEPENDENT)
        chi = x / sizes
        return chi, self.cost(chi), int(rank)


_DEPENDENT = 1e-10  # singular values of dependent columns, beside the largest: rounding


def triangle(rows: np.ndarray) -> np.ndarray:
    """R of rows = Q R: few rows with the same products of columns."""
    return np.asarray(np.linalg.qr(rows, mode="r"))


def compress(W: np.ndarray, tau: np.ndarray) -> Compressed:
    """Compress rows ``(..., n)`` and their right sides ``(...)`` by QR, block by block."""
    n = W.shape[-1]
    rows = np.column_stack([W.reshape(-1, n), tau.reshape(-1)])
    R = np.zeros((0, n + 1))
    for start in range(0, len(rows), _BLOCK):
        R = triangle(np.vstack([R, rows[start : start + _BLOCK]]))
    rest = float(np.sum(R[n:, n] ** 2))
    return Compressed(R[:n, :n], R[:n, n], rest, len(rows))
