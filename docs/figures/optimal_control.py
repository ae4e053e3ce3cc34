"""Draws the picture of docs/optimal-control.md from the page's own code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import gough
from gough.report.drawing import draw
from gough.report.drawing.figure import scenes

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "optimal-control.md"


def solved() -> dict[str, Any]:
    """Names of the page once all of its code has run."""
    names: dict[str, Any] = {}
    for code in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        exec(code, names)
    return names


def picture(found: dict[str, Any]) -> Figure:
    """Paths on the left, efforts on the right."""
    figure = Figure(figsize=(11.0, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    robot, states = found["robot"], found["states"]
    poses = gough.state(robot, np.stack([found["start"], found["end"]])).T_0p
    draw(robot, poses, axes=left, frames=False, scale=False)
    plane = scenes(robot, poses)[-1].plane
    assert plane is not None

    def at(points: np.ndarray) -> np.ndarray:
        """Points of the platform's plane where the drawing has them."""
        return plane.project(np.column_stack([points.T, np.zeros(points.shape[1])])).T

    fastest = f"fastest, {found['duration']:.3f} s"
    left.plot(*at(states[:2]), color="#d1660f", linewidth=2.5, zorder=90, label=fastest)
    ends = np.stack([found["start"], found["end"]]).T
    straight = f"straight, {found['straight']:.3f} s"
    left.plot(*at(ends), "--", color="#1f1f1f", linewidth=1.5, zorder=90, label=straight)
    left.legend(fontsize=8, loc="upper left", frameon=False)
    edges = np.linspace(0.0, found["duration"], found["N"] + 1)
    for name, tau, color in zip(
        robot.motors, found["efforts"], ("#d1660f", "#2b5d8c"), strict=True
    ):
        right.stairs(tau, edges, baseline=None, label=name, color=color, linewidth=1.8)
    for bound in (-found["most"], found["most"]):
        right.axhline(bound, color="#8a8f98", linewidth=0.8, linestyle=":")
    right.set_xlabel("t [s]")
    right.set_ylabel("effort [N m]")
    right.legend(fontsize=8, frameon=False)
    return figure


if __name__ == "__main__":
    picture(solved()).savefig(HERE / "optimal_control.png", dpi=110)
