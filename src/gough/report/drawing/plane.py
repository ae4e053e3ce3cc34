"""Planar robots: found by their joints, in whatever plane they lie."""

from __future__ import annotations

import numpy as np

from gough.mechanism.mobility.assembly import Assembly
from gough.report.drawing.places import Places
from gough.report.drawing.scene import Plane
from gough.robot import Robot

# Joints further apart across the plane than this share of the robot's size need a view in space.
_FLAT = 0.25
_PARALLEL = 1e-6


def find_plane(assembly: Assembly, home: Places) -> Plane | None:
    """The plane of a robot whose turns are all across one plane and whose slides lie in it."""
    robot = assembly.robot
    if any(j.kind not in ("revolute", "prismatic", "planar", "fixed") for j in robot.joints):
        return None
    turning = ("revolute", "planar")
    turns = [home.parents[j.name][:3, 2] for j in robot.joints if j.kind in turning]
    ways = [home.parents[j.name][:3, 2] for j in robot.joints if j.kind == "prismatic"]
    if not turns:
        return None
    normal = turns[0]
    if any(np.linalg.norm(np.cross(normal, turn)) > _PARALLEL for turn in turns):
        return None
    if any(abs(normal @ way) > _PARALLEL for way in ways):
        return None
    points = np.array([home.parents[j.name][:3, 3] for j in robot.joints])
    if np.ptp(points @ normal) > _FLAT * assembly.length:
        return None
    return Plane(points.mean(axis=0), _axes(robot, normal))


def upwards(robot: Robot) -> np.ndarray:
    """The direction against gravity; base z without gravity."""
    pull = np.array(robot.gravity)
    size = float(np.linalg.norm(pull))
    return -pull / size if size > 0.0 else np.array([0.0, 0.0, 1.0])


def _axes(robot: Robot, normal: np.ndarray) -> np.ndarray:
    """To the right and up: against gravity if it acts in the plane, else along base y or z."""
    for up in (upwards(robot), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])):
        inside = up - (up @ normal) * normal
        if np.linalg.norm(inside) > 0.3:
            break
    up = inside / np.linalg.norm(inside)
    right = np.cross(up, normal)
    # seen from the side from which the leading base axis runs to the right
    right = right * np.sign(right[int(np.argmax(np.abs(right)))])
    return np.stack([right, up])
