"""Shapes of a robot for files of other programs, as far as these can hold them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gough.base.english import quoted
from gough.errors import DescriptionWarning, warn
from gough.robot.formats.looks import FIGURES
from gough.robot.frame import Frame
from gough.robot.robot import Robot
from gough.robot.shape import MESH, SIZES, Shape

HELD = {
    "MJCF": (*SIZES, MESH),
    "URDF": ("box", "sphere", "cylinder"),
    "SDF": tuple(SIZES),
}
"""Kinds of shapes by format; meshes of URDF and SDF are files of their own."""


def held_shapes(robot: Robot, format: str) -> dict[str, list[Shape]]:
    """Shapes by body, the base among them; a warning says which ones the format cannot hold.

    They are only looked at: a robot without them is the same robot, so nothing is refused.
    """
    given = {robot.base: robot.base_shapes} | {body.name: body.shapes for body in robot.bodies}
    found: dict[str, list[Shape]] = {}
    lost = []
    for body, shapes in given.items():
        split = [part for shape in shapes for part in _split(shape, HELD[format])]
        found[body] = [shape for shape in split if shape.kind in HELD[format]]
        if len(found[body]) < len(split):
            lost.append(body)
    if lost:
        more = f" and of {len(lost) - 4} more" if len(lost) > 4 else ""
        warn(
            f"{robot.name}: {format} cannot hold all shapes of {quoted(lost[:4])}{more}, which are "
            "left out: they are for pictures alone",
            DescriptionWarning,
        )
    return found


def _split(shape: Shape, held: tuple[str, ...]) -> Iterator[Shape]:
    """A shape, or a cylinder and two balls in the place of a capsule."""
    if shape.kind != "capsule" or shape.kind in held:
        yield shape
        return
    radius, length = shape.size
    yield replace(shape, kind="cylinder")
    T = shape.frame.matrix
    for side in (-0.5, 0.5):
        end = np.array(T)
        end[:3, 3] += side * length * T[:3, 2]
        yield Shape("sphere", (radius,), Frame.from_matrix(end), shape.colour)


def figured(shape: Shape) -> dict[str, Any]:
    """Sizes of a primitive shape by the names that URDF and SDF give them."""
    names = FIGURES[shape.kind]
    return {names[0]: shape.size} if len(names) == 1 else dict(zip(names, shape.size, strict=True))


def rgba_of(shape: Shape) -> tuple[float, ...] | None:
    """Red, green, blue and opacity of a shape that has a colour."""
    if not shape.colour:
        return None
    return (*(round(int(shape.colour[k : k + 2], 16) / 255.0, 4) for k in (1, 3, 5)), 1.0)
