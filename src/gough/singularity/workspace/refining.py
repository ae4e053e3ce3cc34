"""Points between two neighbours of a grid, sought until they are exact."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gough.evaluation.loops.closing import RELAXED, Closer, States
from gough.singularity.workspace.survey import Survey

Figure = Callable[[States, np.ndarray], np.ndarray]
"""A figure of states ``(j,)``, and the numbers of the pairs between which they lie."""

_EXACT = 1e-9  # of a cell
_ROUNDS = 40  # regula falsi takes about ten; halvings to 1e-9 would take 30
# Near the border of reach the square of a singular value falls linearly, so each step goes _AHEAD
# of the way to where it would vanish (all of it might end outside) until less than _NEAR of a cell
# is left: from there the extrapolated zero is exact to _EXACT.
_AHEAD = 0.7
_NEAR = 1e-6
_MODES = 6  # smallest singular values that are followed: several legs may be stretched together
_BEHIND = np.array([1e-4, 1e-2, 0.05, 0.15])  # of a cell: places tried behind a supposed border
_BEYOND = 1.5  # cells: a zero farther away belongs to another border
_SINGULAR = 1e-3  # smallest singular value of a state _NEAR the border: the root of 1e-6


def crossing(survey: Survey, pairs: np.ndarray, figure: Figure) -> np.ndarray:
    """Shares of the way between neighbours at which a figure vanishes ``(k,)``.

    By the Illinois variant of regula falsi: the zero stays between two signs.  NaN where there is
    none, or where the machine cannot be continued to it.

    Args:
        survey: of a section.
        pairs: numbers of neighbours ``(k, 2)``.
        figure: of states ``(j,)`` between the pairs with these numbers.
    """
    closer, states, goal = survey.closer, survey.states, survey.points
    everything = np.arange(len(pairs))
    a, b = np.zeros(len(pairs)), np.ones(len(pairs))
    f_a, f_b = (figure(states.at(pairs[:, k]), everything) for k in (0, 1))
    found = np.where(f_a == 0.0, 0.0, np.where(f_b == 0.0, 1.0, np.nan))
    now = np.flatnonzero((np.sign(f_a) * np.sign(f_b) < 0.0) & np.isnan(found))
    last = np.full(len(pairs), np.nan)
    for _ in range(_ROUNDS):
        if not len(now):
            break
        s = (a[now] * f_b[now] - b[now] * f_a[now]) / (f_b[now] - f_a[now])
        begin = states.at(pairs[now, (s > 0.5).astype(int)])  # from the nearer neighbour
        ends = goal[pairs[now]]
        there = closer.led(begin, ends[:, 0] + s[:, None] * (ends[:, 1] - ends[:, 0]), 2, RELAXED)
        f = np.full(len(now), np.nan)
        f[there.good] = figure(there.at(there.good), now[there.good])
        lost = np.isnan(f)
        low = np.sign(f) == np.sign(f_a[now])
        # the value at the end that stays is halved (Illinois), so that it does not stay for ever
        f_b[now[low]] *= 0.5
        f_a[now[~low]] *= 0.5
        a[now[low]], f_a[now[low]] = s[low], f[low]
        b[now[~low]], f_b[now[~low]] = s[~low], f[~low]
        done = (np.abs(s - last[now]) < _EXACT) | (f == 0.0) | (b[now] - a[now] < _EXACT)
        last[now] = s
        found[now[done & ~lost]] = s[done & ~lost]
        now = now[~done & ~lost]
    return found


def border(survey: Survey, pairs: np.ndarray) -> np.ndarray:
    """Shares of the way from a reached point to one out of reach at which reach ends ``(k,)``.

    There one or several legs are stretched or folded.  Squares of singular values fall to zero
    linearly, so each step goes most of the way to where the first would vanish.  NaN where the end
    is not of that kind.
    """
    closer, states, goal = survey.closer, survey.states, survey.points
    inside = states.good[pairs[:, 0]]
    one = np.where(inside, pairs[:, 0], pairs[:, 1])
    other = np.where(inside, pairs[:, 1], pairs[:, 0])
    here = States(*(array.copy() for array in states.at(one)))
    s, g = np.zeros(len(pairs)), _square(closer, here)
    end, share = np.full(len(pairs), np.nan), np.ones(len(pairs))
    looks = np.zeros(len(pairs), dtype=int)
    now = np.arange(len(pairs))
    for _ in range(2 * _ROUNDS):
        if not len(now):
            break
        # near the end, places behind it are tried: it may be a singularity inside the reach
        near = (end[now] - s[now] < _NEAR) | (share[now] < _NEAR)
        left = np.where(np.isfinite(end[now]), _AHEAD * (end[now] - s[now]), 0.5) * share[now]
        trial = s[now] + np.where(near, _BEHIND[looks[now]], left)
        aim = goal[one[now]] + trial[:, None] * (goal[other[now]] - goal[one[now]])
        there = closer.led(here.at(now), aim, 1, RELAXED)
        good = there.good & (trial < 1.0)
        looks[now] = np.where(good, 0, looks[now] + near)
        over = looks[now] == len(_BEHIND)
        share[now] = np.where(good | near, share[now], 0.5 * share[now])
        ok = np.flatnonzero(good)
        at, g_new = now[ok], _square(closer, there.at(ok))
        with np.errstate(divide="ignore", invalid="ignore"):
            ahead = g_new * (trial[ok] - s[at])[:, None] / (g[at] - g_new)
        ahead = np.where((g_new < g[at]) & (ahead < _BEYOND), ahead, np.inf).min(axis=1)
        end[at] = np.where(np.isfinite(ahead), trial[ok] + ahead, np.nan)
        s[at], g[at], share[at] = trial[ok], g_new, 1.0
        here.put(at, there.at(ok))
        now = now[~over]
    # beside a border a machine is singular; a point of the grid may lie on it
    singular = g[:, 0] < _SINGULAR**2
    found = np.where(end - s < _NEAR, end, np.where(share < _NEAR, s, np.nan))
    found = np.where(singular, found, np.nan)
    return np.where(inside, found, 1.0 - found)


def _square(closer: Closer, states: States) -> np.ndarray:
    """Squares of the smallest singular values of all closure rows ``(k, few)``."""
    rows = closer.judged(states)["rows"]
    return np.maximum(np.linalg.eigvalsh(rows.swapaxes(1, 2) @ rows)[:, :_MODES], 0.0)
