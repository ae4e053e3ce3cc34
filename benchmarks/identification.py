"""Time of a whole identification, step by step: 130 parameters from 40 000 rows of a hexapod.

python benchmarks/identification.py [--rows 40000]

Processor time of one process, a first call (kernels come from their folder on disk, or are built)
and a second one.  Beside it the time of the parts: base parameters, states and columns, estimate,
bodies that can exist.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import gough
from gough.identification.bodies import bodies_of
from gough.identification.estimate import estimate
from gough.identification.run import rows_of, run_of

ROBOT = "gough_stewart"
SECONDS = 20.0
WORDS = ["bodies", "rotors", "friction", "offsets", "passive_friction"]


def log_of(robot: gough.Robot, rows: int) -> gough.Log:
    """A log of random harmonics, with noise; no sample is left out but those of the ends."""
    rng = np.random.default_rng(0)
    count = rows // len(robot.motors) + 100
    sines, cosines = 0.02 * robot.assembly.scales.freedoms * rng.normal(size=(2, 8, robot.mobility))
    motion = gough.motion.fourier(
        robot, sines=sines, cosines=cosines, duration=SECONDS, frequency=0.5
    )
    t = np.linspace(0.0, SECONDS, count)
    state = motion(t)
    q = gough.inverse_geometry(robot, state[0]) + 1e-7 * rng.normal(size=(count, 6))
    tau = gough.inverse_dynamics(robot, *state)
    noise = 0.02 * tau.std(axis=0)
    return gough.Log(t, q, tau + noise * rng.normal(size=tau.shape))


def timed(what: str, call: Callable[[], Any]) -> Any:
    """Print processor time of a call."""
    start = time.process_time()
    found = call()
    print(f"| {what} | {time.process_time() - start:.2f} |", flush=True)
    return found


def main() -> None:
    """Print the table."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rows", type=int, default=40_000)
    given = words.parse_args()
    robot = gough.zoo.load(ROBOT)
    log = log_of(robot, given.rows)
    raw = {"band": np.inf, "standstill": 1e-9}
    print("| step | processor time [s] |\n| --- | ---: |")
    for call in ("first", "second"):
        found = timed(
            f"`gough.identify`, {call} call",
            lambda: gough.identify(robot, log, parameters=WORDS, **raw),
        )
    base = timed("base parameters", lambda: gough.base_parameters(robot, parameters=WORDS))
    run = timed("states and columns of the log", lambda: run_of(base, log, **raw))
    rows = rows_of([run], robot.mobility)
    one = timed("estimates", lambda: estimate(rows, base.values, len(robot.motors)))
    timed("bodies that can exist", lambda: bodies_of(base, one, one.values))
    print(
        f"\n{base.number} base parameters of {len(base.names)}, {int(run.used.sum())} rows; "
        f"condition {found.condition:.3g}"
    )


if __name__ == "__main__":
    main()
