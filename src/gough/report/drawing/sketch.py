"""Shapes fixed to bodies, decided once at home, and the scene they make in a posture.

Joints say where a body reaches; unless the description gives it shapes, nothing else of its form
is known.  A body between two joints is a bar, one with more is a plate or a tree of bars, a slide
is a telescope or a carriage on a rail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gough.mechanism.mobility.assembly import Assembly
from gough.report.drawing import shapes
from gough.report.drawing.anchors import Slide, around, centre_of, joint_points, slides
from gough.report.drawing.places import Places
from gough.report.drawing.plane import find_plane, upwards
from gough.report.drawing.scene import (
    Belt,
    Form,
    Mark,
    Plate,
    Role,
    Scene,
    Stroke,
    StrokeKind,
    Triad,
)
from gough.robot import Joint, Robot, Shape
from gough.robot.joint_kinds import KINDS
from gough.robot.names import joint_of

JOINT_RADIUS = 0.042
"""Radius of a joint, as a share of the robot's size."""

TUBE, TUBE_AT_MOST = 0.52, 0.9
"""Share of a telescope's length that the tube takes at home, and at most in any posture."""


class Sketch:
    """Shapes of every body, and joints on the body that holds them, in base axes at home.

    Args:
        assembly: the robot.
        home: where everything is at home.
        postures: for which rails are long enough.
        bare: whether bodies are drawn by their joints alone, whatever shapes they have.

    Attributes:
        strokes, plates: shapes.
        looks: shapes that the description gives to bodies; those are drawn with nothing else.
        marks: by joint, the body that holds the mark, and its position.
    """

    def __init__(
        self,
        assembly: Assembly,
        home: Places,
        postures: Sequence[Places],
        *,
        bare: bool = False,
    ) -> None:
        self.assembly, self.home, self.postures = assembly, home, [home, *postures]
        self.robot, self.length = assembly.robot, assembly.length
        self.centre = centre_of(assembly, home)
        self.points = joint_points(assembly, home, self.centre)
        self.slides = slides(assembly, home)
        self.unit, self.up = self._unit(), upwards(self.robot)
        self.looks = {} if bare else looks_of(self.robot)
        # what has shapes of its own is no drawing on paper
        self.plane = None if self.looks else find_plane(assembly, home)
        self.grounds = self._grounds()
        self.anchors: dict[str, list[np.ndarray]] = {b: [] for b in home.bodies}
        self.strokes: list[Stroke] = []
        self.plates: list[Plate] = []
        self.marks: dict[str, tuple[str, np.ndarray]] = {}
        for joint in self.robot.joints:
            self._anchor(joint)
        for slide in self.slides:
            self._add_slide(slide)
        self._add_faces()
        for body, anchors in self._welded().items():
            if body == self.robot.base:
                self._add_base(anchors)
            else:
                self._add_body(body, anchors)
        self.strokes = [each for each in self.strokes if each.body not in self.looks]
        self.plates = [each for each in self.plates if each.body not in self.looks]

    def at(self, where: Places) -> Scene:
        """The scene of a posture."""
        home = self.home
        strokes = [
            replace(s, points=where.moved_with(home, s.body, s.points)) for s in self.strokes
        ]
        plates = [
            replace(
                p,
                outline=where.moved_with(home, p.body, p.outline),
                normal=where.bodies[p.body][:3, :3] @ home.bodies[p.body][:3, :3].T @ p.normal,
            )
            for p in self.plates
        ]
        points = {name: where.moved_with(home, body, at) for name, (body, at) in self.marks.items()}
        for s in self.slides:
            if s.end is not None:
                start = where.moved_with(home, s.outer, s.start)
                way = where.moved_with(home, s.inner, s.end) - start
                tube = TUBE * float(np.linalg.norm(s.end - s.start))
                share = min(tube / max(float(np.linalg.norm(way)), 1e-300), TUBE_AT_MOST)
                mouth = points[s.joint.name] = start + share * way
                if s.outer not in self.looks:
                    strokes.append(self._stroke(s.outer, "tube", np.stack([start, mouth])))
                if s.inner not in self.looks:
                    strokes.append(self._stroke(s.inner, "rod", np.stack([mouth, start + way])))
        marks = [
            Mark(
                j.name,
                j.kind,
                points[j.name],
                where.parents[j.name][:3, 2],
                where.children[j.name][:3, 2],
                tuple(name in self.robot.motors for name in j.axis_names),
                self.grounds.get(j.name),
            )
            for j in self.robot.joints
        ]
        return Scene(
            tuple(strokes),
            tuple(plates),
            tuple(marks),
            (Triad("0", np.eye(4)), Triad("p", where.platform)),
            self.unit,
            self.length,
            self.up,
            self.plane,
            self._belts(points),
            self._forms(where),
        )

    def _forms(self, where: Places) -> tuple[Form, ...]:
        """Shapes that the description gives, where their bodies are."""
        return tuple(
            Form(body, self._role(body), shape, where.bodies[body] @ shape.frame.matrix)
            for body, looks in self.looks.items()
            for shape in looks
        )

    def _belts(self, points: Mapping[str, np.ndarray]) -> tuple[Belt, ...]:
        """Couplings, each as a line over its joints."""
        found = []
        for coupling in self.robot.couplings:
            joints = dict.fromkeys(map(joint_of, coupling.axes))
            found.append(Belt(coupling.name, np.array([points[name] for name in joints])))
        return tuple(found)

    def _anchor(self, joint: Joint) -> None:
        """Let a joint that does not slide hold its two bodies."""
        if joint.name in {s.joint.name for s in self.slides}:
            return
        point = self.points[joint.name]
        self.marks[joint.name] = (joint.child, point)
        self.anchors[joint.child].append(point)
        if not KINDS[joint.kind].has_face:
            self.anchors[joint.parent].append(point)

    def _welded(self) -> dict[str, list[np.ndarray]]:
        """Anchors of bodies, those of bodies fixed to each other together."""
        ranks: list[Role] = ["platform", "hub", "link", "base"]
        leads = {body: body for body in self.anchors}
        for joint in self.robot.joints:
            if joint.kind == "fixed" and self.robot.base not in (joint.parent, joint.child):
                pair = {leads[joint.parent], leads[joint.child]}
                lead = min(pair, key=lambda body: ranks.index(self._role(body)))
                leads = {body: lead if top in pair else top for body, top in leads.items()}
        found: dict[str, list[np.ndarray]] = {}
        for body, lead in leads.items():
            found.setdefault(lead, []).extend(self.anchors[body])
        return found

    def _add_slide(self, slide: Slide) -> None:
        if slide.end is not None:
            self.anchors[slide.outer].append(slide.start)
            self.anchors[slide.inner].append(slide.end)
            return
        joint, home = slide.joint, self.home
        self.marks[joint.name] = (slide.inner, slide.start)
        self.anchors[slide.inner].append(slide.start)
        zero, axis = home.parents[joint.name][:3, 3], home.parents[joint.name][:3, 2]
        met = []
        for at in self.postures:
            carriage = at.moved_with(home, slide.inner, slide.start)
            met.append(shapes.foot(home.moved_with(at, slide.outer, carriage), zero, axis))
        rail = zero + np.outer(self._travel(joint, met), axis)
        self._add_stroke(slide.outer, "rail", rail)
        if slide.outer != self.robot.base:
            self.anchors[slide.outer].append(rail.mean(axis=0))

    def _travel(self, joint: Joint, met: list[float]) -> tuple[float, float]:
        """Both ends of a rail, along the axis of the joint."""
        reach = (0.3 if joint.kind == "prismatic" else 0.15) * self.length
        low, high = min(met) - 0.5 * reach, max(met) + 0.5 * reach
        return min(low, met[0] - reach), max(high, met[0] + reach)

    def _add_faces(self) -> None:
        """Faces that joints slide on: one plate for all that slide on the same plane of a body."""
        groups: list[tuple[str, np.ndarray, list[np.ndarray]]] = []
        for joint in self.robot.joints:
            if not KINDS[joint.kind].has_face:
                continue
            T = self.home.parents[joint.name]
            normal, points = T[:3, 2], [T[:3, 3], self.points[joint.name]]
            for body, other, known in groups:
                same = abs(abs(normal @ other) - 1.0) < 1e-9
                if (
                    body == joint.parent
                    and same
                    and abs((points[0] - known[0]) @ other) < 1e-6 * self.length
                ):
                    known += points
                    break
            else:
                groups.append((joint.parent, normal, points))
        for body, normal, points in groups:
            corners = shapes.distinct(points, 1e-3 * self.length)
            if not shapes.is_line(corners, 1e-3 * self.length):
                corners = shapes.hull(corners, normal)
            self.plates.append(Plate(body, self._role(body), "face", corners, normal))
            if body != self.robot.base:
                self.anchors[body].append(points[0])

    def _add_body(self, body: str, anchors: list[np.ndarray]) -> None:
        kind = self._role(body)
        tolerance = 0.01 * self.length
        points = shapes.distinct(anchors, tolerance)
        if len(points) <= 1 and (kind == "platform" or len(around(self.robot)[body]) == 1):
            points = shapes.distinct([*points, self._loose_end(body)], tolerance)
        elif kind == "platform":
            self._add_tool(body, points)
        if self.centre is not None and (kind == "link" or len(points) < 3):
            self._add_arcs(body, points, self.centre)
        elif len(points) < 2:
            return
        elif shapes.is_line(points, tolerance):
            self._add_stroke(body, "bar", shapes.ends(points))
        else:
            self._add_wide(body, points, kind)

    def _add_wide(self, body: str, points: np.ndarray, kind: Role) -> None:
        """A body whose joints span a plane, or more."""
        extents, axes = shapes.spreads(points)
        flat = extents[2] < 0.3 * extents[1]
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
        if kind in ("platform", "hub"):
            wide = extents[1] > 0.12 * extents[0]
        else:  # three joints, two of them close together, are an arm with a crossbar
            wide = extents[1] > 0.4 * extents[0]
            wide &= len(points) > 3 or gaps[gaps > 0.0].min() > 0.75 * gaps.max()
        if flat and wide:
            outline = shapes.hull(points, axes[2]) + self._aside(points, axes[2])
            self.plates.append(Plate(body, kind, "hull", outline, axes[2]))
            return
        for bar in shapes.tree(points):
            self._add_stroke(body, "bar", bar)

    def _add_arcs(self, body: str, points: np.ndarray, centre: np.ndarray) -> None:
        """A body of a spherical robot: from its first joint around the centre to the others."""
        for point in points[1:]:
            self._add_stroke(body, "bar", shapes.arc(points[0], point, centre))

    def _add_tool(self, body: str, points: np.ndarray) -> None:
        """From the platform's joints to its frame, where this is far from them."""
        tip, middle = self.home.platform[:3, 3], points.mean(axis=0)
        if self.centre is not None or any(p.body == body for p in self.plates):
            return
        away = min(float(np.linalg.norm(tip - p)) for p in points)
        if not shapes.is_line(points, 0.01 * self.length):
            normal = shapes.spreads(points)[1][2]
            away = min(away, abs(float((tip - middle) @ normal)))
        else:
            away = min(away, shapes.off(tip, middle, shapes.spreads(points)[1][0]))
        if away > 0.08 * self.length:
            self._add_stroke(body, "bar", np.stack([middle, tip]))

    def _loose_end(self, body: str) -> np.ndarray:
        """Where a body with one joint ends: its frame if it is the platform, or its mass."""
        if body == self.robot.platform:
            return self.home.platform[:3, 3]
        center = np.array(self.robot.body(body).center)
        return self.home.moved(body, center)

    def _add_base(self, anchors: list[np.ndarray]) -> None:
        """A plate under base joints that lie in a plane; a planar robot would hide on it."""
        points = shapes.distinct(anchors, 0.01 * self.length)
        if self.plane is not None or self.centre is not None or len(points) < 3:
            return
        extents, axes = shapes.spreads(points)
        if extents[1] > 0.15 * extents[0] and extents[2] < 0.12 * extents[1]:
            # motors, which are larger than joints, find room on it
            outline = shapes.hull(points, axes[2]) + 1.35 * self._aside(points, axes[2])
            self.plates.append(Plate(self.robot.base, "base", "hull", outline, axes[2]))

    def _aside(self, points: np.ndarray, normal: np.ndarray) -> np.ndarray:
        """From the joints of a plate to its middle: it lies on them, away from the machine."""
        if self.plane is not None:
            return np.zeros(3)
        middle = np.mean(list(self.points.values()), axis=0)
        side = float((points.mean(axis=0) - middle) @ normal)
        away = np.sign(side) if abs(side) > 0.05 * self.length else 0.0
        return np.asarray(away * self.unit * normal)

    def _add_stroke(self, body: str, kind: StrokeKind, points: np.ndarray) -> None:
        if np.linalg.norm(points[-1] - points[0]) > 1e-3 * self.length:
            self.strokes.append(self._stroke(body, kind, points))

    def _stroke(self, body: str, kind: StrokeKind, points: np.ndarray) -> Stroke:
        return Stroke(body, self._role(body), kind, points)

    def _role(self, body: str) -> Role:
        """What a body is in the machine."""
        if body == self.robot.base:
            return "base"
        if body == self.robot.platform:
            return "platform"
        return "hub" if body in self.assembly.topology.hub.bodies else "link"

    def _unit(self) -> float:
        """Radius of a joint: smaller where joints are close to each other."""
        points = shapes.distinct(list(self.points.values()), 0.02 * self.length)
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
        gap = float(gaps[gaps > 0.0].min(initial=self.length))
        return float(
            np.clip(gap / 2.4, 0.45 * JOINT_RADIUS * self.length, JOINT_RADIUS * self.length)
        )

    def _grounds(self) -> dict[str, np.ndarray]:
        """From every base joint to what holds it.

        Down, or up where the machine hangs; outwards in a spherical robot.
        """
        base = self.robot.base
        held = [j.name for j in self.robot.joints if base in (j.parent, j.child)]
        if self.centre is not None:
            arms = {name: self.points[name] - self.centre for name in held}
            return {name: arm / np.linalg.norm(arm) for name, arm in arms.items()}
        middle = np.mean([*self.points.values(), self.home.platform[:3, 3]], axis=0)
        over = float((np.mean([self.points[name] for name in held], axis=0) - middle) @ self.up)
        return dict.fromkeys(held, self.up if over > 0.05 * self.length else -self.up)


def looks_of(robot: Robot) -> dict[str, tuple[Shape, ...]]:
    """Shapes by body, of those that have some; what bends is drawn by its joints."""
    found = {robot.base: robot.base_shapes}
    found |= {body.name: body.shapes for body in robot.bodies if not body.is_elastic}
    return {name: shapes for name, shapes in found.items() if shapes}
