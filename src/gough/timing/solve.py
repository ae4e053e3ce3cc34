"""The fastest clock of a path, on a grid that is refined until no limit is passed between places.

What a grid leaves over is a share of a ten-thousandth or less: the clock is slowed by it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.errors import EffortsInfeasible
from gough.timing.heating import Run
from gough.timing.law import Clock, clock_of, slowed, times_inside
from gough.timing.limits import Limits
from gough.timing.path import Stretch
from gough.timing.profile import BESIDE, LOOKED, Grid, Profile, fastest_profile, grid_at
from gough.timing.rows import Loaded, Rows

CLOSE = 1e-3
"""Share of a limit within which it counts as reached at the ends of cells."""

_OVER = 1e-4  # share by which a limit may be passed before cells are cut in two
_REFINED = 8  # times that cells are cut at most
_PARTS = 16  # into which a cell is cut at once
_FINE = (np.arange(10) + 0.5) / 10.0  # shares of a cell that are looked at in the end
_MORE = 1.25  # of what is missing there: between them a little more may be
_SLOW = 1.01  # factor from which a law is not slowed, but found anew
_KEPT = 1e-9  # share by which a limit is passed by rounding
_SMALL = 0.02  # share by which limits are passed that are then tightened
_LEAST = 5e-6  # of what may be passed: less is not worth the cells
_FINEST = 2e-7  # share of the path below which cells are not cut
_NEAR, _TINIEST = 0.02, 1e-12  # the same beside a rest: share of the way to it, and of the path
_GRADED = np.geomspace(1e-11, 1e-3, 18)  # shares of the path beside a rest, where speed goes with
# the root of the way, and viscous friction with the speed
_HALVINGS = 40  # of a cell in which a motor turns back
_MOST = 8000  # cells of a stretch
_SEAM = 8.0 * BESIDE  # share of a path within which friction may jump at its seam


@dataclass(frozen=True, eq=False)
class Solved:
    """The fastest clock of a stretch.

    Attributes:
        stretch: the path.
        clock: place by time.
        run: what motors and platform do at the places that were looked at.
        share: how far each limit is used at the ends of cells, from the side of larger use
            ``(N + 1, L)``.
        slowed: factor by which the clock was slowed, 1 or a little more.
        kinks: places before and beyond each place where a motor turns back, or friction jumps
            ``(K, 2)``; at the seam of a path that is run round after round the first is negative.
    """

    stretch: Stretch
    clock: Clock
    run: Run
    share: np.ndarray
    slowed: float
    kinks: np.ndarray


def solve(loaded: Loaded, limits: Limits, stretch: Stretch, count: int, rest: bool) -> Solved:
    """The fastest clock of a path from rest to rest, or round after round."""
    if rest:
        _check_ends(loaded, limits, stretch)
    s, kinks = _places(loaded, limits, stretch, count, rest)
    allowed = _OVER
    for k in range(_REFINED + 1):
        grid = grid_at(loaded, stretch, s, kinks, seam=not rest)
        profile = _steady(fastest_profile(limits, grid, rest))
        rows, (x, u) = grid.rows, profile.looked_at(grid)
        over = np.maximum(limits.shares(rows, x, u).max(axis=(1, 2)) - 1.0, 0.0)
        factor = slower(limits, rows, x, u)
        if factor < 1.0 + CLOSE:
            between, more = _between(loaded, limits, stretch, grid, profile)
            over, factor = np.maximum(over, between), max(factor, more)
        share = limits.shares(rows, x / factor**2, u / factor**2)
        if not rest:  # one instant, from both sides
            share[[0, -1]] = share[[0, -1]].max(axis=1, keepdims=True)
        if not _idle(share).any() or k == _REFINED:
            break
        allowed = min(allowed, max(0.3 * over.max(), _LEAST))
        parts = _parts(over, s, allowed, rest)
        # what is passed in a cell however small it is, is a jump that was not seen before
        unseen = (over > allowed) & (parts == 1) & ~grid.tiny
        if (parts.max() == 1 and not unseen.any()) or parts.sum() > _MOST:
            break
        kinks = np.sort(np.concatenate([kinks, s[:-1][unseen]]))
        s = _cut(s, parts)
    if factor > _SLOW and over.max() < _SMALL:
        # slowing does not help where the robot is carried by its own speed: tighter limits do
        tight = limits.tightened(1.0 - 2.0 * float(over.max()))
        profile = _steady(fastest_profile(tight, grid, rest))
        x, u = profile.looked_at(grid)
        factor, share = 1.0, limits.shares(rows, x, u)
    _check_kept(limits, stretch, s, share)
    if not rest:  # one instant, from both sides
        share[[0, -1]] = share[[0, -1]].max(axis=1, keepdims=True)
    first, last = share[:, 0], share[:, -1]
    before, after = np.concatenate([first[:1], last]), np.concatenate([first, last[-1:]])
    late = before.max(axis=1) > after.max(axis=1)
    used = np.where(late[:, None], before, after)
    ends = None
    if rest:
        still = loaded.at_rest(stretch, s[[0, -1]])
        low, high = limits.interval(still, np.zeros(2))
        u_ends = np.array([high[0], low[1]]) / factor**2
        ends = (float(high[0]), float(low[1]))
        used[[0, -1]] = limits.shares(still, np.zeros(2), u_ends)
    clock = slowed(clock_of(profile, ends, late), factor)
    t = times_inside(profile, LOOKED) * factor
    run = Run(rows, x / factor**2, u / factor**2, _weights(t))
    sides = np.stack([kinks, s[np.searchsorted(s, kinks) + 1]], axis=1)
    if not rest:
        sides = np.concatenate([_SEAM * stretch.length * np.array([[-1.0, 1.0]]), sides])
    return Solved(stretch, clock, run, used, factor, sides)


def _weights(t: np.ndarray) -> np.ndarray:
    """Weights of the trapezoid rule at times ``(N, M)`` in each cell."""
    steps = np.diff(t, axis=1) / 2.0
    return np.asarray(np.pad(steps, ((0, 0), (1, 0))) + np.pad(steps, ((0, 0), (0, 1))))


def _between(
    loaded: Loaded, limits: Limits, stretch: Stretch, grid: Grid, profile: Profile
) -> tuple[np.ndarray, float]:
    """By how much limits are passed at more places of each cell ``(N,)``, and the factor for it."""
    cells = np.flatnonzero(~grid.tiny)
    rows = loaded.rows(stretch, grid.s[cells, None] + grid.h[cells, None] * _FINE)
    x, u = (part[cells] for part in profile.inside(_FINE))
    over = np.zeros(len(grid.tiny))
    over[cells] = np.maximum(limits.shares(rows, x, u).max(axis=(1, 2)) - 1.0, 0.0)
    return over, 1.0 + _MORE * (slower(limits, rows, x, u) - 1.0)


def _check_ends(loaded: Loaded, limits: Limits, stretch: Stretch) -> None:
    """Refuse a path that begins or ends where motors cannot hold the robot."""
    places = np.array([0.0, stretch.length])
    share = limits.shares(loaded.at_rest(stretch, places), np.zeros(2), np.zeros(2))
    end, worst = np.unravel_index(int(np.argmax(share)), share.shape)
    if share[end, worst] > 1.0:
        raise EffortsInfeasible(
            f"{limits.robot.name}: to hold the robot at rest, {places[end]:.4g} of "
            f"{stretch.length:.4g} along the path, takes {100.0 * share[end, worst]:.0f} % of the "
            f"limit of {limits.names[worst]}",
            hint="Carry less, take a stronger motor or a larger ratio, or another path.",
            place=float(places[end]),
            share=float(share[end, worst]),
            motors=(limits.names[worst],),
        )


def _check_kept(limits: Limits, stretch: Stretch, s: np.ndarray, share: np.ndarray) -> None:
    """Refuse a law that passes a limit all the same."""
    cell, _, worst = np.unravel_index(int(np.argmax(share)), share.shape)
    if not share.max() <= 1.0 + _KEPT:
        raise EffortsInfeasible(
            f"{limits.robot.name}: no law within all limits was found: {s[cell]:.4g} of "
            f"{stretch.length:.4g} along the path {limits.names[worst]} would be at "
            f"{100.0 * share.max():.1f} % of its limit",
            hint="The motors do not get the robot over it: carry less, take a stronger motor "
            "or a larger ratio, or another path.  A larger grid, e.g. grid=1000, looks closer.",
            place=float(s[cell]),
            share=float(share.max()),
            motors=(limits.names[worst],),
        )


def _parts(over: np.ndarray, s: np.ndarray, allowed: float, rest: bool) -> np.ndarray:
    """Into how many parts cells are cut in which limits are passed by more than is allowed.

    What is passed goes with the square of the cells; in a single cell, in which one limit takes
    over from another, with the cells.  Cells beside a rest may be as small as they are near to it.
    """
    h, finest = np.diff(s), np.full(len(over), _FINEST * s[-1])
    if rest:
        finest = np.minimum(finest, _NEAR * np.minimum(s[1:], s[-1] - s[:-1]))
        finest = np.maximum(finest, _TINIEST * s[-1])
    beside = np.maximum(np.append(over[1:], 0.0), np.insert(over[:-1], 0, 0.0))
    times = 2.0 * over / allowed
    parts = np.where(over > 4.0 * beside, times, np.sqrt(times))
    parts = np.where(over > allowed, np.ceil(parts), 1.0)
    return np.where(h < finest, 1, np.clip(parts, 1, _PARTS)).astype(int)


def _cut(s: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Ends of cells, each cut into a number of parts."""
    cell = np.repeat(np.arange(len(parts)), parts)
    within = np.arange(len(cell)) - np.repeat(np.cumsum(parts) - parts, parts)
    return np.append(s[cell] + np.diff(s)[cell] * within / parts[cell], s[-1])


def _idle(share: np.ndarray) -> np.ndarray:
    """Ends of cells at which no limit is reached."""
    used = share.max(axis=2)
    ends = np.concatenate([used[:1, 0], np.maximum(used[:-1, -1], used[1:, 0]), used[-1:, -1]])
    return np.asarray(ends < 1.0 - CLOSE)


def _steady(profile: Profile) -> Profile:
    """The profile with even accelerations in cells in which it would come to rest inside."""
    share = np.linspace(0.0, 1.0, 9)[1:-1]
    h, (a, b) = np.diff(profile.s)[:, None], profile.u.T[..., None]
    inside = profile.x[:-1, None] + 2.0 * h * share * (a + 0.5 * (b - a) * share)
    stops = inside.min(axis=1) <= 0.0
    even = np.diff(profile.x) / (2.0 * h[:, 0])
    return Profile(profile.s, profile.x, np.where(stops[:, None], even[:, None], profile.u))


def _places(
    loaded: Loaded, limits: Limits, stretch: Stretch, count: int, rest: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Ends of cells, and those of them where tiny cells begin in which motors turn back.

    Half of them are even by length, half by the motion's own time, which is slow where the path is
    bent and beside rests.
    """
    fine = np.concatenate([[0.0], np.geomspace(1e-9, 0.5, 2000)])
    fine = stretch.length * np.unique(np.concatenate([fine, 1.0 - fine]))
    t = stretch.at(fine)
    even = fine / stretch.length + (t - t[0]) / (t[-1] - t[0])
    s = np.interp(np.linspace(0.0, 2.0, count + 1), even, fine)
    if rest:
        graded = stretch.length * _GRADED
        graded = graded[graded < 0.5 * min(s[1], stretch.length - s[-2])]
        s = np.concatenate([[0.0], graded, s[1:-1], stretch.length - graded[::-1], s[-1:]])
    length = stretch.length
    aside = BESIDE * length
    if not rest:
        s = np.concatenate([[0.0, _SEAM * length], s[1:-1], [(1.0 - _SEAM) * length, length]])
    near = 4.0 * aside if rest else (_SEAM + 4.0 * BESIDE) * length
    turns, flat = (
        np.sort(x[(x > near) & (x < length - near)]) for x in _kinks(loaded, limits, stretch, s)
    )
    # several motors may turn back at the same place, but for rounding
    groups = np.split(turns, np.flatnonzero(np.diff(turns) > 4.0 * aside) + 1)
    pairs = np.array([(each[0] - aside, each[-1] + aside) for each in groups if len(each)])
    flat = flat[_apart(flat, turns) > 4.0 * aside]
    near = np.minimum(_apart(s, turns), _apart(s, flat))
    cell = np.minimum(np.diff(s, prepend=-np.inf), np.diff(s, append=np.inf))
    kept = near > np.maximum(0.05 * cell, 3.0 * aside)
    kept[[0, -1]] = True
    if not rest:
        kept[[1, -2]] = True
    return np.unique(np.concatenate([s[kept], flat, pairs.ravel()])), pairs.reshape(-1, 2)[:, 0]


def _apart(s: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Distance of each place from the nearest of others."""
    return np.asarray(np.abs(s[:, None] - others).min(axis=1, initial=np.inf))


def _kinks(
    loaded: Loaded, limits: Limits, stretch: Stretch, s: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Places where a motor turns back or friction jumps, and where one has no inertia."""

    def slopes(at: np.ndarray) -> np.ndarray:
        return limits.slopes(loaded.rows(stretch, at))

    value = slopes(s)
    # what is rounding beside the others has no sign
    sign = np.where(np.abs(value) > 1e-9 * np.abs(value).max(axis=0), np.sign(value), 0.0)
    cell, column = np.nonzero(sign[:-1] * sign[1:] < 0.0)
    low, high, first = s[cell], s[cell + 1], sign[cell, column]
    for _ in range(_HALVINGS if len(cell) else 0):
        middle = 0.5 * (low + high)
        same = np.sign(slopes(middle)[np.arange(len(cell)), column]) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found, back = 0.5 * (low + high), column < len(limits.robot.motors)
    return np.concatenate([found[back], loaded.jumps(stretch, s)]), found[~back]


def slower(limits: Limits, rows: Rows, x: np.ndarray, u: np.ndarray) -> float:
    """The least factor by which a clock is slowed so that no limit is passed."""
    over = limits.shares(rows, x, u).max(axis=-1) > 1.0
    if not over.any():
        return 1.0
    rows, x, u = rows.at(over), x[over], u[over]

    def fits(factor: float) -> bool:
        return bool(limits.shares(rows, x / factor**2, u / factor**2).max() <= 1.0)

    low, high = 1.0, 1.001
    while not fits(high) and high < 1e3:
        low, high = high, 1.0 + 2.0 * (high - 1.0)
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high
