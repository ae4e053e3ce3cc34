"""Pinocchio and MuJoCo say the same under loads: wrenches, payload, springs, friction and rotors.

Wrenches and payload are told to the engines in their own terms.  Springs are MuJoCo's own on the
joints of its tree; in Pinocchio, and on cut joints, they are generalised forces (:mod:`engines`).
"""

import dataclasses
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import gough
from engine_loops import Closed
from engines import ENGINES, Load, Wrench, need_engine
from gough.dynamics.methods import METHODS
from machines import sps_hexapod
from robots import random_freedoms, relative, robot

# Found: 4e-13.  Engines and gough round along different trees, and loops are conditioned up to
# 1e2; four digits are left for other processors and libraries.
EFFORTS = 1e-9
# Found: 1e-12.  As above, and an inertia matrix is inverted: a digit more.
ACCELERATIONS = 1e-8
# The same formulas on the same numbers, in another order at most.
ROUNDING = 1e-12

FREEDOMS = ("x", "y", "z", "rx", "ry", "rz")
SMOOTHING = 0.3  # of the order of the joint rates, so that it shows

DRAWN = ["spu_hexapod", "screw_hexapod", "drawn_delta", "rccc", "planar_3rrp", "split_hexapod"]
DRAWN += ["grounded_parallelogram", "stranger_in_the_hub", "screw_pendulum"]
ZOO = ["agile_eye", "delta_4", "h4", "c5"]
# spins of struts that nothing drives are free in the engines and frozen in gough
SPINNING = ["sps_hexapod"]


class Case(NamedTuple):
    """A robot under loads in one state of motion."""

    robot: gough.Robot
    T: np.ndarray
    V: np.ndarray
    Vdot: np.ndarray
    payload: Load
    wrenches: tuple[Wrench, ...]

    @property
    def loads(self):
        """The loads as gough takes them."""
        forces = [gough.Force(body, f, n, point) for body, point, f, n in self.wrenches]
        return gough.Loads(forces, gough.Payload(*self.payload), smoothing=SMOOTHING)

    def closed(self, kind, seed=None):
        """The same in an engine, with the accelerations of its tree."""
        need_engine(ENGINES[kind].module)
        p = gough.posture(self.robot, gough.State(self.T, self.V, self.Vdot))
        engine = ENGINES[kind](self.robot, seed, self.payload)
        closed = Closed(engine, p.bodies, p.twists, self.wrenches, SMOOTHING)
        return closed, closed.accelerations(p.twist_rates)

    @property
    def some_efforts(self):
        """Efforts other than those of the motion."""
        return 20.0 * np.random.default_rng(3).normal(size=len(self.robot.motors))


def _freedoms(r):
    return [FREEDOMS.index(name) for name in r.freedoms]


def _in_freedoms(closed, f):
    """Generalised forces on the tree, as seen by the robot's own freedoms."""
    rates = (closed.engine.jacobian("/platform") @ closed.free)[_freedoms(closed.robot)]
    return np.linalg.solve(rates.T, closed.free.T @ f)


def _dressed(r, rng):
    """With friction, a rotor and a spring on every axis that can have them; gravity askew."""
    joints = []
    for j in r.joints:
        axes = []
        for what, axis in zip(gough.robot.KINDS[j.kind].axes.values(), j.axes, strict=True):
            more = {"viscous": rng.uniform(0.1, 0.3), "coulomb": rng.uniform(0.1, 0.3)}
            if what in ("turn", "slide"):
                more["rotor_inertia"] = rng.uniform(0.01, 0.05)
                more["spring"] = gough.Spring(rng.uniform(5.0, 20.0), rng.normal())
            axes.append(dataclasses.replace(axis, **more))
        joints.append(dataclasses.replace(j, axes=tuple(axes)))
    return dataclasses.replace(r, joints=tuple(joints), gravity=(1.0, -2.0, -9.0))


def _turned_on_a_lathe(r):
    """With struts that are bodies of revolution: then no spin reaches the platform."""
    bodies = {b.name: b for b in r.bodies}
    for j in r.joints:
        if j.kind == "prismatic":
            for name, frame in ((j.parent, j.parent_frame), (j.child, j.child_frame)):
                x = np.array(frame.rotation)[:, 2]
                bodies[name] = dataclasses.replace(
                    bodies[name],
                    center=(np.array(frame.position) + 0.3 * x).tolist(),
                    inertia=(0.02 * np.eye(3) - 0.017 * np.outer(x, x)).tolist(),
                )
    return dataclasses.replace(r, bodies=tuple(bodies.values()))


def _payload(rng):
    L = 0.1 * rng.normal(size=(3, 3))
    return Load(
        rng.uniform(2.0, 5.0), 0.1 * rng.normal(size=3), np.trace(L @ L.T) * np.eye(3) - L @ L.T
    )


def _wrench(body, rng):
    """A wrench at a point off the body's frame, force and moment of the order of its weight."""
    return Wrench(body, 0.1 * rng.normal(size=3), 10.0 * rng.normal(size=3), rng.normal(size=3))


@cache
def _case(name):
    rng = np.random.default_rng(list(name.encode()))
    r = _turned_on_a_lathe(sps_hexapod()) if name in SPINNING else robot(name)
    r = _dressed(r, rng)
    motion = gough.state(r, *(x[0] for x in random_freedoms(name, 1, 0.05, seed=29)))
    bodies = [b.name for b in r.bodies] + [r.platform]  # two on the platform
    return Case(r, *motion.arrays, _payload(rng), tuple(_wrench(body, rng) for body in bodies))


@cache
def _efforts_by_gough(name):
    c = _case(name)
    return {
        m: gough.inverse_dynamics(c.robot, gough.State(c.T, c.V, c.Vdot), method=m, loads=c.loads)
        for m in METHODS
    }


@cache
def _accelerations_by_gough(name):
    c = _case(name)
    return {
        m: gough.forward_dynamics(
            c.robot, gough.State(c.T, c.V), c.some_efforts, method=m, loads=c.loads
        ).Vdot_0p
        for m in METHODS
    }


# MuJoCo along the tree next to the base, where most springs are its own; Pinocchio along any
# tree, where motors and springs are on cut joints, too.
TREES = {"mujoco": None, "pinocchio": 2}


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", DRAWN + ZOO)
def test_all_loads_together(name, kind):
    """Efforts and accelerations of all methods under every kind of load at once."""
    case = _case(name)
    closed, a = case.closed(kind, TREES[kind])
    if kind == "mujoco":
        assert closed.engine.springs
    tau, left = closed.inverse_dynamics(a)
    assert left < EFFORTS, "loop forces leave something over"
    for method, found in _efforts_by_gough(name).items():
        assert relative(found, tau) < EFFORTS, method
    Vdot = closed.twist_rate("/platform", closed.forward_dynamics(case.some_efforts))
    for method, found in _accelerations_by_gough(name).items():
        assert relative(found, Vdot) < ACCELERATIONS, method


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", SPINNING)
def test_loads_on_bodies_that_spin_idly(name, kind):
    """Moments about the axis of a strut turn it faster; the platform does not feel them."""
    case = _case(name)
    closed, _ = case.closed(kind)

    def moved(tau):
        return closed.twist_rate("/platform", closed.forward_dynamics(tau))

    for method, found in _accelerations_by_gough(name).items():
        assert relative(found, moved(case.some_efforts)) < ACCELERATIONS, method
    units, start = np.eye(len(case.robot.motors)), moved(np.zeros(len(case.robot.motors)))
    per_effort = np.stack([moved(unit) - start for unit in units], axis=-1)
    tau = np.linalg.solve(per_effort, case.Vdot - start)
    for method, found in _efforts_by_gough(name).items():
        assert relative(found, tau) < EFFORTS, method


def test_every_kind_of_load_matters():
    """Without one of them the efforts are others: agreement under all says something of each."""
    c = _case("rccc")
    tau = _efforts_by_gough("rccc")["legs"]
    slack = [
        dataclasses.replace(j, axes=tuple(dataclasses.replace(x, spring=None) for x in j.axes))
        for j in c.robot.joints
    ]
    others = [(dataclasses.replace(c.robot, joints=tuple(slack)), {})]
    others += [(c.robot, less) for less in ({"payload": None}, {"forces": ()})]
    others += [(c.robot, {key: False}) for key in ("friction", "rotors")]
    others += [(c.robot, {"smoothing": 0.0})]
    for r, less in others:
        loads = dataclasses.replace(c.loads, **less)
        found = gough.inverse_dynamics(r, gough.State(c.T, c.V, c.Vdot), loads=loads)
        assert relative(found, tau) > 1e-3, less


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", ["drawn_delta", "rccc", "c5"])
def test_terms_of_the_cartesian_model(name, kind):
    """Inertia matrix and bias wrench under loads say what the motion takes."""
    c = _case(name)
    closed, a = c.closed(kind, TREES[kind])
    M = gough.inertia_matrix(c.robot, c.T, loads=c.loads)
    bias = gough.bias_wrench(c.robot, gough.State(c.T, c.V), loads=c.loads)
    needed = _in_freedoms(closed, closed.tree_efforts(a))
    assert relative(M @ c.Vdot[_freedoms(c.robot)] + bias, needed) < EFFORTS


@pytest.mark.parametrize("name", ["h4", "planar_3rrp"])
def test_payload_is_part_of_the_platform(name):
    """A payload is the same as a platform described with both masses in one."""
    c = _case(name)
    body, load = c.robot.body(c.robot.platform), c.payload
    mass = body.mass + load.mass
    center = (body.mass * np.array(body.center) + load.mass * load.center) / mass
    inertia = np.zeros((3, 3))
    for m, at, about in (body.mass, body.center, body.inertia), load:
        r = np.asarray(at) - center
        inertia += np.asarray(about) + m * (r @ r * np.eye(3) - np.outer(r, r))
    merged = gough.Body(body.name, mass, center.tolist(), ((inertia + inertia.T) / 2.0).tolist())
    bodies = tuple(merged if b.name == body.name else b for b in c.robot.bodies)
    whole = dataclasses.replace(c.robot, bodies=bodies)
    loads = gough.Loads(payload=gough.Payload(*load))
    for m in METHODS:
        tau = gough.inverse_dynamics(c.robot, gough.State(c.T, c.V, c.Vdot), method=m, loads=loads)
        expected = gough.inverse_dynamics(whole, gough.State(c.T, c.V, c.Vdot), method=m)
        assert relative(tau, expected) < ROUNDING, m
        args = gough.State(c.T, c.V), c.some_efforts
        Vdot = gough.forward_dynamics(c.robot, *args, method=m, loads=loads).Vdot_0p
        assert relative(Vdot, gough.forward_dynamics(whole, *args, method=m).Vdot_0p) < ROUNDING, m
    terms = gough.inertia_matrix(c.robot, c.T, loads=loads)
    assert relative(terms, gough.inertia_matrix(whole, c.T)) < ROUNDING
    for with_payload, with_merged in zip(
        gough.energy(c.robot, gough.State(c.T, c.V), loads=loads),
        gough.energy(whole, gough.State(c.T, c.V)),
        strict=True,
    ):
        assert relative(with_payload, with_merged) < ROUNDING


@pytest.mark.parametrize("method", METHODS)
def test_loads_of_every_sample(method):
    """Loads with batch axes are the loads of each sample, also where the state is only one."""
    c, rng = _case("planar_3rrp"), np.random.default_rng(6)
    count = 3
    crank = [_wrench("crank1", rng) for _ in range(count)]
    carried = [
        _payload(rng)._replace(mass=float(k)) for k in range(count)
    ]  # the first without mass
    top = _wrench("platform", rng)
    stacked = tuple(np.stack(x) for x in list(zip(*crank, strict=True))[1:])
    point, f, n = stacked
    on_top = gough.Force("platform", top.f, point=top.point)
    payload = gough.Payload(*(np.stack(x) for x in zip(*carried, strict=True)))
    loads = gough.Loads([gough.Force("crank1", f, n, point), on_top], payload, smoothing=SMOOTHING)
    state = gough.State(c.T, c.V, c.Vdot)
    drive = state, c.some_efforts
    tau = gough.inverse_dynamics(c.robot, state, method=method, loads=loads)
    Vdot = gough.forward_dynamics(c.robot, *drive, method=method, loads=loads).Vdot_0p
    assert tau.shape == (count, 3)
    assert Vdot.shape == (count, 6)
    for k in range(count):
        forces = [gough.Force("crank1", crank[k].f, crank[k].n, crank[k].point), on_top]
        one = gough.Loads(forces, gough.Payload(*carried[k]), smoothing=SMOOTHING)
        single = {"method": method, "loads": one}
        assert relative(tau[k], gough.inverse_dynamics(c.robot, state, **single)) < ROUNDING
        alone = gough.forward_dynamics(c.robot, *drive, **single)
        assert relative(Vdot[k], alone.Vdot_0p) < ROUNDING
    assert relative(tau[1], tau[0]) > 1e-3, "they matter"


@cache
def _with_more_motors(name):
    """A case with more motors than freedoms, the additional ones on joints that were passive."""
    c = _case(name)
    more = {"five_bar": ["wrist2"], "planar_3rrp": ["p2", "k3"]}.get(name, [])
    r = dataclasses.replace(c.robot, motors=(*c.robot.motors, *more), redundant=True)
    return c._replace(robot=r)


@cache
def _shared_by_gough(name):
    """Equal and weighted shares by every method, and the accelerations that they bring about."""
    c = _with_more_motors(name)
    weights = np.linspace(1.0, 3.0, len(c.robot.motors))
    found = []
    for method in METHODS:
        for w, share in ((1.0, None), (weights, gough.EffortSharing(weights=weights))):
            args = {"method": method, "loads": c.loads}
            tau = gough.inverse_dynamics(
                c.robot, gough.State(c.T, c.V, c.Vdot), share=share, **args
            )
            found.append(
                (
                    method,
                    w,
                    tau,
                    gough.forward_dynamics(c.robot, gough.State(c.T, c.V), tau, **args).Vdot_0p,
                )
            )
    return found


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", ["five_bar", "planar_3rrp", "four_rrr"])
def test_redundant_motors(name, kind):
    """Efforts of redundant motors do what the motion needs, and are the smallest that do."""
    c = _with_more_motors(name)
    assert len(c.robot.motors) > c.robot.mobility
    closed, a = c.closed(kind, TREES[kind])
    needed = _in_freedoms(closed, closed.tree_efforts(a))
    J_inv = gough.inverse_jacobian(c.robot, c.T)
    for method, weights, tau, Vdot in _shared_by_gough(name):
        assert relative(J_inv.T @ tau, needed) < EFFORTS, method
        assert relative(_in_freedoms(closed, closed.S.T @ tau), needed) < EFFORTS, method
        assert relative(tau, closed.inverse_dynamics(a, weights)[0]) < EFFORTS, method
        moved = closed.twist_rate("/platform", closed.forward_dynamics(tau))
        assert relative(moved, c.Vdot) < ACCELERATIONS, method
        assert relative(Vdot, c.Vdot) < ACCELERATIONS, method
