"""Planar legs: three revolute or prismatic joints, all axes of revolutes along base z."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import pose, rotation_z
from gough.build import checks
from gough.build.legs_common import ABOUT_X, at_home, on_platform, two_bodies
from gough.build.parts import BARE, Leg, Parts
from gough.build.reach import slider_position, turned, two_links
from gough.build.strings import joint_string
from gough.errors import InputError
from gough.robot import Frame


def planar_leg(
    joints: str,
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    made_of: Leg = BARE,
    *,
    proximal: float | None = None,
    distal: float | None = None,
    mode: int = 1,
    rail: float | None = None,
) -> Parts:
    """A planar leg: ``R* R R`` and ``R R* R``, ``R P* R``, ``P* R R``, the star where it is wanted.

    Link frames sit at the link's first joint, x along the link, z up; those of ``R P R`` have x
    along the leg, the second one at the platform point.  Coordinates: absolute angle of the first
    link from base x [rad]; length of the leg, or distance along the rail from the base point [m].

    Args:
        joints: the joint string.
        leg: what the leg is called.
        base_point: its point on the base [m].
        platform_point: where it holds the platform, platform axes [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        made_of: its two bodies, with their motor.
        proximal: length of the first link of R R R [m].
        distal: length of the second link of R R R, and of the link of P R R [m].
        mode: of R R R: 1 or -1, angle of the first link = direction of the platform point
            - mode * acos(...); of P R R: 1 with the slider behind the platform point, -1 ahead.
        rail: direction of the rail of P R R: its angle from base x [rad].
    """
    word = "".join(letter.letter for letter in joint_string(joints))
    mode = checks.side(mode, "mode")
    foot = checks.point(base_point, "base_point")
    end = on_platform(platform_point)
    u = at_home(T_0p, platform_point) - foot
    A = Frame(foot.tolist())
    if word == "RRR":
        first = checks.length(proximal, "proximal")
        second = checks.length(distal, "distal")
        q = two_links(u, first, second, mode, leg)
        knee = first * np.array([np.cos(q), np.sin(q)])
        elbow, wrist = (Frame((length, 0.0, 0.0)) for length in (first, second))
        frames = [(A, Frame()), (elbow, Frame()), (wrist, end)]
        bend = np.arctan2(u[1] - knee[1], u[0] - knee[0]) - q
        values = [turned(q), turned(bend), None]
    elif word == "RPR":
        frames = [(A, Frame()), (ABOUT_X, ABOUT_X), (Frame(), end)]
        values = [np.arctan2(u[1], u[0]), np.hypot(u[0], u[1]), None]
    elif word == "PRR":
        if rail is None:
            raise InputError(
                "rail: a P R R leg needs the direction of its rail, an angle from base x [rad]",
                argument="rail",
            )
        angle = checks.angle(rail, "rail")
        r = checks.length(distal, "distal")
        T = pose(rotation_z(angle), foot)
        along = T[:3, :3].T @ u
        # the closed form has the rail along z
        q = slider_position(along[[1, 2, 0]], r, "behind" if mode == 1 else "ahead", leg)
        slide = (Frame.from_matrix(T @ ABOUT_X.matrix), ABOUT_X)
        frames = [slide, (Frame(), Frame()), (Frame((r, 0.0, 0.0)), end)]
        values = [q, np.arctan2(along[1], along[0] - q), None]
    else:
        raise InputError(
            f"planar_leg knows R R R, R P R and P R R, not {joints!r}",
            hint="Any other chain: gough.build.drawn_chain.",
            argument="joints",
        )
    turning = ("foot", "elbow", "wrist")
    called = ["slide" if kind == "P" else at for kind, at in zip(word, turning, strict=True)]
    names = [f"{at}{leg}" for at in called]
    rest: dict[str, Any] = {"values": values, "names": names, "end_pose": T_0p}
    return two_bodies(leg, made_of, joints, frames, ("prox", "dist"), **rest)
