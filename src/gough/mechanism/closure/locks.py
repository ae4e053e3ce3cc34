"""Freedoms that no joint controls and the platform does not feel, frozen by a row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.once import once
from gough.base.spatial import Array
from gough.mechanism.closure.recursion import Motion, Pose, look_back
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import Mount, Tree


@dataclass(frozen=True, eq=False)
class Lock:
    """A row that freezes a freedom which no joint controls and the platform does not feel.

    Attributes:
        link: the link that spins idly.
        axis: its spin axis in link axes; the row is ``axis . omega = 0``.
        column: or, with ``axis`` None, the rate of the tree that is set to zero.
    """

    link: int
    axis: np.ndarray | None
    column: int


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
    view = look_back(tree, poses, Mount(lock.link, np.eye(3), np.zeros(3)))
    return lock.axis @ view.w


def lock_bias(lock: Lock, links: Sequence[Motion]) -> Any:
    """Its right side for accelerations, from the motions of the links at these rates."""
    # d/dt (x . omega) = x . omega_dot, for x is fixed in the body and x . omega = 0
    return 0.0 if lock.axis is None else -(lock.axis @ links[lock.link].wd)
