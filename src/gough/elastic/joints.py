"""What joints hold of small displacements: rows that vanish, springs of bearings, rates of axes.

With frame A on the parent, B on the child and ``d = r_B - r_A`` the relative small twist is
``xi = [u_B - u_A - theta_A x d; theta_B - theta_A]``, here in the axes of A.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.elastic.mesh import repeated, shift
from gough.elastic.postures import Postures
from gough.errors import NotElastic
from gough.mechanism.closure.equations import BASE, Equations
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.topology.seats import Seat, Seats
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import BALL, KINDS, SLIDE, JointKind

_PLAY = 1e-3  # share of its length that a beam may end before its guide: typed figures


class Direction(NamedTuple):
    """A direction that a joint holds: a row over ``xi``, and its stiffness, None if rigid."""

    row: np.ndarray
    stiffness: float | None


@dataclass(frozen=True, eq=False)
class JointPlace:
    """A joint in a posture, or in each of a batch.

    Attributes:
        joint: its description, without its brake.
        held: a brake holds all its axes.
        A: frame on the parent, in the base ``(..., 3, 3)``, ``(..., 3)``.
        R_AB: turn of the frame on the child, in the axes of A ``(..., 3, 3)``.
        on_parent, on_child: points where the joint sits on its bodies, in their own axes [m].
        offset: from the point on the parent to the one on the child, base axes ``(..., 3)`` [m].
    """

    joint: Joint
    held: bool
    A: Pose
    R_AB: np.ndarray
    on_parent: np.ndarray
    on_child: np.ndarray
    offset: np.ndarray

    @property
    def ends(self) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """Of parent and child: name, point of the joint, ``xi`` per displacement ``(..., 6, 6)``.

        The displacement is that of the point, base axes.
        """
        into = repeated(self.A.R.swapaxes(-1, -2), 2)
        return [
            (self.joint.parent, self.on_parent, -into @ shift(self.offset)),
            (self.joint.child, self.on_child, into),
        ]

    def directions(self) -> list[Direction]:
        """What the joint holds."""
        bearing = self.joint.bearing
        names = ("radial", "axial", "tilt", "torsion")
        given = {name: getattr(bearing, name) if bearing else None for name in names}
        carried = self._kind.carried(self._turned, self.joint.pitch)
        return [
            Direction(_row({part.place: part.size * part.sign for part in each.parts}), given[name])
            for each in carried
            for name in [each.bearing]
        ]

    def axes(self) -> dict[str, list[np.ndarray]]:
        """Rates of every axis as rows over ``xi``, by axis name: one, two of a plane, three."""
        found = {}
        for name, moves in zip(self.joint.axis_names, self._kind.groups.values(), strict=True):
            rows = []
            for move in moves:
                if move.what == BALL:  # the same about all directions: those of A are constant
                    rows += [_row({3 + k: 1.0}) for k in range(3)]
                elif move.what == SLIDE:
                    rows.append(_row({move.axis: 1.0}))
                else:
                    rows.append(_row(dict(enumerate(move.direction(self._turned), start=3))))
            found[name] = rows
        return found

    @property
    def _kind(self) -> JointKind:
        return KINDS[self.joint.kind]

    @property
    def _turned(self) -> np.ndarray:
        """B in A, the axes of a batch last: ``(3, 3, ...)``."""
        return np.moveaxis(self.R_AB, (-2, -1), (0, 1))


def _row(entries: Mapping[int, Any]) -> np.ndarray:
    """A row over ``xi``: numbers, or one in each of a batch."""
    return np.stack(np.broadcast_arrays(*(entries.get(k, 0.0) for k in range(6))), axis=-1)


def joint_places(
    robot: Robot, at: Equations | Postures, locked: frozenset[str]
) -> list[JointPlace]:
    """All joints in a posture, or in each of a batch.

    Args:
        robot: the machine.
        at: the posture.
        locked: joints whose idle motion is held, as by a brake.

    Raises:
        NotElastic: a telescopic leg of two beams does not say where its guide is.
    """
    bending = {body.name for body in robot.bodies if body.beam is not None}
    found = []
    for given in robot.joints:
        joint = given.released
        bodies = [at.body_poses.get(name, BASE) for name in (joint.parent, joint.child)]
        seats = at.topology.seats[given.name]
        if given.held is not None:
            seats = Seats(Seat.of(joint.parent_frame), Seat.of(joint.child_frame))
        A, B = (Pose(*Seat(*body).carrying(seat)) for body, seat in zip(bodies, seats, strict=True))
        on, offset = [seat.p for seat in seats], B.p - A.p
        if joint.guide is not None:
            carrier = bodies[0] if joint.guide.on == joint.parent else bodies[1]
            point = carrier.p + carrier.R @ np.array(joint.guide.at)
            on = [body.R.T @ (point - body.p) for body in bodies]
            offset = np.zeros(3)
            for name, place in zip((joint.parent, joint.child), on, strict=True):
                _check_guided(robot, joint, name, place)
        elif KINDS[joint.kind].is_bushing and {joint.parent, joint.child} <= bending:
            raise NotElastic(
                f"{robot.name}: joints.{joint.name} slides between two beams, {joint.parent!r} and "
                f"{joint.child!r}, and does not say where its guide is",
                hint="The free lengths of both depend on it: give the bushing on one of them, "
                f"guide: {{on: {joint.parent}, at: [x, y, z]}} in that body's frame.",
                joint=joint.name,
            )
        held = given.held is not None or joint.name in locked
        R_AB = A.R.swapaxes(-1, -2) @ B.R
        found.append(JointPlace(joint, held, A, R_AB, on[0], on[1], offset))
    return found


def _check_guided(robot: Robot, joint: Joint, name: str, point: np.ndarray) -> None:
    """Refuse a posture in which a beam ends before the guide that it slides through."""
    beam = robot.body(name).beam if name != robot.base else None
    if beam is None:
        return
    first, second, *_ = np.array(beam.points)
    *_, before, last = np.array(beam.points)
    for end, inner in ((first, second), (last, before)):
        out = (end - inner) / np.linalg.norm(end - inner)
        beyond = float(out @ (point - end))
        others = np.linalg.norm(np.array(beam.points) - point, axis=1)
        if beyond > _PLAY * beam.length and np.linalg.norm(end - point) <= others.min() * 1.001:
            raise NotElastic(
                f"{robot.name}: joints.{joint.name}: the beam of {name!r} ends {beyond:.4g} m "
                "before the guide in this posture",
                hint="Draw the beam as long as it slides, or move the guide: beyond its end "
                "nothing is known of it.",
                joint=joint.name,
                beyond=beyond,
            )
