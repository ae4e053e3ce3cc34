"""Quantities of machines with serial axes: the same names, and what they take besides."""

from __future__ import annotations

from gough.dynamics.answers.frozen import warn_of_turning_base
from gough.dynamics.quantities import ROWS
from gough.kernels.evaluator import Arguments
from gough.kinematics.serial_axes import serial_arguments
from gough.mechanism.by_pose import check_pose_tells_all
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.serial import checked_parts
from gough.states.state import State


def with_internal(
    assembly: Assembly, quantity: str, state: State, given: Arguments
) -> tuple[str, Arguments]:
    """A quantity and its arguments, those of serial axes included; refused if they are missing."""
    if not state.has_internal:
        check_pose_tells_all(assembly)
        return quantity, given
    name, known = f"serial_{quantity}", {**given, **serial_arguments(assembly, state)}
    parts = checked_parts(assembly)
    if ROWS[name].loaded and parts.turns:
        warn_of_turning_base(parts.core.assembly)
    return name, {key: known[key] for key in ROWS[name].inputs}
