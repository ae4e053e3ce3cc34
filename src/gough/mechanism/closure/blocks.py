"""Rows of one leg, or of the hub: ``E x = F z + r``, and what they do to forms and efforts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base.spatial import Array, collect, cross, identity, skew
from gough.mechanism.closure import rows as joint_rows
from gough.mechanism.closure.recursion import View
from gough.mechanism.closure.rows import LoopJoint, far_point, moved_to


class HubEnd(NamedTuple):
    """The far frame of a closing joint on the hub: its velocity as a function of z.

    Attributes:
        joint: the loop joint.
        R: base axes seen from the near frame.
        arm: from the platform's origin to the far frame, base axes.
        R_far: far axes seen from the near frame.
        own: the far frame on the hub's tree, if the hub has joints (an articulated nacelle).
    """

    joint: LoopJoint
    R: Array
    arm: Array
    R_far: Array
    own: View | None

    def rows(self, z: Array) -> list[Any]:
        """Rows of the joint for a z, or for the columns of a matrix."""
        v, w = self.R @ (z[:3] + cross(z[3:6], self.arm)), self.R @ z[3:6]
        if self.own is not None:
            v = v + self.R_far @ (self.own.v @ z[6:])
            w = w + self.R_far @ (self.own.w @ z[6:])
        return joint_rows.rows(self.joint, moved_to(far_point(self.joint), v, w), w)

    def transposed_times(self, efforts: Sequence[Any]) -> Array:
        """Efforts along the rows as efforts along z: the transpose of ``rows``."""
        found: Array = np.zeros(6)
        rows = self.coefficients()
        for i, effort in enumerate(efforts):
            found = found + rows[i] * effort
        on_platform = _to_platform(self, found)
        if self.own is None:
            return on_platform
        own_f, own_n = self.R_far.T @ found[:3], self.R_far.T @ found[3:]
        return np.concatenate([on_platform, self.own.v.T @ own_f + self.own.w.T @ own_n])

    def coefficients(self) -> Array:
        """The joint's rows over ``[v; w]`` of the far frame, near axes."""
        v, w = identity(6)[:3], identity(6)[3:]
        at = moved_to(far_point(self.joint), v, w)
        return collect(joint_rows.rows(self.joint, at, w))


class CoupledEnd(NamedTuple):
    """The part of z in a coupling: one row, as a function of z.

    Attributes:
        row: its coefficients over z.
    """

    row: Array

    def rows(self, z: Array) -> list[Any]:
        """The row for a z, or for the columns of a matrix."""
        return [self.row @ z]

    def transposed_times(self, efforts: Sequence[Any]) -> Array:
        """An effort along the row as efforts along z: the transpose of ``rows``."""
        return self.row * efforts[0]


End = HubEnd | CoupledEnd


def congruent_between(a: End, X: Array, b: End) -> Array:
    """A form over the rows of two ends as a form over z: ``F_a^T X F_b``.

    In near axes first, then in base axes, then at the platform's origin: most blocks are zero.
    """
    if isinstance(a, CoupledEnd) or isinstance(b, CoupledEnd):
        n_z = (a if isinstance(a, CoupledEnd) else b).row.shape[0]  # type: ignore[union-attr]
        F_a, F_b = (stacked(end.rows(identity(n_z)), n_z) for end in (a, b))
        return F_a.T @ X @ F_b
    near = a.coefficients().T @ X @ b.coefficients()
    blocks = [[a.R.T @ near[i : i + 3, j : j + 3] @ b.R for j in (0, 3)] for i in (0, 3)]
    S_a, S_b = skew(a.arm), skew(b.arm)
    (vv, vw), (wv, ww) = blocks
    top = np.concatenate([vv, vw - vv @ S_b], axis=1)
    bottom = np.concatenate([wv + S_a @ vv, ww + S_a @ vw - (wv + S_a @ vv) @ S_b], axis=1)
    found = np.concatenate([top, bottom])
    if a.own is None or b.own is None:
        return found
    own_a = np.concatenate([a.R_far @ a.own.v, a.R_far @ a.own.w])
    own_b = np.concatenate([b.R_far @ b.own.v, b.R_far @ b.own.w])
    right, left = _to_platform(a, near @ own_b), _to_platform(b, near.T @ own_a)
    return np.concatenate(
        [
            np.concatenate([found, right], axis=1),
            np.concatenate([left.T, own_a.T @ near @ own_b], axis=1),
        ]
    )


def _to_platform(end: HubEnd, near: Array) -> Array:
    """Columns ``[f; n]`` at the far frame, near axes, as wrenches on the platform, base axes."""
    f, n = end.R.T @ near[:3], end.R.T @ near[3:]
    return np.concatenate([f, n + cross(end.arm, f)])


class LegBlock:
    """Rows of one leg: ``E x = F z + r`` with x the tree's rates.

    ``F z`` is computed without F, which is built only where a caller needs the matrix: a leg meets
    the platform in one point, and its velocity costs less than all columns of F.
    """

    def __init__(self, E: Array, parts: Sequence[tuple[int, End | None]], n_z: int) -> None:
        self.E, self.n_z = E, n_z
        self.parts = parts  # number of rows, and the end on the hub that moves them

    def times(self, z: Array) -> list[Any]:
        """``F z``, of a vector or of the columns of a matrix."""
        found: list[Any] = []
        zero: Any = 0.0 if z.ndim == 1 else np.zeros(z.shape[1])
        for count, end in self.parts:
            found += [zero] * count if end is None else end.rows(z)
        return found

    def transposed_times(self, efforts: Sequence[Any]) -> Array:
        """``F^T efforts``."""
        total: Array = np.zeros(self.n_z)
        start = 0
        for count, end in self.parts:
            if end is not None:
                total = total + end.transposed_times(efforts[start : start + count])
            start += count
        return total

    def congruent(self, X: Array) -> Array:
        """``F^T X F`` of a symmetric form over the rows."""
        total: Array = np.zeros((self.n_z, self.n_z))
        spans, start = [], 0
        for count, end in self.parts:
            if end is not None:
                spans.append((slice(start, start + count), end))
            start += count
        for i, (rows, a) in enumerate(spans):
            total = total + congruent_between(a, X[rows, rows], a)
            for columns, b in spans[i + 1 :]:
                cross_term = congruent_between(a, X[rows, columns], b)
                total = total + cross_term + cross_term.T
        return total

    @cached_property
    def F(self) -> Array:
        """The matrix."""
        unit = identity(self.n_z)
        found: list[Array] = []
        for count, end in self.parts:
            found += [np.zeros(self.n_z)] * count if end is None else end.rows(unit)
        return stacked(found, self.n_z)


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of the hub's own loops: ``E qd_hub = F V``."""

    E: Array
    F: Array


def stacked(found: Sequence[Array], columns: int) -> Array:
    """Rows as a matrix, also if there are none."""
    return collect(found, empty=(0, columns))
