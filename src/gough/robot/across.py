"""Across a joint: the pose of its frame B in its frame A for given coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base import spatial

QUARTER = spatial.snap(spatial.rotation_x(np.pi / 2.0))


def across(kind: str, value: Any = None, pitch: float = 0.0) -> np.ndarray:
    """Pose of a joint's frame B in its frame A for coordinates of the joint."""
    if kind == "spherical":
        return spatial.pose(np.eye(3) if value is None else np.asarray(value), np.zeros(3))
    if kind in ("planar_contact", "fixed"):
        return np.eye(4)
    q = np.atleast_1d(np.zeros(2) if value is None else np.asarray(value, dtype=float))
    if kind == "universal":
        R = spatial.rotation_z(q[0]) @ QUARTER @ spatial.rotation_z(q[1])
        return spatial.pose(R, np.zeros(3))
    turn, slide = {
        "revolute": (q[0], 0.0),
        "prismatic": (0.0, q[0]),
        "helical": (q[0], pitch * q[0]),
        "cylindrical": (q[0], q[-1]),
    }[kind]
    return spatial.pose(spatial.rotation_z(turn), np.array([0.0, 0.0, slide]))
