"""A ball in its socket."""

from __future__ import annotations

from gough.robot.joint_kinds.kind import BALL, JointKind, JointMove

SPHERICAL = JointKind(
    "spherical",
    "S",
    {"ball": (JointMove(BALL),)},
    lambda R, p, pitch: [p[0], p[1], p[2]],
    synonyms="s ball balljoint ball_and_socket socket",
)
"""Origins coincide."""
