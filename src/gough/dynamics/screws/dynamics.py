"""Inverse and forward dynamics by screws and virtual work.  [GA]

    tau_i = - sum_bodies KL( F_n , $^i_n )

Wrenches of inertia and gravity on every body meet the partial screws of that body, what it does per
unit rate of motor i; the Klein form of the two is a power, and all powers together vanish.

The sum over bodies is taken leg by leg before the motors are distinguished: wrenches along a leg do
the work of one wrench on the platform, and that is shared among the reciprocal screws of the
motors, which are the wrenches that they exert.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from gough import screw
from gough.base.spatial import Array, collect, cross
from gough.dynamics.screws.kinematics import Rates, ScrewState
from gough.dynamics.shared.axes import axis_efforts, components, rotor_axes
from gough.dynamics.shared.definite import freedom_accelerations
from gough.dynamics.shared.masses import CentralMass
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.recursion import Motion
from gough.robot.joint_kinds import BALL
from gough.robot.names import joint_of


def inverse(kin: Kinematics, loads: StateLoads) -> Array:
    """Motor efforts that produce a motion, as many as freedoms [N or N m].

    Equations:
        [GA] (36)-(37), (74), errata GA-1, GA-5, GA-6: virtual work of all bodies on z; motors
        balance it by their reciprocal screws, [GA] (61).
    """
    state = ScrewState(kin)
    return state.motor_efforts(virtual_work(state, state.accelerations, loads))  # [GA] (37), (74)


def balance(kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
    """A and w with ``A tau = w`` in the robot's freedoms, for any number of motors."""
    state = ScrewState(kin)
    w_r = state.Z_r.T @ virtual_work(state, state.accelerations, loads)
    return state.J_inv.T, w_r


def direct(kin: Kinematics, tau: Array, loads: StateLoads) -> Array:
    """Twist rate of the platform under motor efforts.

    With respect to the robot's own freedoms instead of the motors, so that it holds on a Type 2
    singularity; the motors enter through the power ``tau . J_inv V_r`` only.
    """
    state = ScrewState(kin)
    taken = state.Z_r.T @ virtual_work(state, state.bias_accelerations, loads)
    w = state.J_inv.T @ tau - taken  # [GA] (36)
    return state.twist_rate(freedom_accelerations(kin, inertia_matrix(state, loads), w))


def virtual_work(state: ScrewState, accelerations: Rates, loads: StateLoads) -> Array:
    """Efforts on z that a motion takes: the platform's wrench, and those of the hub's joints.

    ``w_z . z`` is the power of minus all wrenches in the motion z, with every leg following; in the
    columns of z that belong to a motor it is the sum of [GA] (36).
    """
    wrench_of: list[dict[str, Array]] = [{} for _ in range(1 + len(state.legs))]
    for body, point, F in wrenches(state, accelerations, loads):
        part, chains = state.part_of(body)
        moved = np.concatenate([-F[:3], -F[3:] - cross(point - chains.point, F[:3])])
        own = wrench_of[part]
        own[body] = own[body] + moved if body in own else moved
    efforts: list[dict[int, Any]] = [{} for _ in wrench_of]
    for slot, effort in slot_efforts(state, accelerations, loads).items():
        part, place = state.place(slot)
        efforts[part][place] = effort
    return state.on_z(efforts, wrench_of)  # [GA] (36)


def wrenches(
    state: ScrewState, accelerations: Rates, loads: StateLoads
) -> Iterator[tuple[str, Array, Array]]:
    """Wrenches of inertia, gravity and loads: body, point, and ``[f; n]`` there, base axes."""
    moving = state.moving(accelerations)
    for mass, center, R in _masses(state, loads):
        V, A = moving[mass.body]
        arm = center - state.part_of(mass.body)[1].point
        rate = screw.to_twist_rate(A, V, arm)  # [GA] (10)
        own = Motion(V[3:] + cross(V[:3], arm), V[:3], rate[:3], rate[3:])
        felt = loads.felt(own, center)
        f, n = body_wrench(mass, R.T @ felt.w, felt.a, R.T @ felt.wd)
        yield mass.body, center, np.concatenate([f, R @ n])
    for push in loads.pushes:
        R, p = state.poses[push.body]
        yield push.body, p + R @ push.point, np.concatenate([push.f, push.n])


def body_wrench(mass: CentralMass, w: Array, a: Array, wd: Array) -> tuple[Array, Array]:
    """Wrench of inertia and gravity on a body at its mass centre: force and moment.

    Args:
        mass: of the body, its inertia about the mass centre in body axes.
        w: angular velocity, body axes.
        a: acceleration of the mass centre less that of free fall, base axes, as the force.
        wd: angular acceleration, body axes, as the moment.

    Equations:
        [GA] (27)-(31).  Gravity is a force at the mass centre and has no moment about it: it is
        counted once, erratum GA-1.  Two vectors are turned into body axes, which is cheaper than
        the inertia into base axes, [GA] (28).
    """
    f = -a * mass.m  # [GA] (27), (29), erratum GA-1
    return f, -(mass.I @ wd) - cross(w, mass.I @ w)  # [GA] (27), (31)


def inertia_matrix(state: ScrewState, loads: StateLoads) -> Array:
    """Inertia in the robot's freedoms: the momentum of one partial screw met by another.

    Partial screws are joint screws times influence coefficients, [GA] (20): bodies of a leg are
    added up over its joint screws first, and then the legs.
    """
    units = state.unit_motions(state.Z_r)
    n = len(units)
    M: Array = np.zeros((n, n))
    for k, own in enumerate(part_inertias(state, loads)):
        G = collect([unit.legs[k - 1] if k else unit.z for unit in units], empty=(0, len(own))).T
        M = M + G.T @ (own @ G)
    return M


def part_inertias(state: ScrewState, loads: StateLoads) -> list[Array]:
    """Inertia of the hub over z, and of each leg over its rates.

    Equations:
        Screws at the mass centre by [GA] (21), (68), errata GA-3, GA-4 and GA-5.
    """
    sizes = [state.hub.size, *(leg.chains.count for leg in state.legs)]
    found: list[Array] = [np.zeros((size, size)) for size in sizes]
    for mass, center, R in _masses(state, loads):
        part, chains = state.part_of(mass.body)
        columns = chains.columns(mass.body) if part else state.hub.columns(mass.body)
        arm = center - chains.point
        v = columns[3:] - cross(arm, columns[:3])  # [GA] (21), (68), errata GA-3, GA-4
        w = R.T @ columns[:3]
        found[part] = found[part] + v.T @ v * mass.m + w.T @ (mass.I @ w)
    for name, reflected in rotor_axes(state.graph.robot, loads) if loads.rotors else ():
        for slot in state.graph.slots[name]:
            part, place = state.place(slot)
            unit = np.eye(sizes[part])[place if part else state.hub.own.start + place]
            found[part] = found[part] + np.outer(unit, unit) * reflected
    return found


def _masses(state: ScrewState, loads: StateLoads) -> Iterator[tuple[CentralMass, Array, Array]]:
    """Bodies with mass: mass centre, and axes of the body, in base axes."""
    for mass in loads.masses(state.graph.robot):
        R, p = state.poses[mass.body]
        yield mass, p + R @ mass.c, R


def slot_efforts(state: ScrewState, accelerations: Rates, loads: StateLoads) -> dict[int, Array]:
    """What friction, rotors and springs take, by the place of a rate."""

    def at(rates: Rates, name: str) -> Array:
        found = [state.rate(rates, slot) for slot in state.graph.slots[name]]
        return found[0] if len(found) == 1 else collect(found)

    def acceleration(name: str) -> Array:
        plain = at(accelerations, name)
        if state.assembly.axes[name].what != BALL:
            return plain
        # rates of a ball keep the directions of the base, while the joint turns with its parent
        parent = state.twists(state.motion)[state.graph.robot.joint(joint_of(name)).parent]
        return plain - cross(parent[:3], at(state.motion, name))

    found: dict[int, Array] = {}
    efforts = axis_efforts(state.kin, loads, partial(at, state.motion), acceleration)
    for name, effort in efforts:
        slots = state.graph.slots[name]
        found |= zip(slots, components(effort, len(slots)), strict=True)
    return found
