"""How far each freedom goes while all others may move as needed: extremes of what is connected.

Steps are those of affine scaling, which slide along a border.  Every one is a straight way that is
followed from a free state to a free one, so that whatever is found is connected with home.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.progress import Progress
from gough.evaluation.loops.closing import States
from gough.singularity.workspace.scaling import LONGEST, SHARE, scaled_step
from gough.singularity.workspace.walking import Walker

# Natural units.
_LEAST = 1e-9  # of ways that may end after any small part
_DIFFERENCE = 1e-5  # for slopes: states are closed to 1e-11, which leaves 1e-6 in a slope
_STEPS = 60  # of a search
_SEARCHES = 10  # rounds of searches, at most
_ENOUGH, _POOR = 1e-3, 3  # gain of a round, as a share, that is poor; so many end the search
_FEW = 5  # steps that gain nothing, before a search ends


class Extremes(NamedTuple):
    """Extremes of n freedoms: the lowest of each, then the highest.

    Attributes:
        reached: displacement from home, times its direction ``(2 n,)`` [m or rad].
        states: where.
        gained: what the last rounds of searches, three at most, added ``(2 n,)`` [m or rad].
    """

    reached: np.ndarray
    states: States
    gained: np.ndarray


def find_extremes(
    walker: Walker, bounds: np.ndarray, starts: int, tolerance: float, progress: Progress
) -> Extremes:
    """Extremes of every freedom over all that is connected with home, as far as searches find them.

    The first round starts in random states, the next ones around the best end of the one before,
    until three in a row gain next to nothing.

    Args:
        walker: of the robot.
        bounds: lowest and highest value of every freedom ``(n, 2)``: searches end there.
        starts: searches for each extreme in each round.
        tolerance: gain of a step below which a search ends, natural units.
        progress: called with the share done.
    """
    n, free = len(bounds), walker.closer.free
    scales, rng = walker.assembly.scales.freedoms, np.random.default_rng(0)
    ways = np.concatenate([-np.eye(n), np.eye(n)])
    start = walker.closer.home.y[0, free] / scales
    best = walker.closer.home.repeated(2 * n)
    value, gained = np.zeros(2 * n), np.zeros(2 * n)
    lately = np.zeros((2 * n, _POOR))  # gains of the last rounds
    begin = _random_states(walker, starts, rng)
    now, poor = np.arange(2 * n), np.zeros(2 * n, dtype=int)
    for r in range(_SEARCHES):
        each = np.tile(now, starts)
        if r:  # some way back from the best, in random directions
            aside = rng.normal(size=(len(each), n))
            aside /= np.linalg.norm(aside, axis=1, keepdims=True)
            goal = best.y[each][:, free] + (aside - ways[each]) * scales
            places = _part_way(walker, best.at(each), goal, rng)
        else:
            places = begin.at(np.repeat(np.arange(starts), len(now)))
        found = climbed(walker, places, ways[each], bounds, tolerance)
        reached = _along(found, ways[each], free, scales) - ways[each] @ start
        pick = reached.reshape(starts, len(now)).argmax(axis=0) * len(now) + np.arange(len(now))
        more = reached[pick] - value[now]
        gained[now] = np.maximum(more, 0.0)
        lately[now] = np.concatenate([lately[now, 1:], gained[now, None]], axis=1)
        kept = more > 0.0
        best.put(now[kept], found.at(pick[kept]))
        value[now] += gained[now]
        progress((r + 1) / _SEARCHES)
        poor[now] = np.where(gained[now] > _ENOUGH * value[now], 0, poor[now] + 1)
        now = now[poor[now] < _POOR]
        if not len(now):
            break
    unit = np.tile(scales, 2)
    return Extremes(value * unit, best, lately.sum(axis=1) * unit)


def _random_states(walker: Walker, count: int, rng: np.random.Generator) -> States:
    """Free states around home, home first."""
    home, free = walker.closer.home, walker.closer.free
    ways = rng.normal(size=(count, len(free)))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    ways[0] = 0.0
    goal = home.y[:, free] + ways * walker.assembly.scales.freedoms
    return _part_way(walker, home.repeated(count), goal, rng)


def _part_way(walker: Walker, begin: States, goal: np.ndarray, rng: np.random.Generator) -> States:
    """States led along straight ways to a random part of what is free of them."""
    start = begin.y[:, walker.closer.free]
    share = walker.walked(begin, goal, _LEAST, relative=0.05).share
    share *= rng.uniform(0.2, 0.9, size=len(goal))
    return walker.walked(begin, start + share[:, None] * (goal - start), 0.05).last


def climbed(
    walker: Walker, begin: States, ways: np.ndarray, bounds: np.ndarray, tolerance: float
) -> States:
    """Lead free states as far as they go along directions of the freedoms.

    Args:
        walker: of the robot.
        begin: free states ``(K,)``.
        ways: unit directions in the freedoms ``(K, n)``.
        bounds: lowest and highest value of every freedom ``(n, 2)``: the search ends there.
        tolerance: gain of a step below which it counts as idle, natural units.
    """
    scales, free = walker.assembly.scales.freedoms, walker.closer.free
    here = States(*(array.copy() for array in begin))
    value = _along(here, ways, free, scales)
    idle = np.zeros(len(ways), dtype=int)
    for _ in range(_STEPS):
        now = np.flatnonzero(idle < _FEW)
        if not len(now):
            break
        states = here.at(now)
        step = scaled_step(*_sloped(walker, states, bounds), ways[now])
        x = states.y[:, free]
        ends = walker.walked(states, x + step * scales, 0.1)
        # a way that ended early ends at a border: the next step needs some room
        back = ends.share < 1.0
        goal = x + (SHARE * ends.share)[:, None] * step * scales
        settled = States(*(array.copy() for array in ends.last))
        settled.put(back, walker.walked(ends.last.at(back), goal[back], 0.5).last)
        gained = _along(settled, ways[now], free, scales)
        better = gained > value[now] + tolerance
        idle[now] = np.where(better, 0, idle[now] + 1)
        kept = gained > value[now]
        here.put(now[kept], settled.at(kept))
        value[now[kept]] = gained[kept]
    # what is left goes straight to the border
    x = here.y[:, free]
    room = np.where(ways > 0, bounds[:, 1] - x, x - bounds[:, 0]) / scales
    length = np.where(np.abs(ways) > 0, room, np.inf).min(axis=1)
    length = np.maximum(np.minimum(length, LONGEST), 1e-12)
    ends = walker.walked(here, x + length[:, None] * ways * scales, tolerance / length)
    return ends.last


def _along(states: States, ways: np.ndarray, free: list[int], scales: np.ndarray) -> np.ndarray:
    """Freedoms of states along directions, natural units ``(K,)``."""
    return np.asarray(((states.y[:, free] / scales) * ways).sum(axis=1))


def _sloped(walker: Walker, states: States, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Margins ``(K, c)`` and their slopes by the freedoms ``(K, c, n)``, natural units."""
    scales, free = walker.assembly.scales.freedoms, walker.closer.free
    n = len(free)
    x = states.y[:, free]

    def look(at: States) -> np.ndarray:
        values = at.y[:, free]
        room = np.column_stack([values - bounds[:, 0], bounds[:, 1] - values])
        return np.column_stack([walker.margins(at), room / np.tile(scales, 2)])

    g = look(states)
    slopes = np.zeros((len(g), n, g.shape[1]))
    left = np.ones((len(g), n), dtype=bool)
    for sign in (1.0, -1.0):  # the other side where one is refused
        k, i = np.nonzero(left)
        goal = x[k].copy()
        goal[np.arange(len(k)), i] += sign * _DIFFERENCE * scales[i]
        there = walker.closer.led(states.at(k), goal, 1)
        k, i, there = k[there.good], i[there.good], there.at(there.good)
        slopes[k, i] = (look(there) - g[k]) / (sign * _DIFFERENCE)
        left[k, i] = False
        if not left.any():
            break
    return g, slopes.swapaxes(1, 2)
