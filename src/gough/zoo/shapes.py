"""Bodies for robots whose masses are not published: simple shapes, made uneven on purpose.

A real link has a motor, a cable or a bracket on one side.  Numbers of our own have one too, so that
no mass centre lies on an axis and no inertia is diagonal by accident.

In the figures of a robot a shape is given by its name, ``{disc: {mass: 0.7, ...}}``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gough.robot.inertia import MassProperties, composite, cylinder, rod, sphere


def link(
    mass: float,
    radius: float,
    span: float,
    *,
    axis: Sequence[float] = (1.0, 0.0, 0.0),
    start: float = 0.0,
    lump: float = 0.1,
    at: Sequence[float] = (0.0, 0.0, 0.0),
) -> MassProperties:
    """A round bar along a unit axis of the body, with a lump on it.

    Args:
        mass: of bar and lump together [kg].
        radius: of the bar [m].
        span: length of the bar [m].
        axis: unit vector along the bar, body axes.
        start: where the bar begins on the axis [m].
        lump: share of the mass that sits in the lump.
        at: place of the lump, body axes [m].
    """
    middle = [(start + span / 2.0) * c for c in axis]
    bar = cylinder(mass * (1.0 - lump), radius, span, axis=axis, center=middle)
    return composite([bar, sphere(mass * lump, radius, center=at)])


def disc(
    mass: float,
    radius: float,
    thickness: float,
    *,
    lump: float = 0.15,
    at: Sequence[float] = (0.0, 0.0, 0.0),
) -> MassProperties:
    """A round plate about z, centred on the origin, with a lump on it."""
    plate = cylinder(mass * (1.0 - lump), radius, thickness)
    return composite([plate, sphere(mass * lump, thickness, center=at)])


def arc(mass: float, radius: float, angle: float) -> MassProperties:
    """A bent link in two straight pieces about the origin, with the bearing of its second axis.

    Args:
        mass: of the pieces and the bearing together [kg].
        radius: of the arc, which begins on z and lies along x z, a little aside [m].
        angle: from the first axis, z, to the second [rad].
    """
    middle, end = (
        [radius * np.sin(a), 0.1 * radius, radius * np.cos(a)] for a in (angle / 2.0, angle)
    )
    pieces = [([0.0, 0.0, radius], middle), (middle, end)]
    bearing = sphere(0.3 * mass, 0.1 * radius, center=end)
    return composite([*(rod(0.35 * mass, a, b) for a, b in pieces), bearing])


SHAPES: dict[str, Callable[..., MassProperties]] = {"link": link, "disc": disc, "arc": arc}


def made(figures: Any) -> Any:
    """Nested figures as a copy that shares nothing, the shapes in it made into mass properties."""
    if isinstance(figures, list):
        return [made(item) for item in figures]
    if not isinstance(figures, dict):
        return figures
    for shape, make in SHAPES.items():
        if shape in figures:
            return make(**figures[shape])
    return {key: made(value) for key, value in figures.items()}
