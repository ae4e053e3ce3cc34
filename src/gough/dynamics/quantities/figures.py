"""Figures of a state that several quantities have: how far it is from Type 2, and from closed."""

from __future__ import annotations

from math import prod

import numpy as np

from gough.base.linalg import Factor
from gough.base.spatial import Array, total
from gough.mechanism.closure.couplings import coupling_gaps
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.rows import residual, turned_away
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly


def type_2(assembly: Assembly, solution: Solution) -> Array:
    """Determinant of the motors' Jacobian, natural units, but for a constant sign."""
    if not assembly.is_square or not assembly.mobility:
        return 1.0
    scaled = assembly.scales.jacobian(solution.J_inv)
    return prod(Factor(scaled.T, assembly.motor_plan).pivots)


def open_by(assembly: Assembly, at: Equations) -> Array:
    """Sum of the residuals of all loops and couplings, natural units."""
    loops = total(
        np.abs(off) * (1.0 / assembly.length if is_length else 1.0)
        for m in at.all_loop_joints
        for is_length, off in zip(m.kind.rows, residual(m), strict=True)
    )
    return total(map(np.abs, coupling_gaps(at, assembly.length)), loops)


def opposed(at: Equations) -> Array:
    """How far joints are closed the wrong way round: such a joint is not closed."""
    return total(away for m in at.all_loop_joints for away in turned_away(m))
