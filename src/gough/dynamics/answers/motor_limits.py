"""What motors can give on their shafts, and what their axes bear: one place for every verdict.

Analysis, reports, workspaces, controllers and the search for the fastest motion compare with these
figures: torque on the shaft, from :func:`gough.motor_side`, with the curve at that speed; its root
mean square, and what holds the robot at rest, with the continuous torque.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gough.base.english import listed
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Joint, Robot
from gough.robot.motor import Motor


class MotorLimits(NamedTuple):
    """Limits of all motors ``(m,)``, in the order of ``robot.motors``; infinite if not known.

    Attributes:
        motors: the data on the shafts; one of which nothing is known where none is described.
        peak: largest torque at any speed [N m; N for a linear motor].
        continuous: torque that a motor can give for ever.
        top_speed: of the shafts [rad/s; m/s for a linear motor].
        ratio: of the transmissions, never below 0; 1 without one.
        efficiency: of the transmissions.
        rotor: inertia of rotors reflected to the axes [kg m^2 or kg].
        effort: largest effort that the axis bears, from its limits [N m or N].
        speed: largest rate of the axis, from its limits [rad/s or m/s].
    """

    motors: tuple[Motor, ...]
    peak: np.ndarray
    continuous: np.ndarray
    top_speed: np.ndarray
    ratio: np.ndarray
    efficiency: np.ndarray
    rotor: np.ndarray
    effort: np.ndarray
    speed: np.ndarray

    def torque_at(self, speed: np.ndarray) -> np.ndarray:
        """Largest torques on the shafts at their speeds ``(..., m)`` [N m]."""
        found = np.empty(np.shape(speed))
        for i, motor in enumerate(self.motors):
            found[..., i] = motor.torque_at(speed[..., i])
        return found

    def at_rest(self, *, continuous: bool) -> np.ndarray:
        """Largest torques on the shafts at standstill ``(m,)`` [N m].

        Args:
            continuous: for ever, the peak where no continuous torque is known; otherwise for a
                short time.
        """
        peak = self.torque_at(np.zeros(len(self.motors)))
        return np.minimum(self.continuous, peak) if continuous else peak

    def axis_efforts(self, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest efforts at the axes that motors can give at rates ``(..., m)``.

        The curve at the speed of the shaft passes the gear: while the motor drives, and at rest,
        ``efficiency`` of it arrives.  While it brakes the losses help it, but not to stop its
        rotor, whose share nobody knows before efforts are chosen: the gain is counted for motors
        without a rotor only.  Above its top speed a motor drives no more, and brakes with what it
        has there.

        The torque on the shaft then passes the curve by ``(1 / efficiency - 1) * rotor * |qdd| /
        ratio`` at most, where the rotor is slowed while the motor drives, or sped up by the load;
        with a lossless gear or without a rotor by nothing.

        Args:
            qd: rates of the axes [rad/s or m/s].
        """
        qd = np.asarray(qd, dtype=float)
        speed = np.abs(self.ratio * qd)
        at_axis = self.ratio * self.torque_at(np.minimum(speed, self.top_speed))
        driving = np.where(speed > self.top_speed, 0.0, self.efficiency * at_axis)
        braking = at_axis / np.where(self.rotor > 0.0, 1.0, self.efficiency)
        high = np.minimum(self.effort, np.where(qd < 0.0, braking, driving))
        low = np.minimum(self.effort, np.where(qd > 0.0, braking, driving))
        return -low, high

    @property
    def axis_speed(self) -> np.ndarray:
        """Largest rates of the axes ``(m,)``, by their limits and by the motors' top speeds."""
        return np.asarray(np.minimum(self.speed, self.top_speed / self.ratio))


def without_rotors(robot: Robot) -> Robot:
    """The robot with rotors that have no inertia, for efforts in which they do not count."""
    return replace(robot, joints=tuple(_without_rotors(joint) for joint in robot.joints))


def _without_rotors(joint: Joint) -> Joint:
    axes = []
    for axis in joint.axes:
        gear, motor = axis.transmission, axis.motor
        axes.append(
            replace(
                axis,
                rotor_inertia=0.0,
                transmission=None if gear is None else replace(gear, motor_inertia=0.0),
                motor=None if motor is None else replace(motor, rotor_inertia=0.0),
            )
        )
    return replace(joint, axes=tuple(axes))


def motor_limits(robot: Robot) -> MotorLimits:
    """Limits of the motors of a robot, on their shafts and at their axes."""
    robot = assembled(robot).robot
    axes = [robot.axis(name) for name in robot.motors]
    motors = tuple(axis.motor or Motor() for axis in axes)
    gears = [axis.transmission for axis in axes]
    return MotorLimits(
        motors,
        _known(*(motor.largest for motor in motors)),
        _known(*(motor.continuous for motor in motors)),
        _known(*(motor.top_speed for motor in motors)),
        np.array([abs(axis.ratio) for axis in axes]),
        np.array([gear.efficiency if gear else 1.0 for gear in gears]),
        np.array([axis.reflected_inertia for axis in axes]),
        _known(*(axis.limits.effort for axis in axes)),
        _known(*(axis.limits.velocity for axis in axes)),
    )


def unjudged(robot: Robot) -> list[str]:
    """Sentences on motors that no verdict looks at, because only other motors have data.

    Empty if all motors have data, or none has.
    """
    robot = assembled(robot).robot
    limits = motor_limits(robot)
    data = np.isfinite([limits.peak, limits.continuous, limits.top_speed]).any(axis=0)
    if not data.any():
        return []
    bounded = np.isfinite([limits.effort, limits.speed]).any(axis=0)  # judged there at least
    found = []
    for which, one, many in (
        (~data & ~bounded, "it was not judged", "they were not judged"),
        (
            ~data & bounded,
            "it was judged by the limits of its axis only",
            "they were judged by the limits of their axes only",
        ),
    ):
        names = [robot.motors[i] for i in np.flatnonzero(which)]
        if len(names) == 1:
            found.append(f"{names[0]} has no motor data: {one}.")
        elif names:
            found.append(f"{listed(names)} have no motor data: {many}.")
    return found


def _known(*figures: float | None) -> np.ndarray:
    return np.array([math.inf if figure is None else figure for figure in figures])
