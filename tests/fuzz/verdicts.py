"""The same question asked alone, among many and alone again: one answer, or one refusal.

Far from home, where legs stretch and fold, this is not the same as being right near home.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import gough
from masks import masked

FAR = 0.1, 0.6
"""How far from home, in units of the machine: least and most."""
STATES, MANY = 6, 64
SAME = 1e-6
"""Far poses may be badly conditioned: answers may differ by more than rounding, not by this."""


def far_states(robot: gough.Robot, rng: np.random.Generator) -> gough.State | None:
    """Consistent states in reach, far from home."""
    a = robot.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x, xd, xdd = rng.normal(size=(3, STATES, a.mobility)) * a.scales.freedoms
    far = rng.uniform(*FAR, (STATES, 1))
    states, missed = masked(gough.state(robot, home + far * x, xd, xdd, on_error="nan"))
    return None if missed.all() else states[~missed]


def differences(robot: gough.Robot, rng: np.random.Generator) -> list[str]:
    """Where the verdict depends on company or on history, in sentences; none if nowhere."""
    states = far_states(robot, rng)
    if states is None:
        return []
    count = len(states)
    alone = [_asked(robot, state) for state in states]
    repeat = gough.State.concatenate([states] * (MANY // count + 1))
    tau, failed = masked(gough.inverse_dynamics(robot, repeat, on_error="nan"))
    found = set()
    for k in range(count):
        among = None if failed[k] else tau[k]
        again = _asked(robot, states[k])
        for other, when in ((among, "among many"), (again, "later")):
            if (alone[k] is None) != (other is None):
                verdict = "refused" if alone[k] is None else "answered"
                found.add(f"far pose {verdict} alone, not {when}")
            elif other is not None and not _same(alone[k], other):
                found.add(f"far pose answered otherwise {when}")
    return sorted(found)


def _asked(robot: gough.Robot, state: gough.State) -> Any:
    """Efforts, or ``None`` for a refusal."""
    try:
        return gough.inverse_dynamics(robot, state)
    except gough.GoughError:
        return None


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.abs(one - other).max() <= SAME * max(np.abs(one).max(), np.abs(other).max()))
