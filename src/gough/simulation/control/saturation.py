"""Efforts that motors do not give, whatever a controller asks for."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.answers.motor_limits import MotorLimits, motor_limits
from gough.errors import InputError, shown
from gough.robot import Robot
from gough.simulation.control.arguments import each


class Saturation:
    """Bounds of the efforts of a controller, constant or by the data of the motors.

    By the data, a motor gives on its shaft at most what its curve has at the speed that it really
    runs at, whatever encoders say, and the gear takes its losses in the direction of the power.
    Above its top speed a motor drives no more, and brakes with what it has there.

    The rotor's share of the torque does not pass the gear, and is not known before efforts are
    chosen.  A motor therefore gets no help from the losses while it brakes, and torque on its shaft
    may pass the curve by ``(1 / efficiency - 1) * rotor * |qdd| / ratio``, where the rotor is
    slowed while the motor drives or the load speeds it up.  With a lossless gear, or without a
    rotor, it does not.  A sampled controller holds its efforts for a period: what the speed changes
    in that time comes on top.

    Args:
        robot: the model.
        saturation: ``"limits"``: effort limits of axes and data of motors; largest efforts ``(m,)``
            or one number [N m or N]; ``None``: no bounds.
    """

    def __init__(self, robot: Robot, saturation: Any) -> None:
        self._limits: MotorLimits | None = None
        self._largest: np.ndarray | None = None
        if isinstance(saturation, str):
            if saturation != "limits":
                raise InputError(
                    f"saturation is {shown(saturation)}, expected 'limits' or numbers",
                    argument="saturation",
                )
            found = motor_limits(robot)
            self._largest = found.effort
            if np.isfinite([*found.peak, *found.top_speed]).any():
                self._limits = found
        elif saturation is not None:
            self._largest = each("saturation", saturation, len(robot.motors))

    @property
    def by_motors(self) -> bool:
        """Whether data of motors bound the efforts, at the speed that they run at."""
        return self._limits is not None

    @property
    def largest(self) -> np.ndarray | None:
        """Constant bounds ``(m,)`` [N m or N], infinite where there is none, or ``None``."""
        return self._largest

    def limited(self, tau: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Efforts that are given, of those that are asked for.

        Args:
            tau: efforts of N machines at the axes ``(N, m)`` [N m or N].
            qd: rates of the axes ``(N, m)`` [rad/s or m/s].
        """
        if self._limits is not None:
            return np.asarray(np.clip(tau, *self._limits.axis_efforts(qd)))
        return tau if self._largest is None else np.clip(tau, -self._largest, self._largest)
