"""What sits before a joint axis: the motor on its shaft, and the transmission behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.errors import DescriptionError, shown
from gough.robot.numbers import check_number, check_stiffness
from gough.robot.parts import settle

Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Transmission:
    """What sits between a motor and its joint axis.

    Args:
        ratio: motor turns per joint turn; for a sliding axis, motor radians per metre.
        motor_inertia: of the rotor on its own shaft [kg m^2]; ``ratio**2`` times it is reflected.
            With a :class:`Motor` on the axis, that has it: ``Motor.rotor_inertia``.
        efficiency: share of the motor's power that arrives, above 0 and at most 1.
        stiffness: of the transmission, at the joint axis with the motor held [N m/rad or N/m];
            None is a rigid one.  Rigid-body dynamics does not use it.
        damping: of the same spring, effort per speed [N m s/rad or N s/m]; only with a stiffness.
    """

    ratio: float = 1.0
    motor_inertia: float = 0.0
    efficiency: float = 1.0
    stiffness: float | None = None
    damping: float = 0.0

    def __post_init__(self) -> None:
        ratio = check_number(self.ratio, "transmission.ratio")
        if ratio == 0.0:
            raise DescriptionError("must not be zero", path="transmission.ratio")
        efficiency = check_number(self.efficiency, "transmission.efficiency", positive=True)
        if efficiency > 1.0:
            raise DescriptionError(
                f"is {efficiency:g}, more than 1",
                path="transmission.efficiency",
                hint="Efficiency is a share: 0.9, not 90.",
            )
        inertia = check_number(self.motor_inertia, "transmission.motor_inertia", nonnegative=True)
        settle(self, ratio=ratio, motor_inertia=inertia, efficiency=efficiency)
        if self.stiffness is not None:
            path = "transmission.stiffness"
            settle(self, stiffness=check_stiffness(self.stiffness, path))
        path = "transmission.damping"
        settle(self, damping=check_number(self.damping, path, nonnegative=True))
        if self.damping and self.stiffness is None:
            raise DescriptionError(
                f"is {self.damping:g} without a stiffness",
                path=path,
                hint="A rigid transmission has nothing that damps: give its stiffness, too.",
            )

    @classmethod
    def from_screw(cls, lead: float, **rest: float) -> Transmission:
        """Transmission of a screw that advances ``lead`` metres per motor turn."""
        return cls(
            ratio=2.0 * math.pi / check_number(lead, "transmission.lead", positive=True), **rest
        )


@dataclass(frozen=True)
class Motor:
    """Data of a motor, on its own shaft; ``None`` is not known.

    On a sliding axis without a transmission it is a linear motor, and its figures are [N, m/s, kg]
    instead of [N m, rad/s, kg m^2].

    Args:
        peak: largest torque, for a short time [N m].
        continuous: torque that it can give for ever, at most ``peak`` [N m].
        speed: largest speed [rad/s].
        curve: instead of ``speed``: points ``(speed, torque)`` of the largest torque over speed
            [rad/s, N m], speeds growing.  Between points it is linear, before the first one
            constant, and after the last one there is none.
        rotor_inertia: of the rotor [kg m^2]; ``ratio**2`` times it is reflected to the axis.
    """

    peak: float | None = None
    continuous: float | None = None
    speed: float | None = None
    curve: Curve | None = None
    rotor_inertia: float = 0.0

    def __post_init__(self) -> None:
        for name in ("peak", "continuous", "speed"):
            value = getattr(self, name)
            if value is not None:
                settle(self, **{name: check_number(value, f"motor.{name}", positive=True)})
        path = "motor.rotor_inertia"
        settle(self, rotor_inertia=check_number(self.rotor_inertia, path, nonnegative=True))
        if self.curve is not None:
            settle(self, curve=_check_curve(self.curve))
        self._check_together()

    def _check_together(self) -> None:
        """What one figure says of another one."""
        if self.peak is not None and self.continuous is not None and self.continuous > self.peak:
            raise DescriptionError(
                f"is {self.continuous:g}, more than the peak of {self.peak:g}",
                path="motor.continuous",
                hint="A motor gives its peak torque for a short time, and less for ever.",
            )
        if self.curve is None:
            return
        if self.speed is not None:
            raise DescriptionError(
                f"is {self.speed:g} beside a curve that ends at {self.curve[-1][0]:g}",
                path="motor.speed",
                hint="Keep one of them: the curve's last point is the largest speed.",
            )
        highest = max(torque for _, torque in self.curve)
        if self.peak is not None and highest > self.peak:
            raise DescriptionError(
                f"reaches {highest:g}, more than the peak of {self.peak:g}", path="motor.curve"
            )
        if self.continuous is not None and self.continuous > highest:
            raise DescriptionError(
                f"is {self.continuous:g}, more than the curve has anywhere, {highest:g}",
                path="motor.continuous",
            )

    @property
    def top_speed(self) -> float | None:
        """Largest speed [rad/s]: ``speed``, or the last one of the curve; None if not known."""
        return self.curve[-1][0] if self.curve else self.speed

    @property
    def largest(self) -> float | None:
        """Largest torque at any speed [N m]: ``peak``, or the curve's; None if not known."""
        return max(torque for _, torque in self.curve) if self.curve else self.peak

    def torque_at(self, speed: Any) -> Any:
        """Largest torque at speeds ``(...)`` of either sign [N m]; infinite if nothing is known."""
        speed = np.abs(np.asarray(speed, dtype=float))
        if self.curve is not None:
            speeds, torques = np.array(self.curve).T
            return np.interp(speed, speeds, torques, right=0.0)[()]
        peak = math.inf if self.peak is None else self.peak
        return np.where(speed > (math.inf if self.speed is None else self.speed), 0.0, peak)[()]


def _check_curve(curve: object) -> Curve:
    """Points of largest torque over speed."""
    path = "motor.curve"
    points = curve.tolist() if isinstance(curve, np.ndarray) else curve
    if not isinstance(points, (list, tuple)) or len(points) < 2:
        raise DescriptionError(
            f"expected two points [speed, torque] or more, got {shown(curve)}", path=path
        )
    found: list[tuple[float, float]] = []
    for i, point in enumerate(points):
        if not isinstance(point, (list, tuple)) or len(point) != 2:
            message = f"expected [speed, torque], got {shown(point)}"
            raise DescriptionError(message, path=f"{path}[{i}]")
        speed, torque = (
            check_number(v, f"{path}[{i}][{k}]", nonnegative=True) for k, v in enumerate(point)
        )
        if found and speed <= found[-1][0]:
            raise DescriptionError(
                f"the speed {speed:g} comes after {found[-1][0]:g}",
                path=f"{path}[{i}]",
                hint="Speeds grow from point to point: [[0, 2.4], [300, 2.4], [500, 0.9]].",
            )
        found.append((speed, torque))
    if not any(torque for _, torque in found):
        raise DescriptionError("has no torque at any speed", path=path)
    return tuple(found)
