"""The linear Delta of 3-D printers: sliders on upright rails; the platform only translates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from gough.base.arguments import number
from gough.base.spatial import E_Z, pose, rotation_z
from gough.build import checks
from gough.build.deltas import THIRDS, around
from gough.build.legs_bars import linear_delta_leg
from gough.build.parts import BARE, Leg, MachineOptions, at_home, each_leg, machine, start_pose
from gough.build.recording import recorded
from gough.errors import InputError
from gough.robot import Robot

_UPRIGHT = (
    1e-6  # share of their length by which bars must lean: below it they hold nothing sideways
)


@recorded(*MachineOptions.__annotations__)
def linear_delta(
    rail_radius: float,
    platform_radius: float,
    bar: Any,
    half_spacing: float,
    *,
    endstops: Any = 0.0,
    legs: Leg | Sequence[Leg] = BARE,
    angles: Any = THIRDS,
    bars: str = "US",
    home: Any = None,
    near: Any = None,
    name: str = "linear_delta",
    **rest: Unpack[MachineOptions],
) -> Robot:
    """A linear Delta from a few lengths; its platform hangs from sliders on upright rails.

    The motors' coordinates are the heights of the sliders above their end stops: zero there,
    negative below.  The slider of leg i stands at its end stop at the height
    ``endstops[i] + sqrt(bar[i]**2 - (rail_radius - platform_radius)**2)`` over the plane z = 0 of
    the base, and the bars end at the height of the platform's origin, which is the tip of the tool.
    Only the difference of the two radii counts for where the platform is; it is the "delta
    radius" of printers.  Bodies without figures are massless, and declared so; there are no limits.

    Args:
        rail_radius: distance of the bars' upper ends from the middle [m].
        platform_radius: distance of the bars' lower ends from the platform's middle [m].
        bar: length of the bars [m], one for all legs or a list with one for each.
        half_spacing: half the distance of the two bars of a leg [m].
        endstops: height of the platform over z = 0 with the slider of a leg at its end stop and the
            platform in the middle [m], one for all legs or a list.
        legs: what the legs are made of, slider and bars, one for all or a list; frames as in
            :func:`gough.build.linear_delta_leg`.
        angles: of the legs around base z [rad]; more than three are possible, their motors are
            redundant, and declared so.
        bars: ``"US"``, universal joints at the slider, or ``"SS"``, balls at both ends.
        home: pose of the platform at home, 4x4 or Frame; default in the middle, halfway between
            z = 0 and the end stops.  Or by motors: ``"mid"``, all sliders at the middle of their
            strokes, positions by name, as for :func:`gough.build.machine`.
        near: of a home by motors: pose from which the sliders are led there; default as for
            ``home``.
        name: identifier; bodies are ``slider1 bar1a bar1b ... platform``, motors ``slider1 ...``.
        **rest: platform, platform_frame, redundant, gravity, label and source, as for
            :func:`gough.build.machine`.

    Raises:
        InputError: a length that is not positive, bars that are too short, or radii that are equal.

    Example:
        >>> printer = gough.build.linear_delta(0.2, 0.04, 0.35, 0.025, endstops=0.42)
    """
    phi = [checks.angle(a, "angles") for a in checks.listed(angles, "angles")]
    count = len(phi)
    if count < len(THIRDS):
        raise InputError(f"angles: a Delta needs three legs, got {count}", argument="angles")
    radii = [
        checks.length(rail_radius, "rail_radius", zero=True),
        checks.length(platform_radius, "platform_radius", zero=True),
    ]
    lengths = [checks.length(r, "bar") for r in checks.each(bar, count, "bar")]
    stops = [number(h, "endstops") for h in checks.each(endstops, count, "endstops")]
    heights = _heights(radii, lengths, stops)
    given = start_pose(home, near)
    T = pose(np.eye(3), 0.5 * float(np.mean(stops)) * E_Z) if given is None else given
    T = checks.pose(T, "home")
    parts = []
    for i, made_of in enumerate(each_leg(legs, count)):
        foot, end = around(phi[i], radii[0]), rotation_z(phi[i]) @ [radii[1], 0.0, 0.0]
        foot[2, 3] = heights[i]
        shape: dict[str, Any] = {"bar": lengths[i], "half_spacing": half_spacing, "bars": bars}
        side = foot[:3, 1]
        parts.append(
            linear_delta_leg(i + 1, foot, end, T, made_of, slide="ahead", side=side, **shape)
        )
    options: MachineOptions = {"redundant": count > len(THIRDS), **rest}
    return machine(name, parts, **at_home(home, T), **options)


def _heights(radii: list[float], lengths: list[float], stops: list[float]) -> list[float]:
    """Heights of the sliders at their end stops over the plane z = 0 [m]."""
    lean = abs(radii[0] - radii[1])
    found = []
    for leg, (length, stop) in enumerate(zip(lengths, stops, strict=True), start=1):
        if lean >= length:
            raise InputError(
                f"leg {leg}: bars of {length:g} m do not span the {lean:g} m between rail_radius "
                "and platform_radius",
                hint="Check the lengths (gough is SI only: metres).",
                argument="bar",
                leg=str(leg),
            )
        if lean < _UPRIGHT * length:
            raise InputError(
                f"rail_radius and platform_radius are both {radii[0]:g} m: the bars hang upright "
                "and hold nothing sideways",
                argument="platform_radius",
            )
        found.append(stop + float(np.sqrt(length**2 - lean**2)))
    return found
