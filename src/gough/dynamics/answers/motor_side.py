"""Efforts and rates on the motor's side of its transmission, as data sheets state them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import switch
from gough.base.batch import as_array, leading_axes
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot


class MotorSide(NamedTuple):
    """Motors behind their gears and screws, ``(..., n)`` each, in the order of ``robot.motors``.

    Attributes:
        torque: of the motor [N m; N for a sliding axis without transmission].
        speed: of its shaft [rad/s; m/s for a sliding axis without transmission].
        power: torque times speed [W], negative where the robot drives the motor.
    """

    torque: Any
    speed: Any
    power: Any


def motor_side(robot: Robot, tau: Any, qd: Any, qdd: Any, *, rotors: bool = True) -> MotorSide:
    """Efforts of joint axes as torques of the motors that drive them.

    Rotors are accelerated on the motor's own shaft; the rest passes the transmission, which keeps
    ``1 - efficiency`` of the power in the direction it flows.  At rest nothing is lost.  Samples
    that are not numbers stay so.

    Args:
        robot: the machine.
        tau: efforts of the axes ``(..., n)`` [N or N m], from :func:`gough.inverse_dynamics`.
        qd: rates of the axes ``(..., n)`` [rad/s or m/s], from :func:`gough.motor_rates`.
        qdd: their accelerations ``(..., n)``, from :func:`gough.motor_accelerations`.
        rotors: whether rotors count, as in the :class:`gough.Loads` that gave the efforts.

    Returns:
        A :class:`MotorSide`: torque, speed and power of every motor.
    """
    robot = assembled(robot).robot
    axes = [robot.axis(name) for name in robot.motors]
    gears = [axis.transmission for axis in axes]
    ratio = np.array([gear.ratio if gear else 1.0 for gear in gears])
    efficiency = np.array([gear.efficiency if gear else 1.0 for gear in gears])
    rotor = np.array([axis.reflected_inertia for axis in axes]) * switch(rotors, "rotors")
    n = len(axes)
    tau, qd, qdd = (as_array(x, (n,), name) for name, x in (("tau", tau), ("qd", qd), ("qdd", qdd)))
    leading_axes({"tau": (tau, 1), "qd": (qd, 1), "qdd": (qdd, 1)})
    own = rotor * qdd
    passed = tau - own
    torque = (passed * efficiency ** -np.sign(passed * qd) + own) / ratio
    speed = np.broadcast_to(ratio * qd, torque.shape)
    return MotorSide(torque, speed, torque * speed)
