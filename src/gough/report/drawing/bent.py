"""Scenes of machines that give way: every point of a body where its displacement takes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gough.elastic.system import System
from gough.report.drawing.scene import Form, Mark, Plate, Scene, Stroke, Triad

_PIECES = 16  # of a long part, so that it can bend

Displacement = Callable[[str, np.ndarray], np.ndarray]
"""Displacements ``(k, 3)`` of points ``(k, 3)`` of a body, base axes [m]."""


def displacement_of(system: System, x: np.ndarray) -> Displacement:
    """Displacements of points of bodies under coordinates of a machine."""

    def moved(body: str, points: np.ndarray) -> np.ndarray:
        if body not in system.models:
            return np.zeros_like(points)
        R, p = system.pose(body)
        return np.array([system.displacement(body, q)[:3] @ x for q in (points - p) @ R])

    return moved


def bent(scene: Scene, system: System, moved: Displacement) -> Scene:
    """A scene whose parts are displaced."""
    joints = {place.joint.name: place.joint for place in system.joints}

    def stroke(each: Stroke) -> Stroke:
        points = _fine(each.points) if each.body in system.models else each.points
        return replace(each, points=points + moved(each.body, points))

    def plate(each: Plate) -> Plate:
        return replace(each, outline=each.outline + moved(each.body, each.outline))

    def form(each: Form) -> Form:
        ends = each.pose[:3, 3] + np.concatenate([np.zeros((1, 3)), each.pose[:3, :3].T])
        ends = ends + moved(each.body, ends)
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = (ends[1:] - ends[0]).T, ends[0]
        return replace(each, pose=pose)

    def mark(each: Mark) -> Mark:
        child = joints[each.joint].child
        return replace(each, position=each.position + moved(child, each.position[None])[0])

    def triad(each: Triad) -> Triad:
        if each.name != "p":
            return each
        pose = each.pose.copy()
        pose[:3, 3] += moved(system.robot.platform, each.pose[None, :3, 3])[0]
        return replace(each, pose=pose)

    return replace(
        scene,
        strokes=tuple(map(stroke, scene.strokes)),
        plates=tuple(map(plate, scene.plates)),
        marks=tuple(map(mark, scene.marks)),
        forms=tuple(map(form, scene.forms)),
        triads=tuple(map(triad, scene.triads)),
    )


def largest(scene: Scene, moved: Displacement) -> float:
    """The largest displacement of what is drawn [m]."""
    sizes = [np.linalg.norm(moved(s.body, _fine(s.points)), axis=1).max() for s in scene.strokes]
    sizes += [np.linalg.norm(moved(p.body, p.outline), axis=1).max() for p in scene.plates]
    return float(max(sizes, default=0.0))


def _fine(points: np.ndarray) -> np.ndarray:
    """A straight line with points in between."""
    if len(points) != 2:
        return points
    share = np.linspace(0.0, 1.0, _PIECES + 1)[:, None]
    return np.asarray(points[0] + share * (points[1] - points[0]))
