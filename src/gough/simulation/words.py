"""What a simulation was given, in words: what drives the machine, and how it is integrated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.simulation.drive import Controller

Lines = list[tuple[str, str]]


def run_lines(robot: Robot, efforts: Any, options: dict[str, Any]) -> Lines:
    """Headings and facts about a run, in reading order.

    Args:
        robot: the simulated machine.
        efforts: argument of :func:`gough.simulate`.
        options: its other arguments that are worth saying, by name.
    """
    kind = options["integrator"]
    steps = f"{kind}, steps of at most {options['step']:.6g} s"
    if kind == "dop853":
        steps += f", tolerances {options['rtol']:.3g} relative, {options['atol']:.3g} absolute"
    found = [*drive_lines(robot, efforts), ("integrator", steps)]
    found.append(("simulated time", f"{options['t_end']:.6g} s"))
    found.append(("stops at", ", ".join(options["stop_at"]) or "nothing"))
    return found


def drive_lines(robot: Robot, efforts: Any) -> Lines:
    """What drives a machine: a controller with its gains and its sampling, or efforts."""
    if isinstance(efforts, Controller):
        lines = getattr(efforts, "lines", None)
        if callable(lines):
            return [*lines()]
        return [("controller", type(efforts).__name__), *sampling_lines(efforts)]
    if efforts is None:
        return [("efforts", "none")]
    if callable(efforts):
        name = getattr(efforts, "__name__", type(efforts).__name__)
        return [("efforts", f"a function of time, {name}")]
    if isinstance(efforts, tuple):
        return [("efforts", f"a table of {len(efforts[0])} instants")]
    units = motor_units(robot, "N m", "N")
    return [("efforts", by_motor(robot.motors, np.asarray(efforts, dtype=float), units))]


def sampling_lines(controller: Any) -> Lines:
    """Period and delay of a controller."""
    if controller.period is None:
        return [("sampling", "continuous")]
    text = f"every {controller.period:.6g} s"
    delay = f"{controller.delay:.6g} s" if controller.delay else "none"
    return [("sampling", text), ("delay", delay)]


def motor_units(robot: Robot, turn: str, slide: str) -> list[str]:
    """Unit of every motor, one for those that turn and one for those that slide."""
    axes = assembled(robot).axes
    return [turn if is_turn(axes[name]) else slide for name in robot.motors]


def by_motor(names: Sequence[str], values: np.ndarray, units: Sequence[str]) -> str:
    """Figures of motors in words: one if they are alike, else by name."""
    if values.ndim != 1 or len(values) != len(units):
        return f"an array of shape {values.shape}"
    if np.allclose(values, values[0], rtol=1e-9, atol=0.0) and len(set(units)) == 1:
        return _figure(values[0], units[0])
    each = zip(names, values, units, strict=True)
    return ", ".join(f"{name} {_figure(value, unit)}" for name, value, unit in each)


def _figure(value: float, unit: str) -> str:
    return f"{value:.5g} {unit}" if np.isfinite(value) else "no limit"
