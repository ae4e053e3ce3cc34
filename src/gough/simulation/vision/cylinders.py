"""What a camera can see of a robot: its elements as cylinders, from joint to joint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known, number
from gough.base.once import known_of
from gough.dynamics.elements.camera import seen_elements
from gough.dynamics.elements.decomposition import Decomposition, element_parts
from gough.geometry.inverse import posed
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.states.state import one_pose

_THICKNESS = 0.01  # radius of a leg whose radius is not given, by the robot's length
_NO_LENGTH = 1e-9  # by the robot's length: joints that coincide are apart by rounding only

Radius = float | Mapping[str, float] | None


class Cylinder(NamedTuple):
    """A straight round part of a leg, base axes.

    Attributes:
        name: the element.
        start: where its axis begins [m].
        x: its unit direction.
        length: of the axis [m].
        radius: [m].
    """

    name: str
    start: np.ndarray
    x: np.ndarray
    length: float
    radius: float


def radii(assembly: Assembly, radius: Any) -> dict[str, float]:
    """The radius of every element that turns, by name [m]."""
    names = [e.name for e in element_parts(assembly).elements.values() if not e.fixed]
    usual = _THICKNESS * assembly.length
    if radius is None:
        return dict.fromkeys(names, usual)
    if not isinstance(radius, Mapping):
        return dict.fromkeys(names, number(radius, "radius", positive=True))
    for name in radius:
        check_known(name, names, "radius has an unknown element", "radius")
    return {n: number(radius.get(n, usual), f"radius[{n!r}]", positive=True) for n in names}


def cylinders(robot: Robot, state: Any, radius: Radius = None) -> tuple[Cylinder, ...]:
    """The elements of the legs that turn, as cylinders: all that hide each other.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        radius: of all of them, or by the names of :func:`gough.elements` [m]; a hundredth of the
            robot's length if not given.

    Returns:
        Each from its first joint to the last one along its direction.
    """
    assembly = assembled(robot)
    return shown_at(
        assembly,
        posed(assembly, np.asarray(one_pose(state, robot), dtype=float)),
        radii(assembly, radius),
    )


def shown_at(
    assembly: Assembly, at: Equations, radius: Mapping[str, float]
) -> tuple[Cylinder, ...]:
    """The cylinders of a state that is closed."""
    parts = element_parts(assembly)
    found = []
    for name, first in _first_joints(assembly).items():
        element = parts.elements[name]
        x = at.body_poses[name].R @ element.x
        points = _joint_points(parts, at, element.bodies)
        start = points.pop(first)
        ends = [float((p - start) @ x) for p in points.values()]
        reach = max(ends, key=abs, default=0.0)
        if reach < 0.0:
            start, reach = start + reach * x, -reach
        if reach > _NO_LENGTH * assembly.length:
            found.append(Cylinder(name, start, x, reach, radius[name]))
    return tuple(found)


@known_of(Assembly)
def visible_elements(assembly: Assembly) -> tuple[str, ...]:
    """Elements that turn, one for all that always point the same way, and that can be seen to.

    Joints of a universal joint's cross are all in one place: it is in no image.
    """
    home = assembly.equations(*assembly.start)
    there = {leg.name for leg in shown_at(assembly, home, radii(assembly, None))}
    return tuple(name for name in seen_elements(assembly) if name in there)


@known_of(Assembly)
def _first_joints(assembly: Assembly) -> dict[str, tuple[str, str]]:
    """Elements of legs that turn, with the joint and body at which each hangs on what is before."""
    parts = element_parts(assembly)
    found: dict[str, tuple[str, str]] = {}
    for branch in parts.branches:
        for way in (*branch.own, *(branch.hub if parts.is_bar(branch) else ())):
            name = parts.element_of[way.body]
            if not parts.elements[name].fixed:
                found.setdefault(name, (way.joint.name, way.body))
    return found


def _joint_points(
    parts: Decomposition, at: Equations, bodies: tuple[str, ...]
) -> dict[tuple[str, str], np.ndarray]:
    """Where joints are on the bodies of an element, base axes."""
    found = {}
    for joint in parts.robot.joints:
        for body, frame in ((joint.parent, joint.parent_frame), (joint.child, joint.child_frame)):
            if body in bodies:
                pose = at.body_poses[body]
                found[joint.name, body] = np.asarray(pose.R @ np.array(frame.position) + pose.p)
    return found
