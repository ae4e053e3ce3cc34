"""What links of files look like: primitive shapes, and meshes with few triangles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gough.base.english import counted
from gough.errors import DescriptionError, shown
from gough.robot.formats.meshes import Fault, Mesh
from gough.robot.formats.model import Model
from gough.robot.formats.simplified import FEWEST, simplified
from gough.robot.frame import Frame
from gough.robot.shape import MESH, Shape

BUDGET = 16_000
"""Triangles of all meshes of a robot together, roughly: a picture is quick, a page small."""


FIGURES = {
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "ellipsoid": ("radii",),
}
"""Names that URDF and SDF give to the sizes of shapes."""


@dataclass(frozen=True, eq=False)
class Look:
    """A shape on a link of a file.

    Args:
        kind: of :class:`gough.robot.shape.Shape`.
        T: its pose on the link.
        size: of a primitive shape, as there.
        colour: ``#rrggbb``, or empty.
        read: of a mesh: its points and triangles, or why there are none.
        name: of the mesh, as the file has it.
    """

    kind: str
    T: np.ndarray = field(default_factory=lambda: np.eye(4))
    size: tuple[float, ...] = ()
    colour: str = ""
    read: Callable[[], Mesh | Fault] | None = None
    name: str = ""

    def moved(self, T: np.ndarray) -> Look:
        """The same, on a link that stands elsewhere."""
        return replace(self, T=T @ self.T)


def colour_of(rgba: np.ndarray | None) -> str:
    """A colour by its shares of red, green and blue."""
    if rgba is None or len(rgba) < 3:
        return ""
    return "#" + "".join(f"{round(255 * float(np.clip(x, 0.0, 1.0))):02x}" for x in rgba[:3])


def shapes_of(model: Model) -> dict[str, tuple[Shape, ...]]:
    """Shapes by link; says what is not drawn."""
    looks = {name: link.looks for name, link in model.links.items()}
    read = {look: look.read() for each in looks.values() for look in each if look.read is not None}
    meshes = _light({look: mesh for look, mesh in read.items() if isinstance(mesh, Mesh)})
    found = {name: _shapes(each, meshes) for name, each in looks.items()}
    faults = {look.name: mesh for look, mesh in read.items() if isinstance(mesh, Fault)}
    _say(model, found, faults)
    return found


def _shapes(looks: Sequence[Look], meshes: Mapping[Look, Mesh]) -> tuple[Shape, ...]:
    found = []
    for look in looks:
        mesh = meshes.get(look)
        if look.kind == MESH and mesh is None:
            continue
        try:
            frame = Frame.from_matrix(look.T)
            if mesh is None:
                found.append(Shape(look.kind, look.size, frame, look.colour))
                continue
            points = [tuple(float(f"{x:.6g}") for x in p) for p in mesh.points.tolist()]
            corners = mesh.triangles.tolist()
            found.append(Shape(MESH, (), frame, look.colour, points, corners))  # type: ignore[arg-type]
        except DescriptionError:  # a size of zero, a mirrored frame: it cannot be drawn
            continue
    return tuple(found)


def _light(meshes: Mapping[Look, Mesh]) -> dict[Look, Mesh]:
    """Meshes with few triangles, in proportion to what is seen of them."""
    sizes = [float(np.sum(np.ptp(mesh.points, axis=0) ** 2)) for mesh in meshes.values()]
    enough = sum(len(mesh.triangles) for mesh in meshes.values()) <= BUDGET
    known: dict[int, Mesh] = {}  # by identity: legs that are alike share a mesh
    for mesh, size in zip(meshes.values(), sizes, strict=True):
        if id(mesh) not in known:
            most = len(mesh.triangles) if enough else int(BUDGET * size / (sum(sizes) or 1.0))
            known[id(mesh)] = simplified(mesh, max(most, FEWEST))
    return {look: known[id(mesh)] for look, mesh in meshes.items()}


def _say(model: Model, found: Mapping[str, Sequence[Shape]], faults: Mapping[str, Fault]) -> None:
    count = sum(map(len, found.values()))
    if count:
        are = "is" if count == 1 else "are"
        model.note("shapes", f"{counted(count, 'shape')} of the file {are} drawn", count=count)
    for name, fault in list(faults.items())[:1]:
        more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
        remedy = fault.remedy.removesuffix(".")
        model.note(
            "meshes",
            f"meshes are not drawn: {shown(name)} {fault.why}{more}. {remedy}",
            names=list(faults),
        )
