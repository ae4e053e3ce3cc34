"""Dimensions of a machine as a designer knows them: between joints, and where legs are attached."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from gough.mechanism.mobility.assembly import assembled
from gough.report.blocks import Block, names_text, quantity, vector
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import KINDS

_MOST = 3  # joints of a body between which all distances are listed
_LONGEST = 40  # rows of a table of attachment points
_SAME = 1e-9  # lengths of a machine, as a share of its size, and angles [rad] that are one


class Seat(NamedTuple):
    """Where a joint sits on a body, in the body's axes.

    Attributes:
        joint: the joint.
        p: origin of its frame ``(3,)`` [m].
        z: direction of its axis ``(3,)``.
    """

    joint: Joint
    p: np.ndarray
    z: np.ndarray


def _is_line(joint: Joint) -> bool:
    """Whether the place of a joint on a body is a line, z of its frame; of others it is a point."""
    kind = KINDS[joint.kind]
    return kind.freedoms > 0 and kind.turns <= 1 and not kind.has_face


def seats(robot: Robot, body: str) -> list[Seat]:
    """The joints of a body, in the order of the description."""
    found = []
    for joint in robot.joints:
        for end, frame in ((joint.parent, joint.parent_frame), (joint.child, joint.child_frame)):
            if end == body:
                T = frame.matrix
                found.append(Seat(joint, T[:3, 3], T[:3, 2]))
    return found


def between(one: Seat, other: Seat) -> tuple[float, float]:
    """Distance of two joints on a body [m], and the angle between their axes [rad].

    Between lines it is that of their common normal, between a line and a point that of the point
    from the line.  The angle, of the smaller side, is zero unless both are lines.
    """
    d = other.p - one.p
    lines = [seat.z for seat in (one, other) if _is_line(seat.joint)]
    if len(lines) < 2:
        off = d - lines[0] * (lines[0] @ d) if lines else d
        return float(np.linalg.norm(off)), 0.0
    across = np.cross(lines[0], lines[1])
    sine = float(np.linalg.norm(across))
    if sine < _SAME:  # parallel
        return float(np.linalg.norm(d - lines[0] * (lines[0] @ d))), 0.0
    return abs(float(across @ d)) / sine, float(np.arctan2(sine, abs(lines[0] @ lines[1])))


def _pairs(robot: Robot) -> Iterator[tuple[str, str, float, float]]:
    """Body, joints, distance and angle, of bodies with few joints."""
    for body in robot.bodies:
        sitting = seats(robot, body.name)
        if len(sitting) <= _MOST:
            for one, other in combinations(sitting, 2):
                names = f"{one.joint.name} – {other.joint.name}"
                yield body.name, names, *between(one, other)


def lengths(robot: Robot) -> Block:
    """Distances between the joints of each body; those that are alike share a row."""
    size = assembled(robot).length
    groups: list[tuple[float, float, list[str]]] = []
    for _, names, distance, angle in _pairs(robot):
        distance = 0.0 if distance < _SAME * size else distance
        for length, turn, alike in groups:
            if abs(length - distance) < _SAME * size and abs(turn - angle) < _SAME:
                alike.append(names)
                break
        else:
            if distance or angle:
                groups.append((distance, angle, [names]))
    rows: list[tuple[str, ...]] = [
        (names_text(names), quantity(length, "m"), f"{np.degrees(angle):.4g}°" if angle else "–")
        for length, angle, names in groups
    ]
    heads = ("between joints of a body", "distance", "angle of axes")
    note = (
        "A joint with one axis counts as the line of its axis, others as a point; between two "
        "lines it is the length of their common normal."
    )
    return Block("Dimensions", heads, rows, note if rows else "")


def attachments(robot: Robot) -> Block:
    """Where joints sit on the base and on the platform."""
    rows: list[tuple[str, ...]] = []
    T_bp = robot.platform_frame.matrix
    for body, where, T in (
        (robot.base, "base", np.eye(4)),
        (robot.platform, "platform", np.linalg.inv(T_bp)),
    ):
        for joint, p, z in seats(robot, body):
            point, axis = T[:3, :3] @ p + T[:3, 3], T[:3, :3] @ z
            is_line = _is_line(joint) or KINDS[joint.kind].turns == 2
            rows.append((joint.name, where, vector(point, "m"), vector(axis) if is_line else "–"))
    note = "On the base in its axes, on the platform in those of the frame whose pose is given."
    if len(rows) > _LONGEST:
        note += f" {len(rows) - _LONGEST} more are in the robot's file."
    heads = ("joint", "on", "origin of its frame", "its axis z")
    return Block("Attachment points", heads, rows[:_LONGEST], note, left=2)
