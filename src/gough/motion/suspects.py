"""Samples that are where the platform was not: outliers, alone or a few in a row.

Each sample is predicted from two neighbours on each side, by the cubic through them; what it
misses, in units of what noise would make of it, is its miss.  A sample is suspected where its miss
stands out of those around it.  It is an outlier if without it the neighbours agree with each other
far better: corners of a motion do not go away with a sample, an outlier does; nor is it an outlier
if one side leads to it.  Where samples are very unevenly spaced nothing is said.
"""

from __future__ import annotations

import numpy as np

from gough.motion.crowded import LARGEST, far_from_most
from gough.motion.onesided import is_corner
from gough.motion.record_ends import end_outliers

LONGEST = 8
"""Samples in a row that may be outliers together; more are a motion of their own."""

FEWEST = 25
"""Samples that tell what is usual among them."""

_MEDIAN = {1: 0.6745, 2: 1.1774, 3: 1.5382}  # of the length of a normal vector, by its entries
_SUSPECTED = 6.0  # standard deviations of what is around
_OUT = 9.0  # standard deviations of the noise, or units of the data's last digit
_BETTER = 4.0  # times the largest miss of the neighbours that are left
_NOISY = 4.0  # standard deviations that misses of mere noise have
_AROUND = 15  # samples of a running median
_BESIDE = 10  # neighbours on each side that have to agree
_UNEVEN = 3.5  # times a step is another: more uneven samples do not tell a corner from an outlier
_PASSES = 4
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
        new = _one_pass(t[kept], y[kept])
        if not new:
            break
        found |= {int(kept[k]): off for k, off in new.items()}
        kept = np.delete(kept, list(new))
    samples = sorted(found)
    return np.array(samples, dtype=int), np.array([found[k] for k in samples])


def _resolution(y: np.ndarray) -> float:
    """The smallest change there is: of numbers with few digits, the last one."""
    change = np.abs(np.diff(y, axis=0))
    least = 1e-9 * max(float(np.ptp(y, axis=0).max()), 1e-6)
    change = change[change > least]
    return float(change.min()) if change.size else least


def scales(t: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """The smallest change there is in numbers (K, m), and the standard deviation of their noise."""
    size = np.linalg.norm(misses(t, y), axis=1)
    return _resolution(y), float(np.median(size)) / _median(y)


def _median(y: np.ndarray) -> float:
    """Of the length of a normal vector with as many entries."""
    return _MEDIAN[min(y.shape[1], 3)]


def _one_pass(t: np.ndarray, y: np.ndarray) -> dict[int, float]:
    from scipy.ndimage import median_filter  # noqa: PLC0415  heavy: loaded on first use

    size = np.linalg.norm(misses(t, y), axis=1)
    normal = _median(y)
    noise = float(np.median(size)) / normal
    resolution = _resolution(y)
    floor = _OUT * max(noise, resolution)
    at_ends = end_outliers(t, y, noise, resolution)
    if at_ends:
        return at_ends  # the others are looked at without them
    running = median_filter(size, _AROUND, mode="reflect")
    away = LONGEST + _AROUND // 2 + 3
    index = np.arange(len(t))
    # on the side where more is going on, clear of the samples that an outlier spoils
    sides = [
        np.where((at >= 0) & (at < len(t)), running[np.clip(at, 0, len(t) - 1)], 0.0)
        for at in (index - away, index + away)
    ]
    suspected = np.flatnonzero(size > np.maximum(floor, _SUSPECTED / normal * np.maximum(*sides)))
    if not len(suspected):
        # many outliers near each other are what is around them
        return _crowds(t, y, np.flatnonzero(size > floor), noise, floor)
    spoilt = np.zeros(len(t), dtype=bool)
    for by in range(-2, 3):
        spoilt[np.clip(suspected + by, 0, len(t) - 1)] = True
    found: dict[int, float] = {}
    for cluster in _clusters(suspected):
        found |= _among(t, y, cluster, spoilt, noise, floor)
    return found


def _among(
    t: np.ndarray,
    y: np.ndarray,
    cluster: np.ndarray,
    spoilt: np.ndarray,
    noise: float,
    floor: float,
) -> dict[int, float]:
    """The fewest samples in a row without which the others agree, of some that are suspected."""
    first, last = int(cluster[0]), int(cluster[-1])
    if last - first > _LONG:
        return _crowd(t, y, (first, last), noise, floor)
    for length in range(1, min(LONGEST, last - first + 1) + 1):
        best: tuple[float, int] | None = None
        for start in range(first, last - length + 2):
            off, left = _without(t, y, start, length, (first, last), spoilt, noise)
            if off > max(_BETTER * left, floor) and (best is None or left < best[0]):
                best = (left, start)
        if best is not None:
            run = range(best[1], best[1] + length)
            if is_corner(t, y, run, _beside(len(t), run, cluster, spoilt), floor / _OUT):
                return {}
            far = _far(t, y, best[1], length)
            return {k: float(far[k - run.start]) for k in run}
    return {}


def _clusters(samples: np.ndarray) -> list[np.ndarray]:
    """Samples that spoil each other's neighbours, together."""
    return np.split(samples, np.flatnonzero(np.diff(samples) > 4) + 1) if len(samples) else []


def _crowds(
    t: np.ndarray, y: np.ndarray, loud: np.ndarray, noise: float, floor: float
) -> dict[int, float]:
    found: dict[int, float] = {}
    for cluster in _clusters(loud):
        first, last = int(cluster[0]), int(cluster[-1])
        if last - first > _LONG:
            found |= _crowd(t, y, (first, last), noise, floor)
    return found


def _crowd(
    t: np.ndarray, y: np.ndarray, cluster: tuple[int, int], noise: float, floor: float
) -> dict[int, float]:
    """Outliers of a cluster that is longer than a row of them, if without them the others agree."""
    among = range(max(cluster[0] - 2, 0), min(cluster[1] + 3, len(t)))
    near = np.arange(max(among.start - _BESIDE, 0), min(among.stop + _BESIDE, len(t)))
    steps = np.diff(t[near])
    if len(among) > LARGEST or steps.max() > _UNEVEN * steps.min():
        return {}
    found = far_from_most(t, y, among, floor)
    kept = np.setdiff1d(near, list(found))
    if not found or len(kept) < _BESIDE:
        return {}
    left = np.linalg.norm(misses(t[kept], y[kept]), axis=1).max()
    agree = left <= _NOISY * noise or _BETTER * left < min(found.values())
    return found if agree else {}


def _beside(
    count: int, run: range, cluster: np.ndarray, spoilt: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Samples before and after some in a row; not those that other suspected ones spoil."""
    before = np.arange(max(run.start - _BESIDE, 0), run.start)
    after = np.arange(run.stop, min(run.stop + _BESIDE, count))
    own = range(int(cluster[0]) - 2, int(cluster[-1]) + 3)
    kept = [np.array([k for k in side if k in own or not spoilt[k]]) for side in (before, after)]
    return kept[0].astype(int), kept[1].astype(int)


def _without(
    t: np.ndarray,
    y: np.ndarray,
    start: int,
    length: int,
    cluster: tuple[int, int],
    spoilt: np.ndarray,
    noise: float,
) -> tuple[float, float]:
    """The largest miss of samples in a row, and what the samples around them would let it be."""
    low = max(cluster[0] - _BESIDE, 0)
    high = min(cluster[1] + _BESIDE + 1, len(t))
    kept = np.concatenate([np.arange(low, start), np.arange(start + length, high)])
    others = spoilt[kept] & ((kept < cluster[0] - 2) | (kept > cluster[1] + 2))
    kept = kept[~others]
    steps = np.diff(t[low:high])
    if len(kept) < _BESIDE or steps.max() > _UNEVEN * steps.min():
        return 0.0, np.inf
    left = np.linalg.norm(misses(t[kept], y[kept]), axis=1)
    at = np.clip(np.searchsorted(kept, start) - 2, 0, len(kept) - 4)
    four = kept[at : at + 4]
    row = np.arange(start, start + length)
    off = np.linalg.norm(_missed(t[row], y[row], np.tile(t[four], (length, 1)), y[four]), axis=1)
    k = int(np.argmax(off))
    if left.max() <= _NOISY * noise:
        return float(off[k]), float(left.max())
    # a curve leaves a cubic by its fourth derivative times the distances from the four
    nodes = t[kept][_others(len(kept))]
    bent = (left / _reach(t[kept], nodes)).max() * _reach(t[row[k : k + 1]], t[four][None])[0]
    return float(off[k]), max(float(left.max()), float(bent))


def _far(t: np.ndarray, y: np.ndarray, start: int, length: int) -> np.ndarray:
    """Distances of samples in a row from the curve of those around them, in their own unit."""
    kept = np.concatenate(
        [np.arange(start - 2, start), np.arange(start + length, start + length + 2)]
    )
    if kept[0] < 0:
        kept = np.arange(start + length, start + length + 4)
    elif kept[-1] >= len(t):
        kept = np.arange(start - 4, start)
    row = np.arange(start, start + length)
    weights = _cubic(t[row], np.tile(t[kept], (length, 1)))
    return np.asarray(np.linalg.norm(y[row] - weights @ y[kept], axis=1))


def misses(t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What each sample misses of the cubic through two neighbours on each side.

    Divided by what makes their standard deviation that of the noise; (K, m), K at least five.
    """
    others = _others(len(t))
    return _missed(t, y, t[others], y[others])


def _others(count: int) -> np.ndarray:
    """Of each sample, the four that are its neighbours (K, 4)."""
    k = np.arange(count)
    others = np.clip(k - 2, 0, count - 5)[:, None] + np.arange(4)
    return np.asarray(others + (others >= k[:, None]))


def _missed(t: np.ndarray, y: np.ndarray, nodes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """What samples (K, m) miss of cubics, each through four values (..., 4, m) at times (K, 4)."""
    weights = _cubic(t, nodes)
    off = y - np.einsum("...i,...im->...m", weights, values)
    return np.asarray(off / np.sqrt(1.0 + (weights**2).sum(axis=1))[:, None])


def _reach(t: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Product of the distances from four times, as :func:`misses` are scaled."""
    weights = _cubic(t, nodes)
    apart = np.abs(t[:, None] - nodes).prod(axis=1)
    return np.asarray(apart / np.sqrt(1.0 + (weights**2).sum(axis=1)))


def _cubic(t: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Weights (K, 4) of values at nodes (K, 4), for a cubic's values at times (K,)."""
    found = np.ones(nodes.shape)
    for i in range(4):
        for j in range(4):
            if i != j:
                found[:, i] *= (t - nodes[:, j]) / (nodes[:, i] - nodes[:, j])
    return found
