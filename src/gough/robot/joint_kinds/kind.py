"""What a joint kind is: its moves, and what follows from them.

A joint lets frame B, on the child, move against frame A, on the parent.  A kind states its moves,
a residual that vanishes when the joint is whole, and words.  All else is derived here: the chain of
moves, axes and their rates, the twists that are free, the wrenches that are carried.

Every kind keeps to three rules (a test holds them to it), on which the derivations rest:

- turns pass through the origin of B; slides are along axes of A;
- one turn is about z of A, which is then z of B, too, and two are about z of A and z of B, a
  quarter turn about x between them;
- a residual has one entry for every wrench that is carried, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.spatial import Array, collect

TURN, SLIDE, SCREW, BALL, PLANE = "turn", "slide", "screw", "ball", "plane"
"""Turns, slides and screws are about or along an axis; a ball is three turns, a plane two slides.

A turn and a slide have one coordinate [rad, m] and may carry a motor; a ball and a plane have none:
their friction is isotropic.
"""

FREEDOMS = {TURN: 1, SLIDE: 1, SCREW: 1, BALL: 3, PLANE: 2}

QUARTER = spatial.snap(spatial.rotation_x(np.pi / 2.0))
"""Between two turns: z of A is perpendicular to z of B, and both angles are zero there."""

RADIAL, AXIAL, TILT, TORSION = "radial", "axial", "tilt", "torsion"
"""What a bearing holds: forces across and along z, moments across and about it."""


class JointMove(NamedTuple):
    """One elementary move of a joint.

    Attributes:
        what: turn, slide, screw or ball.
        axis: which axis of its frame it is about or along: 0, 1 or 2.
        on: the frame that carries this axis, ``"A"`` or ``"B"``.
    """

    what: str
    axis: int = 2
    on: str = "A"

    def direction(self, R: Array) -> Array:
        """Direction of the axis in axes of A, from the rotation of B in A."""
        return spatial.identity(3)[self.axis] if self.on == "A" else R[:, self.axis]


UNIT = 1.0
"""Size of what is one component alone."""


class WrenchPart(NamedTuple):
    """A component of a wrench ``[f; n]``: its place, its size, and its sign.

    The sign is apart from the size so that a program subtracts where it is negative.
    """

    place: int
    size: Any = UNIT
    sign: float = 1.0


class CarriedWrench(NamedTuple):
    """A wrench that a joint carries, about the origin of B.

    Attributes:
        bearing: the word for its direction at a bearing.
        parts: its components, the first one positive.
    """

    bearing: str
    parts: tuple[WrenchPart, ...]

    @property
    def is_force(self) -> bool:
        """Whether it is a force, not a moment: then its power is that of a velocity [m/s]."""
        return self.parts[0].place < 3

    def power(self, v: Array, w: Array) -> Array:
        """Its power in a twist, or in each column of a pair of 3xk matrices."""
        found: Array = None
        for place, size, sign in self.parts:
            rate = v[place] if place < 3 else w[place - 3]
            if size is not UNIT:  # most are one
                rate = rate * size
            if found is None:
                found = rate
            else:
                found = found + rate if sign > 0.0 else found - rate
        return found

    def row(self) -> Array:
        """The wrench as one vector ``[f; n]``."""
        found: list[Any] = [0.0] * 6
        for part in self.parts:
            found[part.place] = part.size * part.sign
        return collect(found)


@dataclass(frozen=True, eq=False)
class JointKind:
    """A kind of joint.

    Args:
        name: in files and in Python.
        letter: in the names of legs.
        groups: moves of every axis by its short name; moves that one axis has together share
            friction and limits.
        residual: from R, p of B in A and the pitch to what vanishes when the joint is whole.
        sides: figures that are negative where the residual vanishes with axes opposed.
        synonyms: other words of the field.
        one_sided: its slides are in a plane of A that B's origin touches while B turns as it likes,
            so that the parent's side and the child's differ.
        passive: whether it never carries a motor.
    """

    name: str
    letter: str
    groups: Mapping[str, tuple[JointMove, ...]]
    residual: Callable[[Array, Array, float], list[Any]]
    sides: Callable[[Array, Array, float], list[Any]] | None = None
    synonyms: str = ""
    one_sided: bool = False
    passive: bool = False

    # axes and moves

    @cached_property
    def axes(self) -> dict[str, str]:
        """What every axis does, by its short name, in order: turn, slide, ball or plane."""
        return {
            name: PLANE if len(moves) > 1 else {SCREW: TURN}.get(moves[0].what, moves[0].what)
            for name, moves in self.groups.items()
        }

    @cached_property
    def moves(self) -> tuple[JointMove, ...]:
        """All moves in order, from A to B."""
        return tuple(move for moves in self.groups.values() for move in moves)

    @cached_property
    def freedoms(self) -> int:
        """Degrees of freedom."""
        return sum(FREEDOMS[move.what] for move in self.moves)

    @cached_property
    def turns(self) -> int:
        """In how many directions B turns against A: 0 to 3."""
        return sum({TURN: 1, SCREW: 1, BALL: 3}.get(move.what, 0) for move in self.moves)

    @cached_property
    def slides(self) -> tuple[int, ...]:
        """Axes of A along which the origin of B may go at will."""
        return tuple(move.axis for move in self.moves if move.what == SLIDE)

    @cached_property
    def is_screw(self) -> bool:
        """Whether an advance goes with a turn."""
        return any(move.what == SCREW for move in self.moves)

    @cached_property
    def travel(self) -> tuple[int, ...]:
        """Axes of A along which the origin of B moves: its slides, or the advance of a screw."""
        return (2,) if self.is_screw else self.slides

    def travel_of(self, axis: str) -> list[int]:
        """Places in ``travel`` of the moves of an axis, by its short name."""
        moving = (SLIDE, SCREW)
        own = [name for name, ms in self.groups.items() for m in ms if m.what in moving]
        return [i for i, name in enumerate(own) if name == axis]

    @cached_property
    def is_bushing(self) -> bool:
        """Whether one body slides through the other along z, so that a guide has a place."""
        return self.slides == (2,)

    @cached_property
    def has_face(self) -> bool:
        """Whether the child slides on a face of the parent, the plane x_A y_A.

        Then only the origin of B is on all axes that it turns about.
        """
        return self.slides == (0, 1)

    def chain(self) -> Iterator[tuple[JointMove, int, np.ndarray]]:
        """Moves from A to B with the number of their axis and the rotation that follows."""
        for number, moves in enumerate(self.groups.values()):
            for move in moves:
                first_of_two = self.turns == 2 and move.on == "A" and move.what == TURN
                yield move, number, QUARTER if first_of_two else spatial.identity(3)

    def across(self, values: Any = None, pitch: float = 0.0) -> np.ndarray:
        """Pose of B in A for coordinates of the axes; a rotation for a ball, zero if not given."""
        R, p = np.eye(3), np.zeros(3)
        if self.turns == 3:  # of a plane only the ball's rotation can be given
            turned = values is not None and not self.one_sided
            return spatial.pose(np.asarray(values) if turned else R, p)
        q = np.zeros(len(self.moves)) if values is None else np.atleast_1d(values).astype(float)
        for (move, _, after), value in zip(self.chain(), q, strict=True):
            if move.what == SLIDE:
                p[move.axis] += value
                continue
            p[2] += pitch * value if move.what == SCREW else 0.0
            R = R @ spatial.rotation_z(value) @ after
        return spatial.pose(R, p)

    # what is free, what is carried

    def free_twists(self, R: Array, pitch: float = 0.0) -> list[tuple[Array, Array]]:
        """Twists ``(v, w)`` of B against A per unit rate of every move, in axes of A.

        ``v`` is that of the origin of B.  A ball has three, about the axes of B.
        """
        still, found = np.zeros(3), []
        for move in self.moves:
            if move.what == BALL:
                found += [(still, R[:, k]) for k in range(3)]
                continue
            a = move.direction(R)
            found.append({SLIDE: (a, still), TURN: (still, a), SCREW: (a * pitch, a)}[move.what])
        return found

    def carried(
        self, R: Array, pitch: float = 0.0, *, by_child: bool = False
    ) -> Sequence[CarriedWrench]:
        """Wrenches that the joint carries, in axes of A.

        Args:
            R: rotation of B in A, or of A in B.
            pitch: of a screw, in the unit of lengths.
            by_child: whether the wrench acts in axes of B, R being the rotation of A in B.  Only
                what is one-sided then looks different.
        """
        if self.one_sided and by_child:
            normals = (k for k in range(3) if k not in self.slides)
            return [
                CarriedWrench(AXIAL, tuple(WrenchPart(i, R[i, k]) for i in range(3)))
                for k in normals
            ]
        if self.is_screw:
            advance = CarriedWrench(AXIAL, (WrenchPart(2), WrenchPart(5, pitch, -1.0)))
            return [*self._carried[:2], advance, *self._carried[3:]]
        if self.turns == 2:  # the moment across both axes, z_A x z_B
            z = R[:, 2]
            return [
                *self._carried,
                CarriedWrench(TILT, (WrenchPart(4, z[0]), WrenchPart(3, z[1], -1.0))),
            ]
        return self._carried

    @cached_property
    def _carried(self) -> tuple[CarriedWrench, ...]:
        """What it carries along axes of A, whatever its coordinates are."""
        forces = [k for k in range(3) if k not in self.slides]
        moments = {0: (3, 4, 5), 1: (3, 4)}.get(self.turns, ())
        return tuple(
            CarriedWrench(word, (WrenchPart(k),))
            for k, word in (
                *((k, AXIAL if k == 2 else RADIAL) for k in forces),
                *((k, TORSION if k == 5 else TILT) for k in moments),
            )
        )

    @cached_property
    def rows(self) -> tuple[bool, ...]:
        """Of every entry of the residual whether it is a length [m], not an angle [rad]."""
        return tuple(each.is_force for each in self.carried(np.eye(3)))

    @cached_property
    def bearing(self) -> tuple[str, ...]:
        """Directions that a bearing may give a stiffness."""
        return tuple(dict.fromkeys(each.bearing for each in self.carried(np.eye(3))))

    # from poses and twists to axes

    def coordinates(self, R: Array, p: Array, pitch: float = 0.0) -> list[Array]:
        """Coordinates of the moves, read off the pose of B in A.

        ``(cos, sin)`` of a turn, the length of a slide, the angle of a screw, the rotation of a
        ball.
        """
        z, seen = R[:, 2], 0
        about_z = (R[0, 0] + R[1, 1], R[1, 0] - R[0, 1])
        found = []
        for move in self.moves:
            if move.what == BALL:
                found.append(R)
            elif move.what == TURN:
                pairs = ((-z[1], z[0]), (R[2, 1], R[2, 0])) if self.turns == 2 else (about_z,)
                found.append(_unit(collect(pairs[seen])))
                seen += 1
            else:
                along = p[move.axis : move.axis + 1]
                found.append(along / pitch if move.what == SCREW else along)
        return found

    def pose(self, axes: Sequence[Array], pitch: float = 0.0) -> tuple[Array, Array]:
        """Rotation and origin of B in A: the inverse of ``coordinates``, axis by axis.

        Args:
            axes: coordinates of every axis; those of a plane in one vector.
            pitch: of a screw.
        """
        R: Array = np.eye(3)
        p: Array = np.zeros(3)
        shared = zip(axes, self.groups.values(), strict=True)
        values = [part for at, own in shared for part in (at[:, None] if len(own) > 1 else [at])]
        for (move, _, after), at in zip(self.chain(), values, strict=True):
            if move.what == SLIDE:
                p = p + spatial.identity(3)[move.axis] * at[0]
            elif move.what == BALL:
                R = at
            elif move.what == SCREW:
                R = spatial.turn_z(R, np.cos(at[0]), np.sin(at[0]))
                p = spatial.E_Z * (at[0] * pitch)
            else:
                R = spatial.turn_z(R, at[0], at[1])
                R = R @ after if self.turns == 2 and move.on == "A" else R
        return R, p

    def axis_rates(self, R: Array, v: Array, w: Array) -> list[Any]:
        """Rates of the axes from the velocity of B seen from A, in axes of A.

        A ball gives its angular velocity in axes of B, a plane two velocities.  Being linear and
        exact, the same lines map accelerations.
        """
        found: list[Any] = []
        for moves in self.groups.values():
            move = moves[0]
            if move.what == BALL:
                found.append(R.T @ w)
            elif len(moves) > 1:
                found.append(v[[each.axis for each in moves]])
            elif move.what == SLIDE:
                found.append(v[move.axis])
            else:
                found.append(w[2] if move.on == "A" else R[:, 2] @ w)
        return found


def _unit(pair: Array) -> Array:
    return pair / np.sqrt(pair @ pair)


FREE = JointKind(
    "",
    "",
    {
        "place": (JointMove(SLIDE, 0), JointMove(SLIDE, 1), JointMove(SLIDE, 2)),
        "ball": (JointMove(BALL),),
    },
    lambda R, p, pitch: [],
)
"""No joint at all: three slides and a ball."""

# residuals that several kinds share


def tilt(R: Array) -> list[Any]:
    """Zero where z of B is along z of A, or against it."""
    return [-R[1, 2], R[0, 2]]


def aligned(R: Array, p: Array, pitch: float) -> list[Any]:
    """Negative where z of B is against z of A."""
    return [R[2, 2]]


def unturned(R: Array, p: Array, pitch: float) -> list[Any]:
    """Negative where B is turned by more than a right angle: half a turn has no skew part."""
    return [R[0, 0] + R[1, 1] + R[2, 2] - 1.0]
