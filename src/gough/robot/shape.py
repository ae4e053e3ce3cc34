"""Shapes that bodies are drawn with; no theory of dynamics looks at them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gough.base.arguments import nearest
from gough.errors import DescriptionError, shown
from gough.robot.frame import Frame
from gough.robot.numbers import Vector, check_number, check_vector
from gough.robot.parts import check_part, settle

SIZES = {
    "box": ("edge along x", "edge along y", "edge along z"),
    "sphere": ("radius",),
    "cylinder": ("radius", "length along z"),
    "capsule": ("radius", "length along z between its two half balls"),
    "ellipsoid": ("half the axis along x", "half the axis along y", "half the axis along z"),
}
"""Primitive shapes, and what their sizes are [m]; a ``mesh`` has points and triangles instead."""

MESH = "mesh"

MOST_TRIANGLES = 20_000
"""Of one mesh: a page in a browser has to hold it."""

DRAWN = {"drawn": True}
"""Metadata of fields that only drawings use: kernels do not depend on them."""

_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True)
class Shape:
    """A primitive shape or a mesh on a body, for pictures alone.

    Args:
        kind: ``box``, ``sphere``, ``cylinder``, ``capsule``, ``ellipsoid`` or ``mesh``.
        size: of a primitive shape [m]: edges of a box, radius, radius and length, half axes.
        frame: where it sits on the body; cylinders and capsules lie along its z.
        colour: ``#rrggbb``; that of the body's part in the machine if not given.
        points: of a mesh, in its frame [m].
        triangles: of a mesh, three points each by their places, counter-clockwise from outside.
    """

    kind: str
    size: tuple[float, ...] = ()
    frame: Frame = field(default_factory=Frame)
    colour: str = ""
    points: tuple[Vector, ...] = ()
    triangles: tuple[tuple[int, int, int], ...] = ()

    def __post_init__(self) -> None:
        kinds = (*SIZES, MESH)
        if not isinstance(self.kind, str) or self.kind not in kinds:
            raise DescriptionError(
                f"unknown kind of shape {shown(self.kind)}",
                path="kind",
                hint=nearest(str(self.kind), kinds),
            )
        size = _listed(self.size, "size")
        wanted = SIZES.get(self.kind, ())
        if len(size) != len(wanted):
            what = f": {', '.join(wanted)}" if wanted else ", but points and triangles"
            raise DescriptionError(
                f"a {self.kind} has {len(wanted)} sizes{what}; got {len(size)}", path="size"
            )
        numbers = tuple(check_number(x, f"size[{i}]", positive=True) for i, x in enumerate(size))
        check_part(self.frame, Frame, "frame")
        colour = self.colour.lower() if isinstance(self.colour, str) else self.colour
        if colour != "" and not (isinstance(colour, str) and _COLOUR.fullmatch(colour)):
            raise DescriptionError(f"expected '#rrggbb', got {shown(self.colour)}", path="colour")
        settle(self, size=numbers, colour=colour)
        self._check_mesh()

    def _check_mesh(self) -> None:
        points, triangles = _listed(self.points, "points"), _listed(self.triangles, "triangles")
        if self.kind != MESH:
            if points or triangles:
                raise DescriptionError(f"a {self.kind} has no points or triangles", path="points")
            return
        if not triangles or len(triangles) > MOST_TRIANGLES or len(points) > 3 * len(triangles):
            raise DescriptionError(
                f"a mesh has 1 to {MOST_TRIANGLES} triangles, and no more points than their "
                f"corners; got {len(triangles)} and {len(points)}",
                path="triangles",
            )
        found = tuple(check_vector(p, f"points[{i}]") for i, p in enumerate(points))
        corners = []
        for i, each in enumerate(triangles):
            row = _listed(each, f"triangles[{i}]")
            if len(row) != 3 or not all(_is_place(k, len(found)) for k in row):
                raise DescriptionError(
                    f"expected three places of points, 0 to {len(found) - 1}, got {shown(each)}",
                    path=f"triangles[{i}]",
                )
            corners.append((int(row[0]), int(row[1]), int(row[2])))
        settle(self, points=found, triangles=tuple(corners))


def _listed(value: Any, path: str) -> list[Any]:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        raise DescriptionError(f"expected a list, got {shown(value)}", path=path)
    return list(value)


def _is_place(value: Any, count: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count
