"""Legs with a pair of parallel bars: the Delta's, on an arm or on a slider.

The bars of leg 1 are ``bar1a``, at +s along the elbow axis, and ``bar1b``, at -s.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import E_Y, rotation_y
from gough.build import checks
from gough.build.chains import chain
from gough.build.legs_common import ABOUT_Y, ALONG_X, apart, at_home, hinge, on_link, swing
from gough.build.parts import BARE, Leg, Parts, checked_leg
from gough.build.reach import check_word, crank_angle, slider_position
from gough.robot import Frame
from gough.robot.joint_kinds import KINDS


def delta_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    made_of: Leg = BARE,
    *,
    arm: float,
    bar: float,
    half_spacing: float,
    elbow: str = "out",
    bars: str = "US",
    side: Any = None,
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
        made_of: arm and bars, with the motor.
        arm: length of the arm [m].
        bar: length of the bars [m].
        half_spacing: half the distance of the bars [m].
        elbow: ``"out"``, the elbow further along x, or ``"in"``.
        bars: ``"US"``, universal joint at the arm and ball at the platform, or ``"SS"``, two balls.
        side: direction from bar b to bar a on the platform, platform axes; default that of the
            elbow axis at home.
    """
    foot = checks.foot_frame(base_point)
    u = foot[:3, :3].T @ apart(foot, at_home(T_0p, platform_point), leg)
    a, r = checks.length(arm, "arm"), checks.length(bar, "bar")
    q = crank_angle(u, a, r, elbow, leg)
    ahead = rotation_y(-q) @ (u - a * np.array([np.cos(q), 0.0, -np.sin(q)]))
    ends = _ends(foot, platform_point, T_0p, side, half_spacing)
    starts = [on_link(a, half_spacing), on_link(a, -half_spacing)]
    driven = ("R*", "arm", (hinge(foot), ABOUT_Y), q)
    return _pair(leg, made_of, driven, starts, ends, (bars, r, ahead), T_0p)


def linear_delta_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    made_of: Leg = BARE,
    *,
    bar: float,
    half_spacing: float,
    slide: str = "behind",
    bars: str = "US",
    side: Any = None,
) -> Parts:
    """A slider and two parallel bars; the motor drives the slider: ``P* [U S | U S]``.

    The slider runs along z of the base frame and has its axes; the bars are at +-s along its y,
    the first universal axis.  A bar's frame sits on the slider, x along the bar.

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        T_0p: pose of the platform body at home, 4x4 or Frame.
        base_point: Frame of the rail, z along it, y along the elbow axis; a point has the axes of
            the base.
        platform_point: middle between the ends of the two bars, platform axes [m].
        made_of: slider and bars, with the motor.
        bar: length of the bars [m].
        half_spacing: half the distance of the bars [m].
        slide: ``"behind"``, the slider short of the platform along z, or ``"ahead"`` of it.
        bars: as for :func:`delta_leg`.
        side: as for :func:`delta_leg`.
    """
    foot = checks.foot_frame(base_point)
    u = foot[:3, :3].T @ (at_home(T_0p, platform_point) - foot[:3, 3])
    r = checks.length(bar, "bar")
    q = slider_position(u, r, slide, leg)
    ends = _ends(foot, platform_point, T_0p, side, half_spacing)
    starts = [on_link(0.0, half_spacing), on_link(0.0, -half_spacing)]
    driven = ("P*", "slider", (Frame.from_matrix(foot), Frame()), q)
    ahead = u - np.array([0.0, 0.0, q])
    return _pair(leg, made_of, driven, starts, ends, (bars, r, ahead), T_0p)


def _pair(
    leg: str | int,
    made_of: Leg,
    driven: tuple[str, str, tuple[Frame, Frame], float],
    starts: list[Frame],
    ends: list[Frame],
    bar: tuple[str, float, np.ndarray],
    T_0p: Any,
) -> Parts:
    """A driven body with two bars: one chain to the platform, and one that branches off it."""
    letter, name, frames, q = driven
    kinds, r, ahead = bar
    check_word(kinds, ("US", "SS"), "bars")
    made = checked_leg(made_of)
    angles = swing(ahead)
    at = angles if kinds == "US" else KINDS["universal"].across(angles)[:3, :3]
    tip, near = Frame((r, 0.0, 0.0)), kinds[0].lower()
    rest: dict[str, Any] = {"end_pose": T_0p, "passive": made.passive, "along": ALONG_X}
    whole = chain(
        f"{letter} {kinds[0]} S",
        [frames, (starts[0], Frame()), (tip, ends[0])],
        leg=leg,
        links={f"{name}{leg}": made.proximal, f"bar{leg}a": made.bars[0]},
        values=[q, at, None],
        names=[f"{name}{leg}", f"{near}{leg}a", f"b{leg}a"],
        axes=[made.motor, None, None],
        start=made.base,
        end=made.platform,
        **rest,
    )
    carried = whole.bodies[0].name
    return whole + chain(
        f"{kinds[0]} S",
        [(starts[1], Frame()), (tip, ends[1])],
        leg=leg,
        links={f"bar{leg}b": made.bars[1]},
        values=[at, None],
        names=[f"{near}{leg}b", f"b{leg}b"],
        start=carried,
        start_pose=whole.poses[carried],
        end=made.platform,
        **rest,
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
