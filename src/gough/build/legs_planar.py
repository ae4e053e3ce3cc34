"""Planar legs: three revolute or prismatic joints, all axes of revolutes along base z."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import pose, rotation_z
from gough.build import checks
from gough.build.chains import chain
from gough.build.checks import Solid
from gough.build.legs_common import ABOUT_X, at_home, on_platform
from gough.build.parts import BASE, PLATFORM, Parts
from gough.build.reach import slider_position, turned, two_links
from gough.build.strings import joint_string
from gough.errors import InputError
from gough.robot import Axis, Frame


def planar_leg(
    joints: str,
    leg: str | int,
    base_point: Any,
    platform_point: Any,
    T_0p: Any,
    *,
    proximal: float | None = None,
    distal: float | None = None,
    mode: int = 1,
    rail: float | None = None,
    proximal_body: Solid = None,
    distal_body: Solid = None,
    motor: Axis | None = None,
    base: str = BASE,
    platform: str = PLATFORM,
) -> Parts:
    """A planar leg: ``R* R R`` and ``R R* R``, ``R P* R``, ``P* R R``, the star where it is wanted.

    Link frames sit at the link's first joint, x along the link, z up; those of ``R P R`` have x
    along the leg, the second one at the platform point.  Coordinates: absolute angle of the first
    link from base x [rad]; length of the leg, or distance along the rail from the base point [m].

    Args:
        joints: the joint string.
        leg: what the leg is called.
        base_point: where it stands [m].
        platform_point: where it holds the platform, platform axes [m].
        T_0p: pose of the platform body at home, 4x4 or Frame.
        proximal: length of the first link of R R R [m].
        distal: length of the second link of R R R, and of the link of P R R [m].
        mode: of R R R: 1 or -1, angle of the first link = direction of the platform point
            - mode * acos(...); of P R R: 1 with the slider behind the platform point, -1 ahead.
        rail: direction of the rail of P R R: its angle from base x [rad].
        proximal_body: first body: a Body, mass properties, or None for one without mass.
        distal_body: second body.
        motor: friction, rotor, transmission, limits of the motor.
        base: name of the body that the leg stands on.
        platform: name of the body that it holds.
    """
    letters = joint_string(joints)
    word = "".join(letter.letter for letter in letters)
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
        frames = [
            (A, Frame()),
            (Frame((first, 0.0, 0.0)), Frame()),
            (Frame((second, 0.0, 0.0)), end),
        ]
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
        frames = [
            (Frame.from_matrix(T @ ABOUT_X.matrix), ABOUT_X),
            (Frame(), Frame()),
            (Frame((r, 0.0, 0.0)), end),
        ]
        values = [q, np.arctan2(along[1], along[0] - q), None]
    else:
        raise InputError(
            f"planar_leg knows R R R, R P R and P R R, not {joints!r}",
            hint="Any other chain: gough.build.drawn_chain.",
            argument="joints",
        )
    return chain(
        joints,
        frames,
        leg=leg,
        links={f"prox{leg}": proximal_body, f"dist{leg}": distal_body},
        values=values,
        names=[f"{'slide' if word[0] == 'P' else 'foot'}{leg}", _middle(word, leg), f"wrist{leg}"],
        axes=[motor if letter.motors else None for letter in letters],
        start=base,
        end=platform,
    )


def _middle(word: str, leg: str | int) -> str:
    return f"{'slide' if word[1] == 'P' else 'elbow'}{leg}"
