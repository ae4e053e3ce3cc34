"""Machines on machines: a robot put on a driven axis, and driven bodies put on a robot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.base.arguments import check_known, number
from gough.errors import DescriptionError, InputError, shown
from gough.robot import Body, Frame, Home, Joint, Robot
from gough.robot.joint_kinds import KINDS


def carried(robot: Robot, joint: Joint, body: Body, *, at: float = 0.0) -> Robot:
    """A robot on an axis that moves its base: on a turntable, a track, a lift.

    The frame of the body takes the place of the base's: what was fixed to the base is fixed to the
    body.  Several axes are put below each other by calls in a row, the uppermost first.

    Args:
        robot: the machine that is carried.
        joint: ``gough.Joint(name, kind, robot.base, body.name, ...)``, of one axis, which is
            driven.
        body: what the joint moves.
        at: coordinate of the joint at home [rad or m].

    Returns:
        The whole machine.  ``serial_axes`` of it are motors whose positions the platform's pose
        does not tell; a :class:`gough.State` says where it is, as an internal coordinate.
    """
    _check(robot, joint, body)
    at = number(at, "at")
    if (joint.parent, joint.child) != (robot.base, body.name):
        raise InputError(
            f"joint {joint.name!r} leads from {joint.parent!r} to {joint.child!r}, expected from "
            f"the base {robot.base!r} to the body {body.name!r}",
            argument="joint",
        )
    T_0b = joint.parent_frame.matrix @ KINDS[joint.kind].across(at, joint.pitch)
    T_0b = T_0b @ np.linalg.inv(joint.child_frame.matrix)

    def named(end: str) -> str:
        return body.name if end == robot.base else end

    joints = tuple(replace(j, parent=named(j.parent), child=named(j.child)) for j in robot.joints)
    home = {name: Frame.from_matrix(T_0b @ T.matrix) for name, T in robot.home.bodies.items()}
    return replace(
        robot,
        bodies=(replace(body, shapes=(*body.shapes, *robot.base_shapes)), *robot.bodies),
        joints=(joint, *joints),
        motors=(*joint.axis_names, *robot.motors),
        home=Home(home, {**robot.home.joints, joint.axis_names[0]: at}),
        base_shapes=(),
    )


def holding(robot: Robot, joint: Joint, body: Body, *, at: float = 0.0) -> Robot:
    """A robot with a driven body on one of its own: a gripper's finger, a spindle, an antenna.

    Args:
        robot: the machine that holds it.
        joint: ``gough.Joint(name, kind, HOLDER, body.name, ...)``, of one axis, which is driven;
            its parent is a body of the robot.
        body: what the joint moves.
        at: coordinate of the joint at home [rad or m].

    Returns:
        The whole machine, with one more motor, the last one.
    """
    _check(robot, joint, body)
    at = number(at, "at")
    check_known(joint.parent, [b.name for b in robot.bodies], "joint: no body", "joint")
    if joint.child != body.name:
        raise InputError(
            f"joint {joint.name!r} leads to {joint.child!r}, expected to the body {body.name!r}",
            argument="joint",
        )
    return replace(
        robot,
        bodies=(*robot.bodies, body),
        joints=(*robot.joints, joint),
        motors=(*robot.motors, *joint.axis_names),
        home=Home(robot.home.bodies, {**robot.home.joints, joint.axis_names[0]: at}),
    )


def _check(robot: Any, joint: Any, body: Any) -> None:
    for given, kind, name in (
        (robot, Robot, "robot"),
        (joint, Joint, "joint"),
        (body, Body, "body"),
    ):
        if not isinstance(given, kind):
            raise InputError(
                f"{name} is {shown(given)}, expected gough.{kind.__name__}", argument=name
            )
    if joint.kind not in ("revolute", "prismatic", "helical"):
        raise DescriptionError(
            f"joint {joint.name!r} is {joint.kind}, expected revolute, prismatic or helical",
            path=f"joints.{joint.name}.kind",
            hint="Put joints with several axes together from such ones.",
        )
