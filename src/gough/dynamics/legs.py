"""Inverse and direct dynamics by cutting the platform off its legs.  [BK], [KI]

    tau_a = J_r^T Psi^T [ W_p - W_ext + sum_l J_vi^T J_i^-T tau_i + sum_c K_c^T f_c ]

The platform (with its nacelle) obeys Newton and Euler in Cartesian variables, each leg is a tree of
its own with virtual motors in every joint, and the principle of virtual power puts them together.
Joints at the platform and joints that close loops bring their friction, rotors and springs, f_c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gough.closure.axes import HUB, axis_rows
from gough.closure.equations import BASE
from gough.closure.solution import Rates, RightSide, Solution
from gough.dynamics.axes import axis_efforts, loaded_axes, spread
from gough.dynamics.loads import Loads
from gough.dynamics.newton_euler import carried, hub_inertia, tree_efforts, tree_inertia
from gough.kinematics.motion import Kinematics, kinematics
from gough.linalg import Factor, Plan
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect


def platform_and_legs(
    assembly: Assembly, kin: Kinematics, loads: Loads
) -> tuple[Array, Array, list[Array]]:
    """What the motion takes: wrench on the platform, efforts of the hub's joints and of each leg.

    Loads on bodies are taken off where they act; the one on the platform is W_ext.

    Equations:
        [BK] (10) for the platform; tau_i of [BK] (9), H_i of [KI] (7), by Newton and Euler.
    """
    at, topology, robot = kin.solution.equations, assembly.topology, assembly.robot
    felt, R_0p = kin.felt(loads.gravity), at.platform.R
    pushes = loads.on_links(topology.hub, at.hub_placed, at.platform)
    hub_masses = loads.link_masses(robot, topology.hub)
    tau_h, f, n = tree_efforts(topology.hub, at.hub_poses, felt.hub, felt.root, hub_masses, pushes)
    legs = []
    for i, leg in enumerate(topology.legs):
        pushes = loads.on_links(leg.tree, at.leg_placed[i], BASE) if loads.pushes else {}
        masses = loads.link_masses(robot, leg.tree)
        tau, _, _ = tree_efforts(
            leg.tree, at.leg_poses[i], felt.legs[i], felt.ground, masses, pushes
        )
        legs.append(tau)
    return np.concatenate([R_0p @ f, R_0p @ n]), tau_h, legs


def cartesian_wrench(assembly: Assembly, kin: Kinematics, loads: Loads) -> Array:
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


def inverse_dynamics(assembly: Assembly, kin: Kinematics, loads: Loads, motor_plan: Plan) -> Array:
    """Motor efforts that produce a motion [N or N m].

    Equations:
        [BK] (13)-(15), [KI] (20): ``J_inv^T tau_a = w_r``, factored, not inverted.
    """
    w_r = cartesian_wrench(assembly, kin, loads)
    J_inv = assembly.inverse_jacobian(kin.solution)
    return collect(Factor(J_inv.T, motor_plan).solve(w_r))


def inverse_dynamics_split(
    assembly: Assembly, kin: Kinematics, loads: Loads, motor_plan: Plan
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


def bias_wrench(assembly: Assembly, solution: Solution, V: Array, loads: Loads) -> Array:
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


def inertia_matrix(assembly: Assembly, solution: Solution, loads: Loads) -> Array:
    """``M_rob`` in closed form: every leg's inertia carried to the robot's freedoms.

    Equations:
        [BK] (21), erratum BK-1; [KI] (29), erratum KI-2:
        ``Psi^T ( I_P + sum_l J_vi^T J_i^-T M_i J_i^-1 J_vi ) Psi``.
    """
    at, topology, robot = solution.equations, assembly.topology, assembly.robot
    unit = [solution.Psi[:, k] for k in range(assembly.mobility)]
    rates = [solution.rates(V) for V in unit]  # J_i^-1 J_vi Psi, column by column
    z = [np.concatenate([V, r.hub]) for V, r in zip(unit, rates, strict=True)]
    M = carried(hub_inertia(at, loads.link_masses(robot, topology.hub)), z)
    for i, leg in enumerate(topology.legs):
        if leg.tree.rates:
            M_i = tree_inertia(leg.tree, at.leg_poses[i], loads.link_masses(robot, leg.tree))
            M = M + carried(M_i, [r.legs[i] for r in rates])
    return M + rotor_inertia(assembly, solution, z, rates) if loads.rotors else M


def rotor_inertia(
    assembly: Assembly, solution: Solution, z: Sequence[Array], rates: Sequence[Rates]
) -> Array:
    """Reflected inertia of all rotors in the robot's freedoms."""
    M: Array = np.zeros((assembly.mobility, assembly.mobility))
    for name in loaded_axes(assembly.robot):
        inertia = assembly.robot.axis(name).reflected_inertia
        if inertia:
            place = assembly.axes[name]
            rows = axis_rows(solution.equations, place)
            own = [r.hub if place.tree == HUB else r.legs[place.tree] for r in rates]
            qd = collect([rows.z[0] @ a + rows.tree[0] @ b for a, b in zip(z, own, strict=True)])
            M = M + np.outer(qd, qd) * inertia
    return M


def inertia_matrix_by_columns(assembly: Assembly, solution: Solution, loads: Loads) -> Array:
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
    assembly: Assembly, solution: Solution, V: Array, tau: Array, loads: Loads
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
    n = tuple(range(assembly.mobility))  # positive definite: no pivoting
    Vdot_r = Factor(M_rob, Plan(n, n)).solve(J_inv.T @ tau - c_rob)
    return solution.complete(collect(Vdot_r) if n else np.zeros(0), kin.biases)
