"""Shapes that the description gives to bodies, as solids where their bodies are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gough.report.drawing.scene import Form
from gough.report.drawing.solids import Ball, Bar, Brick, Egg, Model, Solid, Surface
from gough.report.drawing.style import COLOURS
from gough.robot.shape import MESH

_SIDES = 24  # of round shapes, which are larger than the bars of a sketch


def add_form(model: Model, form: Form) -> None:
    """Add what a body looks like."""
    for solid in solids_of(form):
        model.add(solid, form.shape.colour or COLOURS[form.role])


def solids_of(form: Form) -> Iterable[Solid]:
    """The solids that a shape is made of."""
    shape, axes, centre = form.shape, form.pose[:3, :3].T, form.pose[:3, 3]
    if shape.kind == MESH:
        yield Surface(np.array(shape.points), np.array(shape.triangles), axes, centre)
    elif shape.kind == "box":
        yield Brick(centre, np.array(shape.size)[:, None] / 2.0 * axes)
    elif shape.kind == "ellipsoid":
        yield Egg(centre, np.array(shape.size)[:, None] * axes)
    elif shape.kind == "sphere":
        yield Egg(centre, shape.size[0] * axes)
    else:
        radius, length = shape.size
        ends = centre + np.outer([-0.5, 0.5], length * axes[2])
        yield Bar(ends, radius, max(length / 8.0, radius), sides=_SIDES)
        if shape.kind == "capsule":
            yield from (Ball(end, radius, 12, _SIDES) for end in ends)


def corners(form: Form) -> np.ndarray:
    """Points of a shape that bound it ``(k, 3)``."""
    shape = form.shape
    if shape.kind == MESH:
        points = np.array(shape.points)
        low, high = points.min(axis=0), points.max(axis=0)
    else:
        size = shape.size
        half = {"box": np.array(size) / 2.0, "ellipsoid": np.array(size)}.get(shape.kind)
        if half is None:  # round about z
            long = (size[-1] / 2.0 if len(size) > 1 else 0.0) + size[0] * (shape.kind != "cylinder")
            half = np.array([size[0], size[0], long])
        low, high = -half, half
    signs = np.array(np.meshgrid(*[(0.0, 1.0)] * 3)).reshape(3, -1).T
    return np.asarray((low + signs * (high - low)) @ form.pose[:3, :3].T + form.pose[:3, 3])
