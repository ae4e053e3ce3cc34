"""A motion through Type 2 singularities in a report: a figure, and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import assembled
from gough.report.drawing.style import INK
from gough.report.figures import number
from gough.report.style import MUTED, WARN, panels, plot_beside, time_axis, zero_line
from gough.singularity.crossing.result import Crossing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CAPTION = (
    "Efforts through Type 2 singularities (dotted lines). Black, dashed: the plan, with its limit "
    "on the singular poses as dots."
)


def figure(found: Crossing, simulation: Any = None) -> Figure:
    """Planned efforts with their limits, and simulated ones, one panel a motor."""
    robot, count = found.robot, len(found.robot.motors)
    columns = min(count, 3)
    picture, cells = panels(count, columns, 0.4, 2.0, sharex=True)
    for i, axes in enumerate(cells):
        zero_line(axes)
        for instant in found.instants:
            axes.axvline(instant.time, color=MUTED if instant.can_pass else WARN, lw=1.0, ls=":")
        plot_beside(axes, i, found, simulation)
        axes.plot(found.t[found.at_limit], found.tau[found.at_limit, i], "o", color=INK, ms=4.0)
        unit = "N m" if is_turn(assembled(robot).axes[robot.motors[i]]) else "N"
        axes.set(title=robot.motors[i], ylabel=f"effort [{unit}]" if i % columns == 0 else "")
        if not found.bounded:
            _within(axes, found.tau[:, i])
        time_axis(axes, found.t, named=i >= count - columns)
    return picture


def _within(axes: Any, tau: np.ndarray) -> None:
    """Efforts that grow without bound leave the panel."""
    usual = float(np.nanpercentile(np.abs(tau), 95.0))
    axes.set_ylim(-2.0 * usual, 2.0 * usual)


def sentences(found: Crossing, simulation: Any = None) -> list[str]:
    """What happens at the singularities, and in the simulation."""
    if not found.instants:
        return []
    times = ", ".join(f"{number(instant.time)} s" for instant in found.instants)
    if not found.bounded:
        return [f"The motion meets Type 2 singularities at {times} and cannot pass all of them."]
    lines = [f"The motion passes Type 2 singularities at {times}: its efforts stay bounded."]
    if simulation is not None and simulation.event is None:
        peak = float((np.abs(simulation.tau).max(axis=0) / found.peak).max())
        lines.append(
            f"The simulated machine comes through, with at most {number(peak)} times the planned "
            "peak efforts."
        )
    return lines
