"""Idle spins that joints drag along: the row of least rates in these joints, at one state.

A body spins about its axis x, and joints between it and bodies b drag it along.  Of all motions
that differ in the spin alone, the one with the least sum of squared rates in those joints obeys ::

    sum_b y_b . (omega - omega_b) = 0

A ball gives ``y = x``.  Three hinges that meet in a point, with directions a_i, turn at rates
``A^-1 (omega - omega_b)`` with ``A = [a_1 a_2 a_3]``, and in the spin at ``n = A^-1 x``: the sum of
``n_i`` times rates of those of them that drag is ``y . (omega - omega_b)`` with ``A^T y = D n``, D
being 1 for hinges that drag and 0 for others.  Where two of the three are parallel, y is infinite.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gough.base.spatial import Array, cross, total
from gough.mechanism.closure.recursion import Pose, frame_pose

if TYPE_CHECKING:
    from gough.mechanism.closure.equations import Equations
    from gough.mechanism.closure.locks import Lock

_BASE = Pose(np.eye(3), np.zeros(3))
Turning = Callable[[str], tuple[Array, Array]]
"""Angular velocity and acceleration of a body by name, base axes; zeros of the base."""


class Pivot(NamedTuple):
    """A hinge of three that meet in a point, or an axis of a universal joint among them.

    Attributes:
        axis: its name.
        body: a body that carries its direction.
        link: the link of the tree that turns about it; -1 for a joint that closes a loop.
        closing: otherwise the number of that joint among those of the tree.
        near: whether the direction is that of its near frame.
        sign: of the direction, from the dragging body to the dragged one along the joint's rate.
        drags: whether it is one of the joints that drag.
    """

    axis: str
    body: str
    link: int
    closing: int
    near: bool
    sign: float
    drags: bool


class Hinges:
    """Three hinges between a body that spins and one that drags it along, at one state.

    Attributes:
        rates: of the hinges per unit of the spin, n.
        y: what takes angular velocities of one body against the other into the row.
    """

    def __init__(self, x: Array, pivots: tuple[Pivot, ...], directions: list[Array]) -> None:
        self.pivots, self._a = pivots, directions
        a, b, c = directions
        self._across = [cross(b, c), cross(c, a), cross(a, b)]
        self._volume = a @ self._across[0]
        self.rates = self._solved(x)
        self.y = self._transposed(self._dragging(self.rates))

    def _solved(self, v: Array) -> list[Array]:
        """``A^-1 v``."""
        return [(each @ v) / self._volume for each in self._across]

    def _transposed(self, parts: list[Array]) -> Array:
        """``A^-T`` times three numbers."""
        pairs = zip(self._across, parts, strict=True)
        return total(each * part for each, part in pairs) / self._volume

    def _dragging(self, parts: list[Array]) -> list[Array]:
        return [
            part if pivot.drags else 0.0 * part
            for part, pivot in zip(parts, self.pivots, strict=True)
        ]

    def changing(self, x_rate: Array, turning: Turning) -> Array:
        """Rate of y, from that of the spin's axis and from how the bodies turn."""
        moved = [
            cross(turning(pivot.body)[0], a) for pivot, a in zip(self.pivots, self._a, strict=True)
        ]
        # A n = x, and A^T y = D n
        rest = x_rate - total(m * n for m, n in zip(moved, self.rates, strict=True))
        parts = self._dragging(self._solved(rest))
        return self._transposed([u - m @ self.y for u, m in zip(parts, moved, strict=True)])


class Pull(NamedTuple):
    """A body that drags a spin along: what its angular velocity counts in the row, base axes."""

    body: str
    y: Array


class Drag:
    """The row of a dragged spin at one state.

    Attributes:
        body: the body that spins.
        x: its axis, base axes.
        pulls: bodies that drag it along; a share each, so that the row is a mean.
        hinges: of each of them the three hinges between, or none if one joint is there.
        own: what the spinning body's angular velocity counts in the row, base axes.
    """

    def __init__(self, at: Equations, group: int, lock: Lock) -> None:
        tree = at.topology.trees[group + 1]
        placed = at.hub_placed if group < 0 else at.leg_placed[group]
        self.body, self.share = tree.body_on(lock.link), lock.share
        self.x: Array = placed[lock.link].R @ lock.axis
        rows = lock.through or ((),) * len(lock.beside)
        self.hinges = [
            Hinges(self.x, row, [direction(at, group, each) for each in row]) if row else None
            for row in rows
        ]
        self.pulls = [
            Pull(body, (self.x if row is None else row.y) * self.share)
            for body, row in zip(lock.beside, self.hinges, strict=True)
        ]
        self.own = total(pull.y for pull in self.pulls) if lock.through else self.x

    def bias(self, turning: Turning) -> Array:
        """Right side of the row for accelerations, from those that velocities alone make."""
        w, wd = turning(self.body)
        x_rate = cross(w, self.x)  # it is fixed in the body
        found = -(self.own @ wd)
        for (body, y), row in zip(self.pulls, self.hinges, strict=True):
            w_b, wd_b = turning(body)
            rate = x_rate if row is None else row.changing(x_rate, turning)
            found = found + y @ wd_b + (rate @ (w_b - w)) * self.share
        return found


def direction(at: Equations, group: int, pivot: Pivot) -> Array:
    """Direction of a hinge, base axes."""
    placed = at.hub_placed if group < 0 else at.leg_placed[group]
    if pivot.link >= 0:
        return placed[pivot.link].R[:, 2] * pivot.sign
    closing = at.topology.closings[group + 1][pivot.closing]
    mount = closing.near if pivot.near else closing.far
    if group < 0 or (closing.far_on_hub and not pivot.near):
        return frame_pose(at.hub_placed, at.platform, mount).R[:, 2] * pivot.sign
    return frame_pose(placed, _BASE, mount).R[:, 2] * pivot.sign
