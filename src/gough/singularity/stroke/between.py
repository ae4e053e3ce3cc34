"""The Type 2 pose between two places on either side of it, of many pairs at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gough.singularity.stroke.places import Places

_STEPS, _ON_SURFACE = 60, 1e-12  # of false position, and the measure of a pose that is singular
_ROUNDING = 1e-15  # length of an interval that cannot be divided

At = Callable[[np.ndarray, np.ndarray], tuple[Places, np.ndarray, np.ndarray]]
"""Of some pairs, places at lengths of their steps, measures with a sign, and what is closed."""


def singular_between(
    at: At, high: np.ndarray, f_low: np.ndarray, there: Places, f_high: np.ndarray
) -> Places:
    """Places where the measure changes its sign, by the rule of false position (Illinois).

    Args:
        at: what is found between 0 and ``high``.
        high: lengths of the steps ``(K,)``.
        f_low: measures with a sign where the steps begin ``(K,)``.
        there: places where they end.
        f_high: the same there ``(K,)``; where the sign is the same, the place stays as it is.
    """
    low, high, f_low, f_high = np.zeros(len(high)), high.copy(), f_low.copy(), f_high.copy()
    best, least = there.copied(), np.abs(f_high)
    now = np.flatnonzero(f_low * f_high < 0.0)
    for _ in range(_STEPS):
        now = now[(least[now] > _ON_SURFACE) & (high[now] - low[now] > _ROUNDING)]
        if not len(now):
            break
        a, b, f_a, f_b = low[now], high[now], f_low[now], f_high[now]
        x = (a * f_b - b * f_a) / (f_b - f_a)
        place, f, good = at(now, x)
        better = good & (np.abs(f) < least[now])
        best.put(now[better], place.at(better))
        least[now[better]] = np.abs(f[better])
        same = f * f_a > 0.0
        low[now], high[now] = np.where(same, x, a), np.where(same, b, x)
        # the end that stays counts half
        f_low[now], f_high[now] = np.where(same, f, 0.5 * f_a), np.where(same, 0.5 * f_b, f)
    return best
