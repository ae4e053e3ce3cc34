"""Straight ways of the motors from one assembled state to many goals, followed side by side.

A way is continued by its arc length in joints, platform and share of the way together (Keller
1977): it can be followed up to a Type 2 singularity and past it, where the motors themselves turn
back, and a leg may be stretched out (Type 1) on it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.progress import Progress
from gough.evaluation.loops.closing import times
from gough.mechanism.mobility.newton import shrinks
from gough.mechanism.mobility.singular import SINGULAR
from gough.singularity.stroke.between import singular_between
from gough.singularity.stroke.places import INSIDE, Places, Stroke

REACHED, TYPE_2, LIMIT, CONSTRAINT, LOST = "reached", "Type 2", "limit", "constraint", "lost"
"""How a way ends."""

# Lengths are in natural units, of all joints and the platform together.
_FIRST, _LONGEST, _SHORTEST = 0.1, 0.2, 1e-5  # of a stride; at the shortest it is given up
_MOST = 2000  # strides of a way: many turns of all motors
_ROUNDS, _CLOSED = 6, 1e-10  # Newton steps of a stride, and the last of them
_BEND = 0.7  # cosine of the angle between the tangents at both ends of a stride
_OPPOSED = 1e-6  # of a joint that is closed the wrong way round it is 2 or 4


class Ways(NamedTuple):
    """K ways of the motors and where they end.

    Attributes:
        ends: the last place of each, within all limits; of ``TYPE_2`` the singular place.
        share: how much of each way is done there ``(K,)``.
        reasons: why each ends ``(K,)``, one of the words above.
        axes: of a ``LIMIT`` the axis, otherwise empty ``(K,)``.
        lowest: the place with the smallest measure on each.
        smallest: its measure ``(K,)``.
    """

    ends: Places
    share: np.ndarray
    reasons: list[str]
    axes: list[str]
    lowest: Places
    smallest: np.ndarray


class _Line:
    """Straight ways ``q = first + share * way`` of the motors that lead."""

    def __init__(self, stroke: Stroke, first: np.ndarray, goal: np.ndarray) -> None:
        self.stroke, self.lead = stroke, stroke.lead
        self._scale = stroke.scales[self.lead]
        self._first = first[:, self.lead] / self._scale
        self.way = goal / self._scale - self._first

    def tangent(self, here: Places, k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Unit tangents ``(K, N)`` and the shares that they take ``(K,)``, of either sign."""
        found = np.linalg.svd(self._system(here, k), full_matrices=True)[2][:, -1]
        return times(here.basis, found[:, :-1]), found[:, -1]

    def _system(self, here: Places, k: np.ndarray) -> np.ndarray:
        J = here.L[:, self.lead] @ here.basis
        return np.concatenate([J, -self.way[k][:, :, None]], axis=2)

    def off(self, here: Places, k: np.ndarray, share: np.ndarray) -> np.ndarray:
        """What the leading motors are off by."""
        aim = self._first[k] + share[:, None] * self.way[k]
        return np.asarray(aim - here.q[:, self.lead] / self._scale)

    def arrived(
        self, start: Places, k: np.ndarray, step: np.ndarray, share: np.ndarray, last: np.ndarray
    ) -> tuple[Places, np.ndarray, np.ndarray]:
        """Places after a step ``(K, N)``, loops closed and motors on their ways.

        Args:
            start: places.
            k: numbers of their ways.
            step: along the tangent.
            share: of the way that should be reached.
            last: where this share is to be kept exactly.

        Returns:
            Places, their shares, and whether Newton's steps could be trusted.
        """
        here, share = self.stroke.moved(start, step), share.copy()
        previous, good = np.full(len(k), np.inf), np.ones(len(k), dtype=bool)
        now = np.arange(len(k))
        for _ in range(_ROUNDS):
            at, own = here.at(now), k[now]
            closing = at.closing
            off = self.off(at, own, share[now]) - times(at.L[:, self.lead], closing)
            system = self._system(at, own)
            system[last[now], :, -1] = 0.0
            finite = np.isfinite(off).all(axis=1) & np.isfinite(system).all(axis=(1, 2))
            system[~finite], off[~finite] = 0.0, 0.0
            both = times(np.linalg.pinv(system, rcond=1e-13), off)
            w = closing + times(at.basis, both[:, :-1])
            size = np.abs(np.column_stack([w, both[:, -1]])).max(axis=1)
            good[now] = finite & shrinks(size, previous[now])
            moving = good[now] & (size > _CLOSED)
            now = now[moving]
            if not len(now):
                break
            share[now] += both[moving, -1]
            here.put(now, self.stroke.moved(at.at(moving), w[moving]))
            previous[now] = size[moving]
        good &= np.abs(here.gaps).max(axis=1, initial=0.0) < _CLOSED
        return here, share, good & (here.opposed < _OPPOSED)


def followed(stroke: Stroke, start: Places, goals: np.ndarray, progress: Progress) -> Ways:
    """Lead the motors straight to goals.

    Args:
        stroke: the machine.
        start: places to start from, one for each goal, or one for all.
        goals: positions of the leading motors ``(K, n)`` [rad or m].
        progress: called with the share of the ways that has been followed.
    """
    count = len(goals)
    here = start.repeated(count) if len(start.q) == 1 else start.copied()
    line = _Line(stroke, here.q, goals)
    share, stride = np.zeros(count), np.full(count, _FIRST)
    reasons, axes = [REACHED] * count, [""] * count
    seen = stroke.measured(here)
    signed, smallest = seen.signed.copy(), seen.type_2.copy()
    lowest = here.copied()
    before, ds = line.tangent(here, np.arange(count))
    before, ds = before * np.sign(ds)[:, None], np.abs(ds)
    moves = np.abs(line.way).max(axis=1, initial=0.0) > 0.0
    share[~moves] = 1.0
    now = np.flatnonzero(moves)
    for _ in range(_MOST):
        if not len(now):
            break
        left = (1.0 - share[now]) / np.maximum(ds[now], 1e-300)
        last = left <= stride[now]
        h = np.minimum(left, stride[now])
        aim = np.where(last, 1.0, share[now] + h * ds[now])
        begin = here.at(now)
        there, reached, good = line.arrived(begin, now, h[:, None] * before[now], aim, last)
        tangent, slope = line.tangent(there, now)
        cosine = (tangent * before[now]).sum(axis=1) + slope * ds[now]
        tangent, slope = (np.sign(cosine) * each.T for each in (tangent, slope))
        good &= np.abs(cosine) > _BEND
        figures = stroke.measured(there)
        torn = good & (there.constraint < SINGULAR)
        back = good & ~torn & ((slope <= 0.0) | (figures.signed * signed[now] <= 0.0))
        over = stroke.beyond(there)
        outside = good & ~torn & ~back & (over.max(axis=1, initial=-1.0) > INSIDE)
        fine = good & ~torn & ~back & ~outside
        measure = figures.type_2
        if back.any():
            k = now[back]
            end = _End(there.at(back), h[back], signed[k], figures.signed[back])
            there.put(back, _singular(line, begin.at(back), k, before[k], ds[k], end))
            measure = stroke.measured(there).type_2
            back &= measure <= SINGULAR  # if not, a shorter stride will tell
            reached = np.where(back, _share(line, there, now), reached)
        for i in np.flatnonzero(torn | back):
            reasons[now[i]] = CONSTRAINT if torn[i] else TYPE_2
        taken = now[fine | back]
        here.put(taken, there.at(fine | back))
        share[taken] = reached[fine | back]
        signed[taken] = figures.signed[fine | back]
        before[taken], ds[taken] = tangent.T[fine | back], slope[fine | back]
        lower = (fine | back) & (measure < smallest[now])
        lowest.put(now[lower], there.at(lower))
        smallest[now[lower]] = measure[lower]
        stride[now] = np.where(fine, np.minimum(1.5 * stride[now], _LONGEST), 0.5 * h)
        given_up = ~fine & ~torn & ~back & (stride[now] < _SHORTEST)
        for i in np.flatnonzero(given_up):
            reasons[now[i]] = LIMIT if outside[i] else LOST
            axes[now[i]] = stroke.names[int(np.argmax(over[i]))] if outside[i] else ""
        now = now[~(given_up | torn | back | (fine & last))]
        progress(1.0 - len(now) / count)
    for left_over in now:
        reasons[left_over] = LOST
    return Ways(here, share, reasons, axes, lowest, smallest)


def _singular(
    line: _Line, start: Places, k: np.ndarray, along: np.ndarray, rate: np.ndarray, end: _End
) -> Places:
    """Places beyond a Type 2 singularity replaced by the singular ones.

    Args:
        line: the ways.
        start: places before it.
        k: numbers of their ways.
        along: tangents there.
        rate: shares that these take.
        end: where the strides end.
    """
    first, free = _share(line, start, k), np.zeros(len(k), dtype=bool)

    def at(i: np.ndarray, x: np.ndarray) -> tuple[Places, np.ndarray, np.ndarray]:
        step, share = x[:, None] * along[i], first[i] + x * rate[i]
        place, _, good = line.arrived(start.at(i), k[i], step, share, free[i])
        return place, line.stroke.measured(place).signed, good

    return singular_between(at, end.stride, end.f_low, end.places, end.f_high)


class _End(NamedTuple):
    """Strides that pass a singularity: where they end, their lengths, measures at both ends."""

    places: Places
    stride: np.ndarray
    f_low: np.ndarray
    f_high: np.ndarray


def _share(line: _Line, here: Places, k: np.ndarray) -> np.ndarray:
    """Share of the way at which places are, by the motors."""
    still = line.off(here, k, np.zeros(len(k)))
    way = line.way[k]
    return np.asarray(-(still * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-300))
