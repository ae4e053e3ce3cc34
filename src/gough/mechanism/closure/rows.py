"""What a joint forbids: its rows at position, velocity and acceleration level.

The near frame A sits on the leg, the far frame B on the hub (or on the same leg).  ``R`` and ``p``
are the pose of B in A, in axes of A.  Every row is a function rho of that pose, zero when the joint
is whole; ``rho_dot = rows(B) - rows(A)`` and ``rho_ddot`` follow by differentiation, so that
velocities and accelerations are exact derivatives of positions.

What a joint carries is what it forbids: a row is the power of one such wrench.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gough.base.spatial import Array, collect, cross
from gough.mechanism.closure.recursion import Motion
from gough.robot.joint_kinds import JointKind


class LoopJoint(NamedTuple):
    """A joint seen from its near frame.

    Attributes:
        kind: kind of the joint.
        pitch: of a helical joint [m/rad].
        parent_is_near: whether the near frame is A, the one on the parent.
        R, p: far frame in near axes.
    """

    kind: JointKind
    pitch: float
    parent_is_near: bool
    R: Array
    p: Array

    @property
    def is_reversed(self) -> bool:
        """Whether it looks different from here: most kinds are alike from both sides."""
        return self.kind.one_sided and not self.parent_is_near


def residual(m: LoopJoint) -> list[Any]:
    """Position rows rho [m, rad]."""
    if m.is_reversed:  # the plane is the far one: heights are counted along its normal
        return m.kind.residual(m.R.T, m.R.T @ m.p, m.pitch)
    return m.kind.residual(m.R, m.p, m.pitch)


def sides(m: LoopJoint) -> list[Any]:
    """Figures that are negative where the rows vanish with axes opposed instead of aligned."""
    return m.kind.sides(m.R, m.p, m.pitch) if m.kind.sides else []


def is_flipped(m: LoopJoint) -> bool:
    """Whether the rows vanish on the wrong side: axes opposed instead of aligned (numbers only)."""
    return any(side < 0.0 for side in sides(m))


def turned_away(m: LoopJoint) -> list[Any]:
    """How far axes are from aligned where rows vanish on both sides; smooth, for programs."""
    if m.kind.turns == 0:
        return [3.0 - m.R[0, 0] - m.R[1, 1] - m.R[2, 2]]
    return [1.0 - m.R[2, 2]] if m.kind.turns == 1 else []


def rows(m: LoopJoint, v: Array, w: Array) -> list[Any]:
    """Velocity rows of a twist, or of each column of a 3xk pair of matrices, in near axes."""
    carried = m.kind.carried(m.R, m.pitch, by_child=m.is_reversed)
    return [each.power(v, w) for each in carried]


def near_point(m: LoopJoint) -> Array | None:
    """Point of the near body whose velocity counts, from A; ``None`` is A itself.

    It is where the far frame has slid to: what is not along a slide vanishes in a whole joint.
    """
    if not m.kind.travel or m.is_reversed:
        return None
    return collect([m.p[k] if k in m.kind.travel else 0.0 for k in range(3)])


def far_point(m: LoopJoint) -> Array | None:
    """Point of the far body whose velocity counts, from B; ``None`` is B itself."""
    return -m.p if m.is_reversed else None


def moved_to(point: Array | None, v: Array, w: Array) -> Array:
    """Velocity (or 3xk columns of it) of a point of the body."""
    return v if point is None else v - cross(point, w)


def bias(m: LoopJoint, near: Motion, far: Motion) -> list[Any]:
    """Acceleration rows rho_ddot due to velocities alone.

    ``near`` and ``far`` hold bias accelerations: those that remain when neither joints nor
    platform accelerate.  The ball of a C5 joint slides on its face, erratum KI-9.
    """
    wd = far.wd - near.wd - cross(near.w, far.w)
    if m.is_reversed:
        return rows(m, -slip(far, near, -m.p), wd)
    offset = near_point(m)
    acceleration = far.a - near.a if offset is None else slip(near, far, offset)
    found = rows(m, acceleration, wd)
    if m.kind.turns != 2:
        return found
    w, z = far.w - near.w, m.R[:, 2]  # the last row, z_A x z_B, turns itself
    return [*found[:-1], found[-1] - w[2] * (w @ z)]


def slip(A: Motion, B: Motion, p: Array) -> Array:
    """Acceleration of B as an observer on A sees it, p = AB; all in one set of axes."""
    v = slide(A, B, p)
    return B.a - A.a - cross(A.wd, p) - cross(A.w, cross(A.w, p)) - 2.0 * cross(A.w, v)


def slide(A: Motion, B: Motion, p: Array) -> Array:
    """Velocity of B as an observer on A sees it."""
    return B.v - A.v - cross(A.w, p)
