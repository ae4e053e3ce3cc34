"""Legs with a pair of parallel bars: the Delta's, on an arm or on a slider.

The bars of leg 1 are ``bar1a``, at +s along the elbow axis, and ``bar1b``, at -s.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import E_Y, rotation_y
from gough.build import checks
from gough.build.chains import across, chain
from gough.build.checks import Solid
from gough.build.legs_common import ABOUT_Y, apart, at_home, hinge, on_link, swing
from gough.build.parts import BASE, PLATFORM, Parts
from gough.build.reach import check_word, crank_angle, slider_position
from gough.robot import Axis, Frame


def delta_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    arm: float,
    bar: float,
    half_spacing: float,
    elbow: str = "out",
    bars: str = "US",
    side: Any = None,
    arm_body: Solid = None,
    bar_a: Solid = None,
    bar_b: Solid = None,
    motor: Axis | None = None,
    base: str = BASE,
    platform: str = PLATFORM,
) -> Parts:
    """An arm and two parallel bars; the motor turns the arm: ``R* [U S | U S]``.

    The arm's coordinate is zero along x of the base frame and positive towards -z.  The arm's frame
    sits on its axis, x along the arm, y along the axis; a bar's at the elbow, x along the bar, z
    along the second universal axis; the first one is the arm's y.

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        T_0p: pose of the platform body at home, 4x4 or Frame.
        base_point: Frame of the motor, y along its axis, x outward; a point has the base's axes.
        platform_point: middle between the ends of the two bars, platform axes [m].
        arm: length of the arm [m].
        bar: length of the bars [m].
        half_spacing: half the distance of the bars [m].
        elbow: ``"out"``, the elbow further along x, or ``"in"``.
        bars: ``"US"``, universal joint at the arm and ball at the platform, or ``"SS"``, two balls.
        side: direction from bar b to bar a on the platform, platform axes; default that of the
            elbow axis at home.
        arm_body: a Body, mass properties, or None for one without mass.
        bar_a: body of the bar at +s along the elbow axis.
        bar_b: body of the bar at -s.
        motor: friction, rotor, transmission and limits of the motor.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
    """
    foot = checks.foot_frame(base_point)
    u = foot[:3, :3].T @ apart(foot, at_home(T_0p, platform_point), leg)
    a, r = checks.length(arm, "arm"), checks.length(bar, "bar")
    q = crank_angle(u, a, r, elbow, leg)
    ahead = rotation_y(-q) @ (u - a * np.array([np.cos(q), 0.0, -np.sin(q)]))
    ends = _ends(foot, platform_point, T_0p, side, half_spacing)
    return _pair(
        leg,
        ("R*", f"arm{leg}", (hinge(foot), ABOUT_Y), q, motor),
        {f"arm{leg}": arm_body},
        [on_link(a, half_spacing), on_link(a, -half_spacing)],
        ends,
        (bars, r, ahead),
        {f"bar{leg}a": bar_a, f"bar{leg}b": bar_b},
        (base, platform),
    )


def linear_delta_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    bar: float,
    half_spacing: float,
    slide: str = "behind",
    bars: str = "US",
    side: Any = None,
    slider: Solid = None,
    bar_a: Solid = None,
    bar_b: Solid = None,
    motor: Axis | None = None,
    base: str = BASE,
    platform: str = PLATFORM,
) -> Parts:
    """A slider and two parallel bars; the motor drives the slider: ``P* [U S | U S]``.

    The slider runs along z of the base frame and has its axes; the bars stand at +-s along its y,
    the first universal axis.  A bar's frame sits on the slider, x along the bar.

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        T_0p: pose of the platform body at home, 4x4 or Frame.
        base_point: Frame of the rail, z along it, y along the elbow axis; a point has the axes of
            the base.
        platform_point: middle between the ends of the two bars, platform axes [m].
        bar: length of the bars [m].
        half_spacing: half the distance of the bars [m].
        slide: ``"behind"``, the slider short of the platform along z, or ``"ahead"`` of it.
        bars: as for :func:`delta_leg`.
        side: as for :func:`delta_leg`.
        slider: a Body, mass properties, or None for one without mass.
        bar_a: body of the bar at +s along the elbow axis.
        bar_b: body of the bar at -s.
        motor: friction, rotor, transmission and limits of the motor.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
    """
    foot = checks.foot_frame(base_point)
    u = foot[:3, :3].T @ (at_home(T_0p, platform_point) - foot[:3, 3])
    r = checks.length(bar, "bar")
    q = slider_position(u, r, slide, leg)
    ends = _ends(foot, platform_point, T_0p, side, half_spacing)
    return _pair(
        leg,
        ("P*", f"slider{leg}", (Frame.from_matrix(foot), Frame()), q, motor),
        {f"slider{leg}": slider},
        [on_link(0.0, half_spacing), on_link(0.0, -half_spacing)],
        ends,
        (bars, r, u - np.array([0.0, 0.0, q])),
        {f"bar{leg}a": bar_a, f"bar{leg}b": bar_b},
        (base, platform),
    )


def _ends(
    foot: np.ndarray, platform_point: Any, T_0p: Any, side: Any, half_spacing: float
) -> list[Frame]:
    """Where the two bars end on the platform."""
    s = checks.length(half_spacing, "half_spacing")
    R_0p = checks.pose(T_0p, "T_0p")[:3, :3]
    axis = R_0p.T @ foot[:3, :3] @ E_Y if side is None else checks.direction(side, "side")
    middle = checks.point(platform_point, "platform_point")
    return [Frame((middle + s * axis).tolist()), Frame((middle - s * axis).tolist())]


def _pair(
    leg: str | int,
    driven: tuple[str, str, tuple[Frame, Frame], float, Axis | None],
    carrier: dict[str, Solid],
    starts: list[Frame],
    ends: list[Frame],
    bar: tuple[str, float, np.ndarray],
    bodies: dict[str, Solid],
    joined: tuple[str, str],
) -> Parts:
    """A driven body with two bars: one chain to the platform, and one that branches off it."""
    letter, name, frames, q, motor = driven
    kinds, r, ahead = bar
    check_word(kinds, ("US", "SS"), "bars")
    base, platform = joined
    angles = swing(ahead)
    at = angles if kinds == "US" else across("universal", angles)[:3, :3]
    first, second = bodies.items()
    near = kinds[0].lower()
    whole = chain(
        f"{letter} {kinds[0]} S",
        [frames, (starts[0], Frame()), (Frame((r, 0.0, 0.0)), ends[0])],
        leg=leg,
        links={**carrier, first[0]: first[1]},
        values=[q, at, None],
        names=[name, f"{near}{leg}a", f"b{leg}a"],
        axes=[motor, None, None],
        start=base,
        end=platform,
    )
    carried = whole.bodies[0].name
    return whole + chain(
        f"{kinds[0]} S",
        [(starts[1], Frame()), (Frame((r, 0.0, 0.0)), ends[1])],
        leg=leg,
        links={second[0]: second[1]},
        values=[at, None],
        names=[f"{near}{leg}b", f"b{leg}b"],
        start=carried,
        start_pose=whole.poses[carried],
        end=platform,
    )
