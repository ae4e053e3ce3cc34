"""Results as a notebook shows them: facts, a table, and a picture where one says more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.calibration.result import Calibration
from gough.errors import GoughError, visible
from gough.modes.mode import Modes
from gough.motion.motion import Motion
from gough.report import crossings, motors, pictures, tracking
from gough.report.calibrated.tables import HEADS, parameters
from gough.report.course import of_simulation
from gough.report.drawing.figure import draw
from gough.report.drawing.modes import draw_modes
from gough.report.drawing.style import INK
from gough.report.inline import as_picture
from gough.report.sheet import Sheet, sheet
from gough.report.style import WARN, quiet_style, time_axis
from gough.report.style import sheet as new_figure
from gough.report.view.page import Page, view
from gough.robot import Robot
from gough.simulation.result import Simulation
from gough.singularity.along import SingularitiesAlong
from gough.singularity.crossing.result import Crossing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_MODES = 12
_MOST_PARAMETERS = 24
_INSTANTS = 200
_LEFT = "style='text-align:left'"


def page(result: Any) -> str:
    """A result as HTML; text of a description stays text."""
    parts = [_facts(result.lines())]
    table = tabled(result)
    if table is not None:
        parts.append(_table(*table))
    parts.append(_image(result))
    if isinstance(result, (Motion, Simulation)):
        parts.append(_moving(result))
    return "".join(parts)


def robot_page(robot: Robot) -> str:
    """A robot as HTML: facts, and a page in which it moves, or a picture if it cannot."""
    found = sheet(robot)
    return _facts(found.lines()) + (_moving(robot) or _image(found))


def _moving(given: Robot | Motion | Simulation) -> str:
    """The page that computes; nothing where there is none: a batch, or no kernel."""
    try:
        return Page(view(given, modes=False))._repr_html_()
    except GoughError:
        return ""


def _text(words: str) -> str:
    return escape(visible(words))


def _facts(lines: Iterable[tuple[str, str]]) -> str:
    cells = "".join(
        f"<tr><th {_LEFT}>{_text(heading)}</th><td {_LEFT}>{_text(fact)}</td></tr>"
        for heading, fact in lines
    )
    return f"<table>{cells}</table>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th {_LEFT}>{_text(each)}</th>" for each in heads)
    body = "".join(
        "<tr>" + "".join(f"<td {_LEFT}>{_text(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _image(result: Any) -> str:
    try:
        with quiet_style():
            figure = picture(result)
            data = None if figure is None else as_picture(figure)
    except GoughError:  # a motion out of reach, or no matplotlib: the facts above say enough
        return ""
    return "" if data is None else f'<img src="{data}" alt="" style="max-width:48em;width:100%">'


@singledispatch
def tabled(result: Any) -> tuple[Sequence[str], Iterable[Sequence[str]]] | None:
    """Headings and rows of the table that belongs to a result; ``None`` if it has none."""
    table = getattr(result, "table", None)
    found: tuple[Sequence[str], Iterable[Sequence[str]]] | None = None if table is None else table()
    return found


@tabled.register(Calibration)
def _of_parameters(result: Calibration) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    rows: list[Sequence[str]] = [row for group in parameters(result) for row in group.rows]
    if len(rows) > _MOST_PARAMETERS:
        more = f"{len(rows) - _MOST_PARAMETERS} more in to_frame()"
        rows = [*rows[:_MOST_PARAMETERS], (more, *[""] * (len(HEADS) - 1))]
    return HEADS, rows


@singledispatch
def picture(result: Any) -> Figure | None:
    """The picture that belongs to a result; ``None`` if words say more."""
    drawn = getattr(result, "draw", None)
    found: Figure | None = None if drawn is None else drawn()
    return found


@picture.register(Sheet)
def _of_sheet(result: Sheet) -> Figure | None:
    return None if result.robot is None else draw(result.robot)


@picture.register(Modes)
def _of_modes(result: Modes) -> Figure | None:
    return draw_modes(result, most=_MOST_MODES) if len(result) else None


@picture.register(Simulation)
def _of_simulation(result: Simulation) -> Figure | None:
    if result.kinetic.ndim != 1:
        return None
    wrong = [] if result.event is None else [result.event.time]
    if result.tracking is not None:
        return tracking.errors(result, wrong)
    return motors.efforts(of_simulation(result), wrong)


@picture.register(Crossing)
def _of_crossing(result: Crossing) -> Figure:
    return crossings.figure(result)


@picture.register(Motion)
def _of_motion(result: Motion) -> Figure:
    return pictures.poses(result.robot, result(np.linspace(0.0, result.duration, _INSTANTS)).T_0p)


@picture.register(SingularitiesAlong)
def _of_singularities(result: SingularitiesAlong) -> Figure:
    figure, [[axes]] = new_figure(2.6)
    curves = {"Type 2": (result.type_2, WARN, "-"), "constraint": (result.constraint, INK, ":")}
    if result.legs:
        curves["Type 1, nearest leg"] = (result.type_1.min(axis=1), INK, "-")
    for label, (values, colour, dashes) in curves.items():
        axes.plot(result.t, values, color=colour, ls=dashes, label=label)
    for event in result.events:
        axes.axvline(event.time, color=WARN, lw=0.9, ls=(0, (4, 3)))
    axes.set_ylim(bottom=0.0)
    axes.set(ylabel="smallest singular value")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.0, ncols=3)
    time_axis(axes, result.t)
    return figure
