"""Two hinges that cross at a right angle."""

from __future__ import annotations

from gough.robot.joint_kinds.kind import TURN, JointKind, JointMove

UNIVERSAL = JointKind(
    "universal",
    "U",
    {"first": (JointMove(TURN),), "second": (JointMove(TURN, on="B"),)},
    lambda R, p, pitch: [p[0], p[1], p[2], -R[2, 2]],
    synonyms="u cardan cardanic kardan hooke hookes gimbal",
)
"""Origins coincide, z_A is perpendicular to z_B: ``R_AB = Rz(first) Rx(pi/2) Rz(second)``."""
