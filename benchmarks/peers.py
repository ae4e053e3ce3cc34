"""gough beside Pinocchio, MuJoCo and CasADi's own evaluator: same robots, same states, one run.

    make bench                                   # everything, into the documentation
    python benchmarks/peers.py                   # the comparison: benchmarks/results.json, a table
    python benchmarks/peers.py --zoo             # and the compile time of the whole zoo
    python benchmarks/peers.py --write           # and table and plot into docs/benchmarks.md
    python benchmarks/peers.py --report --write  # the page again from benchmarks/results.json

Answers are compared first: nothing is timed that is not the same.  All figures are microseconds a
state, the shortest of several repeats.  Within a repeat the libraries take turns, and what one
thread does is timed by the processor time of that thread: other work on the machine counts for
nobody.  Needed: ``pip install -e ".[bench]"``.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # before NumPy is loaded

os.environ["GOUGH_CACHE"] = "off"  # kernels are compiled here, not found on disk

import argparse  # noqa: E402
import datetime  # noqa: E402
import json  # noqa: E402
import platform  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Mapping  # noqa: E402
from importlib.metadata import version  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from peer_jobs import CasadiJob, MuJoCoJob, PinocchioJob  # noqa: E402
from peer_report import table, write  # noqa: E402
from peer_states import ROBOTS, States, many_legged, states  # noqa: E402

import gough  # noqa: E402
from gough.compiler.machine_code.native import vector_width  # noqa: E402
from gough.dynamics.methods import METHODS  # noqa: E402

RESULTS = Path(__file__).resolve().parent / "results.json"
JOBS = ("inverse", "forward")
BATCHES = (100, 1_000, 10_000, 100_000, 1_000_000)
PIECE = 1_000
"""States that the peers do at a time; of a larger batch, the best of several pieces counts."""
LEGS = (6, 8, 10, 12, 16)
SAME = 1e-9
"""Largest deviation of a peer, relative to the largest number of the answer."""

WITHOUT_FRICTION = gough.Loads(friction=False)
"""The others model friction differently."""

Call = Callable[[], Any]
Clock = Callable[[], float]


def best(
    calls: Mapping[str, tuple[Call, int]], repeats: int, clock: Clock = time.thread_time
) -> dict[str, float]:
    """Shortest time of each call [us a state]; they take turns."""
    found = dict.fromkeys(calls, float("inf"))
    for _ in range(repeats):
        for name, (call, count) in calls.items():
            start = clock()
            call()
            found[name] = min(found[name], 1e6 * (clock() - start) / count)
    return found


def arguments(job: str, s: States) -> list[np.ndarray]:
    """What gough is given."""
    return [s.T, s.V, s.Vdot if job == "inverse" else s.tau]


def by_gough(robot: gough.Robot, job: str, *arrays: np.ndarray, **how: Any) -> np.ndarray:
    """The public functions, as anybody calls them."""
    with gough.options(**({"engine": "compiled", "threads": 1} | how)):
        if job == "inverse":
            return gough.inverse_dynamics(robot, gough.State(*arrays), loads=WITHOUT_FRICTION)
        *state, tau = arrays
        found = gough.forward_dynamics(robot, gough.State(*state), tau, loads=WITHOUT_FRICTION)
    return found.Vdot_0p


class Comparison:
    """One robot in all libraries."""

    def __init__(self, robot: gough.Robot, *, mujoco: bool = True) -> None:
        self.robot, self.given = robot, states(robot)
        self.pinocchio = PinocchioJob(robot, self.given)
        self.trees: dict[str, Any] = {"pinocchio": self.pinocchio}
        if mujoco:
            self.trees["mujoco"] = MuJoCoJob(robot, self.given, self.pinocchio.points)
        self.compile = {job: compile_time(robot, job, loads=WITHOUT_FRICTION) for job in JOBS}
        self.kernels = {
            job: gough.compile(robot, f"{job}_dynamics", loads=WITHOUT_FRICTION) for job in JOBS
        }
        self.casadi = {job: CasadiJob(kernel) for job, kernel in self.kernels.items()}

    def deviations(self) -> dict[str, dict[str, float]]:
        """How far every answer is from the NumPy reference of gough; refused if too far."""
        found: dict[str, dict[str, float]] = {}
        for job in JOBS:
            given = arguments(job, self.given)
            known = by_gough(self.robot, job, *given, engine="numpy")
            answers = {
                "gough": by_gough(self.robot, job, *given),
                "casadi": self.casadi[job].ready(given)(),
            }
            for name, tree in self.trees.items():
                if job == "inverse":
                    answers[name] = tree.inverse(tree.states)
                    answers[f"{name}_lapack"] = tree.inverse(tree.states, lapack=True)
                else:
                    answers[name] = tree.platform(tree.states, tree.forward(tree.states))
            found[job] = {
                name: float(np.abs(x - known).max() / np.abs(known).max())
                for name, x in answers.items()
            }
            for name, off in found[job].items():
                if not off < SAME and (name, job) != ("mujoco", "forward"):
                    raise RuntimeError(f"{self.robot.name}: {job} dynamics by {name} is off: {off}")
        return found

    def one(self, job: str, repeats: int = 15) -> dict[str, float]:
        """One state, one call; the engines in a loop, without the cost of starting it."""
        first = [a[0].copy() for a in arguments(job, self.given)]
        kernel = self.kernels[job]
        at_once = self.casadi[job].ready([a[None] for a in first])
        bound = kernel.bound()  # its arrays must outlive the calls
        for place, array in zip(bound.inputs.values(), first, strict=True):
            place[...] = array
        native, given = kernel.native.call, bound.arguments
        calls = {
            "gough": lambda: by_gough(self.robot, job, *first),
            "casadi": at_once,
            "kernel": lambda: kernel.one(first),
            "machine code": lambda: native(*given),
        }
        looped = {name: (_loop(call, 300), 300) for name, call in calls.items()}
        return best(looped | self._engines(job, 300), repeats)

    def batch(self, job: str, count: int, repeats: int) -> dict[str, float]:
        """A batch, one thread; a large one with two threads, too."""
        arrays = arguments(job, self.given.many(count))
        piece = min(count, PIECE)
        times = max(1, 20_000 // count)  # short calls again and again, for a time that can be read
        calls = {
            "gough": (_loop(lambda: by_gough(self.robot, job, *arrays), times), times * count),
            "kernel": (_loop(lambda: self.kernels[job].run(arrays, {}, 1), times), times * count),
            "casadi": (self.casadi[job].ready([a[:piece] for a in arrays]), piece),
        }
        found = best(calls | self._engines(job, piece), repeats)
        if count >= 100_000:  # processor time does not know of threads
            both = {
                f"threads {n}": (lambda n=n: by_gough(self.robot, job, *arrays, threads=n), count)
                for n in (1, 2)
            }
            found |= best(both, repeats, time.perf_counter)
        return found

    def _engines(self, job: str, count: int) -> dict[str, tuple[Call, int]]:
        calls: dict[str, tuple[Call, int]] = {}
        for name, tree in self.trees.items():
            s = tree.states.many(count)
            run = tree.inverse if job == "inverse" else tree.forward
            calls[name] = (lambda run=run, s=s: run(s), count)
            if job == "inverse":
                calls[f"{name}_lapack"] = (lambda run=run, s=s: run(s, lapack=True), count)
        return calls


def _loop(call: Call, count: int) -> Call:
    def repeated() -> None:
        for _ in range(count):
            call()

    return repeated


def compare(name: str) -> dict[str, Any]:
    """All figures of one robot."""
    it = Comparison(gough.zoo.load(name))
    found: dict[str, Any] = {"off": it.deviations(), "tree_rates": int(it.pinocchio.model.nv)}
    for job in JOBS:
        kernel = it.kernels[job]
        figures = {"one": it.one(job), "operations": str(kernel.operations)}
        figures["compile"] = it.compile[job]
        figures["batch"] = {str(n): it.batch(job, n, 12 if n > 100_000 else 40) for n in BATCHES}
        found[job] = figures
        print(f"{name} {job}: {figures['batch']['100000']}", flush=True)
    return found


def compare_legs(legs: int) -> dict[str, Any]:
    """A platform on so many legs."""
    it = Comparison(many_legged(legs), mujoco=False)
    it.deviations()
    return {
        job: it.batch(job, 10_000, 20)
        | {"one": it.one(job, 5)["gough"], "compile": it.compile[job]}
        for job in JOBS
    }


def compile_time(robot: gough.Robot, job: str, **variant: Any) -> float:
    """Processor time to build a kernel [s]."""
    start = time.thread_time()
    gough.compile(robot, f"{job}_dynamics", **variant)
    return time.thread_time() - start


def compile_zoo() -> dict[str, Any]:
    """Build time of all robots and methods, as users get them: with friction and rotors [s]."""
    found: dict[str, Any] = {}
    for name in gough.zoo.names():
        robot = gough.zoo.load(name)
        assert robot.assembly is not None
        found[name] = {
            f"{method} {job}": compile_time(robot, job, method=method)
            for method in METHODS
            for job in JOBS
        }
        print(f"compile {name}: {max(found[name].values()):.2f} s at most", flush=True)
    return found


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    packages = ("gough", "pin", "mujoco", "casadi", "numpy", "llvmlite")
    cpu = Path("/proc/cpuinfo")
    names = [line.split(":")[1] for line in cpu.read_text().splitlines() if "model name" in line]
    return {
        "processor": names[0].strip() if names else platform.processor(),
        "cores": os.cpu_count(),
        "vectors": {8: "AVX-512", 4: "AVX2"}[vector_width()],
        "python": platform.python_version(),
        "versions": {package: _version(package) for package in packages},
        "date": datetime.date.today().isoformat(),
        "load": round(os.getloadavg()[0], 1),
    }


def _version(package: str) -> str:
    return gough.__version__ if package == "gough" else version(package)


def _keep(results: dict[str, Any]) -> None:
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


def main() -> None:
    """Measure, print, and write what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("robots", nargs="*", default=ROBOTS, help="zoo names")
    parser.add_argument("--zoo", action="store_true", help="compile times of the whole zoo too")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    parser.add_argument("--write", action="store_true", help="write table and plot into the docs")
    chosen = parser.parse_args()
    whole = set(chosen.robots) >= set(ROBOTS)
    if chosen.write and not whole:
        parser.error("the page shows all robots: name none")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if not chosen.report:
        results["machine"] = machine()
        results["robots"] = {name: compare(name) for name in chosen.robots}
        results["legs"] = {str(legs): compare_legs(legs) for legs in LEGS}
        if whole:
            _keep(results)
        if chosen.zoo:
            results["zoo"] = compile_zoo()
        if whole:
            _keep(results)
    print(table(results))
    if chosen.write:
        write(results)


if __name__ == "__main__":
    main()
