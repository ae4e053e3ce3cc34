"""Robots of one geometry share mobility and closed forms, whatever their masses.

Mobility and closed form of a machine take longer to find than most answers, and do not depend on
masses, friction, springs, data of motors and gravity.  So a robot takes them from any other robot
of the same geometry that is alive; what is shared is freed with the last of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from typing import Any
from weakref import WeakValueDictionary

from gough.mechanism.mobility.assembly import Assembly, assemble
from gough.mechanism.mobility.home import rough_poses
from gough.mechanism.mobility.ideal import ideal
from gough.mechanism.mobility.scales import characteristic_length
from gough.mechanism.topology.topology import find_topology
from gough.robot import Robot


class _Shared(dict[str, Any]):
    """What is found once for all robots of a geometry; a plain dictionary cannot be held weakly."""


_KNOWN: WeakValueDictionary[Hashable, _Shared] = WeakValueDictionary()


def assembly_of(robot: Robot) -> Assembly:
    """A robot assembled; what its geometry decides is taken from a twin, if there is one.

    Of a description with a precision, the exact machine that it stands for is assembled.
    """
    if robot.precision and ideal(robot).robot is not robot:
        return ideal(robot).robot.assembly
    geometry = _geometry(robot)
    shared = _KNOWN.get(geometry)
    if shared is None:
        found, shared = assemble(robot), _Shared()
        names = [each.name for each in fields(found) if each.name != "robot"]
        shared["figures"] = {name: getattr(found, name) for name in names}
        _KNOWN[geometry] = shared
    else:
        figures = shared["figures"]
        # trees belong to one robot: what its links weigh is kept with them
        locked, angles = figures["topology"].locked, figures["home_values"]
        topology = find_topology(robot, locked=locked, angles=angles)
        found = Assembly(robot=robot, **(figures | {"topology": topology}))
    vars(found)["_shared"] = shared
    return found


def _geometry(robot: Robot) -> Hashable:
    """All of a description that mobility depends on; centres of mass have a part in the length."""
    joints = tuple(
        (j.name, j.kind, j.parent, j.child, j.parent_frame, j.child_frame, j.pitch, j.idle)
        for j in robot.joints
    )
    return (
        joints,
        tuple(body.name for body in robot.bodies),
        (robot.base, robot.platform, robot.platform_frame, robot.motors, robot.home),
        robot.couplings,
        characteristic_length(robot, rough_poses(robot)),
    )
