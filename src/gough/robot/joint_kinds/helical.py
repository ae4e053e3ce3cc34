"""A screw in its nut."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import Array
from gough.robot.joint_kinds.kind import SCREW, JointKind, JointMove, tilt


def _residual(R: Array, p: Array, pitch: float) -> list[Any]:
    turn = p[2] / pitch  # by how far B has advanced; its x axis must have turned with it
    advance = (np.sin(turn) * R[0, 0] - np.cos(turn) * R[1, 0]) * pitch
    return [p[0], p[1], advance, *tilt(R)]


def _sides(R: Array, p: Array, pitch: float) -> list[Any]:
    turn = p[2] / pitch
    return [np.cos(turn) * R[0, 0] + np.sin(turn) * R[1, 0], R[2, 2]]


HELICAL = JointKind(
    "helical",
    "H",
    {"angle": (JointMove(SCREW),)},
    _residual,
    _sides,
    synonyms="h screw screwed threaded spindle leadscrew lead_screw ball_screw helix",
)
"""As a revolute joint, and B advances ``pitch`` times the angle along z ([GA] (1)-(2))."""
