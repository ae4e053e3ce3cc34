"""Shapes of a robot in the axes of its bodies: what a page draws, wherever the bodies go.

Every shape is a unit ball, block, cylinder, cone or mesh, stretched along three axes.  Its middle
moves with one body and its axes with another: the pin of a universal joint sits on the child and
points along an axis of the parent.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from gough.mechanism.mobility.assembly import Assembly
from gough.report.drawing import solids, space
from gough.report.drawing.camera import best_view, camera
from gough.report.drawing.forms import add_form, corners
from gough.report.drawing.joints3d import add_mark
from gough.report.drawing.places import Places
from gough.report.drawing.scene import Mark, Scene
from gough.report.drawing.shapes import across, rounded
from gough.report.drawing.sketch import TUBE, TUBE_AT_MOST, Sketch
from gough.report.drawing.solids import Model, Solid
from gough.report.drawing.style import COLOURS, RADIUS, stroke_colour

BALL, BLOCK, CYLINDER, CONE, MESH = "ball", "block", "cylinder", "cone", "mesh"


class Shapes:
    """Shapes of a robot, ready for JSON.

    Args:
        assembly: the robot.
        home: where everything is at home.
        postures: for which rails are long enough.
        bare: whether bodies are drawn by their joints alone, whatever shapes they have.
    """

    def __init__(
        self,
        assembly: Assembly,
        home: Places,
        postures: Sequence[Places],
        *,
        bare: bool = False,
    ) -> None:
        self.robot, self.home = assembly.robot, home
        self.sketch = Sketch(assembly, home, postures, bare=bare)
        self.scene: Scene = self.sketch.at(home)
        self.bodies = [self.robot.base, *(body.name for body in self.robot.bodies)]
        self.joints = [joint.name for joint in self.robot.joints]
        self.primitives: list[dict[str, Any]] = []
        self.plates: list[dict[str, Any]] = []
        self.meshes: dict[tuple[str, str], int] = {}  # points and triangles, and their place

    def to_dict(self) -> dict[str, Any]:
        """Everything that a page draws; places of bodies count from the base, which is 0."""
        scene, unit = self.scene, self.scene.unit
        base = self.robot.base
        fixed = Model()
        space.add_base(fixed, scene)
        self._add(fixed, base, base, {"body": 0})
        for stroke in self.sketch.strokes:
            if stroke.role != "base" or stroke.kind != "rail":
                model = Model()
                space.add_stroke(model, stroke, unit)
                self._add(model, stroke.body, stroke.body, {"body": self._place(stroke.body)})
        for plate in self.sketch.plates:
            if plate.role != "base":
                model = Model()
                space.add_plate(model, plate, unit)
                self._add(model, plate.body, plate.body, {"body": self._place(plate.body)})
        for form in scene.forms:
            if form.role != "base":
                model = Model()
                add_form(model, form)
                self._add(model, form.body, form.body, {"body": self._place(form.body)})
        for mark in scene.marks:
            self._add_mark(mark)
        for triad, body in zip(scene.triads, (base, self.robot.platform), strict=True):
            model = Model()
            space.add_triad(model, triad, scene)
            self._add(model, body, body, {"frame": triad.name})
        return {
            "primitives": self.primitives,
            "plates": self.plates,
            "meshes": [{"points": points, "triangles": of} for points, of in self.meshes],
            "telescopes": self._telescopes(),
            "belts": [self._belt(belt.coupling) for belt in scene.belts],
            "unit": unit,
            "camera": self._camera(),
        }

    def _place(self, body: str) -> int:
        return self.bodies.index(body)

    def _add(self, model: Model, at: str, along: str, owner: dict[str, Any]) -> None:
        """Add solids that are in base axes at home, and move with one body."""
        for solid, colour, _ in model.solids:
            if isinstance(solid, solids.Slab):
                self.plates.append(self._slab(solid, colour, at) | owner)
                continue
            found = self._mesh(solid) if isinstance(solid, solids.Surface) else _stretched(solid)
            for kind, centre, axes in found:
                self._add_primitive(kind, centre, axes, centre, at, along, colour, owner)

    def _add_mark(self, mark: Mark) -> None:
        """A joint: it sits on one body, and its axes belong to its parent and to its child."""
        joint = next(each for each in self.robot.joints if each.name == mark.joint)
        sliding = mark.joint not in self.sketch.marks  # sits where its telescope opens
        at = joint.parent if sliding else self.sketch.marks[mark.joint][0]
        owner: dict[str, Any] = {"joint": self.joints.index(mark.joint)}
        if sliding:
            owner["mouth"] = True
        model = Model()
        add_mark(model, mark, self.scene.unit)
        for solid, colour, _ in model.solids:
            for kind, centre, axes in _stretched(solid):
                across_parent = abs(axes[2] @ mark.axis) < 0.5 * float(np.linalg.norm(axes[2]))
                along = joint.child if across_parent else joint.parent
                self._add_primitive(kind, mark.position, axes, centre, at, along, colour, owner)

    def _add_primitive(
        self,
        kind: str,
        point: np.ndarray,
        axes: np.ndarray,
        centre: np.ndarray,
        at: str,
        along: str,
        colour: str,
        owner: dict[str, Any],
    ) -> None:
        """A stretched unit shape: a point of one body, the middle from there by axes of another."""
        R = self.home.bodies[along][:3, :3]
        self.primitives.append(
            {
                "kind": kind,
                "at": self._place(at),
                "along": self._place(along),
                "point": _short(self._within(at, point)),
                "offset": _short((centre - point) @ R),
                "axes": _short((axes @ R).reshape(-1)),
                "colour": colour,
                **owner,
            }
        )

    def _mesh(self, surface: solids.Surface) -> Iterable[tuple[str, np.ndarray, np.ndarray]]:
        """A mesh as a unit shape: its points are between -1 and 1, in 16 bits; alike ones once."""
        low, high = surface.points.min(axis=0), surface.points.max(axis=0)
        half = np.maximum((high - low) / 2.0, 1e-6 * float((high - low).max()))
        share = (surface.points - (low + high) / 2.0) / half
        points = _encoded(np.round(32767.0 * share), "<i2")
        place = self.meshes.setdefault(
            (points, _encoded(surface.triangles, "<u2")), len(self.meshes)
        )
        middle = surface.centre + (low + high) / 2.0 @ surface.axes
        yield f"{MESH} {place}", middle, half[:, None] * surface.axes

    def _slab(self, slab: solids.Slab, colour: str, body: str) -> dict[str, Any]:
        """A plate: its outline in body axes."""
        outline = rounded(slab.outline, slab.normal, slab.rounding)
        R = self.home.bodies[body][:3, :3]
        return {
            "at": self._place(body),
            "outline": _short(self._within(body, outline).reshape(-1)),
            "normal": _short(slab.normal @ R),
            "half": float(slab.half),
            "colour": colour,
        }

    def _telescopes(self) -> list[dict[str, Any]]:
        """Tubes and rods between two bodies: as long as these are apart."""
        unit, found = self.scene.unit, []
        strokes = {s.body: s for s in self.scene.strokes if s.kind in ("tube", "rod")}
        for slide in self.sketch.slides:
            if slide.end is None:
                continue
            ends = self._ends(slide).items()  # a body with shapes of its own has no tube or rod
            roles = {kind: strokes[body].role for kind, body in ends if body in strokes}
            found.append(
                {
                    "joint": self.joints.index(slide.joint.name),
                    "outer": self._place(slide.outer),
                    "inner": self._place(slide.inner),
                    "start": _short(self._within(slide.outer, slide.start)),
                    "end": _short(self._within(slide.inner, slide.end)),
                    "tube": TUBE * float(np.linalg.norm(slide.end - slide.start)),
                    "most": TUBE_AT_MOST,
                    "radii": [RADIUS["tube"] * unit, RADIUS["rod"] * unit],
                    "colours": [
                        stroke_colour(kind, roles[kind]) if kind in roles else None
                        for kind in ("tube", "rod")
                    ],
                }
            )
        return found

    @staticmethod
    def _ends(slide: Any) -> dict[str, str]:
        return {"tube": slide.outer, "rod": slide.inner}

    def _belt(self, coupling: str) -> dict[str, Any]:
        """A coupling: the joints that it relates."""
        axes = next(each.axes for each in self.robot.couplings if each.name == coupling)
        joints = dict.fromkeys(axis.partition(".")[0] for axis in axes)
        return {
            "joints": [self.joints.index(name) for name in joints],
            "colour": COLOURS["motor"],
        }

    def _within(self, body: str, points: np.ndarray) -> np.ndarray:
        """Points in the axes of a body, from where they are at home."""
        T = self.home.bodies[body]
        return np.asarray((points - T[:3, 3]) @ T[:3, :3])

    def _camera(self) -> dict[str, Any]:
        """Where to look from and at: across the plane of a planar robot."""
        scene = self.scene
        # rails may be long: what moves on them is in the middle of the picture
        rails = [stroke for stroke in scene.strokes if stroke.kind == "rail"]
        parts = [stroke.points for stroke in scene.strokes if stroke.kind != "rail"]
        parts += [plate.outline for plate in scene.plates]
        parts += [corners(form) for form in scene.forms]
        points = np.concatenate([*parts, [mark.position for mark in scene.marks]])
        low, high = points.min(axis=0), points.max(axis=0)
        if scene.plane is not None:
            pole = scene.plane.axes[1]
            towards = np.cross(*scene.plane.axes)
        else:
            pole, towards = scene.up, camera(*best_view(scene))[2]
        return {
            "middle": _short((low + high) / 2.0),
            "radius": (1.25 if rails else 1.0) * float(np.linalg.norm(high - low)) / 2.0,
            "pole": _short(pole),
            "towards": _short(towards),
            "planar": scene.plane is not None,
        }


def _stretched(solid: Solid) -> Iterable[tuple[str, np.ndarray, np.ndarray]]:
    """Unit shapes, their middles, and their axes as rows ``(3, 3)``."""
    if isinstance(solid, (solids.Egg, solids.Brick)):
        yield BALL if isinstance(solid, solids.Egg) else BLOCK, solid.centre, solid.axes
    elif isinstance(solid, solids.Ball):
        yield BALL, solid.centre, solid.radius * np.eye(3)
    elif isinstance(solid, solids.Block):
        wide = solid.wide * across(solid.axis)
        yield BLOCK, solid.centre, np.concatenate([wide, [solid.long * solid.axis]])
    elif isinstance(solid, solids.Cone):
        half = (solid.tip - solid.base) / 2.0
        wide = solid.radius * across(half / np.linalg.norm(half))
        yield CONE, solid.base + half, np.concatenate([wide, [half]])
    elif isinstance(solid, solids.Bar):
        for k, (a, b) in enumerate(pairwise(solid.points)):
            half = (b - a) / 2.0
            size = float(np.linalg.norm(half))
            if not size:
                continue
            wide = solid.radius * across(half / size)
            kind = BLOCK if solid.square else CYLINDER
            yield kind, a + half, np.concatenate([wide, [half]])
            if k:  # hides the kink of an arc
                yield BALL, a, solid.radius * np.eye(3)


def _encoded(values: np.ndarray, kind: str) -> str:
    """Integers as base64."""
    return base64.b64encode(values.astype(kind).tobytes()).decode()


def _short(values: Any) -> list[float]:
    """Six digits: more than a screen shows."""
    return [float(f"{value:.6g}") + 0.0 for value in np.asarray(values, dtype=float).reshape(-1)]
