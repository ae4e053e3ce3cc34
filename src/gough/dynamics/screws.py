"""Inverse and direct dynamics by screws and virtual work.  [GA]

    tau_i = - sum_bodies KL( F_n , $^i_n )

Wrenches of inertia and gravity on every body meet the partial screws of that body, what it does per
unit rate of motor i; the Klein form of the two is a power, and all powers together vanish.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gough import screw
from gough.closure.rates import RatePlans, choose_rate_plans
from gough.dynamics.friction import friction_effort, loaded_axes
from gough.dynamics.masses import CentralMass, central_masses
from gough.kinematics.screws import Moving, ScrewGraph, ScrewState, screw_graph
from gough.linalg import Factor, Plan
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


def inverse_dynamics(
    state: ScrewState, V: Array, Vdot: Array, gravity: Array, **options: bool
) -> Array:
    """Motor efforts that produce a motion [N or N m].

    Equations:
        [GA] (36)-(37): virtual work over partial screws of the motors, [GA] (20), whose influence
        coefficients G, [GA] (17), come from the closed chains with one motor moving at a time.
    """
    rates = state.all.rates(V)  # [GA] (23)
    gamma, drift = state.biases(rates)
    accelerations = state.all.accelerations(gamma, drift, Vdot)  # [GA] (24)
    return virtual_work(state, state.all.G, rates, accelerations, gravity, **options)


def virtual_work(
    state: ScrewState,
    G: Array,
    rates: Array,
    accelerations: Array,
    gravity: Array,
    *,
    friction: bool = True,
    rotors: bool = True,
) -> Array:
    """Generalised efforts that a motion takes, per unit of whatever G's columns stand for."""
    total: Array = np.zeros(G.shape[1])
    moving = state.motions(rates, accelerations)
    for mass, center, inertia in _masses(state):
        F = body_wrench(mass.m, center, inertia, moving[mass.body], gravity)
        partial = partial_screws(state, mass.body, center, G)
        total = total - collect([screw.klein(F, partial[:, i]) for i in range(G.shape[1])])
    for name in loaded_axes(state.graph.robot):
        effort = _axis_effort(state, name, rates, accelerations, friction, rotors)
        for k, i in enumerate(state.graph.slots[name]):
            total = total + G[i] * effort[k]
    return total


def body_wrench(
    mass: float, center: Array, inertia: Array, moving: Moving, gravity: Array
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


def direct_dynamics(
    state: ScrewState,
    V: Array,
    tau: Array,
    gravity: Array,
    *,
    friction: bool = True,
    rotors: bool = True,
) -> Array:
    """Twist rate of the platform under motor efforts.

    Partial screws with respect to the robot's own freedoms instead of the motors, so that it holds
    on a Type-2 singularity; the motors enter through the power ``tau . S G_r`` only.
    """
    rates = state.all.rates(V)
    gamma, drift = state.biases(rates)
    G_r = state.all.G_r
    coasting = state.all.coasting(gamma, drift)
    w = -virtual_work(state, G_r, rates, coasting, gravity, friction=friction, rotors=rotors)
    for row, effort in zip(state.all.S, tau, strict=True):
        w = w + (row @ G_r) * effort
    n = tuple(range(len(state.all.free)))
    M = inertia_matrix(state, G_r, rotors=rotors)
    Vdot_r = collect(Factor(M, Plan(n, n)).solve(w)) if n else np.zeros(0)
    return state.all.P @ (coasting + G_r @ Vdot_r) + drift


def inertia_matrix(state: ScrewState, G: Array, *, rotors: bool = True) -> Array:
    """Inertia in the variables of G: the momentum of one partial screw met by another."""
    n = G.shape[1]
    M: Array = np.zeros((n, n))
    for mass, center, inertia in _masses(state):
        partial = partial_screws(state, mass.body, center, G)
        w, v = partial[:3], partial[3:]
        M = M + v.T @ v * mass.m + w.T @ (inertia @ w)
    for name in loaded_axes(state.graph.robot) if rotors else ():
        reflected = state.graph.robot.axis(name).reflected_inertia
        if reflected:
            row = G[state.graph.slots[name][0]]
            M = M + np.outer(row, row) * reflected
    return M


def _masses(state: ScrewState) -> Iterator[tuple[CentralMass, Array, Array]]:
    """Bodies with mass: mass centre, and inertia about it in base axes.  [GA] (28)."""
    for mass in central_masses(state.graph.robot).values():
        R, p = state.poses[mass.body]
        yield mass, p + R @ mass.c, R @ mass.I @ R.T


def _axis_effort(
    state: ScrewState, name: str, rates: Array, accelerations: Array, friction: bool, rotors: bool
) -> list[Array]:
    """What friction and rotor of an axis take, one entry a rate."""
    robot, slots = state.graph.robot, state.graph.slots[name]
    axis, what = robot.axis(name), state.assembly.axes[name].what
    if len(slots) > 1:
        rate = collect([rates[i] for i in slots])
        effort = friction_effort(axis, what, rate) if friction else np.zeros(len(slots))
        return [effort[k] for k in range(len(slots))]
    total: Array = friction_effort(axis, what, rates[slots[0]]) if friction else 0.0
    if rotors and axis.reflected_inertia:
        total = total + accelerations[slots[0]] * axis.reflected_inertia
    return [total]
