"""Paints scenes in space: shaded solids in 3-D axes of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.report.drawing import solids
from gough.report.drawing.camera import camera
from gough.report.drawing.forms import add_form
from gough.report.drawing.joints3d import add_mark
from gough.report.drawing.scene import Plate, Scene, Stroke, Triad
from gough.report.drawing.solids import Model
from gough.report.drawing.style import (
    BELT,
    COLOURS,
    INK,
    PLATE,
    RADIUS,
    ROUNDING,
    TRIAD,
    Filled,
    add_names,
    ghost_shares,
    length_text,
    round_length,
    stroke_colour,
)
from gough.robot.joint_kinds import KINDS


def look(axes: Any, view: tuple[float, float]) -> None:
    """Look into 3-D axes without perspective, from an elevation and an azimuth [deg]."""
    axes.set_axis_off()
    axes.set_proj_type("ortho")
    axes.computed_zorder = False
    axes.view_init(*view)


def paint(axes: Any, scenes: Sequence[Scene], *, frames: bool, names: bool) -> np.ndarray:
    """Paint postures of one robot; the last is the one meant, earlier ones are ghosts.

    Returns:
        Two corners of what is drawn, seen from the camera, base axes ``(2, 3)``.
    """
    from gough.report.drawing.faces import ShadedFaces  # noqa: PLC0415  brings matplotlib

    frame = camera(axes.elev, axes.azim)
    right, up, towards = frame
    drawn = []
    for order, layer in enumerate(_layers(scenes, frames, towards)):
        faces, colours = layer.arrays()
        solid = ShadedFaces(faces, colours, ghost=layer.share > 0.0, zorder=order)
        axes.add_collection3d(solid, autolim=False)
        drawn.append(faces.reshape(-1, 3))
    for belt in scenes[-1].belts:
        axes.plot(*belt.points.T, **BELT, zorder=len(drawn))
    if names:
        beside = 1.2 * scenes[-1].unit * (right + up)
        add_names(axes, {m.joint: m.position + beside for m in scenes[-1].marks})
    seen = np.concatenate(drawn) @ frame.T
    return np.asarray(np.stack([seen.min(axis=0), seen.max(axis=0)]) @ frame)


def fit(axes: Any, points: np.ndarray) -> Filled:
    """Fill 3-D axes with points: equal scales, their middle in the middle."""
    frame = camera(axes.elev, axes.azim)
    seen = points @ frame.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle = (low + high) / 2.0 @ frame
    half = float((high - low).max()) / 2.0 or 1.0
    for which, value in zip("xyz", middle, strict=True):
        getattr(axes, f"set_{which}lim")(value - half, value + half)
    axes.set_box_aspect((1.0, 1.0, 1.0))
    # without perspective, what is seen grows with the zoom
    centre = _in_axes(axes, middle[None])[0]
    reach = np.abs(_in_axes(axes, points) - centre).max(axis=0)
    axes.set_box_aspect((1.0, 1.0, 1.0), zoom=0.48 / float(reach.max()))
    return Filled(centre, 0.96 * reach / reach.max())


def _in_axes(axes: Any, points: np.ndarray) -> np.ndarray:
    """Where points are seen, as shares of the width and height of 3-D axes ``(k, 2)``."""
    seen = np.column_stack([points, np.ones(len(points))]) @ axes.get_proj().T
    to_axes = axes.transData + axes.transAxes.inverted()
    return np.asarray(to_axes.transform(seen[:, :2] / seen[:, 3:]))


def _layers(scenes: Sequence[Scene], frames: bool, towards: np.ndarray) -> list[Model]:
    """What is painted, in order: ghosts, the posture that is meant, frames."""
    last = scenes[-1]
    layers = [Model(share) for share in ghost_shares(len(scenes))]
    for layer, scene in zip(layers, scenes, strict=True):
        _add_posture(layer, scene)
    # the base is sorted in with ghosts that stand on it, or with a robot that hangs from it
    held = [m.position for m in last.marks if m.ground is not None]
    nearer = float((np.mean(held, axis=0) - last.points.mean(axis=0)) @ towards)
    add_base(layers[-1 if nearer > 0.0 else 0], last)
    if frames:
        layers.append(Model())  # on top: half of a frame would hide in the plate it lies in
        for triad in last.triads:
            add_triad(layers[-1], triad, last)
    return [layer for layer in layers if layer.solids]


def add_base(model: Model, scene: Scene) -> None:
    """Add what does not move: rails, plates, or a foot for every joint."""
    share, model.share = model.share, 0.0
    for stroke in scene.strokes:
        if stroke.role == "base" and stroke.kind == "rail":
            add_stroke(model, stroke, scene.unit)
        if stroke.role == "base" and stroke.kind in ("rail", "tube"):
            _add_flanges(model, stroke, scene.unit)
    for form in scene.forms:
        if form.role == "base":
            add_form(model, form)
    plates = [plate for plate in scene.plates if plate.role == "base"]
    for plate in plates:
        add_plate(model, plate, scene.unit)
    dressed = any(form.role == "base" for form in scene.forms)
    if not dressed and not any(plate.kind == "hull" for plate in plates):
        _add_feet(model, scene)
    model.share = share


def _add_flanges(model: Model, stroke: Stroke, unit: float) -> None:
    """Blocks that hold the ends of a rail, or the foot of a tube."""
    a, b = stroke.points
    axis = (b - a) / np.linalg.norm(b - a)
    wide = 1.5 if stroke.kind == "tube" else 0.8
    for end in stroke.points[: 1 if stroke.kind == "tube" else 2]:
        model.add(solids.Block(end, axis, wide * unit, 0.28 * unit), COLOURS["base"])


def _add_feet(model: Model, scene: Scene) -> None:
    """A block for every base joint that no plate, rail or tube holds."""
    u = scene.unit
    for mark in scene.marks:
        g = mark.ground
        if g is not None and mark.kind != "prismatic" and not KINDS[mark.kind].has_face:
            centre = mark.position + 2.0 * u * g
            model.add(solids.Block(centre, g, 1.7 * u, 0.35 * u), COLOURS["base"])
            stem = np.stack([mark.position, centre])
            model.add(solids.Bar(stem, 0.6 * u, 0.7 * u), COLOURS["base"])


def _add_posture(model: Model, scene: Scene) -> None:
    for stroke in scene.strokes:
        if stroke.role != "base" or stroke.kind != "rail":
            add_stroke(model, stroke, scene.unit)
    for plate in scene.plates:
        if plate.role != "base":
            add_plate(model, plate, scene.unit)
    for form in scene.forms:
        if form.role != "base":
            add_form(model, form)
    for mark in scene.marks:
        add_mark(model, mark, scene.unit)


def add_stroke(model: Model, stroke: Stroke, unit: float) -> None:
    """Add a long part of a body."""
    square, points = stroke.kind == "rail", stroke.points
    length = float(np.linalg.norm(points[-1] - points[0]))
    if stroke.kind in ("rod", "tube") and length > 1.5 * unit:
        # what the sleeve hides would only confuse the sorting
        inside = 1.2 * unit * (points[-1] - points[0]) / length
        points = points + np.outer([1.0, 0.0] if stroke.kind == "rod" else [0.0, -1.0], inside)
    faces = solids.Bar(points, RADIUS[stroke.kind] * unit, 1.5 * unit, square=square)
    model.add(faces, stroke_colour(stroke.kind, stroke.role))


def add_plate(model: Model, plate: Plate, unit: float) -> None:
    """Add a flat part of a body."""
    faces = solids.Slab(
        plate.outline, plate.normal, PLATE * unit, ROUNDING[plate.kind] * unit, 1.8 * unit
    )
    model.add(faces, COLOURS[plate.role])


def add_triad(model: Model, triad: Triad, scene: Scene) -> None:
    """Add a frame."""
    origin, length = triad.pose[:3, 3], TRIAD * scene.length
    if np.abs(scene.marks[0].position - origin).max() > 4.0 * scene.length:
        return  # a frame far from the machine would shrink the picture
    radius = 0.065 * length
    for k, name in enumerate("xyz"):
        direction = triad.pose[:3, k]
        neck = origin + 0.72 * length * direction
        shaft = np.stack([origin, neck])
        model.add(solids.Bar(shaft, radius, 4.0 * radius, sides=10), COLOURS[name])
        model.add(solids.Cone(neck, origin + length * direction, 2.5 * radius), COLOURS[name])
    model.add(solids.Ball(origin, 1.3 * radius, 6, 10), INK)


def add_scale(axes: Any, scene: Scene, own: bool) -> None:
    """A bar of round length at the lower left of the figure if it is our own, or of the axes."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    # how much of the width of the axes one metre takes, across the view
    right = camera(axes.elev, axes.azim)[0]
    metre = float(np.linalg.norm(np.diff(_in_axes(axes, np.stack([0.0 * right, right])), axis=0)))
    length = round_length(0.45 * scene.length)
    box = axes.get_position()
    x, y = (-box.x0 / box.width + 0.02, -box.y0 / box.height + 0.015) if own else (0.02, 0.02)
    ends = [x, x + length * metre]
    line = Line2D(ends, [y, y], color=INK, lw=1.4, transform=axes.transAxes, zorder=99)
    axes.add_artist(line)
    line.set_clip_on(False)  # 3-D axes may end above the lower edge of the figure
    # in points: small axes have letters of the same size
    above: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate(length_text(length), (x, y), (0.0, 3.6), fontsize=7, color=INK, **above)
