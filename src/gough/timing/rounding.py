"""A law whose jerk is bounded: a moving average of the fastest one over time.

With the width ``w`` the acceleration is that of the average, and its jerk
``(u(t) - u(t - w)) / w``; ends stay where they are, and the law takes ``w`` longer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.motion.jets import Jet
from gough.timing.heating import Run
from gough.timing.law import Clock, slowed
from gough.timing.limits import Limits
from gough.timing.rows import Loaded
from gough.timing.solve import Solved, slower

_SAMPLES = 4001  # of a rounded law, at which limits are looked at
_SHOWN = 8  # samples from one that is shown to the next
_JUMPS = 1e-3  # share of the largest acceleration: jumps below it leave no corner worth a sample
_INVERTED = 60  # halvings of the duration, until rounding
_HALVINGS = 40
_TRIES = 6  # of widths, each for the jerk that the last one left room for
_SAME = 1e-6  # relative difference of jerks that need no other width
_SLIMMEST = 1e-5  # share of the duration over which is averaged at least
_HAIR = 1e-9  # share of the duration by which jumps are looked at from both sides


@dataclass(frozen=True, eq=False)
class Rounded:
    """A moving average of a clock.

    Attributes:
        clock: the sharp one.
        width: over which it is averaged [s].
    """

    clock: Clock
    width: float

    @property
    def duration(self) -> float:
        """[s]."""
        return self.clock.duration + (0.0 if self.clock.turns else self.width)

    def __call__(self, t: np.ndarray) -> Jet:
        """Place, rate and acceleration at times ``(K,)``; before and after it rests."""
        w, clock = self.width, self.clock
        # a clock that comes round is averaged over what is behind it and what is before it
        late = t + 0.5 * w if clock.turns else np.clip(t, 0.0, self.duration)
        now, then = clock.running(late), clock.running(late - w)
        s = self.way(t)
        s = s % clock.s[-1] if clock.turns else np.clip(s, 0.0, clock.s[-1])
        return Jet(s, (now.value - then.value) / w, (now.rate - then.rate) / w)

    def way(self, t: np.ndarray) -> np.ndarray:
        """Place at times ``(K,)``, counted on from round to round."""
        late = t + 0.5 * self.width if self.clock.turns else np.clip(t, 0.0, self.duration)
        return np.asarray((self.clock.sum(late) - self.clock.sum(late - self.width)) / self.width)

    def when(self, s: np.ndarray) -> np.ndarray:
        """Times at which places are passed ``(K,)``; of a law that turns, in its first round."""
        if self.clock.turns:
            begin, length = self.way(np.zeros(1)), self.clock.s[-1]
            s = begin + (s - begin) % length
        low, high = np.zeros(len(s)), np.full(len(s), self.duration)
        for _ in range(_INVERTED if len(s) else 0):
            middle = 0.5 * (low + high)
            early = self.way(middle) < s
            low, high = np.where(early, middle, low), np.where(early, high, middle)
        return np.asarray(0.5 * (low + high))

    def corners(self) -> np.ndarray:
        """Times at which the jerk jumps, where the acceleration may have its largest values."""
        clock = self.clock
        jumps = np.abs(clock.u[1:, 0] - clock.u[:-1, 1]) > _JUMPS * np.abs(clock.u).max()
        at = clock.t[1:-1][jumps]
        if clock.turns:
            at = np.append(at, 0.0)
            return np.concatenate([at - 0.5 * self.width, at + 0.5 * self.width]) % clock.duration
        at = np.concatenate([clock.t[[0, -1]], at])
        return np.concatenate([at, at + self.width])

    def jerk(self) -> float:
        """Largest jerk [m/s^3 or rad/s^3]."""
        ends, hair = self.clock.t, _HAIR * self.clock.duration
        at = np.concatenate([ends - hair, ends + hair])
        at = np.concatenate([at, at + self.width])
        u = self.clock.running(at).acceleration - self.clock.running(at - self.width).acceleration
        return float(np.abs(u).max()) / self.width


@dataclass(frozen=True, eq=False)
class Averaged:
    """A rounded law, and what motors and platform do along it.

    Attributes:
        law: place by time.
        t: times that were looked at ``(K,)`` [s]; places where friction jumps are there twice.
        run: what motors and platform do then.
    """

    law: Rounded
    t: np.ndarray
    run: Run

    def slowed(self, factor: float) -> Averaged:
        """The same in ``factor`` times the time."""
        run, law = self.run, self.law
        calm = Run(run.rows, run.x / factor**2, run.u / factor**2, run.seconds * factor)
        return Averaged(
            Rounded(slowed(law.clock, factor), law.width * factor), self.t * factor, calm
        )

    def shown(self, limits: Limits) -> tuple[np.ndarray, np.ndarray]:
        """Times to show, and the use of all limits ``(K, L)``: even ones, and all that are largest.

        Where friction jumps it is the use of the side that uses more.
        """
        used = limits.shares(self.run.rows, self.run.x, self.run.u)
        most = used.max(axis=1)
        twin = np.diff(self.t) <= 0.0  # the same instant from the other side
        lost = np.zeros(len(most), dtype=bool)
        lost[1:] |= twin & (most[1:] <= most[:-1])
        lost[:-1] |= twin & (most[:-1] < most[1:])
        inside = np.flatnonzero(~lost)
        height = most[inside]
        peak = np.ones(len(inside), dtype=bool)
        peak[1:-1] = (height[1:-1] >= height[:-2]) & (height[1:-1] > height[2:])
        peak[::_SHOWN] = True
        return self.t[inside[peak]], used[inside[peak]]


def rounded(loaded: Loaded, limits: Limits, solved: Solved, jerk: float) -> Averaged:
    """The shortest average of a clock within a jerk and all limits.

    Where the average passes a limit it is slowed, which leaves room for a narrower one.
    """
    found, allowed = [], jerk
    for _ in range(_TRIES):
        law = sampled(loaded, solved, _narrowest(solved.clock, allowed))
        factor = slower(limits, law.run.rows, law.run.x, law.run.u)
        factor = max(factor, (law.law.jerk() / jerk) ** (1.0 / 3.0))
        found.append(law.slowed(factor))
        if allowed >= jerk * factor**3 * (1.0 - _SAME):
            break
        allowed = jerk * factor**3
    return min(found, key=lambda each: each.law.duration)


def sampled(loaded: Loaded, solved: Solved, law: Rounded) -> Averaged:
    """What motors and platform do along a law: at even times, at corners, beside friction's jumps.

    Where a motor turns back, or friction jumps, both sides are looked at: an even time would miss
    the one that takes more.
    """
    even = np.concatenate([np.linspace(0.0, law.duration, _SAMPLES), law.corners()])
    even = np.unique(even[even <= law.duration])
    sides = solved.kinks
    at = law.when(sides.mean(axis=1))
    t = np.concatenate([even, at, at])
    order = np.argsort(t, kind="stable")
    s, v, u = law(t)
    s[len(even) :] = np.concatenate([sides[:, 0], sides[:, 1]]) % solved.stretch.length
    t, s, v, u = t[order], s[order], v[order], u[order]
    half = np.diff(t) / 2.0
    seconds = np.append(half, 0.0) + np.insert(half, 0, 0.0)
    return Averaged(law, t, Run(loaded.rows(solved.stretch, s), v**2, u, seconds))


def _narrowest(clock: Clock, jerk: float) -> Rounded:
    """The narrowest average that keeps a jerk."""
    span = float(np.ptp(np.append(clock.u, 0.0)))
    high = span / jerk  # the acceleration cannot change by more than that
    low = _SLIMMEST * clock.duration
    high = max(high, low)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if Rounded(clock, middle).jerk() <= jerk else (middle, high)
    return Rounded(clock, high)
