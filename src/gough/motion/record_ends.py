"""Outliers among the first and the last samples, which have neighbours on one side only.

The cubic through four neighbours predicts a sample beyond them badly: it multiplies their noise by
eight.  A cubic fitted to more of them is better, where it leaves only noise; the miss is compared
with its own standard deviation, and with the misses of the samples that follow.
"""

from __future__ import annotations

import numpy as np

from gough.motion.onesided import foreseen
from gough.motion.series import NOISY, OUT, Series, are_uneven

_LONGEST = 3  # samples in a row: farther beyond its data a cubic predicts nothing
_WINDOWS = (24, 16, 11, 8)  # samples that a cubic is fitted to; the first that leaves only noise
_BETTER = 4.0  # times the largest miss of the samples that follow
_FOLLOW = 12  # samples that follow and have to agree
_AT_ONCE = 0.5  # share of the largest miss: a motion that bends leaves the cubic slowly
_FASTER = 1.2  # times the speed of the samples that follow: up to that it is a corner
_DEGREE = 3


def end_outliers(data: Series) -> dict[int, float]:
    """Samples at either end that the others do not predict, and how far each is off."""
    last = len(data.t) - 1
    other = _at_start(data.at(slice(None, None, -1)))
    return _at_start(data) | {last - k: off for k, off in other.items()}


def _at_start(data: Series) -> dict[int, float]:
    for length in range(1, _LONGEST + 1):
        row = np.arange(length)
        missed = _misses(data, row, length)
        if missed is None:
            continue
        off, spread = missed
        if (off <= OUT * data.least * spread).any():
            continue
        if off[-1] < _AT_ONCE * off.max() or _goes_on(data, length):
            continue
        follow = []
        for k in range(length, length + _FOLLOW):
            each = _misses(data, np.array([k]), k + 1)
            follow.append(np.inf if each is None else float((each[0] / each[1])[0]))
        if (off / spread).max() > _BETTER * max(follow):
            return {k: float(off[k]) for k in range(length)}
    return {}


def _goes_on(data: Series, length: int) -> bool:
    """Whether the platform could go from the first samples to the others at their speed.

    So it is in a motion with a corner there, from rest or turning back.
    """
    t, y = data.at(slice(length - 1, length + _FOLLOW))[:2]
    ways = np.linalg.norm(np.diff(y, axis=0), axis=1)
    allowed = _FASTER * ways[1:].max() / np.abs(np.diff(t))[1:].min()
    return bool(ways[0] <= allowed * abs(t[1] - t[0]) + 4.0 * data.least)


def _misses(data: Series, row: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Distances of samples from a curve of those from ``start`` on, and their factors of noise."""
    t, y = data.t, data.y
    for window in _WINDOWS:
        side = np.arange(start, start + window)
        if side[-1] >= len(t) or are_uneven(t[row[0] : side[-1] + 1]):
            continue
        left = y[side] - foreseen(t[side], y[side], t[side], _DEGREE).values
        if window == _WINDOWS[-1] or np.linalg.norm(left, axis=1).max() <= NOISY * data.noise:
            curve = foreseen(t[side], y[side], t[row], _DEGREE)
            return np.linalg.norm(y[row] - curve.values, axis=1), curve.spread
    return None
