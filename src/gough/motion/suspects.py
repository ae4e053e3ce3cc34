"""Outliers among samples, alone or a few in a row.

A sample is suspected where its miss, see :mod:`gough.motion.series`, is far larger than those
around it.  It is an outlier if without it the neighbours agree with each other far better: a corner
of a motion remains when a sample is removed, an outlier does not; nor is it an outlier if one side
predicts it.  Where samples are very unevenly spaced no outliers are reported.
"""

from __future__ import annotations

import numpy as np

from gough.motion.crowded import LARGEST, far_from_most
from gough.motion.onesided import is_corner
from gough.motion.record_ends import end_outliers
from gough.motion.series import (
    FEWEST,
    NOISY,
    OUT,
    Series,
    are_uneven,
    cubic,
    median_of,
    missed,
    neighbours,
    reach,
    series,
    sizes,
)

LONGEST = 8
"""Samples in a row that may be outliers together; more are taken for a motion."""

_SUSPECTED = 6.0  # standard deviations of the misses around; confirmed by _BETTER afterwards
_BETTER = 4.0  # times the largest miss of the neighbours that are left
_AROUND = 15  # samples of a running median
_BESIDE = 10  # neighbours on each side that have to agree
_PASSES = 4  # outliers beside each other hide one another: each pass removes those it finds
_LONG = 2 * LONGEST + 4  # samples that a row of outliers may spoil


def outliers(t: np.ndarray, y: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Indices of outliers, and how far each is from the curve of its neighbours.

    Args:
        t: times (K,), rising.
        y: numbers (K, m) of one kind.
        kept: indices of the samples that count.
    """
    found: dict[int, float] = {}
    for _ in range(_PASSES):
        if len(kept) < FEWEST:
            break
        new = _one_pass(series(t[kept], y[kept]))
        if not new:
            break
        found |= {int(kept[k]): off for k, off in new.items()}
        kept = np.delete(kept, list(new))
    samples = sorted(found)
    return np.array(samples, dtype=int), np.array([found[k] for k in samples])


def _one_pass(data: Series) -> dict[int, float]:
    from scipy.ndimage import median_filter  # noqa: PLC0415  heavy: loaded on first use

    at_ends = end_outliers(data)
    if at_ends:
        return at_ends  # the others are checked in the next pass, without them
    size, count = sizes(data.t, data.y), len(data.t)
    running = median_filter(size, _AROUND, mode="reflect")
    away = LONGEST + _AROUND // 2 + 3
    index = np.arange(count)
    # on the side where more is going on, clear of the samples that an outlier spoils
    sides = [
        np.where((at >= 0) & (at < count), running[np.clip(at, 0, count - 1)], 0.0)
        for at in (index - away, index + away)
    ]
    loud = size > OUT * data.least
    usual = _SUSPECTED / median_of(data.y) * np.maximum(*sides)
    suspected = np.flatnonzero(loud & (size > usual))
    spoilt = np.zeros(count, dtype=bool)
    for by in range(-2, 3):
        spoilt[np.clip(suspected + by, 0, count - 1)] = True
    found: dict[int, float] = {}
    # many outliers near each other are what is around them: none of them is suspected
    for cluster in _clusters(suspected if len(suspected) else np.flatnonzero(loud)):
        if cluster[-1] - cluster[0] > _LONG:
            found |= _crowd(data, cluster)
        elif len(suspected):
            found |= _among(data, cluster, spoilt)
    return found


def _clusters(samples: np.ndarray) -> list[np.ndarray]:
    """Groups of samples that are among each other's neighbours."""
    return np.split(samples, np.flatnonzero(np.diff(samples) > 4) + 1) if len(samples) else []


def _among(data: Series, cluster: np.ndarray, spoilt: np.ndarray) -> dict[int, float]:
    """The fewest samples in a row without which the others agree, of some that are suspected."""
    first, last = int(cluster[0]), int(cluster[-1])
    sound = ~spoilt
    sound[max(first - 2, 0) : last + 3] = True  # by these ones themselves, not by others
    for length in range(1, min(LONGEST, last - first + 1) + 1):
        best: tuple[float, int] | None = None
        for start in range(first, last - length + 2):
            run = range(start, start + length)
            off, left = _without(data, run, (first, last), sound)
            if off > max(_BETTER * left, OUT * data.least) and (best is None or left < best[0]):
                best = (left, start)
        if best is not None:
            run = range(best[1], best[1] + length)
            if is_corner(data, run, _beside(run, sound)):
                return {}
            return dict(zip(run, _far(data, run).tolist(), strict=True))
    return {}


def _crowd(data: Series, cluster: np.ndarray) -> dict[int, float]:
    """Outliers of a cluster that is longer than a row of them, if without them the others agree."""
    t, y, count = data.t, data.y, len(data.t)
    among = range(max(int(cluster[0]) - 2, 0), min(int(cluster[-1]) + 3, count))
    near = np.arange(max(among.start - _BESIDE, 0), min(among.stop + _BESIDE, count))
    if len(among) > LARGEST or are_uneven(t[near]):
        return {}
    found = far_from_most(t, y, among, OUT * data.least)
    kept = np.setdiff1d(near, list(found))
    if not found or len(kept) < _BESIDE:
        return {}
    left = sizes(t[kept], y[kept]).max()
    agree = left <= NOISY * data.noise or _BETTER * left < min(found.values())
    return found if agree else {}


def _beside(run: range, sound: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Samples before and after some in a row; not those that other suspected ones spoil."""
    before = np.arange(max(run.start - _BESIDE, 0), run.start)
    after = np.arange(run.stop, min(run.stop + _BESIDE, len(sound)))
    return before[sound[before]], after[sound[after]]


def _without(
    data: Series, run: range, cluster: tuple[int, int], sound: np.ndarray
) -> tuple[float, float]:
    """The largest miss of samples in a row, and the miss that their neighbours would explain."""
    t, y = data.t, data.y
    low = max(cluster[0] - _BESIDE, 0)
    high = min(cluster[1] + _BESIDE + 1, len(t))
    kept = np.concatenate([np.arange(low, run.start), np.arange(run.stop, high)])
    kept = kept[sound[kept]]
    if len(kept) < _BESIDE or are_uneven(t[low:high]):
        return 0.0, np.inf
    left = sizes(t[kept], y[kept])
    at = np.clip(np.searchsorted(kept, run.start) - 2, 0, len(kept) - 4)
    four, row = kept[at : at + 4], np.array(run)
    off = missed(t[row], y[row], np.tile(t[four], (len(row), 1)), y[four])
    k = int(np.argmax(off))
    if left.max() <= NOISY * data.noise:
        return float(off[k]), float(left.max())
    # a curve leaves a cubic by its fourth derivative times the distances from the four
    nodes = t[kept][neighbours(len(kept))]
    bent = (left / reach(t[kept], nodes)).max() * reach(t[row[k : k + 1]], t[four][None])[0]
    return float(off[k]), max(float(left.max()), float(bent))


def _far(data: Series, run: range) -> np.ndarray:
    """Distances of samples in a row from the curve of those around them, in their own unit."""
    t, y = data.t, data.y
    kept = np.array([run.start - 2, run.start - 1, run.stop, run.stop + 1])
    if kept[0] < 0:
        kept = np.arange(run.stop, run.stop + 4)
    elif kept[-1] >= len(t):
        kept = np.arange(run.start - 4, run.start)
    weights = cubic(t[run], np.tile(t[kept], (len(run), 1)))
    return np.asarray(np.linalg.norm(y[run] - weights @ y[kept], axis=1))
