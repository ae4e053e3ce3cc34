"""Measured numbers in a row, with their noise, their last digit and the evenness of their times.

Each sample is predicted from two neighbours on each side, by the cubic through them; the distance
to the prediction, divided by the factor that noise has in it, is its *miss*.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

FEWEST = 25
"""Samples from which noise and resolution can be estimated."""

NOISY = 4.0
"""Standard deviations up to which a distance counts as noise: of 10000 samples one is farther."""

OUT = 9.0
"""Standard deviations of the noise, or units of the data's last digit, that are not by chance.

More than twice ``NOISY``: noise is estimated from the same data, and is not always normal.
"""

UNEVEN = 3.5
"""Largest ratio of two time steps; in more uneven samples a corner looks like an outlier."""

_MEDIAN = {1: 0.6745, 2: 1.1774, 3: 1.5382}  # of the length of a normal vector, by its entries


class Series(NamedTuple):
    """Numbers of one kind in a row.

    Attributes:
        t: times (K,), rising.
        y: numbers (K, m).
        resolution: smallest change there is: of numbers with few digits, the last one.
        noise: standard deviation.
    """

    t: np.ndarray
    y: np.ndarray
    resolution: float
    noise: float

    @property
    def least(self) -> float:
        """Scale of distances caused by noise or by digits."""
        return max(self.resolution, self.noise)

    def at(self, index: Any) -> Series:
        """Some of the samples, with the scales of all."""
        return self._replace(t=self.t[index], y=self.y[index])

    def columns(self) -> list[Series]:
        """Each column alone."""
        return [self._replace(y=self.y[:, [i]]) for i in range(self.y.shape[1])]


def series(t: np.ndarray, y: np.ndarray) -> Series:
    """Numbers (K, m) at times (K,) with their scales; K at least five."""
    change = np.abs(np.diff(y, axis=0))
    # smaller changes than 1e-9 of the span (of a micrometre or microradian at least) are rounding
    least = 1e-9 * max(float(np.ptp(y, axis=0).max()), 1e-6)
    change = change[change > least]
    resolution = float(change.min()) if change.size else least
    return Series(t, y, resolution, float(np.median(sizes(t, y))) / median_of(y))


def median_of(y: np.ndarray) -> float:
    """Median length of a normal vector with as many entries as numbers (K, m) have columns."""
    return _MEDIAN[min(y.shape[1], 3)]


def are_uneven(t: np.ndarray) -> bool:
    """Whether steps of time are too different."""
    steps = np.abs(np.diff(t))
    return bool(steps.max() > UNEVEN * steps.min())


def sizes(t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Misses (K,) of all samples: distances from the cubic through two neighbours on each side.

    They are divided by the factor that makes their standard deviation that of the noise; K is at
    least five.
    """
    others = neighbours(len(t))
    return missed(t, y, t[others], y[others])


def neighbours(count: int) -> np.ndarray:
    """Of each sample, the four that are its neighbours (K, 4)."""
    k = np.arange(count)
    others = np.clip(k - 2, 0, count - 5)[:, None] + np.arange(4)
    return np.asarray(others + (others >= k[:, None]))


def missed(t: np.ndarray, y: np.ndarray, nodes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Misses of samples (K, m): distances from cubics through values (..., 4, m) at times (K, 4).

    Divided by the factor from noise to such a distance.
    """
    weights = cubic(t, nodes)
    off = y - np.einsum("...i,...im->...m", weights, values)
    return np.asarray(np.linalg.norm(off / _spread(weights)[:, None], axis=1))


def reach(t: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Product of the distances from four times, as :func:`missed` is scaled."""
    apart = np.abs(t[:, None] - nodes).prod(axis=1)
    return np.asarray(apart / _spread(cubic(t, nodes)))


def _spread(weights: np.ndarray) -> np.ndarray:
    """Factor from noise to the deviation of a sample's distance from a cubic."""
    return np.asarray(np.sqrt(1.0 + (weights**2).sum(axis=1)))


def cubic(t: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Weights (K, 4) of values at nodes (K, 4), for a cubic's values at times (K,)."""
    found = np.ones(nodes.shape)
    for i in range(4):
        for j in range(4):
            if i != j:
                found[:, i] *= (t - nodes[:, j]) / (nodes[:, i] - nodes[:, j])
    return found
