"""A hinge."""

from __future__ import annotations

from gough.robot.joint_kinds.kind import TURN, JointKind, JointMove, aligned, tilt

REVOLUTE = JointKind(
    "revolute",
    "R",
    {"angle": (JointMove(TURN),)},
    lambda R, p, pitch: [p[0], p[1], p[2], *tilt(R)],
    aligned,
    synonyms="r pin pinned hinge hinged pivot rotary rotational rotation turning continuous",
)
"""Origins and z axes coincide; the angle is from x_A to x_B about z."""
