"""Whether one assembled state continues another, or has jumped to a different branch."""

from __future__ import annotations

import numpy as np

from gough.closure.dense import scaled_legs
from gough.closure.equations import Equations
from gough.geometry.newton import State
from gough.linalg import choose_plan
from gough.mobility.assembly import Assembly

# a screw that turns further than this between two states may have skipped a thread
_LARGEST_SCREW = 1.0


def continues(assembly: Assembly, a: State, b: State) -> bool:
    """No leg has passed a singularity between two near states, and no screw has skipped a thread.

    A leg's Jacobian changes the sign of its determinant where the leg is stretched out or folded;
    the rows compared are the ones that tell most at the first state.
    """
    before, after = (assembly.equations(s.T_0p, s.configuration) for s in (a, b))
    legs = zip(
        scaled_legs(before, assembly.length), scaled_legs(after, assembly.length), strict=True
    )
    return _screws_follow(before, after) and all(_same_side(x, y) for x, y in legs)


def _same_side(before: np.ndarray, after: np.ndarray) -> bool:
    n = before.shape[1]
    if n == 0 or before.shape[0] < n:
        return True
    plan = choose_plan([before], n)
    chosen = np.ix_(plan.rows, plan.columns)
    return bool(np.linalg.det(before[chosen]) * np.linalg.det(after[chosen]) >= 0.0)


def _screws_follow(before: Equations, after: Equations) -> bool:
    pairs = zip(
        (*before.meetings, before.hub_meetings), (*after.meetings, after.hub_meetings), strict=True
    )
    return all(
        abs(n.p[2] - m.p[2]) <= _LARGEST_SCREW * abs(m.pitch)
        for group, other in pairs
        for m, n in zip(group, other, strict=True)
        if m.kind == "helical"
    )
