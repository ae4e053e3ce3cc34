"""Time of a whole identification, step by step: 130 parameters from 40 000 rows of a hexapod.

python benchmarks/identification.py [--rows 40000]
python benchmarks/identification.py --coverage 200 [--robot five_bar]

Processor time of one process, a first call (kernels come from their folder on disk, or are built)
and a second one.  Beside it the time of the parts: base parameters, states and columns, estimate,
bodies that can exist.

With ``--coverage`` it counts instead how often the truth is within one and within 1.96 standard
deviations of what was identified, over all parameters of so many logs with drawn noise: should be
68 and 95 %.  Noise is white, that of drives (AR(1) with 0.9 from sample to sample) or that of
encoders.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.signal import lfilter

import gough
from gough.identification.bodies import bodies_of
from gough.identification.estimate import estimate
from gough.identification.run import rows_of, run_of

ROBOT = "gough_stewart"
SECONDS = 20.0
RATE = 250.0  # samples a second of logs for coverage [Hz]
AR = 0.9
BEFORE = 200  # samples before a log, after which its noise is stationary
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
    q = gough.inverse_kinematics(robot, state.T_0p) + 1e-7 * rng.normal(size=(count, 6))
    tau = gough.inverse_dynamics(robot, state)
    noise = 0.02 * tau.std(axis=0)
    return gough.Log(t, q, tau + noise * rng.normal(size=tau.shape))


def runs_of(robot: gough.Robot, seconds: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, positions and efforts of a motion of three harmonics, exactly."""
    rng = np.random.default_rng(7)
    size = 0.06 / np.arange(1, 4)[:, None] * robot.assembly.scales.freedoms
    sines, cosines = size * rng.normal(size=(2, 3, robot.mobility))
    motion = gough.motion.fourier(
        robot, sines=sines, cosines=cosines, duration=seconds, frequency=1.0
    )
    t = np.linspace(0.0, seconds, int(RATE * seconds) + 1)
    state = motion(t)
    return t, gough.inverse_kinematics(robot, state.T_0p), gough.inverse_dynamics(robot, state)


def noisy_log(run: tuple[np.ndarray, ...], noise: str, seed: int) -> gough.Log:
    """A log with noise: of efforts 2 % of their size, of positions 1e-5 rad or m."""
    t, q, tau = run
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=(len(t) + BEFORE, q.shape[1]))
    if noise == "encoders":
        return gough.Log(t, q + 1e-5 * drawn[BEFORE:], tau)
    if noise == "AR(1)":
        drawn = np.sqrt(1.0 - AR**2) * lfilter([1.0], [1.0, -AR], drawn, axis=0)
    size = 0.02 * np.sqrt(np.mean(tau**2, axis=0))
    return gough.Log(t, q, tau + size * drawn[BEFORE:])


def print_coverage(name: str, runs: int) -> None:
    """Print how often truth is within one and 1.96 standard deviations."""
    robot = gough.zoo.load(name)
    truth = gough.base_parameters(robot).values
    cases: list[tuple[str, dict[str, Any], float]] = [
        ("white", {}, 10.0),
        ("AR(1)", {}, 10.0),
        ("encoders", {}, 10.0),
        ("white", {"band": np.inf}, 4.0),
        ("AR(1)", {"band": np.inf}, 4.0),
    ]
    print(
        "| noise | efforts filtered | within 1 [%] | within 1.96 [%] | findings a run | s a run |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for noise, options, seconds in cases:
        run, off, told = runs_of(robot, seconds), [], 0
        start = time.process_time()
        for seed in range(runs):
            found = gough.identify(robot, noisy_log(run, noise, 1000 + seed), **options)
            shown = np.isfinite(found.sigma)
            off.append((np.abs(found.values - truth) / found.sigma)[shown])
            told += sum("correlated" in sentence for sentence in found.findings)
        every = np.concatenate(off)
        print(
            f"| {noise} | {'no' if options else 'yes'} | {100 * np.mean(every < 1.0):.1f} | "
            f"{100 * np.mean(every < 1.96):.1f} | {told / runs:.2f} | "
            f"{(time.process_time() - start) / runs:.2f} |",
            flush=True,
        )


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
    words.add_argument("--coverage", type=int, default=0, metavar="RUNS")
    words.add_argument("--robot", default="five_bar", help="of --coverage")
    given = words.parse_args()
    if given.coverage:
        print_coverage(given.robot, given.coverage)
        return
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
