"""Legs of constant lengths: a crank or a slider with a rod (RUS, PUS), and two links (URU)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base import spatial
from gough.build import checks
from gough.build.chains import chain, drawn_chain
from gough.build.checks import Solid
from gough.build.legs_common import ABOUT_Y, apart, at_home, hinge, on_link, on_platform, swing
from gough.build.parts import BASE, PLATFORM, Parts
from gough.build.reach import crank_angle, slider_position
from gough.build.strings import joint_string
from gough.robot import Axis, Frame
from gough.robot.frame import rotation_from_axes


def rus_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    arm: float,
    rod: float,
    elbow: str = "out",
    arm_body: Solid = None,
    rod_body: Solid = None,
    motor: Axis | None = None,
    base: str = BASE,
    platform: str = PLATFORM,
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
        arm: length of the crank [m].
        rod: length of the rod [m].
        elbow: ``"out"``, the knee further along x of the base frame, or ``"in"``.
        arm_body: a Body, mass properties, or None for one without mass.
        rod_body: body of the rod.
        motor: friction, rotor, transmission and limits of the motor.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
    """
    foot = checks.foot_frame(base_point)
    tip = at_home(T_0p, platform_point)
    u = foot[:3, :3].T @ apart(foot, tip, leg)
    a, r = checks.length(arm, "arm"), checks.length(rod, "rod")
    q = crank_angle(u, a, r, elbow, leg)
    ahead = spatial.rotation_y(-q) @ (u - a * np.array([np.cos(q), 0.0, -np.sin(q)]))
    end = on_platform(platform_point)
    return chain(
        "R* U S",
        [(hinge(foot), ABOUT_Y), (on_link(a), Frame()), (Frame((r, 0.0, 0.0)), end)],
        leg=leg,
        links={f"arm{leg}": arm_body, f"rod{leg}": rod_body},
        values=[q, swing(ahead), None],
        axes=[motor, None, None],
        start=base,
        end=platform,
    )


def pus_leg(
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    rod: float,
    side: str = "behind",
    slider: Solid = None,
    rod_body: Solid = None,
    motor: Axis | None = None,
    base: str = BASE,
    platform: str = PLATFORM,
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
        rod: length of the rod [m].
        side: ``"behind"``, the slider short of the platform point along z, or ``"ahead"`` of it.
        slider: a Body, mass properties, or None for one without mass.
        rod_body: body of the rod.
        motor: friction, rotor, transmission and limits of the motor.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
    """
    foot = checks.foot_frame(base_point)
    u = foot[:3, :3].T @ (at_home(T_0p, platform_point) - foot[:3, 3])
    r = checks.length(rod, "rod")
    q = slider_position(u, r, side, leg)
    end = on_platform(platform_point)
    return chain(
        "P* U S",
        [(Frame.from_matrix(foot), Frame()), (ABOUT_Y, Frame()), (Frame((r, 0.0, 0.0)), end)],
        leg=leg,
        links={f"slider{leg}": slider, f"rod{leg}": rod_body},
        values=[q, swing(u - q * spatial.E_Z), None],
        axes=[motor, None, None],
        start=base,
        end=platform,
    )


def uru_leg(
    leg: str | int,
    base_point: Any,
    knee: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    first_axis: Any,
    middle_axis: Any,
    last_axis: Any,
    joints: str = "U*2 R U",
    proximal: Solid = None,
    distal: Solid = None,
    poses: Any = None,
    motor: Axis | None = None,
    values: Any = None,
    base: str = BASE,
    platform: str = PLATFORM,
) -> Parts:
    """A leg of two links between two universal joints, as it stands at home.

    The second axis at the base, the knee and the first axis at the platform are parallel.

    Args:
        leg: what the leg is called; it ends the names of its bodies and joints.
        base_point: where the leg stands [m].
        knee: the knee at home, base axes [m].
        platform_point: where it holds the platform, axes of the platform body [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        first_axis: direction of the axis fixed in the base, base axes.
        middle_axis: of the three parallel ones, base axes, at home.
        last_axis: of the one fixed in the platform, base axes, at home.
        joints: the joint string, to move the star: ``"U* R U"`` drives the first axis.
        proximal: first body: a Body, mass properties, or None for one without mass.
        distal: second body.
        poses: poses of the two links at home; default: at the link's first joint, x along the link,
            z along the middle axis.
        motor: of the actuated axis.
        values: coordinates of the joints at home, as for ``drawn_chain``.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
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
    driven = [motor if letter.motors else None for letter in joint_string(joints)]
    return drawn_chain(
        joints,
        [foot, bent, tip],
        [(first_axis, middle), middle, (middle, last_axis)],
        leg=leg,
        links={f"proximal{leg}": proximal, f"distal{leg}": distal},
        poses=poses,
        values=values,
        names=[f"foot{leg}", f"knee{leg}", f"wrist{leg}"],
        axes=driven,
        end_pose=T,
        start=base,
        end=platform,
    )
