"""What links of URDF look like: their visuals, or what stands for contacts if there are none."""

from __future__ import annotations

from functools import partial

import numpy as np

from gough.robot.formats.looks import FIGURES, Look, colour_of
from gough.robot.formats.meshes import Shelf
from gough.robot.formats.urdf.poses import origin
from gough.robot.formats.xml import Node
from gough.robot.shape import MESH


def colours_of(root: Node) -> dict[str, np.ndarray]:
    """Colours of materials that the file names, wherever they stand."""
    found: dict[str, np.ndarray] = {}
    for node in root.within():
        colour = node.first("color") if node.tag == "material" else None
        rgba = None if colour is None else colour.numbers("rgba", None, (4,))
        if rgba is not None and node.get("name"):
            found.setdefault(node.get("name"), rgba)
    return found


def looks_of(link: Node, shelf: Shelf, colours: dict[str, np.ndarray]) -> tuple[Look, ...]:
    """Looks of a link."""
    found = []
    for node in link.all("visual") or link.all("collision"):
        geometry, material = node.first("geometry"), node.first("material")
        given = None if material is None else material.first("color")
        own = None if given is None else given.numbers("rgba", None, (4,))
        named = None if material is None else colours.get(material.get("name"))
        colour, T = colour_of(named if own is None else own), origin(node.first("origin"))
        for shape in [] if geometry is None else geometry.children:
            if shape.tag in FIGURES:
                numbers = [
                    x for key in FIGURES[shape.tag] for x in shape.parsed(shape.get(key), key)
                ]
                found.append(Look(shape.tag, T, tuple(map(float, numbers)), colour))
            elif shape.tag == MESH and shape.get("filename"):
                name, scale = shape.get("filename"), shape.vector("scale", (1.0, 1.0, 1.0))
                found.append(Look(MESH, T, (), colour, partial(shelf.mesh, name, scale), name))
    return tuple(found)
