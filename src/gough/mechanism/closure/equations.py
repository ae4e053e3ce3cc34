"""Closure equations of legs and hub at one state: ``E_l qd_l = F_l z + r_l``.

``z = [V_0p; qd_hub]``: the platform twist, and the rates of the hub's own joints if it is an
articulated nacelle.  The right side r is zero for velocities, the bias for accelerations and the
residual for a Newton step.  [BK] (4)-(5), [KI] (18)-(19): E_l is J_i, F_l is J_vi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.base.spatial import Array, skew
from gough.mechanism.closure import rows as joint_rows
from gough.mechanism.closure.blocks import Block, CoupledEnd, End, HubEnd, LegBlock, stacked
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.couplings import coupling_bias, coupling_residual, coupling_row
from gough.mechanism.closure.locks import Lock, Locks, lock_bias, lock_over_z, lock_row
from gough.mechanism.closure.recursion import (
    STILL,
    Motion,
    Pose,
    View,
    at_mount,
    carried,
    carry,
    frame_pose,
    look_back,
    motions,
    relative_poses,
    root_poses,
    turned,
)
from gough.mechanism.closure.rows import LoopJoint, far_point, moved_to, near_point
from gough.mechanism.topology.seats import Seat
from gough.mechanism.topology.topology import Closing, Topology
from gough.mechanism.topology.tree import ROOT, Mount, Tree
from gough.robot import Joint
from gough.robot.joint_kinds import KINDS

BASE = Pose(np.eye(3), np.zeros(3))


class Equations:
    """The closure equations at one state.

    Args:
        topology: hub and legs.
        locks: frozen freedoms.
        T_0p: platform pose, 4x4.
        configuration: coordinates of every link.
    """

    def __init__(
        self, topology: Topology, locks: Locks, T_0p: Array, configuration: Configuration
    ) -> None:
        self.topology = topology
        self.locks = locks
        self.configuration = configuration
        self.platform = Pose(T_0p[:3, :3], T_0p[:3, 3])
        self.hub_poses = relative_poses(topology.hub, configuration.hub)
        self._looked: dict[Mount, View] = {}
        self.hub_placed = root_poses(topology.hub, self.hub_poses, self.platform)
        self.leg_poses = [
            relative_poses(leg.tree, at)
            for leg, at in zip(topology.legs, configuration.legs, strict=True)
        ]
        self.views = [
            [look_back(leg.tree, poses, c.near) for c in leg.closings]
            for leg, poses in zip(topology.legs, self.leg_poses, strict=True)
        ]
        self.loop_joints = [
            [
                self._loop_joint(c, view, leg.tree, poses)
                for c, view in zip(leg.closings, views, strict=True)
            ]
            for leg, views, poses in zip(topology.legs, self.views, self.leg_poses, strict=True)
        ]
        self.hub_loop_joints = [_within(c, *self._hub_views(c)) for c in topology.hub_closings]
        self._frames: dict[str, tuple[Pose, Pose]] = {}

    # position

    @property
    def all_loop_joints(self) -> list[LoopJoint]:
        """How the frames of all closing joints meet: those of the legs, then of the hub."""
        return [m for group in (*self.loop_joints, self.hub_loop_joints) for m in group]

    @cached_property
    def leg_placed(self) -> list[list[Pose]]:
        """Pose of every leg link in the base."""
        legs = zip(self.topology.legs, self.leg_poses, strict=True)
        return [root_poses(leg.tree, poses, BASE) for leg, poses in legs]

    @cached_property
    def body_poses(self) -> dict[str, Pose]:
        """Pose of every body that moves, in the base."""
        hub = self.topology.hub
        found = {
            name: frame_pose(self.hub_placed, self.platform, mount)
            for name, mount in hub.bodies.items()
        }
        for leg, placed in zip(self.topology.legs, self.leg_placed, strict=True):
            _, *moving = leg.tree.bodies.items()  # the first one is the base
            found |= {name: frame_pose(placed, BASE, mount) for name, mount in moving}
        return found

    def frames(self, joint: Joint) -> tuple[Pose, Pose]:
        """A joint's frames in the base: on its parent, and on its child."""
        name = joint.name
        if name not in self._frames:
            bodies = (self.body_poses.get(body, BASE) for body in (joint.parent, joint.child))
            parent, child = map(_on, bodies, self.topology.seats[name])
            self._frames[name] = parent, child
        return self._frames[name]

    @property
    def held(self) -> list[tuple[Tree, list[Pose], Lock]]:
        """Freedoms that are frozen, each with its tree and the poses of the tree's links."""
        placed = (self.hub_placed, *self.leg_placed)
        groups = zip(self.topology.trees, placed, self.locks.trees, strict=True)
        return [(tree, poses, lock) for tree, poses, own in groups for lock in own]

    @cached_property
    def closed(self) -> list[list[tuple[Closing, LoopJoint]]]:
        """Joints that close loops, and how they meet: within the hub, then of each leg."""
        joints = (self.hub_loop_joints, *self.loop_joints)
        groups = zip(self.topology.closings, joints, strict=True)
        return [list(zip(*group, strict=True)) for group in groups]

    def _loop_joint(self, c: Closing, near: View, tree: Tree, poses: Sequence[Pose]) -> LoopJoint:
        if c.far_on_hub:
            far = frame_pose(self.hub_placed, self.platform, c.far)
            return _meet(c, near.R_f0 @ far.R, near.R_f0 @ far.p - near.r)
        return _within(c, near, self._look(tree, poses, c.far))

    def _look(self, tree: Tree, poses: Sequence[Pose], mount: Mount) -> View:
        """A frame of a closing joint on its tree, looked at once for all rows."""
        if mount not in self._looked:
            self._looked[mount] = look_back(tree, poses, mount)
        return self._looked[mount]

    def _hub_views(self, c: Closing) -> tuple[View, View]:
        """Both frames of a joint that closes a loop of the hub."""
        hub, poses = self.topology.hub, self.hub_poses
        return self._look(hub, poses, c.near), self._look(hub, poses, c.far)

    def residuals(self) -> tuple[list[Any], list[list[Any]]]:
        """Position rows rho of the hub and of each leg; locks count as closed."""
        groups = zip(self.closed, self.topology.couplings, self.locks.trees, strict=True)
        hub, *legs = (
            [x for _, m in closed for x in joint_rows.residual(m)]
            + [coupling_residual(self, each) for each in coupled]
            + [0.0] * len(locks)
            for closed, coupled, locks in groups
        )
        return hub, legs

    # velocity

    @cached_property
    def leg_blocks(self) -> list[LegBlock]:
        """``E_l`` and ``F_l`` of every leg, in axes of the leg's last link."""
        return [self._leg_block(i) for i in range(len(self.topology.legs))]

    def _leg_block(self, index: int) -> LegBlock:
        leg, n_z = self.topology.legs[index], 6 + self.topology.hub.rates
        E_rows: list[Array] = []
        parts: list[tuple[int, End | None]] = []
        for c, near, m in zip(
            leg.closings, self.views[index], self.loop_joints[index], strict=True
        ):
            if c.far_on_hub:
                E = _near_rows(m, near)
                parts.append((len(E), self._hub_end(near, c.far, m)))
            else:
                E = _loop_rows(m, near, self._look(leg.tree, self.leg_poses[index], c.far))
                parts.append((len(E), None))
            E_rows += E
        for each in self.topology.couplings[index + 1]:
            row, over_z = coupling_row(self, each)
            E_rows.append(row)
            parts.append((1, None if over_z is None else CoupledEnd(-over_z)))
        for lock in self.locks.legs[index]:
            E_rows.append(lock_row(self, index, lock))
            over_z = lock_over_z(self, index, lock)
            parts.append((1, None if over_z is None else CoupledEnd(over_z)))
        return LegBlock(stacked(E_rows, leg.tree.rates), parts, n_z)

    def _hub_end(self, near: View, far: Mount, m: LoopJoint) -> HubEnd:
        hub = self.topology.hub
        at = frame_pose(self.hub_placed, self.platform, far)
        arm = at.p - self.platform.p if far.link != ROOT else self.platform.R @ far.p
        own = self._look(hub, self.hub_poses, far) if hub.rates else None
        return HubEnd(m, near.R_f0, arm, near.R_f0 @ at.R, own)

    def _hub_columns(self, near: View, far: Mount) -> tuple[Array, Array]:
        """Velocity of a far frame per entry of z, in near axes, 3x(6+k)."""
        R = near.R_f0
        at = frame_pose(self.hub_placed, self.platform, far)
        v = np.concatenate([R, -(R @ skew(at.p - self.platform.p))], axis=1)
        w = np.concatenate([np.zeros((3, 3)), R], axis=1)
        if not self.topology.hub.rates:
            return v, w
        own = self._look(self.topology.hub, self.hub_poses, far)
        R_nf = R @ at.R
        return np.concatenate([v, R_nf @ own.v], axis=1), np.concatenate([w, R_nf @ own.w], axis=1)

    @cached_property
    def hub_block(self) -> Block:
        """Rows of the hub's own loops and locks; F maps the platform twist."""
        hub = self.topology.hub
        E_rows: list[Array] = []
        F_rows: list[Array] = []
        for c, m in zip(self.topology.hub_closings, self.hub_loop_joints, strict=True):
            rows = _loop_rows(m, *self._hub_views(c))
            E_rows += rows
            F_rows += [np.zeros(6)] * len(rows)
        for each in self.topology.couplings[0]:
            E_rows.append(coupling_row(self, each)[0])
            F_rows.append(np.zeros(6))
        for lock in self.locks.hub:
            E_rows.append(lock_row(self, -1, lock))
            over_V = lock_over_z(self, -1, lock)
            F_rows.append(np.zeros(6) if over_V is None else over_V)
        return Block(stacked(E_rows, hub.rates), stacked(F_rows, 6))

    def end_columns(
        self, leg: int, c: Closing, m: LoopJoint
    ) -> tuple[tuple[Array, Array], tuple[Array, Array] | None, tuple[Array, Array] | None]:
        """Velocities of a closing joint's frames, near axes: near and far per rate, far per z.

        ``leg`` is -1 for a loop of the hub; the far frame moves with the tree or with z.
        """
        if leg < 0:
            near, far = self._hub_views(c)
        else:
            near = self.views[leg][self.topology.legs[leg].closings.index(c)]
            if c.far_on_hub:
                return (near.v, near.w), None, self._hub_columns(near, c.far)
            far = self._look(self.topology.legs[leg].tree, self.leg_poses[leg], c.far)
        return (near.v, near.w), (m.R @ far.v, m.R @ far.w), None

    # acceleration

    def biases(
        self,
        V: Array,
        hub_rates: Array,
        leg_rates: Sequence[Array],
        Vdot: Array | None = None,
        hub_accelerations: Array | None = None,
    ) -> tuple[list[Any], list[list[Any]]]:
        """Bias accelerations: right sides of the acceleration equations, from velocities alone.

        With ``Vdot`` and the hub's accelerations their part in the legs is included, ``F zdot``.
        """
        none = [np.zeros(leg.tree.rates) for leg in self.topology.legs]
        given = np.zeros(6) if Vdot is None else Vdot
        own = np.zeros(self.topology.hub.rates) if hub_accelerations is None else hub_accelerations
        moving = self.motions(V, given, hub_rates, own, leg_rates, none)
        groups = zip(self.closed, self.topology.couplings, self.locks.trees, strict=True)
        hub, *legs = (
            [x for c, m in closed for x in joint_rows.bias(m, *moving.ends(i, c, m))]
            + [coupling_bias(self, each, moving, own) for each in coupled]
            + [lock_bias(self, i, lock, moving) for lock in locks]
            for i, (closed, coupled, locks) in enumerate(groups, start=-1)
        )
        return hub, legs

    def motions(
        self,
        V: Array,
        Vdot: Array,
        hub_rates: Array,
        hub_accelerations: Array,
        leg_rates: Sequence[Array],
        leg_accelerations: Sequence[Array],
        ground: Motion = STILL,
    ) -> Moving:
        """Velocity and acceleration of every link, in its own axes.

        With the motion of a ``ground`` they are those in space.  Gravity is part of that motion:
        accelerations are ``a - g`` if the base accelerates by ``-g``.
        """
        base = Motion(V[:3], V[3:], Vdot[:3], Vdot[3:])
        if ground is not STILL:
            base = carried(ground, base, self.platform.p)
        root = turned(self.platform.R.T, base)
        hub = motions(self.topology.hub, self.hub_poses, hub_rates, hub_accelerations, root)
        legs = [
            motions(leg.tree, poses, qd, qdd, ground)
            for leg, poses, qd, qdd in zip(
                self.topology.legs, self.leg_poses, leg_rates, leg_accelerations, strict=True
            )
        ]
        return Moving(self, base, root, ground, hub, legs)


@dataclass(frozen=True, eq=False)
class Moving:
    """Motions of all links at one state.

    Attributes:
        at: the equations whose poses are meant.
        platform: motion of the platform, base axes.
        root: the same in platform axes.
        ground: motion of the base, base axes; it accelerates by ``-g`` where gravity is included.
        hub: motions of the hub's links, link axes.
        legs: motions of each leg's links, link axes.
    """

    at: Equations
    platform: Motion
    root: Motion
    ground: Motion
    hub: list[Motion]
    legs: list[list[Motion]]

    @property
    def trees(self) -> list[tuple[Tree, list[Motion], Motion]]:
        """Every tree with the motions of its links and of its root, in their own axes."""
        topology, links = self.at.topology, (self.hub, *self.legs)
        roots = (self.root, *(self.ground for _ in self.legs))
        return list(zip(topology.trees, links, roots, strict=True))

    def on_hub(self, mount: Mount) -> Motion:
        """Motion of a frame on the hub, in its axes."""
        return at_mount(self.hub, self.root, mount)

    def of_body(self, name: str) -> Motion:
        """Motion of a body's frame, in its own axes."""
        topology = self.at.topology
        if name in topology.hub.bodies:
            return self.on_hub(topology.hub.bodies[name])
        index = next(i for i, leg in enumerate(topology.legs) if name in leg.tree.bodies)
        mount = topology.legs[index].tree.bodies[name]
        return at_mount(self.legs[index], self.ground, mount)

    def ends(self, leg: int, c: Closing, m: LoopJoint) -> tuple[Motion, Motion]:
        """Motions of the near and far frame of a closing joint, both in near axes.

        ``leg`` is -1 for a loop of the hub.
        """
        if leg < 0:
            return self.on_hub(c.near), turned(m.R, self.on_hub(c.far))
        near = at_mount(self.legs[leg], self.ground, c.near)
        if not c.far_on_hub:
            return near, turned(m.R, at_mount(self.legs[leg], self.ground, c.far))
        if c.far.link != ROOT:
            return near, turned(m.R, self.on_hub(c.far))
        # straight from base axes: cheaper than by way of the platform's own
        view = self.at.views[leg][self.at.topology.legs[leg].closings.index(c)]
        arm = self.at.platform.R @ c.far.p
        return near, turned(view.R_f0, carry(self.platform, arm))


def _on(body: Pose, seat: Seat) -> Pose:
    return Pose(body.R @ seat.R, body.p + body.R @ seat.p)


def _meet(c: Closing, R: Array, p: Array) -> LoopJoint:
    return LoopJoint(KINDS[c.joint.kind], c.joint.pitch, c.near_is_parent, R, p)


def _within(c: Closing, near: View, far: View) -> LoopJoint:
    """A joint that closes a loop within one tree."""
    R_nf = near.R_f0 @ far.R_f0.T
    return _meet(c, R_nf, R_nf @ far.r - near.r)


def _near_rows(m: LoopJoint, near: View) -> list[Any]:
    """Rows of a joint per rate of the tree that its near frame is on."""
    return joint_rows.rows(m, moved_to(near_point(m), near.v, near.w), near.w)


def _loop_rows(m: LoopJoint, near: View, far: View) -> list[Any]:
    """Rows of a joint that closes a loop within one tree."""
    v, w = m.R @ far.v, m.R @ far.w
    back = joint_rows.rows(m, moved_to(far_point(m), v, w), w)
    return [e - b for e, b in zip(_near_rows(m, near), back, strict=True)]
