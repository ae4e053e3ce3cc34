"""Conditions of a state as it was found: its pose, its loops, its branch, its turns.

With numbers :mod:`gough.geometry` finds a state by walking to it, counts turns on the way, and
refuses by name what it cannot find.  A program has a closed form or a fixed number of Newton's
steps instead: these conditions say where their result may be another state than the reference's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from gough.base.conditions import Condition, Tolerances, steep, sum_of_sizes
from gough.base.spatial import Array, rotation_error, total
from gough.errors import GoughError
from gough.geometry.closed_form.reach import decides
from gough.geometry.constant_entries import reaches_all
from gough.geometry.turns import ONE_WAY, counted_axes, home_equations
from gough.mechanism.closure.axes import coordinate
from gough.mechanism.closure.coordinates import scale_of_move
from gough.mechanism.closure.couplings import coupling_gaps
from gough.mechanism.closure.dense import platform_scales
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.rows import residual, turned_away
from gough.mechanism.closure.solution import Rates, Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import CONTRACTION, FINE, LARGEST_TURN
from gough.robot.joint_kinds import BALL, SCREW, TURN

Steps = Sequence[tuple[Array, Array]]
"""Newton's steps in a row by their squares: of what turns [rad^2], and of all in natural units."""


@dataclass(frozen=True)
class ValidPose(Condition):
    """A matrix is a pose of the robot: a rotation, and constant entries where they should be.

    Attributes:
        given: the matrix.
        settled: the same with constants in their places.
        off: how far constant entries are from them, natural units.
    """

    given: Array
    settled: Array
    off: Sequence[Array]

    def share(self, accept: Tolerances) -> Array:
        """Sum over rotation, last row and constant entries."""
        T = self.given
        last = [T[3, 0], T[3, 1], T[3, 2], T[3, 3] - 1.0]
        rotation = sum_of_sizes(rotation_error(self.settled[:3, :3]), accept.rotation)
        return rotation + sum_of_sizes([*last, *self.off], accept.entry)


@dataclass(frozen=True)
class ClosedLoops(Condition):
    """No loop is open, or closed the wrong way round."""

    assembly: Assembly
    at: Equations

    def share(self, accept: Tolerances) -> Array:
        """Sum over all loops and couplings; nothing where a closed form leaves none to be open."""
        if decides(self.assembly) and reaches_all(self.assembly):
            return 0.0
        open_by = []
        for m in self.at.all_loop_joints:
            for is_length, off in zip(m.kind.rows, residual(m), strict=True):
                open_by.append(off / self.assembly.length if is_length else off)
            open_by += [away * accept.closed for away in turned_away(m)]
        open_by += coupling_gaps(self.at, self.assembly.length)
        return sum_of_sizes([*open_by, *improper(self.assembly, self.at)], accept.closed)


@dataclass(frozen=True)
class ConvergedSteps(Condition):
    """Newton's steps from home did not lead to another branch than home's.

    They are trusted as the reference trusts its own: no axis turns by a radian at once, and every
    step is less than a quarter of the one before (Kantorovich), until they are rounding.
    """

    runs: Sequence[Steps]

    def share(self, accept: Tolerances) -> Array:
        """Sum over all steps."""
        found: Array = 0.0
        for steps in self.runs:
            before: Array = None
            for turn, square in steps:
                found = found + steep(turn * (1.0 / LARGEST_TURN**2))
                if before is not None:
                    found = found + steep(square / (before * CONTRACTION**2 + FINE**2))
                before = square
        return found


def joint_steps(assembly: Assembly, steps: Sequence[Rates]) -> Steps:
    """Sizes of Newton's steps of all joints."""
    sizes = []
    for step in steps:
        turn: Array = 0.0
        square: Array = 0.0
        for tree, own in zip(assembly.topology.trees, step.trees, strict=True):
            for link, columns in zip(tree.links, tree.columns, strict=True):
                size = own[columns] @ own[columns]
                if link.move in (TURN, BALL):
                    turn = turn + size
                square = square + size * (1.0 / scale_of_move(link, assembly.length) ** 2)
        sizes.append((turn, square))
    return sizes


@dataclass(frozen=True)
class HomeBranch(Condition):
    """No leg has passed a singularity on the way from home: signs of determinants are home's.

    Numbers are told which branch is meant by the joints that they are given, or walk there.
    """

    assembly: Assembly
    solution: Solution

    def share(self, accept: Tolerances) -> Array:
        """2 for each leg whose sign has changed."""
        home = self.assembly.traced(home_equations(self.assembly))
        found: Array = 0.0
        for before, after in zip(home.factors, self.solution.factors, strict=True):
            if before.pivots:
                pairs = zip(before.pivots, after.pivots, strict=True)
                det = prod(x for a, b in pairs for x in (b, float(np.sign(a))))
                found = found + (1.0 - np.sign(det))
        return found


@dataclass(frozen=True)
class CountedTurns(Condition):
    """No axis whose turns count may have gone the other way round, seen from home."""

    assembly: Assembly
    at: Equations

    def share(self, accept: Tolerances) -> Array:
        """Steep in the angles from home, beside ``ONE_WAY``."""
        assembly, at = self.assembly, self.at
        places, home = counted_axes(assembly), home_equations(assembly)
        pairs = [(coordinate(home, p), coordinate(at, p), ONE_WAY) for p in places]
        if any(not p.links for p in places):  # it may turn by what all others of its loop do
            links = _links(assembly, home, at)
            pairs += [(a, b, np.pi / (len(links) + 1.0)) for a, b in links]
        turned = [
            (1.0 - before @ after) / (1.0 - np.cos(most))
            for before, after, most in pairs
            if len(before) == 2
        ]
        screwed = [
            (after[0] - before[0]) / ONE_WAY
            for before, after in (_links(assembly, home, at) if places else ())
            if len(before) == 1  # a screw's own angle
        ]
        return total(map(steep, turned + screwed))


@dataclass(frozen=True)
class FollowedTurns(Condition):
    """Angles that are followed from a state before have not turned too far since.

    Attributes:
        before: angles at that state, by the names of axes.
    """

    assembly: Assembly
    at: Equations
    before: Mapping[str, Array]

    def refuse(self) -> None:
        """Refuse a turn of more than ``ONE_WAY`` within a step."""
        for name, before in self.before.items():
            if abs(self.assembly.axis_position(self.at, name) - before) > ONE_WAY:
                raise GoughError(f"{self.assembly.robot.name}: {name} turns too far within a step")

    def share(self, accept: Tolerances) -> Array:
        """Steep in the angles since then."""
        found: Array = 0.0
        for place, angle in (self.at.configuration.near or {}).items():
            c, s = coordinate(self.at, place)[0], coordinate(self.at, place)[1]
            off = 1.0 - c * np.cos(angle) - s * np.sin(angle)
            found = found + steep(off / (1.0 - np.cos(ONE_WAY)))
        return found


@dataclass(frozen=True)
class WithinHalfTurn(Condition):
    """Rotation vectors differ from home's by less than half a turn in every component.

    Beyond that the reference follows the rotation vector all the way; a program does not.
    """

    assembly: Assembly
    y: Array

    def share(self, accept: Tolerances) -> Array:
        """1 for each component beyond it."""
        home = self.assembly.chart.coordinates(np.asarray(self.assembly.start[0]))
        turned = [i for i in self.assembly.free if i > 2]
        far = (1.0 * (np.abs(self.y[i] - float(home[i])) < np.pi) for i in turned)
        return total(1.0 - near for near in far)


@dataclass(frozen=True)
class RedundantRows(Condition):
    """Rows that follow from the others as described still do, where joints sit elsewhere.

    Loops of a machine that is over-constrained as described may happen to close at one pose of
    another geometry, at which the machine cannot move as described: then these rows forbid it.
    """

    assembly: Assembly
    solution: Solution

    def share(self, accept: Tolerances) -> Array:
        """Sum of what they forbid of the freedoms."""
        assembly, solution = self.assembly, self.solution
        if not assembly.moved:
            return 0.0
        B, _ = solution.platform_rows()
        left = solution.platform_factor.left_over if solution.dependent else range(B.shape[0])
        units, freedoms = platform_scales(solution, assembly.length), assembly.scales.freedoms
        off = [x for i in left for x in (B[i] @ solution.Psi) * (freedoms / units[i])]
        return sum_of_sizes(off, accept.consistent)


def improper(assembly: Assembly, at: Equations) -> list[Array]:
    """How far pairs (cos, sin) are from length 1, and rotations from rotations.

    A closed form at a pose that is outside the mobility closes its loops with such.
    """
    found: list[Array] = []
    for tree, values in zip(assembly.topology.trees, at.configuration.trees, strict=True):
        for link, value in zip(tree.links, values, strict=True):
            if link.move == TURN:
                found.append(value @ value - 1.0)
            elif link.move == BALL:
                found += rotation_error(value)
    return found


def _links(assembly: Assembly, home: Equations, at: Equations) -> list[tuple[Array, Array]]:
    """Coordinates of links that turn or screw, at home and now."""
    found = []
    configurations = (home.configuration.trees, at.configuration.trees)
    for tree, before, after in zip(assembly.topology.trees, *configurations, strict=True):
        for link, a, b in zip(tree.links, before, after, strict=True):
            if link.move in (TURN, SCREW):
                found.append((a, b))
    return found
