"""Bodies for robots whose masses are nobody's: simple shapes, made uneven on purpose.

A real link has a motor, a cable or a bracket on one side.  Numbers of our own have one too, so that
no mass centre lies on an axis and no inertia is diagonal by accident.
"""

from __future__ import annotations

from collections.abc import Sequence

from gough.robot.inertia import MassProperties, composite, cylinder, sphere


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
