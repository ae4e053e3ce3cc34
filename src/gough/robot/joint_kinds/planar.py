"""A plate that slides on a face and turns about its normal: the planar pair of the field."""

from __future__ import annotations

from gough.robot.joint_kinds.kind import SLIDE, TURN, JointKind, JointMove, aligned, tilt

PLANAR = JointKind(
    "planar",
    "E",
    {"x": (JointMove(SLIDE, 0),), "y": (JointMove(SLIDE, 1),), "angle": (JointMove(TURN),)},
    lambda R, p, pitch: [p[2], *tilt(R)],
    aligned,
    synonyms="e plane planar_pair plane_pair ebene air_bearing granite",
    passive=True,
)
"""The planes x_A y_A and x_B y_B coincide; the place of B's origin in A, and an angle about z."""
