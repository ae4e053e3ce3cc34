"""Quantities of machines with serial axes: the same names, and what they take besides."""

from __future__ import annotations

from gough.dynamics.answers.frozen import warn_of_turning_base
from gough.kernels.evaluator import Arguments
from gough.kernels.tracing.from_pose import EVERY
from gough.kinematics.serial_axes import SerialAxes, serial_arguments
from gough.mechanism.by_pose import check_pose_tells_all
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.serial import checked_parts


def with_serial(
    assembly: Assembly, quantity: str, state: Arguments, serial: SerialAxes | None
) -> tuple[str, Arguments]:
    """A quantity and its arguments, those of serial axes included; refused if they are missing."""
    if serial is None:
        check_pose_tells_all(assembly)
        return quantity, state
    name, known = f"serial_{quantity}", {**state, **serial_arguments(assembly, serial)}
    parts = checked_parts(assembly)
    if EVERY[name].loaded and parts.turns:
        warn_of_turning_base(parts.core.assembly)
    return name, {key: known[key] for key in EVERY[name].inputs}
