"""Figures of SDF, which stand between tags; an empty element is one that is not given."""

from __future__ import annotations

import math

import numpy as np

from gough.base import spatial
from gough.robot.formats.mjcf.compiler import rotation_of
from gough.robot.formats.xml import Node
from gough.robot.frame import rotation_from_rpy

MOMENTS = {
    **{"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2)},
    **{"iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)},
}
"""Entries of an inertia by the names that SDF and URDF give them."""

_ENDLESS = 1e15  # limits beyond this are none: the format writes 1e16


def number(node: Node | None, tag: str, default: float = 0.0) -> float:
    """A number of a child; ``inf`` is none."""
    child = None if node is None else node.first(tag)
    if child is None or not child.text.strip() or child.text.strip().lower().lstrip("+-") == "inf":
        return default
    return float(child.values((1,))[0])


def bound(node: Node | None, tag: str) -> float | None:
    """A finite limit of a child, if there is one."""
    found = number(node, tag, math.nan)
    return None if math.isnan(found) or abs(found) > _ENDLESS else found


def word(node: Node, tag: str, default: str = "") -> str:
    """The text of a child."""
    child = node.first(tag)
    return default if child is None else child.text.strip()


def pose_of(node: Node | None) -> np.ndarray:
    """Pose of a ``<pose>`` element: x y z and roll pitch yaw, or a quaternion."""
    if node is None or not node.text.strip():
        return np.eye(4)
    if node.get("rotation_format") == "quat_xyzw":
        x = node.values((7,))
        if not np.linalg.norm(x[3:]) > 0.0:
            node.refuse("its quaternion is zero: it has no direction")
        return spatial.pose(rotation_of(np.roll(x[3:], 1)), x[:3])
    x = node.values((6,))
    angles = np.radians(x[3:]) if node.flag("degrees") else x[3:]
    return spatial.pose(rotation_from_rpy(angles.tolist()), x[:3])
