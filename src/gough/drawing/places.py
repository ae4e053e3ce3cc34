"""Where every body and every joint frame is, at home or at a pose.

Geometry alone: a singular pose has a picture too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough import spatial
from gough.closure.equations import Equations
from gough.closure.recursion import Pose, frame_pose, root_poses
from gough.geometry.inverse import posed
from gough.geometry.newton import State
from gough.mobility.assembly import Assembly


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


def places(
    assembly: Assembly, T_0p: np.ndarray | None = None, branch: State | None = None
) -> Places:
    """Every body and joint frame at a pose, legs bent as on home's branch or another.

    Without a pose the one of the branch is meant, or home.
    """
    if T_0p is None:
        at = assembly.equations(*(branch or State(assembly.T_home, assembly.home)))
    else:
        at = posed(assembly, T_0p, branch)
    robot = assembly.robot
    bodies = {robot.base: np.eye(4)} | _bodies(assembly, at)
    return Places(
        bodies,
        {j.name: bodies[j.parent] @ j.parent_frame.matrix for j in robot.joints},
        {j.name: bodies[j.child] @ j.child_frame.matrix for j in robot.joints},
        bodies[robot.platform] @ robot.platform_frame.matrix,
    )


def _bodies(assembly: Assembly, at: Equations) -> dict[str, np.ndarray]:
    topology, base = assembly.topology, Pose(np.eye(3), np.zeros(3))
    found = {
        name: frame_pose(at.hub_placed, at.platform, mount)
        for name, mount in topology.hub.bodies.items()
    }
    for index, leg in enumerate(topology.legs):
        roots = root_poses(leg.tree, at.leg_poses[index], base)
        for name, mount in leg.tree.bodies.items():
            found[name] = frame_pose(roots, base, mount)
    return {
        body.name: spatial.pose(found[body.name].R, found[body.name].p)
        for body in assembly.robot.bodies
    }
