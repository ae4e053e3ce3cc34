"""Places where a machine could be measured: states of its motors that it can have."""

from __future__ import annotations

import numpy as np

from gough.calibration.bench import Bench, Seen

_SEED = 7  # any; the same call proposes the same places
_MARGIN = 0.02  # of a stroke, from its ends


def places(bench: Bench, g: np.ndarray, count: int) -> tuple[Bench, Seen]:
    """States all over the stroke of the motors, those left out that the machine cannot have.

    Of a motor without limits the stroke is what has been measured, half as much again.

    Args:
        bench: the machine at measured states.
        g: its geometry.
        count: how many to try.
    """
    robot, rng = bench.layout.robot, np.random.default_rng(_SEED)
    low, high = bench.readings.min(axis=0), bench.readings.max(axis=0)
    middle = (low + high) / 2.0
    scales = bench.loops.assembly.scales.motors
    half = np.maximum(0.75 * (high - low), 0.05 * scales)
    low, high = middle - half, middle + half
    for k, name in enumerate(robot.motors):
        limits = robot.axis(name).limits
        bounds = None if limits is None else limits.position
        if bounds is not None:
            margin = _MARGIN * (bounds[1] - bounds[0])
            low[k], high[k] = bounds[0] + margin, bounds[1] - margin
    found = bench.at(rng.uniform(low, high, (count, len(low))))
    seen = found.first(g)
    good = np.flatnonzero(seen.closed)
    kept = found.at(found.readings[good])
    machines = seen.machines.select(good)
    return kept, Seen(machines, seen.closed[good], seen.T_dt[good], seen.T_0t[good])
