"""Freedoms that no joint controls and the platform does not feel, frozen by a row each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.once import once
from gough.base.spatial import Array, cross, total
from gough.mechanism.closure.recursion import Motion, Pose, View, frame_pose, look_back
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import ROOT, Mount, Tree

if TYPE_CHECKING:
    from gough.mechanism.closure.equations import Equations, Moving


@dataclass(frozen=True, eq=False)
class Lock:
    """A row that freezes a freedom which no joint controls and the platform does not feel.

    Attributes:
        link: the link that spins idly.
        axis: its spin axis in link axes; the row is ``axis . omega = 0``.
        column: or, with ``axis`` None, the rate of the tree that is set to zero.
        beside: bodies that drag the spin along, ``idle: drags``, the base among them: the row is
            ``axis . (omega - mean omega of these) = 0``.  None hold it in space.
    """

    link: int
    axis: np.ndarray | None
    column: int
    beside: tuple[str, ...] = ()

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


def described_locks(topology: Topology) -> Locks:
    """Joints that the description holds, and nothing else frozen."""

    def of(tree: Tree) -> tuple[Lock, ...]:
        held = (
            columns
            for link, columns in zip(tree.links, tree.columns, strict=True)
            if link.joint in topology.locked
        )
        return tuple(Lock(-1, None, columns.start) for columns in held)

    def make() -> Locks:
        return Locks(of(topology.hub), tuple(of(leg.tree) for leg in topology.legs))

    found: Locks = once(vars(topology), "locks", make)
    return found


def lock_row(tree: Tree, poses: Sequence[Pose], lock: Lock) -> Array:
    """The row of a frozen freedom over the rates of its tree: what it holds at zero."""
    if lock.axis is None:
        return np.eye(tree.rates)[lock.column]
    view = _view(tree, poses, lock)
    row = lock.axis @ view.w
    for body in lock.beside:
        if body in tree.bodies and tree.bodies[body].link != ROOT:
            other = look_back(tree, poses, tree.bodies[body])
            row = row - (lock.axis @ view.R_f0 @ other.R_f0.T @ other.w) * lock.share
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
    there = list(_on_hub(at, group, lock))
    if not there:
        return None
    x = _view(at.topology.legs[group].tree, at.leg_poses[group], lock).R_f0.T @ lock.axis
    row: Array = np.zeros(6 + hub.rates)
    for mount in there:
        own: Array = np.zeros(hub.rates)
        if mount.link != ROOT:
            R = frame_pose(at.hub_placed, at.platform, mount).R
            own = x @ R @ look_back(hub, at.hub_poses, mount).w
        row = row + np.concatenate([np.zeros(3), x, own]) * lock.share
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
    # d/dt (x . omega_b) = x . omega_dot_b + (omega x x) . omega_b
    placed = at.hub_placed if group < 0 else at.leg_placed[group]
    R, tree = placed[lock.link].R, at.topology.trees[group + 1]
    x, xd = R @ lock.axis, R @ cross(links[lock.link].w, lock.axis)
    terms = []
    for body in lock.beside:
        if body in tree.bodies:
            k = tree.bodies[body].link
            if k == ROOT and group >= 0:
                continue  # the base
            R_b = at.platform.R if k == ROOT else placed[k].R
            w, wd = (moving.root if k == ROOT else links[k])[1::2]
            terms.append(x @ R_b @ wd + xd @ R_b @ w)
    for mount in _on_hub(at, group, lock):
        R_b = frame_pose(at.hub_placed, at.platform, mount).R
        there = moving.on_hub(mount)
        terms.append(x @ R_b @ there.wd + xd @ R_b @ there.w)
    return found + total(terms) * lock.share if terms else found


def _view(tree: Tree, poses: Sequence[Pose], lock: Lock) -> View:
    return look_back(tree, poses, Mount(lock.link, np.eye(3), np.zeros(3)))


def _on_hub(at: Equations, group: int, lock: Lock) -> Iterator[Mount]:
    """Bodies of the hub beside a leg's idle link."""
    if group >= 0:
        own, hub = at.topology.legs[group].tree.bodies, at.topology.hub.bodies
        yield from (hub[body] for body in lock.beside if body not in own)
