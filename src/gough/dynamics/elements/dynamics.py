"""Inverse and forward dynamics by kinematic elements.  [OZ]

    sum_i ( M_x^T F_x + M_d^T F_d + M_theta^T F_theta ) = 0,   that is   A Gamma + b = 0

The six steps of [OZ] section 6: the robot is taken apart into elements and their types are found
(`decomposition.py`); kinematic coordinates and constraints (`kinematics.py`); local forces and
torques; dynamic coordinates and constraints; the linear solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TypeVar

import numpy as np

from gough.base.linalg import least_squares
from gough.base.spatial import Array, collect, cross, total
from gough.dynamics.elements.accelerations import acceleration_of, accelerations, turn_of
from gough.dynamics.elements.constraints import turn_axes
from gough.dynamics.elements.decomposition import Branch, Key
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.partials import Partial, along, applied, in_freedoms, plus
from gough.dynamics.elements.variables import Variables
from gough.dynamics.shared.axes import axis_efforts, components, rotor_axes
from gough.dynamics.shared.definite import freedom_accelerations
from gough.dynamics.shared.masses import CentralMass
from gough.dynamics.shared.state_loads import Push, StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.recursion import Motion
from gough.mechanism.topology.edges import TreeEdge
from gough.robot.joint_kinds import BALL, PLANE, SLIDE
from gough.robot.names import joint_of

T = TypeVar("T", CentralMass, Push)


# steps 4 to 6 of [OZ] section 6


def inverse(kin: Kinematics, loads: StateLoads) -> Array:
    """Motor efforts that produce a motion, as many as freedoms [N or N m].

    Equations:
        [OZ] (58)-(59): ``A Gamma + b = 0``, solved by orthogonal factors.
    """
    state = ElementState(kin)
    return solved(*implicit_model(state, state.motion, loads))


def solved(A: Array, b: Array) -> Array:
    """Efforts of the implicit model, ``Gamma = -A^+ b``."""
    return least_squares(A, -b)  # [OZ] (59)


def balance(kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
    """A and w with ``A tau = w`` in the robot's freedoms, for any number of motors."""
    state = ElementState(kin)
    A, b = implicit_model(state, state.motion, loads)
    return A, -b  # [OZ] (58)


def direct(kin: Kinematics, tau: Array, loads: StateLoads) -> Array:
    """Twist rate of the platform under motor efforts.

    Equations:
        [OZ] (58) with the acceleration unknown instead of the efforts; A is not inverted.
    """
    state = ElementState(kin.bias_motion)
    A, b = implicit_model(state, state.motion, loads)
    w_r = A @ tau + b  # what the motors have left, [OZ] (58)
    Vdot_r = freedom_accelerations(kin, inertia_matrix(state, loads), w_r)
    return state.Psi @ Vdot_r + state.Vdot


def implicit_model(
    state: ElementState, motion: Variables, loads: StateLoads
) -> tuple[Array, Array]:
    """The linear implicit model ``A Gamma + b = 0``.

    Equations:
        [OZ] (56), (58), (64): dynamic coordinates of everything but the motors, and of unit
        motors, brought to the robot's own freedoms by the motion constraints.
    """
    M = state.motion_constraints
    n = state.Psi.shape[1]
    F = plus(*local_forces(state, motion, loads), *joint_forces(state, motion, loads))
    b = _constrained(F, M, n)  # [OZ] (56), (64)
    # a unit effort acts on the child of its joint and back on the parent, [OZ] (16)
    columns = [_constrained(motor_row(state, name), M, n) for name in state.parts.robot.motors]
    return collect(columns, empty=(0, n)).T, b


def local_forces(state: ElementState, motion: Variables, loads: StateLoads) -> Iterator[Partial]:
    """Dynamic coordinates of inertia, gravity and loads of every body of every leg.

    Equations:
        [OZ] (27), (33), (52): each body's force at its mass centre and torque, met by its
        kinematic coordinates; of a hub body every leg carries its share, erratum OZ-8.
    """
    masses = _by_body(loads.masses(state.parts.robot))
    pushes = _by_body(loads.pushes)
    ground = {state.parts.robot.base: (np.zeros(3), np.zeros(3))}
    for branch, points in zip(state.parts.branches, state.chains, strict=True):
        reached = accelerations(state, motion, ground, (*branch.own, *branch.hub))
        for way, share in _shared(branch):
            if not share:
                continue
            R = state.poses[way.body].R
            W = state.omega(way.body)  # domega/du, [OZ] (50)
            for mass in masses.get(way.body, ()):
                a = acceleration_of(state, motion, way.body, mass.c, reached[way.body])  # [OZ] (33)
                turn = turn_of(state, motion, way.body)
                V = state.velocity(points[way.body], mass.c)  # dS/du, [OZ] (49), Table 1
                v = np.zeros(3) if loads.base is None else _applied(V, motion.rates)
                center = state.poses[way.body].p + R @ mass.c
                felt = loads.felt(Motion(v, turn.w, a, turn.wd), center)
                I = R @ mass.I @ R.T  # noqa: E741
                tau = -(I @ felt.wd) - cross(felt.w, I @ felt.w)  # [OZ] (27)
                yield _projected(V, -felt.a * (mass.m * share))  # [OZ] (52), erratum OZ-8
                yield _projected(W, tau * share)
            for push in pushes.get(way.body, ()):
                V = state.velocity(points[way.body], push.point)
                yield _projected(V, push.f * share)
                yield _projected(W, push.n * share)


def joint_forces(state: ElementState, motion: Variables, loads: StateLoads) -> Iterator[Partial]:
    """Dynamic coordinates of friction, rotors and springs, on both bodies of a joint, erratum OZ-1.

    Equations:
        [OZ] (17)-(21), with the axis of the joint, which does not flip, errata OZ-2, OZ-3.
    """
    moved = cache(partial(axis_motion, state, motion))

    def rate(name: str) -> Array:
        return _joined(moved(name)[0])

    def acceleration(name: str) -> Array:
        return _joined(moved(name)[1])

    for name, effort in axis_efforts(state.kin, loads, rate, acceleration):
        _, _, rows = moved(name)
        for row, part in zip(rows, components(effort, len(rows)), strict=True):
            yield {key: block * (-part) for key, block in row.items()}  # erratum OZ-1


def axis_motion(
    state: ElementState, motion: Variables, name: str
) -> tuple[list[Array], list[Array], list[Partial]]:
    """Rates and accelerations of an axis, and its rates as rows over the motion basis."""
    joint = next(j for j in state.parts.robot.joints if name in j.axis_names)
    what = state.assembly.axes[name].what
    if what in (SLIDE, PLANE):
        keys = [key for key, _ in state.slides_of(name)]
        return (
            [motion.lengths[key].rate for key in keys],
            [motion.lengths[key].acceleration for key in keys],
            [{key: 1.0} for key in keys],
        )
    parent, child = (turn_of(state, motion, body) for body in (joint.parent, joint.child))
    w, wd = child.w - parent.w, child.wd - parent.wd  # [OZ] (17), (19), errata OZ-2, OZ-3
    turn = state.turning(joint, given=False)
    axes, carrier = turn_axes(state, joint, name)
    carried = turn_of(state, motion, carrier).w
    return (
        [a @ w for a in axes],
        [a @ wd + cross(carried, a) @ w for a in axes],
        [along(a, turn) for a in axes],
    )


def inertia_matrix(state: ElementState, loads: StateLoads) -> Array:
    """Inertia in the robot's own freedoms, from kinematic coordinates and motion constraints."""
    M, n = state.motion_constraints, state.Psi.shape[1]
    found: Array = np.zeros((n, n))
    masses = _by_body(loads.masses(state.parts.robot))
    for branch, points in zip(state.parts.branches, state.chains, strict=True):
        for way, share in _shared(branch):
            for mass in masses.get(way.body, ()) if share else ():
                R, W = state.poses[way.body].R, state.omega(way.body)
                V = state.velocity(points[way.body], mass.c)
                if W:
                    w = in_freedoms(W, M, state.Psi)
                    found = found + w.T @ (R @ (mass.I * share) @ (R.T @ w))
                if V:
                    v = in_freedoms(V, M, state.Psi)
                    found = found + v.T @ v * (mass.m * share)
    for name, reflected in rotor_axes(state.parts.robot, loads) if loads.rotors else ():
        for rate in _rate_rows(state, name):
            row = in_freedoms(rate, M, state.Psi)
            found = found + np.outer(row, row) * reflected
    return found


def _rate_rows(state: ElementState, name: str) -> list[Partial]:
    """Rates of an axis as rows over the motion basis: three of a ball."""
    if state.assembly.axes[name].what != BALL:
        return [motor_row(state, name)]
    joint = state.parts.robot.joint(joint_of(name))
    turn = state.turning(joint, given=False)
    return [along(axis, turn) for axis in turn_axes(state, joint, name)[0]]


def motor_row(state: ElementState, name: str) -> Partial:
    """Rate of a turn or a slide as a row over the motion basis."""
    joint = next(j for j in state.parts.robot.joints if name in j.axis_names)
    if state.assembly.axes[name].what == SLIDE:
        return {state.slides_of(name)[0][0]: 1.0}
    (axis,), _ = turn_axes(state, joint, name)
    return along(axis, state.turning(joint, given=False))


def _joined(parts: Sequence[Array]) -> Array:
    return parts[0] if len(parts) == 1 else collect(parts)


def _by_body(items: Iterable[T]) -> dict[str, list[T]]:
    """Masses or pushes by the body they sit on."""
    found: dict[str, list[T]] = {}
    for item in items:
        found.setdefault(item.body, []).append(item)
    return found


def _constrained(F: Partial, M: Mapping[Key, Array], n: int) -> Array:
    """``M^T F``: dynamic coordinates brought to the robot's own freedoms.  [OZ] (56)."""
    terms = (M[key].T @ f if key[0] == "x" else M[key] * f for key, f in F.items())  # [OZ] (56)
    return total(terms, np.zeros(n))


def _applied(velocity: Partial, rates: Mapping[Key, Array]) -> Array:
    """A velocity at rates of the motion basis."""
    return total((applied(key, block, rates[key]) for key, block in velocity.items()), np.zeros(3))


def _projected(coordinates: Partial, force: Array) -> Partial:
    """A force met by kinematic coordinates, one entry a variable.  [OZ] (52)."""
    return {
        key: block.T @ force if key[0] == "x" else block @ force
        for key, block in coordinates.items()
    }


def _shared(branch: Branch) -> Iterator[tuple[TreeEdge, float]]:
    yield from ((way, 1.0) for way in branch.own)
    yield from ((way, branch.shares.get(way.body, 0.0)) for way in branch.hub)
