"""Robots without elastic data: what is missing, by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.base.english import listed, quoted
from gough.elastic.drives import Drive
from gough.errors import NotElastic
from gough.robot import Robot
from gough.robot.elastic import body_frames
from gough.robot.joint_kinds import KINDS

_BESIDE = 0.05  # share of a beam's length that a joint may sit beside it without a word


def elastic_data(robot: Robot) -> dict[str, list[str]]:
    """What gives way by a robot's description, by name: bodies, bearings, gears, springs."""
    gears = [
        name
        for name in robot.motors
        if (gear := robot.axis(name).transmission) is not None and gear.stiffness is not None
    ]
    return {
        "beams": [body.name for body in robot.bodies if body.beam is not None],
        "bodies": [body.name for body in robot.bodies if body.stiffness is not None],
        "bearings": [joint.name for joint in robot.joints if joint.released.bearing is not None],
        "transmissions": gears,
        "springs": [name for name in robot.axis_names if robot.axis(name).spring is not None],
    }


def assumptions(robot: Robot, *, guessed: bool) -> tuple[str, ...]:
    """What was assumed of a robot, in sentences.

    Args:
        robot: the machine.
        guessed: whether links were guessed to be tubes.
    """
    found = ["Links without elastic data are guessed: aluminium tubes of their mass."]
    found = found if guessed else []
    beams = {body.name for body in robot.bodies if body.beam is not None}
    for joint in robot.joints:
        own = joint.released
        on = beams & {own.parent, own.child}
        if KINDS[own.kind].is_bushing and own.guide is None and len(on) == 1:
            found.append(
                f"{joint.name!r} slides on a beam: it is guided where its frame sits on "
                f"{on.pop()!r}, for no guide is given."
            )
    found += [
        f"{name!r} sits {1e3 * away:.4g} mm beside the beam of {body!r}: what is between is rigid."
        for body, name, away in _beside(robot)
    ]
    stiff = [name for name in robot.motors if name not in elastic_data(robot)["transmissions"]]
    if stiff:
        found.append(f"Transmissions of {quoted(stiff)} are rigid: they have no stiffness.")
    return tuple(found)


def _beside(robot: Robot) -> list[tuple[str, str, float]]:
    """Bodies and joints that do not sit on the line of their beams, and how far from it [m]."""
    found = []
    for body in robot.bodies:
        if body.beam is None:
            continue
        corners = np.array(body.beam.points)
        ways = np.diff(corners, axis=0)
        for name, frame in body_frames(body.name, robot.joints).items():
            if robot.joint(name).released.guide is not None:
                continue
            point = np.array(frame.position)
            places = ((point - corners[:-1]) * ways).sum(axis=1) / (ways**2).sum(axis=1)
            feet = corners[:-1] + np.clip(places, 0.0, 1.0)[:, None] * ways
            away = float(np.linalg.norm(feet - point, axis=1).min())
            if away > _BESIDE * body.beam.length:
                found.append((body.name, name, away))
    return found


def check_elastic_data(
    robot: Robot, drives: Mapping[str, Drive], *, guessed: bool | None = None
) -> None:
    """Refuse a robot of which nothing gives way.

    Args:
        robot: the machine.
        drives: how motors hold; a controller gives way, too.
        guessed: whether links were to be guessed; None where nobody offers to.

    Raises:
        NotElastic: says what is missing.
    """
    found = elastic_data(robot)
    if any(found.values()) or any(drive.kp for drive in drives.values()):
        return
    motors = quoted(robot.motors[:3]) + (", ..." if len(robot.motors) > 3 else "")
    missing = [
        f"transmission.stiffness of {motors}" if robot.motors else "",
        "beam or stiffness of a body",
        "bearing of a joint",
    ]
    why = ", and none of its links can be guessed: they slide, or are no bars" if guessed else ""
    remedy = "; estimate=True guesses links." if guessed is False else "."
    raise NotElastic(
        f"{robot.name} has no elastic part: it is rigid as described{why}",
        hint=f"Missing: {listed([each for each in missing if each], 'or')}.  "
        f"docs/robot-files.md lists the keys under 'Elastic parts'{remedy}",
        missing=tuple(each for each in missing if each),
    )
