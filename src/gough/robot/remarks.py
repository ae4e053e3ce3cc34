"""What is accepted but looks like a mistake: degrees, millimetres, grams, kg mm^2, rpm, N/mm."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from gough.robot.body import Body
from gough.robot.elastic_slips import elastic_slips
from gough.robot.finding import Finding
from gough.robot.joint import Axis
from gough.robot.joint_kinds import BALL, KINDS, SLIDE, TURN
from gough.robot.names import joint_of
from gough.robot.robot import Robot
from gough.robot.slips import slip

# Figures of real machines lie within these; a slip of a unit (degrees, mm, g) passes them.
LARGEST_ANGLE = 4.0 * math.pi  # [rad]
LARGEST_LENGTH = 50.0  # [m]
LARGEST_SPEED = 2000.0  # of a motor's shaft [rad/s]: 19 000 rpm
LARGEST_MASS = 1e5  # [kg]
GRAVITY = (1.0, 30.0)  # [m/s^2]: from the Moon to Jupiter
DENSEST = 25_000.0
"""More than osmium [kg/m^3]."""

_MOST_ALIKE = 3

# A body's mass lies within its size, or a few times that if only its joints are known; below the
# smallest radius of gyration a rotor about its own axis is likelier than a wrong unit.
_STRETCH = 10.0
_SMALLEST_GYRATION = 0.1

# Joints nearer than this [m] meet in one point, which says nothing about the size of a body.
_POINT = 1e-9

# A body with joints close together may still be a block of this size [m].
_SMALLEST_BLOCK = 0.2


def remarks(robot: Robot) -> tuple[str, ...]:
    """Sentences about likely slips of unit, each with the path of its entry."""
    return tuple(finding.sentence for finding in unit_findings(robot))


def unit_findings(robot: Robot) -> tuple[Finding, ...]:
    """Likely slips of unit, by inspection of the description alone; nothing is assembled."""
    found = (_gravity, _lengths, _bodies, _angles, _speeds, elastic_slips)
    return tuple(finding for look in found for finding in look(robot))


def _gravity(robot: Robot) -> Iterator[Finding]:
    g = math.hypot(*robot.gravity)
    if g != 0.0 and not GRAVITY[0] <= g <= GRAVITY[1]:
        yield slip("gravity", g, f"its magnitude is {g:g} m/s^2", "is that in m/s^2")


def _lengths(robot: Robot) -> Iterator[Finding]:
    places = {"platform.frame.position": robot.platform_frame.position}
    places |= {f"bodies.{b.name}.center": b.center for b in robot.bodies}
    for joint in robot.joints:
        places[f"joints.{joint.name}.parent_frame.position"] = joint.parent_frame.position
        places[f"joints.{joint.name}.child_frame.position"] = joint.child_frame.position
    places |= {f"home.bodies.{n}.position": at.position for n, at in robot.home.bodies.items()}
    for _, path, _, axis in _axes(robot, SLIDE):
        places[f"{path}.limits.position"] = (*(axis.limits.position or (0.0, 0.0)), 0.0)
        places[f"{path}.spring.rest"] = (axis.spring.rest if axis.spring else 0.0, 0.0, 0.0)
    far = {path: math.hypot(*p) for path, p in places.items() if math.hypot(*p) > LARGEST_LENGTH}
    if len(far) > _MOST_ALIKE:
        path = max(far, key=lambda p: far[p])
        yield slip(
            f"{path} and {len(far) - 1} more",
            far[path],
            f"{far[path]:g} m from the origin",
            "millimetres",
        )
        return
    for path, length in far.items():
        yield slip(path, length, f"{length:g} m from the origin", "millimetres")


def _bodies(robot: Robot) -> Iterator[Finding]:
    for body in robot.bodies:
        size, gyration = _size(robot, body), _gyration(body)
        density = body.mass / min(max(size, 2.0 * gyration, _SMALLEST_BLOCK), 1e99) ** 3
        path = f"bodies.{body.name}.mass"
        if body.mass > LARGEST_MASS:
            yield slip(path, body.mass, f"{body.mass:g} kg", "grams", bodies=(body.name,))
        elif density > DENSEST:
            text = f"{body.mass:g} kg, denser than any metal if it is as large as its joints show"
            yield slip(path, body.mass, text, "grams", bodies=(body.name,))
        if size > _POINT and gyration > max(_STRETCH * size, _SMALLEST_GYRATION):
            text = (
                f"its radius of gyration is {gyration:g} m on a body whose points lie within "
                f"{size:g} m"
            )
            path = f"bodies.{body.name}.inertia"
            yield slip(path, gyration, text, "kg mm^2", bodies=(body.name,))


def _gyration(body: Body) -> float:
    if body.massless:
        return 0.0
    return math.sqrt(max(np.linalg.eigvalsh(np.array(body.inertia))[-1], 0.0) / body.mass)


def _size(robot: Robot, body: Body) -> float:
    """Largest distance between the points known of a body: its centre, joints and pose frame."""
    points = [body.center]
    for joint in robot.joints:
        points += [joint.parent_frame.position] * (joint.parent == body.name)
        points += [joint.child_frame.position] * (joint.child == body.name)
    points += [robot.platform_frame.position] * (robot.platform == body.name)
    return max(math.dist(a, b) for a in points for b in points)


def _angles(robot: Robot) -> Iterator[Finding]:
    turning: set[str] = set()
    for name, path, joint, axis in _axes(robot, TURN, BALL):
        turning.add(name)
        angles = {
            "limits.position": max(map(abs, axis.limits.position or (0.0,))),
            "spring.rest": abs(axis.spring.rest) if axis.spring else 0.0,
        }
        for key, angle in angles.items():
            if angle > LARGEST_ANGLE:
                yield slip(f"{path}.{key}", angle, f"{angle:g} rad", "degrees", joints=(joint,))
    for name, angle in robot.home.joints.items():
        if name in turning and abs(angle) > LARGEST_ANGLE:
            path = f"home.joints.{name}"
            yield slip(path, angle, f"{angle:g} rad", "degrees", joints=(joint_of(name),))


def _speeds(robot: Robot) -> Iterator[Finding]:
    # a linear motor, on a slide without a transmission, has no shaft that turns
    geared = (each for each in _axes(robot, SLIDE) if each[-1].transmission is not None)
    for _, path, joint, axis in (*_axes(robot, TURN), *geared):
        speed = (axis.motor.top_speed if axis.motor else None) or 0.0
        if axis.motor is not None and speed > LARGEST_SPEED:
            key = "curve" if axis.motor.curve else "speed"
            text = f"the shaft turns with {speed:g} rad/s"
            yield slip(f"{path}.motor.{key}", speed, text, "rpm", joints=(joint,))


def _axes(robot: Robot, *kinds: str) -> Iterator[tuple[str, str, str, Axis]]:
    """Axes that turn, slide, ...: name, path in a file, joint, and what is known of it."""
    for joint in robot.joints:
        axes = KINDS[joint.kind].axes
        for (short, what), name, axis in zip(
            axes.items(), joint.axis_names, joint.axes, strict=True
        ):
            if what in kinds:
                inner = f".axes.{short}" if len(axes) > 1 else ""
                yield name, f"joints.{joint.name}{inner}", joint.name, axis
