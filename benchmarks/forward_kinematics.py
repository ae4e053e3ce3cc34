"""How fast motor positions become poses.  Ratios in one run; machines differ.

    python benchmarks/forward_kinematics.py            # all modes, and following one
    python benchmarks/forward_kinematics.py --short    # a tenth of the calls

All modes: Dietmaier's platform, 40 real poses, with joints, residuals and conditioning of each;
robots of the zoo at home.

Following: the compiled Newton of ``gough.pose_from_motors``, one state and a batch, against the
same in NumPy, and against what one would write without it: ``scipy.optimize.root`` on gough's own
compiled inverse geometry, where the freedoms alone make the pose.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import root

import gough

ROBOTS = ("gough_stewart", "delta", "five_bar", "quattro")
BATCH = 100_000
NEAR = 1e-3  # of the robot's size: a control cycle's way at 1 m/s and 1 kHz


class Near(NamedTuple):
    """Poses, their motor positions, and guesses beside them."""

    robot: gough.Robot
    T_0p: np.ndarray
    q_a: np.ndarray
    guess: np.ndarray
    x_guess: np.ndarray


def per_state(call: Callable[[], object], states: int = 1, repeat: int = 3) -> float:
    """Shortest processor time per state [s]: other work on the machine counts for nobody."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times) / states


def near(name: str, count: int = 50) -> Near:
    """States around home, with guesses a control cycle away."""
    robot = gough.zoo.load(name)
    a = robot.assembly
    rng = np.random.default_rng(0)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = home + 0.05 * a.scales.freedoms * rng.uniform(-1.0, 1.0, (count, a.mobility))
    beside = x + NEAR * a.scales.freedoms * rng.uniform(-1.0, 1.0, x.shape)
    T = gough.state(robot, x).T_0p
    return Near(
        robot, T, gough.inverse_kinematics(robot, T), gough.state(robot, beside).T_0p, beside
    )


def by_scipy(case: Near, i: int) -> np.ndarray:
    """One pose by a general root finder on the inverse geometry."""
    a = case.robot.assembly
    y, free = a.chart.coordinates(a.T_home), list(a.free)

    def off(x: np.ndarray) -> np.ndarray:
        y[free] = x
        with gough.options(engine="compiled"):
            return gough.inverse_kinematics(case.robot, a.chart.pose(y)) - case.q_a[i]

    y[free] = root(off, case.x_guess[i], tol=1e-12).x
    return a.chart.pose(y)


def follow(name: str, calls: int) -> None:
    """Print one robot's line."""
    case = near(name)
    robot, T, q, guess, _ = case
    many = np.arange(BATCH) % len(q)
    wide_q, wide_guess = q[many], guess[many]
    for engine in ("compiled", "numpy"):
        with gough.options(engine=engine):
            found = gough.pose_from_motors(robot, q, guess)
        assert found.converged.all()
        assert np.abs(found.T_0p - T).max() < 1e-11
    plain = robot.mobility == 6 or robot.assembly.Psi_is_constant
    assert not plain or np.abs(by_scipy(case, 0) - T[0]).max() < 1e-8

    def one_by_one() -> None:
        for i in range(calls):
            with gough.options(engine="compiled"):
                gough.pose_from_motors(robot, q[i % 50], guess[i % 50])

    few, seconds = 5, {"one": per_state(one_by_one, calls)}
    with gough.options(engine="compiled", threads=1):
        seconds["batch"] = per_state(
            lambda: gough.pose_from_motors(robot, wide_q, wide_guess), BATCH
        )
    with gough.options(engine="numpy"):
        seconds["NumPy"] = per_state(
            lambda: gough.pose_from_motors(robot, q[:few], guess[:few]), few
        )
    if plain:
        seconds["SciPy"] = per_state(lambda: [by_scipy(case, i) for i in range(50)], 50)
    figures = "  ".join(f"{word} {1e6 * s:9.2f} us" for word, s in seconds.items())
    slower = ", ".join(
        f"{word} {seconds[word] / seconds['one']:.0f} times" for word in list(seconds)[2:]
    )
    print(f"{name:14} {figures}   (one call: {slower})")


# Dietmaier's platform: base points, platform points, lengths
BASE = [
    [0.0, 0.0, 0.0],
    [1.107915, 0.0, 0.0],
    [0.549094, 0.756063, 0.0],
    [0.735077, -0.223935, 0.525991],
    [0.514188, -0.526063, -0.368418],
    [0.590473, 0.094733, -0.205018],
]
TOP = [
    [0.0, 0.0, 0.0],
    [0.542805, 0.0, 0.0],
    [0.956919, -0.528915, 0.0],
    [0.665885, -0.353482, 1.402538],
    [0.478359, 1.158742, 0.107672],
    [-0.137087, -0.235121, 0.353913],
]
LENGTHS = [1.0, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071]


def all_modes() -> None:
    """Print how long all modes take."""
    robot = gough.build.hexapod(BASE, TOP, name="dietmaier")
    found = gough.forward_kinematics(robot, LENGTHS)
    assert len(found) == 40
    assert found.residuals.max() < 1e-12
    seconds = per_state(lambda: gough.forward_kinematics(robot, LENGTHS), repeat=9)
    worst = found.residuals.max()
    print(f"{robot.name:18} {1e3 * seconds:7.1f} ms  40 modes, worst residual {worst:.1e}")
    for name in gough.zoo.names():
        robot = gough.zoo.load(name)
        home = [robot.assembly.home_values[motor] for motor in robot.motors]
        found = gough.forward_kinematics(robot, home)
        seconds = per_state(lambda: gough.forward_kinematics(robot, home), repeat=2)  # noqa: B023
        print(f"{name:18} {1e3 * seconds:7.1f} ms  {len(found):2} modes, by {found.method}")


def main(calls: int) -> None:
    """Measure and print."""
    all_modes()
    print(f"following one mode, guesses {NEAR:g} of the robot's size away; processor time per pose")
    for name in ROBOTS:
        follow(name, calls)


if __name__ == "__main__":
    main(200 if "--short" in sys.argv else 2000)
