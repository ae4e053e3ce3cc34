"""Curves fitted to samples of one side: extrapolated values, and their standard deviations.

A corner changes the velocity, but up to it each side continues as before.  A sample that neither
side predicts is an outlier.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.motion.series import NOISY, Series

# Shares of the largest step of a side, where there is no noise to compare with: what its curve may
# miss of its own samples, and of samples beyond, where errors of a parabola grow about tenfold.
_ROUGH = 1e-3
_LED = 1e-2
_FEW = 5  # samples of a side: a parabola and two to check it


class Foreseen(NamedTuple):
    """Values (k, m) at times beyond a side, and the factor (k,) from noise to their deviation."""

    values: np.ndarray
    spread: np.ndarray


def foreseen(t: np.ndarray, y: np.ndarray, at: np.ndarray, degree: int) -> Foreseen:
    """Values at other times of a polynomial fitted to samples (K, m) at times (K,).

    The spread is that of the difference between a sample there and the value: both have noise.
    """
    scale = float(np.ptp(t))
    Q, R = np.linalg.qr(powers((t - t[0]) / scale, degree))
    weights = powers((at - t[0]) / scale, degree) @ np.linalg.solve(R, Q.T)
    return Foreseen(weights @ y, np.sqrt(1.0 + (weights**2).sum(axis=1)))


def simplest(
    t: np.ndarray, y: np.ndarray, at: np.ndarray, noise: float, highest: int
) -> Foreseen | None:
    """As :func:`foreseen`, of the lowest degree that leaves only noise; ``None`` if none does."""
    way = float(np.linalg.norm(np.diff(y, axis=0), axis=1).max())
    for degree in range(1, highest + 1):
        left = np.linalg.norm(y - foreseen(t, y, t, degree).values, axis=1).max()
        if left <= max(NOISY * noise, _ROUGH * way):
            return foreseen(t, y, at, degree)
    return None


def is_corner(data: Series, run: range, sides: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether samples in a row continue the side before them, then lead into the side after them.

    Args:
        data: all samples.
        run: the samples in question.
        sides: samples before and after them that are sound.
    """
    row = np.array(run)
    before = _led_to(data, row, sides[0][::-1])
    after = _led_to(data, row, sides[1])
    return any(before[:k].all() and after[k:].all() for k in range(len(row) + 1))


def _led_to(data: Series, row: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Which samples (k,) a curve of a side predicts: of all its samples, or of the nearest five."""
    t, y, noise = data.t, data.y, data.least
    for count in (len(side), _FEW):
        near = side[:count]
        curve = simplest(t[near], y[near], t[row], noise, 2) if len(near) >= _FEW else None
        if curve is not None:
            way = np.linalg.norm(np.diff(y[near], axis=0), axis=1).max()
            off = np.linalg.norm(y[row] - curve.values, axis=1)
            return np.asarray(off <= np.maximum(NOISY * noise * curve.spread, _LED * way))
    return np.zeros(len(row), dtype=bool)


def powers(u: np.ndarray, degree: int) -> np.ndarray:
    """Powers 0 ... degree of numbers (...,): (..., degree + 1)."""
    return np.asarray(u[..., None] ** np.arange(degree + 1))
