"""Jumps between samples: a curve before, another one after, and a gap between them.

At a corner the curves of both sides meet, between the two samples there; at a jump they do not.
There is a jump where both curves fit their own samples far better than they fit each other.
"""

from __future__ import annotations

import numpy as np

from gough.motion.onesided import powers
from gough.motion.series import OUT, UNEVEN, Series

# Several bounds must hold together, so that each may be low: noise passes one of them by chance,
# a bend of the motion passes another, a jump passes all.
_SIDE = 8  # samples of each side that its curve is fitted to
_DEGREE = 2
_STANDS_OUT = 3.0  # standard deviations by which a step differs from those beside it
_BETTER = 6.0  # gap over the largest residual of the curves at their own samples
_AT_ONCE = 0.5  # share of a gap that is made in one step; curves that bend have gaps by error
_WIDER = 6.0  # gap over the median of those nearby, where nothing jumps
_NEARBY = 20  # samples on each side that these are taken from
_PIECES = 5  # times between two samples at which the gap is computed


def jumps(data: Series) -> tuple[np.ndarray, float]:
    """The first samples after jumps, and the widest of the jumps."""
    t, y, least = data.t, data.y, data.least
    before, extra = _standing_out(t, y, least)
    if not len(before):
        return np.empty(0, dtype=int), 0.0
    gap, left, spread = _gaps(t, y, before)
    seen = (gap > OUT * least * spread) & (gap > _BETTER * left) & (extra > _AT_ONCE * gap)
    found = {int(k): float(g) for k, g in zip(before[seen], gap[seen], strict=True)}
    # of neighbours the widest, where it is wider than gaps are nearby
    kept = [k for k, g in found.items() if g == max(found.get(j, 0.0) for j in _around(k, _SIDE))]
    kept = [k for k in kept if found[k] > _WIDER * _usual(t, y, k)]
    return np.array(kept, dtype=int) + 1, max((found[k] for k in kept), default=0.0)


def _around(k: int, by: int) -> range:
    return range(k - by, k + by + 1)


def _standing_out(t: np.ndarray, y: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Samples after which there may be a jump, and how far the step differs from its neighbours."""
    pauses = np.diff(t)
    speed = np.diff(y, axis=0) / pauses[:, None]
    inner = np.arange(_SIDE - 1, len(t) - _SIDE)
    beside = 0.5 * (speed[inner - 1] + speed[inner + 1])
    off = np.linalg.norm(speed[inner] - beside, axis=1) * pauses[inner]
    # evenly spaced samples of mere noise differ so by sqrt(3) of its deviation, in each column
    out = off > _STANDS_OUT * np.sqrt(3.0) * least
    window = pauses[inner[out][:, None] + np.arange(1 - _SIDE, _SIDE)]
    even = window.max(axis=1, initial=0.0) <= UNEVEN * window.min(axis=1, initial=np.inf)
    return inner[out][even], off[out][even]


def _usual(t: np.ndarray, y: np.ndarray, k: int) -> float:
    """Median gap nearby, on the side where it is smaller: on the other there may be a jump."""
    medians = []
    for first in (k - _SIDE - _NEARBY, k + _SIDE + 1):
        at = np.arange(max(first, _SIDE - 1), min(first + _NEARBY, len(t) - _SIDE))
        if len(at) >= _NEARBY // 2:
            medians.append(float(np.median(_gaps(t, y, at)[0])))
    return min(medians, default=0.0)


def _gaps(t: np.ndarray, y: np.ndarray, k: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Between samples ``k`` and the next: the gap of both sides' curves at its narrowest.

    Also the largest residual of the curves at their own samples, and the factor from noise to the
    gap's deviation; each (len(k),).
    """
    u = np.linspace(0.0, 1.0, _PIECES)
    curves, left, square = [], [], np.zeros(len(k))
    for index, beyond in ((np.arange(1 - _SIDE, 1), 1.0), (np.arange(1, _SIDE + 1), 0.0)):
        at = k[:, None] + index
        A = powers((t[at] - t[k][:, None]) / (t[k + 1] - t[k])[:, None], _DEGREE)
        inverse = np.linalg.pinv(A)
        c = inverse @ y[at]
        left.append(np.linalg.norm(A @ c - y[at], axis=2).max(axis=1))
        square += ((powers(np.array(beyond), _DEGREE) @ inverse) ** 2).sum(axis=1)
        curves.append(powers(u, _DEGREE) @ c)
    apart = curves[1] - curves[0]
    narrowest = np.full(len(k), np.inf)
    for one, two in zip(apart.swapaxes(0, 1)[:-1], apart.swapaxes(0, 1)[1:], strict=True):
        way = two - one
        length = np.maximum((way**2).sum(axis=1), np.finfo(float).tiny)
        share = np.clip(-(one * way).sum(axis=1) / length, 0.0, 1.0)
        narrowest = np.minimum(narrowest, np.linalg.norm(one + share[:, None] * way, axis=1))
    return narrowest, np.maximum(*left), np.sqrt(square)
