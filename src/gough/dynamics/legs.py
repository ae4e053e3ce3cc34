"""Inverse and direct dynamics by cutting the platform off its legs.  [BK], [KI]

    tau_a = J_r^T Psi^T [ W_p - W_ext + sum_l J_vi^T J_i^-T tau_i + sum_c K_c^T f_c ]

The platform (with its nacelle) obeys Newton and Euler in Cartesian variables, each leg is a tree of
its own with virtual motors in every joint, and the principle of virtual power puts them together.
Joints at the platform and joints that close loops bring their friction, rotors and springs, f_c.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.closure.axes import HUB, axis_rows
from gough.closure.equations import BASE
from gough.closure.solution import RightSide, Solution
from gough.dynamics.axes import axis_efforts, rotor_axes, spread
from gough.dynamics.newton_euler import carried, hub_inertia, tree_efforts, tree_inertia
from gough.dynamics.state_loads import StateLoads
from gough.kinematics.motion import Kinematics, kinematics
from gough.linalg import Factor, Plan, Symmetric
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect


def platform_and_legs(
    assembly: Assembly, kin: Kinematics, loads: StateLoads
) -> tuple[Array, Array, list[Array]]:
    """What the motion takes: wrench on the platform, efforts of the hub's joints and of each leg.

    Loads on bodies are taken off where they act; the one on the platform is W_ext.

    Equations:
        [BK] (10) for the platform; tau_i of [BK] (9), H_i of [KI] (7), by Newton and Euler.
    """
    at, topology, robot = kin.solution.equations, assembly.topology, assembly.robot
    felt, R_0p = kin.felt(loads.gravity), at.platform.R
    pushes = loads.on_links(topology.hub, at.hub_placed, at.platform)
    hub_masses = loads.base_masses(robot, topology.hub)
    tau_h, f, n = tree_efforts(topology.hub, at.hub_poses, felt.hub, felt.root, hub_masses, pushes)
    legs = []
    for i, leg in enumerate(topology.legs):
        pushes = loads.on_links(leg.tree, at.leg_placed[i], BASE) if loads.pushes else {}
        masses = loads.base_masses(robot, leg.tree)
        tau, _, _ = tree_efforts(
            leg.tree, at.leg_poses[i], felt.legs[i], felt.ground, masses, pushes
        )
        legs.append(tau)
    return np.concatenate([R_0p @ f, R_0p @ n]), tau_h, legs


def cartesian_wrench(assembly: Assembly, kin: Kinematics, loads: StateLoads) -> Array:
    """The Cartesian model ``w_r = J_inv^T tau_a`` in the robot's freedoms, idmx.

    Equations:
        [BK] (15)-(16); in the bracket, the joints that close loops with their friction and rotors.
    """
    W_p, tau_h, tau_l = platform_and_legs(assembly, kin, loads)
    extra = spread(assembly, kin.solution, axis_efforts(assembly, kin, loads))
    W = kin.solution.on_platform(
        W_p + extra.z[:6],
        tau_h + extra.z[6:],
        [tau + more for tau, more in zip(tau_l, extra.legs, strict=True)],
    )
    return kin.solution.Psi.T @ W


def inverse_dynamics(
    assembly: Assembly, kin: Kinematics, loads: StateLoads, motor_plan: Plan
) -> Array:
    """Motor efforts that produce a motion [N or N m].

    Equations:
        [BK] (13)-(15), [KI] (20): ``J_inv^T tau_a = w_r``, factored, not inverted.
    """
    w_r = cartesian_wrench(assembly, kin, loads)
    J_inv = assembly.inverse_jacobian(kin.solution)
    return collect(Factor(J_inv.T, motor_plan).solve(w_r))


def inverse_dynamics_split(
    assembly: Assembly, kin: Kinematics, loads: StateLoads, motor_plan: Plan
) -> Array:
    """Motor efforts, the active ones taken straight from the legs: fewer multiplications.

    Equations:
        [KI] (21)-(22): ``Gamma = H^a + J_p^T [ F_p + sum_i J_vi^T J_i^-T(:, p_i) H_i^p ]``.
    """
    W_p, tau_h, tau_l = platform_and_legs(assembly, kin, loads)
    extra = spread(assembly, kin.solution, axis_efforts(assembly, kin, loads))
    legs = [tau + more for tau, more in zip(tau_l, extra.legs, strict=True)]
    active: list[Array] = [0.0] * len(assembly.robot.motors)
    passive = [[tau[i] for i in range(len(tau))] for tau in legs]
    for k, name in enumerate(assembly.robot.motors):
        place = assembly.axes[name]
        if place.links and place.tree != HUB:
            column = assembly.topology.legs[place.tree].tree.columns[place.links[0]].start
            active[k] = legs[place.tree][column]
            passive[place.tree][column] = 0.0
    W = kin.solution.on_platform(
        W_p + extra.z[:6],
        tau_h + extra.z[6:],
        [collect(tau) if tau else np.zeros(0) for tau in passive],
    )
    J_inv = assembly.inverse_jacobian(kin.solution)
    rest = Factor(J_inv.T, motor_plan).solve(kin.solution.Psi.T @ W)
    return collect([a + b for a, b in zip(active, rest, strict=True)])


def bias_wrench(assembly: Assembly, solution: Solution, V: Array, loads: StateLoads) -> Array:
    """``c_rob``: the Cartesian model with ``Vdot_r = 0``, that is ``Vdot_p = Psidot V_r``.

    Equations:
        [BK] (22), erratum BK-5; [KI] (30).
    """
    return cartesian_wrench(assembly, drifting(assembly, solution, V), loads)


def drifting(assembly: Assembly, solution: Solution, V: Array) -> Kinematics:
    """The motion in which the robot's own freedoms do not accelerate."""
    rates = solution.rates(V)
    biases = RightSide(*solution.equations.biases(V, rates.hub, rates.legs))
    Vdot = solution.complete(np.zeros(assembly.mobility), biases)
    return kinematics(assembly, solution, V, Vdot)


def inertia_matrix(assembly: Assembly, solution: Solution, loads: StateLoads) -> Array:
    """``M_rob`` in closed form: every leg's inertia carried to the robot's freedoms.

    Equations:
        [BK] (21), erratum BK-1; [KI] (29), erratum KI-2:
        ``Psi^T ( I_P + sum_l J_vi^T J_i^-T M_i J_i^-1 J_vi ) Psi``.
    """
    of = (assembly, loads.payload, loads.rotors, loads.figures)
    return solution.known("M_rob", of, lambda: _inertia_matrix(assembly, solution, loads))


def _inertia_matrix(assembly: Assembly, solution: Solution, loads: StateLoads) -> Array:
    at, topology, robot = solution.equations, assembly.topology, assembly.robot
    M_z = hub_inertia(at, loads.base_masses(robot, topology.hub))
    rotors = _rotors(assembly, solution, loads) if loads.rotors else []
    for i, leg in enumerate(topology.legs):
        if not leg.tree.rates:
            continue
        M_i = tree_inertia(leg.tree, at.leg_poses[i], loads.base_masses(robot, leg.tree))
        for where, row, inertia in rotors:
            if where == i:
                M_i = M_i + np.outer(row, row) * inertia
        factor = solution.factors[i]
        half = collect([collect(factor.solve_transposed(M_i[k])) for k in range(leg.tree.rates)])
        rows = [collect(factor.solve_transposed(half[:, k])) for k in range(half.shape[1])]
        M_z = M_z + solution.blocks[i].carried(collect(rows))  # J_vi^T J_i^-T M_i J_i^-1 J_vi
    for where, row, inertia in rotors:
        if where is None:
            M_z = M_z + np.outer(row, row) * inertia
    return carried(M_z, [_with_hub(solution, solution.Psi[:, k]) for k in range(assembly.mobility)])


def _with_hub(solution: Solution, V: Array) -> Array:
    """The platform twist with the hub's own rates appended, z."""
    hub = solution.hub_rates(V)
    return np.concatenate([V, hub]) if len(hub) else V


def _rotors(
    assembly: Assembly, solution: Solution, loads: StateLoads
) -> list[tuple[int | None, Array, Array]]:
    """Rotors: leg and row over its rates, or ``None`` and a row over z; reflected inertia."""
    found: list[tuple[int | None, Array, Array]] = []
    for name, inertia in rotor_axes(assembly.robot, loads):
        place = assembly.axes[name]
        rows = axis_rows(solution.equations, place)
        if place.links and place.tree != HUB:
            found.append((place.tree, rows.tree[0], inertia))
        elif place.tree == HUB:
            none = np.zeros(6)
            found.append((None, rows.z[0] + np.concatenate([none, rows.tree[0]]), inertia))
        else:  # it closes a loop: its leg's rates follow from z
            legs: list[Array | None] = [None] * len(assembly.topology.legs)
            legs[place.tree] = rows.tree[0]
            found.append((None, rows.z[0] + solution.on_z(legs), inertia))
    return found


def inertia_matrix_by_columns(assembly: Assembly, solution: Solution, loads: StateLoads) -> Array:
    """``M_rob`` from the Cartesian model: one unit acceleration after the other, at rest.

    Equations:
        After [BK] (22), as Walker and Orin do for serial robots.
    """
    columns = []
    inertia = replace(loads, gravity=np.zeros(3), pushes=(), friction=False, springs=False)
    for k in range(assembly.mobility):
        kin = kinematics(assembly, solution, np.zeros(6), solution.Psi[:, k])
        columns.append(cartesian_wrench(assembly, kin, inertia))
    return collect(columns).T if columns else np.zeros((0, 0))


def direct_dynamics(
    assembly: Assembly, solution: Solution, V: Array, tau: Array, loads: StateLoads
) -> Array:
    """Twist rate of the platform under motor efforts, ``Psi Vdot_r + Psidot V_r``.

    Needs no inverse of J_inv: it holds on a Type-2 singularity.

    Equations:
        [BK] (18)-(20), [KI] (28), erratum KI-1.
    """
    kin = drifting(assembly, solution, V)
    c_rob = cartesian_wrench(assembly, kin, loads)
    M_rob = inertia_matrix(assembly, solution, loads)
    J_inv = assembly.inverse_jacobian(solution)
    Vdot_r = Symmetric(M_rob).solve(J_inv.T @ tau - c_rob)
    return solution.complete(Vdot_r, kin.biases)
