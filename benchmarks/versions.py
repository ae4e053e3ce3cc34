"""Two working trees of gough beside each other, in one run: what became faster, what slower.

    python benchmarks/versions.py OLDER NEWER       # two working trees, for instance git worktrees
    python benchmarks/versions.py --functions OLDER NEWER     # public functions, call by call

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
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gough

ROUNDS = 7
FEW, BATCH = 6, 100_000
NUMPY_ROBOTS = ("five_bar", "three_rrr", "delta", "gough_stewart", "quattro")
KERNEL_ROBOTS = ("five_bar", "delta", "gough_stewart", "quattro")
METHODS = ("legs", "elements", "screws", "tree")


class Job(NamedTuple):
    """What is measured: its name, a call, and how many states one call answers."""

    name: str
    call: Callable[[], object] | None
    states: int


NEWER = hasattr(gough, "State")
OLDER_NAMES = {
    "forward_dynamics": "direct_dynamics",
    "inverse_kinematics": "inverse_geometry",
    "motor_rates": "inverse_velocity",
    "motor_accelerations": "inverse_acceleration",
}
FUNCTIONS = {
    "inverse_kinematics": 1,
    "motor_rates": 2,
    "motor_accelerations": 3,
    "inverse_dynamics": 3,
    "forward_dynamics": 2,
    "cartesian_dynamics": 3,
    "implicit_model": 3,
    "inertia_matrix": 1,
    "bias_wrench": 2,
    "gravity_wrench": 1,
    "energy": 2,
    "jacobian": 1,
    "inverse_jacobian": 1,
    "freedom_map": 1,
    "influence_coefficients": 1,
    "partial_screws": 1,
    "reciprocal_screws": 1,
    "kinematic_coordinates": 1,
    "leg_jacobians": 1,
    "singularities": 1,
    "posture": 3,
    "reactions": 3,
    "regressor": 3,
    "observe": 3,
    "audit": 3,
}
"""Public functions of states, and how many arrays of a state each takes."""
OF_MOTORS = {"pose_from_motors": 1, "state_from_motors": 3, "inverse_dynamics_from_motors": 3}
"""Public functions of motor positions, rates and accelerations, and how many each takes."""
ONE_POSE = {"leg_jacobians", "singularities"}
"""Functions that took one pose, not a batch, in older versions."""
COUNTS = (1, 16, 64, 4096)
LONGEST = 2.0  # seconds that one call may take to be measured


def ask(name: str, robot: gough.Robot, arrays: Sequence[np.ndarray], *more: object, **options: Any):
    """A call of a public function in the words of either version, making the State included."""
    if NEWER:
        return getattr(gough, name)(robot, gough.State(*arrays), *more, **options)
    return getattr(gough, OLDER_NAMES.get(name, name))(robot, *arrays, *more, **options)


def answered_by(engine: str, call: partial, **threads: int) -> Callable[[], object]:
    """The same call, answered by one engine."""
    if NEWER:
        return gough.options(engine=engine, **threads)(call)
    return partial(call, engine=engine, **threads)


def states(robot: gough.Robot, count: int) -> tuple[np.ndarray, ...]:
    """States around home, as arrays."""
    a = robot.assembly
    rng = np.random.default_rng(0)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    sizes = np.where(np.array(a.free) < 3, a.length, 1.0)
    x = home + 0.02 * sizes * rng.uniform(-1.0, 1.0, (count, a.mobility))
    found = gough.state(robot, x, *rng.normal(size=(2, count, a.mobility)))
    return tuple(np.array(a) for a in (found.arrays if NEWER else found))


def one_by_one(name: str, robot: gough.Robot, poses: np.ndarray) -> list[object]:
    """A function of one pose, called for each."""
    return [getattr(gough, name)(robot, pose) for pose in poses]


def again(call: Callable[[], object], times: int) -> None:
    """The same call so many times."""
    for _ in range(times):
        call()


def numpy_jobs() -> Iterator[Job]:
    """One state after the other, by every method."""
    for name in NUMPY_ROBOTS:
        robot = gough.zoo.load(name)
        few = states(robot, FEW)
        for method in METHODS:
            call = partial(ask, "inverse_dynamics", robot, few, method=method)
            yield Job(f"NumPy, {name}, {method}", answered_by("numpy", call), FEW)


def kernel_jobs() -> Iterator[Job]:
    """Batches on one thread, and single calls."""
    for name in KERNEL_ROBOTS:
        robot = gough.zoo.load(name)
        few = states(robot, 100)
        T, V, Vdot = (np.tile(a, (BATCH // 100,) + (1,) * (a.ndim - 1)) for a in few)
        inverse = partial(ask, "inverse_dynamics", robot, (T, V, Vdot))
        inverse = answered_by("compiled", inverse, threads=1)
        direct = partial(ask, "forward_dynamics", robot, (T, V), inverse())
        direct = answered_by("compiled", direct, threads=1)
        first_one = tuple(a[0].copy() for a in few)
        one = partial(ask, "inverse_dynamics", robot, first_one)
        one_direct = partial(ask, "forward_dynamics", robot, first_one[:2], one())
        some = partial(ask, "inverse_dynamics", robot, tuple(a[:64].copy() for a in few))
        q = answered_by("compiled", partial(ask, "inverse_kinematics", robot, few[:1]))()[0]
        follow = partial(gough.pose_from_motors, robot, q, few[0][1].copy())
        yield Job(f"kernel, {name}, inverse dynamics", inverse, BATCH)
        yield Job(f"kernel, {name}, forward dynamics", direct, BATCH)
        yield Job(f"kernel, {name}, one call", partial(again, one, 1000), 1000)
        yield Job(f"kernel, {name}, one forward call", partial(again, one_direct, 1000), 1000)
        yield Job(f"kernel, {name}, 64 states, a call", partial(again, some, 300), 300)
        yield Job(f"kernel, {name}, made for a new robot", partial(first, name), 1)
        yield Job(f"kernel, {name}, pose from motors", partial(again, follow, 300), 300)


def first(name: str) -> object:
    """A robot that nobody has seen yet, and its kernel."""
    return gough.compile(gough.zoo.load(name), "inverse_dynamics")


def simulation_jobs() -> Iterator[Job]:
    """Steps of a simulated hexapod under constant efforts."""
    robot = gough.zoo.load("gough_stewart")
    T, V, _ = states(robot, 1)
    start = T[0], 0.1 * V[0]
    hold = ask("inverse_dynamics", robot, (robot.assembly.T_home, np.zeros(6), np.zeros(6)))
    begin = gough.State(*start) if NEWER else start
    call = partial(gough.simulate, robot, begin, hold, t_end=0.2)
    yield Job("simulation, gough_stewart, a step", call, 200)


def function_jobs() -> Iterator[Job]:
    """Public functions of the Delta as users call them, once their kernels are there."""
    robot = gough.zoo.load("delta")
    some = states(robot, 64)
    motors = [
        answered_by("compiled", partial(ask, name, robot, some[:k]))()
        for name, k in (("inverse_kinematics", 1), ("motor_rates", 2), ("motor_accelerations", 3))
    ]
    tau = answered_by("compiled", partial(ask, "inverse_dynamics", robot, some))()
    payload = gough.Loads(payload=gough.Payload(0.3, (0, 0, -0.02), 1e-3 * np.eye(3)))
    cases = [(name, parts, {}) for name, parts in (FUNCTIONS | OF_MOTORS).items()]
    seen = gough.observe(robot, gough.State(*some)) if NEWER else gough.observe(robot, *some)
    cases.append(("inverse_dynamics_observed", 0, {}))
    for name, parts, options in [*cases, ("inverse_dynamics", 3, {"loads": payload})]:
        spent = 0.0
        for count in COUNTS:
            label = f"{name}{', payload' if options else ''}, {count}"
            picked = np.arange(count) % 64 if count > 1 else 0
            if spent * count > LONGEST:
                yield Job(label, None, count)
                continue
            arrays = tuple(a[picked].copy() for a in some[:parts])
            if name in OF_MOTORS:
                call = partial(getattr(gough, name), robot, *(a[picked] for a in motors[:parts]))
            elif name == "inverse_dynamics_observed":
                legs = seen.with_arrays([a[picked] for a, _ in seen.arguments().values()])
                call = partial(gough.inverse_dynamics_observed, robot, legs)
            elif name in ONE_POSE and count > 1 and not NEWER:
                call = partial(one_by_one, name, robot, arrays[0])
            else:
                more = (tau[picked],) if name == "forward_dynamics" else ()
                call = partial(ask, name, robot, arrays, *more, **options)
            try:
                answered_by("compiled", call)()
            except TypeError:  # the older version has no engines there
                call()
            start = time.thread_time()
            call()
            spent = (time.thread_time() - start) / count
            times = max(1, min(200, int(0.02 / (spent * count + 1e-6))))
            yield Job(label, partial(again, call, times), times * count)


def work(*, functions: bool) -> None:
    """One tree: the names, then the times of a round [us a state] for every line that is read."""
    jobs = [*function_jobs()] if functions else [*numpy_jobs(), *kernel_jobs(), *simulation_jobs()]
    for job in jobs:
        if job.call is not None:
            job.call()  # traced, compiled, kept
    print(json.dumps([job.name for job in jobs]), flush=True)
    for _ in sys.stdin:
        times = []
        for job in jobs:
            start = time.thread_time()
            if job.call is None:
                times.append(float("nan"))
                continue
            job.call()
            times.append(1e6 * (time.thread_time() - start) / job.states)
        print(json.dumps(times), flush=True)


class Tree:
    """A process that works with a tree, and the shortest times of its jobs."""

    def __init__(self, path: str, *flags: str) -> None:
        # and kernels are compiled, not found on disk
        alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "GOUGH_CACHE": "off"}
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--work", *flags],
            env=os.environ | alone | {"PYTHONPATH": str(Path(path).resolve() / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def prepare(self) -> None:
        """Wait until all is compiled."""
        self.names = self._answer()
        self.best = [float("inf")] * len(self.names)

    def round(self) -> None:
        """Time every job once more."""
        self._process.stdin.write("again\n")
        self._process.stdin.flush()
        self.best = [min(pair) for pair in zip(self.best, self._answer(), strict=True)]

    def _answer(self) -> list:
        line = self._process.stdout.readline()
        if not line:
            sys.exit("a tree has stopped: its message is above")
        return json.loads(line)


def compare(older: str, newer: str, *flags: str) -> None:
    """Print the table of two trees."""
    trees = [Tree(older, *flags), Tree(newer, *flags)]
    for tree in trees:
        tree.prepare()
    for _ in range(ROUNDS):
        for tree in trees:
            tree.round()
    print(f"{'microseconds a state':40}{'older':>12}{'newer':>12}{'ratio':>8}")
    for name, a, b in zip(trees[0].names, *(tree.best for tree in trees), strict=True):
        print(f"{name:40}{a:12.3f}{b:12.3f}{b / a:8.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(functions="--functions" in sys.argv)
    elif len(sys.argv) == 4 and sys.argv[1] == "--functions":
        compare(*sys.argv[2:], "--functions")
    elif len(sys.argv) == 3:
        compare(*sys.argv[1:])
    else:
        sys.exit(__doc__)
