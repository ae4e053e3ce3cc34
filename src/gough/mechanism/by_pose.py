"""Machines whose pose tells where everything is: those whose platform feels every motor."""

from __future__ import annotations

import numpy as np

from gough.base.english import quoted
from gough.errors import FrozenFreedom
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.serial import serial_parts
from gough.robot import Robot
from gough.robot.names import joint_of


def check_pose_tells_all(assembly: Assembly) -> None:
    """Refuse a machine with motors that the platform does not feel, if nothing says how they move.

    Serial axes may be given beside the pose; other such motors, as those of an open chain beyond
    its platform, have no state in any model.  Frozen, they would have a rate of zero whatever the
    motion, and a position that is home's.

    Raises:
        FrozenFreedom: names them, and what to do.
    """
    if not assembly.idle or not assembly.idle_motors:
        return
    robot, parts = assembly.robot, serial_parts(assembly)
    if parts is None:
        motors = assembly.idle_motors
        moved = dict.fromkeys(name for each in assembly.idle for name in each.bodies)
        joints = tuple(dict.fromkeys(map(joint_of, motors)))
        raise FrozenFreedom(
            f"{robot.name}: {'motor' if len(motors) == 1 else 'motors'} {quoted(motors)} can move "
            "while the platform is held still, and its pose does not tell how",
            hint="A freedom needs a state of its own for that, which models here do not have: hold "
            f"{quoted(joints, 'or')} where it is, lock= of gough.load or 'locked' of the robot, or "
            "name another platform.",
            joints=joints,
            bodies=tuple(moved),
            effect=np.inf,
        )
    raise FrozenFreedom(
        f"{robot.name} has serial axes below or above its loops, {quoted(parts.axes)}: with the "
        "platform held they can move, and its pose does not tell how they do",
        hint="inverse_kinematics, motor_rates, motor_accelerations, inverse_dynamics, "
        "forward_dynamics, posture and audit take it in the state, internal={name: position} of "
        "gough.State.  Others take the "
        "parallel robot, gough.serial_core(robot), or the machine with these motors held: "
        f"lock={list(parts.axes)} of gough.load, --lock of gough convert, 'locked' of the robot.",
        joints=tuple(joint_of(name) for name in parts.axes),
        bodies=tuple(body.name for body in robot.bodies),
        effect=np.inf,
    )


def assembled_by_pose(robot: Robot) -> Assembly:
    """The robot assembled, for what follows from a pose alone; refused with other motors."""
    assembly = assembled(robot)
    check_pose_tells_all(assembly)
    return assembly
