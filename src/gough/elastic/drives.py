"""How motors hold their axes while the machine gives way: locked, free, or under control.

Three different machines: a rotor that is held behind the spring of its gear, a rotor that a
controller holds, and a rotor that moves freely as a second mass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known, number
from gough.errors import InputError, shown
from gough.robot import Robot

LOCKED, FREE = "locked", "free"


@dataclass(frozen=True)
class Servo:
    """Gains of a position controller with its encoder on the motor, as felt at the joint's axis.

    Args:
        kp: effort per position [N m/rad or N/m]; one number, or one a motor.
        kd: effort per speed [N m s/rad or N s/m]; one number, or one a motor.
    """

    kp: Any
    kd: Any = 0.0

    def __post_init__(self) -> None:
        for name in ("kp", "kd"):
            value = getattr(self, name)
            items = value if isinstance(value, (list, tuple, np.ndarray)) else [value]
            figures = tuple(
                number(v, f"Servo.{name}", positive=name == "kp", nonnegative=True)
                for v in np.atleast_1d(np.asarray(items, dtype=object))
            )
            if not figures:
                raise InputError(
                    f"Servo.{name} is {shown(value)}, expected one number, or one a motor",
                    argument=name,
                )
            object.__setattr__(self, name, figures if len(figures) > 1 else figures[0])


class Drive(NamedTuple):
    """How one motor holds its axis.

    Attributes:
        kp, kd: gains of its controller at the axis; without meaning if it is locked.
        locked: its rotor does not move.
    """

    kp: float
    kd: float
    locked: bool


def drives_of(robot: Robot, drives: Any) -> dict[str, Drive]:
    """How every motor holds its axis, by its name.

    Args:
        robot: the machine.
        drives: ``"locked"``, ``"free"``, a :class:`Servo`, its gains as ``{"kp": ..., "kd": ...}``,
            a controller of :func:`gough.control.joint_pd`, or one of the first four by motor.

    Raises:
        InputError: it is something else.
    """
    law = getattr(drives, "law", None)
    if law is not None:
        if not getattr(law, "gains_are_efforts", False):
            raise InputError(
                "the gains of this controller are no efforts: they depend on the model it uses",
                hint="Give gough.control.joint_pd(...), or gough.Servo(kp, kd) at the axes.",
                argument="drives",
            )
        drives = Servo(np.asarray(law.kp).ravel(), np.asarray(law.kd).ravel())
    if isinstance(drives, Mapping) and not _are_gains(drives):
        for name in drives:
            check_known(name, robot.motors, "drives: there is no motor", "drives")
        return {name: _drive(drives.get(name, LOCKED), 0, 1) for name in robot.motors}
    count = len(robot.motors)
    return {name: _drive(drives, i, count) for i, name in enumerate(robot.motors)}


def _are_gains(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping is gains of a controller; what only looks like it is refused."""
    if not {"kp", "kd", "ki"} & set(given):
        return False
    if "kp" in given and set(given) <= {"kp", "kd"}:
        return True
    raise InputError(
        f"drives has {', '.join(map(str, given))}, expected kp, and kd or not",
        hint="A machine at rest is held by kp: {'kp': 2e4, 'kd': 100.0}; an integral part slower "
        "than the vibrations does not change them.",
        argument="drives",
    )


def _drive(given: Any, index: int, count: int) -> Drive:
    if isinstance(given, Mapping) and _are_gains(given):
        given = Servo(**given)
    if isinstance(given, str) and given == LOCKED:
        return Drive(0.0, 0.0, locked=True)
    if isinstance(given, str) and given == FREE:
        return Drive(0.0, 0.0, locked=False)
    if isinstance(given, Servo):
        kp, kd = (_gain(given, name, index, count) for name in ("kp", "kd"))
        return Drive(kp, kd, locked=False)
    raise InputError(
        f"drives is {shown(given)}, expected 'locked', 'free' or gough.Servo(kp, kd)",
        hint="'locked' holds each rotor behind the spring of its transmission, 'free' lets it "
        "move, a Servo holds it with the gains of a controller.",
        argument="drives",
    )


def _gain(servo: Servo, name: str, index: int, count: int) -> float:
    values = getattr(servo, name)
    if not isinstance(values, tuple):
        return float(values)
    if len(values) != count:
        raise InputError(
            f"drives: {name} has {len(values)} gains, expected one number or {count}, one a motor",
            argument="drives",
        )
    return float(values[index])
