"""Draws the pictures of docs/elasticity.md: ``python docs/figures/elasticity.py``."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from make import save
from matplotlib.figure import Figure

import gough

HERE = Path(__file__).resolve().parent
ROBOT = HERE.parents[1] / "examples" / "robots" / "elastic_delta.yaml"
LOADS = gough.Loads(payload=0.5)


def shapes() -> Figure:
    """Deflection, the lowest vibration, and one in which bars bend."""
    found = gough.elasticity(gough.load(ROBOT), loads=LOADS)
    figure = plt.figure(figsize=(11.0, 4.2))
    figure.subplots_adjust(left=0.0, right=1.0, bottom=0.02, top=0.9, wspace=0.0)
    panels = [figure.add_subplot(1, 3, k + 1, projection="3d") for k in range(3)]
    found.deflection().draw(axes=panels[0])
    vibrations = found.vibrations(4)
    vibrations.draw(1, axes=panels[1])
    vibrations.draw(4, axes=panels[2])
    for axes in panels:
        axes.set_title(axes.get_title().removeprefix("elastic_delta, "), fontsize=10)
    return figure


def ringing() -> Figure:
    """A pick-and-place cycle as planned, and through a shaper."""
    robot = gough.load(ROBOT)
    cycle = gough.motion.pick_and_place(robot, cycle=0.42)
    plain = gough.elastic_motion(robot, cycle, loads=LOADS)
    shaper = plain.suggested_shaper("zvd")
    return plain.draw(gough.elastic_motion(robot, cycle, loads=LOADS, shaper=shaper))


if __name__ == "__main__":
    save(shapes(), HERE / "elasticity_shapes.png")
    save(ringing(), HERE / "elasticity_ringing.png")
