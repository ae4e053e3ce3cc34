"""Frames and bodies from their entries in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from gough.errors import DescriptionError
from gough.robot import inertia
from gough.robot.body import ZERO, Body, check_inertia
from gough.robot.file import elastic
from gough.robot.file.body_schema import (
    ORIENTATIONS,
    SHAPES,
    BodyEntry,
    FrameEntry,
    PartEntry,
    ShapeEntry,
    SolidEntry,
)
from gough.robot.file.problems import within
from gough.robot.frame import (
    Frame,
    rotation_from_axes,
    rotation_from_quaternion,
    rotation_from_rpy,
)
from gough.robot.material import Material
from gough.robot.numbers import check_number, check_vector
from gough.robot.shape import Shape


def frame(entry: FrameEntry | None) -> Frame:
    """The frame an entry means; the identity if there is none."""
    if entry is None:
        return Frame()
    position = entry.position or (0.0, 0.0, 0.0)
    given = list(entry.given(*ORIENTATIONS))
    if len(given) > 1:
        raise DescriptionError(
            f"has two orientations, {given[0]} and {given[1]}", hint="Keep one of them."
        )
    if entry.x is not None and entry.z is None:
        raise DescriptionError("stands without z", path="x", hint="Give the z axis, too.")
    if entry.rotation is not None:
        return Frame(position, entry.rotation)  # type: ignore[arg-type]
    return Frame(position, _rotation(entry).tolist())  # type: ignore[arg-type]


def _rotation(entry: FrameEntry) -> np.ndarray:
    if entry.quaternion_wxyz is not None:
        return rotation_from_quaternion(entry.quaternion_wxyz, "quaternion_wxyz")
    if entry.quaternion_xyzw is not None:
        x, y, z, w = entry.quaternion_xyzw
        return rotation_from_quaternion([w, x, y, z], "quaternion_xyzw")
    if entry.rpy is not None:
        return rotation_from_rpy(entry.rpy)
    if entry.z is not None:
        return rotation_from_axes(entry.z, entry.x)
    return np.eye(3)


def body(name: str, entry: BodyEntry, materials: Mapping[str, Material]) -> Body:
    """The body an entry means; ``materials`` are those of the file by name."""
    properties: Mapping[str, Any]
    with within(f"bodies.{name}"):
        if entry.massless:
            _alone(entry, "massless", ["mass", "inertia", *SHAPES, "composite"])
            properties = {"massless": True, **entry.given("center")}
        elif entry.composite is not None:
            _alone(entry, "composite", ["mass", "center", "inertia", *SHAPES])
            parts = [_part(i, part) for i, part in enumerate(entry.composite)]
            with within("composite"):
                properties = inertia.composite(parts)
        else:
            properties = _properties(entry)
        bends = elastic.parts(entry, materials)
        looks = shapes(entry.shapes)
    return Body(name, **properties, **bends, **entry.given("label"), shapes=looks)


def shapes(entries: list[ShapeEntry] | None, path: str = "shapes") -> tuple[Shape, ...]:
    """What a body, or the base, looks like."""
    found = []
    for i, entry in enumerate(entries or []):
        with within(f"{path}[{i}]"):
            with within("frame"):
                at = frame(entry.frame)
            rows = {
                name: _numbers(text) for name, text in entry.given("points", "triangles").items()
            }
            found.append(Shape(**(entry.given() | {"frame": at} | rows)))
    return tuple(found)


def _numbers(text: str) -> tuple[tuple[float | int, ...], ...]:
    """Rows of numbers in a text: meshes have too many for lists, which are slow to read."""
    try:
        return tuple(
            tuple(int(word) if word.isdecimal() else float(word) for word in row.split())
            for row in text.split(",")
        )
    except ValueError:
        raise DescriptionError("expected rows of three numbers: '0 0 0, 0.1 0 0'") from None


def _part(index: int, entry: PartEntry) -> tuple[inertia.MassProperties, Frame]:
    with within(f"composite[{index}]"):
        properties = _properties(entry)
        with within("frame"):
            return properties, frame(entry.frame)


def _properties(entry: SolidEntry) -> inertia.MassProperties:
    """Mass properties of figures or of one shape."""
    for shape in SHAPES:
        figures = getattr(entry, shape)
        if figures is not None:
            others = [other for other in SHAPES if other != shape]
            _alone(entry, shape, ["mass", "center", "inertia", *others])
            with within(shape):
                return cast(inertia.MassProperties, getattr(inertia, shape)(**figures.given()))
    if entry.mass is None:
        raise DescriptionError(
            "has no mass",
            hint=f"Give mass, or one of {', '.join(SHAPES)}; a body without mass says "
            "massless: true.",
        )
    return {
        "mass": check_number(entry.mass, "mass", positive=True),
        "center": check_vector(entry.center or [0.0, 0.0, 0.0], "center"),
        "inertia": check_inertia(_rows(entry.inertia), "inertia"),
    }


def _rows(given: Any) -> Any:
    """Three rows, also from a diagonal."""
    if given is None:
        return ZERO
    return given if isinstance(given[0], list) else np.diag(given).tolist()


def _alone(entry: SolidEntry, key: str, others: list[str]) -> None:
    """Refuses keys that contradict another one."""
    for other in entry.given(*others):
        raise DescriptionError(f"cannot stand beside {key!r}", path=other, hint="Keep one of them.")
