"""A slide that does not turn."""

from __future__ import annotations

from gough.base.spatial import unskew
from gough.robot.joint_kinds.kind import SLIDE, JointKind, JointMove, unturned

PRISMATIC = JointKind(
    "prismatic",
    "P",
    {"slide": (JointMove(SLIDE),)},
    lambda R, p, pitch: [p[0], p[1], *unskew(R)],
    unturned,
    synonyms="p slider slide sliding linear translational translation",
)
"""Axes are parallel; the origin of B is on z_A at a signed distance."""
