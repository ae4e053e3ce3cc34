"""Loops as Drake has them: it takes trees, and points of links that are held together.

One point is a ball, two are a hinge, three hold two links to each other.
"""

from __future__ import annotations

import numpy as np

from gough.base import spatial
from gough.base.arguments import nearest
from gough.robot.formats.model import BASE, Model, place_of
from gough.robot.formats.points import Point, joined
from gough.robot.formats.sdf.text import word
from gough.robot.formats.text import Element
from gough.robot.formats.xml import Node
from gough.robot.joint import Joint
from gough.robot.robot import Robot

CUTS = ("spherical", "fixed", "revolute")
"""Joints that points can stand for."""

TURNABLE = ("revolute", "prismatic", "fixed")
"""Joints whose parent may be farther from the world than their child."""

_TAG = "ball_constraint"
_OFFSETS = {
    "spherical": [(0.0, 0.0, 0.0)],
    "revolute": [(0.0, 0.0, 0.0), (0.0, 0.0, 1.0)],
    "fixed": [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)],
}


def add_points(model: Element, robot: Robot, joint: Joint) -> None:
    """Write a joint that closes a loop as points of its two bodies; the base must be a link."""
    ends = [
        ("A", "p_AP", joint.parent, joint.parent_frame),
        ("B", "p_BQ", joint.child, joint.child_frame),
    ]
    for offset in _OFFSETS[joint.kind]:
        made = model.add(f"drake:{_TAG}")
        for letter, _, body, _ in ends:
            made.add(f"drake:{_TAG}_body_{letter}", body)
        for _, key, _, frame in ends:
            T = frame.matrix
            point = T[:3, 3] + robot.length * T[:3, :3] @ np.array(offset)
            made.add(f"drake:{_TAG}_{key}", point)


def close_loops(node: Node, model: Model) -> None:
    """Add the joints that points of a file make."""
    points = []
    for k, each in enumerate(node.all(_TAG)):
        links, at = [], []
        for letter, key in (("A", "p_AP"), ("B", "p_BQ")):
            link = word(each, f"{_TAG}_body_{letter}")
            link = BASE if link == "world" else link
            if link not in model.links:
                each.refuse(f"unknown link {link!r}", hint=nearest(link, model.links))
            given = each.first(f"{_TAG}_{key}")
            p = np.zeros(3) if given is None else given.values((3,))
            links.append(link)
            at.append(spatial.pose(np.eye(3), p))
        name = f"loop_{k + 1}"
        points.append(Point(name, *links, *at, f"a <drake:{_TAG}>", place_of(each)))  # type: ignore[call-arg, arg-type]
    model.joints += joined(points, {tie.name for tie in model.joints})
