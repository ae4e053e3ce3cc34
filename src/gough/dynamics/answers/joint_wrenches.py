"""What joints transmit, in the axes of their own frames: the same lines for numbers and symbols.

Wrenches ``[f; n / L]`` are in natural units, about the origin and in the axes of the joint's frame
B on its child.  Carried in those axes most of what a joint can transmit is constant, so that little
of it is left in a program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gough.base.spatial import E_Z, Array, collect, cross, snap, turn_z
from gough.mechanism.closure.axes import AxisPlace, coordinate
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.moves import steps
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import Mount
from gough.robot import Joint

_UNIT = np.eye(6)
_QUARTER_X = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


class End(NamedTuple):
    """A joint's frame on a body.

    Attributes:
        body: name of the body.
        mount: where the frame sits on the link that carries the body, link axes.
    """

    body: str
    mount: Mount


class JointAt(NamedTuple):
    """A joint in a state.

    Attributes:
        joint: its description.
        parent: its frame A.
        child: its frame B.
        pose: B in A.
        length: natural unit of lengths [m].
    """

    joint: Joint
    parent: End
    child: End
    pose: Pose
    length: float

    def constraints(self) -> Array:
        """Wrenches that it can bear, orthonormal columns, 6xk."""
        kind, z_A = self.joint.kind, self.pose.R[2]
        if kind == "helical":
            pitch = self.joint.pitch / self.length
            bears = (_UNIT[2] - _UNIT[5] * pitch) / np.sqrt(1.0 + pitch**2)
            return collect([*_UNIT[[0, 1, 3, 4]], bears]).T
        if kind == "universal":  # a moment across both axes
            across = collect([0.0, 0.0, 0.0, z_A[1], -z_A[0], 0.0])
            return np.concatenate([_UNIT[:, :3], across[:, None]], axis=1)
        if kind == "planar_contact":  # a force across the plane
            return np.concatenate([z_A, np.zeros(3)])[:, None]
        return _UNIT[:, _CONSTANT[kind]]

    def transmitted(self, efforts: Mapping[str, Any]) -> Array:
        """The smallest wrench with given efforts along the axes, by name [N or N m]."""
        names, L = self.joint.axis_names, self.length
        first, *rest = [efforts.get(name, 0.0) for name in names] or [0.0]
        second = rest[0] if rest else 0.0
        nothing, R = np.zeros(3), self.pose.R
        kind = self.joint.kind
        if kind in ("revolute", "cylindrical"):
            return np.concatenate([E_Z * second, E_Z * (first / L)])
        if kind == "prismatic":
            return np.concatenate([E_Z * first, nothing])
        if kind == "helical":
            pitch = self.joint.pitch
            share = first / (pitch**2 + L**2)
            return np.concatenate([E_Z * (share * pitch), E_Z * (share * L)])
        if kind == "universal":
            return np.concatenate([nothing, R[2] * (first / L) + E_Z * (second / L)])
        if kind == "spherical":
            return np.concatenate([nothing, (nothing + first) / L])
        if kind == "planar_contact":
            plane, ball = np.zeros(2) + first, nothing + second
            return np.concatenate([R[0] * plane[0] + R[1] * plane[1], ball / L])
        return np.zeros(6)

    def on_child(self, wrench: Array) -> Array:
        """A wrench, or each column, about the origin and in the axes of the child's link."""
        return carried(wrench, self.child.mount.R, self.child.mount.p, self.length)

    def seen_from_parent(self, wrench: Array) -> Array:
        """The same about the origin and in the axes of frame A."""
        return carried(wrench, *self.pose, self.length)

    def on_parent(self, wrench: Array) -> Array:
        """The same about the origin and in the axes of the parent's link."""
        at = self.parent.mount
        return carried(self.seen_from_parent(wrench), at.R, at.p, self.length)


_CONSTANT = {
    "revolute": [0, 1, 2, 3, 4],
    "prismatic": [0, 1, 3, 4, 5],
    "cylindrical": [0, 1, 3, 4],
    "spherical": [0, 1, 2],
    "fixed": [0, 1, 2, 3, 4, 5],
}
"""Components that a joint bears whatever its coordinates are."""


def carried(wrench: Array, R: Array, p: Array, length: float) -> Array:
    """A wrench, or each column, of a frame (R, p) taken about the origin that p counts from."""
    f = R @ wrench[:3]
    return np.concatenate([f, R @ wrench[3:] + cross(p * (1.0 / length), f)])


def joints_at(assembly: Assembly, at: Equations) -> list[JointAt]:
    """All joints of the robot in a state."""
    return [_joint_at(assembly, at, joint) for joint in assembly.robot.joints]


def _joint_at(assembly: Assembly, at: Equations, joint: Joint) -> JointAt:
    moves = [coordinate(at, assembly.axes[name]) for name in joint.axis_names]
    place = assembly.axes[joint.axis_names[0]] if joint.axis_names else None
    parent, child = _mounts(at.topology, joint, place)
    pose = _pose(joint, moves)
    return JointAt(joint, End(joint.parent, parent), End(joint.child, child), pose, assembly.length)


def _pose(joint: Joint, moves: list[Array]) -> Pose:
    """Frame B in frame A, from the joint's coordinates; the inverse of ``axis_coordinates``."""
    R: Array = np.eye(3)
    p: Array = np.zeros(3)
    if joint.kind in ("revolute", "cylindrical"):
        R = turn_z(R, moves[0][0], moves[0][1])
    if joint.kind in ("prismatic", "cylindrical"):
        p = E_Z * moves[-1][0]
    if joint.kind == "helical":
        R = turn_z(R, np.cos(moves[0][0]), np.sin(moves[0][0]))
        p = E_Z * (moves[0][0] * joint.pitch)
    if joint.kind == "universal":
        first, second = moves
        R = turn_z(turn_z(R, first[0], first[1]) @ _QUARTER_X, second[0], second[1])
    if joint.kind in ("spherical", "planar_contact"):
        R = moves[-1]
    if joint.kind == "planar_contact":
        p = collect([moves[0][0], moves[0][1], 0.0])
    return Pose(R, p)


def _mounts(topology: Topology, joint: Joint, place: AxisPlace | None) -> tuple[Mount, Mount]:
    """Where frames A and B sit on their links; of trees that stand in for others too."""
    for closings in topology.closings:
        for closing in closings:
            if closing.joint is joint:
                near, far = closing.near, closing.far
                return (near, far) if closing.near_is_parent else (far, near)
    if place is None:  # fixed: both bodies on one link
        tree = next(t for t in topology.trees if {joint.parent, joint.child} <= t.bodies.keys())
        seats = topology.seats[joint.name]
        return tree.mount(joint.parent, seats.A), tree.mount(joint.child, seats.B)
    tree = topology.trees[place.tree + 1]
    own = [k for k, link in enumerate(tree.links) if link.joint == joint.name]
    first, backwards = tree.links[own[0]], tree.links[own[0]].transposed
    moves = steps(joint.kind, backwards=backwards)
    near = Mount(first.parent, _turned_back(first.R, moves[0].before), first.p)
    far = Mount(own[-1], moves[-1].after, np.zeros(3))
    return (far, near) if backwards else (near, far)


def _turned_back(R: Array, before: np.ndarray) -> Array:
    found = R @ before.T
    return found if found.dtype == object else snap(found)
