"""What a format cannot hold is refused by name, unless the user asks to leave it out."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from gough.base.arguments import check_known
from gough.errors import FileError, InputError, shown
from gough.robot.coupling import Coupling
from gough.robot.file.text import file_name
from gough.robot.joint import LOCKED, Axis, Joint, Limits, Spring
from gough.robot.motor import Transmission
from gough.robot.robot import Robot

DROPS = ("elastic", "motors", "idle", "limits", "springs", "rotors", "gravity", "couplings")
"""What may be left out of a file that cannot hold it."""


class Limited:
    """Checks of what a format can hold, and the words for what it cannot.

    Args:
        robot: to be written.
        path: of the file.
        format: its name, for messages.
        drop: words of :data:`DROPS`.
    """

    def __init__(
        self, robot: Robot, path: str | os.PathLike[str], format: str, drop: Collection[str]
    ) -> None:
        if not isinstance(robot, Robot):
            raise InputError(
                f"expected a gough.Robot, got {type(robot).__name__}", argument="robot"
            )
        words = (drop,) if isinstance(drop, str) else drop
        if not isinstance(words, (list, tuple)):
            raise InputError(f"drop are words, got {shown(drop)}", argument="drop")
        for word in words:
            check_known(word, DROPS, "drop: unknown", "drop")
        self.robot, self.file, self.format, self.drop = robot, file_name(path), format, tuple(words)
        self._elastic()
        self._drives()
        idle = [joint.name for joint in robot.joints if joint.idle == LOCKED]
        if idle:
            self.refuse(f"{idle[0]}: 'idle: locked'", "idle")

    def refuse(self, what: str, word: str, **data: Any) -> None:
        """Refuse something that the format has no place for, unless it is to be dropped."""
        if word in self.drop:
            return
        hint = f"Leave it out: drop=[{word!r}]; or save the robot as YAML, which holds everything."
        raise FileError(
            f"{self.format} cannot hold {what}",
            file=self.file,
            hint=hint if word else "Save the robot as YAML, which holds everything.",
            **data,
        )

    def _elastic(self) -> None:
        for body in self.robot.bodies:
            if body.is_elastic:
                self.refuse(f"what bends of the body {body.name!r}", "elastic")
        for joint in self.robot.joints:
            if joint.bearing is not None or joint.guide is not None:
                self.refuse(f"the bearing of {joint.name!r}", "elastic")

    def _drives(self) -> None:
        for joint in self.robot.joints:
            for name, axis in zip(joint.axis_names, joint.axes, strict=True):
                gear = axis.transmission
                if gear is not None and replace(gear, ratio=1.0, motor_inertia=0.0) != Transmission(
                    1.0
                ):
                    self.refuse(f"the losses or the stiffness of the gear of {name!r}", "motors")
                if (
                    axis.motor is not None
                    and replace(axis.motor, rotor_inertia=0.0) != type(axis.motor)()
                ):
                    self.refuse(f"the data of the motor of {name!r}", "motors")

    def limits(self, name: str, axis: Axis, *, velocity: bool) -> Limits:
        """Limits of an axis that the format can hold."""
        if axis.limits.velocity is not None and not velocity:
            self.refuse(f"the largest speed of {name!r}", "limits")
            return replace(axis.limits, velocity=None)
        return axis.limits

    def spring(self, name: str, axis: Axis, *, held: bool) -> Spring | None:
        """Spring of an axis, if the format can hold it."""
        if axis.spring is not None and not held:
            self.refuse(f"the spring of {name!r}", "springs")
            return None
        return axis.spring

    def pair(self, coupling: Coupling) -> tuple[tuple[str, float], tuple[str, float]] | None:
        """Two axes of a coupling with their coefficients; ``mimic`` of more is refused."""
        if len(coupling.axes) != 2:
            what = f"the coupling {coupling.name!r} of more than two axes"
            self.refuse(what, "couplings")
            return None
        first, second = coupling.axes.items()
        return first, second

    def gravity(self, wanted: tuple[float, float, float]) -> None:
        """Refuse a gravity that the format does not mean."""
        if tuple(self.robot.gravity) != wanted:
            what = f"gravity {self.robot.gravity}: readers of it take {wanted}"
            self.refuse(what, "gravity")

    def cut(self, joint: Joint) -> None:
        """Refuse a joint that would have to close a loop."""
        busy = "with what acts in it" if any(axis != Axis() for axis in joint.axes) else ""
        if joint.name in {name.partition(".")[0] for name in self.robot.motors}:
            busy = "with its motor"
        self.refuse(
            f"a loop that is closed by the {joint.kind} joint {joint.name!r} {busy}".rstrip(),
            "",
            joint=joint.name,
        )
