"""Doubt: one number beside a traced answer that says whether the answer may be trusted.

Below 1 the state is regular, closed and consistent, and the answer is valid.  Otherwise, or if it
is not a number, the state is computed again with pivots chosen for it: only that result counts.
Doubt is raised early and costs little; it is never the reason to refuse a state.

It is a sum of sizes, so that a term that is not a number makes all of it none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gough.base.spatial import Array, cross, total
from gough.dynamics.answers.free_bodies import Balanced
from gough.geometry.closed_form.reach import decides
from gough.geometry.turns import ONE_WAY, counted_axes, home_equations
from gough.kernels.tracing.settled import reaches_all
from gough.mechanism.closure.axes import coordinate
from gough.mechanism.closure.coordinates import scale_of_move
from gough.mechanism.closure.couplings import coupling_gaps
from gough.mechanism.closure.dense import platform_scales
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.rows import UNITS, residual
from gough.mechanism.closure.solution import Rates, RightSide, Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import CONTRACTION, FINE, LARGEST_TURN
from gough.mechanism.mobility.singular import SINGULAR
from gough.mechanism.topology.moves import BALL, SCREW, TURN


@dataclass(frozen=True)
class Tolerances:
    """Bounds up to which a compiled answer is accepted; beyond them NumPy computes the state again.

    Each is the bound by which the reference refuses, or stricter: a state that the reference would
    refuse must always raise a doubt.

    Attributes:
        rotation: error of a rotation matrix.
        entry: error of an entry that should be constant, natural units.
        closed: open loops, natural units.
        consistent: share of a twist that the legs forbid.
        regular: least singular value of legs, hub and platform, natural units: ten times the bound
            that decides, as the pivots of a hub are not those of an orthonormal basis.
        motors: the same of the motors' Jacobian.
        condition: largest condition number of the motors' Jacobian.
        pivot: least pivot beside its row.
        nothing: added to a speed squared that may vanish, so that it can be divided by.
        definite: determinant of the inertia matrix, its diagonal scaled to one.
        share: least inertia of a freedom beside that of all, natural units.
        frozen: effort along a frozen freedom beside all that acts.
        spare: balance of bodies that internal wrenches of unit size disturb.
    """

    rotation: float = 1e-7
    entry: float = 1e-9
    closed: float = 1e-10
    consistent: float = 1e-9
    regular: float = 10.0 * SINGULAR
    motors: float = 10.0 * SINGULAR
    condition: float = 1e10
    pivot: float = 1e-7
    nothing: float = 1e-200
    definite: float = 1e-9
    share: float = 1e-12
    frozen: float = 1e-9
    spare: float = 1e-8


DOUBLE = Tolerances()
SINGLE = Tolerances(1e-4, 1e-4, 1e-4, 1e-2, 1e-2, 1e-4, 1e3, 1e-3, 1e-20, 1e-4, 1e-5, 1e-4, 1e-3)
"""For numbers with seven digits: of a result that cancels three or four of them, three are left."""


def of_pose(given: Array, settled: Array, off: Sequence[Array], accept: Tolerances) -> Array:
    """Doubt about a matrix that should be a pose of the robot."""
    rotation = _sizes(distortion(settled[:3, :3]), accept.rotation)
    last = [given[3, 0], given[3, 1], given[3, 2], given[3, 3] - 1.0]
    return rotation + _sizes([*last, *off], accept.entry)


def distortion(R: Array) -> list[Array]:
    """How far a matrix is from being a rotation; a mirror image is two off."""
    x, y, z = R[:, 0], R[:, 1], R[:, 2]
    third = z - cross(x, y)
    return [x @ x - 1.0, y @ y - 1.0, x @ y, third[0], third[1], third[2]]


def of_closure(assembly: Assembly, at: Equations, accept: Tolerances) -> Array:
    """Doubt about a configuration: loops that are open, or closed the wrong way round.

    Nothing is left to be open where a closed form reaches every pose that its constants allow.
    """
    if decides(assembly) and reaches_all(assembly):
        return 0.0
    open_by = []
    for m in at.all_loop_joints:
        for unit, off in zip(UNITS[m.kind], residual(m), strict=True):
            open_by.append(off / assembly.length if unit == "m" else off)
        if m.kind in ("prismatic", "fixed"):
            open_by.append((3.0 - m.R[0, 0] - m.R[1, 1] - m.R[2, 2]) * accept.closed)
        elif m.kind in ("revolute", "cylindrical", "helical"):
            open_by.append((1.0 - m.R[2, 2]) * accept.closed)
    open_by += coupling_gaps(at, assembly.length)
    return _sizes([*open_by, *improper(assembly, at)], accept.closed)


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
                found += distortion(value)
    return found


def of_steps(assembly: Assembly, steps: Sequence[Rates]) -> Array:
    """Doubt about Newton's steps of all joints from home; see :func:`of_contraction`."""
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
    return of_contraction([sizes])


def of_contraction(runs: Sequence[Sequence[tuple[Array, Array]]]) -> Array:
    """Doubt about Newton's steps from home, which might lead to another branch than home's.

    They are trusted as the reference trusts its own: no axis turns by a radian at once, and every
    step is less than a quarter of the one before (Kantorovich), until they are rounding.

    Args:
        runs: steps in a row by their squares: of what turns [rad^2], and of all in natural units.
    """
    doubt: Array = 0.0
    for steps in runs:
        before: Array = None
        for turn, square in steps:
            doubt = doubt + _steep(turn * (1.0 / LARGEST_TURN**2))
            if before is not None:
                doubt = doubt + _steep(square / (before * CONTRACTION**2 + FINE**2))
            before = square
    return doubt


def of_turns(assembly: Assembly, at: Equations) -> Array:
    """Doubt about angles read off (cos, sin) of axes that may have turned the other way round."""
    places, home = counted_axes(assembly), home_equations(assembly)
    pairs = [(coordinate(home, p), coordinate(at, p), ONE_WAY) for p in places]
    if any(not p.links for p in places):  # it may turn by what all others of its loop do together
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
    return total(map(_steep, turned + screwed))


def of_following(assembly: Assembly, at: Equations) -> Array:
    """Doubt about angles followed from a state before that may have turned too far since."""
    doubt: Array = 0.0
    for place, angle in (at.configuration.near or {}).items():
        c, s = coordinate(at, place)[0], coordinate(at, place)[1]
        off = 1.0 - c * np.cos(angle) - s * np.sin(angle)
        doubt = doubt + _steep(off / (1.0 - np.cos(ONE_WAY)))
    return doubt


def of_directions(ways: Sequence[tuple[Array, Array]], largest: float) -> Array:
    """Doubt about unit vectors that should point the same way, within an angle [rad]."""
    least = 1.0 - np.cos(largest)
    return total(_steep((1.0 - a @ b) / least) for a, b in ways)


def _links(assembly: Assembly, home: Equations, at: Equations) -> list[tuple[Array, Array]]:
    """Coordinates of links that turn or screw, at home and now."""
    found = []
    configurations = (home.configuration.trees, at.configuration.trees)
    for tree, before, after in zip(assembly.topology.trees, *configurations, strict=True):
        for link, a, b in zip(tree.links, before, after, strict=True):
            if link.move in (TURN, SCREW):
                found.append((a, b))
    return found


def _steep(x: Array) -> Array:
    """Next to nothing below 1, much beyond: x to the 16th."""
    for _ in range(4):
        x = x * x
    return x


def share_of(off: Array, square: Array, accept: Tolerances, floor: float = 0.0) -> Array:
    """Doubt about what is inconsistent beside all there is, as about a twist that legs forbid.

    Args:
        off: what is inconsistent, natural units.
        square: size of all there is, natural units squared.
        accept: what is accepted.
        floor: what the reference takes for rounding whatever the size; a tenth of it is accepted.
    """
    least = accept.nothing + (0.1 * floor / accept.consistent) ** 2
    return off * off / ((square + least) * accept.consistent**2)


def unsettled_part(assembly: Assembly, given: Array, settled: Array) -> Array:
    """How far constant components of a twist are from what they should be, natural units."""
    dependent = [
        i
        for i in range(6)
        if i not in assembly.free and not np.isnan(assembly.constant_rows[i]).any()
    ]
    units = assembly.scales.twist.tolist()
    return _sizes([(given[i] - settled[i]) * (1.0 / units[i]) for i in dependent], 1.0)


def forbidden_part(
    assembly: Assembly,
    solution: Solution,
    V: Array,
    rates: Rates,
    demanded: Sequence[Sequence[Array]],
    right: RightSide | None = None,
) -> Array:
    """Residuals of rows that are no pivots, for a twist or a twist rate, natural units.

    Args:
        assembly: the robot.
        solution: the state.
        V: twist or twist rate.
        rates: what follows from it.
        demanded: right sides of every leg.
        right: biases of a twist rate, for a hub with joints.
    """
    off: Array = 0.0
    for i, (own, factor) in enumerate(zip(assembly.scales.rows[1:], solution.factors, strict=True)):
        if factor.left_over:
            found = factor.remainder(rates.legs[i], demanded[i])
            for row, rest in zip(factor.left_over, found, strict=True):
                off = off + np.abs(rest) * (1.0 / own[row])
    if solution.plans.hub.columns:
        missed = solution.hub_remainder(V, rates.hub, right)
        units = platform_scales(solution, assembly.length)
        off = off + _sizes([x * (1.0 / unit) for x, unit in zip(missed, units, strict=True)], 1.0)
    return off


def of_balance(result: Balanced, accept: Tolerances) -> Array:
    """Doubt about reactions: bodies out of balance, or rows that are not redundant after all.

    The reference measures by the largest component that acts, which is no less than their mean.
    """
    entries = [x for W in result.acting for x in W]
    square = total(x * x for x in entries) * (1.0 / max(len(entries), 1))
    off = _sizes(result.found.unbalanced, 1.0)
    return share_of(off, square, accept) + _sizes(result.found.spare, accept.spare)


def natural_square(V: Array, length: float) -> Array:
    """Square of a twist's size in natural units."""
    return (V[:3] @ V[:3]) * (1.0 / length**2) + V[3:] @ V[3:]


def _sizes(values: Sequence[Array], unit: float) -> Array:
    return total(map(np.abs, values)) * (1.0 / unit)
