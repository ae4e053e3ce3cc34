"""A rough guess of what bends, where nobody knows: links as aluminium tubes of their own mass.

It is an order of magnitude, good to find out whether links matter at all.  Transmissions and
bearings are not guessed: nothing in a rigid description tells how stiff they are.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from gough.elastic.bodies import beam_body
from gough.errors import DescriptionError
from gough.robot import Beam, Body, Material, Robot, Tube
from gough.robot.elastic import body_frames
from gough.robot.joint_kinds import KINDS

WALL = 0.1
"""Thickness of the walls of guessed tubes, as a share of their radius."""

SHARES = (1.0, 0.8, 0.6, 0.4, 0.2)
"""Shares of a link's mass that its tube may have; the rest is rigid: joints, screws, housings."""


def estimated(robot: Robot) -> Robot:
    """The robot with guessed beams on links that have no elastic data.

    Links are bodies between joints, other than the platform; those that slide stay rigid, for
    nobody says where they are guided.
    """
    return replace(robot, bodies=tuple(_guessed(robot, body) for body in robot.bodies))


def _guessed(robot: Robot, body: Body) -> Body:
    joints = [joint for joint in robot.joints if body.name in (joint.parent, joint.child)]
    slides = any(KINDS[joint.released.kind].is_bushing for joint in joints)
    if body.is_elastic or body.massless or body.name == robot.platform or slides:
        return body
    points = [np.array(frame.position) for frame in body_frames(body.name, robot.joints).values()]
    if len(points) < 2:
        return body
    a, b = max(combinations(points, 2), key=lambda pair: float(np.linalg.norm(pair[1] - pair[0])))
    length = float(np.linalg.norm(b - a))
    if length < 1e-3 * robot.length:
        return body
    material = Material.named("aluminium")
    for share in SHARES:
        area = share * body.mass / (material.density * length)
        radius = float(np.sqrt(area / (np.pi * (1.0 - (1.0 - WALL) ** 2))))
        if 3.0 * radius > length:
            continue  # no beam
        tube = Tube(radius, (1.0 - WALL) * radius)
        found = replace(body, beam=Beam(tube, material, (a.tolist(), b.tolist())))
        try:
            beam_body(found, [a, b], 1, 0, shear=True)
        except DescriptionError:  # its mass is not spread so far
            continue
        return found
    return body
