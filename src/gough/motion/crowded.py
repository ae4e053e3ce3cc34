"""Outliers so near each other that none of them is alone among sound neighbours.

Each sample is compared with a cubic that lies near most of the samples around it: the sum of
distances is least, not of their squares, so that fewer than half of them do not bend it.
"""

from __future__ import annotations

import numpy as np

from gough.motion.onesided import powers

LARGEST = 400
"""Longest cluster that is examined, in samples; a longer one is a motion, not outliers."""

_AROUND = 12  # samples on each side to which the cubic is fitted
_ROUNDS = 25  # of reweighted least squares, after which the sum of distances hardly changes
_ALIKE = 1e-3  # share of the largest distance below which weights do not grow: avoids 1/0
_FARTHER = 10.0  # times the median distance around, which is large where a cubic does not fit
_MOST = (
    0.4  # share of the samples that may be outliers: with half, a fit cannot decide who is right
)
_DEGREE = 3


def far_from_most(t: np.ndarray, y: np.ndarray, among: range, least: float) -> dict[int, float]:
    """Samples farther than ``least`` from the cubic that most around them fit, and how far.

    Args:
        t: times (K,).
        y: numbers (K, m).
        among: samples to check.
        least: distance, in the unit of y.
    """
    off = {k: _distance(t, y, k) for k in among}
    found = {k: far for k, (far, usual) in off.items() if far > max(least, _FARTHER * usual)}
    return found if len(found) <= _MOST * len(off) else {}


def _distance(t: np.ndarray, y: np.ndarray, k: int) -> tuple[float, float]:
    """How far a sample is from the cubic of those around it, and how far most of these are."""
    low = int(np.clip(k - _AROUND, 0, max(len(t) - 2 * _AROUND - 1, 0)))
    near = slice(low, low + 2 * _AROUND + 1)
    A = powers((t[near] - t[k]) / np.ptp(t[near]), _DEGREE)
    weights, off = np.ones(len(A)), np.zeros(len(A))
    for _ in range(_ROUNDS):
        c = np.linalg.lstsq(A * weights[:, None], y[near] * weights[:, None], rcond=None)[0]
        off = np.linalg.norm(y[near] - A @ c, axis=1)
        weights = 1.0 / np.sqrt(np.maximum(off, _ALIKE * off.max() + np.finfo(float).tiny))
    return float(off[k - low]), float(np.median(off))
