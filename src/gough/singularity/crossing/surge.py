"""A clock that speeds up, or slows down, where the criterion needs an acceleration.

The slower a singular pose is passed, the shorter is the way on which the clock can have the
acceleration that is needed there: longer, it would stop before it, or be too fast behind.  A
polynomial in time cannot be that local.  Here the squared rate ``z`` of the clock is a function of
the place,

    log z = level W(s) + sum_i (c_i + b_i tanh((s - s_i) / w_i)) B_i(s)

with a window ``B_i`` about every singular place, 1 there and 0 at the next ones and at the ends.
The slope of ``log z`` at ``s_i`` is what the criterion needs, ``2 sdd / sd^2``; ``w_i`` is so small
that ``b_i`` stays moderate.  There is such a clock for every speed ``c_i`` and every level, so that
any duration can be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gough.motion.laws import Law
from gough.singularity.crossing.laws import clock

_SWING = 0.7
"""Largest ``b``: ``z`` changes by a factor of four from one side of a place to the other."""

_NARROW = 0.2  # widest w over the distance to the next place: tanh is 1 there to 1e-4
_EDGE = 0.25  # share of a path on which the level rises and falls, where the ends are held
_LEVELS = 12.0  # of log z, either way: clocks up to 400 times faster or slower than the usual one
_AROUND = np.concatenate([-np.geomspace(0.25, 16.0, 13)[::-1], [0.0], np.geomspace(0.25, 16.0, 13)])


class Surge:
    """The squared rate of such a clock.

    Args:
        end: the last place; the first is 0.
        places: the singular ones.
        need: acceleration of the clock that the criterion needs, by number of the place and rate.
        rates: of the clock at the places, by that of the level; or as they are, if ``exact``.
        level: of ``log z`` away from the places.
        held: whether ``z`` is 1 at both ends, with no slope.
        exact: whether ``rates`` are meant as they are.
    """

    def __init__(
        self,
        end: float,
        places: Sequence[float],
        need: Callable[[int, float], float],
        rates: Sequence[float],
        *,
        level: float = 0.0,
        held: bool = False,
        exact: bool = False,
    ) -> None:
        self.end, self.places, self.level, self.held = end, list(places), level, held
        bounds = [0.0, *self.places, end]
        self.reach = [
            (place - bounds[i], bounds[i + 2] - place) for i, place in enumerate(self.places)
        ]
        self.raised, self.swing, self.width = [], [], []
        for i, (place, rate) in enumerate(zip(self.places, rates, strict=True)):
            W, slope = (float(each[0]) for each in self._level(np.array([place])))
            log_z = 2.0 * np.log(rate) + (0.0 if exact else W)
            steep = 2.0 * need(i, float(np.exp(log_z / 2.0))) / np.exp(log_z) - slope
            width = _NARROW * min(self.reach[i])
            if abs(steep) * width > _SWING:
                width = _SWING / abs(steep)
            self.raised.append(log_z - W)
            self.swing.append(steep * width)
            self.width.append(width)

    def z(self, s: np.ndarray) -> np.ndarray:
        """The squared rate at places."""
        return np.asarray(np.exp(self._log(s)[0]))

    def slope(self, s: np.ndarray) -> np.ndarray:
        """Its derivative."""
        value, slope = self._log(s)
        return np.asarray(np.exp(value) * slope)

    def edges(self) -> np.ndarray:
        """Places between which ``z`` is smooth and does not change much."""
        found = [self.end * np.array([0.0, _EDGE, 1.0 - _EDGE, 1.0])]
        found += [p + w * _AROUND for p, w in zip(self.places, self.width, strict=True)]
        every = np.concatenate(found)
        return np.unique(every[(every >= 0.0) & (every <= self.end)])

    def clock(self) -> tuple[Law, float]:
        """Its law, and how long it takes [s]."""
        return clock(self.z, self.slope, self.end, self.edges())

    def _log(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        value, slope = self._level(s)
        for i, place in enumerate(self.places):
            off = s - place
            reach = np.where(off < 0.0, -self.reach[i][0], self.reach[i][1])
            share = np.clip(off / reach, 0.0, 1.0)
            step, rise = _step(share)
            tanh = np.tanh(off / self.width[i])
            height = self.raised[i] + self.swing[i] * tanh
            value = value + height * (1.0 - step)
            slope = slope - height * rise / reach
            slope = slope + self.swing[i] / self.width[i] * (1.0 - tanh**2) * (1.0 - step)
        return value, slope

    def _level(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not self.held:
            return np.full_like(s, self.level), np.zeros_like(s)
        room = _EDGE * self.end
        near = np.minimum(s, self.end - s) / room
        step, rise = _step(np.clip(near, 0.0, 1.0))
        return self.level * step, self.level * rise * np.where(s < 0.5 * self.end, 1, -1) / room


def lasting(seconds: float, make: Callable[[float], Surge]) -> Surge | None:
    """The clock whose level makes it take so long, or ``None``.

    Args:
        seconds: how long [s].
        make: the clock of a level.
    """
    from scipy.optimize import brentq  # noqa: PLC0415  heavy: loaded on first use

    def late(level: float) -> float:
        return float(np.log(make(level).clock()[1] / seconds))

    with np.errstate(all="ignore"):
        low, high = late(-_LEVELS), late(_LEVELS)
        if not (np.isfinite([low, high]).all() and low > 0.0 > high):
            return None
        # the duration is then exact to rounding, as a user who gives one expects
        return make(brentq(late, -_LEVELS, _LEVELS, xtol=1e-14, rtol=1e-14))


def _step(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From 0 to 1 on the unit interval, three derivatives zero at both ends; and its slope."""
    value = x**4 * (35.0 - 84.0 * x + 70.0 * x**2 - 20.0 * x**3)
    return value, 140.0 * x**3 * (1.0 - x) ** 3
