"""Time of the four methods in NumPy and as programs over a batch, per state, as ratios to `legs`.

python benchmarks/methods.py [zoo names]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import gough
from gough.dynamics.methods import METHODS

STATES, BATCH = 10, 20_000
ROBOTS = ("five_bar", "three_rrr", "delta", "gough_stewart", "quattro")


def best(call: Callable[[], object], states: int, repeat: int = 3) -> float:
    """Shortest time per state [s]."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) / states


def measure(name: str) -> None:
    """Print one robot's lines."""
    robot = gough.zoo.load(name)
    a = robot.assembly
    rng = np.random.default_rng(0)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = home + 0.02 * a.scales.freedoms * rng.uniform(-1.0, 1.0, (STATES, a.mobility))
    state = gough.state(robot, x, *rng.normal(size=(2, STATES, a.mobility)))
    T, V, Vdot = state.arrays
    many = np.arange(BATCH) % STATES
    inputs = {
        "T_0p": T,
        "coordinates": gough.trace.coordinates(robot, T),
        "V_0p": V,
        "Vdot_0p": Vdot,
    }
    batch = {key: value[many] for key, value in inputs.items()}
    first: tuple[float, float] | None = None
    for method in METHODS:
        numbers = best(lambda m=method: gough.inverse_dynamics(robot, state, method=m), STATES)
        program = gough.trace.program(robot, "inverse_dynamics", method=method)
        traced = best(lambda p=program: gough.trace.run(p, batch), BATCH)
        first = first or (numbers, traced)
        print(
            f"{name:14} {method:8}  NumPy {1e3 * numbers:6.2f} ms ({numbers / first[0]:4.1f})  "
            f"program {1e6 * traced:7.2f} us ({traced / first[1]:4.1f})"
        )


if __name__ == "__main__":
    for robot_name in sys.argv[1:] or ROBOTS:
        measure(robot_name)
