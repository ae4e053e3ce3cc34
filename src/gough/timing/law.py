"""The clock of a profile: in every cell the acceleration is linear by place.

``s'' = u_0 + k (s - s_0)`` is solved by hyperbolic or plain sines, so that place, rate and
acceleration are exact at all times, and continuous in time but for jumps of the acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.motion.jets import Jet
from gough.timing.profile import Profile

_HAIR = 1e-12  # share of the duration: times that differ less are the same but for rounding
_SERIES = 1e-2  # below it functions are summed as series, four terms of which are exact to rounding


@dataclass(frozen=True, eq=False)
class Clock:
    """Place on a path by time.

    Attributes:
        t: times at the ends of the cells ``(N + 1,)`` [s].
        s: places there ``(N + 1,)``.
        v: rates there ``(N + 1,)``.
        u: accelerations at the beginning and at the end of each cell ``(N, 2)``.
        total: integral of the place over time up to the ends of cells ``(N + 1,)``.
        edges: times between which a cell is asked ``(N + 1,)``: where the acceleration jumps, a
            hair beside ``t``, so that at ``t`` itself the side that uses its limits more answers.
        rests: accelerations at the instants of rest at both ends; ``None`` if the clock goes on
            round after round.
    """

    t: np.ndarray
    s: np.ndarray
    v: np.ndarray
    u: np.ndarray
    total: np.ndarray
    edges: np.ndarray
    rests: tuple[float, float] | None

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.t[-1])

    @property
    def turns(self) -> bool:
        """Whether it goes on round after round, instead of resting before and after."""
        return self.rests is None

    def __call__(self, t: np.ndarray) -> Jet:
        """Place, rate and acceleration at times ``(K,)``; before and after it rests."""
        end, slack = self.t[-1], _HAIR * self.t[-1]
        s, v, u, _ = self._at(np.clip(t, 0.0, end))
        if self.rests is None:
            return Jet(s, v, u)
        # at the ends it rests exactly: friction has no direction there
        first, last = t <= slack, t >= end - slack
        s = np.where(first, 0.0, np.where(last, self.s[-1], s))
        outer = (t < -slack) | (t > end + slack)
        u = np.where(first, self.rests[0], np.where(last, self.rests[1], u))
        return Jet(s, np.where(first | last, 0.0, v), np.where(outer, 0.0, u))

    def sum(self, t: np.ndarray) -> np.ndarray:
        """Integral of the place over time, from 0; the clock is continued before and after."""
        end, length = self.t[-1], self.s[-1]
        if not self.turns:
            inside = self._at(np.clip(t, 0.0, end))[3]
            return np.asarray(inside + np.maximum(t - end, 0.0) * length)
        lap = np.floor(t / end)
        inside = self._at(t - lap * end)[3]
        laps = lap * self.total[-1] + length * end * lap * (lap - 1.0) / 2.0
        return np.asarray(laps + inside + lap * length * (t - lap * end))

    def running(self, t: np.ndarray) -> Jet:
        """Place, rate and acceleration; the clock is continued before and after."""
        if not self.turns:
            return self(t)
        lap = np.floor(t / self.t[-1])
        s, v, u, _ = self._at(t - lap * self.t[-1])
        return Jet(s + lap * self.s[-1], v, u)

    def cell(self, t: np.ndarray) -> np.ndarray:
        """Which cell a time is in."""
        return np.clip(np.searchsorted(self.edges, t, side="right") - 1, 0, len(self.u) - 1)

    def _at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        i = self.cell(t)
        k = (self.u[i, 1] - self.u[i, 0]) / (self.s[i + 1] - self.s[i])
        t, v, u = t - self.t[i], self.v[i], self.u[i, 0]
        c0, c1, c2, c3 = _sines(k * t**2)
        s = self.s[i] + t * (v * c1 + u * t * c2)
        total = self.total[i] + t * (self.s[i] + t * (v * c2 + u * t * c3))
        return s, v * c0 + u * t * c1, u * c0 + k * v * t * c1, total


def clock_of(profile: Profile, rests: tuple[float, float] | None, late: np.ndarray) -> Clock:
    """The clock of a profile.

    Args:
        profile: squared rates by place.
        rests: accelerations at the instants of rest at both ends, if it rests there.
        late: ends of cells that belong to the cell before them ``(N + 1,)``.
    """
    h, v = np.diff(profile.s), np.sqrt(profile.x)
    k = (profile.u[:, 1] - profile.u[:, 0]) / h
    both = v[:-1] + v[1:]
    # tanh(sqrt(k) T / 2) / sqrt(k) = h / (v_0 + v_1)
    steps = 2.0 * h / both * _inverse_tangent(k * (h / both) ** 2)
    t = np.concatenate([[0.0], np.cumsum(steps)])
    _, _, c2, c3 = _sines(k * steps**2)
    parts = steps * (profile.s[:-1] + steps * (v[:-1] * c2 + profile.u[:, 0] * steps * c3))
    total = np.concatenate([[0.0], np.cumsum(parts)])
    edges = t + np.where(late, _HAIR, -_HAIR) * t[-1]
    return Clock(t, profile.s, v, profile.u, total, edges, rests)


def times_inside(profile: Profile, share: np.ndarray) -> np.ndarray:
    """Times from the beginning of each cell to shares of it ``(N, M)`` [s]."""
    h, (a, b) = np.diff(profile.s)[:, None], profile.u.T[..., None]
    both = np.sqrt(profile.x[:-1, None]) + np.sqrt(profile.inside(share)[0])
    way = h * share
    return np.asarray(2.0 * way / both * _inverse_tangent((b - a) / h * (way / both) ** 2))


def slowed(clock: Clock, factor: float) -> Clock:
    """The same clock in ``factor`` times the time."""
    return Clock(
        clock.t * factor,
        clock.s,
        clock.v / factor,
        clock.u / factor**2,
        clock.total * factor,
        clock.edges * factor,
        None if clock.rests is None else (clock.rests[0] / factor**2, clock.rests[1] / factor**2),
    )


def _sines(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """``cosh r``, ``sinh r / r``, ``(cosh r - 1) / r^2``, ``(sinh r - r) / r^3`` of ``r^2 = z``."""
    small = np.abs(z) < _SERIES
    near = np.where(small, z, 0.0)
    far = np.where(small, 1.0, z)
    r = np.sqrt(np.abs(far))
    up = far > 0.0
    c0 = np.where(up, np.cosh(np.where(up, r, 0.0)), np.cos(r))
    c1 = np.where(up, np.sinh(np.where(up, r, 0.0)), np.sin(r)) / r
    c2, c3 = (c0 - 1.0) / far, (c1 - 1.0) / far
    s2 = (1.0 + near / 12.0 * (1.0 + near / 30.0 * (1.0 + near / 56.0 * (1.0 + near / 90.0)))) / 2.0
    s3 = (
        1.0 + near / 20.0 * (1.0 + near / 42.0 * (1.0 + near / 72.0 * (1.0 + near / 110.0)))
    ) / 6.0
    c2, c3 = np.where(small, s2, c2), np.where(small, s3, c3)
    return 1.0 + z * c2, 1.0 + z * c3, c2, c3


def _inverse_tangent(z: np.ndarray) -> np.ndarray:
    """``artanh(r) / r`` of ``r^2 = z``; the plain arc tangent where ``z`` is negative."""
    small = np.abs(z) < _SERIES
    near = np.where(small, z, 0.0)
    far = np.where(small, 0.25, z)
    r = np.sqrt(np.abs(far))
    # where rounding makes it 1 the clock would stand still
    up = np.arctanh(np.minimum(np.where(far > 0.0, r, 0.0), 1.0 - 1e-12))
    found = np.where(far > 0.0, up, np.arctan(r)) / r
    series = np.zeros_like(near)
    for power in range(8, 0, -1):
        series = near * (1.0 / (2 * power + 1) + series)
    return np.where(small, 1.0 + series, found)
