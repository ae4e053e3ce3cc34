"""Draws the picture of docs/simulation.md: ``python docs/figures/simulation.py``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from make import save
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import gough
from gough import control, motion

PICTURE = Path(__file__).with_suffix(".png")
BLUE, ORANGE, GREEN, RED, GREY = "#1f5fa8", "#d9731a", "#5a9e6f", "#b8443c", "#66727f"
BANDWIDTH = 60.0


def picture() -> Figure:
    """Four panels: tracking errors, a fall, two hundred machines, and steps against errors."""
    robot = gough.zoo.load("delta")
    figure = Figure(figsize=(10.0, 7.0), layout="constrained")
    grid = figure.add_gridspec(2, 5)
    tracking = figure.add_subplot(grid[0, :3])
    fall = figure.add_subplot(grid[0, 3:], projection="3d")
    many = figure.add_subplot(grid[1, :3])
    steps = figure.add_subplot(grid[1, 3:])
    _tracking(tracking, robot)
    _fall(fall, robot)
    _many(many, robot)
    _steps(steps, robot)
    for axes in (tracking, many, steps):
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
        axes.xaxis.label.set_size(8.5)
        axes.yaxis.label.set_size(8.5)
        axes.title.set(fontsize=9.5, horizontalalignment="center")
    return figure


def _task(robot: gough.Robot) -> motion.Motion:
    """A pick and place cycle, and a rest."""
    cycle = motion.pick_and_place(robot, cycle=0.6)
    return cycle.then(motion.hold(robot, cycle.end, 0.2))


def _tracking(axes: Axes, robot: gough.Robot) -> None:
    task, heavy = _task(robot), control.perturb(robot, masses=1.1)
    gains: dict[str, Any] = {"bandwidth": BANDWIDTH}
    runs = [
        ("PD, weight carried; 10 % heavier", heavy, control.joint_pd(robot, task, **gains), RED),
        (
            "computed torque; 10 % heavier",
            heavy,
            control.computed_torque(robot, task, **gains),
            ORANGE,
        ),
        (
            "computed torque at 1 kHz, exact model",
            robot,
            control.computed_torque(robot, task, **gains, period=1e-3),
            GREEN,
        ),
        (
            "computed torque, exact model",
            robot,
            control.computed_torque(robot, task, **gains),
            BLUE,
        ),
    ]
    for label, plant, law, colour in runs:
        accurate = {"integrator": "dop853"} if colour == BLUE else {}
        found = gough.simulate(plant, task(0.0), law, task.duration, **accurate)
        error = 1e3 * np.maximum(found.tracking.position[1:], 1e-16)
        axes.semilogy(found.t[1:], error, color=colour, lw=1.5, label=label)
    M, c = gough.inertia_matrix(robot, task.end), gough.gravity_wrench(robot, task.end)
    rest = 1e3 * np.linalg.norm(np.linalg.solve(M, 0.1 * c)[:3]) / BANDWIDTH**2
    axes.plot([0.6, 0.81], [rest, rest], color="black", lw=1.0, ls="--")
    axes.text(0.815, rest, f"M kp e = 0.1 c\n{rest:.3f} mm", fontsize=8, va="center")
    axes.set(xlabel="time [s]", ylabel="error of the platform [mm]", ylim=(1e-13, 1e5))
    axes.set(xlim=(0.0, 0.93), yticks=10.0 ** np.arange(-12, 3, 2))
    axes.set_title("A Delta picks and places, rests from 0.6 s on, and is off by")
    axes.legend(fontsize=8, frameon=False, ncols=2, loc="upper center")


def _fall(axes: Any, robot: gough.Robot) -> None:
    found = gough.simulate(robot, robot.home_pose, None, 2.0, integrator="dop853")
    poses = found.T_0p[[0, -1]]
    gough.draw(robot, poses, axes=axes, frames=False, view=(12.0, -75.0), scale=False)
    axes.set_title(
        f"Without efforts it falls, and stops after {found.event.time:.3f} s:\n"
        "an arm and its bars are in line, Type 1",
        fontsize=9.5,
    )


def _many(axes: Axes, robot: gough.Robot) -> None:
    task, count = _task(robot), 200
    rng = np.random.default_rng(0)
    factors = rng.normal(1.0, 0.05, (count, len(robot.bodies)))
    masses = factors * [body.mass for body in robot.bodies]
    inertias = factors[..., None, None] * [body.inertia for body in robot.bodies]
    law = control.computed_torque(robot, task, bandwidth=BANDWIDTH, period=1e-3)
    figures = {"masses": masses, "inertias": inertias}
    found = gough.simulate(robot, task(0.0), law, task.duration, parameters=figures)
    error = 1e3 * found.tracking.position
    for one in error[:40]:
        axes.plot(found.t, one, color=BLUE, lw=0.5, alpha=0.25)
    low, middle, high = np.percentile(error, [5.0, 50.0, 95.0], axis=0)
    axes.fill_between(found.t, low, high, color=BLUE, alpha=0.2, lw=0.0, label="nine of ten")
    axes.plot(found.t, middle, color=BLUE, lw=1.8, label="median")
    axes.plot(found.t, error.max(axis=0), color=RED, lw=1.1, label="the worst")
    axes.set(
        xlabel="time [s]", ylabel="error of the platform [mm]", xlim=(0.0, 0.81), ylim=(0, None)
    )
    axes.set_title(
        f"{count} Deltas at once, the mass of every body off by 5 % (standard deviation)"
    )
    axes.legend(fontsize=8, frameon=False)


def _steps(axes: Axes, robot: gough.Robot) -> None:
    sprung, weight, start = _sprung(robot)
    best = {"integrator": "dop853", "rtol": 1e-13, "atol": 1e-15}
    exact = gough.simulate(sprung, start, weight, 1.0, **best).T_0p[-1, :3, 3]
    fixed = [{"step": step} for step in (8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)]
    own = [{"integrator": "dop853", "rtol": r, "atol": 0.01 * r} for r in 10.0 ** -np.arange(4, 13)]
    for label, runs, colour in (("rk4", fixed, ORANGE), ("dop853", own, BLUE)):
        found = [gough.simulate(sprung, start, weight, 1.0, **run) for run in runs]
        errors = [np.linalg.norm(one.T_0p[-1, :3, 3] - exact) for one in found]
        axes.loglog([one.steps for one in found], errors, "o-", ms=4, lw=1.3, color=colour)
        axes.annotate(
            label,
            (found[1].steps, errors[1]),
            (8, 4),
            textcoords="offset points",
            color=colour,
            fontsize=9,
        )
    ticks = [20, 50, 100, 200, 500, 1000, 2000]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set(xlabel="steps", ylabel="error after 1 s [m]")
    axes.set_title("A swinging Delta, 1 s")


def _sprung(robot: gough.Robot) -> tuple[gough.Robot, np.ndarray, np.ndarray]:
    """Without friction and on springs; efforts that carry it at home; a pose beside home."""
    robot = control.perturb(robot, friction=0.0)
    home = robot.home_pose
    rest = dict(zip(robot.motors, gough.inverse_kinematics(robot, home), strict=True))
    joints = [
        replace(j, axes=(replace(j.axes[0], spring=gough.Spring(20.0, float(rest[j.name]))),))
        if j.name in rest
        else j
        for j in robot.joints
    ]
    sprung = replace(robot, joints=tuple(joints))
    weight = gough.inverse_dynamics(sprung, home)
    start = home.copy()
    start[:3, 3] += (0.015, 0.004, -0.008)
    return sprung, weight, start


if __name__ == "__main__":
    save(picture(), PICTURE, 110)
