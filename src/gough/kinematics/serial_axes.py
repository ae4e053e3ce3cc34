"""How the serial axes of a machine move, as a user says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import as_array
from gough.base.english import quoted
from gough.errors import InputError
from gough.geometry.single import is_single
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.serial import SerialParts, checked_parts
from gough.robot.names import check_known

SERIAL = ("q_s", "qd_s", "qdd_s")
"""Positions, rates and accelerations of the serial axes, as arguments of functions of states."""

CALLED = {key: f"serial.{key.removesuffix('_s')}" for key in SERIAL}
"""What users call them."""


@dataclass(frozen=True, eq=False)
class SerialAxes:
    """How the motors below and above the loops move: a turntable, a track, a gripper.

    A pose of the platform does not tell where they are.  Each argument has one entry an axis, in
    the order of ``robot.serial_axes``, ``(..., e)``, or is a mapping by name; what a mapping does
    not name is where home has it, and rests.

    Args:
        q: positions [rad or m].
        qd: rates [rad/s or m/s]; zero if not given.
        qdd: accelerations [rad/s^2 or m/s^2]; zero if not given.
    """

    q: Any
    qd: Any = None
    qdd: Any = None


def serial_arguments(assembly: Assembly, serial: Any) -> dict[str, tuple[np.ndarray, int]]:
    """Arrays of the serial axes by their names as arguments, each with its number of core axes.

    Raises:
        InputError: the machine has no serial axes, or their motion is not one.
    """
    if not isinstance(serial, SerialAxes):
        raise InputError(
            f"serial is {type(serial).__name__}, expected gough.SerialAxes(q, qd, qdd)",
            argument="serial",
        )
    parts = checked_parts(assembly)
    given = zip(SERIAL, (serial.q, serial.qd, serial.qdd), strict=True)
    return {key: (_array(assembly, parts, key, value), 1) for key, value in given}


def _array(assembly: Assembly, parts: SerialParts, key: str, given: Any) -> np.ndarray:
    """Figures of all serial axes, checked."""
    argument = CALLED[key]
    count = len(parts.axes)
    usual = parts.home(assembly) if key == SERIAL[0] else np.zeros(count)
    if given is None:
        return usual
    if not isinstance(given, Mapping):
        return as_array(given, (count,), argument, keep_single=True)
    for name in given:
        check_known(name, parts.axes, f"{argument}: no serial axis", argument)
    columns = [
        as_array(given.get(name, usual[k]), (), f"{argument}[{name!r}]", keep_single=True)
        for k, name in enumerate(parts.axes)
    ]
    precision = np.float32 if any(map(is_single, columns)) else float
    try:
        return np.stack(np.broadcast_arrays(*columns), -1).astype(precision)
    except ValueError as err:
        raise InputError(
            f"{argument}: figures of {quoted(given)} do not fit together", argument=argument
        ) from err
