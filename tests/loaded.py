"""Robots with everything on them: friction, rotors, springs, pushes, a payload, in a few states."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import NamedTuple

import numpy as np

import gough
from maximal import Answer, Machine
from numbers_robots import gs_ref
from robots import random_freedoms, robot

# All eight kinds of joints, articulated nacelles, inner loops, over-constraint of every order.
NAMES = [
    "five_bar",
    "three_rrr",
    "four_rrr",
    "gough_stewart",
    "delta",
    "orthoglide",
    "quattro",
    "c5",
    "tilt_3rps",
    "space_3ups",
    "screw_hexapod",
    "rccc",
    "split_hexapod",
    "planar_3rrp",
    "stranger_in_the_hub",
]
# Bodies between two balls: their idle spin is frozen, which is exact for bodies of revolution that
# nothing turns about their axis.  The body of each that bears a load.
IDLE = {"delta_with_balls": "bar1a", "gs_ref_spherical": "rod2"}
COUNT = 2


class Case(NamedTuple):
    """A robot with everything on it, in a few states, and what the two programs say."""

    robot: gough.Robot
    state: gough.State
    loads: gough.Loads
    posture: gough.Posture
    tau: np.ndarray
    parent: gough.Reactions
    child: gough.Reactions
    machines: list[Machine]
    answers: list[Answer]

    @property
    def units(self) -> np.ndarray:
        """Moments divided by the length of the machine."""
        return np.array([1.0] * 3 + [self.robot.length] * 3)


def with_axes(r: gough.Robot, *, balls: bool = True) -> gough.Robot:
    """Friction and rotors on every axis, springs on every other turn and slide."""
    joints, count = [], 0
    for j in r.joints:
        axes = []
        for what, axis in zip(gough.robot.KINDS[j.kind].axes.values(), j.axes, strict=True):
            count += 1
            if what in ("ball", "plane"):
                friction = {"viscous": 0.05, "coulomb": 0.02} if balls else {}
                axes.append(dataclasses.replace(axis, **friction))
                continue
            spring = gough.Spring(4.0 + count, rest=0.1 * count) if count % 2 else None
            figures = {"viscous": 0.07, "coulomb": 0.03, "rotor_inertia": 0.002 + 0.001 * count}
            axes.append(dataclasses.replace(axis, **figures, spring=spring))
        joints.append(dataclasses.replace(j, axes=tuple(axes)))
    return dataclasses.replace(r, joints=tuple(joints))


def of_revolution(r: gough.Robot) -> gough.Robot:
    """The robot with every bar between two balls a body of revolution."""
    bodies = []
    for b in r.bodies:
        ends = [
            np.array(frame.position)
            for j in r.joints
            for name, frame in ((j.parent, j.parent_frame), (j.child, j.child_frame))
            if name == b.name and j.kind == "spherical"
        ]
        if len(ends) == 2:
            x = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
            inertia = b.mass * (0.01 * np.eye(3) - 0.009 * np.outer(x, x))
            center = (0.6 * ends[0] + 0.4 * ends[1]).tolist()
            b = dataclasses.replace(b, center=center, inertia=inertia.tolist())
        bodies.append(b)
    return dataclasses.replace(r, bodies=tuple(bodies))


def loads_of(r: gough.Robot, rng: np.random.Generator, idle: str | None) -> gough.Loads:
    """Wrenches on the platform and on a body of a leg, and a payload that changes.

    The body of the leg is pushed twice, off its centre, unless it may spin idly.
    """
    point, f, n = (0.1 * rng.normal(size=3), 5.0 * rng.normal(size=(COUNT, 3)), rng.normal(size=3))
    leg = next(b.name for b in r.bodies if b.name != r.platform)
    forces = [gough.Force(r.platform, f, n, point)]
    if idle is None:
        at, again = 0.05 * rng.normal(size=(COUNT, 3)), 3.0 * rng.normal(size=3)
        forces.append(gough.Force(leg, again, point=at))
        forces.append(gough.Force(leg, f[0], rng.normal(size=(COUNT, 3)), -point))
    else:
        forces.append(gough.Force(idle, f, point=r.body(idle).center))
    L = 0.1 * rng.normal(size=(3, 3))
    inertia = np.trace(L @ L.T) * np.eye(3) - L @ L.T
    payload = gough.Payload(rng.uniform(0.5, 1.5, COUNT), 0.05 * rng.normal(size=3), inertia)
    return gough.Loads(forces, payload)


def machines_of(r: gough.Robot, p: gough.Posture) -> list[Machine]:
    """The robot in maximal coordinates, sample by sample."""
    return [
        Machine(
            r,
            {n: T[k] for n, T in p.bodies.items()},
            {n: V[k] for n, V in p.twists.items()},
            r.length,
        )
        for k in range(COUNT)
    ]


@cache
def loaded(name: str) -> gough.Robot:
    """A robot by name with something on every axis; idle ones of revolution, their balls free."""
    if name == "gs_ref_spherical":
        return with_axes(gs_ref("spherical"), balls=False)
    if name in IDLE:
        return with_axes(of_revolution(robot(name)), balls=False)
    return with_axes(robot(name))


@cache
def case(name: str) -> Case:
    """A robot of ``NAMES`` or ``IDLE``."""
    r = loaded(name)
    if name == "gs_ref_spherical":
        x, xd, xdd = np.random.default_rng(3).normal(size=(3, COUNT, 6))
        state = gough.state(r, 0.1 * x + [0, 0, 2.0, 0, 0, 0], xd, xdd)
    else:
        state = gough.state(r, *random_freedoms(name, COUNT, 0.1, seed=6))
    loads = loads_of(r, np.random.default_rng(5), IDLE.get(name))
    p = gough.posture(r, state)
    tau = gough.inverse_dynamics(r, state, loads=loads)
    parent = gough.reactions(r, state, loads=loads)
    child = gough.reactions(r, state, loads=loads, frame="child")
    machines = machines_of(r, p)
    near = [{n: q[k] for n, q in p.joints.items()} for k in range(COUNT)]
    answers = [m.solve(tau[k], loads.at(k), near[k]) for k, m in enumerate(machines)]
    return Case(r, state, loads, p, tau, parent, child, machines, answers)


def placed(c: Case, k: int, frame: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rotation and origin, in the base, of every joint's frame on its parent or child."""
    found = []
    for j in c.robot.joints:
        body, on = (j.parent, j.parent_frame) if frame == "parent" else (j.child, j.child_frame)
        T = (np.eye(4) if body == c.robot.base else c.posture.bodies[body][k]) @ on.matrix
        found.append((T[:3, :3], T[:3, 3]))
    return found


def taken(c: Case, k: int) -> dict[str, np.ndarray]:
    """Wrench about the base's origin that joints must exert on each body: inertia less loads."""
    loads, p, need = c.loads.at(k), c.posture, {}
    lumps = [(b.name, b.mass, b.center, b.inertia) for b in c.robot.bodies]
    carried = loads.payload
    lumps.append((c.robot.platform, carried.mass, carried.center, carried.inertia))
    for name, mass, center, inertia in lumps:
        T, w, a = p.bodies[name][k], p.twists[name][k][3:], p.twist_rates[name][k]
        R, wd = T[:3, :3], a[3:]
        r = R @ np.array(center)
        a_c = a[:3] + np.cross(wd, r) + np.cross(w, np.cross(w, r))
        I_c = R @ np.array(inertia) @ R.T
        f = mass * (a_c - np.array(c.robot.gravity))
        n = I_c @ wd + np.cross(w, I_c @ w) + np.cross(T[:3, 3] + r, f)
        need[name] = need.get(name, 0.0) + np.concatenate([f, n])
    for push in loads.forces:
        T = p.bodies[push.body][k]
        moment = np.cross(T[:3, 3] + T[:3, :3] @ push.point, push.f) + push.n
        need[push.body] = need[push.body] - np.concatenate([push.f, moment])
    return need
