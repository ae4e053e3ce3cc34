"""Inertia matrix of a robot in its independent coordinates, leg by leg.  [BK], [KI]"""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array, collect
from gough.dynamics.shared.axes import rotor_axes
from gough.dynamics.shared.definite import described, motion_without_inertia, without_inertia
from gough.dynamics.shared.newton_euler import hub_inertia, projected, tree_inertia
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import HUB, axis_rows
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly


def inertia_matrix(kin: Kinematics, loads: StateLoads) -> Array:
    """``M_rob`` in closed form: every leg's inertia projected to the robot's freedoms.

    Equations:
        [BK] (21), erratum BK-1; [KI] (29), erratum KI-2:
        ``Psi^T ( I_P + sum_l J_vi^T J_i^-T M_i J_i^-1 J_vi ) Psi``.
    """
    solution, topology, robot = kin.solution, kin.assembly.topology, kin.assembly.robot
    at = solution.equations
    M_z = hub_inertia(at, loads.base_masses(robot, topology.hub))  # I_P, [BK] (11), [KI] (14)
    rotors = _rotors(kin, loads) if loads.rotors else []
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
        M_xi = collect(rows)  # J_i^-T M_i J_i^-1, erratum KI-2
        M_z = M_z + solution.blocks[i].congruent(M_xi)  # the sum of [BK] (21), [KI] (29)
    for where, row, inertia in rotors:
        if where is None:
            M_z = M_z + np.outer(row, row) * inertia
    columns = [_with_hub(solution, solution.Psi[:, k]) for k in range(kin.assembly.mobility)]
    return projected(M_z, columns)  # Psi^T ( ) Psi, [BK] (21), erratum BK-1


def inertia_remark(assembly: Assembly) -> str:
    """A sentence if the robot can move without inertia around home; else nothing."""
    if not assembly.mobility or not any(body.mass for body in assembly.robot.bodies):
        return ""  # geometry and statics are all that such a description is for
    solution = assembly.regular_solutions[0]
    M_rob = inertia_matrix(Kinematics(assembly, solution), StateLoads(assembly.gravity))
    V_r = motion_without_inertia(assembly, solution, M_rob)
    if V_r is None:
        return ""
    motion, names = described(assembly, solution, V_r)
    return f"nothing has inertia when the platform is to {motion}. {without_inertia(names)}"


def _with_hub(solution: Solution, V: Array) -> Array:
    """The platform twist with the hub's own rates appended, z."""
    hub = solution.hub_rates(V)
    return np.concatenate([V, hub]) if len(hub) else V


def _rotors(kin: Kinematics, loads: StateLoads) -> list[tuple[int | None, Array, Array]]:
    """Rotors: leg and row over its rates, or ``None`` and a row over z; reflected inertia."""
    assembly, solution = kin.assembly, kin.solution
    found: list[tuple[int | None, Array, Array]] = []
    for name, inertia in rotor_axes(assembly.robot, loads):
        place = assembly.axes[name]
        rows = axis_rows(solution.equations, place)
        for on_tree, on_z in zip(rows.tree, rows.z, strict=True):
            if place.links and place.tree != HUB:
                found.append((place.tree, on_tree, inertia))
            elif place.tree == HUB:
                none = np.zeros(6)
                found.append((None, on_z + np.concatenate([none, on_tree]), inertia))
            else:  # it closes a loop: its leg's rates follow from z
                legs: list[Array | None] = [None] * len(assembly.topology.legs)
                legs[place.tree] = on_tree
                found.append((None, on_z + solution.on_z(legs), inertia))
    return found
