"""Draws the pictures of docs/crossing.md: ``python docs/figures/crossing.py``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from make import save
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import gough
from gough import control, motion
from gough.report.drawing import draw

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
from crossings import five_bar, three_rrr  # noqa: E402  machines of the tests
from numbers_robots import gs_ref  # noqa: E402

PICTURES = {"machines": HERE / "crossing.png", "control": HERE / "crossing_control.png"}
BLUE, ORANGE, GREEN, RED, GREY = "#1f5fa8", "#d9731a", "#5a9e6f", "#b8443c", "#66727f"
COLOURS = (ORANGE, BLUE, GREEN, "#a8457f", "#3a9fb3", "#8c7a2e")
SINGULAR = 0.2105795574  # of the five-bar [m]


def _cases() -> list[tuple[str, gough.Robot, tuple[Any, Any], float]]:
    up = [0.0, SINGULAR - 0.08], [0.0, SINGULAR + 0.07]
    turn = [0.0, 0.0, 0.0], [0.05, 0.03, 1.0]
    spin = [0.0, 0.0, 2.1, 0.0, 0.0, 1.0], [0.05, 0.02, 2.1, 0.0, 0.0, 2.5]
    return [
        ("five-bar, distal links in line", five_bar(), up, 1.0),
        ("3-RRR, distal links concurrent", three_rrr(), turn, 1.0),
        ("hexapod, a quarter of a turn", gs_ref(), spin, 0.8),
    ]


def machines() -> Figure:
    """Three machines: on the singular pose, efforts with and without the criterion, growth."""
    figure = Figure(figsize=(10.0, 8.6), layout="constrained")
    grid = figure.add_gridspec(3, 3, width_ratios=(1.0, 1.5, 1.0))
    for row, (title, robot, ends, seconds) in enumerate(_cases()):
        usual = motion.point_to_point(robot, *ends, duration=seconds)
        planned = gough.plan_crossing(robot, ends, duration=seconds)
        found = gough.crossing(robot, planned, rate=1000.0)
        (meeting,) = found.instants
        flat = row < 2
        axes: Any = figure.add_subplot(grid[row, 0], projection=None if flat else "3d")
        draw(robot, meeting.T_0p, axes=axes, frames=False, scale=False)
        axes.set_title(title, fontsize=9.5)
        _efforts(figure.add_subplot(grid[row, 1]), found, gough.crossing(robot, usual, rate=1000.0))
        _growth(figure.add_subplot(grid[row, 2]), usual, planned, row == 2)
    return figure


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.xaxis.label.set_size(8.5)
    axes.yaxis.label.set_size(8.5)
    axes.title.set_fontsize(9.5)


def _efforts(axes: Axes, found: Any, usual: Any) -> None:
    unit = "N" if found.robot.name == "gs_ref" else "N m"
    for i, colour in enumerate(COLOURS[: found.tau.shape[1]]):
        axes.plot(usual.t, usual.tau[:, i], color=colour, lw=0.8, alpha=0.55, ls=(0, (3, 2)))
        axes.plot(found.t, found.tau[:, i], color=colour, lw=1.7)
        for meeting in found.instants:
            axes.plot(meeting.time, meeting.limit[i], "o", color=colour, ms=5.0, mec="white")
    for meeting in found.instants:
        axes.axvline(meeting.time, color=GREY, lw=0.9, ls=":")
    most = 1.9 * float(found.peak.max())
    axes.set(ylim=(-most, most), xlim=(0.0, found.t[-1]))
    axes.set(xlabel="time [s]", ylabel=f"efforts [{unit}]")
    axes.set_title("planned (lines, limit as dots) and quintic stroke (dashed)")
    _plain(axes)


def _growth(axes: Axes, usual: Any, planned: Any, legend: bool) -> None:
    distance = np.logspace(-5.0, -1.3, 24)
    for path, colour, name in ((usual, RED, "quintic stroke"), (planned, BLUE, "planned")):
        (meeting,) = gough.crossing(path.robot, path, rate=20.0).instants
        with gough.options(engine="numpy"):
            tau = gough.inverse_dynamics(path.robot, path(meeting.time + distance))
        axes.loglog(distance, np.abs(tau).max(axis=1), color=colour, lw=1.7, label=name)
        if not meeting.can_pass:
            grown = np.abs(meeting.growth).max() / distance
            axes.loglog(distance, grown, color="black", lw=0.9, ls="--", label="growth / distance")
    axes.set(xlabel="time after the singular pose [s]", ylabel="largest effort")
    axes.set_title("one over the distance")
    if legend:
        axes.legend(fontsize=8, frameon=False)
    _plain(axes)


def controlled() -> Figure:
    """A 3-RRR with masses off by a tenth: two controllers, efforts and errors."""
    robot = three_rrr()
    planned = gough.plan_crossing(robot, ([0.0, 0.0, 0.0], [0.05, 0.03, 1.0]), duration=1.0)
    found = gough.crossing(robot, planned, rate=1000.0)
    rng = np.random.default_rng(0)
    factors = {body.name: float(1.0 + rng.uniform(-0.1, 0.1)) for body in robot.bodies}
    real = control.perturb(robot, masses=factors)
    gains: dict[str, Any] = {"bandwidth": 40.0, "period": 1e-3}
    laws = {
        "computed torque": control.computed_torque(robot, planned, space="platform", **gains),
        "through the singularity": gough.crossing_control(robot, planned, plan=found, **gains),
    }
    figure = Figure(figsize=(10.0, 5.6), layout="constrained")
    grid = figure.subplots(2, 2, sharex=True, height_ratios=(1.5, 1.0))
    stop_at = ("reach", "type_1", "limits")
    for column, (name, law) in zip(grid.T, laws.items(), strict=True):
        run = gough.simulate(real, planned(0.0), law, 1.0, stop_at=stop_at)
        peak = np.abs(run.tau).max()
        for i, colour in enumerate(COLOURS[:3]):
            column[0].plot(run.t, run.tau[:, i], color=colour, lw=1.5, label=robot.motors[i])
            column[0].plot(found.t, found.tau[:, i], color="black", lw=0.8, ls=(0, (4, 2)))
        column[0].set_title(f"{name}: efforts up to {peak:.3g} N m")
        column[0].set(ylabel="efforts [N m]", ylim=(-14.0, 14.0))
        error = column[1]
        error.plot(run.t, 1e3 * run.tracking.position, color=BLUE, lw=1.5, label="position [mm]")
        error.plot(run.t, 1e3 * run.tracking.rotation, color=RED, lw=1.5, label="rotation [mrad]")
        error.set(xlabel="time [s]", ylabel="error", ylim=(0.0, 13.0), xlim=(0.0, 1.0))
        for axes in column:
            axes.axvline(found.instants[0].time, color=GREY, lw=0.9, ls=":")
            _plain(axes)
    grid[0, 0].legend(fontsize=8, frameon=False, loc="lower left", ncols=3)
    grid[1, 0].legend(fontsize=8, frameon=False, loc="upper left")
    return figure


if __name__ == "__main__":
    save(machines(), PICTURES["machines"], 110)
    save(controlled(), PICTURES["control"], 110)
