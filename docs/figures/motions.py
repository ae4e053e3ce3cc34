"""Draws the picture of docs/motions.md: ``python docs/figures/motions.py``."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from make import save
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import gough
from gough import motion

PICTURE = Path(__file__).with_suffix(".png")
BLUE, ORANGE, GREEN, RED, GREY = "#1f5fa8", "#d9731a", "#5a9e6f", "#b8443c", "#66727f"


def picture() -> Figure:
    """Four panels: a path, time laws, orientations, and noise."""
    delta, hexapod = gough.zoo.load("delta"), gough.zoo.load("gough_stewart")
    figure = Figure(figsize=(10.0, 6.6), layout="constrained")
    (path, laws), (turns, noise) = figure.subplots(2, 2)
    _path(path, delta)
    _laws(laws, delta)
    _turns(turns, hexapod)
    _noise(noise, delta)
    for axes in (path, laws, turns, noise):
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
        axes.xaxis.label.set_size(8.5)
        axes.yaxis.label.set_size(8.5)
        axes.title.set(fontsize=9.5, horizontalalignment="center")
    return figure


def _path(axes: Axes, robot: gough.Robot) -> None:
    for blend, colour in ((0.0, GREY), (0.5, BLUE), (1.0, ORANGE)):
        m = motion.pick_and_place(robot, acceleration=100.0, blend=blend)
        half = m.duration / 2.0
        fine = m(np.linspace(0.0, half, 400)).T_0p[:, :3, 3]
        dots = m(np.arange(0.0, half, 0.005)).T_0p[:, :3, 3]
        label = f"blend {blend:g}: {m.duration:.2f} s a cycle"
        axes.plot(1e3 * fine[:, 0], 1e3 * (fine[:, 2] - fine[0, 2]), color=colour, lw=1.2)
        axes.plot(1e3 * dots[:, 0], 1e3 * (dots[:, 2] - fine[0, 2]), ".", color=colour, label=label)
    axes.set(xlabel="x [mm]", ylabel="height [mm]", ylim=(-1.5, 29.0), yticks=(0, 25))
    axes.set_title("Pick and place at 100 m/s², a dot every 5 ms")
    axes.legend(fontsize=8.5, frameon=False, loc="center")


def _laws(axes: Axes, robot: gough.Robot) -> None:
    end = robot.home_pose[:3, 3] + np.array([0.1, 0.0, 0.0])
    strokes = [
        (name, motion.point_to_point(robot, None, end, duration=0.2, law=name), colour)
        for name, colour in (("quintic", BLUE), ("septic", GREEN), ("cruise", GREY))
    ]
    limits = {"velocity": 0.8, "acceleration": 20.0, "jerk": 1000.0}
    fast = motion.jerk_limited(robot, None, end, **limits)
    for name, m, colour in [*strokes, ("jerk_limited", fast, ORANGE)]:
        s = m.sample(2000.0)
        axes.plot(1e3 * s.t, s.Vdot_0p[:, 0], color=colour, lw=1.6, label=name)
    axes.set(xlabel="time [ms]", ylabel="acceleration [m/s²]")
    axes.set_title("100 mm in 0.2 s, or as fast as limits allow")
    axes.legend(fontsize=8, frameon=False)


def _turns(axes: Axes, robot: gough.Robot) -> None:
    home = robot.home_pose
    poses = [home]
    for rpy in ((0.0, 0.45, 0.0), (0.45, 0.3, 0.3), (0.2, -0.35, 0.0), (-0.35, 0.0, -0.3)):
        T = home.copy()
        T[:3, :3] = gough.Frame.from_rpy((0, 0, 0), rpy).matrix[:3, :3]
        poses.append(T)
    curve = motion.through(robot, poses, [0.0, 0.4, 0.7, 1.1, 1.5])
    strokes = [motion.point_to_point(robot, a, b, duration=0.4) for a, b in pairwise(poses)]
    for k, stroke in enumerate(strokes):
        R = stroke.sample(200.0).T_0p[:, :3, :3]
        axes.plot(*R[:, :2, 2].T, color=GREY, lw=1.2, ls="--", label="strokes" if not k else None)
    R = curve.sample(400.0).T_0p[:, :3, :3]
    axes.plot(*R[:, :2, 2].T, color=BLUE, lw=1.7, label="curve through all")
    at = np.array(poses)[:, :2, 2]
    axes.plot(*at.T, "o", color=ORANGE, ms=5, label="poses")
    axes.set(xlabel="towards x", ylabel="towards y", aspect="equal")
    axes.set_title("A hexapod tilts: where the platform's normal points")
    axes.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _noise(axes: Axes, robot: gough.Robot) -> None:
    m = motion.lissajous(
        robot, amplitude=0.05, frequency={"x": 3.0, "y": 2.0, "z": 1.0}, duration=1.0, ramp=0.25
    )
    t = np.linspace(0.0, 1.0, 251)
    rng = np.random.default_rng(2)
    seen = m(t).T_0p[:, :3, 3] + 1e-4 * rng.normal(size=(len(t), 3))
    found = motion.from_samples(robot, t, seen)
    differences = np.gradient(np.gradient(seen[:, 0], t), t)
    fine = np.linspace(0.0, 1.0, 1001)
    axes.plot(t, differences, ".", color=RED, ms=3, label="differences")
    axes.plot(fine, m(fine).Vdot_0p[:, 0], color=GREY, lw=3.0, alpha=0.55, label="the truth")
    axes.plot(fine, found(fine).Vdot_0p[:, 0], color=BLUE, lw=1.2, label="from_samples")
    axes.set(xlabel="time [s]", ylabel="acceleration [m/s²]", ylim=(-27.0, 39.0))
    axes.set_title("250 samples a second with 0.1 mm of noise")
    axes.legend(fontsize=8, frameon=False, ncols=3, loc="upper right", columnspacing=1.2)


if __name__ == "__main__":
    save(picture(), PICTURE, 120)
