"""Conditions that a state is regular: its legs, hub and platform, its freedoms and its motors.

With numbers measures and bound are those of :mod:`gough.mechanism.mobility.singular`, as
everywhere: singular values, and a refusal that names joints.  A program bounds the same singular
values from below by pivots that it has anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from gough.base.conditions import Condition, Tolerances
from gough.base.english import against, quoted
from gough.base.linalg import Factor
from gough.base.once import known_of
from gough.base.spatial import Array, total
from gough.errors import SingularPose
from gough.geometry.closed_form.search import closed_form
from gough.kinematics.conditions import HomeBranch
from gough.mechanism.closure.coordinates import scale_of_rates
from gough.mechanism.closure.dense import (
    Dense,
    demand_scales,
    dense,
    platform_scales,
    scaled_legs,
)
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.freedoms import FREEDOMS, best_freedoms, determine_twists
from gough.mechanism.mobility.measures import allowed_twists
from gough.mechanism.mobility.singular import (
    SINGULAR,
    allowed,
    demands,
    felt_by_motors,
    free_columns,
    is_singular,
    nacelle,
    seen_by_position,
)

DEPENDENT = "freedoms"
"""Kind of the error where the freedoms do not tell the platform's motion: no singularity."""

_MOVES = 0.1  # share of the largest rate from which a joint is named as moving
_DUST = 1e-6  # components of a direction below this share of the largest are left out of messages


@dataclass(frozen=True)
class RegularLegs(Condition):
    """Joints and platform neither lose nor gain a freedom.

    Attributes:
        least: smallest singular value, natural units, that numbers accept.
    """

    assembly: Assembly
    solution: Solution
    least: float = SINGULAR
    regular = True

    def refuse(self) -> None:
        """Refuse it as Type 1 or as a constraint singularity."""
        check_regular(self.assembly, self.solution, self.least)

    def share(self, accept: Tolerances) -> Array:
        """Sum over legs, hub and platform; where joints are found by steps, their branch, too."""
        assembly, solution, length = self.assembly, self.solution, self.assembly.length
        of_rows = assembly.scales.rows[1:]
        of_hub, *of_legs = (scale_of_rates(tree, length) for tree in assembly.topology.trees)
        legs = zip(solution.factors, of_rows, of_legs, strict=True)
        found = total(_near_singular(*leg, accept) for leg in legs)
        if closed_form(assembly) is None:
            found = found + HomeBranch(assembly, solution).share(accept)
        if solution.plans.hub.columns:
            scales = demand_scales(solution, length)
            found = found + _near_singular(solution.hub_factor, scales, of_hub, accept)
        if solution.dependent:
            factor = solution.platform_factor
            columns = assembly.scales.twist[list(solution.dependent)]
            scales = platform_scales(solution, length)
            found = found + _near_singular(factor, scales, columns, accept)
        return found


@dataclass(frozen=True)
class TellingFreedoms(Condition):
    """The robot's freedoms tell how its platform moves: a matter of coordinates, no singularity.

    Attributes:
        least: smallest singular value, natural units, that numbers accept.
    """

    assembly: Assembly
    solution: Solution
    least: float = SINGULAR
    regular = True

    def refuse(self) -> None:
        """Refuse a state at which other freedoms would tell it, and name these."""
        check_freedoms(self.assembly, self.solution, self.least)

    def share(self, accept: Tolerances) -> Array:
        """By the norm of Psi."""
        assembly, solution = self.assembly, self.solution
        if assembly.mobility == 6 or not assembly.mobility or solution.constant_Psi is not None:
            return 0.0
        return stretch(assembly, solution) * accept.regular**2


@dataclass(frozen=True)
class MotorsHold(Condition):
    """The motors hold the platform: no Type 2 singularity."""

    assembly: Assembly
    solution: Solution
    regular = True

    def refuse(self) -> None:
        """Refuse it; the error names the motion that locked motors leave free."""
        check_motors_hold(self.assembly, self.solution.J_inv, self.solution.Psi)

    def share(self, accept: Tolerances) -> Array:
        """By ``J_inv^T tau = w``, of as many motors as freedoms if there are more.

        Motors are measured by what they do at home, so that a screw beside a crank does not spoil
        the bound.  ``J_inv`` takes rates of freedoms, the measure takes twists: the norm of Psi is
        between them.
        """
        assembly, solution = self.assembly, self.solution
        if not 0 < assembly.mobility <= len(assembly.robot.motors):
            return 0.0
        factor = Factor(solution.J_inv.T, assembly.motor_plan)
        usual = usual_rates(assembly)
        rows, columns = 1.0 / assembly.scales.freedoms, 1.0 / (assembly.scales.motors * usual)
        bound = _below(factor, rows, columns, 1.0)
        least = accept.motors / float(usual[list(factor.plan.columns)].min(initial=1.0))
        size = _norm(factor, rows, columns)
        far = stretch(assembly, solution) * least**2 + size * (1.0 / accept.condition**2)
        return bound * far + _small_inner_pivots(factor, rows, columns, accept)


def check_regular(assembly: Assembly, solution: Solution, least: float = SINGULAR) -> None:
    """Refuse a state in which joints, or the platform, lose or gain a freedom.

    Whether the robot's own freedoms tell its motion there is no part of it; see
    :func:`check_freedoms`.

    Args:
        assembly: the robot.
        solution: the state.
        least: smallest singular value, natural units, that is accepted.
    """
    _check_legs(assembly, solution, least)
    n_hub = assembly.topology.hub.rates
    if not n_hub and not solution.dependent:
        return
    system = dense(solution.equations, assembly.length)
    if n_hub:
        smallest, _ = nacelle(system.A, n_hub)
        if smallest <= least:
            raise SingularPose(
                f"{assembly.robot.name}: Type 1 singularity: with the platform held, the nacelle "
                f"can still move (smallest singular value {smallest:.1g})",
                kind="Type 1",
                condition=1.0 / max(smallest, 1e-300),
                smallest=smallest,
            )
    if solution.dependent:
        _check_platform(assembly, solution, system, least)


def _check_legs(assembly: Assembly, solution: Solution, least: float) -> None:
    for leg, scaled in zip(
        assembly.topology.legs, scaled_legs(solution.equations, assembly.length), strict=True
    ):
        smallest, free = free_columns(scaled, least)
        if smallest <= least:
            moving = [
                link.joint
                for link, columns in zip(leg.tree.links, leg.tree.columns, strict=True)
                if np.abs(free[columns]).max() > _MOVES
            ]
            raise SingularPose(
                f"{assembly.robot.name}: Type 1 singularity: with the platform held, leg "
                f"{leg.name!r} can still move in {', '.join(dict.fromkeys(moving))} "
                f"(smallest singular value {smallest:.1g})",
                hint="Likely: the leg is stretched out or folded, or its pose is at the border "
                "of reach.",
                leg=leg.name,
                kind="Type 1",
                condition=1.0 / max(smallest, 1e-300),
                smallest=smallest,
            )


def _check_platform(assembly: Assembly, solution: Solution, system: Dense, least: float) -> None:
    s, Vt = allowed(demands(system.A, system.B))
    fixed = len(solution.dependent)
    if is_singular(s, fixed, least):
        smallest = float(s[fixed - 1])
        worst = FREEDOMS[int(np.argmax(np.abs(Vt[fixed - 1])))]
        raise SingularPose(
            f"{assembly.robot.name}: constraint singularity: the legs no longer fix {worst} "
            f"when {', '.join(assembly.freedoms)} are held (smallest singular value "
            f"{smallest:.1g})",
            hint="The platform gains a freedom here: its motors do not control it.",
            kind="constraint",
            condition=1.0 / max(smallest, 1e-300),
            smallest=smallest,
        )
    seen = seen_by_position(Vt[fixed:].T, assembly.free, only_position=assembly.only_position)
    if seen.smallest <= least:
        legs = moving_legs(assembly, solution, seen.hidden * system.V_scale)
        wrench = lost_wrench(assembly, seen.lost)
        moving = " and ".join(
            f"leg {leg!r} can still move in {quoted(joints)}" for leg, joints in legs.items()
        )
        raise SingularPose(
            f"{assembly.robot.name}: Type 1 singularity: with {', '.join(assembly.freedoms)} held, "
            f"{moving or 'the platform can still move'}; the platform cannot "
            f"{lost_in_words(assembly, solution.equations.platform.p, wrench)} "
            f"(smallest singular value {seen.smallest:.1g})",
            hint="Likely: that leg, of which the platform is a part, is stretched out or folded, "
            "or its pose is at the border of reach.",
            leg=next(iter(legs), ""),
            kind="Type 1",
            condition=1.0 / max(seen.smallest, 1e-300),
            smallest=seen.smallest,
            lost=wrench,
        )


def check_freedoms(assembly: Assembly, solution: Solution, least: float = SINGULAR) -> None:
    """Refuse a regular state at which the robot's freedoms do not tell how its platform moves.

    A matter of coordinates, as a longitude at the pole: with others all is regular.

    Args:
        assembly: the robot.
        solution: the state.
        least: smallest singular value, natural units, that is accepted.
    """
    if not solution.dependent or not assembly.free:
        return
    twists = allowed_twists(assembly, solution.equations)
    smallest = determine_twists([twists], assembly.free)
    if smallest > least:
        return
    better = best_freedoms([twists])
    raise SingularPose(
        f"{assembly.robot.name}: its freedoms {', '.join(assembly.freedoms)} do not tell how the "
        f"platform moves here (smallest singular value {smallest:.1g}); the machine is regular",
        hint=f"{', '.join(FREEDOMS[i] for i in better)} would tell it.  Motors, efforts and "
        "simulations are asked with pose and twist; matrices over the freedoms have no meaning "
        "here.",
        kind=DEPENDENT,
        condition=1.0 / max(smallest, 1e-300),
        better=better,
    )


def moving_legs(
    assembly: Assembly, solution: Solution, V: np.ndarray
) -> dict[str, tuple[str, ...]]:
    """Legs that move with a platform twist, and their joints that do; what is small is left out."""
    rates = solution.rates(V)
    topology, units = assembly.topology, (1.0, assembly.length)
    sizes: dict[str, dict[str, float]] = {}
    for leg, own in zip(topology.legs, rates.legs, strict=True):
        found = sizes.setdefault(leg.name, {})
        for link, columns in zip(leg.tree.links, leg.tree.columns, strict=True):
            size = float(np.abs(own[columns]).max()) / units[link.move == "slide"]
            found[link.joint] = max(found.get(link.joint, 0.0), size)
    least = _MOVES * max((s for leg in sizes.values() for s in leg.values()), default=0.0)
    moving = {
        leg: tuple(joint for joint, size in found.items() if joint and size > least)
        for leg, found in sizes.items()
    }
    return {leg: joints for leg, joints in moving.items() if joints}


def lost_wrench(assembly: Assembly, lost: np.ndarray) -> np.ndarray:
    """The wrench on the freedoms that no allowed motion works against, of unit force or moment."""
    lost = np.where(np.abs(lost) < _DUST * np.abs(lost).max(), 0.0, lost)
    wrench = np.zeros(6)
    wrench[list(assembly.free)] = lost / assembly.scales.freedoms
    largest = wrench[np.argmax(np.abs(wrench))]
    size = np.linalg.norm(wrench[:3]) or np.linalg.norm(wrench[3:])
    return np.asarray(wrench / (size * np.sign(largest)))


def lost_in_words(assembly: Assembly, origin: np.ndarray, wrench: np.ndarray) -> str:
    """The motion in words that a platform cannot make: against a wrench at its origin."""
    turns = any(i > 2 for i in assembly.free)
    return against(wrench, np.asarray(origin), assembly.length, turns=turns)


def check_motors_hold(assembly: Assembly, J_inv: Array, Psi: Array) -> None:
    """Refuse a Type 2 singularity; the error names the motion that locked motors leave free.

    Args:
        assembly: the robot.
        J_inv: ``qd_a = J_inv V_r``.
        Psi: ``V_0p = Psi V_r``.
    """
    if not assembly.mobility:
        return
    felt, rates = felt_by_motors(assembly.scales, J_inv, Psi)
    _, s, Vt = np.linalg.svd(felt, full_matrices=True)
    if not is_singular(s, assembly.mobility):
        return
    smallest = float(s[-1]) if len(s) == assembly.mobility else 0.0
    natural = rates @ Vt[-1]
    motion = natural / np.linalg.norm(natural) * assembly.scales.freedoms
    listed = ", ".join(
        f"{name} {value:.3g}" for name, value in zip(assembly.freedoms, motion, strict=True)
    )
    raise SingularPose(
        f"{assembly.robot.name}: Type 2 singularity: with all motors locked the platform can "
        f"still move along ({listed}); smallest singular value {smallest:.2g}",
        hint="Likely: the pose is singular, or there are too few motors for the mobility "
        f"({len(assembly.robot.motors)} for {assembly.mobility}).",
        kind="Type 2",
        condition=float(s[0]) / max(smallest, 1e-300) if len(s) else np.inf,
        smallest=smallest,
        motion=motion,
    )


# bounds of programs


def _near_singular(
    factor: Factor, rows: np.ndarray, columns: np.ndarray, accept: Tolerances
) -> Array:
    """Share of a matrix that is nearly singular, or regular but eliminated by a bad pivot."""
    share = _below(factor, rows, columns, accept.regular)
    return share + _small_inner_pivots(factor, rows, columns, accept)


def _small_inner_pivots(
    factor: Factor, rows: np.ndarray, columns: np.ndarray, accept: Tolerances
) -> Array:
    """Share of pivots that others depend on, small beside the matrix, natural units.

    Such a pivot may vanish in a matrix that is regular: the next one is then as large as it is
    small, their product, the determinant, tells nothing, and every digit is lost.
    """
    squares = []
    for k in factor.inner:
        unit = float(rows[factor.plan.rows[k]] / columns[factor.plan.columns[k]])
        inverse = 1.0 / factor.pivots[k]  # shared with the elimination: no division of its own
        squares.append((inverse * inverse) * unit**2)
    return _norm(factor, rows, columns) * total(squares) * accept.pivot**2 if squares else 0.0


@known_of(Assembly)
def usual_rates(assembly: Assembly) -> np.ndarray:
    """Size of every motor's row of ``J_inv`` around home, natural units."""
    J = [solution.J_inv for solution in assembly.regular_solutions]
    scaled = assembly.scales.jacobian(np.array(J))
    sizes = np.median(np.linalg.norm(scaled, axis=2), axis=0)
    return np.asarray(np.where(sizes > 0.0, sizes, 1.0))


def stretch(assembly: Assembly, solution: Solution) -> Array:
    """A bound on the square of the norm of ``V = Psi V_r``, natural units.

    It is large where the freedoms hardly determine the platform's motion.
    """
    scales = assembly.scales
    if assembly.mobility == 6:
        return 1.0
    if solution.constant_Psi is not None:
        return float(np.linalg.norm(scales.twists(solution.constant_Psi), 2)) ** 2
    rows = (solution.Psi[i] * (scales.freedoms / scales.twist[i]) for i in solution.dependent)
    return total((row @ row for row in rows), float(assembly.mobility))


def _below(factor: Factor, rows: np.ndarray, columns: np.ndarray, least: float) -> Array:
    """``(least / s)^2`` with s a bound below the smallest singular value, natural units.

    ``s >= |det| ((n - 1) / |A|_F^2)^((n - 1) / 2)`` (Piazza and Politi 2002): rigorous, and the
    determinant is the product of the pivots.
    """
    n = len(factor.pivots)
    if not n:
        return 0.0
    scale = prod(
        float(columns[c] / rows[r])
        for r, c in zip(factor.plan.rows, factor.plan.columns, strict=True)
    )
    # reciprocals of the pivots are there already; a division takes as long as ten products
    inverse_det = prod((1.0 / pivot for pivot in factor.pivots), start=1.0 / scale)
    power = prod([_norm(factor, rows, columns)] * (n - 1), start=1.0)
    return power * (least**2 / float(n - 1) ** (n - 1)) * (inverse_det * inverse_det)


def _norm(factor: Factor, rows: np.ndarray, columns: np.ndarray) -> Array:
    """Sum of squares of the pivot block, natural units."""
    alike: dict[float, Array] = {}  # entries of one unit are added up before they are scaled
    for r in factor.plan.rows:
        for c in factor.plan.columns:
            scale, entry = float(columns[c] / rows[r]), factor.matrix[r][c]
            alike[scale] = alike.get(scale, 0.0) + entry * entry
    return total(square * scale**2 for scale, square in alike.items())
