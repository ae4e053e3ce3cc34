"""Figures of the accuracy of an answer: energy balance, and distances to singularities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gough.analysis.result import Analysis
from gough.mechanism.mobility.singular import NEAR
from gough.report.course import Course
from gough.report.drawing.style import COLOURS, INK
from gough.report.style import (
    MOTORS,
    WARN,
    legend_above,
    plot_curves,
    sheet,
    time_axis,
    zero_line,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BOOK = (COLOURS["platform"], MOTORS[2], MOTORS[0], MOTORS[3], MOTORS[4], MOTORS[5])


def energy(course: Course) -> Figure:
    """Kinetic and potential energy, work and losses; below, the error of their balance."""
    figure, grid = sheet(3.9, 2, 1, sharex=True, height_ratios=(3.2, 1.0))
    book, rest = grid[:, 0]
    zero_line(book)
    for (name, curve), colour in zip(course.energies.items(), _BOOK, strict=False):
        dashed = "--" if name.startswith("work of the motors") else "-"
        book.plot(course.t, curve, color=colour, label=name, ls=dashed)
    book.set_ylabel("energy [J]")
    rest.plot(course.t, course.residual, color=INK, lw=1.2)
    zero_line(rest)
    rest.set_ylabel("unexplained [J]")
    rest.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3))
    time_axis(rest, course.t)
    legend_above(figure, book)
    figure.align_ylabels([book, rest])
    return figure


def singularities(found: Analysis) -> Figure:
    """Distance to Type 2 and Type 1 singularities, and the condition number."""
    figure, ((motors, legs, condition),) = sheet(3.0, 1, 3)
    c = found.conditioning
    motors.plot(found.t, c.type_2, color=INK)
    motors.set_title("Type 2: motors and platform")
    motors.set_ylabel("smallest singular value")
    plot_curves(legs, found.t[c.samples], c.type_1, c.legs)
    legs.set_title("Type 1: each leg")
    for axes in (motors, legs):
        _, top = axes.get_ylim()
        axes.set_ylim(0.0, max(top, 5.0 * NEAR))
        axes.axhspan(0.0, NEAR, color=WARN, alpha=0.25, lw=0.0)
        time_axis(axes, found.t)
    condition.plot(found.t, c.condition, color=INK)
    condition.set_title("condition number")
    known = c.condition[np.isfinite(c.condition)]
    if known.size and known.max() > 30.0:
        condition.set_yscale("log")
    else:
        condition.set_ylim(bottom=1.0)
    time_axis(condition, found.t)
    legend_above(figure, legs)
    return figure
