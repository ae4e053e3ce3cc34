"""Poses of all bodies at home, also where home is singular and no motion can be asked for."""

from __future__ import annotations

import numpy as np

from gough.base import spatial
from gough.robot.robot import Robot


def home_poses(robot: Robot) -> dict[str, np.ndarray]:
    """Poses of the base and of all bodies at the assembled home."""
    found = robot.assembly
    at = found.equations(found.T_home, found.home)
    poses = {robot.base: np.eye(4)}
    for joint in robot.joints:
        frames = zip(at.frames(joint), (joint.parent_frame, joint.child_frame), strict=True)
        for body, (there, frame) in zip((joint.parent, joint.child), frames, strict=True):
            if body not in poses:
                T = spatial.pose(np.asarray(there.R, dtype=float), np.asarray(there.p, dtype=float))
                poses[body] = T @ np.linalg.inv(frame.matrix)
    return poses
