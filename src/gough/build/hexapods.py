"""Hexapods: six telescopic legs between two sets of points."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from gough.build import checks
from gough.build.homes import SINGULAR, choose, held, placed, poses_above, spread
from gough.build.legs_telescopic import ups_leg
from gough.build.parts import BARE, Leg, MachineOptions, at_home, each_leg, machine, start_pose
from gough.build.recording import recorded
from gough.errors import DescriptionWarning, InputError
from gough.robot import Robot

_LEGS = 6


@recorded(*MachineOptions.__annotations__)
def hexapod(
    base_points: Any,
    platform_points: Any,
    *,
    legs: Leg | Sequence[Leg] = BARE,
    cross: Any = None,
    first_axis: Any = None,
    home: Any = None,
    near: Any = None,
    name: str = "hexapod",
    **rest: Unpack[MachineOptions],
) -> Robot:
    """A Gough-Stewart platform, 6-UPS, from points alone.

    The motors' coordinates are the distances of the points, ``q_i = |B_i P_i|`` [m].  Bodies
    without figures are massless, and declared so; there are no limits.

    Args:
        base_points: leg points on the base, base axes [m], shape (6, 3); more than six legs are
            possible, their motors are redundant, and declared so.
        platform_points: leg points on the platform, platform axes [m], same shape.
        legs: what the legs are made of, cylinder and rod, one for all or a list; frames as in
            :func:`gough.build.ups_leg`.
        cross: mass properties of the universal joints' crosses, one for all legs or a list.
        first_axis: direction of the first universal axis in base axes, for all legs, or a list of
            six; default horizontal and across the leg, which then never comes near it.
        home: pose of the platform at home, 4x4 or Frame; default: above the base, upright if that
            is well conditioned, else turned.  Or by motors: ``"mid"``, all legs at the middle of
            their strokes, lengths by name, or a list of them, as for :func:`gough.build.machine`.
        near: of a home by motors: pose from which the legs are led there; default as for ``home``.
        name: identifier of the robot; bodies are ``cyl1 rod1 ... platform``, motors ``p1 ...``.
        **rest: platform, platform_frame, redundant, gravity, label and source, as for
            :func:`gough.build.machine`.

    Raises:
        InputError: points that are too few, not finite, or coincide.

    Warns:
        DescriptionWarning: the legs do not hold the platform in any pose that was tried, as with
            similar hexagons; the robot is built all the same.
    """
    base, top = hexapod_points(base_points, platform_points)
    count = len(base)
    axes = [None] * count if first_axis is None else _axes(first_axis, count)
    given = start_pose(home, near)
    if given is None:
        T, worth = hexapod_home(base, top, None if first_axis is None else axes)
        if worth < SINGULAR:
            warnings.warn(
                f"{name}: the legs do not hold the platform in any pose that was tried: "
                "it is probably singular everywhere, as similar hexagons are",
                DescriptionWarning,
                stacklevel=2,
            )
    else:
        T = checks.pose(given, "home")
    made, crosses = each_leg(legs, count), checks.each(cross, count, "cross")
    parts = [
        ups_leg(i + 1, base[i], top[i], T, made[i], first_axis=axes[i], cross=crosses[i])
        for i in range(count)
    ]
    options: MachineOptions = {"redundant": count > _LEGS, **rest}
    return machine(name, parts, **at_home(home, T), **options)


def hexapod_points(base_points: Any, platform_points: Any) -> tuple[np.ndarray, np.ndarray]:
    """Points of six legs or more, checked."""
    base = checks.points(base_points, "base_points")
    top = checks.points(platform_points, "platform_points")
    if len(base) != len(top):
        raise InputError(
            f"{len(base)} base points and {len(top)} platform points: a leg joins one of each",
            argument="platform_points",
        )
    if len(base) < _LEGS:
        raise InputError(
            f"a hexapod needs six legs, got {len(base)}",
            hint="For fewer legs: gough.build.ups_leg and gough.build.machine.",
            argument="base_points",
            count=len(base),
        )
    for what, points in (("base_points", base), ("platform_points", top)):
        if spread(points) <= 1e-9 * float(np.abs(points).max(initial=0.0)):
            raise InputError(f"{what}: all points coincide", argument=what)
    size = max(spread(base), spread(top))
    for i in range(len(base)):
        for k in range(i):
            apart = np.linalg.norm(base[i] - base[k]) + np.linalg.norm(top[i] - top[k])
            if apart < 1e-9 * size:
                raise InputError(
                    f"legs {k + 1} and {i + 1} join the same points",
                    argument="base_points",
                    legs=(k + 1, i + 1),
                )
    return base, top


def hexapod_home(
    base: np.ndarray, top: np.ndarray, first_axes: Any = None
) -> tuple[np.ndarray, float]:
    """A pose in which the struts hold the platform well, and how well.

    Args:
        base: base points, one a row [m].
        top: platform points, platform axes, one a row [m].
        first_axes: first universal axes that the legs must stay away from, if they are given.
    """
    size = max(spread(base), spread(top))

    def worth(T: np.ndarray) -> float:
        struts = placed(T, top) - base
        lengths = np.linalg.norm(struts, axis=1)
        if lengths.min() < 0.1 * size:
            return float("nan")
        lines = struts / lengths[:, None]
        away = None if first_axes is None else np.linalg.norm(np.cross(first_axes, lines), axis=1)
        return held(T, top, lines, away)

    return choose(poses_above(base, top), worth, "hexapod")


def _axes(given: Any, count: int) -> list[np.ndarray]:
    if np.ndim(given) == 1:
        return [checks.direction(given, "first_axis")] * count
    return [
        checks.direction(axis, "first_axis") for axis in checks.points(given, "first_axis", count)
    ]
