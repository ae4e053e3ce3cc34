"""Quantities of states whose joints are given, whatever their branch; loops may still be open.

Other quantities find the joints themselves, on home's branch.  Here they are inputs, so that a
state can be continued from its neighbour: a step of all joints, then everything that closing the
loops and judging the state takes.
"""

from __future__ import annotations

import numpy as np

from gough.base.linalg import watched
from gough.base.spatial import Array, collect
from gough.dynamics import legs
from gough.dynamics.shared.state_loads import StateLoads
from gough.kernels.tracing.integration_quantities import watched_of
from gough.kernels.tracing.machine import Machine
from gough.kernels.tracing.posing import posed_by_form
from gough.mechanism.closure.coordinates import pack, unpack
from gough.mechanism.closure.dense import move, split
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import RightSide
from gough.mechanism.mobility.varying import row_pattern


def by_closed_form(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """Coordinates of all joints by the closed form on home's branch; NaN out of reach."""
    at, _ = posed_by_form(machine.assembly, T_0p)
    return machine.assembled(T_0p, at.configuration).answer(coordinates=pack(at.configuration))


def closing_step(
    machine: Machine, T_0p: Array, coordinates: Array, joint_step: Array
) -> dict[str, Array]:
    """Rates of platform and joints by the freedoms, and the Newton step that closes the loops.

    Joints are moved by a step first.
    """
    assembly, topology = machine.assembly, machine.assembly.topology
    configuration = move(topology, unpack(topology, coordinates), split(topology, joint_step))
    state = machine.assembled(T_0p, configuration)
    at, solution = state.at, state.solution
    hub, of_legs = at.residuals()
    right = RightSide(hub, of_legs)
    closing = solution.complete(np.zeros(assembly.mobility), right)
    own = solution.rates(closing, right)
    each = [solution.rates(solution.Psi[:, i]) for i in range(assembly.mobility)]
    rows = [*hub, *(x for leg in of_legs for x in leg)]
    total: Array = opposed(at)
    for row, scale in zip(rows, np.concatenate(assembly.scales.rows), strict=True):
        total = total + np.abs(row) * (1.0 / scale)
    return state.answer(
        coordinates=pack(configuration),
        Psi=solution.Psi,
        closing=closing,
        joint_rates=collect([one.together for one in each]).T,
        rates_closing=own.together,
        open=collect([total]),
    )


def opposed(at: Equations) -> Array:
    """How far joints are closed the wrong way round: such a joint is not closed."""
    total: Array = 0.0
    for m in at.all_loop_joints:
        if m.kind in ("prismatic", "fixed"):
            total = total + (3.0 - m.R[0, 0] - m.R[1, 1] - m.R[2, 2])
        elif m.kind in ("revolute", "cylindrical", "helical"):
            total = total + (1.0 - m.R[2, 2])
    return total


def freedom_motion(
    machine: Machine, T_0p: Array, coordinates: Array, V_r: Array
) -> dict[str, Array]:
    """``Psi`` and the bias acceleration ``drift`` of ``Vdot = Psi Vdot_r + drift``."""
    with watched() as made:
        state = machine.assembled(T_0p, unpack(machine.assembly.topology, coordinates))
        drift = state.moving(V_r).Vdot
    state.require_pivots(made)
    state.require_branch()
    return state.answer(Psi=state.solution.Psi, drift=drift)


def judged(machine: Machine, T_0p: Array, coordinates: Array) -> dict[str, Array]:
    """Jacobians, limited positions, and what varies of the closure rows, natural units."""
    assembly = machine.assembly
    with watched() as made:
        state = machine.assembled(T_0p, unpack(assembly.topology, coordinates))
        J_inv = state.solution.J_inv
    state.require_pivots(made)
    watch = watched_of(state.kin, StateLoads(assembly.gravity))
    return state.answer(
        J_inv=J_inv,
        Psi=state.solution.Psi,
        bounded=watch["bounded"],
        row_entries=row_pattern(assembly).entries(state.at, assembly.length),
    )


def weighed(machine: Machine, T_0p: Array, coordinates: Array, **loads: Array) -> dict[str, Array]:
    """Inertia matrix and bias wrench at rest."""
    with watched() as made:
        state = machine.assembled(T_0p, unpack(machine.assembly.topology, coordinates))
        acting = machine.loads(loads)
        M, c = legs.inertia_matrix(state.kin, acting), legs.bias_wrench(state.kin, acting)
    state.require_pivots(made)
    return state.answer(M_rob=M, c_rob=c)
