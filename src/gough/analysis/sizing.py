"""Ratings of every motor as on data sheets: peak, root mean square and continuous figures.

The *continuous* point of a motor is its effort as root mean square over the cycle, at the mean
magnitude of its speed: copper losses go with the square of the torque, and a motor's curve for
continuous duty (S1) is read at the speed it runs at on average.

Where the axis has a :class:`gough.Motor`, ``uses`` says how much of its data the motion takes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gough.analysis.integrals import largest, mean, rms
from gough.analysis.uses import OnShaft, Use, uses
from gough.dynamics.answers.motor_limits import motor_limits
from gough.dynamics.answers.motor_side import MotorSide, motor_side
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot


@dataclass(frozen=True)
class MotorRating:
    """One motor, seen on one side of its transmission.

    Attributes:
        effort_unit, speed_unit: ``"N m"`` and ``"rad/s"``, or ``"N"`` and ``"m/s"``.
        peak: largest effort.
        rms: root mean square of the effort over the cycle: the continuous effort.
        holding: largest effort at standstill, anywhere on the path.
        speed: largest speed.
        rms_speed: root mean square of the speed.
        mean_speed: mean of its magnitude: the speed of the continuous point.
        power: largest power that the motor gives [W].
        braking: largest power that it takes back [W].
        mean_power: mean power, what comes back counted [W].
        given: energy that it gives in the cycle [J].
        regenerated: energy that comes back in the cycle [J].
    """

    effort_unit: str
    speed_unit: str
    peak: float
    rms: float
    holding: float
    speed: float
    rms_speed: float
    mean_speed: float
    power: float
    braking: float
    mean_power: float
    given: float
    regenerated: float

    @property
    def continuous(self) -> tuple[float, float]:
        """Effort and speed of the continuous point: root mean square and mean magnitude."""
        return self.rms, self.mean_speed


@dataclass(frozen=True)
class Sizing:
    """Ratings of one motor for a motion.

    Attributes:
        name: the motor's axis.
        ratio: of its transmission; 1 without one.
        axis: at the joint's axis, behind gear or screw.
        motor: on the motor's own shaft.
        effort_limit, speed_limit: of the axis, if it has any.
        uses: of the motor's own data, on its shaft; none of what is not known.
    """

    name: str
    ratio: float
    axis: MotorRating
    motor: MotorRating
    effort_limit: float | None
    speed_limit: float | None
    uses: tuple[Use, ...] = ()

    @property
    def effort_use(self) -> float | None:
        """Peak effort at the axis as a share of the axis's limit."""
        return None if self.effort_limit is None else self.axis.peak / self.effort_limit

    @property
    def speed_use(self) -> float | None:
        """Peak speed of the axis as a share of the axis's limit."""
        return None if self.speed_limit is None else self.axis.speed / self.speed_limit

    def use(self, kind: str) -> Use | None:
        """One of the uses on the shaft; ``None`` if the motor's data do not say.

        Args:
            kind: ``"motor_peak"``, ``"motor_speed"``, ``"motor_rms"`` or ``"motor_holding"``.
        """
        return next((one for one in self.uses if one.kind == kind), None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        named = {use.kind: use._asdict() for use in self.uses}
        shares = {"effort_use": self.effort_use, "speed_use": self.speed_use}
        return asdict(self) | shares | {"uses": named}


def size(
    robot: Robot,
    t: np.ndarray,
    tau: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    holding: np.ndarray | None = None,
    *,
    rotors: bool = True,
) -> tuple[Sizing, ...]:
    """Ratings of every motor over a cycle.

    Args:
        robot: the machine.
        t: times ``(K,)`` [s].
        tau: efforts of the motors' axes ``(K, m)``; samples that are not numbers are left out.
        qd: their rates ``(K, m)``.
        qdd: their accelerations ``(K, m)``.
        holding: efforts at standstill along the path ``(K, m)``; NaN in the answer if not given.
        rotors: whether rotors count in the efforts.
    """
    holding = np.full(tau.shape, np.nan) if holding is None else holding
    rest = np.zeros(tau.shape)
    at_shaft = motor_side(robot, tau, qd, qdd, rotors=rotors)
    held = motor_side(robot, holding, rest, rest).torque
    on_axis = _figures(t, MotorSide(tau, qd, tau * qd), holding)
    on_shaft = _figures(t, at_shaft, held)
    limits, assembly, found = motor_limits(robot), assembled(robot), []
    for i, name in enumerate(robot.motors):
        axis, turn = robot.axis(name), is_turn(assembly.axes[name])
        on_motor = units(turn or axis.transmission is not None)
        rating = MotorRating(*on_motor, *(float(x[i]) for x in on_shaft))
        columns = (at_shaft.torque[:, i], at_shaft.speed[:, i], held[:, i])
        shaft = OnShaft(t, *columns, rating.rms, rating.mean_speed, on_motor)
        found.append(
            Sizing(
                name,
                axis.ratio,
                MotorRating(*units(turn), *(float(x[i]) for x in on_axis)),
                rating,
                axis.limits.effort,
                axis.limits.velocity,
                tuple(uses(limits, i, shaft)),
            )
        )
    return tuple(found)


def units(turn: bool) -> tuple[str, str]:
    """Of effort and speed."""
    return ("N m", "rad/s") if turn else ("N", "m/s")


def _figures(t: np.ndarray, side: MotorSide, holding: np.ndarray) -> list[np.ndarray]:
    """The figures of :class:`MotorRating` in order, each ``(m,)``."""
    giving, taking = np.maximum(side.power, 0.0), np.maximum(-side.power, 0.0)
    duration = t[-1] - t[0]
    return [
        largest(side.torque),
        rms(t, side.torque),
        largest(holding),
        largest(side.speed),
        rms(t, side.speed),
        mean(t, np.abs(side.speed)),
        largest(giving),
        largest(taking),
        mean(t, side.power),
        mean(t, giving) * duration,
        mean(t, taking) * duration,
    ]
