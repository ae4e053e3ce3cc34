"""Makes the pictures of docs/calibration.md and of calibrations in docs/reports.md.

``python docs/figures/calibration.py``.  ``calibration_residuals.png`` and
``calibration_joints.png`` are figures of the page of a hexapod whose joints sit elsewhere than
described, with 50 measured poses; ``calibration_delta.png`` and ``calibration_tilt.png`` of that of
``examples/measurements/delta_poses.csv``.  ``calibration_plan.png`` compares a plan with chance.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from make import save
from matplotlib.figure import Figure

import gough
from gough.report.style import quiet_style

HERE = Path(__file__).resolve().parent
OFF, NOISE = 5e-4, (2e-5, 5e-5)  # of joints [m]; of measured positions [m] and angles [rad]


def measured(robot: gough.Robot, rng: np.random.Generator) -> gough.calibration.Poses:
    """Poses of a machine whose joints on base and platform are off by half a millimetre."""

    def moved(frame: gough.Frame) -> gough.Frame:
        T = frame.matrix.copy()
        T[:3, 3] += OFF * rng.normal(size=3)
        return gough.Frame.from_matrix(T)

    joints = [
        replace(joint, parent_frame=moved(joint.parent_frame))
        if joint.parent == robot.base
        else replace(joint, child_frame=moved(joint.child_frame))
        if joint.child == robot.platform
        else joint
        for joint in robot.joints
    ]
    real = replace(robot, joints=joints)
    home = gough.inverse_kinematics(robot, robot.home_pose)
    motors = home + 0.12 * rng.uniform(-1.0, 1.0, (50, len(home)))
    T = gough.state_from_motors(real, motors).T_0p
    small = NOISE[1] * rng.normal(size=(50, 3))
    R = np.array([gough.Frame.from_rpy((0.0, 0.0, 0.0), w).rotation for w in small])
    T[:, :3, :3] = R @ T[:, :3, :3]
    T[:, :3, 3] += NOISE[0] * rng.normal(size=(50, 3))
    return gough.calibration.Poses(motors, T, NOISE)


COUNTS = (6, 8, 10, 12, 16, 20, 25, 30)


def known(robot: gough.Robot, poses: gough.calibration.Poses) -> float:
    """How well the tool is known all over the stroke after poses without errors [m]."""
    return gough.calibrate(robot, poses, noise=NOISE).behaviour.position_everywhere


def planned(robot: gough.Robot) -> Figure:
    """How well the tool is known after some measurements: planned, and at places by chance."""
    plan = gough.measurement_plan(robot, "poses", COUNTS[-1], noise=NOISE)
    (considered,) = plan.sets
    rng = np.random.default_rng(2)
    orders = [rng.permutation(len(considered)) for _ in range(5)]
    chance = 1e3 * np.array(
        [[known(robot, considered.chosen(order[:n])) for n in COUNTS] for order in orders]
    )
    chosen = gough.calibration.Poses(plan.motors, plan.poses)
    best = [1e3 * known(robot, chosen.chosen(slice(0, n))) for n in COUNTS]
    figure = Figure(figsize=(6.4, 3.4), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(COUNTS, chance.min(axis=0), chance.max(axis=0), color="0.88")
    axes.plot(COUNTS, np.median(chance, axis=0), "o-", color="0.5", label="at places by chance")
    axes.plot(COUNTS, best, "o-", color="tab:blue", label="planned")
    axes.set(yscale="log", xlabel="measured poses", ylabel="tool known to [mm]")
    axes.set_yticks((0.02, 0.05, 0.1, 0.2), ("0.02", "0.05", "0.1", "0.2"))
    axes.minorticks_off()
    axes.legend(frameon=False)
    return figure


def main() -> None:
    """Calibrate, and save figures."""
    robot = gough.zoo.load("gough_stewart")
    found = gough.calibrate(robot, measured(robot, np.random.default_rng(1)), held_back=0.2)
    save(found.draw("poses"), HERE / "calibration_residuals.png", 110)
    save(found.draw("joints"), HERE / "calibration_joints.png", 110)
    examples = HERE.parents[1] / "examples"
    delta = gough.load(examples / "robots" / "delta.yaml")
    table = examples / "measurements" / "delta_poses.csv"
    poses = gough.calibration.read_measurements(delta, table)
    found = gough.calibrate(delta, poses, held_back=0.2)
    save(found.draw("poses"), HERE / "calibration_delta.png", 110)
    save(found.draw("tilt"), HERE / "calibration_tilt.png", 110)
    with quiet_style():
        save(planned(delta), HERE / "calibration_plan.png", 110)


if __name__ == "__main__":
    main()
