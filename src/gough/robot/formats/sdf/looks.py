"""What links of SDF look like: their visuals, or what stands for contacts if there are none."""

from __future__ import annotations

from functools import partial

import numpy as np

from gough.robot.formats.looks import FIGURES, Look, colour_of
from gough.robot.formats.meshes import Shelf
from gough.robot.formats.sdf.frames import Frames
from gough.robot.formats.sdf.text import pose_of, word
from gough.robot.formats.xml import Node
from gough.robot.shape import MESH


def looks_of(link: Node, shelf: Shelf, frames: Frames) -> tuple[Look, ...]:
    """Looks of a link."""
    found = []
    for node in link.all("visual") or link.all("collision"):
        T, geometry, colour = _placed(node, link, frames), node.first("geometry"), _colour(node)
        for shape in [] if geometry is None else geometry.children:
            if shape.tag in FIGURES:
                given = [shape.first(key) for key in FIGURES[shape.tag]]
                numbers = [x for each in given if each is not None for x in each.values().tolist()]
                found.append(Look(shape.tag, T, tuple(numbers), colour))
            elif shape.tag == MESH and word(shape, "uri"):
                name, given_scale = word(shape, "uri"), shape.first("scale")
                scale = np.ones(3) if given_scale is None else given_scale.values((3,))
                found.append(Look(MESH, T, (), colour, partial(shelf.mesh, name, scale), name))
    return tuple(found)


def _placed(node: Node, link: Node, frames: Frames) -> np.ndarray:
    """Pose of a visual on its link."""
    given = node.first("pose")
    T = pose_of(given)
    relative = "" if given is None else given.get("relative_to")
    if not relative:
        return T
    T_link = frames.pose(link.get("name"), link)
    return np.asarray(np.linalg.inv(T_link) @ frames.pose(relative, node) @ T)


def _colour(node: Node) -> str:
    material = node.first("material")
    given = None if material is None else material.first("diffuse", "ambient")
    return "" if given is None or not given.text.strip() else colour_of(given.values((3, 4)))
