"""Joints in space: a small solid for each kind."""

from __future__ import annotations

import numpy as np

from gough.report.drawing.scene import Mark
from gough.report.drawing.solids import Ball, Bar, Block, Model
from gough.report.drawing.style import COLOURS


def add_mark(model: Model, mark: Mark, unit: float) -> None:
    """Add the solid of a joint; sizes are in units of a joint's radius."""
    _SOLIDS[mark.kind](model, mark, unit)


def _colour(driven: bool) -> str:
    return COLOURS["motor" if driven else "joint"]


def _along(mark: Mark, direction: np.ndarray, half: float) -> np.ndarray:
    """A line through the joint ``(2, 3)``."""
    return np.stack([mark.position - half * direction, mark.position + half * direction])


def _revolute(model: Model, mark: Mark, unit: float) -> None:
    size = 1.3 if mark.motor else 1.0
    line = _along(mark, mark.axis, 1.15 * size * unit)
    model.add(Bar(line, 0.85 * size * unit, 0.8 * unit, sides=18), _colour(mark.motor))
    pin = _along(mark, mark.axis, 1.3 * size * unit)
    model.add(Bar(pin, 0.36 * size * unit, 0.8 * unit, sides=12), COLOURS["pin"])


def _universal(model: Model, mark: Mark, unit: float) -> None:
    """A cross: one arm along each axis."""
    for direction, driven in zip((mark.axis, mark.second), mark.driven, strict=True):
        half, radius = (1.7, 0.62) if driven else (1.3, 0.38)
        line = _along(mark, direction, half * unit)
        model.add(Bar(line, radius * unit, 0.5 * unit, sides=12), _colour(driven))
    model.add(Ball(mark.position, 0.66 * unit, 8, 14), COLOURS["joint"])


def _ball(model: Model, mark: Mark, unit: float) -> None:
    model.add(Ball(mark.position, 0.98 * unit), COLOURS["joint"])


def _prismatic(model: Model, mark: Mark, unit: float) -> None:
    """A square sleeve."""
    size = 1.2 if mark.motor else 1.0
    line = _along(mark, mark.axis, 1.35 * size * unit)
    model.add(Bar(line, 0.82 * size * unit, 0.7 * unit, square=True), _colour(mark.motor))


def _cylindrical(model: Model, mark: Mark, unit: float) -> None:
    """A round sleeve with a collar at each end: it turns and slides."""
    size = 1.2 if mark.motor else 1.0
    half = 1.5 * size * unit
    line = _along(mark, mark.axis, half)
    model.add(Bar(line, 0.85 * size * unit, 0.6 * unit, sides=18), _colour(mark.motor))
    for end in (-1.0, 1.0):
        ring = mark.position + np.outer([0.7 * end * half, end * half], mark.axis)
        model.add(Bar(ring, 1.1 * size * unit, unit, sides=18), _colour(mark.motor))


def _helical(model: Model, mark: Mark, unit: float) -> None:
    """The turns of a thread."""
    size = 1.2 if mark.motor else 1.0
    core = _along(mark, mark.axis, 1.5 * size * unit)
    model.add(Bar(core, 0.6 * size * unit, 0.5 * unit), COLOURS["pin"])
    for k in range(-2, 3):
        at = 0.62 * k * size * unit
        ring = mark.position + np.outer([at - 0.2 * size * unit, at + 0.2 * size * unit], mark.axis)
        model.add(Bar(ring, 1.0 * size * unit, unit, sides=18), _colour(mark.motor))


def _planar(model: Model, mark: Mark, unit: float) -> None:
    """A flat puck on its face, with a pin along the normal."""
    model.add(
        Bar(_along(mark, mark.axis, 0.3 * unit), 1.5 * unit, 0.6 * unit, sides=24), _colour(False)
    )
    model.add(
        Bar(_along(mark, mark.axis, 0.6 * unit), 0.3 * unit, 0.8 * unit, sides=12), COLOURS["pin"]
    )


def _fixed(model: Model, mark: Mark, unit: float) -> None:
    model.add(Block(mark.position, mark.axis, 0.55 * unit, 0.55 * unit), COLOURS["pin"])


_SOLIDS = {
    "revolute": _revolute,
    "prismatic": _prismatic,
    "helical": _helical,
    "universal": _universal,
    "cylindrical": _cylindrical,
    "spherical": _ball,
    "planar": _planar,
    "planar_contact": _ball,
    "fixed": _fixed,
}
