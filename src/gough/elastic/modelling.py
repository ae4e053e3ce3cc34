"""Models of all bodies of a robot, made once, or in each posture where beams slide in guides."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gough.base.once import find_fact
from gough.elastic.bodies import BodyModel, beam_body, matrix_body, rigid_body
from gough.elastic.joints import JointPlace
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.robot.body_stiffness import PLATFORM
from gough.robot.elastic import body_frames

_FEWEST = 4  # modes of a beam
_TOGETHER = 24
"""Modes of all beams at least: eight vibrations of a single beam are then right to 1e-3."""


class Options(NamedTuple):
    """What of the machine counts, and how finely.

    Attributes:
        shear: shear and rotary inertia of beams.
        elements: elements between neighbouring nodes of a beam; reduced if None.
        modes: modes of a beam that is reduced; enough of them if None.
        rotors: inertia of rotors.
    """

    shear: bool = True
    elements: int | None = None
    modes: int | None = None
    rotors: bool = True


def body_models(
    assembly: Assembly, joints: list[JointPlace], options: Options
) -> dict[str, BodyModel]:
    """Models of all bodies; beams have nodes where joints and the platform's frame sit on them.

    They are the same in all postures, unless a beam slides through a guide.
    """
    robot = assembly.robot
    bending = {body.name for body in robot.bodies if body.beam is not None}
    slides = any(
        place.joint.guide and {place.joint.parent, place.joint.child} & bending for place in joints
    )
    if slides:
        return _body_models(robot, joints, options)
    key = (_body_models, tuple(options))
    return find_fact(assembly, key, lambda _: _body_models(robot, joints, options))


def _body_models(robot: Robot, joints: list[JointPlace], options: Options) -> dict[str, BodyModel]:
    points: dict[str, list[np.ndarray]] = {body.name: [] for body in robot.bodies}
    for place in joints:
        for end, point in (
            (place.joint.parent, place.on_parent),
            (place.joint.child, place.on_child),
        ):
            if end in points:
                points[end].append(point)
    points[robot.platform].append(np.array(robot.platform_frame.position))
    beams = sum(body.beam is not None for body in robot.bodies)
    modes = options.modes
    if modes is None:
        modes = max(_FEWEST, math.ceil(_TOGETHER / max(beams, 1)))
    found = {}
    for body in robot.bodies:
        if body.beam is not None:
            own = points[body.name]
            found[body.name] = beam_body(body, own, options.elements, modes, shear=options.shear)
        elif body.stiffness is not None:
            frames = body_frames(body.name, robot.joints)
            if body.name == robot.platform:
                frames[PLATFORM] = robot.platform_frame
            places = np.array([frames[name].position for name in body.stiffness.frames])
            found[body.name] = matrix_body(body, places)
        else:
            found[body.name] = rigid_body(body)
    return found
