"""What a joint forbids: its rows at position, velocity and acceleration level.

The near frame A sits on the leg, the far frame B on the hub (or on the same leg).  ``R`` and ``p``
are the pose of B in A, in axes of A.  Every row is a function rho of that pose, zero when the joint
is whole; ``rho_dot = rows(B) - rows(A)`` and ``rho_ddot`` follow by differentiation, so that
velocities and accelerations are exact derivatives of positions.

Rows per kind: spherical 3, universal and cylindrical 4, revolute, prismatic and helical 5,
fixed 6, planar contact 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.spatial import E_Z, Array, cross
from gough.mechanism.closure.recursion import Motion

UNITS = {
    "revolute": "mmmrr",
    "prismatic": "mmrrr",
    "helical": "mmmrr",
    "universal": "mmmr",
    "cylindrical": "mmrr",
    "spherical": "mmm",
    "planar_contact": "m",
    "fixed": "mmmrrr",
}
"""Unit of each row: metre or radian."""


class LoopJoint(NamedTuple):
    """A joint seen from its near frame.

    Attributes:
        kind: kind of the joint.
        pitch: of a helical joint [m/rad].
        plane_is_near: for a planar contact, the plane belongs to the near frame.
        R, p: far frame in near axes.
    """

    kind: str
    pitch: float
    plane_is_near: bool
    R: Array
    p: Array


def residual(m: LoopJoint) -> list[Any]:
    """Position rows rho [m, rad]."""
    R, p, z = m.R, m.p, m.R[:, 2]
    tilt = [-z[1], z[0]]
    if m.kind == "planar_contact":
        return [p[2] if m.plane_is_near else z @ p]
    if m.kind == "helical":
        turn = p[2] / m.pitch
        advance = (np.sin(turn) * R[0, 0] - np.cos(turn) * R[1, 0]) * m.pitch
        return [p[0], p[1], advance, *tilt]
    if m.kind == "universal":
        return [p[0], p[1], p[2], -z[2]]
    if m.kind in ("prismatic", "fixed"):
        twist = spatial.unskew(R)
        return [*(p[i] for i in range(2 if m.kind == "prismatic" else 3)), *twist]
    position = [p[i] for i in range(2 if m.kind == "cylindrical" else 3)]
    return position if m.kind == "spherical" else [*position, *tilt]


def sides(m: LoopJoint) -> list[Any]:
    """Figures that are negative where the rows vanish with axes opposed instead of aligned."""
    if m.kind in ("spherical", "universal", "planar_contact"):
        return []
    if m.kind in ("prismatic", "fixed"):
        return [m.R[0, 0] + m.R[1, 1] + m.R[2, 2] - 1.0]
    if m.kind == "helical":
        turn = m.p[2] / m.pitch
        return [np.cos(turn) * m.R[0, 0] + np.sin(turn) * m.R[1, 0], m.R[2, 2]]
    return [m.R[2, 2]]


def is_flipped(m: LoopJoint) -> bool:
    """Whether the rows vanish on the wrong side: axes opposed instead of aligned (numbers only)."""
    return any(side < 0.0 for side in sides(m))


def rows(m: LoopJoint, v: Array, w: Array) -> list[Any]:
    """Velocity rows of a twist, or of each column of a 3xk pair of matrices, in near axes."""
    if m.kind == "planar_contact":
        return [v[2] if m.plane_is_near else m.R[:, 2] @ v]
    if m.kind == "helical":
        return [v[0], v[1], v[2] - w[2] * m.pitch, w[0], w[1]]
    if m.kind == "universal":
        z = m.R[:, 2]  # the row is along z_A x z_B
        return [v[0], v[1], v[2], w[1] * z[0] - w[0] * z[1]]
    forces = 2 if m.kind in ("prismatic", "cylindrical") else 3
    moments = {"spherical": 0, "prismatic": 3, "fixed": 3}.get(m.kind, 2)
    return [*(v[i] for i in range(forces)), *(w[i] for i in range(moments))]


def near_point(m: LoopJoint) -> Array | None:
    """Point of the near body whose velocity counts, from A; ``None`` is A itself."""
    if m.kind in ("prismatic", "cylindrical", "helical"):
        return E_Z * m.p[2]
    return m.p if m.kind == "planar_contact" and m.plane_is_near else None


def far_point(m: LoopJoint) -> Array | None:
    """Point of the far body whose velocity counts, from B; ``None`` is B itself."""
    return -m.p if m.kind == "planar_contact" and not m.plane_is_near else None


def moved_to(point: Array | None, v: Array, w: Array) -> Array:
    """Velocity (or 3xk columns of it) of a point of the body."""
    return v if point is None else v - cross(point, w)


def bias(m: LoopJoint, near: Motion, far: Motion) -> list[Any]:
    """Acceleration rows rho_ddot due to velocities alone.

    ``near`` and ``far`` hold bias accelerations: those that remain when neither joints nor
    platform accelerate.  The ball of a C5 joint slides on its face, erratum KI-9.
    """
    wd = far.wd - near.wd - cross(near.w, far.w)
    if m.kind == "planar_contact" and not m.plane_is_near:
        return rows(m, -slip(far, near, -m.p), wd)
    offset = near_point(m)
    acceleration = far.a - near.a if offset is None else slip(near, far, offset)
    found = rows(m, acceleration, wd)
    if m.kind != "universal":
        return found
    w, z = far.w - near.w, m.R[:, 2]  # the row z_A x z_B turns itself
    return [*found[:3], found[3] - w[2] * (w @ z)]


def slip(A: Motion, B: Motion, p: Array) -> Array:
    """Acceleration of B as an observer on A sees it, p = AB; all in one set of axes."""
    v = slide(A, B, p)
    return B.a - A.a - cross(A.wd, p) - cross(A.w, cross(A.w, p)) - 2.0 * cross(A.w, v)


def slide(A: Motion, B: Motion, p: Array) -> Array:
    """Velocity of B as an observer on A sees it."""
    return B.v - A.v - cross(A.w, p)


def axis_rates(kind: str, R_AB: Array, v: Array, w: Array) -> list[Any]:
    """Rates of a joint's axes from the velocity of B seen from A, in axes of A, A on the parent.

    A ball gives its angular velocity in axes of B.  Being linear and exact, the same lines map
    accelerations.
    """
    z = R_AB[:, 2]
    readings: dict[str, Any] = {
        "revolute": lambda: [w[2]],
        "helical": lambda: [w[2]],
        "prismatic": lambda: [v[2]],
        "universal": lambda: [w[2], z @ w],
        "cylindrical": lambda: [w[2], v[2]],
        "spherical": lambda: [R_AB.T @ w],
        "planar_contact": lambda: [v[:2], R_AB.T @ w],
        "fixed": list,
    }
    return list(readings[kind]())
