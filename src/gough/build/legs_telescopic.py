"""Telescopic legs, whose motor changes their length: UPS, SPU, RPS."""

from __future__ import annotations

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
)
from gough.build.parts import BASE, PLATFORM, Parts
from gough.errors import InputError
from gough.robot import Axis, Frame
from gough.robot.frame import rotation_from_axes


def ups_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    first_axis: Any = None,
    cross: Solid = None,
    cylinder: Solid = None,
    rod: Solid = None,
    motor: Axis | None = None,
    first_motor: Axis | None = None,
    joints: str = "U P* S",
    base: str = BASE,
    platform: str = PLATFORM,
) -> Parts:
    """A telescopic leg: universal joint at the base, motor on the slide, ball at the platform.

    Frames are those of [BK] Table 1: the cylinder's at the base point, its z along the second
    universal axis, the leg along -y; the rod's at the platform point, z along the leg.  The motor's
    coordinate is the distance of the two points [m].

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        base_point: where the leg stands [m]: a point, or a Frame with z along the first universal
            axis and x where that angle is zero.
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        first_axis: direction of the first universal axis in base axes, for a point; default
            horizontal and across the leg.
        cross: the cross of the universal joint; with a body, the joint becomes two revolutes.
        cylinder: body at the base: a Body, mass properties, or None for one without mass.
        rod: body at the platform.
        motor: friction, rotor, transmission and limits of the slide.
        first_motor: those of the first axis of the universal joint.
        joints: the joint string, to set the stars: ``"U* P* S"`` for the Space robot's leg.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
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
    end = on_platform(platform_point)
    A = Frame.from_matrix(foot)
    bodies = {f"cyl{leg}": cylinder, f"rod{leg}": rod}
    if cross is None:
        return chain(
            joints,
            [(A, Frame()), (LEANED, Frame()), (Frame(), end)],
            links=bodies,
            values=[(first, second), q, None],
            axes=[first_motor, motor, None],
            leg=leg,
            start=base,
            end=platform,
        )
    head, _, tail = joints.partition(" ")
    return chain(
        f"{head.replace('U', 'R')} R {tail}",
        [(A, Frame()), (LEANED, Frame()), (LEANED, Frame()), (Frame(), end)],
        links={f"cross{leg}": cross, **bodies},
        values=[first, second, q, None],
        names=[f"u{leg}a", f"u{leg}b", f"p{leg}", f"s{leg}"],
        axes=[first_motor, None, motor, None],
        leg=leg,
        start=base,
        end=platform,
    )


def spu_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    last_axis: Any = None,
    cylinder: Solid = None,
    rod: Solid = None,
    motor: Axis | None = None,
    base: str = BASE,
    platform: str = PLATFORM,
) -> Parts:
    """A telescopic leg the other way round: ball at the base, universal joint at the platform.

    Frames have z along the leg: the cylinder's at the base point, the rod's at the platform point.
    The motor's coordinate is the distance of the two points [m].

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        base_point: where the leg stands [m]; a point, or a Frame.
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        last_axis: direction of the universal axis that is fixed in the platform, platform axes;
            default across the leg at home.
        cylinder: body at the base: a Body, mass properties, or None for one without mass.
        rod: body at the platform.
        motor: friction, rotor, transmission and limits of the motor.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
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
    R_pB = T[:3, :3].T @ np.stack(
        [spatial.cross(first / np.linalg.norm(first), last), first / np.linalg.norm(first), last],
        axis=1,
    )
    end = Frame(
        checks.point(platform_point, "platform_point").tolist(), spatial.snap(R_pB).tolist()
    )
    return chain(
        "S P* U",
        [(Frame.from_matrix(foot), Frame()), (Frame(), Frame()), (ABOUT_X, end)],
        leg=leg,
        links={f"cyl{leg}": cylinder, f"rod{leg}": rod},
        values=[foot[:3, :3].T @ R_0rod, q, None],
        axes=[None, motor, None],
        start=base,
        end=platform,
    )


def rps_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    cylinder: Solid = None,
    rod: Solid = None,
    motor: Axis | None = None,
    base: str = BASE,
    platform: str = PLATFORM,
) -> Parts:
    """A telescopic leg on a hinge: revolute at the base, motor on the slide, ball at the platform.

    Frames have z along the leg and y along the hinge: the cylinder's at the base point, the rod's
    at the platform point.  The motor's coordinate is the distance of the two points [m].

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        base_point: Frame of the hinge, y along its axis; a point has the base's y.
        cylinder: body at the base: a Body, mass properties, or None for one without mass.
        rod: body at the platform.
        motor: friction, rotor, transmission and limits of the motor.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
    """
    foot = checks.foot_frame(base_point)
    u = foot[:3, :3].T @ apart(foot, at_home(T_0p, platform_point), leg)
    end = on_platform(platform_point)
    return chain(
        "R P* S",
        [(hinge(foot), ABOUT_Y), (Frame(), Frame()), (Frame(), end)],
        leg=leg,
        links={f"cyl{leg}": cylinder, f"rod{leg}": rod},
        values=[np.arctan2(u[0], u[2]), np.hypot(u[0], u[2]), None],
        axes=[None, motor, None],
        start=base,
        end=platform,
    )
