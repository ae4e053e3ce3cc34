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
class Gauge:
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
class Gauges:
    """Frozen freedoms of the hub and of each leg."""

    hub: tuple[Gauge, ...]
    legs: tuple[tuple[Gauge, ...], ...]

    @property
    def trees(self) -> tuple[tuple[Gauge, ...], ...]:
        """Those of the hub's tree, then of each leg's."""
        return (self.hub, *self.legs)


def locks(topology: Topology) -> Gauges:
    """Joints that the description holds, and nothing else frozen."""

    def of(tree: Tree) -> tuple[Gauge, ...]:
        held = (
            columns
            for link, columns in zip(tree.links, tree.columns, strict=True)
            if link.joint in topology.locked
        )
        return tuple(Gauge(-1, None, columns.start) for columns in held)

    def make() -> Gauges:
        return Gauges(of(topology.hub), tuple(of(leg.tree) for leg in topology.legs))

    found: Gauges = once(vars(topology), "locks", make)
    return found


def gauge_row(tree: Tree, poses: Sequence[Pose], gauge: Gauge) -> Array:
    """The row of a frozen freedom over the rates of its tree: what it holds at zero."""
    if gauge.axis is None:
        return np.eye(tree.rates)[gauge.column]
    view = look_back(tree, poses, Mount(gauge.link, np.eye(3), np.zeros(3)))
    return gauge.axis @ view.w


def gauge_bias(gauge: Gauge, links: Sequence[Motion]) -> Any:
    """Its right side for accelerations, from the motions of the links at these rates."""
    # d/dt (x . omega) = x . omega_dot, for x is fixed in the body and x . omega = 0
    return 0.0 if gauge.axis is None else -(gauge.axis @ links[gauge.link].wd)
