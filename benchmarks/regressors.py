"""Time of regressors, per state of a batch on one thread: all columns, and the base columns alone.

python benchmarks/regressors.py [names of the zoo]

Beside them the inverse dynamics of the same states, and how long base parameters take to be found.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

import gough

ROBOTS = ("five_bar", "three_rrr", "delta", "quattro", "gough_stewart", "hexapod_6rus")
BATCH = 2_000
AROUND = 0.1
"""How far states are from home, natural units."""


def best(call: Callable[[], object], repeat: int = 40) -> float:
    """Shortest processor time [s]."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def states(robot: gough.Robot) -> tuple[np.ndarray, ...]:
    """Random motions around home."""
    a, rng = robot.assembly, np.random.default_rng(0)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = home + AROUND * a.scales.freedoms * rng.uniform(-1.0, 1.0, (BATCH, a.mobility))
    xd, xdd = rng.normal(size=(2, BATCH, a.mobility)) * a.scales.freedoms
    found = gough.state(robot, x, xd, xdd, on_error="nan")
    good = np.isfinite(found.V_0p).all(axis=1)
    return tuple(np.ascontiguousarray(array[good]) for array in found.arrays)


def measure(name: str) -> None:
    """Print one robot's line."""
    robot = gough.zoo.load(name)
    start = time.process_time()
    base = gough.base_parameters(robot)
    took = time.process_time() - start
    state = states(robot)

    def timed(quantity: str, columns: Sequence[str] = ()) -> tuple[float, int]:
        kernel = gough.compile(robot, quantity, columns=columns)
        out = kernel(*state)  # arrays that are there already: else the memory is what is timed
        found = best(lambda: kernel(*state, out=out, threads=1)) / len(state[0])
        return 1e6 * found, sum(kernel.operations)

    (idm, few), (whole, _), (own, many) = (
        timed("inverse_dynamics"),
        timed("regressor"),
        timed("regressor", base.leading),
    )
    print(
        f"| `{name}` | {base.number} of {len(base.names)} | {took:.2f} | {idm:.3f} | {own:.3f} | "
        f"{own / idm:.1f} | {whole:.3f} | {many / few:.1f} |",
        flush=True,
    )


if __name__ == "__main__":
    print(
        "| robot | base parameters | found in [s] | inverse dynamics [us] | base columns [us] | "
        "times | all columns [us] | operations, times |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for word in sys.argv[1:] or ROBOTS:
        measure(word)
