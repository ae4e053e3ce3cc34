"""Inverse and forward dynamics by cutting the platform off its legs.  [BK], [KI]

    tau_a = J_r^T Psi^T [ W_p - W_ext + sum_l J_vi^T J_i^-T tau_i + sum_c K_c^T f_c ]

The platform (with its nacelle) obeys Newton and Euler in Cartesian variables, each leg is a tree of
its own with virtual motors in every joint, and the principle of virtual power puts them together.
Joints at the platform and joints that close loops bring their friction, rotors and springs, f_c.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base.linalg import Factor, Plan, choose_plan
from gough.base.spatial import Array, collect
from gough.dynamics.legs.inertia import inertia_matrix
from gough.dynamics.legs.split import OwnEffort, motors_in_legs
from gough.dynamics.shared.axes import axis_efforts, spread
from gough.dynamics.shared.definite import freedom_accelerations
from gough.dynamics.shared.newton_euler import tree_efforts
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.equations import BASE


def inverse(kin: Kinematics, loads: StateLoads) -> Array:
    """Motor efforts that produce a motion, as many as freedoms [N or N m].

    Of the two forms of [KI] the one that counts fewer operations, see :mod:`.split`.

    Equations:
        [KI] (21)-(22) where motors drive links of legs; [BK] (13)-(15), [KI] (20) elsewhere.
    """
    own = motors_in_legs(kin.assembly)
    return inverse_split(kin, loads, own) if own else inverse_plain(kin, loads)


def inverse_plain(kin: Kinematics, loads: StateLoads) -> Array:
    """Motor efforts, all of them from the wrench on the platform.

    Equations:
        [BK] (13)-(15), [KI] (20): ``J_inv^T tau_a = w_r``, factored, not inverted.
    """
    w_r = cartesian_wrench(kin, loads)  # [BK] (15)
    return collect(motor_factor(kin).solve(w_r))  # tau_a = J_r^T w_r, [BK] (13), [KI] (20)


def inverse_split(kin: Kinematics, loads: StateLoads, own: Sequence[OwnEffort]) -> Array:
    """Motor efforts, those of motors in legs taken straight from there: fewer multiplications.

    Equations:
        [KI] (21)-(22): ``Gamma = H^a + J_p^T [ F_p + sum_i J_vi^T J_i^-T(:, p_i) H_i^p ]``.
    """
    solution = kin.solution
    W_p, tau_h, legs = platform_and_legs(kin, loads)
    active: list[Array] = [0.0] * len(solution.motors)  # H^a
    passive = [[tau[i] for i in range(len(tau))] for tau in legs]  # H_i^p
    for motor, leg, column in own:
        active[motor], passive[leg][column] = legs[leg][column], 0.0
    W = solution.on_platform(W_p, tau_h, [collect(tau) for tau in passive])  # in brackets, (21)
    rest = motor_factor(kin).solve(solution.Psi.T @ W)
    return collect([a + b for a, b in zip(active, rest, strict=True)])  # [KI] (22)


def balance(kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
    """A and w with ``A tau = w`` in the robot's freedoms, for any number of motors."""
    return kin.J_inv.T, cartesian_wrench(kin, loads)  # [BK] (16)


def direct(kin: Kinematics, tau: Array, loads: StateLoads) -> Array:
    """Twist rate of the platform under motor efforts, ``Psi Vdot_r + Psidot V_r``.

    Needs no inverse of J_inv: it holds on a Type 2 singularity.

    Equations:
        [BK] (18)-(20), [KI] (28), erratum KI-1.
    """
    c_rob = bias_wrench(kin, loads)  # [BK] (22)
    M_rob = inertia_matrix(kin, loads)  # [BK] (21)
    w_r = kin.J_inv.T @ tau - c_rob  # [BK] (19), [KI] (28), erratum KI-1
    Vdot_r = freedom_accelerations(kin, M_rob, w_r)  # [BK] (20)
    return kin.twist_rate(Vdot_r)  # [BK] (18)


def bias_wrench(kin: Kinematics, loads: StateLoads) -> Array:
    """``c_rob``: the Cartesian model with ``Vdot_r = 0``, that is ``Vdot_p = Psidot V_r``.

    Equations:
        [BK] (22), erratum BK-5; [KI] (30).
    """
    return cartesian_wrench(kin.bias_motion, loads)


def cartesian_wrench(kin: Kinematics, loads: StateLoads) -> Array:
    """The Cartesian model ``w_r = J_inv^T tau_a`` in the robot's freedoms, idmx.

    Equations:
        [BK] (15)-(16); in the bracket, the joints that close loops with their friction and rotors.
    """
    W = kin.solution.on_platform(*platform_and_legs(kin, loads))  # the bracket of [BK] (12)
    return kin.solution.Psi.T @ W  # [BK] (15)


class Taken(NamedTuple):
    """Efforts of a motion: wrench on the platform, efforts of the hub's joints and of each leg."""

    W_p: Array
    hub: Array
    legs: list[Array]


def platform_and_legs(kin: Kinematics, loads: StateLoads) -> Taken:
    """Wrench on the platform and efforts of all joints in a motion, axes' efforts included.

    Efforts of axes are friction, rotors and springs.  Loads on bodies are subtracted where they
    act; the one on the platform is W_ext.

    Equations:
        [BK] (10) for the platform; tau_i of [BK] (9), H_i of [KI] (7), by Newton and Euler.
    """
    at, topology, robot = kin.solution.equations, kin.assembly.topology, kin.assembly.robot
    felt, R_0p = kin.felt(loads.ground), at.platform.R
    axes = axis_efforts(kin, loads, kin.axis_rate, kin.axis_acceleration)
    extra = spread(kin, axes)  # f_c
    pushes = loads.on_links(topology.hub, at.hub_placed, at.platform)
    hub_masses = loads.base_masses(robot, topology.hub)
    tau_h, f, n = tree_efforts(topology.hub, at.hub_poses, felt.hub, felt.root, hub_masses, pushes)
    W_p = np.concatenate([R_0p @ f, R_0p @ n])  # [BK] (10), [KI] (12)
    legs = []
    for i, leg in enumerate(topology.legs):
        pushes = loads.on_links(leg.tree, at.leg_placed[i], BASE) if loads.pushes else {}
        masses = loads.base_masses(robot, leg.tree)
        tau_i, _, _ = tree_efforts(
            leg.tree, at.leg_poses[i], felt.legs[i], felt.ground, masses, pushes
        )
        legs.append(tau_i + extra.legs[i])  # tau_i of [BK] (9), H_i of [KI] (7)
    return Taken(W_p + extra.z[:6], tau_h + extra.z[6:], legs)


def inertia_matrix_by_columns(kin: Kinematics, loads: StateLoads) -> Array:
    """``M_rob`` from the Cartesian model: one unit acceleration after the other, at rest.

    Equations:
        After [BK] (22), as Walker and Orin do for serial robots.
    """
    still = kin.with_motion()
    units = [still.accelerated(unit) for unit in np.eye(kin.assembly.mobility)]
    columns = [cartesian_wrench(unit, loads.inertial) for unit in units]
    return collect(columns, empty=(0, 0)).T


def motor_factor(kin: Kinematics) -> Factor:
    """``J_inv^T``, factored.  Its pivots are judged where motors have to hold the platform."""
    assembly, J_inv = kin.assembly, kin.J_inv

    def chosen() -> Plan:
        return choose_plan([assembly.scales.jacobian(J_inv).T], assembly.mobility)

    return kin.rules.factor(J_inv.T, lambda: assembly.motor_plan, chosen, judged=False)
