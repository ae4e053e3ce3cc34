"""Loads that change where a motion rests: what acts on each stroke, and when in the new motion.

The timing of a motion is thrown away, so that a time of a schedule means the place where the motion
is at that time.  Loads may change where it rests; on the way no place is known that a new timing
would keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gough.dynamics.shared.schedule import LoadSchedule, TimedLoad
from gough.errors import InputError
from gough.timing.course import Leg, begins
from gough.timing.path import Path, Stretch

_HAIR = 1e-9  # share of the duration: times that differ less are the same but for rounding
_AFTER = 1e-6  # share of the duration by which a load changes after the end, at least


def loads_by_stroke(loads: Any, way: Path) -> list[Any]:
    """The loads of each stretch of a path.

    Args:
        loads: :class:`gough.Loads`, ``None``, or a :class:`gough.LoadSchedule` in the time of the
            motion whose path it is.
        way: the path.

    Raises:
        InputError: loads change while the robot moves; names the time.
    """
    if not isinstance(loads, LoadSchedule):
        return [loads] * len(way.stretches)
    if loads.varies:
        raise InputError(
            "loads: a force changes in time by a table or a function, and the time is what is "
            "sought",
            hint="Give loads that are constant from rest to rest.",
            argument="loads",
        )
    for stretch in way.stretches:
        begin, end = _span(stretch)
        inside = loads.jumps[(loads.jumps > begin) & (loads.jumps < end)]
        if len(inside):
            how = "moves without a rest" if any(stretch.moving) else "goes from rest to rest"
            raise InputError(
                f"loads change at {inside[0]:.6g} s, while the motion {how} between {begin:.3f} s "
                f"and {end:.3f} s",
                hint="Pick up and put down where the motion rests: the fastest one keeps the path, "
                "not its times.",
                argument="loads",
            )
    return [loads.at(float(np.mean(_span(stretch)))) for stretch in way.stretches]


def _span(stretch: Stretch) -> tuple[float, float]:
    """From when to when the motion is on a stretch [s]."""
    begin, end = stretch.at(np.array([0.0, stretch.length]))
    return float(begin), float(end)


def retimed(loads: Any, way: Path, legs: Sequence[Leg], stays: Sequence[float]) -> Any:
    """Loads in the time of the motion along ``legs``; those that do not change are as they were.

    A change in a rest of the given motion is one at the beginning of the next stroke; one after
    the last stroke is one after the end of the new motion.
    """
    if not isinstance(loads, LoadSchedule):
        return loads
    duration = way.stretches[0].motion.duration
    ends = np.array([_span(stretch)[1] for stretch in way.stretches]) - _HAIR * duration
    new = begins(legs, stays)

    def moved(t: float | None) -> float | None:
        if t is None or t <= 0.0:  # before the motion begins
            return t
        over = int(np.searchsorted(ends, t, side="right"))  # strokes that are over by then
        if over < len(ends):
            return float(new[over])
        # The last instant belongs to the last stroke, which brakes there with what it carries.
        return float(new[-1]) + max(t - duration, _AFTER * float(new[-1]))

    parts = [
        replace(part, start=moved(part.start), end=moved(part.end))
        for part in loads.parts
        if isinstance(part, TimedLoad)
    ]
    return replace(loads, parts=parts)
