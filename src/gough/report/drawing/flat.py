"""Paints scenes of planar robots in their plane, as one would on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.report.drawing.scene import Mark, Plane, Plate, Scene, Stroke, Triad
from gough.report.drawing.shapes import rounded
from gough.report.drawing.style import (
    BELT,
    COLOURS,
    INK,
    RADIUS,
    ROUNDING,
    TRIAD,
    Filled,
    add_names,
    faded,
    ghost_shares,
    length_text,
    rgb,
    round_length,
    stroke_colour,
)

_EDGE = 0.55
"""How much darker than its face the edge of a shape is."""

# What lies on top of what; the posture that is meant lies above all ghosts.
_GROUND, _LINK, _PLATFORM, _JOINT, _FRAME, _TEXT = range(6)
_LAYER = 10

SCALE = 0.1
"""Height that the bar of round length takes, as a share of the robot's size."""


class _Paper:
    """Shapes in the plane, faded and stacked for one posture."""

    def __init__(self, axes: Any, plane: Plane, share: float, layer: int) -> None:
        self.axes, self.plane, self.share, self.above = axes, plane, share, _LAYER * layer
        self.drawn: list[np.ndarray] = []

    def polygon(self, corners: np.ndarray, colour: str, order: int) -> None:
        from matplotlib.patches import Polygon  # noqa: PLC0415

        face, edge = (faded(shade, self.share) for shade in (rgb(colour), rgb(colour) * _EDGE))
        self.drawn.append(corners)
        looks: dict[str, Any] = {"facecolor": face, "edgecolor": edge, "zorder": self.above + order}
        shape = Polygon(corners, closed=True, linewidth=0.8, joinstyle="round", **looks)
        self.axes.add_patch(shape)

    def line(self, points: np.ndarray, colour: str, order: int, width: float = 0.9) -> None:
        shade = faded(rgb(colour), self.share)
        self.drawn.append(points)
        looks = {"color": shade, "linewidth": width, "zorder": self.above + order}
        self.axes.plot(*points.T, solid_capstyle="round", **looks)

    def circle(self, centre: np.ndarray, radius: float, colour: str, order: int) -> None:
        angles = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
        ring = radius * np.column_stack([np.cos(angles), np.sin(angles)])
        self.polygon(centre + ring, colour, order)


def paint(axes: Any, scenes: Sequence[Scene], *, frames: bool, names: bool) -> np.ndarray:
    """Paint postures of one planar robot; the last is the one meant, earlier ones are ghosts.

    Returns:
        Two corners of what is drawn, with a little room around it ``(2, 2)`` [m].
    """
    last = scenes[-1]
    plane = last.plane
    if plane is None:
        raise ValueError("the scene is not planar")
    sheets = [
        _Paper(axes, plane, share, layer)
        for layer, share in enumerate(ghost_shares(len(scenes)), start=1)
    ]
    sheets.append(_Paper(axes, plane, 0.0, 0))
    _add_base(sheets[-1], last)
    for sheet, scene in zip(sheets[:-1], scenes, strict=True):
        for stroke in scene.strokes:
            if stroke.role != "base" or stroke.kind != "rail":
                _add_stroke(sheet, stroke, scene.unit)
        for plate in scene.plates:
            _add_plate(sheet, plate, scene.unit)
        for mark in scene.marks:
            _add_mark(sheet, mark, scene.unit)
    for belt in last.belts:
        axes.plot(*plane.project(belt.points).T, **BELT, zorder=sheets[-2].above + _FRAME)
    if frames:
        for triad in last.triads:
            _add_triad(sheets[-2], triad, last)
    if names:
        add_names(axes, {m.joint: plane.project(m.position) + 1.4 * last.unit for m in last.marks})
    axes.set_aspect("equal")
    axes.set_axis_off()
    bounds = np.concatenate([points for sheet in sheets for points in sheet.drawn])
    return np.stack([bounds.min(axis=0) - last.unit, bounds.max(axis=0) + last.unit])


def fit(axes: Any, points: np.ndarray, below: float) -> Filled:
    """Fill axes with points, and room below them [m]."""
    low, high = points.min(axis=0) - (0.0, below), points.max(axis=0)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    return Filled(np.array([0.5, 0.5]), (high - low) / (high - low).max())


def _add_stroke(sheet: _Paper, stroke: Stroke, unit: float) -> None:
    order = _PLATFORM if stroke.role == "platform" else _LINK
    radius = RADIUS[stroke.kind] * unit
    colour = stroke_colour(stroke.kind, stroke.role)
    points = sheet.plane.project(stroke.points)
    if stroke.kind in ("tube", "rail"):
        sheet.polygon(_rectangle(points[0], points[-1], radius), colour, order)
    else:
        sheet.polygon(_capsule(points, 1.15 * radius), colour, order)


def _add_plate(sheet: _Paper, plate: Plate, unit: float) -> None:
    points = sheet.plane.project(plate.outline)
    sheet.polygon(_capsule(points, 0.8 * ROUNDING[plate.kind] * unit), COLOURS[plate.role], _LINK)


def _add_mark(sheet: _Paper, mark: Mark, unit: float) -> None:
    at = sheet.plane.project(mark.position)
    if mark.kind == "revolute":
        size = 1.35 if mark.motor else 0.95
        colour = COLOURS["motor" if mark.motor else "joint"]
        sheet.circle(at, size * unit, colour, _JOINT)
        sheet.circle(at, 0.3 * size * unit, COLOURS["pin"], _JOINT)
    elif mark.kind == "planar":
        sheet.circle(at, 1.5 * unit, COLOURS["joint"], _JOINT)
        sheet.circle(at, 0.3 * unit, COLOURS["pin"], _JOINT)
    elif mark.kind == "prismatic":
        size = 1.25 if mark.motor else 1.0
        along = 1.4 * size * unit * sheet.plane.direction(mark.axis)
        colour = COLOURS["motor" if mark.motor else "joint"]
        sheet.polygon(_rectangle(at - along, at + along, 0.85 * size * unit), colour, _JOINT)
    else:
        half = 0.5 * unit
        corners = np.array([[half, half], [-half, half], [-half, -half], [half, -half]])
        sheet.polygon(at + corners, COLOURS["pin"], _JOINT)


def _add_base(sheet: _Paper, scene: Scene) -> None:
    """A hatched stand for every base joint, a hatched edge for every base rail."""
    u = scene.unit
    for stroke in scene.strokes:
        if stroke.role == "base" and stroke.kind == "rail":
            a, b = sheet.plane.project(stroke.points)
            sheet.polygon(_rectangle(a, b, RADIUS["rail"] * u), COLOURS["base"], _GROUND)
    for mark in scene.marks:
        if mark.ground is not None and mark.kind == "revolute":
            down = _down(mark.ground, sheet.plane)
            at = sheet.plane.project(mark.position)
            side = np.array([-down[1], down[0]])
            foot = at + 2.9 * u * down
            corners = np.stack([at, foot + 1.6 * u * side, foot - 1.6 * u * side])
            sheet.polygon(corners, COLOURS["base"], _GROUND)
            _hatch(sheet, foot - 2.5 * u * side, foot + 2.5 * u * side, down, u)


def _hatch(sheet: _Paper, a: np.ndarray, b: np.ndarray, down: np.ndarray, unit: float) -> None:
    """The line of the ground with its ticks."""
    sheet.line(np.stack([a, b]), INK, _GROUND, 1.1)
    length = float(np.linalg.norm(b - a))
    along = (b - a) / length
    for at in np.arange(0.5 * unit, length + 0.1 * unit, unit):
        start = a + at * along
        tick = start + 0.85 * unit * (down - 0.8 * along)
        sheet.line(np.stack([start, tick]), INK, _GROUND, 0.7)


def _down(ground: np.ndarray, plane: Plane) -> np.ndarray:
    """The direction of the ground in the plane; down on paper if gravity acts across it."""
    inside = plane.direction(ground)
    size = float(np.linalg.norm(inside))
    return np.asarray(inside / size) if size > 0.3 else np.array([0.0, -1.0])


def _add_triad(sheet: _Paper, triad: Triad, scene: Scene) -> None:
    """The axes of a frame that lie in the plane, as arrows."""
    origin, length = sheet.plane.project(triad.pose[:3, 3]), TRIAD * scene.length
    for k, name in enumerate("xyz"):
        arrow = length * sheet.plane.direction(triad.pose[:3, k])
        size = float(np.linalg.norm(arrow))
        if size < 0.2 * length:
            continue
        ahead = arrow / size
        side = np.array([-ahead[1], ahead[0]])
        neck = origin + arrow - 0.3 * length * ahead
        sheet.line(np.stack([origin, neck]), COLOURS[name], _FRAME, 2.0)
        head = np.stack([origin + arrow, neck + 0.12 * length * side, neck - 0.12 * length * side])
        sheet.polygon(head, COLOURS[name], _FRAME)
    sheet.circle(origin, 0.06 * length, INK, _FRAME)


def add_scale(axes: Any, scene: Scene) -> None:
    """A bar of round length in the room below a picture, at the left."""
    length = round_length(0.45 * scene.length)
    x = axes.get_xlim()[0] + scene.unit
    y = axes.get_ylim()[0] + (SCALE - 0.06) * scene.length
    axes.plot([x, x + length], [y, y], color=INK, linewidth=1.4, zorder=_LAYER * 100)
    axes.text(x, y + 0.015 * scene.length, length_text(length), fontsize=7, color=INK, va="bottom")


def _capsule(points: np.ndarray, radius: float) -> np.ndarray:
    """The convex hull of points, grown by a radius."""
    space = np.column_stack([points, np.zeros(len(points))])
    return rounded(space, np.array([0.0, 0.0, 1.0]), radius, 10)[:, :2]


def _rectangle(a: np.ndarray, b: np.ndarray, half: float) -> np.ndarray:
    along = (b - a) / (float(np.linalg.norm(b - a)) or 1.0)
    side = half * np.array([-along[1], along[0]])
    return np.stack([a + side, b + side, b - side, a - side])
