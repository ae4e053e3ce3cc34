"""Down the measure of Type 2 between limits, from many places side by side.

A step stays within an ellipsoid inside the limits (Dikin 1967): it nears a limit by at most nine
tenths of what is left, so limits are neared quickly and never passed.  Motors, passive joints and
tilts of balls count alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.progress import Progress
from gough.evaluation.loops.closing import times
from gough.mechanism.mobility.singular import SINGULAR
from gough.singularity.stroke.between import singular_between
from gough.singularity.stroke.places import Places, Stroke

# Lengths are in natural units, of all joints and the platform together.
_FIRST, _LONGEST, _SHORTEST = 0.1, 0.3, 1e-8  # radius of a step; at the shortest it has settled
STEPS = 80
"""Steps of a descent to the end."""
ROUGH = 10
"""Steps after which descents can be compared."""

_SHARE = 0.9  # of the way to a limit
_GAIN = 1e-7  # of the measure, which a step must promise
_ROUNDS, _CLOSED = 5, 1e-9  # corrections of a step, and residuals that they leave
_SETTLED = 1e-11  # correction that changes nothing any more
_LEAST = 1e-9  # distance to a limit that counts


class Descended(NamedTuple):
    """Where descents end.

    Attributes:
        places: within all limits.
        measure: the measure of Type 2 there ``(K,)``; at most 1e-6 where it vanishes.
    """

    places: Places
    measure: np.ndarray


def descended(stroke: Stroke, start: Places, progress: Progress, steps: int = STEPS) -> Descended:
    """Places with smaller measures than those given, on home's side of all Type 2 singularities.

    Args:
        stroke: the machine.
        start: places strictly inside all limits.
        progress: called with the share of the steps done.
        steps: most of them.  A place where the measure vanishes ends the descents of all.
    """
    here, seen = start.copied(), stroke.measured(start)
    radius, measure, signed = np.full(len(here.q), _FIRST), seen.type_2.copy(), seen.signed.copy()
    now = np.flatnonzero(measure > SINGULAR)
    for step in range(steps):
        if not len(now):
            break
        at = here.at(now)
        slopes = stroke.slopes(at, stroke.measured(at))
        c, hold = _inside(stroke, at, slopes, radius[now])
        promised = -(slopes * c).sum(axis=1)
        there, good = _stepped(stroke, at, c, hold)
        figures = stroke.measured(there)
        inside = good & (stroke.beyond(there).max(axis=1) <= 0.0) & (there.constraint > SINGULAR)
        across = inside & (figures.signed * signed[now] <= 0.0)
        if across.any():
            own = _Hold(*(array[across] for array in hold))
            met = _crossed(stroke, at.at(across), c[across], own, there.at(across))
            there.put(across, met)
            figures = stroke.measured(there)
        better = inside & (figures.type_2 < measure[now])
        taken = now[better]
        here.put(taken, there.at(better))
        measure[taken] = figures.type_2[better]
        signed[taken] = np.sign(signed[taken]) * figures.type_2[better]
        bigger = np.minimum(1.5 * radius[now], _LONGEST)
        radius[now] = np.where(better, bigger, 0.3 * radius[now])
        done = (better & (promised < _GAIN)) | (radius[now] < _SHORTEST)
        now = now[~done]
        if (measure <= SINGULAR).any():
            break
        progress((step + 1) / steps)
    progress(1.0)
    return Descended(here, measure)


class _Hold(NamedTuple):
    """How a step keeps to limits: rows along the tangent, their weights, and the ellipsoid."""

    rows: np.ndarray
    weights: np.ndarray
    inverse: np.ndarray


def _inside(
    stroke: Stroke, at: Places, slopes: np.ndarray, radius: np.ndarray
) -> tuple[np.ndarray, _Hold]:
    """The best step ``(K, n)`` within an ellipsoid inside the limits, and that ellipsoid."""
    rows = at.L @ at.basis
    gaps = (np.maximum((x - y) / stroke.scales, _LEAST) for x, y in _sides(stroke, at))
    weights = np.sum([1.0 / gap**2 for gap in gaps], axis=0)
    H = rows.swapaxes(1, 2) @ (weights[:, :, None] * rows)
    H += np.eye(stroke.n) / (radius**2)[:, None, None]
    inverse = np.linalg.inv(H)
    c = -times(inverse, slopes)
    size = np.sqrt(np.maximum(-(slopes * c).sum(axis=1), 1e-300))
    return _SHARE * c / size[:, None], _Hold(rows, weights, inverse)


def _sides(
    stroke: Stroke, at: Places
) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    return (at.q, stroke.low), (stroke.high, at.q)


def _stepped(stroke: Stroke, at: Places, c: np.ndarray, hold: _Hold) -> tuple[Places, np.ndarray]:
    """Places after a step along the tangent, and whether the loops could be closed.

    Axes are brought to where their rows promise, those near a limit above all.
    """
    promised = at.q / stroke.scales + times(hold.rows, c)
    here = stroke.moved(at, times(at.basis, c))
    for _ in range(_ROUNDS):
        closing = here.closing
        off = promised - here.q / stroke.scales - times(here.L, closing)
        rows = here.L @ at.basis  # the tangent has hardly turned
        back = times(hold.inverse, times(rows.swapaxes(1, 2), hold.weights * off))
        w = closing + times(here.basis, times(here.basis.swapaxes(1, 2), times(at.basis, back)))
        w = np.where(np.isfinite(w).all(axis=1)[:, None], w, 0.0)
        if np.abs(w).max(initial=0.0) < _SETTLED:
            break
        here = stroke.moved(here, w)
    closed = np.abs(here.gaps).max(axis=1, initial=0.0) < _CLOSED
    return here, closed & (here.opposed < SINGULAR)


def _crossed(stroke: Stroke, at: Places, c: np.ndarray, hold: _Hold, there: Places) -> Places:
    """Places on the other side of a Type 2 singularity replaced by the singular ones."""

    def place(i: np.ndarray, x: np.ndarray) -> tuple[Places, np.ndarray, np.ndarray]:
        own = _Hold(*(array[i] for array in hold))
        found, good = _stepped(stroke, at.at(i), x[:, None] * c[i], own)
        return found, stroke.measured(found).signed, good

    f_low, f_high = stroke.measured(at).signed, stroke.measured(there).signed
    return singular_between(place, np.ones(len(c)), f_low, there, f_high)
