"""How fast machines are simulated: one hexapod, and a thousand of them.

    python benchmarks/simulation.py            # both
    python benchmarks/simulation.py --short    # a tenth of the time simulated

Bars: 10 s of the hexapod at 1 kHz in under 0.5 s after compilation; 1000 hexapods, 10 s at 1 kHz,
one thread, in at most 1.5 times what their 4e7 forward dynamics take in batches.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import numpy as np

import gough

MACHINES, STEP = 1000, 1e-3


def hexapod() -> tuple[gough.Robot, np.ndarray, np.ndarray]:
    """A hexapod on stiff motors, efforts that carry it, and home."""
    robot = gough.zoo.load("gough_stewart")
    home = robot.home_pose
    rest = dict(zip(robot.motors, gough.inverse_kinematics(robot, home), strict=True))

    def held(name: str, axis: gough.Axis) -> gough.Axis:
        if name not in rest:
            return axis
        return replace(axis, spring=gough.Spring(5e4, float(rest[name])), viscous=50.0)

    joints = [replace(j, axes=tuple(map(held, j.axis_names, j.axes))) for j in robot.joints]
    robot = replace(robot, joints=tuple(joints))
    return robot, gough.inverse_dynamics(robot, home), home


def measured(call, repeats: int = 1) -> float:
    """Processor time of a call, on average [s]: other work on the machine counts for nobody."""
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def main(seconds: float) -> None:
    """Measure and print."""
    robot, tau, home = hexapod()
    tau = tau * 1.05
    gough.simulate(robot, home, tau, 0.01)  # compiles
    one = measured(lambda: gough.simulate(robot, home, tau, seconds), 3)
    print(f"one hexapod, {seconds:g} s at 1 kHz: {one:.3f} s (target: {0.05 * seconds:g} s)")

    rng = np.random.default_rng(0)
    x = robot.assembly.chart.coordinates(home) + rng.uniform(-0.01, 0.01, (MACHINES, 6))
    poses = gough.state(robot, x).T_0p
    efforts = np.tile(tau, (MACHINES, 1))
    with gough.options(engine="compiled", threads=1):
        gough.forward_dynamics(robot, poses, efforts)
        batch = measured(lambda: gough.forward_dynamics(robot, poses, efforts), 5000)
    gough.simulate(robot, poses, tau, 0.01)
    many = measured(lambda: gough.simulate(robot, poses, tau, seconds, output_step=0.1))
    calls = 4.0 * seconds / STEP
    print(f"{MACHINES} forward dynamics: {1e6 * batch:.0f} us")
    print(
        f"{MACHINES} hexapods, {seconds:g} s at 1 kHz: {many:.2f} s, {many / (calls * batch):.2f} "
        f"times their {calls * MACHINES:.0e} forward dynamics (target: 1.5)"
    )


if __name__ == "__main__":
    main(1.0 if "--short" in sys.argv else 10.0)
