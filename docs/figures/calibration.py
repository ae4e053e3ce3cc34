"""Makes the pictures of calibrations in docs/reports.md: ``python docs/figures/calibration.py``.

``calibration_residuals.png`` and ``calibration_joints.png`` are figures of the page of a hexapod
whose joints sit elsewhere than described, with 50 measured poses.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from make import save

import gough

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
    home = gough.inverse_geometry(robot, robot.home_pose)
    motors = home + 0.12 * rng.uniform(-1.0, 1.0, (50, len(home)))
    T = gough.state_from_motors(real, motors).T_0p
    small = NOISE[1] * rng.normal(size=(50, 3))
    R = np.array([gough.Frame.from_rpy((0.0, 0.0, 0.0), w).rotation for w in small])
    T[:, :3, :3] = R @ T[:, :3, :3]
    T[:, :3, 3] += NOISE[0] * rng.normal(size=(50, 3))
    return gough.calibration.Poses(motors, T, NOISE)


def main() -> None:
    """Calibrate, and save two of the figures."""
    robot = gough.zoo.load("gough_stewart")
    found = gough.calibrate(robot, measured(robot, np.random.default_rng(1)), held_back=0.2)
    save(found.draw("poses"), HERE / "calibration_residuals.png", 110)
    save(found.draw("joints"), HERE / "calibration_joints.png", 110)


if __name__ == "__main__":
    main()
