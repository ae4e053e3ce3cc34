"""Inverse and forward dynamics the classical way: loops cut, one tree.  [KI] section 2.1

    Gamma = G^T Gamma_tr,   qd_tr = G qd_a

Every loop is cut at a passive joint, so that the whole machine, platform included, is one tree on
the base.  Its inverse dynamics gives efforts for all joints; G, from the closure of the cut joints,
brings them to the motors.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from gough.base.spatial import Array, collect, cross
from gough.dynamics.shared.axes import axis_efforts, components, rotor_axes
from gough.dynamics.shared.definite import freedom_accelerations
from gough.dynamics.shared.state_loads import StateLoads
from gough.dynamics.tree.kinematics import CutState
from gough.dynamics.tree.recursion import (
    Spatial,
    Wrench,
    add_at,
    bodies_on_links,
    inertia_matrix,
    joint_efforts,
    link_accelerations,
    link_twists,
)
from gough.kinematics.motion import Kinematics


def inverse(kin: Kinematics, loads: StateLoads) -> Array:
    """Motor efforts that produce a motion, as many as freedoms [N or N m].

    Equations:
        [KI] (1)-(6).
    """
    return motor_efforts(CutState(kin), loads)


def motor_efforts(state: CutState, loads: StateLoads) -> Array:
    """Motor efforts of a cut machine, whichever joints are cut."""
    Gamma_tr = tree_efforts(state, state.kin.Vdot, loads)  # [KI] (2)
    # Gamma = G^T Gamma_tr, qd_tr = G qd_a, [KI] (1), (4): one solve with the transposed system
    return collect(state.factor("motors").solve_transposed(Gamma_tr)[len(state.E) :])


def balance(kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
    """A and w with ``A tau = w`` in the robot's freedoms, for any number of motors.

    With more motors than freedoms, or fewer, there is no G: ``qd_tr = G_r V_r`` instead.
    """
    state = CutState(kin)
    Gamma_tr = tree_efforts(state, kin.Vdot, loads)  # [KI] (2)
    return state.motor_columns, state.G_r.T @ Gamma_tr  # as [KI] (6)


def direct(kin: Kinematics, tau: Array, loads: StateLoads) -> Array:
    """Twist rate of the platform under motor efforts.

    With respect to the robot's freedoms instead of the motors, so that it holds on a Type 2
    singularity; the motors enter through ``S G_r`` only.
    """
    state = CutState(kin, by="freedoms")
    Gamma_0 = tree_efforts(state, state.twist_rate(), loads)
    w = state.motor_columns @ tau - state.G_r.T @ Gamma_0  # [KI] (1)-(2)
    return state.twist_rate(freedom_accelerations(kin, freedom_inertia(state, loads), w))


def tree_efforts(state: CutState, Vdot: Array, loads: StateLoads) -> Array:
    """``Gamma_tr``: efforts of the tree's joints, those of all axes included.

    Args:
        state: the machine in motion.
        Vdot: twist rate of the platform.
        loads: what acts besides the motors.

    Equations:
        [KI] (2).
    """
    tree, poses, platform = state.tree, state.poses, state.machine.platform
    qd, qdd = state.rates, state.accelerations(Vdot)
    ground = loads.ground  # a base that moves, or gravity: it accelerates upwards
    root = Spatial(ground.w, ground.v)
    # the acceleration of a point, less what the rotation does to its velocity, is spatial
    felt = Spatial(ground.wd, ground.a - cross(ground.w, ground.v))
    V, on_ground = state.on_link(state.kin.V), root.seen_from(state.R, state.p)
    Vdot_felt = felt.seen_from(state.R, state.p) + on_ground.product(V)
    links = link_twists(tree, poses, qd, root, {platform.link: V + on_ground})
    known = {platform.link: state.link_acceleration(Vdot) + Vdot_felt}
    moved = link_accelerations(tree, poses, links, qd, qdd, felt, known)
    wrenches: dict[int, Wrench] = {}
    for body in bodies_on_links(tree, loads.masses(state.machine.robot)):
        add_at(wrenches, body.link, body.wrench(links, moved))
    for push in loads.pushes:
        mount = tree.bodies[push.body]
        R = state.columns(state.machine.link_frames[mount.link]).R_f0
        f, n, arm = -(R @ push.f), -(R @ push.n), mount.p + mount.R @ push.point
        add_at(wrenches, mount.link, Wrench(n + cross(arm, f), f))
    Gamma_tr = joint_efforts(tree, poses, wrenches)
    accelerations = partial(state.axis_acceleration, qdd=qdd)
    for name, effort in axis_efforts(state.kin, loads, state.axis_rate, accelerations):
        rows = state.axis_rows(name)
        for row, part in zip(rows, components(effort, len(rows)), strict=True):
            Gamma_tr = Gamma_tr + row * part
    return Gamma_tr


def freedom_inertia(state: CutState, loads: StateLoads) -> Array:
    """``G_r^T A_tr G_r``: inertia matrix in the robot's freedoms, rotors included."""
    robot, tree, G_r, k = state.machine.robot, state.tree, state.G_r, state.machine.platform.link
    bodies = bodies_on_links(tree, loads.masses(robot))
    others = [body for body in bodies if body.link != k]
    M_r = G_r.T @ (inertia_matrix(tree, state.poses, others) @ G_r)
    w, v = state.on_link(state.Psi)
    for body in bodies:
        if body.link == k:  # what moves with the platform needs no joints
            v_c = v + cross(w, body.c)
            M_r = M_r + (v_c.T @ v_c) * body.m + w.T @ (body.I @ w)
    for name, inertia in rotor_axes(robot, loads) if loads.rotors else ():
        for row in state.axis_rows(name):
            along = row @ G_r
            M_r = M_r + np.outer(along, along) * inertia
    return M_r
