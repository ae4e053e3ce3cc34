"""Draws the pictures of docs/workspace.md: ``python docs/figures/workspace.py``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from make import save
from matplotlib.figure import Figure

import gough
from gough.report.style import quiet_style
from gough.singularity.workspace.locus import singularity_locus
from gough.singularity.workspace.volume import workspace_volume
from gough.singularity.workspace.workspace import workspace

HERE = Path(__file__).parent
FINE = 201


def parts() -> Figure:
    """A five-bar's workspace in parts."""
    return workspace(gough.zoo.load("five_bar"), x=FINE, y=FINE).draw()


def turned() -> Figure:
    """A planar 3-RRR whose platform is turned more and more."""
    robot = gough.zoo.load("three_rrr")
    with quiet_style():
        figure = Figure(figsize=(9.6, 3.5), layout="constrained")
        for axes, turn in zip(figure.subplots(1, 3), (0.0, 0.6, 1.0), strict=True):
            found = workspace(
                robot, x=(-0.5, 0.5, FINE), y=(-0.45, 0.55, FINE), at={"rz": turn}, limits=False
            )
            found.draw(axes=axes)
            axes.legend().set_visible(False)
            axes.set_title(f"turned by {turn:g} rad", loc="left")
        figure.draw_without_rendering()
    return figure


def capability() -> Figure:
    """Accelerations that the motors of a Delta allow."""
    robot = gough.zoo.load("delta")
    found = workspace(
        robot,
        x=(-0.45, 0.45, FINE),
        z=(-0.75, -0.2, FINE),
        capability="acceleration",
        efforts=25.0,
    )
    return found.draw("acceleration_worst")


def fichter() -> Figure:
    """A hexapod's singularities over height and turn."""
    angles = np.radians([[-2.5, 2.5, 117.5, 122.5, 237.5, 242.5], [-50, 50, 70, 170, 190, 290]])
    base, platform = (
        np.column_stack([r * np.cos(a), r * np.sin(a), 0.0 * a])
        for r, a in zip((3.0, 1.0), angles, strict=True)
    )
    home = np.eye(4)
    home[2, 3] = 2.1
    robot = gough.build.hexapod(base, platform, home=home)
    held = {"y": 0.0, "z": 2.1, "rx": 0.0, "ry": 0.35}
    return singularity_locus(robot, x=(-3.0, 3.0), rz=(-3.1, 3.1), at=held).draw()


def volume() -> Figure:
    """The workspace of a Delta in three dimensions, and the largest cylinder in it."""
    return workspace_volume(gough.zoo.load("delta"), x=51, y=51, z=51).draw()


if __name__ == "__main__":
    for name, make in {
        "workspace": parts,
        "workspace_turned": turned,
        "workspace_capability": capability,
        "workspace_hexapod": fichter,
        "workspace_volume": volume,
    }.items():
        save(make(), HERE / f"{name}.png", 110)
