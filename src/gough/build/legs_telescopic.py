"""Telescopic legs, whose motor changes their length: UPS, SPU, RPS."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.base import spatial
from gough.build import checks
from gough.build.chains import chain
from gough.build.checks import Solid
from gough.build.legs_common import (
    ABOUT_X,
    ABOUT_Y,
    LEANED,
    across_direction,
    apart,
    at_home,
    hinge,
    on_platform,
    two_bodies,
)
from gough.build.parts import BARE, Leg, Parts, checked_leg
from gough.errors import InputError
from gough.robot import Axis, Frame
from gough.robot.frame import rotation_from_axes


def ups_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    made_of: Leg = BARE,
    *,
    first_axis: Any = None,
    cross: Solid = None,
    first_motor: Axis | None = None,
    joints: str = "U P* S",
) -> Parts:
    """A telescopic leg: universal joint at the base, motor on the slide, ball at the platform.

    Frames are those of [BK] Table 1: the cylinder's at the base point, its z along the second
    universal axis, the leg along -y; the rod's at the platform point, z along the leg.  The motor's
    coordinate is the distance of the two points [m].

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        base_point: its point on the base [m], or a Frame with z along the first universal axis and
            x where that angle is zero.
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        made_of: cylinder and rod, with the motor of the slide.
        first_axis: direction of the first universal axis in base axes, for a point; default
            horizontal and across the leg.
        cross: the cross of the universal joint; with a body, the joint becomes two revolutes.
        first_motor: friction, rotor, transmission and limits of the first universal axis.
        joints: the joint string, to set the stars: ``"U* P* S"`` for the Space robot's leg.
    """
    foot = checks.foot_frame(base_point)
    tip = at_home(T_0p, platform_point)
    u = apart(foot, tip, leg)
    q = float(np.linalg.norm(u))
    given = isinstance(base_point, Frame) or np.ndim(base_point) == 2
    axis = foot[:3, 2] if given else across_direction(u)
    if first_axis is not None:
        axis = checks.direction(first_axis, "first_axis")
    if np.linalg.norm(spatial.cross(axis, u)) < 1e-6 * q:
        raise InputError(
            f"leg {leg}: at home it lies along its first universal axis",
            hint="Give another first axis, across the leg, or another home.",
            argument="first_axis",
            leg=str(leg),
        )
    if first_axis is not None or not given:
        foot = spatial.pose(rotation_from_axes(axis, u), foot[:3, 3])
    x, y, z = foot[:3, :3].T @ u
    first, second = np.arctan2(y, x), np.arctan2(np.hypot(x, y), -z)
    made = checked_leg(made_of)
    slide, ball = (LEANED, Frame()), (Frame(), on_platform(platform_point))
    frames = [(Frame.from_matrix(foot), Frame()), slide, ball]
    links = {f"cyl{leg}": made.proximal, f"rod{leg}": made.distal}
    values, names, axes = [(first, second), q, None], None, [first_motor, made.motor, None]
    passive = dict(made.passive)
    if cross is not None:
        head, _, tail = joints.partition(" ")
        joints = f"{head.replace('U', 'R')} R {tail}"
        frames.insert(1, (LEANED, Frame()))
        links = {f"cross{leg}": cross, **links}
        values, names = [first, second, q, None], [f"u{leg}a", f"u{leg}b", f"p{leg}", f"s{leg}"]
        axes.insert(1, None)
        if "u" in passive:  # the axes of the universal joint are two joints
            hinges = passive.pop("u")
            passive |= {f"u{leg}a": hinges[0], f"u{leg}b": hinges[-1]}
    return chain(
        joints,
        frames,
        leg=leg,
        links=links,
        values=values,
        names=names,
        axes=axes,
        start=made.base,
        end=made.platform,
        end_pose=T_0p,
        passive=passive,
    )


def spu_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    made_of: Leg = BARE,
    *,
    last_axis: Any = None,
) -> Parts:
    """A telescopic leg the other way round: ball at the base, universal joint at the platform.

    Frames have z along the leg: the cylinder's at the base point, the rod's at the platform point.
    The motor's coordinate is the distance of the two points [m].

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        base_point: its point on the base [m], or a Frame.
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        made_of: cylinder and rod, with their motor.
        last_axis: direction of the universal axis that is fixed in the platform, platform axes;
            default across the leg at home.
    """
    foot = checks.foot_frame(base_point)
    T = checks.pose(T_0p, "T_0p")
    tip = at_home(T, platform_point)
    u = apart(foot, tip, leg)
    q = float(np.linalg.norm(u))
    if last_axis is None:
        last = across_direction(u)
    else:
        last = T[:3, :3] @ checks.direction(last_axis, "last_axis")
    if np.linalg.norm(spatial.cross(last, u)) < 1e-6 * q:
        raise InputError(
            f"leg {leg}: at home it lies along its last universal axis",
            hint="Give another last_axis, across the leg.",
            argument="last_axis",
        )
    # the first axis, fixed in the rod, crosses the leg and the last one
    first = spatial.cross(u, last)
    R_0rod = rotation_from_axes(u, first)
    across = first / np.linalg.norm(first)
    R_pB = T[:3, :3].T @ np.stack([spatial.cross(across, last), across, last], axis=1)
    end = replace(on_platform(platform_point), rotation=spatial.snap(R_pB).tolist())
    frames = [(Frame.from_matrix(foot), Frame()), (Frame(), Frame()), (ABOUT_X, end)]
    values = [foot[:3, :3].T @ R_0rod, q, None]
    rest: dict[str, Any] = {"values": values, "end_pose": T}
    return two_bodies(leg, made_of, "S P* U", frames, ("cyl", "rod"), **rest)


def rps_leg(
    leg: str | int, base_point: Any, platform_point: Any, T_0p: Any, made_of: Leg = BARE
) -> Parts:
    """A telescopic leg on a hinge: revolute at the base, motor on the slide, ball at the platform.

    Frames have z along the leg and y along the hinge: the cylinder's at the base point, the rod's
    at the platform point.  The motor's coordinate is the distance of the two points [m].

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        base_point: Frame of the hinge, y along its axis; a point has the base's y.
        made_of: cylinder and rod, with their motor.
    """
    foot = checks.foot_frame(base_point)
    u = foot[:3, :3].T @ apart(foot, at_home(T_0p, platform_point), leg)
    end = (Frame(), on_platform(platform_point))
    frames = [(hinge(foot), ABOUT_Y), (Frame(), Frame()), end]
    values = [np.arctan2(u[0], u[2]), np.hypot(u[0], u[2]), None]
    rest: dict[str, Any] = {"values": values, "end_pose": T_0p}
    return two_bodies(leg, made_of, "R P* S", frames, ("cyl", "rod"), **rest)
