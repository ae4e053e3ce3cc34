"""Zeros of a figure along time that is seen at samples: crossings, touches, stays.

The figure is a singular value with the sign of its determinant, where there is one.  Signed, it
crosses zero smoothly; without a sign it has a kink there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gough.errors import GoughError

# A figure may fall between samples this many times as steeply as beside them: a kink keeps its
# slope and a parabola gets flatter, so that two is a margin.
_STEEP = 2.0
_EXACT = 1e-12  # share of the time between two samples to which zeros are found
_SAME = 1e-6  # share of it below which two zeros are one: a touch is known to 1e-8 only
_BOTTOM = 1e-3  # share of it around a kink in which the bottom of a parabola is sought
_ULPS = 4e-16  # of a time: two roundings, below which an interval cannot be divided
_GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)

Figure = Callable[[float], float]


class Zero(NamedTuple):
    """Where a figure vanishes.

    Attributes:
        time: when [s]; of a stay its beginning.
        until: when it ends [s]; the same but for a stay.
        crossing: whether the figure changes its sign there.
    """

    time: float
    until: float
    crossing: bool


def zeros(t: np.ndarray, values: np.ndarray, figure: Figure, tolerance: float) -> list[Zero]:
    """All zeros of a figure.

    Args:
        t: times of the samples, rising ``(K,)``.
        values: the figure there ``(K,)``; NaN where there is none.
        figure: its value at any time; may raise where there is none.
        tolerance: what counts as zero.
    """
    found = _stays(t, values, figure, tolerance)
    quiet = np.abs(values) < tolerance
    for k in range(len(t) - 1):
        ends = values[k : k + 2]
        if not quiet[k] and not quiet[k + 1] and ends[0] * ends[1] < 0.0:
            found.append(_crossing(figure, t[k], t[k + 1]))
    for k in _valleys(t, values, quiet):
        found += _touching(figure, t, values, k, tolerance)
    return _once(sorted(found), _SAME * float(np.min(np.diff(t))))


def _once(found: list[Zero], near: float) -> list[Zero]:
    """Zeros without duplicates, which neighbouring samples lead to."""
    kept: list[Zero] = []
    for zero in found:
        if not kept or zero.time - kept[-1].until > near:
            kept.append(zero)
    return kept


def _stays(t: np.ndarray, values: np.ndarray, figure: Figure, tolerance: float) -> list[Zero]:
    """Stretches of samples that are zero; a single one is near a crossing or a touch."""
    quiet = np.concatenate([[False], np.abs(values) < tolerance, [False]])
    edges = np.flatnonzero(np.diff(quiet.astype(int)))
    found = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        sides = [values[i] for i in (start - 1, end) if 0 <= i < len(values)]
        crossing = len(sides) == 2 and bool(sides[0] * sides[1] < 0.0)
        zero = Zero(float(t[start]), float(t[end - 1]), crossing)
        if end == start + 1 and len(sides) == 2 and np.isfinite(sides).all():
            around = float(t[start - 1]), float(t[end])
            if crossing:
                zero = _crossing(figure, *around)
            else:
                lowest = _lowest(_times(figure, float(np.sign(sides[0]))), *around)
                zero = zero if lowest is None else Zero(lowest, lowest, False)
        found.append(zero)
    return found


def _valleys(t: np.ndarray, values: np.ndarray, quiet: np.ndarray) -> list[int]:
    """Samples around which the figure may reach zero although no neighbour has another sign."""
    found = []
    size = np.abs(values)
    slopes = np.abs(np.diff(values) / np.diff(t))
    for k in np.flatnonzero(np.isfinite(values) & ~quiet):
        near = [i for i in (k - 1, k + 1) if 0 <= i < len(t) and np.isfinite(values[i])]
        if not near or any(size[i] < size[k] or values[i] * values[k] < 0.0 for i in near):
            continue
        around = slopes[max(k - 2, 0) : k + 2]
        steepest = float(np.nanmax(around)) if np.isfinite(around).any() else 0.0
        step = max(abs(t[i] - t[k]) for i in near)
        if size[k] < _STEEP * steepest * step:
            found.append(int(k))
    return found


def _touching(
    figure: Figure, t: np.ndarray, values: np.ndarray, k: int, tolerance: float
) -> list[Zero]:
    """Zeros beside a sample with a small figure: none, one that is touched, or two crossings."""
    side = float(np.sign(values[k]))
    low = t[k - 1] if k and np.isfinite(values[k - 1]) else t[k]
    high = t[k + 1] if k + 1 < len(t) and np.isfinite(values[k + 1]) else t[k]
    lowest = _lowest(_times(figure, side), float(low), float(high))
    if lowest is None:
        return []
    least = side * figure(lowest)
    if least < -tolerance:
        return [_crossing(figure, float(low), lowest), _crossing(figure, lowest, float(high))]
    return [Zero(lowest, lowest, False)] if least < tolerance else []


def _times(figure: Figure, side: float) -> Figure:
    return lambda t: side * figure(t)


def _crossing(figure: Figure, low: float, high: float) -> Zero:
    from scipy.optimize import brentq  # noqa: PLC0415  heavy: loaded on first use

    xtol = max(_EXACT * (high - low), _ULPS * abs(high))
    root = float(brentq(figure, low, high, xtol=xtol, rtol=1e-14))
    return Zero(root, root, True)


def _lowest(figure: Figure, low: float, high: float) -> float | None:
    """The lowest place of a figure with one valley: by sections, then where its slope vanishes.

    Sections find a kink to rounding, but the bottom of a parabola to the root of it only.
    """
    try:
        found = _sections(figure, low, high)
        reach = _BOTTOM * (high - low)
        left, right = max(low, found - reach), min(high, found + reach)
        step = 0.1 * reach

        def slope(s: float) -> float:
            return figure(s + step) - figure(s - step)

        smooth = left - step > low and right + step < high
        if smooth and slope(left) < 0.0 < slope(right):
            better = _crossing(slope, left, right).time
            if figure(better) <= figure(found) + 1e-14:  # rounding of a singular value near 1
                return better
        return found
    except GoughError:
        return None  # part of the interval is out of reach: the border of reach is reported instead


def _sections(figure: Figure, low: float, high: float) -> float:
    """Golden sections."""
    inner, outer = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    f_inner, f_outer = figure(inner), figure(outer)
    smallest = _EXACT * (high - low)
    while high - low > max(smallest, _ULPS * abs(high)):
        if f_inner < f_outer:
            high, outer, f_outer = outer, inner, f_inner
            inner = high - _GOLDEN * (high - low)
            f_inner = figure(inner)
        else:
            low, inner, f_inner = inner, outer, f_outer
            outer = low + _GOLDEN * (high - low)
            f_outer = figure(outer)
    return float(min((low, high, inner, outer), key=figure))
