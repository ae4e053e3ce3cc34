"""Freedoms that no joint controls and the platform does not feel, frozen by a row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.once import known_of
from gough.base.spatial import Array
from gough.mechanism.closure.drags import Drag, Pivot
from gough.mechanism.closure.recursion import Motion, Pose, View, frame_pose, look_back
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import ROOT, Mount, Tree

if TYPE_CHECKING:
    from gough.mechanism.closure.equations import Equations, Moving

_STILL = np.zeros(3)


@dataclass(frozen=True, eq=False)
class Lock:
    """A row that freezes a freedom which no joint controls and the platform does not feel.

    Attributes:
        link: the link that spins idly.
        axis: its spin axis in link axes; the row is ``axis . omega = 0``.
        column: or, with ``axis`` None, the rate of the tree that is set to zero.
        beside: bodies that drag the spin along, ``idle: drags``, the base among them: the row is
            ``axis . (omega - mean omega of these) = 0``.  None hold it in space.
        through: of each of these bodies the hinges that it drags through, if it is not one joint;
            the row is then that of :mod:`gough.mechanism.closure.drags`.
    """

    link: int
    axis: np.ndarray | None
    column: int
    beside: tuple[str, ...] = ()
    through: tuple[tuple[Pivot, ...], ...] = ()

    @property
    def share(self) -> float:
        """Part that each of the bodies beside has in the row."""
        return 1.0 / len(self.beside)


@dataclass(frozen=True, eq=False)
class Locks:
    """Frozen freedoms of the hub and of each leg."""

    hub: tuple[Lock, ...]
    legs: tuple[tuple[Lock, ...], ...]

    @property
    def trees(self) -> tuple[tuple[Lock, ...], ...]:
        """Those of the hub's tree, then of each leg's."""
        return (self.hub, *self.legs)


@known_of(Topology)
def described_locks(topology: Topology) -> Locks:
    """Joints that the description holds, and nothing else frozen."""

    def of(tree: Tree) -> tuple[Lock, ...]:
        held = (
            columns
            for link, columns in zip(tree.links, tree.columns, strict=True)
            if link.joint in topology.locked
        )
        return tuple(Lock(-1, None, columns.start) for columns in held)

    return Locks(of(topology.hub), tuple(of(leg.tree) for leg in topology.legs))


def lock_row(at: Equations, group: int, lock: Lock) -> Array:
    """The row of a frozen freedom over the rates of its tree: what it holds at zero.

    ``group`` is the number of the leg, -1 for the hub.
    """
    tree = at.topology.trees[group + 1]
    if lock.axis is None:
        return np.eye(tree.rates)[lock.column]
    poses = at.hub_poses if group < 0 else at.leg_poses[group]
    view = _view(tree, poses, lock)
    if not lock.beside:
        return lock.axis @ view.w
    drag = Drag(at, group, lock)

    def rooted(y: Array) -> Array:  # in axes of the tree's root
        return y @ at.platform.R if group < 0 else y

    row = (view.R_f0 @ rooted(drag.own) if lock.through else lock.axis) @ view.w
    for body, y in drag.pulls:
        if body in tree.bodies and tree.bodies[body].link != ROOT:
            other = look_back(tree, poses, tree.bodies[body])
            row = row - (other.R_f0 @ rooted(y)) @ other.w
    return row


def lock_over_z(at: Equations, group: int, lock: Lock) -> Array | None:
    """The other side of the row: over z of a leg, over V of the hub (-1); none if it is zero.

    ``axis . omega`` of the link counts from the root of its tree, which is the platform for the
    hub; bodies beside a leg may be on the hub.
    """
    if lock.axis is None:
        return None
    hub = at.topology.hub
    if group < 0:
        if lock.beside:  # all of them on the hub, so that the platform's own rotation drops out
            return None
        return np.concatenate([np.zeros(3), -(at.hub_placed[lock.link].R @ lock.axis)])
    if not any(body in hub.bodies for body in lock.beside):
        return None
    row: Array = np.zeros(6 + hub.rates)
    for body, x in Drag(at, group, lock).pulls:
        if body not in at.topology.legs[group].tree.bodies:
            mount, own = hub.bodies[body], np.zeros(hub.rates)
            if mount.link != ROOT:
                R = frame_pose(at.hub_placed, at.platform, mount).R
                own = x @ R @ look_back(hub, at.hub_poses, mount).w
            row = row + np.concatenate([np.zeros(3), x, own])
    return row


def lock_bias(at: Equations, group: int, lock: Lock, moving: Moving) -> Any:
    """Its right side for accelerations, from the motions of all links at these rates."""
    if lock.axis is None:
        return 0.0
    links: Sequence[Motion] = moving.hub if group < 0 else moving.legs[group]
    # d/dt (x . omega) = x . omega_dot, for x is fixed in the body
    found = -(lock.axis @ links[lock.link].wd)
    if not lock.beside:
        return found
    return Drag(at, group, lock).bias(lambda body: _turning(at, group, moving, body))


def _turning(at: Equations, group: int, moving: Moving, body: str) -> tuple[Array, Array]:
    """Angular velocity and acceleration of a body, base axes."""
    tree = at.topology.trees[group + 1]
    if body not in tree.bodies:  # a leg is dragged along by the hub
        mount = at.topology.hub.bodies[body]
        there, R = moving.on_hub(mount), frame_pose(at.hub_placed, at.platform, mount).R
        return R @ there.w, R @ there.wd
    link = tree.bodies[body].link
    if link == ROOT:  # the platform, or the base
        return (moving.platform.w, moving.platform.wd) if group < 0 else (_STILL, _STILL)
    own, placed = (
        (moving.hub, at.hub_placed) if group < 0 else (moving.legs[group], at.leg_placed[group])
    )
    return placed[link].R @ own[link].w, placed[link].R @ own[link].wd


def _view(tree: Tree, poses: Sequence[Pose], lock: Lock) -> View:
    return look_back(tree, poses, Mount(lock.link, np.eye(3), np.zeros(3)))
