"""Inverse and direct dynamics by screws and virtual work.  [GA]

    tau_i = - sum_bodies KL( F_n , $^i_n )

Wrenches of inertia and gravity on every body meet the partial screws of that body, what it does per
unit rate of motor i; the Klein form of the two is a power, and all powers together vanish.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from gough import screw
from gough.base.spatial import Array, collect, cross
from gough.dynamics.screws.kinematics import Moving, ScrewState
from gough.dynamics.shared.axes import axis_efforts, components, rotor_axes
from gough.dynamics.shared.definite import freedom_accelerations
from gough.dynamics.shared.masses import CentralMass
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics


def inverse(kin: Kinematics, loads: StateLoads) -> Array:
    """Motor efforts that produce a motion, as many as freedoms [N or N m].

    Equations:
        [GA] (36)-(37): virtual work over partial screws of the motors, [GA] (20), whose influence
        coefficients G, [GA] (17), come from the closed chains with one motor moving at a time.
    """
    state = ScrewState(kin)
    return virtual_work(state, state.G, state.accelerations, loads)  # [GA] (37)


def balance(kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
    """A and w with ``A tau = w`` in the robot's freedoms, for any number of motors.

    Partial screws with respect to the robot's own freedoms: with more motors than freedoms, or
    fewer, there are none with respect to the motors.
    """
    state = ScrewState(kin)
    w = virtual_work(state, state.G_r, state.accelerations, loads)
    return state.motor_columns, w


def direct(kin: Kinematics, tau: Array, loads: StateLoads) -> Array:
    """Twist rate of the platform under motor efforts.

    Partial screws with respect to the robot's own freedoms instead of the motors, so that it holds
    on a Type 2 singularity; the motors enter through the power ``tau . S G_r`` only.
    """
    state = ScrewState(kin)
    G_r, qdd_0 = state.G_r, state.bias_accelerations
    w = state.motor_columns @ tau - virtual_work(state, G_r, qdd_0, loads)  # [GA] (36)
    M_r = inertia_matrix(state, G_r, loads)
    return state.twist_rate(freedom_accelerations(kin, M_r, w))


def virtual_work(state: ScrewState, G: Array, accelerations: Array, loads: StateLoads) -> Array:
    """Generalised efforts that a motion takes, along the rates that G's columns belong to."""
    total: Array = np.zeros(G.shape[1])
    for body, point, F in wrenches(state, accelerations, loads):
        met = partial_screws(state, body, point, G)  # [GA] (20)-(21)
        powers = [screw.klein(F, met[:, i]) for i in range(G.shape[1])]  # [GA] (25), (32)
        total = total - collect(powers)  # [GA] (36)
    for i, effort in slot_efforts(state, accelerations, loads).items():
        total = total + G[i] * effort
    return total


def wrenches(
    state: ScrewState, accelerations: Array, loads: StateLoads
) -> Iterator[tuple[str, Array, Array]]:
    """Wrenches of inertia, gravity and loads: body, point, and ``[f; n]`` there, base axes."""
    moving = state.motions(state.rates, accelerations)
    for mass, center, inertia in _masses(state, loads):
        F = body_wrench(mass.m, center, inertia, moving[mass.body], loads.gravity)
        yield mass.body, center, F
    for push in loads.pushes:
        R, p = state.poses[push.body]
        yield push.body, p + R @ push.point, np.concatenate([push.f, push.n])


def body_wrench(
    mass: Array, center: Array, inertia: Array, moving: Moving, gravity: Array
) -> Array:
    """Wrench of inertia and gravity on a body, at its mass centre.

    Equations:
        [GA] (27)-(31); the mass centre's acceleration by [GA] (10).  Gravity is a force at the mass
        centre and has no moment about it: it is counted once, erratum GA-1.
    """
    w = moving.V[:3]
    felt = screw.to_twist_rate(moving.A, moving.V, center)  # [GA] (10)
    a, wd = felt[:3], felt[3:]
    f = (gravity - a) * mass  # [GA] (27), (29), erratum GA-1
    return np.concatenate([f, -(inertia @ wd) - cross(w, inertia @ w)])  # [GA] (27), (31)


def partial_screws(state: ScrewState, body: str, center: Array, G: Array) -> Array:
    """Partial screws of a body, moved to its mass centre, 6xk.

    Equations:
        [GA] (20)-(21); the dual part that (21) lost, erratum GA-3; from O, erratum GA-4.
    """
    found = state.columns(body) @ G  # [GA] (20)
    return np.concatenate([found[:3], found[3:] - cross(center, found[:3])])  # (21), erratum GA-3


def inertia_matrix(state: ScrewState, G: Array, loads: StateLoads) -> Array:
    """Inertia in the variables of G: the momentum of one partial screw met by another."""
    n = G.shape[1]
    M: Array = np.zeros((n, n))
    for mass, center, inertia in _masses(state, loads):
        met = partial_screws(state, mass.body, center, G)
        w, v = met[:3], met[3:]
        M = M + v.T @ v * mass.m + w.T @ (inertia @ w)
    for name, reflected in rotor_axes(state.graph.robot, loads) if loads.rotors else ():
        row = G[state.graph.slots[name][0]]
        M = M + np.outer(row, row) * reflected
    return M


def _masses(state: ScrewState, loads: StateLoads) -> Iterator[tuple[CentralMass, Array, Array]]:
    """Bodies with mass: mass centre, and inertia about it in base axes."""
    for mass in loads.masses(state.graph.robot):
        R, p = state.poses[mass.body]
        yield mass, p + R @ mass.c, R @ mass.I @ R.T  # [GA] (28)


def slot_efforts(state: ScrewState, accelerations: Array, loads: StateLoads) -> dict[int, Array]:
    """Efforts of friction, rotors and springs, by the index of the rate they act along."""

    def at(rates: Array, name: str) -> Array:
        slots = state.graph.slots[name]
        return rates[slots[0]] if len(slots) == 1 else collect([rates[i] for i in slots])

    found: dict[int, Array] = {}
    efforts = axis_efforts(state.kin, loads, partial(at, state.rates), partial(at, accelerations))
    for name, effort in efforts:
        slots = state.graph.slots[name]
        found |= zip(slots, components(effort, len(slots)), strict=True)
    return found
