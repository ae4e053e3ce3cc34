"""Three hinges in a row that meet in one point: what a description has in the place of a ball.

A universal joint counts for two of them.  The bodies between are held by these joints alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gough.mechanism.closure.drags import Pivot, direction
from gough.mechanism.closure.equations import Equations
from gough.mechanism.topology.topology import Topology
from gough.robot import Robot
from gough.robot.joint import DRAGS, Joint
from gough.robot.names import joint_of

_AXES = {"revolute": 1, "universal": 2}
_MEET = 1e-6  # of the machine: axes that pass each other nearer than this meet
_ACROSS = 1e-3  # |sine| of two directions at least, for their axes to have one common point


class HingeRow(NamedTuple):
    """Joints in a row.

    Attributes:
        joints: two or three of them, with three turning axes in all.
        bodies: from the first end through the bodies between to the last end.
    """

    joints: tuple[Joint, ...]
    bodies: tuple[str, ...]

    @property
    def between(self) -> tuple[str, ...]:
        """Bodies that no other joint holds."""
        return self.bodies[1:-1]

    @property
    def ends(self) -> tuple[str, str]:
        """What the row joins."""
        return self.bodies[0], self.bodies[-1]

    def is_of(self, topology: Topology, group: int) -> bool:
        """Whether all of it belongs to a leg, or to the hub: -1."""
        joints = {link.joint for link in topology.trees[group + 1].links}
        joints |= {closing.joint.name for closing in topology.closings[group + 1]}
        return joints >= {joint.name for joint in self.joints}

    def reversed(self) -> HingeRow:
        """The same from its other end."""
        return HingeRow(self.joints[::-1], self.bodies[::-1])


def hinge_rows(robot: Robot, length: float) -> list[HingeRow]:
    """All rows of a robot, none of whose joints is a motor, coupled or locked.

    Args:
        robot: the description.
        length: of the machine [m].
    """
    named = [*robot.motors, *(axis for c in robot.couplings for axis in c.axes)]
    busy = {joint_of(name) for name in named} | {*robot.locked}
    at: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        at.setdefault(joint.parent, []).append(joint)
        at.setdefault(joint.child, []).append(joint)
    free = [j for j in robot.joints if j.kind in _AXES and j.name not in busy]
    found: list[HingeRow] = []
    taken: set[str] = set()
    for first in free:
        for start in (first.parent, first.child):
            for row in _onwards(robot, at, free, HingeRow((first,), (start, _other(first, start)))):
                names = {joint.name for joint in row.joints}
                if not names & taken and _meet(row, _MEET * length):
                    found.append(row)
                    taken |= names
    return found


def _onwards(
    robot: Robot, at: dict[str, list[Joint]], free: list[Joint], row: HingeRow
) -> Iterator[HingeRow]:
    """Rows of three axes that begin with given joints."""
    axes = sum(_AXES[joint.kind] for joint in row.joints)
    if axes == 3:
        yield row
    last = row.bodies[-1]
    if axes >= 3 or last in (robot.base, robot.platform) or len(at[last]) != 2:
        return
    for joint in at[last]:
        if joint in free and joint not in row.joints:
            yield from _onwards(
                *(robot, at, free),
                HingeRow((*row.joints, joint), (*row.bodies, _other(joint, last))),
            )


def _other(joint: Joint, body: str) -> str:
    return joint.child if joint.parent == body else joint.parent


def _meet(row: HingeRow, near: float) -> bool:
    """Whether all axes pass through one point: along each joint, seen from both its sides."""
    along: dict[str, float] = {joint.name: 0.0 for joint in row.joints if joint.kind == "universal"}
    for (one, two), body in zip(pairwise(row.joints), row.between, strict=True):
        (p, a), (q, b) = _line(one, body), _line(two, body)
        if np.linalg.norm(np.cross(a, b)) < _ACROSS:
            return False
        # p + s a = q + t b, as near as can be
        (s, t), *_ = np.linalg.lstsq(np.column_stack([a, -b]), q - p, rcond=None)
        s, t = (along.get(joint.name, value) for joint, value in ((one, s), (two, t)))
        if np.linalg.norm(p + s * a - q - t * b) > near:
            return False
        along |= {one.name: s, two.name: t}
    return True


def _line(joint: Joint, body: str) -> tuple[np.ndarray, np.ndarray]:
    """A point of a joint's axis on a body, and its direction, body axes."""
    frame = joint.parent_frame if joint.parent == body else joint.child_frame
    return np.array(frame.position), np.array(frame.rotation)[:, 2]


def pivots(at: Equations, group: int, row: HingeRow) -> tuple[Pivot, ...]:
    """The hinges of a row as a tree has them, from the body that drags to the one that spins."""
    found = []
    for joint, (outer, inner) in zip(row.joints, pairwise(row.bodies), strict=True):
        axes = range(_AXES[joint.kind])
        for axis in axes if joint.parent == outer else reversed(axes):
            found.append(_pivot(at, group, joint, axis, outer, inner))
    return tuple(found)


def _pivot(at: Equations, group: int, joint: Joint, axis: int, outer: str, inner: str) -> Pivot:
    tree, drags = at.topology.trees[group + 1], joint.idle == DRAGS
    universal = joint.kind == "universal"
    body = (joint.parent, joint.child)[axis] if universal else inner
    link, closing, near = -1, -1, True
    for k, each in enumerate(tree.links):
        if each.joint == joint.name and each.axis == axis:
            link = k
    if link < 0:
        closings = [each.joint.name for each in at.topology.closings[group + 1]]
        closing = closings.index(joint.name)
        if universal:  # its first axis is that of the parent's frame, its second of the child's
            near = at.topology.closings[group + 1][closing].near_is_parent == (axis == 0)
    made = Pivot(joint.axis_names[axis], body, link, closing, near, 1.0, drags)
    z = at.frames(joint)[axis if universal else 0].R[:, 2]
    forwards = 1.0 if joint.parent == outer else -1.0
    return made._replace(sign=float(np.sign(direction(at, group, made) @ z)) * forwards)
