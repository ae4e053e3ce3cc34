"""Legs of constant lengths: a crank or a slider with a rod (RUS, PUS), and two links (URU)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base import spatial
from gough.build import checks
from gough.build.chains import drawn_chain
from gough.build.legs_common import (
    ABOUT_Y,
    ALONG_X,
    apart,
    at_home,
    driven,
    hinge,
    on_link,
    on_platform,
    swing,
    two_bodies,
)
from gough.build.parts import BARE, Leg, Parts, checked_leg
from gough.build.reach import crank_angle, slider_position
from gough.robot import Frame
from gough.robot.frame import rotation_from_axes


def rus_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    made_of: Leg = BARE,
    *,
    arm: float,
    rod: float,
    elbow: str = "out",
) -> Parts:
    """A crank and a rod: motor on the crank, universal joint at its end, ball at the platform.

    The crank's coordinate is zero along x of its frame and positive towards -z.  Frames have x
    along the link and sit at its first joint; the crank's y is its axis and the first universal
    axis; the rod's z is the second one.

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        base_point: Frame of the crank, y along its axis; a point has the axes of the base.
        made_of: crank and rod, with their motor.
        arm: length of the crank [m].
        rod: length of the rod [m].
        elbow: ``"out"``, the knee further along x of the base frame, or ``"in"``.
    """
    foot = checks.foot_frame(base_point)
    tip = at_home(T_0p, platform_point)
    u = foot[:3, :3].T @ apart(foot, tip, leg)
    a, r = checks.length(arm, "arm"), checks.length(rod, "rod")
    q = crank_angle(u, a, r, elbow, leg)
    ahead = spatial.rotation_y(-q) @ (u - a * np.array([np.cos(q), 0.0, -np.sin(q)]))
    end = (Frame((r, 0.0, 0.0)), on_platform(platform_point))
    frames = [(hinge(foot), ABOUT_Y), (on_link(a), Frame()), end]
    values = [q, swing(ahead), None]
    rest: dict[str, Any] = {"values": values, "end_pose": T_0p, "along": ALONG_X}
    return two_bodies(leg, made_of, "R* U S", frames, ("arm", "rod"), **rest)


def pus_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    made_of: Leg = BARE,
    *,
    rod: float,
    side: str = "behind",
) -> Parts:
    """A slider and a rod: motor on the slide, universal joint on the slider, ball at the platform.

    The slider runs along z of the base frame, has its axes, and its coordinate is zero at its
    origin; the first universal axis is the slider's y.  The rod's frame sits on the slider, x along
    the rod, z along the second universal axis.

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        base_point: Frame of the rail, z along it; a point has the axes of the base.
        made_of: slider and rod, with their motor.
        rod: length of the rod [m].
        side: ``"behind"``, the slider short of the platform point along z, or ``"ahead"`` of it.
    """
    foot = checks.foot_frame(base_point)
    u = foot[:3, :3].T @ (at_home(T_0p, platform_point) - foot[:3, 3])
    r = checks.length(rod, "rod")
    q = slider_position(u, r, side, leg)
    end = (Frame((r, 0.0, 0.0)), on_platform(platform_point))
    frames = [(Frame.from_matrix(foot), Frame()), (ABOUT_Y, Frame()), end]
    values = [q, swing(u - q * spatial.E_Z), None]
    rest: dict[str, Any] = {"values": values, "end_pose": T_0p, "along": ALONG_X}
    return two_bodies(leg, made_of, "P* U S", frames, ("slider", "rod"), **rest)


def uru_leg(
    leg: str | int,
    base_point: Any,
    knee: Any,
    platform_point: Any,
    T_0p: Any,
    made_of: Leg = BARE,
    *,
    first_axis: Any,
    middle_axis: Any,
    last_axis: Any,
    joints: str = "U*2 R U",
    poses: Any = None,
    values: Any = None,
) -> Parts:
    """A leg of two links between two universal joints, drawn in its home posture.

    The second axis at the base, the knee and the first axis at the platform are parallel.

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        base_point: its point on the base [m].
        knee: the knee at home, base axes [m].
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        made_of: the two links, with their motor.
        first_axis: direction of the axis fixed in the base, base axes.
        middle_axis: of the three parallel ones, base axes, at home.
        last_axis: of the one fixed in the platform, base axes, at home.
        joints: the joint string, to move the star: ``"U* R U"`` drives the first axis.
        poses: poses of the two links at home; default: at the link's first joint, x along the link,
            z along the middle axis.
        values: coordinates of the joints at home, as for ``drawn_chain``.
    """
    foot, bent = checks.point(base_point, "base_point"), checks.point(knee, "knee")
    T = checks.pose(T_0p, "T_0p")
    tip = at_home(T, platform_point)
    middle = checks.direction(middle_axis, "middle_axis")
    if poses is None:
        poses = [
            spatial.pose(rotation_from_axes(middle, bent - foot), foot),
            spatial.pose(rotation_from_axes(middle, tip - bent), bent),
        ]
    made = checked_leg(made_of)
    return drawn_chain(
        joints,
        [foot, bent, tip],
        [(first_axis, middle), middle, (middle, last_axis)],
        leg=leg,
        links={f"proximal{leg}": made.proximal, f"distal{leg}": made.distal},
        poses=poses,
        values=values,
        names=[f"foot{leg}", f"knee{leg}", f"wrist{leg}"],
        axes=driven(joints, made),
        end_pose=T,
        start=made.base,
        end=made.platform,
        passive=made.passive,
    )
