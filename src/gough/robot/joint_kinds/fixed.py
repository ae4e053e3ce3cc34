"""No joint: both bodies are one."""

from __future__ import annotations

from gough.base.spatial import unskew
from gough.robot.joint_kinds.kind import JointKind, unturned

FIXED = JointKind(
    "fixed",
    "F",
    {},
    lambda R, p, pitch: [p[0], p[1], p[2], *unskew(R)],
    unturned,
    synonyms="f weld welded rigid clamped",
)
"""A and B coincide."""
