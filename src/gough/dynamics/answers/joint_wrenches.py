"""What joints transmit, in the axes of their own frames: the same lines for numbers and symbols.

Wrenches ``[f; n / L]`` are in natural units, about the origin and in the axes of the joint's frame
B on its child.  Carried in those axes most of what a joint can transmit is constant, so that little
of it is left in a program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gough.base.spatial import E_Z, Array, collect, cross, snap
from gough.mechanism.closure.axes import AxisPlace, coordinate
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.moves import steps
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import Mount
from gough.robot import Joint
from gough.robot.joint_kinds import BALL, KINDS, SCREW, SLIDE, JointKind


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

    @property
    def kind(self) -> JointKind:
        """Its kind."""
        return KINDS[self.joint.kind]

    def constraints(self) -> Array:
        """Wrenches that it can bear, orthonormal columns, 6xk."""
        # seen from B: only what is carried across a plane of A, or two axes, is not constant there
        carried = self.kind.carried(self.pose.R.T, self.joint.pitch / self.length, by_child=True)
        rows = [each.row() for each in carried]
        if self.kind.is_screw:
            rows = [row / np.sqrt(row @ row) for row in rows]
        return collect(rows, empty=(0, 6)).T

    def transmitted(self, efforts: Mapping[str, Any]) -> Array:
        """The smallest wrench with given efforts along the axes, by name [N or N m]."""
        L, z_A = self.length, self.pose.R[2]
        f: Array = np.zeros(3)
        n: Array = np.zeros(3)
        for name, moves in zip(self.joint.axis_names, self.kind.groups.values(), strict=True):
            effort = efforts.get(name, 0.0)
            for k, move in enumerate(moves):
                if move.what == BALL:
                    n = n + (np.zeros(3) + effort) / L
                elif move.what == SLIDE:
                    along = E_Z if self.kind.is_bushing else self.pose.R[move.axis]
                    f = f + along * ((np.zeros(2) + effort)[k] if len(moves) > 1 else effort)
                elif move.what == SCREW:
                    pitch = self.joint.pitch
                    share = effort / (pitch**2 + L**2)
                    f, n = f + E_Z * (share * pitch), n + E_Z * (share * L)
                else:
                    n = n + (E_Z if self.kind.turns == 1 or move.on == "B" else z_A) * (effort / L)
        return np.concatenate([f, n])

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
    pose = Pose(*KINDS[joint.kind].pose(moves, joint.pitch))
    return JointAt(joint, End(joint.parent, parent), End(joint.child, child), pose, assembly.length)


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
    moves = steps(KINDS[joint.kind], backwards=backwards)
    near = Mount(first.parent, _turned_back(first.R, moves[0].before), first.p)
    far = Mount(own[-1], moves[-1].after, np.zeros(3))
    return (far, near) if backwards else (near, far)


def _turned_back(R: Array, before: np.ndarray) -> Array:
    found = R @ before.T
    return found if found.dtype == object else snap(found)
