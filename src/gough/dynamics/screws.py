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
from gough.closure.rates import RatePlans, choose_rate_plans
from gough.dynamics.axes import axis_effort, components, rotor_axes
from gough.dynamics.masses import CentralMass
from gough.dynamics.state_loads import StateLoads
from gough.kinematics.screws import Moving, ScrewGraph, ScrewState, screw_graph
from gough.linalg import Symmetric
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect, cross


def planned_graph(assembly: Assembly) -> tuple[ScrewGraph, RatePlans]:
    """The chains and loops of a robot, and pivots for a trace, worked out once."""

    def make(assembly: Assembly) -> tuple[ScrewGraph, RatePlans]:
        graph = screw_graph(assembly.robot)
        states = [
            ScrewState(graph, assembly, assembly.equations(*sample)).all
            for sample in assembly.regular_samples
        ]
        return graph, choose_rate_plans(states, by_motors=assembly.is_square)

    return assembly.once("screw graph", make)


def inverse_dynamics(state: ScrewState, V: Array, Vdot: Array, loads: StateLoads) -> Array:
    """Motor efforts that produce a motion [N or N m].

    Equations:
        [GA] (36)-(37): virtual work over partial screws of the motors, [GA] (20), whose influence
        coefficients G, [GA] (17), come from the closed chains with one motor moving at a time.
    """
    return virtual_work(state, state.all.G, *joint_motion(state, V, Vdot), loads)


def in_freedoms(state: ScrewState, V: Array, Vdot: Array, loads: StateLoads) -> tuple[Array, Array]:
    """Unit motors and what the motion takes, both as generalised efforts of V_r.

    Partial screws with respect to the robot's own freedoms: with more motors than freedoms, or
    fewer, there are none with respect to the motors.
    """
    G_r = state.all.G_r
    taken = virtual_work(state, G_r, *joint_motion(state, V, Vdot), loads)
    return state.all.motor_columns, taken


def joint_motion(state: ScrewState, V: Array, Vdot: Array) -> tuple[Array, Array]:
    """Rates and accelerations of all joints.  [GA] (23)-(24)."""
    rates = state.all.rates(V)
    gamma, drift = state.biases(rates)
    return rates, state.all.accelerations(gamma, drift, Vdot)


def virtual_work(
    state: ScrewState,
    G: Array,
    rates: Array,
    accelerations: Array,
    loads: StateLoads,
) -> Array:
    """Generalised efforts that a motion takes, per unit of whatever G's columns stand for."""
    total: Array = np.zeros(G.shape[1])
    for body, point, F in wrenches(state, rates, accelerations, loads):
        met = partial_screws(state, body, point, G)
        total = total - collect([screw.klein(F, met[:, i]) for i in range(G.shape[1])])
    for i, effort in slot_efforts(state, rates, accelerations, loads).items():
        total = total + G[i] * effort
    return total


def wrenches(
    state: ScrewState, rates: Array, accelerations: Array, loads: StateLoads
) -> Iterator[tuple[str, Array, Array]]:
    """Wrenches of inertia, gravity and loads: body, point, and ``[f; n]`` there, base axes."""
    moving = state.motions(rates, accelerations)
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
    felt = screw.to_twist_rate(moving.A, moving.V, center)
    a, wd = felt[:3], felt[3:]
    f = (gravity - a) * mass
    return np.concatenate([f, -(inertia @ wd) - cross(w, inertia @ w)])


def partial_screws(state: ScrewState, body: str, center: Array, G: Array) -> Array:
    """Partial screws of a body, moved to its mass centre, 6xk.

    Equations:
        [GA] (20)-(21); the dual part that (21) lost, erratum GA-3; from O, erratum GA-4.
    """
    found = state.columns(body) @ G
    return np.concatenate([found[:3], found[3:] - cross(center, found[:3])])


def direct_dynamics(state: ScrewState, V: Array, tau: Array, loads: StateLoads) -> Array:
    """Twist rate of the platform under motor efforts.

    Partial screws with respect to the robot's own freedoms instead of the motors, so that it holds
    on a Type-2 singularity; the motors enter through the power ``tau . S G_r`` only.
    """
    rates = state.all.rates(V)
    gamma, drift = state.biases(rates)
    G_r = state.all.G_r
    coasting = state.all.coasting(gamma, drift)
    w = state.all.motor_columns @ tau - virtual_work(state, G_r, rates, coasting, loads)
    Vdot_r = Symmetric(inertia_matrix(state, G_r, loads)).solve(w)
    return state.all.P @ (coasting + G_r @ Vdot_r) + drift


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
    """Bodies with mass: mass centre, and inertia about it in base axes.  [GA] (28)."""
    for mass in loads.masses(state.graph.robot):
        R, p = state.poses[mass.body]
        yield mass, p + R @ mass.c, R @ mass.I @ R.T


def slot_efforts(
    state: ScrewState, rates: Array, accelerations: Array, loads: StateLoads
) -> dict[int, Array]:
    """What friction, rotors and springs take, by the place of a rate."""
    assembly, robot = state.assembly, state.graph.robot
    found: dict[int, Array] = {}
    for name in loads.loaded_axes(robot):
        slots = state.graph.slots[name]
        effort = axis_effort(
            loads.axis(robot, name),
            assembly.axes[name].what,
            loads,
            position=partial(assembly.axis_position, state.at, name),
            rate=partial(_at, rates, slots),
            acceleration=partial(_at, accelerations, slots),
        )
        if effort is not None:
            found |= zip(slots, components(effort, len(slots)), strict=True)
    return found


def _at(rates: Array, slots: tuple[int, ...]) -> Array:
    return rates[slots[0]] if len(slots) == 1 else collect([rates[i] for i in slots])
