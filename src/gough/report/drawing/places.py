"""Where every body and every joint frame of an assembled robot is.

Geometry alone: a singular pose has a picture too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.base import spatial
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly


@dataclass(frozen=True, eq=False)
class Places:
    """Poses in the base.

    Attributes:
        bodies: pose of every body frame, the base among them ``(4, 4)``.
        parents: pose of every joint's frame A ``(4, 4)``; ``children``: of its frame B.
        platform: pose of the platform's frame ``(4, 4)``.
    """

    bodies: dict[str, np.ndarray]
    parents: dict[str, np.ndarray]
    children: dict[str, np.ndarray]
    platform: np.ndarray

    def moved(self, body: str, points: np.ndarray) -> np.ndarray:
        """Points in body axes, in base axes."""
        T = self.bodies[body]
        return np.asarray(points @ T[:3, :3].T + T[:3, 3])

    def moved_with(self, other: Places, body: str, points: np.ndarray) -> np.ndarray:
        """Points of a body where they are now, from where they are in another posture."""
        T = other.bodies[body]
        return self.moved(body, (points - T[:3, 3]) @ T[:3, :3])


def places(assembly: Assembly, at: Equations) -> Places:
    """Poses of every body and joint frame at a state, in the base."""
    robot = assembly.robot
    bodies = {robot.base: np.eye(4)}
    for body in robot.bodies:
        pose = at.body_poses[body.name]
        bodies[body.name] = spatial.pose(pose.R, pose.p)
    return Places(
        bodies,
        {j.name: bodies[j.parent] @ j.parent_frame.matrix for j in robot.joints},
        {j.name: bodies[j.child] @ j.child_frame.matrix for j in robot.joints},
        bodies[robot.platform] @ robot.platform_frame.matrix,
    )
