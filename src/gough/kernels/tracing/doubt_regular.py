"""Doubt about what is solved: legs, motors, freedoms, inertia, and what is frozen.

Below 1 in sum, the smallest singular values are far enough from zero; what else may be doubted is
in :mod:`gough.kernels.tracing.doubt`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from gough.base.linalg import Factor, Symmetric
from gough.base.spatial import Array, total
from gough.dynamics.answers.frozen import alone_in_motion, frozen_freedoms
from gough.dynamics.answers.frozen_loads import efforts_on_frozen
from gough.dynamics.shared.definite import natural_inertia
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.closed_form.search import closed_form
from gough.geometry.turns import home_equations
from gough.kernels.tracing.doubt import Tolerances
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import scale_of_rates
from gough.mechanism.closure.dense import demand_scales, platform_scales
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly


def of_legs(assembly: Assembly, solution: Solution, accept: Tolerances) -> Array:
    """Doubt about legs, hub and platform that are nearly singular."""
    length, (_, *of_rows) = assembly.length, assembly.scales.rows
    of_hub, *of_legs = (scale_of_rates(tree, length) for tree in assembly.topology.trees)
    legs = zip(solution.factors, of_rows, of_legs, strict=True)
    doubt = total(of_whole_factor(*leg, accept) for leg in legs)
    if closed_form(assembly) is None:
        doubt = doubt + of_branch(assembly, solution)
    if solution.plans.hub.columns:
        scales = demand_scales(solution, length)
        doubt = doubt + of_whole_factor(solution.hub_factor, scales, of_hub, accept)
    if solution.dependent:
        factor, columns = solution.platform_factor, assembly.scales.twist[list(solution.dependent)]
        scales = platform_scales(solution, length)
        doubt = doubt + of_whole_factor(factor, scales, columns, accept)
    return doubt


def of_whole_factor(
    factor: Factor, rows: np.ndarray, columns: np.ndarray, accept: Tolerances
) -> Array:
    """Doubt about a matrix that is nearly singular, or regular but eliminated by a bad pivot."""
    doubt = of_factor(factor, rows, columns, accept.regular)
    return doubt + of_inner_pivots(factor, rows, columns, accept)


def of_inner_pivots(
    factor: Factor, rows: np.ndarray, columns: np.ndarray, accept: Tolerances
) -> Array:
    """Doubt about pivots that others depend on, small beside the matrix, natural units.

    Such a pivot may vanish in a matrix that is regular: the next one is then as large as it is
    small, their product, the determinant, tells nothing, and every digit is lost.
    """
    squares = []
    for k in factor.inner:
        unit = float(rows[factor.plan.rows[k]] / columns[factor.plan.columns[k]])
        inverse = 1.0 / factor.pivots[k]  # shared with the elimination: no division of its own
        squares.append((inverse * inverse) * unit**2)
    return _norm(factor, rows, columns) * total(squares) * accept.pivot**2 if squares else 0.0


def of_branch(assembly: Assembly, solution: Solution) -> Array:
    """Doubt about legs that Newton's steps may have led through a singularity: signs of pivots."""
    home = assembly.traced(home_equations(assembly))
    doubt: Array = 0.0
    for before, after in zip(home.factors, solution.factors, strict=True):
        if before.pivots:
            pairs = zip(before.pivots, after.pivots, strict=True)
            det = prod(x for a, b in pairs for x in (b, float(np.sign(a))))
            doubt = doubt + (1.0 - np.sign(det))
    return doubt


def of_motors(assembly: Assembly, solution: Solution, accept: Tolerances) -> Array:
    """Doubt about ``J_inv^T tau = w``: nearly of Type 2.

    Motors are measured by what they do at home, so that a screw beside a crank does not spoil the
    bound; some of them, if there are more than freedoms.  ``J_inv`` takes rates of freedoms, the
    measure takes twists: the norm of Psi is between them.
    """
    factor = Factor(solution.J_inv.T, assembly.motor_plan)
    usual = usual_rates(assembly)
    rows, columns = 1.0 / assembly.scales.freedoms, 1.0 / (assembly.scales.motors * usual)
    bound = of_factor(factor, rows, columns, 1.0)
    least = accept.motors / float(usual[list(factor.plan.columns)].min(initial=1.0))
    size = _norm(factor, rows, columns)
    far = stretch(assembly, solution) * least**2 + size * (1.0 / accept.condition**2)
    return bound * far + of_inner_pivots(factor, rows, columns, accept)


def usual_rates(assembly: Assembly) -> np.ndarray:
    """Size of every motor's row of ``J_inv`` around home, natural units."""

    def make(assembly: Assembly) -> np.ndarray:
        J = [solution.J_inv for solution in assembly.regular_solutions]
        scaled = assembly.scales.jacobian(np.array(J))
        sizes = np.median(np.linalg.norm(scaled, axis=2), axis=0)
        return np.asarray(np.where(sizes > 0.0, sizes, 1.0))

    return assembly.cached("usual motor rates", make)


def of_freedoms(assembly: Assembly, solution: Solution, accept: Tolerances) -> Array:
    """Doubt about freedoms that hardly determine the platform's motion: Psi is large."""
    if assembly.mobility == 6 or not assembly.mobility or solution.constant_Psi is not None:
        return 0.0
    return stretch(assembly, solution) * accept.regular**2


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


def of_factor(factor: Factor, rows: np.ndarray, columns: np.ndarray, least: float) -> Array:
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
    # reciprocals of the pivots are there already, and a division takes as long as ten products
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


def of_pivots(factors: Sequence[Factor], accept: Tolerances) -> Array:
    """Doubt about eliminations whose fixed pivots have become small beside their rows."""
    doubt: Array = 0.0
    for factor in factors:
        for row, pivot in zip(factor.plan.rows, factor.pivots, strict=True):
            entries = factor.matrix[row][list(factor.plan.columns)]
            inverse = 1.0 / pivot  # shared with the elimination: no division of its own
            doubt = doubt + (entries @ entries) * accept.pivot**2 * (inverse * inverse)
    return doubt


def of_divisors(divisors: Sequence[tuple[Array, float]], accept: Tolerances) -> Array:
    """Doubt about numbers that are divided by and have become small beside their natural sizes."""
    doubt: Array = 0.0
    for divisor, natural in divisors:
        inverse = 1.0 / divisor  # shared with the division itself
        doubt = doubt + (inverse * inverse) * (accept.pivot * natural) ** 2
    return doubt


def of_redundant(assembly: Assembly, solution: Solution, accept: Tolerances) -> Array:
    """Doubt about rows that should follow from the others, where joints sit elsewhere.

    Loops of a machine that is over-constrained as described may happen to close at one pose of
    another geometry, at which the machine cannot move as described: then these rows forbid it.
    """
    if not assembly.moved:
        return 0.0
    B, _ = solution.platform_rows()
    left = solution.platform_factor.left_over if solution.dependent else range(B.shape[0])
    units, freedoms = platform_scales(solution, assembly.length), assembly.scales.freedoms
    off = [x for i in left for x in (B[i] @ solution.Psi) * (freedoms / units[i])]
    return total(map(np.abs, off)) * (1.0 / accept.consistent)


def of_idle(assembly: Assembly, solution: Solution, accept: Tolerances) -> Array:
    """Doubt about freedoms that the platform does not feel, where joints sit elsewhere.

    A strut that slides off the line between its joints has another length when it spins: then motor
    positions are no function of the pose.
    """
    if not assembly.moved or not assembly.idle:
        return 0.0
    doubt: Array = 0.0
    for each in frozen_freedoms(assembly):
        alone = alone_in_motion(assembly, solution, each.place, rates=True)
        off = alone.motor_rates() / assembly.scales.motors
        doubt = doubt + off @ off if len(off) else doubt
    return doubt * (1.0 / accept.consistent**2)


def of_inertia(assembly: Assembly, factor: Symmetric, accept: Tolerances) -> Array:
    """Doubt about a motion without inertia: 1 if there may be one, else 0.

    With its diagonal scaled to one, the smallest eigenvalue of a positive definite matrix is at
    least a third of its determinant, which is the product of the pivots over the diagonal.
    """
    scales = assembly.scales.freedoms**2
    own = [entry * float(scale) for entry, scale in zip(factor.diagonal, scales, strict=True)]
    whole = total(own, natural_inertia(assembly))
    return total((whole * accept.share >= entry for entry in own), _flat(factor, accept))


def of_all_inertia(natural: np.ndarray, factor: Symmetric, accept: Tolerances) -> Array:
    """The same of coordinates whose inertias have scales of their own, ``natural``."""
    own = zip(natural, factor.diagonal, strict=True)
    return total((float(s) * accept.share >= entry for s, entry in own), _flat(factor, accept))


def _flat(factor: Symmetric, accept: Tolerances) -> Array:
    return 1.0 * (prod(factor.diagonal, start=1.0) * accept.definite >= prod(factor.pivots))


def of_frozen(kin: Kinematics, loads: StateLoads, accept: Tolerances) -> Array:
    """Doubt about loads and figures that would move what the platform does not feel."""
    return total(
        effort * effort / ((square + accept.nothing) * accept.frozen**2)
        for effort, square in efforts_on_frozen(kin, loads)
    )
