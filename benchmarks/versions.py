"""Two working trees of gough beside each other, in one run: what became faster, what slower.

    python benchmarks/versions.py OLDER NEWER       # two working trees, for instance git worktrees

Each tree has a process of its own, and the two take turns, round by round, so that other work on
the machine meets both.  What counts is the processor time of the thread, the shortest of all
rounds.  Only calls that both versions know are made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROUNDS = 7
STATES, BATCH = 6, 100_000
NUMPY_ROBOTS = ("five_bar", "three_rrr", "delta", "gough_stewart", "quattro")
KERNEL_ROBOTS = ("five_bar", "delta", "gough_stewart", "quattro")
METHODS = ("legs", "elements", "screws", "tree")

Job = tuple[str, Callable[[], object], int]


def jobs() -> Iterator[Job]:
    """What is measured: a name, a call, and the states that it answers."""
    import numpy as np

    import gough

    def states(robot: gough.Robot, count: int) -> tuple[np.ndarray, ...]:
        a = robot.assembly
        rng = np.random.default_rng(0)
        home = a.chart.coordinates(a.T_home)[list(a.free)]
        sizes = np.where(np.array(a.free) < 3, a.length, 1.0)
        x = home + 0.02 * sizes * rng.uniform(-1.0, 1.0, (count, a.mobility))
        return gough.state(robot, x, *rng.normal(size=(2, count, a.mobility)))

    for name in NUMPY_ROBOTS:
        robot = gough.zoo.load(name)
        few = states(robot, STATES)
        for method in METHODS:

            def one_by_one(r=robot, s=few, m=method) -> object:
                return gough.inverse_dynamics(r, *s, method=m, engine="numpy")

            yield f"NumPy, {name}, {method}", one_by_one, STATES
    for name in KERNEL_ROBOTS:
        robot = gough.zoo.load(name)
        few = states(robot, 100)
        T, V, Vdot = (np.tile(a, (BATCH // 100,) + (1,) * (a.ndim - 1)) for a in few)
        tau = gough.inverse_dynamics(robot, T, V, Vdot, engine="compiled", threads=1)
        q = gough.inverse_geometry(robot, T[:100], engine="compiled")

        def inverse(r=robot, s=(T, V, Vdot)) -> object:
            return gough.inverse_dynamics(r, *s, engine="compiled", threads=1)

        def direct(r=robot, s=(T, V, tau)) -> object:
            return gough.direct_dynamics(r, *s, engine="compiled", threads=1)

        def single(r=robot, s=(T[0].copy(), V[0].copy(), Vdot[0].copy())) -> object:
            return [gough.inverse_dynamics(r, *s) for _ in range(1000)]

        def follow(r=robot, p=(q[0], T[1].copy())) -> object:
            return [gough.pose_from_motors(r, *p) for _ in range(300)]

        yield f"kernel, {name}, inverse dynamics", inverse, BATCH
        yield f"kernel, {name}, direct dynamics", direct, BATCH
        yield f"kernel, {name}, one call", single, 1000
        yield f"kernel, {name}, pose from motors", follow, 300
    robot = gough.zoo.load("gough_stewart")
    T, V, _ = states(robot, 1)
    hold = gough.inverse_dynamics(robot, robot.assembly.T_home, np.zeros(6), np.zeros(6))

    def simulated() -> object:
        return gough.simulate(robot, (T[0], 0.1 * V[0]), hold, t_end=0.2)

    yield "simulation, gough_stewart, a step", simulated, 200


def work() -> None:
    """One tree: the names, then the times of a round [us a state] for every line that is read."""
    found = list(jobs())
    for _, call, _ in found:
        call()  # traced, compiled, kept
    sys.stdout.write(json.dumps([name for name, _, _ in found]) + "\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        times = []
        for _, call, count in found:
            start = time.thread_time()
            call()
            times.append(1e6 * (time.thread_time() - start) / count)
        sys.stdout.write(json.dumps(times) + "\n")
        sys.stdout.flush()


def started(tree: Path) -> subprocess.Popen[str]:
    """A process that works with a tree."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    given = os.environ | threads | {"PYTHONPATH": str(tree / "src")}
    return subprocess.Popen(
        [sys.executable, __file__, "--work"],
        env=given,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def main() -> None:
    """Print the table of two trees."""
    if sys.argv[1:] == ["--work"]:
        return work()
    older, newer = (started(Path(each).resolve()) for each in sys.argv[1:3])
    names = [json.loads(each.stdout.readline()) for each in (older, newer)]  # type: ignore[union-attr]
    assert names[0] == names[1]
    best = {older: [float("inf")] * len(names[0]), newer: [float("inf")] * len(names[0])}
    for _ in range(ROUNDS):
        for each in (older, newer):
            each.stdin.write("go\n")  # type: ignore[union-attr]
            each.stdin.flush()  # type: ignore[union-attr]
            times = json.loads(each.stdout.readline())  # type: ignore[union-attr]
            best[each] = [min(pair) for pair in zip(best[each], times, strict=True)]
    for each in (older, newer):
        each.stdin.close()  # type: ignore[union-attr]
        each.wait()
    sys.stdout.write(f"{'microseconds a state':40}{'older':>12}{'newer':>12}{'ratio':>8}\n")
    for name, a, b in zip(names[0], best[older], best[newer], strict=True):
        sys.stdout.write(f"{name:40}{a:12.3f}{b:12.3f}{b / a:8.2f}\n")
    return None


if __name__ == "__main__":
    main()
