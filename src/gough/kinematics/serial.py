"""Motion of a machine with serial parts: from its platform and serial axes to its core, and back.

Numbers and symbols run through the same lines.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, homogeneous, total
from gough.kinematics.consistency import Sizes
from gough.mechanism.closure.equations import BASE, Moving
from gough.mechanism.closure.recursion import (
    STILL,
    Motion,
    Pose,
    at_mount,
    carried,
    carrier,
    frame_pose,
    motions,
    relative,
    relative_poses,
    root_poses,
    turned,
)
from gough.mechanism.serial import SerialParts
from gough.mechanism.topology.tree import Mount, Tree


class Branch(NamedTuple):
    """A tree of serial axes in motion.

    Attributes:
        tree: its links.
        poses: of every link in its parent.
        rates, accelerations: of the links.
    """

    tree: Tree
    poses: list[Pose]
    rates: Array
    accelerations: Array

    def placed(self, root: Pose) -> list[Pose]:
        """Poses of all links where the root is."""
        return root_poses(self.tree, self.poses, root)

    def moving(self, root: Motion) -> list[Motion]:
        """Motions of all links, in their own axes, from that of the root in its axes."""
        return motions(self.tree, self.poses, self.rates, self.accelerations, root)

    def pose(self, mount: Mount) -> Pose:
        """A frame on the tree, seen from its root."""
        return frame_pose(self.placed(BASE), BASE, mount)

    def motion(self, mount: Mount, root: Motion) -> Motion:
        """Motion of a frame on the tree, in its own axes."""
        return at_mount(self.moving(root), root, mount)


class SerialMotion:
    """Serial parts in motion.

    Args:
        parts: the machine taken apart.
        q, qd, qdd: positions, rates and accelerations of the serial axes ``(e,)``.
    """

    def __init__(self, parts: SerialParts, q: Array, qd: Array, qdd: Array) -> None:
        self.parts, self.q, self.qd, self.qdd = parts, q, qd, qdd
        self.below = self._branch(parts.below)
        self.above = {body: self._branch(tree) for body, tree in parts.above.items()}
        self._seat = parts.below.bodies[parts.carrier]
        self.carrier = self.below.pose(self._seat)

    def _branch(self, tree: Tree) -> Branch:
        parts = self.parts
        rates = [parts.rates(tree, x) if tree.links else np.zeros(0) for x in (self.qd, self.qdd)]
        return Branch(tree, relative_poses(tree, parts.coordinates(tree, self.q)), *rates)

    def accelerated(self, qdd: Array) -> SerialMotion:
        """The same positions and rates with other accelerations."""
        return SerialMotion(self.parts, self.q, self.qd, qdd)

    def carried(self, ground: Motion = STILL) -> Motion:
        """Motion of the body that carries the core, in its own axes, on a base that moves so."""
        return self.below.motion(self._seat, ground)

    @cached_property
    def taken_off(self) -> Sizes:
        """How fast what the core's motion is a difference of moves: its carrier, and a wrist."""
        found = [self.carried()]
        mount = self.parts.platform
        if mount is not None:
            found.append(self.above[self.parts.core.platform].motion(mount, STILL))
        length = self.parts.core.assembly.length
        speed = total((m.v @ m.v) * (1.0 / length**2) + m.w @ m.w for m in found)
        growth = total((m.a @ m.a) * (1.0 / length**2) + m.wd @ m.wd for m in found)
        return Sizes(speed, growth + speed * speed)

    def to_core(self, T_0p: Array, V: Array, Vdot: Array) -> tuple[Array, Array, Array]:
        """Pose, twist and twist rate of the core's platform, seen from what carries the core."""
        at = Pose(T_0p[:3, :3], T_0p[:3, 3])
        motion = Motion(V[:3], V[3:], Vdot[:3], Vdot[3:])
        mount = self.parts.platform
        if mount is not None:
            own = self.above[self.parts.core.platform]
            R_kp, p_kp = own.pose(mount)
            R = at.R @ R_kp.T
            at = Pose(R, at.p - R @ p_kp)
            on_it = turned(R @ R_kp, own.motion(mount, STILL))
            motion = carrier(motion, on_it, R @ p_kp)
        R_b, p_b = self.carrier
        p = R_b.T @ (at.p - p_b)
        seen = relative(self.carried(), turned(R_b.T, motion), p)
        return (
            homogeneous(R_b.T @ at.R, p),
            np.concatenate([seen.v, seen.w]),
            np.concatenate([seen.a, seen.wd]),
        )

    def body(self, core: Moving, name: str) -> tuple[Pose, Motion]:
        """Pose and motion of a body's frame in space, base axes.

        ``core`` is the motion of the core's links in space, in axes of what carries it.
        """
        if name in self.below.tree.bodies:
            mount = self.below.tree.bodies[name]
            at = self.below.pose(mount)
            return at, turned(at.R, self.below.motion(mount, STILL))
        holder = next((k for k, b in self.above.items() if name in b.tree.bodies), name)
        R_b, p_b = self.carrier
        R, p = core.at.body_poses[holder]
        motion = core.of_body(holder)
        at = Pose(R_b @ R, p_b + R_b @ p)
        if holder != name:
            branch = self.above[holder]
            mount = branch.tree.bodies[name]
            motion, own = branch.motion(mount, motion), branch.pose(mount)
            at = Pose(at.R @ own.R, at.p + at.R @ own.p)
        return at, turned(at.R, motion)

    def to_space(self, T: Array, V: Array, Vdot: Array) -> tuple[Array, Array, Array]:
        """Pose, twist and twist rate of the platform in space from those of the core's: back."""
        at, own = Pose(T[:3, :3], T[:3, 3]), Motion(V[:3], V[3:], Vdot[:3], Vdot[3:])
        motion = carried(self.carried(), own, at.p)  # axes of the carrier
        R, p = self.carrier
        here = Pose(R @ at.R, p + R @ at.p)
        mount = self.parts.platform
        if mount is not None:
            branch = self.above[self.parts.core.platform]
            rest = branch.pose(mount)
            motion = branch.motion(mount, turned(at.R.T, motion))
            R = here.R @ rest.R
            here = Pose(R, here.p + here.R @ rest.p)
        found = turned(R, motion)
        return (
            homogeneous(here.R, here.p),
            np.concatenate([found.v, found.w]),
            np.concatenate([found.a, found.wd]),
        )
