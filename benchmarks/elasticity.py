"""How long elastic machines take: compliance, frequencies, and a map of 10,000 points.

    python benchmarks/elasticity.py              # all of it
    python benchmarks/elasticity.py --points 30  # a smaller map

Processor time on one thread: of the system of one posture, and of the same in a batch.  Beams,
bearings and transmissions of the machines are those of ``tests/elastic_machines.py``.  The map is a
Delta's, its nine links beams, by all cores: there the time that passes counts as well.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import gough
from cases import motion
from elastic_machines import ELASTIC, beams_and_bearings, cases, machine
from gough.base.blas_threads import one_thread
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.elastic.compliances import compliances
from gough.elastic.drives import drives_of
from gough.elastic.many import many
from gough.elastic.modelling import Options
from gough.elastic.one_posture import solved_at
from gough.elastic.pieces import AT_ONCE
from gough.elastic.postures import of_bodies
from gough.evaluation.evaluator import usual

MANY, FREQUENCIES = 4096, 8


def took(work: Callable[[], Any], repeats: int = 20) -> float:
    """Least processor time of several calls, after a first one [s]."""
    found = []
    with one_thread():
        for _ in range(repeats + 1):
            start = time.process_time()
            work()
            found.append(time.process_time() - start)
    return min(found[1:])


def row(name: str, robot: gough.Robot, T: np.ndarray) -> str:
    """One machine: microseconds a posture, before and after, and the ratio."""
    assembly, held, options = robot.assembly, drives_of(robot, "locked"), Options()
    loads = LoadArguments(assembly).only()

    def one() -> Any:
        return solved_at(assembly, T[0], held, options, loads)

    single = took(lambda: one().compliance)
    shaken = took(lambda: one().modes)
    poses = np.resize(T, (MANY, 4, 4))
    C = took(lambda: compliances(assembly, poses, held, options, threads=1)) / MANY
    bodies = usual(assembly, "bodies_at")({"T_0p": (poses[:AT_ONCE], 2)}).values[0]

    def frequencies() -> np.ndarray:
        found = many(assembly, of_bodies(assembly, bodies), held, options)
        return found.frequencies(FREQUENCIES)

    f = took(frequencies) / AT_ONCE
    return (
        f"{name:16} {1e3 * single:8.2f} {1e6 * C:8.2f} {single / C:8.0f} "
        f"{1e3 * shaken:10.2f} {1e3 * f:8.3f} {shaken / f:6.1f}"
    )


def delta() -> tuple[gough.Robot, np.ndarray]:
    """The elastic Delta of the reference, and its pose."""
    known = cases().get("cases", cases().values())
    return machine(next(c for c in known if isinstance(c, dict) and c.get("robot") == "delta"))


def mapped(points: int) -> str:
    """A map of the lowest frequency."""
    robot, T = delta()
    spans = dict.fromkeys("xy", (-0.25, 0.25, points))
    options = {"at": {"z": float(T[2, 3])}, "elastic": "frequency"}
    gough.workspace(robot, **dict.fromkeys("xy", (-0.2, 0.2, 9)), **options)  # kernels
    passed, start = time.perf_counter(), time.process_time()
    found = gough.workspace(robot, **spans, **options)
    start, passed = time.process_time() - start, time.perf_counter() - passed
    count = int(found.reach.sum())
    return (
        f"{points * points} points, {count} of them reached: {start:.1f} s of processor time, "
        f"{passed:.1f} s pass, {1e3 * start / count:.2f} ms a point"
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=100, help="of the map, along each freedom")
    points = parser.parse_args().points
    print(f"{'':16} {'compliance':>26} {f'{FREQUENCIES} frequencies':>26}")
    print(
        f"{'':16} {'one ms':>8} {'batch us':>8} {'ratio':>8} {'one ms':>10} {'batch ms':>8} ratio"
    )
    robot, T = delta()
    around = np.repeat(T[None], 16, axis=0)
    around[:, :3, 3] += np.random.default_rng(0).uniform(-0.05, 0.05, (16, 3))
    print(row("delta, 9 beams", robot, around))
    for name in ELASTIC:
        print(row(name, beams_and_bearings(name), motion(name, 16, 0.05).T_0p))
    print(f"\nlowest frequency over x and y, {mapped(points)}")


if __name__ == "__main__":
    main()
