"""Meshes and colours among the assets of an MJCF file, by the names that geoms use."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from gough.base import spatial
from gough.errors import FileError
from gough.robot.formats.meshes import Fault, Mesh, Shelf, checked
from gough.robot.formats.mjcf.compiler import Compiler, rotation_of
from gough.robot.formats.mjcf.defaults import Defaults
from gough.robot.formats.xml import Node

_MOST_POINTS = 50_000  # of a convex hull: on a sphere, where all are corners, it takes a second


@dataclass
class Assets:
    """What ``<asset>`` holds: meshes, and colours of materials."""

    shelf: Shelf
    compiler: Compiler
    meshes: dict[str, Node] = field(default_factory=dict)
    colours: dict[str, np.ndarray] = field(default_factory=dict)
    inner: dict[str, Mesh | Fault] = field(default_factory=dict)
    masses: dict[tuple[str, str], Any] = field(default_factory=dict)
    """What meshes of density 1 weigh, by name and way: many geoms may share one."""

    @classmethod
    def of(cls, root: Node, compiler: Compiler, defaults: Defaults) -> Assets:
        """The assets of a file."""
        found = cls(Shelf(root.file), compiler)
        for node in (child for block in root.all("asset") for child in block.children):
            full = defaults.apply(node, "")
            if node.tag == "mesh":
                stem = PurePosixPath(node.get("file").replace("\\", "/")).stem
                found.meshes[node.get("name") or stem] = full
            elif node.tag == "material":
                rgba = full.numbers("rgba", None, (4,))
                if rgba is not None:
                    found.colours[node.get("name")] = rgba
        return found

    def mesh(self, name: str) -> Mesh | Fault:
        """A mesh by its name, in the axes that geoms place; or why there is none."""
        node = self.meshes.get(name)
        if node is None:
            return Fault("is no mesh of the file", "Add it to <asset>.")
        scale = node.vector("scale", (1.0, 1.0, 1.0))
        quaternion = node.numbers("refquat", (1.0, 0.0, 0.0, 0.0), (4,))
        if quaternion is None or not np.linalg.norm(quaternion) > 0.0:
            node.refuse("refquat is zero: it has no direction")
        R = rotation_of(quaternion).T
        T = spatial.pose(R, -R @ node.vector("refpos"))
        file = node.get("file").replace("\\", "/")
        if not file:
            if name not in self.inner:
                own = _written(node)
                self.inner[name] = own.moved(T, scale) if isinstance(own, Mesh) else own
            return self.inner[name]
        if self.compiler.strip_path:
            file = PurePosixPath(file).name
        return self.shelf.mesh(file, scale, self.compiler.mesh_folder, T)


def _written(node: Node) -> Mesh | Fault:
    """A mesh whose points stand in the file itself; without faces it is their convex hull."""
    points = node.numbers("vertex")
    if points is None or len(points) < 12 or len(points) % 3:
        return Fault("has no file, and no points", 'Write file="..." or vertex="...".')
    faces = node.numbers("face")
    try:
        if faces is None or not len(faces):
            return hull(checked(points, [[0, 1, 2]]).points)
        if len(faces) % 3:
            return Fault("has faces that are no triangles", "Write three points a face.")
        return checked(points, faces)
    except FileError as err:
        return Fault(f"cannot be used: {err.message}", "Correct its points and faces.")


def hull(points: np.ndarray) -> Mesh | Fault:
    """The convex hull of points, its triangles facing outwards."""
    if len(points) > _MOST_POINTS:
        points = np.unique(points, axis=0)
    if len(points) > _MOST_POINTS:
        return Fault(f"has more than {_MOST_POINTS} points", "Save it with fewer triangles.")
    try:
        found = ConvexHull(points)
    except QhullError:
        return Fault("is flat: it has no convex hull", "Give it a thickness.")
    a, b, c = (points[found.simplices[:, k]] for k in range(3))
    outwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), found.equations[:, :3]) > 0.0
    return Mesh(points, np.where(outwards[:, None], found.simplices, found.simplices[:, ::-1]))
