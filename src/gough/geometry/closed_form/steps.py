"""One coordinate from one loop: point, swing, extend, slide, without trigonometry.

The other unknown moves of the loop stand in two blocks, A behind the move and B before it (the loop
is a cycle).  Each keeps a feature, and how the two features lie to each other can be seen on either
side: across the unknown move, and across the rest of the loop, which is known.  That is one
equation.  If one block is empty, the other's feature is seen whole on both sides: it is pointed at.

A turn (c, s) between vectors a (behind) and b (before) obeys ``alpha c + beta s = gamma``; two
roots, home's branch says which.  Numbers and symbols take the same lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.spatial import E_X, E_Y, E_Z, Array, collect, cross
from gough.geometry.closed_form.features import Feature
from gough.geometry.closed_form.loops import (
    DIRECTION,
    PLANE,
    POINT,
    Carried,
    Loop,
    Stage,
    Values,
    leftwards,
    rightwards,
)
from gough.robot.joint_kinds import BALL, SCREW, TURN

_ROUNDING = 1e-13  # of squares, by what they are differences of


@dataclass(frozen=True, eq=False)
class Block:
    """Neighbouring unknown moves, and a feature that they keep."""

    first: int
    last: int
    feature: Feature


class Solved(NamedTuple):
    """A coordinate and how well it is determined.

    Attributes:
        at: the coordinate, as carried in configurations.
        margin: square of the distance to where two branches meet, over its largest value; negative
            out of reach; 1 where there is one branch.
        slope: how strongly the equation feels the coordinate, in its natural unit.
    """

    at: Array
    margin: Any
    slope: Any


@dataclass(frozen=True, eq=False)
class Step:
    """How one coordinate follows from those known before.

    Attributes:
        loop: the loop it is read from.
        move: index of the unknown move.
        A: block behind the move; ``None`` if nothing unknown is there.
        B: block before it.
        sign: branch, +1 or -1.
        home: rotation of a ball at home, which its swing starts from.
    """

    loop: Loop
    move: int
    A: Block | None
    B: Block | None
    sign: float = 1.0
    home: np.ndarray | None = None

    @property
    def stage(self) -> Stage:
        """The unknown move."""
        return self.loop.stages[self.move]

    @property
    def points(self) -> bool:
        """One block is empty: the feature is pointed at, and there is one branch."""
        return self.A is None or self.B is None

    @property
    def branches(self) -> bool:
        """Whether a root is taken, and home says which."""
        if self.A is None or self.B is None or self.stage.move == BALL:
            return False
        kinds = {block.feature.before.kind for block in (self.A, self.B)}
        return self.stage.move == TURN or kinds == {POINT}

    def sides(self, values: Values, T_0p: Array) -> tuple[Carried, Carried]:
        """The feature behind the move, and the one before it."""
        loop, k = self.loop, self.move
        A, B = self.A or self.B, self.B or self.A
        if A is None or B is None:  # nothing else is unknown: any direction or point will do
            if self.stage.move in (TURN, BALL):
                a = Carried(DIRECTION, E_X, 0.0)
            else:
                a = Carried(POINT, np.zeros(3), 0.0)
            return a, rightwards(loop, values, T_0p, k, k, a)
        a = leftwards(loop, values, T_0p, A.first, k, A.feature.before)
        b = rightwards(loop, values, T_0p, B.last, k, B.feature.behind)
        return a, b

    def solve(self, values: Values, T_0p: Array) -> Solved:
        """The coordinate."""
        a, b = self.sides(values, T_0p)
        if self.stage.move == BALL:
            found = self._ball(a, b, values, T_0p)
        elif self.stage.move == TURN:
            found = self._point(a, b) if self.points else self._turn(a, b, values, T_0p)
        elif self.points:
            found = self._slide_to(a, b)
        else:
            found = self._slide(a, b, values, T_0p)
        return found._replace(at=self._stored(found.at))

    def _stored(self, at: Array) -> Array:
        stage = self.stage
        if stage.move == BALL:
            return at.T if stage.backwards else at
        if stage.move == TURN:
            return collect([at[0], -at[1]]) if stage.backwards else at
        at = -at if stage.backwards else at
        return at / stage.pitch if stage.move == SCREW else at

    def relation(self, values: Values, T_0p: Array) -> Array:
        """How the two features lie to each other: distance squared, or scalar product."""
        if self.A is None or self.B is None:
            raise RuntimeError("one block is empty: there is nothing to compare")
        B = self.B
        a = rightwards(self.loop, values, T_0p, self.A.last, B.first, self.A.feature.behind)
        b = B.feature.before
        if a.kind == b.kind == POINT:
            return (a.v - b.v) @ (a.v - b.v)
        return a.v @ b.v - (b.h if b.kind == PLANE else a.h)

    def _point(self, a: Carried, b: Carried) -> Solved:
        """Turn a until it points along b.

        Divided by the length of b, not of a: the pair is of length 1 either way if the pose is one
        that the robot has; if not, a would be stretched until it reaches b, and no loop were open.
        """
        x = a.v[0] * b.v[0] + a.v[1] * b.v[1]
        y = a.v[0] * b.v[1] - a.v[1] * b.v[0]
        size = b.v[0] * b.v[0] + b.v[1] * b.v[1]
        return Solved(collect([x, y]) / size, 1.0, size)

    def _turn(self, a: Carried, b: Carried, values: Values, T_0p: Array) -> Solved:
        """Swing until the features lie to each other as the rest of the loop says."""
        alpha = a.v[0] * b.v[0] + a.v[1] * b.v[1]
        beta = a.v[0] * b.v[1] - a.v[1] * b.v[0]
        lies = self.relation(values, T_0p)
        if a.kind == b.kind == POINT:
            # |a|^2 + |b|^2 - 2 a.b = lies, and the parts along the axis do not turn
            along = a.v[2] - b.v[2]
            across = a.v[0] * a.v[0] + a.v[1] * a.v[1] + b.v[0] * b.v[0] + b.v[1] * b.v[1]
            gamma = (across + along * along - lies) / 2.0
        else:
            gamma = lies + (b.h if b.kind == PLANE else a.h) - a.v[2] * b.v[2]
        size = alpha * alpha + beta * beta
        square = size - gamma * gamma
        root = _root(square, size) * self.sign
        pair = collect([alpha * gamma - beta * root, beta * gamma + alpha * root]) / size
        return Solved(pair, square / size, square)

    def _slide_to(self, a: Carried, b: Carried) -> Solved:
        """Slide a point or a plane to where it must be."""
        if a.kind == POINT:
            return Solved(collect([b.v[2] - a.v[2]]), 1.0, 1.0)
        return Solved(collect([(b.h - a.h) / a.v[2]]), 1.0, a.v[2] * a.v[2])

    def _slide(self, a: Carried, b: Carried, values: Values, T_0p: Array) -> Solved:
        """Extend until the distance is right, or slide until the plane is met."""
        lies = self.relation(values, T_0p)
        if a.kind == b.kind == POINT:
            x, y = a.v[0] - b.v[0], a.v[1] - b.v[1]
            square = lies - x * x - y * y
            root = _root(square, lies) * self.sign
            return Solved(collect([b.v[2] - a.v[2] + root]), square / lies, square)
        if b.kind == PLANE:
            q = (lies + b.h - b.v @ a.v) / b.v[2]
            return Solved(collect([q]), 1.0, b.v[2] * b.v[2])
        q = (a.v @ b.v - a.h - lies) / a.v[2]
        return Solved(collect([q]), 1.0, a.v[2] * a.v[2])

    def _ball(self, a: Carried, b: Carried, values: Values, T_0p: Array) -> Solved:
        if self.A is None and self.B is None:
            k = self.move
            columns = [
                rightwards(self.loop, values, T_0p, k, k, Carried(DIRECTION, e, 0.0)).v
                for e in (E_X, E_Y, E_Z)
            ]
            return Solved(collect(columns).T, 1.0, 1.0)
        if self.home is None:
            raise RuntimeError("a ball that swings needs its rotation at home")
        return Solved(swing(self.home @ a.v, b.v) @ self.home, 1.0, a.v @ a.v)


def _root(square: Array, size: Array) -> Array:
    """The root of a square; zero where rounding alone makes a number negative.

    So a pose on the very border of reach is one the robot has.  A symbol is not asked: its program
    gives no number there, and refers the state to numbers.
    """
    if isinstance(square, float) and -_ROUNDING * size < square < 0.0:
        return 0.0
    return np.sqrt(square)


def swing(a: Array, b: Array) -> Array:
    """The smallest rotation that takes a to b, two vectors of one length that are not opposed."""
    square = a @ a
    v, c = cross(a, b) / square, (a @ b) / square
    return np.outer(v, v) / (1.0 + c) + spatial.skew(v) + np.eye(3) * c
