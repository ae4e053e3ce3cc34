"""Machines whose pose tells where everything is: those without serial axes."""

from __future__ import annotations

import numpy as np

from gough.base.english import quoted
from gough.errors import FrozenFreedom
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.serial import serial_parts
from gough.robot import Robot
from gough.robot.names import joint_of


def check_pose_tells_all(assembly: Assembly) -> None:
    """Refuse a machine with serial axes where nothing says how they move.

    Raises:
        FrozenFreedom: names them, and what to do.
    """
    parts = serial_parts(assembly) if assembly.idle else None
    if parts is None:
        return
    robot = assembly.robot
    raise FrozenFreedom(
        f"{robot.name} has serial axes below or above its loops, {quoted(parts.axes)}: with the "
        "platform held they can move, and its pose does not tell how they do",
        hint="Functions of states take it: serial=gough.SerialAxes(q, qd, qdd).  Others take the "
        "parallel robot, gough.serial_core(robot), or the machine with these motors held: "
        f"lock={list(parts.axes)} of gough.load, --lock of gough convert, 'locked' of the robot.",
        joints=tuple(joint_of(name) for name in parts.axes),
        bodies=tuple(body.name for body in robot.bodies),
        effect=np.inf,
    )


def assembled_by_pose(robot: Robot) -> Assembly:
    """The robot assembled, for what follows from a pose alone; refused with serial axes."""
    assembly = assembled(robot)
    check_pose_tells_all(assembly)
    return assembly
