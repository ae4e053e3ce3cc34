"""Draws the picture of docs/singularities.md: ``python docs/figures/singularities.py``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from make import save
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import gough
from gough.report.drawing import draw, scenes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
from crossings import SINGULAR, five_bar  # noqa: E402  machines of the tests
from numbers_robots import gs_ref  # noqa: E402

RED, BLUE, GREY = "#b8443c", "#1f5fa8", "#66727f"


def picture() -> Figure:
    """A five-bar and a hexapod on Type 2 poses with their free axes, and the way there."""
    figure = Figure(figsize=(10.0, 3.2), layout="constrained")
    grid = figure.add_gridspec(1, 3, width_ratios=(1.0, 1.1, 1.4))
    _flat(figure.add_subplot(grid[0, 0]))
    _spatial(figure.add_subplot(grid[0, 1], projection="3d"))
    _along(figure.add_subplot(grid[0, 2]))
    return figure


def _flat(axes: Axes) -> None:
    robot = five_bar()
    T_0p = gough.state(robot, [0.0, SINGULAR]).T_0p
    (free,) = gough.singularities(robot, T_0p, tolerance=1e-5).type_2.free
    draw(robot, T_0p, axes=axes, frames=False, scale=False)
    plane = scenes(robot, T_0p)[0].plane
    x, y = plane.axes @ (free.axis.point - plane.origin)
    axes.plot(x, y, "o", mfc="none", mec=RED, ms=15, mew=1.8, zorder=99, clip_on=False)
    axes.annotate(
        "the left bar turns about here",
        (x, y),
        (-6, 14),
        textcoords="offset points",
        color=RED,
        fontsize=8,
        zorder=99,
    )
    axes.set_title("motors locked, the bars can still fold", fontsize=9.5, pad=22)


def _spatial(axes: Any) -> None:
    robot = gs_ref()
    T_0p = gough.state(robot, [0.0, 0.0, 2.1, 0.0, 0.0, np.pi / 2.0]).T_0p
    (free,) = gough.singularities(robot, T_0p).type_2.free
    draw(robot, T_0p, axes=axes, frames=False, scale=False)
    line = free.axis.point + np.outer([-2.0, 1.2], free.axis.direction)
    axes.plot(*line.T, "--", color=RED, lw=1.6)
    axes.set_title(f"it screws, {free.axis.pitch:.2f} m a turn (Fichter)", fontsize=9.5)


def _along(axes: Axes) -> None:
    robot = gs_ref()
    ends = [[0.0, 0.0, 2.1, 0.0, 0.0, angle] for angle in (0.0, 2.0)]
    found = gough.singularities_along(
        robot, gough.motion.point_to_point(robot, *ends, duration=1.0)
    )
    (event,) = found.events
    axes.plot(found.t, found.type_2, color=BLUE)
    axes.axvline(event.time, color=RED, ls=":")
    axes.annotate(
        f"Type 2 at {event.time:.4f} s",
        (event.time, 0.15),
        (6, 40),
        textcoords="offset points",
        color=RED,
    )
    axes.set_xlabel("time [s]", fontsize=8)
    axes.set_ylabel("smallest singular value", fontsize=8)
    axes.set_title("a hexapod that turns by 2 rad about z", fontsize=9.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.set_ylim(bottom=0.0)


if __name__ == "__main__":
    save(picture(), HERE / "singularities.png")
