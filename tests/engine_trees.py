"""A robot's description as a spanning tree of single moves, for engines that know trees only.

Of gough this module knows the description (bodies, joints, frames), nothing of its topology,
closure or dynamics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import gough
from machines import BASE


def shift(R: Any, p: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    """Homogeneous matrix."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


TURN, SLIDE, SCREW, BALL = "turn", "slide", "screw", "ball"
X_UP = shift(Rotation.from_euler("x", 90, degrees=True).as_matrix())
Z_TO_X = shift([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
Z_TO_Y = Z_TO_X @ Z_TO_X

CHAINS: dict[str, list[Any]] = {
    "revolute": [TURN],
    "prismatic": [SLIDE],
    "helical": [SCREW],
    "universal": [TURN, X_UP, TURN],
    "cylindrical": [TURN, SLIDE],
    "spherical": [BALL],
    "planar": [Z_TO_X, SLIDE, Z_TO_X.T, Z_TO_Y, SLIDE, Z_TO_Y.T, TURN],
    "planar_contact": [Z_TO_X, SLIDE, Z_TO_X.T, Z_TO_Y, SLIDE, Z_TO_Y.T, BALL],
    "fixed": [],
}
"""From frame A to frame B: moves about and along z, and constant displacements between them."""


def home_poses(robot: gough.Robot) -> dict[str, np.ndarray]:
    """Poses at home of the bodies that the description gives, and of the base."""
    return {BASE: np.eye(4)} | {name: T.matrix for name, T in robot.home.bodies.items()}


def between(joint: gough.Joint, poses: Mapping[str, np.ndarray]) -> np.ndarray:
    """Frame B of a joint in its frame A, from the poses of the bodies."""
    T_0A = poses[joint.parent] @ joint.parent_frame.matrix
    return np.linalg.inv(T_0A) @ poses[joint.child] @ joint.child_frame.matrix


def coordinates(
    joint: gough.Joint, poses: Mapping[str, np.ndarray], home: Mapping[str, np.ndarray]
) -> list[Any]:
    """Values of the moves in the chain of a joint, angles on the turn that is nearest home."""
    found = _within_a_turn(joint, between(joint, poses))
    if not {joint.parent, joint.child} <= {*home}:
        return found
    near = _within_a_turn(joint, between(joint, home))
    moves = [move for move in CHAINS[joint.kind] if isinstance(move, str)]
    return [
        x + 2 * np.pi * np.round((x_home - x) / (2 * np.pi)) if move == TURN else x
        for move, x, x_home in zip(moves, found, near, strict=True)
    ]


def _within_a_turn(joint: gough.Joint, T_AB: np.ndarray) -> list[Any]:
    R, p = T_AB[:3, :3], T_AB[:3, 3]
    angle, slide = np.arctan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1]), p[2]
    match joint.kind:
        case "revolute":
            return [angle]
        case "prismatic":
            return [slide]
        case "helical":  # whole turns cannot be seen in R
            return [angle + 2 * np.pi * np.round((slide / joint.pitch - angle) / (2 * np.pi))]
        case "universal":
            return [np.arctan2(R[0, 2], -R[1, 2]), np.arctan2(R[2, 0], R[2, 1])]
        case "cylindrical":
            return [angle, slide]
        case "spherical":
            return [R]
        case "planar":
            return [p[0], p[1], angle]
        case "planar_contact":
            return [p[0], p[1], R]
    return []


@dataclass(frozen=True)
class Link:
    """A joint of the tree, walked from the body nearer to the base to the other."""

    joint: gough.Joint
    near: str
    far: str

    @property
    def chain(self) -> list[Any]:
        """From body frame to body frame: constants and moves in turn."""
        j = self.joint
        found = [j.parent_frame.matrix, *CHAINS[j.kind], np.linalg.inv(j.child_frame.matrix)]
        if self.reversed:
            found = [x if isinstance(x, str) else np.linalg.inv(x) for x in reversed(found)]
        merged = [np.eye(4)]
        for x in found:
            if isinstance(x, str):
                merged += [x, np.eye(4)]
            else:
                merged[-1] = merged[-1] @ x
        return merged

    @property
    def reversed(self) -> bool:
        """Whether it is walked from the joint's child to its parent."""
        return self.near != self.joint.parent

    def coordinates(
        self, poses: Mapping[str, np.ndarray], home: Mapping[str, np.ndarray]
    ) -> list[Any]:
        """Values of the moves in the chain, from the poses of the bodies now and at home."""
        found = coordinates(self.joint, poses, home)
        if not self.reversed:
            return found
        return [x.T if np.ndim(x) else -x for x in reversed(found)]

    @property
    def axes(self) -> list[tuple[str, gough.Axis]]:
        """Axes of the joint in the order of the moves: one a move, unless a plane or a ball."""
        found = list(zip(self.joint.axis_names, self.joint.axes, strict=True))
        return found[::-1] if self.reversed else found


def spanning_tree(
    robot: gough.Robot, seed: int | None = None
) -> tuple[list[Link], list[gough.Joint]]:
    """Links from the base outwards and the cut joints: breadth first, or any tree by a seed."""
    rng = np.random.default_rng(seed)
    reached, links, left = [BASE], [], list(robot.joints)
    while True:
        ready = [j for j in left if (j.parent in reached) != (j.child in reached)]
        if not ready:
            return _depth_first(links, BASE), left
        if seed is None:  # the joint on the body that was reached first
            j = min(ready, key=lambda j: min(map(reached.index, {j.parent, j.child} & {*reached})))
        else:
            j = ready[rng.integers(len(ready))]
        near, far = (j.parent, j.child) if j.parent in reached else (j.child, j.parent)
        links.append(Link(j, near, far))
        reached.append(far)
        left.remove(j)


def _depth_first(links: list[Link], root: str) -> list[Link]:
    """The same links, every branch in one piece: Pinocchio's inertia matrix counts on it."""
    at_root = [link for link in links if link.near == root]
    return [x for link in at_root for x in (link, *_depth_first(links, link.far))]


def mounts(robot: gough.Robot) -> dict[str, tuple[str, np.ndarray]]:
    """All frames that anybody asks for: body, and place on it."""
    found = {body.name: (body.name, np.eye(4)) for body in robot.bodies}
    found["/platform"] = (robot.platform, robot.platform_frame.matrix)
    for j in robot.joints:
        found[f"{j.name}/A"] = (j.parent, j.parent_frame.matrix)
        found[f"{j.name}/B"] = (j.child, j.child_frame.matrix)
    return found
