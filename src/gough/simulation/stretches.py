"""Fixed steps between the times at which loads change: a step that a change falls into is split."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor
from typing import NamedTuple

import numpy as np

from gough.dynamics.shared.schedule import INSTANT, just_before


class Stretch(NamedTuple):
    """Equal steps under loads that do not jump.

    Attributes:
        first: number of its first step among all; ``None`` for what is left of a step that was
            split, whose beginning is not recorded.
        t: time of its beginning [s].
        h: length of a step [s].
        steps: how many.
        until: latest time for which efforts and loads are asked [s]: just before a change that
            ends it, since at the change they are the new ones.
        changes: whether loads change at its beginning.
    """

    first: int | None
    t: float
    h: float
    steps: int
    until: float = np.inf
    changes: bool = False


def stretches(h: float, steps: int, jumps: Iterable[float]) -> list[Stretch]:
    """Steps of a run, with a step that ends at each change of loads.

    Args:
        h: length of a step [s].
        steps: how many.
        jumps: times after the start at which loads change, increasing [s].

    Returns:
        Stretches that follow each other; the last one has no steps if loads change at the end.
    """
    found: list[Stretch] = []
    first: int | None = 0  # the next whole step, unless one is split
    t, done, changes = 0.0, 0, False
    for jump in jumps:
        at = round(jump / h)
        on_grid = abs(jump - at * h) <= INSTANT
        whole = at if on_grid else floor(jump / h)
        if whole > steps or (whole == steps and not on_grid):
            break
        until = just_before(jump)
        if whole > done and first is None:  # the rest of a step that was split
            found.append(Stretch(None, t, (done + 1) * h - t, 1, until, changes))
            done, changes = done + 1, False
            first, t = done, done * h
        if whole > done:
            found.append(Stretch(done, t, h, whole - done, until, changes))
            first, t, done, changes = whole, whole * h, whole, False
        if not on_grid:
            found.append(Stretch(first, t, jump - t, 1, until, changes))
            first, t = None, jump
        changes = True
    if first is None:
        found.append(Stretch(None, t, (done + 1) * h - t, 1, changes=changes))
        first, done, changes = done + 1, done + 1, False
    found.append(Stretch(done, done * h, h, steps - done, changes=changes))
    return found
