"""How much a law must be slowed until its motors keep cool: root mean squares on the shafts.

A law slowed by a factor ``f`` keeps gravity, springs and Coulomb friction, and has ``1/f`` of the
viscous friction and ``1/f^2`` of the rest.  More time is not always cooler: a robot that hangs on
its motors longer heats them longer.  The least factor is taken, found by looking from 1 upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gough.dynamics.answers.motor_side import motor_side
from gough.robot import Robot
from gough.timing.limits import Limits
from gough.timing.rows import Rows

_FACTORS = np.geomspace(1.0, 1e3, 240)  # that are looked at; beyond, only holding is left
_HALVINGS = 40
_KEPT = 1.0 + 1e-9  # use of a limit that is kept but for rounding


@dataclass(frozen=True, eq=False)
class Run:
    """What motors and platform do along a stretch.

    Attributes:
        rows: coefficients at places ``(...)``.
        x, u: squared rate and acceleration of the clock there.
        seconds: weights of the places in integrals over time [s].
    """

    rows: Rows
    x: np.ndarray
    u: np.ndarray
    seconds: np.ndarray

    def torque(self, robot: Robot, factor: float) -> np.ndarray:
        """Torques on the shafts, the clock slowed by a factor ``(..., m)``."""
        x, u = self.x / factor**2, self.u / factor**2
        rows = self.rows
        return np.asarray(motor_side(robot, rows.tau(x, u), rows.qd(x), rows.qdd(x, u)).torque)


@dataclass(frozen=True, eq=False)
class Stay:
    """A rest in the cycle: how long [s], and the torques that hold the robot there ``(m,)``."""

    seconds: float
    torque: np.ndarray


@dataclass(frozen=True, eq=False)
class Heating:
    """What motors bear in a cycle.

    Attributes:
        robot: the machine.
        runs: stretches in motion.
        stays: rests between them, which last as long however slow the rest is.
    """

    robot: Robot
    runs: Sequence[Run]
    stays: Sequence[Stay]

    def rms(self, factor: float) -> np.ndarray:
        """Root mean squares of the shafts' torques over the cycle ``(m,)``."""
        time, square = 0.0, np.zeros(len(self.robot.motors))
        for run in self.runs:
            weights = factor * run.seconds
            torque = run.torque(self.robot, factor)
            square = square + (weights[..., None] * torque**2).reshape(-1, len(square)).sum(axis=0)
            time += float(weights.sum())
        for stay in self.stays:
            square, time = square + stay.seconds * stay.torque**2, time + stay.seconds
        return np.asarray(np.sqrt(square / time))

    def least(self, limits: Limits) -> float | None:
        """The least factor at which no motor is too hot; ``None`` if there is none.

        A law that is carried by its own speed may pass other limits when it is slowed; it is not
        slowed to such a pace.
        """

        def cool(factor: float) -> bool:
            if not (self.rms(factor) <= limits.motors.continuous).all():
                return False
            return factor == 1.0 or all(
                limits.shares(run.rows, run.x / factor**2, run.u / factor**2).max() <= _KEPT
                for run in self.runs
            )

        last = 1.0
        for factor in _FACTORS:
            if cool(factor):
                break
            last = float(factor)
        else:
            return None
        low, high = last, float(factor)
        for _ in range(_HALVINGS if high > 1.0 else 0):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if cool(middle) else (middle, high)
        return high
