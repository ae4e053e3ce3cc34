"""Whether a closed form proves that a pose is out of reach.

Where a root is not real, the leg it belongs to cannot be closed on home's branch: no walk leads
there either, for the equation that was solved holds all along it with the same sign of its root.
"""

from __future__ import annotations

import numpy as np

from gough.geometry.closed_form.search import closed_form
from gough.mobility.assembly import Assembly

DECIDED = 1e-4
"""Margins of this size tell the sign of a root's square for sure.

A pose may be off by 1e-8 of the robot's length, which a root nearby (a margin of this size) makes
a hundred times as large, and a short strut once more.
"""


def out_of_reach(margins: np.ndarray) -> np.ndarray:
    """States that are proved to be out of reach, from the margins ``(..., m)`` of their steps.

    Steps build on each other: the first whose margin is not clearly positive decides.
    """
    if not margins.shape[-1]:
        return np.zeros(margins.shape[:-1], dtype=bool)
    first = np.argmax(~(margins >= DECIDED), axis=-1)
    decides = np.take_along_axis(margins, first[..., None], axis=-1)[..., 0]
    return np.asarray(decides <= -DECIDED)


def is_out_of_reach(assembly: Assembly, T_0p: np.ndarray) -> bool:
    """Whether the robot's closed form proves that it cannot have a pose."""
    form = closed_form(assembly)
    if form is None:
        return False
    with np.errstate(all="ignore"):
        _, margins = form.evaluate(T_0p)
    return bool(out_of_reach(np.array(margins, dtype=float)))
