"""Samples of a motion whose loads change: one just before each change, and one at it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.dynamics.shared.schedule import APART, INSTANT, LoadSchedule, just_before
from gough.motion.motion import Samples
from gough.states.state import State


class Changing(NamedTuple):
    """Samples with those at which loads change.

    Attributes:
        track: the samples, more than there were.
        when: times for which their loads are asked ``(K,)`` [s].
        breaks: the first sample after each change ``(J,)``.
    """

    track: Samples
    when: np.ndarray
    breaks: np.ndarray


def with_changes(motion: Any, track: Samples, schedule: LoadSchedule) -> Changing:
    """Samples on either side of every change, so that nothing of before or after is missed.

    A motion is asked for its states there.  Samples that are given as they are know nothing in
    between: loads change at the first one that is not before the change.

    Args:
        motion: a motion, or the samples themselves.
        track: its samples.
        schedule: what acts when.
    """
    first, last = float(track.t[0]), float(track.t[-1])
    inside = (schedule.jumps > first + INSTANT) & (schedule.jumps <= last + INSTANT)
    found, when = track, track.t.copy()
    for jump in schedule.jumps[inside][::-1]:  # the last first: several may share a sample
        k = int(np.searchsorted(found.t, jump - APART))
        there = k < len(found.t) and (abs(found.t[k] - jump) <= APART or not callable(motion))
        if not there:
            found = _put(found, k, Samples(np.array(jump), motion(jump)))
            when = np.insert(when, k, jump)
        when[k] = max(when[k], jump)
        t = just_before(found.t[k])
        state = motion(t) if callable(motion) else found.at(k).state
        found = _put(found, k, Samples(np.array(t), state))
        when = np.insert(when, k, just_before(jump))
    breaks = np.flatnonzero(np.diff(found.t) <= APART) + 1
    return Changing(found, when, breaks)


def _put(track: Samples, k: int, one: Samples) -> Samples:
    """The samples with another one before sample k."""
    state = State.concatenate([track.state[:k], one.state.reshape(1), track.state[k:]])
    return Samples(np.insert(track.t, k, one.t), state)
