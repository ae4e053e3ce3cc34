"""Origins and axes of URDF elements."""

from __future__ import annotations

import numpy as np

from gough.base import spatial
from gough.robot.formats.xml import Node
from gough.robot.frame import Frame, rotation_from_rpy


def origin(node: Node | None) -> np.ndarray:
    """Pose of an ``<origin>``, or of any element with ``xyz`` and ``rpy``."""
    if node is None:
        return np.eye(4)
    if node.get("quat_xyzw"):
        node.refuse("quat_xyzw is not supported", hint="Write rpy instead.")
    return spatial.pose(rotation_from_rpy(node.vector("rpy").tolist()), node.vector("xyz"))


def axis_of(node: Node) -> np.ndarray:
    """Direction of a joint's axis; x unless it says otherwise."""
    found = node.first("axis")
    axis = np.array([1.0, 0.0, 0.0]) if found is None else found.vector("xyz", (1.0, 0.0, 0.0))
    if not np.linalg.norm(axis) > 0.0:
        node.refuse("its axis is zero", hint='Write <axis xyz="0 0 1"/>.')
    return axis


def along(axis: np.ndarray) -> np.ndarray:
    """A frame whose z is the axis."""
    return Frame.from_axes(z=axis.tolist()).matrix
