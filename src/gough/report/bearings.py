"""Bearing loads in a report: a table of joints, and forces of the most loaded ones over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analysis.bearings import bearing_loads
from gough.analysis.bearings_result import FIGURES, NOT_UNIQUE, Bearing, BearingLoads
from gough.analysis.result import Analysis
from gough.errors import GoughError
from gough.motion import Samples
from gough.report.blocks import Block
from gough.report.course import Course
from gough.report.figures import number
from gough.report.style import legend_above, plot_curves, sheet, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVES = 6
"""Joints whose forces are drawn."""

ROWS = 40
"""Joints of the table; of more the most loaded ones."""

NOTE = (
    "In the frame of each joint on its child: radial is across its axis z, axial along it. Of a "
    "revolute joint the moment is the tilting one, across z; of a prismatic joint force and moment "
    "are those of its guide, without the force along it; of a ball and a universal joint the force "
    "is all of it. Mean: the equivalent load, (mean of F³)^(1/3) over time, and weighted by the "
    "speed of the joint, as life in revolutions or metres counts it; for roller bearings take the "
    "exponent 10/3. Travel is what the joint turns or slides in all."
)


def found_in(analysis: Analysis | None, simulation: Any, run: Course | None) -> BearingLoads | str:
    """Bearing loads of the planned motion, else of the simulated one; or why there are none."""
    try:
        if analysis is not None:
            return analysis.bearings()
        if run is None:
            return "There is no motion."
        track = Samples(run.t, run.state)
        loads = getattr(simulation, "loads", None)
        return bearing_loads(run.robot, track, loads=loads, on_error="nan")
    except GoughError as err:
        return f"The forces in the joints could not be computed: {err.message}."


def table(found: BearingLoads) -> Block:
    """A row a joint, in the order of the description."""
    order = np.argsort([-one.force if np.isfinite(one.force) else 0.0 for one in found.bearings])
    shown = sorted(order[:ROWS].tolist())
    rows = [_row(found.bearings[i]) for i in shown]
    note = NOTE
    if len(shown) < len(found.bearings):
        least = number(found.bearings[int(order[ROWS])].force)
        note += f" {len(found.bearings) - ROWS} more joints carry {least} N or less."
    if not found.is_unique:
        note += f" * {NOT_UNIQUE}."
    heads = ("joint", "kind", "largest force", "at", "radial", "axial", "moment")
    return Block("", (*heads, "mean", "mean by travel", "travel"), rows, note, left=2)


def _row(one: Bearing) -> tuple[str, ...]:
    starred = {name: "*" * (name in one.not_unique) for name in FIGURES}

    def cell(value: float, unit: str, figure: str = "force") -> str:
        known = np.isfinite(value)
        return f"{number(value, full=True)} {unit}{starred[figure]}" if known else "–"

    return (
        one.joint,
        one.kind.replace("_", " "),
        cell(one.force, "N"),
        f"{number(one.time)} s" if np.isfinite(one.time) else "–",
        cell(one.radial, "N", "radial"),
        cell(one.axial, "N", "axial"),
        cell(one.moment, "N m", "moment"),
        cell(one.mean, "N"),
        cell(one.mean_by_travel, "N"),
        f"{number(one.travel)} {one.travel_unit}" if one.travel > 0.0 else "–",
    )


def most_loaded(found: BearingLoads) -> list[int]:
    """Joints with the largest forces, the largest first."""
    peaks = np.array([one.force if np.isfinite(one.force) else 0.0 for one in found.bearings])
    return [int(i) for i in np.argsort(-peaks, kind="stable")[:CURVES] if peaks[i] > 0.0]


def figure(found: BearingLoads) -> Figure:
    """Magnitude of the force over time in the most loaded joints."""
    which = most_loaded(found)
    drawn, ((axes,),) = sheet(3.0)
    names = [found.joints[i] for i in which]
    plot_curves(axes, found.t, found.force[:, which], names)
    axes.set(ylabel="force [N]")
    axes.set_ylim(bottom=0.0)
    time_axis(axes, found.t)
    legend_above(drawn, axes)
    return drawn
