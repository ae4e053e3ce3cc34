"""How long a calibration takes, how much it removes, and whether its standard deviations are true.

    python benchmarks/calibration.py             # times, and what is left of the pose error
    python benchmarks/calibration.py --runs 200  # and how often true values are within two sigmas

Machines and measurements come from ``tests/measuring.py``, which closes loops in maximal
coordinates.  Errors of all joint frames and of the tool are 0.5 mm and 0.5 mrad, noise 0.02 mm and
0.05 mrad.  Times are those of the processor, the first call and one that finds its equations
spelled.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import gough
from gough.calibration.geometry import Layout, cayley_vectors
from measuring import Truth, crooked, measured, observed, reachable

ROBOTS = ("gough_stewart", "delta", "tilt_3rps", "five_bar", "three_rrr", "quattro")
ERRORS, NOISE, POSES = 5e-4, (2e-5, 5e-5), 50
PLANE = ["*.position.x", "*.position.y", "*.direction.z"]
"""Errors that a planar machine admits: the others cannot be drawn at random."""


def row(name: str) -> str:
    """Times, parameters, and the pose error before and after, on poses that were not used."""
    robot, rng = gough.zoo.load(name), np.random.default_rng(1)
    states = reachable(name, POSES + 20)
    seen = observed(crooked(robot, ERRORS, ERRORS, rng, parts=("frames", "tool")), states)
    data = measured(seen, "pose", NOISE, rng, which=np.arange(POSES))
    fresh = measured(seen, "pose", 0.0, rng, which=np.arange(POSES, POSES + 20))
    times = []
    for _ in range(2):
        start = time.process_time()
        found = gough.calibrate(robot, data, prior=(ERRORS, ERRORS), held_back=[fresh])
        times.append(time.process_time() - start)
    o = found.observability
    described = gough.state_from_motors(robot, states.motors[POSES:]).T_0p[:, :3, 3]
    off = np.linalg.norm(described - seen.T_dt[POSES:, :3, 3], axis=1)
    before = float(np.sqrt((off**2).mean())) * 1e3
    after = found.held_back.rms("after", "m") * 1e3 * np.sqrt(3.0)
    return (
        f"{name:14} {o.parameters:5d} {o.identifiable:5d} {times[0]:8.2f} {times[1]:8.2f} "
        f"{before:10.3f} {after:8.4f} {100.0 * (1.0 - after / before):7.1f} %  "
        f"{found.chi_square:5.2f}"
    )


def true_values(layout: Layout, truth: Truth) -> dict[str, float]:
    """Numbers of a true machine's geometry, by the names of parameters."""
    g = layout.nominal.copy()
    for end in ("parent", "child"):
        new, old = (
            [getattr(joint, f"{end}_frame") for joint in each.joints]
            for each in (truth.robot, truth.nominal)
        )
        R = np.array([f.rotation for f in new]) @ np.array([f.rotation for f in old]).swapaxes(1, 2)
        g[layout.seats[f"{end}_points"]] = np.array([f.position for f in new]).ravel()
        g[layout.seats[f"{end}_turns"]] = cayley_vectors(R).ravel()
    g[layout.tool] = [*truth.tool[:3, 3], *cayley_vectors(truth.tool[None, :3, :3])[0]]
    return dict(zip((entry.name for entry in layout.entries), g, strict=True))


def coverage(name: str, runs: int) -> str:
    """How often true values are within two standard deviations."""
    robot, rng = gough.zoo.load(name), np.random.default_rng(5)
    layout, states = Layout(robot), reachable(name, 30)
    truth = crooked(robot, ERRORS, ERRORS, rng, parts=("frames", "tool"), count=runs)
    seen = observed(truth, states)
    free = PLANE if name in ("five_bar", "three_rrr") else ["*.position", "*.direction"]
    inside, squares = [], []
    for k in range(runs):
        data = measured(seen[k], "pose", NOISE, rng)
        found = gough.calibrate(robot, data, free=free, prior=(ERRORS, ERRORS), outliers="keep")
        values = true_values(layout, truth[k])
        inside += [
            abs(each.value - values[each.name]) < 2.0 * each.std
            for each in found.parameters
            if each.owner != "device"
        ]
        squares.append(found.chi_square)
    share, mean = 100.0 * float(np.mean(inside)), float(np.mean(squares))
    return f"{name:14} {runs:5d} runs: {share:.1f} % within two sigmas, chi square {mean:.3f}"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=0, help="machines to draw for the second table")
    runs = parser.parse_args().runs
    print(
        f"{'robot':14} {'free':>5} {'shown':>5} {'first s':>8} {'again s':>8} {'before mm':>10} "
        f"{'after':>8} {'removed':>9}  {'chi2':>5}"
    )
    for name in ROBOTS:
        print(row(name), flush=True)
    for name in ("gough_stewart", "delta", "five_bar") if runs else ():
        print(coverage(name, runs), flush=True)


if __name__ == "__main__":
    main()
