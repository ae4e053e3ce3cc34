"""A slide that turns."""

from __future__ import annotations

from gough.robot.joint_kinds.kind import SLIDE, TURN, JointKind, JointMove, aligned, tilt

CYLINDRICAL = JointKind(
    "cylindrical",
    "C",
    {"angle": (JointMove(TURN),), "slide": (JointMove(SLIDE),)},
    lambda R, p, pitch: [p[0], p[1], *tilt(R)],
    aligned,
    synonyms="c cylinder cylindric",
)
"""The z axes coincide; an angle about z and a distance along it."""
