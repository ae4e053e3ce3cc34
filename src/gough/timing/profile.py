"""The largest speed along a path, by reachability: what can still be braked, then full throttle.

The squared rate ``x`` of the clock is quadratic by place in every cell of a grid, its acceleration
``u`` linear: ``x_1 = x_0 + h (u_0 + u_1)``.  A backward pass finds the largest ``x`` from which the
rest of the path can be run within all limits, a forward pass takes the largest that can be reached
below it.  Limits are kept at both ends of every cell.  Both passes hold where a motor has no
inertia along the path, which is where searches for switching points fail.

Q. C. Pham and H. Pham, "A New Approach to Time-Optimal Path Parameterization based on Reachability
Analysis", IEEE Trans. on Robotics 34 (2018), has piecewise constant ``u``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from gough.errors import EffortsInfeasible, InputError
from gough.timing.limits import Limits
from gough.timing.path import Stretch
from gough.timing.rows import Loaded, Rows

_ASIDE = 1e-5  # share of a cell by which its ends are looked at from inside: friction jumps there
_BETWEEN = np.linspace(0.0, 1.0, 16)  # shares at which values of x are tried at once
_ROUNDS = 6  # of trying, each between two neighbours of the last
_GUESSED = 0.02  # share of an acceleration within which it is expected
_NARROW = 0.02  # share of an acceleration from which a straight line finds it: its square is left
_SPREAD = np.array([-1e3, -30.0, -8.0, -3.0, -1.0, -0.3, 0.0, 0.3, 1.0, 3.0, 8.0, 30.0, 1e3])
_EVENLY = np.linspace(0.0, 1.0, 6)
_SCANNED = np.concatenate([[0.0], np.geomspace(1e-8, 1.0, 40)])  # shares of x that are tried first
_HALVINGS = 26  # between two neighbours of those
_LAPS = 12  # rounds of a closed path, until speeds repeat themselves; two or three do
_SAME = 1e-9  # relative difference of squared rates that are the same but for rounding

LOOKED = np.array([_ASIDE, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0 - _ASIDE])
"""Places in each cell at which limits are looked at; the ends from inside."""

BESIDE = 1e-9
"""Share of a path by which ends of cells lie before and beyond places where a motor turns back.

At the place itself friction has no direction.
"""

BEGIN, THIRD, TWO_THIRDS, END = 0, 1, 3, 4
_OF_TINY = np.array([BEGIN, BEGIN, BEGIN, END, END])  # what stands for places of a tiny cell


@dataclass(frozen=True, eq=False)
class Grid:
    """A path cut into N cells.

    Attributes:
        s: lengths at the ends of the cells ``(N + 1,)``.
        rows: coefficients at the places ``LOOKED`` of each cell ``(N, 5, ...)``.
        tiny: cells inside which friction jumps ``(N,)``: only their ends count.
        seam: whether the first cell and the last are tiny and have the same rows, those before and
            beyond the seam of a path that is run round after round.
    """

    s: np.ndarray
    rows: Rows
    tiny: np.ndarray
    seam: bool

    @property
    def h(self) -> np.ndarray:
        """Lengths of the cells."""
        return np.diff(self.s)


def grid_at(
    loaded: Loaded, stretch: Stretch, s: np.ndarray, kinks: np.ndarray, *, seam: bool
) -> Grid:
    """Coefficients in all cells between lengths.

    Args:
        loaded: the robot.
        stretch: the path.
        s: ends of the cells.
        kinks: where tiny cells begin in which friction jumps.
        seam: whether the path is run round after round, its first and last cell being tiny: at its
            seam, where one round ends and the next begins, friction may jump on either side.
    """
    rows = loaded.rows(stretch, s[:-1, None] + np.diff(s)[:, None] * LOOKED)
    tiny = np.isin(s[:-1], kinks)
    if seam:
        tiny[[0, -1]] = True
    which = np.where(tiny[:, None], _OF_TINY, np.arange(len(LOOKED)))
    cell = np.broadcast_to(np.arange(len(s) - 1)[:, None], which.shape).copy()
    if seam:
        cell[0, which[0] == BEGIN], cell[-1, which[-1] == END] = len(s) - 2, 0
    return Grid(s, rows.at((cell, which)), tiny, seam)


@dataclass(frozen=True, eq=False)
class Profile:
    """The squared rate of a clock by place.

    Attributes:
        s: ends of the cells ``(N + 1,)``.
        x: squared rates there ``(N + 1,)``.
        u: accelerations at the beginning and at the end of each cell ``(N, 2)``.
    """

    s: np.ndarray
    x: np.ndarray
    u: np.ndarray

    def looked_at(self, grid: Grid) -> tuple[np.ndarray, np.ndarray]:
        """``x`` and ``u`` at the places ``LOOKED`` of all cells ``(N, 5)``."""
        x, u = self.inside(LOOKED)
        return x, np.where(grid.tiny[:, None], u[:, _OF_TINY], u)

    def inside(self, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """``x`` and ``u`` at shares of all cells ``(N, M)``."""
        h, (a, b) = np.diff(self.s)[:, None], self.u.T[..., None]
        x = self.x[:-1, None] + 2.0 * h * share * (a + 0.5 * (b - a) * share)
        return np.maximum(x, 0.0), a + (b - a) * share


def fastest_profile(limits: Limits, grid: Grid, rest: bool) -> Profile:
    """The largest speed along a path.

    Args:
        limits: to keep.
        grid: the path.
        rest: whether it begins and ends at rest; otherwise it goes round, its end being its start.

    Raises:
        EffortsInfeasible: a motor cannot even hold the robot, or not move it.
    """
    return _Search(limits, grid, rest).profile()


class _Search:
    """Both passes over a grid.

    In a cell that is run through at full throttle limits are reached at a third of it and at its
    end, in one that is braked through at its beginning and at two thirds: Radau's points, at which
    the passes stay calm where a motor's inertia along the path vanishes.
    """

    def __init__(self, limits: Limits, grid: Grid, rest: bool) -> None:
        self.limits, self.grid, self.rest, self.h = limits, grid, rest, grid.h
        self.n = len(self.h)
        self.caps = _caps(limits, grid)
        allowed = limits.allowed(grid.rows)
        self.places = [[allowed.at((i, k)) for k in range(len(LOOKED))] for i in range(self.n)]
        self.tight = np.zeros(self.n, dtype=bool)
        at_rest = allowed.at((slice(None), BEGIN)).interval(np.zeros(self.n))
        self.size = float(np.median(np.abs(at_rest)))
        if grid.seam:
            ends = [0, 1, -2, -1]  # both cells are one place
            self.caps[ends] = self._seam_cap(float(self.caps[ends].min()))

    def profile(self) -> Profile:
        """The largest speed along the grid."""
        top = self.caps.copy()
        if self.rest:
            top[0] = top[-1] = 0.0
            return Profile(self.grid.s, *self._forward(self._backward(top), 0.0))
        top[0] = top[-1] = min(top[0], top[-1])
        for _ in range(_LAPS):
            top = self._backward(top)
            if top[0] >= top[-1] * (1.0 - _SAME):
                break
            top[-1] = top[0]
        start = min(top[0], top[-1])
        for _ in range(_LAPS):
            x, u = self._forward(top, start)
            if x[-1] >= start * (1.0 - _SAME):
                break
            start = x[-1]
        return Profile(self.grid.s, x, u)

    def _seam_cap(self, most: float) -> float:
        """The largest ``x`` at which some acceleration keeps the limits on both sides of a seam."""

        def fits(x: float) -> bool:
            (a, b), (c, d) = (self._single(0, place, x) for place in (BEGIN, END))
            return max(a, c) <= min(b, d)

        low, high = 0.0, most
        for _ in range(0 if fits(most) else 2 * _HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if fits(middle) else (low, middle)
        return most if fits(most) else low

    def _interval(self, i: int, place: int, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.places[i][place].interval(np.maximum(x, 0.0))

    def _single(self, i: int, place: int, x: float) -> tuple[float, float]:
        low, high = self._interval(i, place, np.array([x]))
        return float(low[0]), float(high[0])

    def _at_jump(self, i: int, place: int, x: float) -> tuple[float, float]:
        """The same at an end of a tiny cell, where ``x`` may be above its cap by rounding."""
        at = min(x, self.caps[i + (place == END)])
        low, high = self._single(i, place, at)
        if self.grid.seam and i in (0, self.n - 1):
            # within rounding it is not known on which side the robot is
            sides = [self._single(i, each, at) for each in (BEGIN, END)]
            low, high = max(side[0] for side in sides), min(side[1] for side in sides)
        if low <= high:
            return low, high
        middle = 0.5 * (low + high)
        return (middle, middle) if np.isfinite(middle) else (0.0, 0.0)

    def _backward(self, top: np.ndarray) -> np.ndarray:
        """The largest ``x`` from which the rest of the path can be run."""
        found = top.copy()
        for i in range(self.n - 1, -1, -1):
            if self.grid.tiny[i]:
                first, last = (self._at_jump(i, place, found[i + 1])[0] for place in (BEGIN, END))
                most = found[i + 1] - self.h[i] * (first + last)
                self.tight[i] = most < found[i]
                found[i] = min(most, found[i])
                continue
            guess = _ahead(self.grid.s[i : i + 4], found[i : i + 4])
            over = partial(self._too_fast, i, found[i + 1])
            found[i], self.tight[i] = _largest(over, found[i], guess, self.h[i], self.size)
        return found

    def _too_fast(self, i: int, goal: float, x: np.ndarray) -> np.ndarray:
        """By how much braking falls short, from ``x`` at the beginning of a cell to its end."""
        h = self.h[i]
        first, most = self._interval(i, BEGIN, x)
        later = (goal - x - 0.5 * h * first) / (1.5 * h)
        inside = goal - h * (5.0 * later - first) / 6.0
        low, high = self._interval(i, TWO_THIRDS, inside)
        return np.where((first <= most) & (low <= high), low - later, np.inf)

    def _forward(self, top: np.ndarray, start: float) -> tuple[np.ndarray, np.ndarray]:
        """The largest ``x`` that can be reached, and accelerations."""
        x, u = np.zeros(self.n + 1), np.zeros((self.n, 2))
        x[0] = start
        for i in range(self.n):
            known = slice(i + 1, max(i - 3, -1) if i > 2 else None, -1)
            guess = _ahead(self.grid.s[known], x[known])
            x[i + 1], u[i] = self._step(i, x[i], top, guess)
        return x, u

    def _step(
        self, i: int, x: float, top: np.ndarray, guess: float
    ) -> tuple[float, tuple[float, float]]:
        """From one end of a cell to the other, as fast as can be."""
        h, goal = self.h[i], top[i + 1]
        at_top = x >= top[i]
        if self.grid.tiny[i]:
            side = 0 if self.tight[i] and at_top else 1
            begin, end = (self._at_jump(i, place, x)[side] for place in (BEGIN, END))
            to = min(goal, x + h * (begin + end))
            return to, (begin, end)
        if self.tight[i] and at_top:
            begin = self._single(i, BEGIN, x)[0]
            later = (goal - x - 0.5 * h * begin) / (1.5 * h)
            return goal, (begin, 1.5 * later - 0.5 * begin)
        over = partial(self._too_far, i, x)
        to, short = _largest(over, goal, guess, h, self.size)
        mean = (to - x) / h
        if short:
            end = self._single(i, END, to)[1]
            return to, (mean - end, end)
        low, high = self._single(i, BEGIN, x)
        if at_top:  # along a limit of speed
            begin = min(max(0.5 * mean, low), high)
        else:
            least = self._single(i, END, to)[0]
            begin = high if mean - high >= least else mean - least
        return to, (begin, mean - begin)

    def _too_far(self, i: int, x: float, to: np.ndarray) -> np.ndarray:
        """By how much full throttle falls short, from ``x`` to values at the end of a cell."""
        h = self.h[i]
        least, last = self._interval(i, END, to)
        earlier = (to - x - 0.5 * h * last) / (1.5 * h)
        inside = x + h * (5.0 * earlier - last) / 6.0
        low, high = self._interval(i, THIRD, inside)
        return np.where((least <= last) & (low <= high), earlier - high, np.inf)


def _ahead(s: np.ndarray, x: np.ndarray) -> float:
    """The first of values by place, extrapolated from the others: two of them, or three."""
    if len(s) < 3:
        return float(x[-1])
    if len(s) < 4:
        return float(x[1] + (x[1] - x[2]) * (s[0] - s[1]) / (s[1] - s[2]))
    one, two = (x[1] - x[2]) / (s[1] - s[2]), (x[2] - x[3]) / (s[2] - s[3])
    bend = (one - two) / (s[1] - s[3])
    return float(x[1] + (s[0] - s[1]) * (one + (s[0] - s[2]) * bend))


def _largest(
    over: Callable[[np.ndarray], np.ndarray], cap: float, guess: float, h: float, size: float
) -> tuple[float, bool]:
    """The largest ``x`` up to a cap that is not over, and whether it is less than the cap.

    Args:
        over: by how much accelerations fall short, positive where they do.
        cap: the largest value.
        guess: where the largest is expected.
        h: length of the cell.
        size: of accelerations along the path.
    """
    near = np.concatenate([guess + _GUESSED * h * size * _SPREAD, cap * _EVENLY])
    tried = np.sort(np.minimum(np.maximum(near, 0.0), cap))
    for k in range(_ROUNDS):
        value = over(tried)
        good = np.flatnonzero(value <= 0.0)
        if not len(good):
            return float(tried[0]), True
        last = int(good[-1])
        if last == len(tried) - 1:
            return float(tried[-1]), k > 0
        low, high, at_low, at_high = *tried[last : last + 2], *value[last : last + 2]
        if at_high - at_low < _NARROW * size:
            break
        tried = low + (high - low) * _BETWEEN
    if np.isfinite(at_high) and at_high > at_low:
        low += (high - low) * -at_low / (at_high - at_low)
    return float(low), True


def _caps(limits: Limits, grid: Grid) -> np.ndarray:
    """The largest ``x`` at the ends of cells at which some acceleration keeps all limits."""
    found = [
        _most(limits, grid.rows.at((slice(None), place)), grid, side)
        for side, place in enumerate((BEGIN, END))
    ]
    return np.concatenate([found[0][:1], np.minimum(found[0][1:], found[1][:-1]), found[1][-1:]])


def _most(limits: Limits, rows: Rows, grid: Grid, side: int) -> np.ndarray:
    """The same at one end of all cells ``(N,)``; below it all ``x`` are allowed."""
    count = len(grid.h)
    low, high = limits.interval(rows, np.zeros(count))
    _check_rest(limits, rows, grid, side, low, high)
    most = limits.most(rows)
    wide, each = limits.allowed(rows.at((slice(None), None))), limits.allowed(rows)
    size = np.abs([low, high]).max()
    if limits.by_speed:  # a motor may have more torque on the way than at standstill
        a, b = wide.interval(np.where(np.isfinite(most), most, 0.0)[:, None] * _SCANNED)
        size = np.abs([a, b]).max(where=a <= b, initial=size)
    tops = np.minimum(most, 20.0 * grid.s[-1] * float(size))
    tried = tops[:, None] * _SCANNED
    a, b = wide.interval(tried)
    bad = ~(a <= b)
    bad[:, 0] = False  # checked above, and x = 0 may be on the border by rounding
    first = np.where(bad.any(axis=1), bad.argmax(axis=1), len(_SCANNED) - 1)
    rows_at = np.arange(count)
    good, worse = tried[rows_at, np.maximum(first - 1, 0)], tried[rows_at, first]
    fits = ~bad.any(axis=1)
    for _ in range(_HALVINGS):
        middle = 0.5 * (good + worse)
        a, b = each.interval(middle)
        allowed = a <= b
        good, worse = np.where(allowed, middle, good), np.where(allowed, worse, middle)
    return np.asarray(np.where(fits, tops, good))


def _check_rest(
    limits: Limits, rows: Rows, grid: Grid, side: int, low: np.ndarray, high: np.ndarray
) -> None:
    """Refuse a path on which nothing bounds accelerations, or on which motors cannot hold."""
    name = limits.robot.name
    if not (np.isfinite(low) & np.isfinite(high) | (low > high)).all():
        turns = not rows.p1[..., :3].any()
        own = "turning_acceleration=... (the path only turns)" if turns else "acceleration=..."
        raise InputError(
            f"{name}: nothing limits the acceleration along the path: no motor that moves has a "
            "peak torque, a curve or an effort limit",
            hint="Give motor: {peak: ...} or limits: {effort: ...} to the axes, or "
            f"motor_acceleration=..., {own} to this function (options in a command).",
            argument="robot",
        )
    bad = np.flatnonzero(low > high)
    if not len(bad):
        return
    k = int(bad[0])
    still = np.zeros(1)
    shares = limits.shares(rows.at(slice(k, k + 1)), still, still)[0]
    worst = int(np.argmax(shares))
    place = float(grid.s[k + side])
    raise EffortsInfeasible(
        f"{name}: at {place:.4g} of {grid.s[-1]:.4g} of the path the limits are passed at any "
        f"speed: to hold the robot there takes {100.0 * shares[worst]:.0f} % of the limit of "
        f"{limits.names[worst]}",
        hint="Carry less, take a stronger motor or a larger ratio, or another path.",
        place=place,
        share=float(shares[worst]),
        motors=(limits.names[worst],),
    )
