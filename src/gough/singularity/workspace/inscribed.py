"""Largest cylinder and largest box inside one part of a section over three freedoms.

A lattice gives first candidates.  Then they are fitted between points of the border: each candidate
reaches to the first point of the border in its way, and random changes of it are kept while it
grows.  Fresh points on its surface are then followed from inside; wherever one is refused, the
place becomes a point of the border, and the candidate is fitted again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gough.singularity.workspace.shapes import CylinderFit, Fit
from gough.singularity.workspace.shell import Shell

_FIRST = 3  # candidates of the lattice that are fitted
_CANDIDATES = 120  # random changes that are tried at once
_TRIES = 40  # rounds of them
_GAIN = 1e-6  # share that counts as larger
_NARROWER = 0.8  # of their spread, where nothing was gained
_SLACK = 5e-4  # share taken off besides: places are found to a share of a cell
_CLOSER = 0.5  # spread of changes in a round, as a share of the one before
_ROUNDS, _SHRINKS = 4, 20  # of fitting to places that were refused, then of shrinking
_AGAIN, _CLOSE = 2, 0.2  # times that what holds is grown again, by changes so small, of a cell

_FEW = 300  # points that are looked at while a shape still changes

SAMPLES = 2000
"""Fresh points on the surface of a shape, all of which must hold."""


def first_boxes(shell: Shell) -> np.ndarray:
    """Largest boxes of lattice points inside, one for each of the best layers ``(k, 6)``."""
    inside = shell.inside[1:-1, 1:-1, 1:-1]
    found: list[tuple[int, tuple[int, ...]]] = []
    for low, high, layer in _layers(inside):
        enough = found[-1][0] if len(found) == _FIRST else 0
        if int(layer.sum()) * (high - low) <= enough:
            continue  # not even all of the layer would do
        size, rectangle = _largest_rectangle(layer)
        if size * (high - low) > enough:
            (i0, j0), (i1, j1) = rectangle
            found.append((size * (high - low), (i0, j0, low, i1, j1, high)))
            found = sorted(found, key=lambda one: -one[0])[:_FIRST]
    lows = np.array([v[0] for v in shell.values])
    corners = np.array([one[1] for one in found], dtype=float).reshape(-1, 2, 3)
    return np.asarray((lows + corners * shell.spacing).reshape(-1, 6))


def first_cylinders(shell: Shell, fit: CylinderFit) -> np.ndarray:
    """Largest cylinders between lattice points, one for each of the best layers ``(k, 5)``."""
    from scipy.ndimage import distance_transform_edt  # noqa: PLC0415  heavy

    across, h = fit.across, shell.spacing
    inside = np.moveaxis(shell.inside, fit.axis, 2)
    lows = np.array([v[0] for v in shell.values])
    found = []
    for low, high, layer in _layers(inside[:, :, 1:-1]):
        away = distance_transform_edt(layer, sampling=tuple(h[across]))
        i, j = np.unravel_index(int(away.argmax()), away.shape)
        centre = lows[across] + (np.array([i, j]) - 1) * h[across]
        ends = lows[fit.axis] + np.array([low, high]) * h[fit.axis]
        if away[i, j] > 0.0:
            found.append([*centre, *ends, float(away[i, j])])
    figures = np.array(found).reshape(-1, 5)
    if fit.radius is not None:
        wide = figures[figures[:, 4] >= 0.8 * fit.radius]
        figures = wide if len(wide) else figures
    elif fit.height is not None:
        high_ones = figures[figures[:, 3] - figures[:, 2] >= 0.8 * fit.height]
        figures = high_ones if len(high_ones) else figures
    return np.asarray(figures[np.argsort(-fit.size(figures), kind="stable")[:_FIRST]])


def grown(
    fit: Fit,
    figures: np.ndarray,
    border: np.ndarray,
    spread: np.ndarray,
    reach: np.ndarray,
    tries: int = _TRIES,
    seed: int = 0,
) -> np.ndarray:
    """The largest shape that random changes lead to, between points of the border ``(d,)``.

    Args:
        fit: boxes or cylinders.
        figures: of first candidates ``(k, d)``.
        border: points that no shape may hold ``(p, 3)``.
        spread: of the changes at first, for each figure ``(d,)``.
        reach: how far a shape may grow beyond its candidate, along each freedom ``(3,)``.
        tries: rounds of changes.
        seed: of the random changes.
    """
    rng = np.random.default_rng(seed)
    best, largest = figures[0], -np.inf
    whole, everything = fit, border
    for first in figures:
        # what is far from a candidate cannot be in its way
        low, high = fit.span(first).T
        low, high = low - reach, high + reach
        border = everything[((everything > low) & (everything < high)).all(axis=1)]
        fit = whole.within(low, high)
        here = fit.fitted(np.tile(_trimmed(fit, first, border), (3, 1)), border)
        one = here[int(fit.size(here).argmax())]
        size, wide = float(fit.size(one[None])[0]), 1.0
        for _ in range(tries):
            tried = fit.fitted(one + wide * spread * fit.changes(_CANDIDATES, rng), border)
            sizes = fit.size(tried)
            k = int(sizes.argmax())
            if sizes[k] > size * (1.0 + _GAIN):
                one, size = tried[k], float(sizes[k])
            else:
                wide *= _NARROWER
        if size > largest:
            best, largest = one, size
    return np.asarray(best)


def _trimmed(fit: Fit, one: np.ndarray, border: np.ndarray) -> np.ndarray:
    """A shape with no point of the border inside; each, the innermost first, costs the least."""
    while fit.size(one[None])[0] > 0.0:
        share = fit.share(one, border)
        k = int(share.argmin()) if len(share) else 0
        if not len(share) or share[k] >= 1.0 - _GAIN:
            break
        smaller = fit.without(one, border[k])
        one = smaller[int(fit.size(smaller).argmax())]
    return one


def inscribed(
    fit: Fit,
    figures: np.ndarray,
    border: np.ndarray,
    spread: np.ndarray,
    reach: np.ndarray,
    refused: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> np.ndarray | None:
    """The largest shape of a kind of which fresh points on its surface all hold ``(d,)``.

    Args:
        fit: boxes or cylinders.
        figures: of first candidates ``(k, d)``.
        border: points of the border ``(p, 3)``.
        spread: of changes at first, for each figure ``(d,)``; about a cell.
        reach: how far a shape may grow beyond its candidate, along each freedom ``(3,)``.
        refused: of points ``(k, 3)`` of a shape with a span ``(3, 2)``: places before those that
            are not free ``(r, 3)``.

    Returns:
        Its figures; ``None`` if no shape holds.
    """
    if not len(figures):
        return None
    rng = np.random.default_rng(1)

    def look(one: np.ndarray, count: int) -> np.ndarray:
        """Places before fresh points of the surface that are refused; they join the border."""
        nonlocal border
        places = refused(fit.sampled(one, count, rng), fit.span(one))
        border = np.concatenate([border, places])
        return places

    def held(one: np.ndarray, count: int) -> np.ndarray | None:
        """A shape shrunk until fresh points on its surface all hold."""
        for _ in range(_SHRINKS):
            if not fit.size(one[None])[0] > 0.0:
                return None
            places = look(one, count)
            if not len(places):
                return one
            one = fit.shrunk(one, float(fit.share(one, places).min(initial=1.0)) - _SLACK)
        return None

    one = grown(fit, figures, border, spread, reach)
    if not fit.size(one[None])[0] > 0.0:
        return None  # a height or a diameter is given that nothing has
    for k in range(_ROUNDS):
        if not len(look(one, _FEW)):
            break
        # changes become smaller, so that a shape stays where places are known
        smaller = _CLOSER ** (k + 1) * spread
        one = grown(fit, one[None], border, smaller, reach, _TRIES // 2, seed=k)
    best = held(one, _FEW)
    for k in range(_AGAIN):
        if best is None:
            return None
        larger = grown(fit, best[None], border, _CLOSE * spread, reach, _TRIES // 2, seed=k)
        more = held(larger, _FEW)
        if more is not None and fit.size(more[None])[0] > fit.size(best[None])[0]:
            best = more
    return None if best is None else held(best, SAMPLES)


def _layers(inside: np.ndarray) -> Any:
    """Lowest and highest number along the third freedom, and points inside at all between."""
    for low in range(inside.shape[2]):
        layer = inside[:, :, low].copy()
        for high in range(low, inside.shape[2]):
            layer &= inside[:, :, high]
            if not layer.any():
                break
            if high > low:
                yield low, high, layer


def _largest_rectangle(layer: np.ndarray) -> tuple[int, Any]:
    """Area of the largest rectangle of points inside, in cells, and its corners."""
    rows, columns = layer.shape
    # points inside in a row, up to here along the first freedom
    run = np.zeros(layer.shape, dtype=int)
    for i in range(rows):
        run[i] = np.where(layer[i], (run[i - 1] if i else 0) + 1, 0)
    best, corners = 0, None
    for first in range(columns):
        least = run[:, first].copy()
        for last in range(first + 1, columns):
            np.minimum(least, run[:, last], out=least)
            area = (least - 1) * (last - first)
            i = int(area.argmax())
            if area[i] > best:
                best = int(area[i])
                corners = ((i - int(least[i]) + 1, first), (i, last))
            elif least.max() < 2:
                break
    return best, corners
