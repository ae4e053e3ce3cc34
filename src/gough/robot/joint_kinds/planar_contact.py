"""A ball that slides on a face: the C5 joint of [KI]."""

from __future__ import annotations

from gough.robot.joint_kinds.kind import BALL, SLIDE, JointKind, JointMove

PLANAR_CONTACT = JointKind(
    "planar_contact",
    "K",
    {"plane": (JointMove(SLIDE, 0), JointMove(SLIDE, 1)), "ball": (JointMove(BALL),)},
    lambda R, p, pitch: [p[2]],
    synonyms="k c5 contact point_on_plane ball_on_plane",
    one_sided=True,
)
"""The origin of B stays in the plane x_A y_A."""
