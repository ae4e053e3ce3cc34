"""How the serial axes of a machine move: internal coordinates of a state as arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.base.arguments import check_known
from gough.base.batch import as_array, check_finite
from gough.base.english import quoted
from gough.errors import InputError
from gough.geometry.single import is_single
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.serial import SerialParts, checked_parts
from gough.states.state import INTERNAL, State

SERIAL = ("q_s", "qd_s", "qdd_s")
"""Positions, rates and accelerations of the serial axes, as arguments of functions of states."""

CALLED = dict(zip(SERIAL, INTERNAL, strict=True))
"""Parts of a state that they are."""


def serial_arguments(assembly: Assembly, state: State) -> dict[str, tuple[np.ndarray, int]]:
    """Arrays of the serial axes by their names as arguments, each with its number of core axes.

    Raises:
        InputError: the machine has no serial axes, or others.
    """
    parts = checked_parts(assembly)
    return {key: (_array(assembly, parts, key, getattr(state, CALLED[key])), 1) for key in SERIAL}


def check_serial(parts: SerialParts, key: str, array: np.ndarray) -> None:
    """Refuse NaN and infinity in the figures of serial axes at one state, by the axis' name."""
    for name, value in zip(parts.axes, array, strict=True):
        check_finite(value, f"{CALLED[key]}[{name!r}]")


def _array(
    assembly: Assembly, parts: SerialParts, key: str, given: Mapping[str, np.ndarray]
) -> np.ndarray:
    """Figures of all serial axes, checked."""
    argument = CALLED[key]
    usual = parts.home(assembly) if key == SERIAL[0] else np.zeros(len(parts.axes))
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
