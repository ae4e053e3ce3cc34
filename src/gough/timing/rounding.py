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
from gough.timing.path import Stretch
from gough.timing.rows import Loaded
from gough.timing.solve import slower

_SAMPLES = 4001  # of a rounded law, at which limits are looked at
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
        s = (clock.sum(late) - clock.sum(late - w)) / w
        s = s % clock.s[-1] if clock.turns else np.clip(s, 0.0, clock.s[-1])
        return Jet(s, (now.value - then.value) / w, (now.rate - then.rate) / w)

    def jerk(self) -> float:
        """Largest jerk [m/s^3 or rad/s^3]."""
        ends, hair = self.clock.t, _HAIR * self.clock.duration
        at = np.concatenate([ends - hair, ends + hair])
        at = np.concatenate([at, at + self.width])
        u = self.clock.running(at).acceleration - self.clock.running(at - self.width).acceleration
        return float(np.abs(u).max()) / self.width


def rounded(
    loaded: Loaded, limits: Limits, stretch: Stretch, clock: Clock, jerk: float
) -> tuple[Rounded, Run, float]:
    """The shortest average of a clock within a jerk and all limits.

    Where the average passes a limit it is slowed, which leaves room for a narrower one.

    Returns:
        The law, what motors and platform do along it, and by which factor it was slowed.
    """
    found, allowed = [], jerk
    for _ in range(_TRIES):
        law = _narrowest(clock, allowed)
        run = sampled(loaded, stretch, law)
        factor = slower(limits, run.rows, run.x, run.u)
        factor = max(factor, (law.jerk() / jerk) ** (1.0 / 3.0))
        calm = Run(run.rows, run.x / factor**2, run.u / factor**2, run.seconds * factor)
        found.append((Rounded(slowed(clock, factor), law.width * factor), calm, factor))
        if allowed >= jerk * factor**3 * (1.0 - _SAME):
            break
        allowed = jerk * factor**3
    return min(found, key=lambda each: each[0].duration)


def sampled(loaded: Loaded, stretch: Stretch, law: Rounded) -> Run:
    """What motors and platform do along a law, at even times."""
    t = np.linspace(0.0, law.duration, _SAMPLES)
    s, v, u = law(t)
    seconds = np.full(len(t), t[1])
    seconds[[0, -1]] *= 0.5
    return Run(loaded.rows(stretch, s), v**2, u, seconds)


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
