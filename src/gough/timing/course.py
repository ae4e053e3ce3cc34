"""Laws along stretches of a path, one after the other, as one motion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from gough.motion.motion import Motion
from gough.robot import Robot
from gough.singularity.crossing.laws import run_through
from gough.states.state import State
from gough.timing.law import Clock, slowed
from gough.timing.path import Stretch
from gough.timing.rounding import Rounded


class Leg(NamedTuple):
    """A stretch and the law by which it is run through."""

    stretch: Stretch
    law: Clock | Rounded

    def slower(self, factor: float) -> Leg:
        """The same in ``factor`` times the time."""
        if isinstance(self.law, Clock):
            return Leg(self.stretch, slowed(self.law, factor))
        calm = slowed(self.law.clock, factor)
        return Leg(self.stretch, Rounded(calm, self.law.width * factor))


def begins(legs: Sequence[Leg], stays: Sequence[float]) -> np.ndarray:
    """When each leg begins, and when the last stay is over [s]."""
    steps = [stays[0]]
    for leg, stay in zip(legs, stays[1:], strict=True):
        steps.append(leg.law.duration + stay)
    return np.cumsum(steps)


def motion_along(robot: Robot, legs: Sequence[Leg], stays: Sequence[float], label: str) -> Motion:
    """The motion along all legs.

    Args:
        robot: the machine.
        legs: one after the other.
        stays: rests before the first, between them and after the last [s].
        label: in words.
    """
    at = begins(legs, stays)
    return Motion(robot, float(at[-1]), label, partial(_in_turn, tuple(legs), at[:-1]))


def _in_turn(legs: Sequence[Leg], at: np.ndarray, t: np.ndarray) -> State:
    found = tuple(np.empty((len(t), *core)) for core in ((4, 4), (6,), (6,)))
    turn = np.clip(np.searchsorted(at, t, side="right") - 1, 0, None)
    for k in np.unique(turn):
        here, leg = turn == k, legs[k]
        s, v, u = leg.law(t[here] - at[k])
        for whole, part in zip(found, run_through(leg.stretch(s), v, u).arrays, strict=True):
            whole[here] = part
    return State(*found)
