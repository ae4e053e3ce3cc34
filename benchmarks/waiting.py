"""Calls that should take no time, in any working trees of gough beside each other.

    python benchmarks/waiting.py TREE [TREE ...]     # working trees, for instance git worktrees

Each tree has a process of its own.  A call that would take long is made for few samples, and its
time extrapolated, which is marked by ``~``.  Processor time counts the threads of linear algebra
too: the environment is left as it is, so that they start wherever a user would meet them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import gough

ENOUGH = 4.0
"""Wall time of a call from which on a larger batch is extrapolated [s]."""

STATES, SAMPLES, RATE = 1_000_000, 2_000, 500.0


class Job(NamedTuple):
    """What is measured: its name, a call for so many samples, how many are wanted, calls before."""

    name: str
    call: Callable[[int], object]
    count: int
    before: int = 1


def freedoms(robot: gough.Robot, count: int) -> list[np.ndarray]:
    """Freedoms around home, their rates and accelerations."""
    a, rng = robot.assembly, np.random.default_rng(0)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    sizes = np.where(np.array(a.free) < 3, a.length, 1.0)
    x = home + 0.05 * sizes * rng.uniform(-1.0, 1.0, (count, a.mobility))
    return [x, *rng.normal(size=(2, count, a.mobility))]


def states_of(name: str) -> Job:
    """States with velocities."""
    robot = gough.zoo.load(name)
    x = freedoms(robot, STATES)

    def call(count: int) -> object:
        return gough.state(robot, *(part[:count] for part in x))

    return Job(f"state, {name}", call, STATES)


def reactions_of(name: str) -> Job:
    """Reactions along samples."""
    robot = gough.zoo.load(name)
    few = gough.state(robot, *freedoms(robot, 100))
    some = [np.tile(part, (SAMPLES // 100,) + (1,) * (part.ndim - 1)) for part in few.arrays]

    def call(count: int) -> object:
        return gough.reactions(robot, gough.State(*(part[:count] for part in some)))

    return Job(f"reactions, {name}", call, SAMPLES)


def analyse_of(name: str, **options: bool) -> Job:
    """A motion of 450 samples."""
    robot = gough.zoo.load(name)
    motion = gough.motion.pick_and_place(robot, cycle=0.898, height=0.05, stroke=0.2)
    what = "".join(f", {key}={value}" for key, value in options.items())
    call = partial(gough.analyse, robot, motion, rate=RATE, **options)
    return Job(f"analyse, {name}{what}", lambda _: call(), 1, before=8)  # warm


def jobs() -> Iterator[Job]:
    """All of them."""
    yield from map(states_of, ("gough_stewart", "delta", "tilt_3rps"))
    yield from map(reactions_of, ("gough_stewart", "delta"))
    yield analyse_of("delta")
    yield analyse_of("delta", agreement=False)


def timed(job: Job) -> tuple[float, float, bool]:
    """Wall and processor time of the whole job [s], and whether they are extrapolated."""
    count = min(job.count, 10)
    while True:
        wall, processor = time.perf_counter(), time.process_time()
        job.call(count)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        share = count / job.count
        if share == 1.0 or wall * 10.0 > ENOUGH:
            return wall / share, processor / share, share < 1.0
        count = min(10 * count, job.count)


def work() -> None:
    """One tree: a line for each job."""
    for job in jobs():
        first = time.process_time()
        job.call(min(job.count, 64))  # large enough for a kernel to be built, where there is one
        first = time.process_time() - first
        for _ in range(job.before - 1):
            job.call(min(job.count, 64))
        best = min((timed(job) for _ in range(2)), key=lambda each: each[1])
        print(json.dumps([job.name, job.count, first, *best]), flush=True)


def measured(path: str) -> Iterator[list]:
    """Lines of a tree."""
    source = {"PYTHONPATH": str(Path(path).resolve() / "src")}
    command = [sys.executable, __file__, "--work"]
    process = subprocess.Popen(command, env=os.environ | source, stdout=subprocess.PIPE, text=True)
    yield from map(json.loads, process.stdout)
    if process.wait():
        sys.exit("a tree has stopped: its message is above")


def main(paths: list[str]) -> None:
    """Print a table of each tree."""
    for path in paths:
        print(f"{path}\n{'':34}{'samples':>9}{'first 64':>10}{'wall':>12}{'processor':>12}  [s]")
        for name, count, first, wall, processor, scaled in measured(path):
            mark = "~" if scaled else " "
            print(f"{name:34}{count:9}{first:10.2f}{mark:>2}{wall:10.4g}{mark:>2}{processor:10.4g}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    elif len(sys.argv) > 1:
        main(sys.argv[1:])
    else:
        sys.exit(__doc__)
