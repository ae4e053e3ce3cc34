"""The sketch of a robot: shapes fixed to its bodies, and the scene they make in a posture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gough.drawing.anchors import Slide
from gough.drawing.places import Places
from gough.drawing.scene import Mark, Plane, Plate, Role, Scene, Stroke, Triad
from gough.mobility.assembly import Assembly
from gough.robot import Joint

# Share of a telescope's length that the tube at most takes in any posture.
TUBE_AT_MOST = 0.9


@dataclass(frozen=True, eq=False)
class Telescope:
    """A tube on one body, a rod on another; points in body axes."""

    slide: Slide
    start: np.ndarray
    end: np.ndarray
    tube: float


@dataclass(frozen=True, eq=False)
class Sketch:
    """Shapes of every body in its own axes, and joints in the axes of the body that holds them.

    Attributes:
        strokes, plates: shapes, points in body axes.
        marks: joint, body that holds the mark, its position in body axes.
        telescopes: slides drawn from tube to rod.
    """

    assembly: Assembly
    strokes: tuple[Stroke, ...]
    plates: tuple[Plate, ...]
    marks: tuple[tuple[Joint, str, np.ndarray], ...]
    telescopes: tuple[Telescope, ...]
    unit: float
    up: np.ndarray
    grounds: dict[str, np.ndarray]
    plane: Plane | None

    def at(self, where: Places) -> Scene:
        """The scene of a posture."""
        robot = self.assembly.robot
        strokes = [replace(s, points=moved(where, s.body, s.points)) for s in self.strokes]
        plates = [
            replace(
                p,
                outline=moved(where, p.body, p.outline),
                normal=where.bodies[p.body][:3, :3] @ p.normal,
            )
            for p in self.plates
        ]
        points = {j.name: moved(where, body, at) for j, body, at in self.marks}
        for t in self.telescopes:
            drawn, points[t.slide.joint.name] = self._telescope(t, where)
            strokes += drawn
        marks = [
            Mark(
                j.name,
                j.kind,
                points[j.name],
                where.parents[j.name][:3, 2],
                where.children[j.name][:3, 2],
                tuple(name in robot.motors for name in j.axis_names),
                self.grounds.get(j.name),
            )
            for j in robot.joints
        ]
        triads = (Triad("0", np.eye(4)), Triad("p", where.platform))
        return Scene(
            tuple(strokes),
            tuple(plates),
            tuple(marks),
            triads,
            self.unit,
            self.assembly.length,
            self.up,
            self.plane,
        )

    def _telescope(self, t: Telescope, where: Places) -> tuple[list[Stroke], np.ndarray]:
        slide, assembly = t.slide, self.assembly
        start, end = moved(where, slide.outer, t.start), moved(where, slide.inner, t.end)
        distance = float(np.linalg.norm(end - start))
        direction = (end - start) / distance if distance > 0.0 else np.zeros(3)
        mouth = start + min(t.tube, TUBE_AT_MOST * distance) * direction
        return [
            Stroke(slide.outer, role(assembly, slide.outer), "tube", np.stack([start, mouth])),
            Stroke(slide.inner, role(assembly, slide.inner), "rod", np.stack([mouth, end])),
        ], mouth


def role(assembly: Assembly, body: str) -> Role:
    """What a body is in the machine."""
    robot = assembly.robot
    if body == robot.base:
        return "base"
    if body == robot.platform:
        return "platform"
    return "hub" if body in assembly.topology.hub.bodies else "link"


def moved(where: Places, body: str, points: np.ndarray) -> np.ndarray:
    """Points of a body in base axes."""
    T = where.bodies[body]
    return np.asarray(points @ T[:3, :3].T + T[:3, 3])
