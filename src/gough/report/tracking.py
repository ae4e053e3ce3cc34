"""Figures of a simulation: how well it follows, and what it takes compared with the plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import assembled
from gough.report.course import Course
from gough.report.drawing.style import INK
from gough.report.style import (
    MUTED,
    PLANNED,
    legend_above,
    mark_times,
    panels,
    plot_beside,
    plot_curves,
    sheet,
    time_axis,
    zero_line,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SCALES = ((1.0, ""), (1e3, "m"), (1e6, "µ"), (1e9, "n"), (1e12, "p"))


def scaled(values: np.ndarray, unit: str) -> tuple[np.ndarray, str]:
    """Values in a unit that gives handy figures: 0.00031 m are 0.31 mm."""
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    for factor, prefix in _SCALES:
        if largest * factor >= 0.3:
            return values * factor, prefix + unit
    factor, prefix = _SCALES[-1]
    return (values * factor, prefix + unit) if largest else (values, unit)


def errors(simulation: Any, wrong: Sequence[float] = ()) -> Figure:
    """Errors of position, rotation and motors against the motion that was asked for."""
    position, rotation, motors = simulation.tracking[:3]
    robot, t = simulation.robot, simulation.t
    turning = float(np.nanmax(np.abs(rotation), initial=0.0)) > 1e-12
    turn = [is_turn(assembled(robot).axes[name]) for name in robot.motors]
    units = {
        "rad": [i for i, x in enumerate(turn) if x],
        "m": [i for i, x in enumerate(turn) if not x],
    }
    groups = [("motors", unit, motors[:, which], which) for unit, which in units.items() if which]
    plots: list[tuple[str, str, np.ndarray, list[int]]] = [("position", "m", position, [])]
    plots += [("rotation", "rad", rotation, [])] if turning else []
    plots += groups
    figure, grid = sheet(2.9, 1, len(plots))
    for axes, (title, unit, values, which) in zip(grid[0], plots, strict=True):
        shown, said = scaled(values, unit)
        if which:
            zero_line(axes)
            plot_curves(axes, t, shown, robot.motors, which)
        else:
            axes.plot(t, shown, color=INK)
            axes.set_ylim(bottom=0.0)
        axes.set(title=title, ylabel=f"error [{said}]")
        mark_times(axes, wrong)
        time_axis(axes, t)
    legend_above(figure, *grid[0][-len(groups) :])
    return figure


def compared(plan: Course, simulated: Course, wrong: Sequence[float] = ()) -> Figure:
    """Simulated efforts beside those that inverse dynamics asks for, one panel a motor."""
    count = len(plan.robot.motors)
    columns = min(count, 3)
    figure, cells = panels(count, columns, 0.5, 2.1, sharex=True)
    for i, (axes, one) in enumerate(zip(cells, plan.sizing, strict=True)):
        zero_line(axes)
        plot_beside(axes, i, plan, simulated)
        axes.set(title=one.name)
        if i % columns == 0 or one.axis.effort_unit != plan.sizing[i - 1].axis.effort_unit:
            axes.set_ylabel(f"effort [{one.axis.effort_unit}]")
        mark_times(axes, wrong)
        time_axis(axes, plan.t, named=i >= count - columns)
    _add_key(figure)
    return figure


def _add_key(figure: Figure) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415  heavy: loaded on first use

    handles = [
        Line2D([], [], color=MUTED, label="simulated (in the motor's colour)"),
        Line2D([], [], label="inverse dynamics", **PLANNED),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=2)
