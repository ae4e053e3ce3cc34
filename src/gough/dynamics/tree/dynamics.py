"""Inverse and direct dynamics the classical way: loops cut, one tree.  [KI] section 2.1

    Gamma = G^T Gamma_tr,   qd_tr = G qd_a

Every loop is cut at a passive joint, so that the whole machine, platform included, is one tree on
the base.  Its inverse dynamics gives efforts for all joints; G, from the closure of the cut joints,
brings them to the motors.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from gough.base.spatial import Array
from gough.dynamics.shared.axes import axis_efforts, components, rotor_axes
from gough.dynamics.shared.definite import freedom_accelerations
from gough.dynamics.shared.newton_euler import tree_efforts, tree_inertia
from gough.dynamics.shared.state_loads import StateLoads
from gough.dynamics.tree.kinematics import CutState
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import axis_rows, rate
from gough.mechanism.closure.equations import BASE
from gough.mechanism.closure.recursion import motions
from gough.mechanism.closure.solution import Rates


def inverse(kin: Kinematics, loads: StateLoads) -> Array:
    """Motor efforts that produce a motion, as many as freedoms [N or N m].

    Equations:
        [KI] (1)-(6).
    """
    return motor_efforts(CutState(kin), loads)


def motor_efforts(state: CutState, loads: StateLoads) -> Array:
    """Motor efforts of a cut machine, whichever joints are cut."""
    Gamma_tr = joint_efforts(state, state.accelerations, loads)  # [KI] (2)
    return state.G.T @ Gamma_tr  # Gamma = G^T Gamma_tr, qd_tr = G qd_a, [KI] (1), (4)


def balance(kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
    """A and w with ``A tau = w`` in the robot's freedoms, for any number of motors.

    With more motors than freedoms, or fewer, there is no G: ``qd_tr = G_r V_r`` instead.
    """
    state = CutState(kin)
    Gamma_tr = joint_efforts(state, state.accelerations, loads)  # [KI] (2)
    return state.motor_columns, state.G_r.T @ Gamma_tr  # as [KI] (6)


def direct(kin: Kinematics, tau: Array, loads: StateLoads) -> Array:
    """Twist rate of the platform under motor efforts.

    With respect to the robot's freedoms instead of the motors, so that it holds on a Type 2
    singularity; the motors enter through ``S G_r`` only.
    """
    state = CutState(kin)
    G_r, qdd_0 = state.G_r, state.bias_accelerations
    w = state.motor_columns @ tau - G_r.T @ joint_efforts(state, qdd_0, loads)  # [KI] (1)-(2)
    M_r = G_r.T @ inertia_matrix(state, loads) @ G_r
    return state.twist_rate(freedom_accelerations(kin, M_r, w))


def joint_efforts(state: CutState, qdd: Array, loads: StateLoads) -> Array:
    """``Gamma_tr``: efforts of the tree's joints, those of all axes included.  [KI] (2)."""
    ground = loads.ground
    links = motions(state.tree, state.poses, state.rates, qdd, ground)
    masses = loads.base_masses(state.machine.robot, state.tree)
    pushes = loads.on_links(state.tree, state.at.leg_placed[0], BASE) if loads.pushes else {}
    Gamma, _, _ = tree_efforts(state.tree, state.poses, links, ground, masses, pushes)
    return Gamma + _axis_efforts(state, qdd, loads)


def _axis_efforts(state: CutState, qdd: Array, loads: StateLoads) -> Array:
    """What friction, rotors and springs of all axes take, in the rates of the tree."""
    found: Array = np.zeros(state.tree.rates)
    none, at, places, qd = np.zeros(0), state.at, state.machine.axes, state.rates
    moving = cache(partial(at.motions, np.zeros(6), np.zeros(6), none, none, [qd], [qdd]))

    def first(name: str) -> Array:
        return rate(at, moving, Rates(none, [qd]), places[name])

    def second(name: str) -> Array:
        return rate(at, moving, Rates(none, [qdd]), places[name], level=2)

    for name, effort in axis_efforts(state.kin, loads, first, second):
        rows = axis_rows(at, places[name]).tree
        for row, part in zip(rows, components(effort, len(rows)), strict=True):
            found = found + row * part
    return found


def inertia_matrix(state: CutState, loads: StateLoads) -> Array:
    """``A_tr``: inertia matrix of the tree, rotors included."""
    robot = state.machine.robot
    A_tr = tree_inertia(state.tree, state.poses, loads.base_masses(robot, state.tree))  # [KI] (2)
    for name, inertia in rotor_axes(robot, loads) if loads.rotors else ():
        for row in axis_rows(state.at, state.machine.axes[name]).tree:
            A_tr = A_tr + np.outer(row, row) * inertia
    return A_tr
