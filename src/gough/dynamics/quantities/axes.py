"""Which axes of a robot quantities look at: limited, passive, shown, counted."""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array
from gough.geometry.closed_form.search import closed_form
from gough.geometry.turns import counted_axes
from gough.mechanism.closure.axes import coordinate
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint_kinds import BALL, PLANE, SLIDE


def bounded_axes(assembly: Assembly) -> list[str]:
    """Axes whose positions have limits."""
    robot = assembly.robot
    return [
        name
        for name in robot.axis_names
        if robot.axis(name).limits.position is not None and assembly.axes[name].what != PLANE
    ]


def limited_axes(assembly: Assembly) -> tuple[str, ...]:
    """The motors, then all other axes whose positions have limits."""
    motors = assembly.robot.motors
    return (*motors, *(name for name in bounded_axes(assembly) if name not in motors))


def limited_scales(assembly: Assembly) -> np.ndarray:
    """Unit of each of them, natural units: 1 rad, or the robot's length [m or rad]."""
    slides = [assembly.axes[name].what == SLIDE for name in limited_axes(assembly)]
    return np.where(slides, assembly.length, 1.0)


def passive_axes(assembly: Assembly) -> list[str]:
    """Axes without motors whose position or speed is limited, by name."""
    robot = assembly.robot
    limits = {name: robot.axis(name).limits for name in robot.axis_names}
    return [
        name
        for name, each in limits.items()
        if name not in robot.motors and (each.position or each.velocity)
    ]


def shown_axes(assembly: Assembly) -> list[str]:
    """Axes with a position to show: all but planes; of a ball it is the tilt."""
    return [name for name, place in assembly.axes.items() if place.what != PLANE]


def counted_names(assembly: Assembly) -> list[str]:
    """Names of motors and sprung axes whose turns are counted along the way."""
    places = counted_axes(assembly)
    return [name for name, place in assembly.axes.items() if place in places]


def margin_count(assembly: Assembly) -> int:
    """Number of steps of the closed form that have branches."""
    form = closed_form(assembly)
    return 0 if form is None else sum(step.branches for step in form.steps)


def axis_or_tilt(assembly: Assembly, at: Equations, name: str) -> Array:
    """Coordinate of an axis; of a ball, the tilt between the z axes of its frames."""
    if assembly.axes[name].what != BALL:
        return assembly.axis_position(at, name)
    R = coordinate(at, assembly.axes[name])
    return np.arctan2(np.sqrt(R[0, 2] * R[0, 2] + R[1, 2] * R[1, 2]), R[2, 2])
