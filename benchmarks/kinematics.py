"""Time of the NumPy path and of traced programs, per state.  Ratios in one run; machines differ.

python benchmarks/kinematics.py [robot files]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import gough

ROBOTS = sorted((Path(__file__).parents[1] / "examples" / "robots").glob("*.yaml"))
STATES = 20
BATCH = 100_000


def best(call: Callable[[], object], states: int, repeat: int = 3) -> float:
    """Shortest time per state [s]."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) / states


def measure(path: Path) -> None:
    """Print one robot's line."""
    robot = gough.load(path)
    a = robot.assembly
    rng = np.random.default_rng(0)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = home + 0.02 * a.scales.freedoms * rng.uniform(-1.0, 1.0, (STATES, a.mobility))
    xd, xdd = rng.normal(size=(2, STATES, a.mobility))
    state = gough.state(robot, x, xd, xdd)
    T, V, Vdot = state.arrays
    program = gough.trace.program(robot, "motor_accelerations")
    many = np.arange(BATCH) % STATES
    inputs = {
        "T_0p": T[many],
        "coordinates": gough.trace.coordinates(robot, T)[many],
        "V_0p": V[many],
        "Vdot_0p": Vdot[many],
    }
    seconds = {
        "geometry": best(lambda: gough.inverse_kinematics(robot, T), STATES),
        "accelerations": best(lambda: gough.motor_accelerations(robot, state), STATES),
        "posture": best(lambda: gough.posture(robot, state), STATES),
        "program": best(lambda: gough.trace.run(program, inputs), BATCH),
    }
    ratio = seconds["accelerations"] / seconds["program"]
    figures = "  ".join(f"{name} {1e6 * s:8.1f} us" for name, s in seconds.items())
    print(f"{robot.name:10}  {figures}  ({ratio:.0f} times)  {gough.trace.count(program)}")


if __name__ == "__main__":
    for file in [Path(word) for word in sys.argv[1:]] or ROBOTS:
        measure(file)
