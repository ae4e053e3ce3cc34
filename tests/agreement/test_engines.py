"""Pinocchio and MuJoCo say the same: efforts and accelerations of machines of our own making.

The machines are drawn in :mod:`machines`; the engines get their descriptions and close the loops
by themselves (:mod:`engines`), through trees that gough has no part in.
"""

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from engine_loops import Closed
from engines import ENGINES, need_engine
from gough.dynamics.methods import METHODS
from machines import sps_hexapod, ucs_hexapod
from robots import REFERENCE_NAMES, ZOO_NAMES, random_freedoms, relative, robot

STATES = 2
# Found: 5e-14.  Engines and gough round along different trees, and loops are conditioned up to
# 1e2; four digits are left for other processors and libraries.
EFFORTS = 1e-9
# Found: 4e-14.  As above, and an inertia matrix is inverted: a digit more.
ACCELERATIONS = 1e-8
# Found: 2e-15 [m], 4e-13 [m/s], 7e-12 [m/s^2]: screws of 40 mm/rad turn 25 times as fast as they
# advance; the rest as above.
CLOSURE = 1e-9

SPATIAL = ["spu_hexapod", "offset_hexapod", "six_rrrs", "screw_hexapod", "drawn_delta", "rccc"]
HUBS = ["split_hexapod", "stranger_in_the_hub"]
PLANAR = ["planar_3rrp", "grounded_parallelogram"]
OPEN = ["pendulum", "screw_pendulum"]
SPINNING = ["sps_hexapod", "ucs_hexapod"]
# zoo robots that no reference case covers
OWN = [name for name in ZOO_NAMES if name not in REFERENCE_NAMES]
NAMES = SPATIAL + HUBS + PLANAR + OPEN + SPINNING + OWN


def _loaded(r):
    """With friction and rotors on every axis, those of motors, of passive and of cut joints."""
    joints = []
    for number, j in enumerate(r.joints, start=1):
        axes = []
        for what, axis in zip(gough.robot.KINDS[j.kind].axes.values(), j.axes, strict=True):
            rotor = 0.0 if what in ("ball", "plane") else 0.003 * number
            axes.append(dataclasses.replace(axis, viscous=0.1, coulomb=0.2, rotor_inertia=rotor))
        joints.append(dataclasses.replace(j, axes=tuple(axes)))
    return dataclasses.replace(r, joints=tuple(joints))


def _turned_on_a_lathe(r):
    """With cylinders and rods that are bodies of revolution: there a frozen idle spin is exact."""
    bodies = {b.name: b for b in r.bodies}
    for j in r.joints:
        if j.kind in ("prismatic", "cylindrical"):
            for name, frame in ((j.parent, j.parent_frame), (j.child, j.child_frame)):
                x = np.array(frame.rotation)[:, 2]
                inertia = 0.02 * np.eye(3) - 0.017 * np.outer(x, x)
                center = np.array(frame.position) + 0.3 * x
                bodies[name] = dataclasses.replace(
                    bodies[name], center=center.tolist(), inertia=inertia.tolist()
                )
    return dataclasses.replace(r, bodies=tuple(bodies.values()))


@cache
def _robot(name, load=False):
    """A machine, gravity askew."""
    if name in SPINNING:
        r = _turned_on_a_lathe({"sps_hexapod": sps_hexapod, "ucs_hexapod": ucs_hexapod}[name]())
    else:
        r = robot(name)
    if name == "contact_tripod":
        r = dataclasses.replace(r, motors=("hip1", "hip2", "hip3"))
    r = dataclasses.replace(r, gravity=(1.0, -2.0, -9.0))
    return _loaded(r) if load else r


@cache
def _motion(name):
    """States of motion, and every body there."""
    state = gough.state(_robot(name), *random_freedoms(name, STATES, 0.05, seed=23))
    T, V, Vdot = state.arrays
    return T, V, Vdot, gough.posture(_robot(name), state)


@cache
def _closed(name, kind, load=False, seed=None):
    """The machine in an engine at every state, with the joint accelerations."""
    need_engine(ENGINES[kind].module)
    p = _motion(name)[3]
    found = []
    for i in range(STATES):
        poses, twists, rates = (
            {body: x[i] for body, x in group.items()}
            for group in (p.bodies, p.twists, p.twist_rates)
        )
        closed = Closed(ENGINES[kind](_robot(name, load), seed), poses, twists)
        found.append((closed, closed.accelerations(rates)))
    return found


@cache
def _efforts_by_gough(name, load=False):
    """Motor efforts by every method."""
    T, V, Vdot, _ = _motion(name)
    return {
        m: gough.inverse_dynamics(_robot(name, load), gough.State(T, V, Vdot), method=m)
        for m in METHODS
    }


@cache
def _accelerations_by_gough(name, load=False):
    """Platform twist rates by every method, under efforts other than the inverse ones."""
    T, V, _, _ = _motion(name)
    r, tau = _robot(name, load), _some_efforts(name)
    return {m: gough.forward_dynamics(r, gough.State(T, V), tau, method=m).Vdot_0p for m in METHODS}


def _some_efforts(name):
    return 20.0 * np.random.default_rng(3).normal(size=(STATES, len(_robot(name).motors)))


def _check_efforts(by_gough, states):
    found = [closed.inverse_dynamics(a) for closed, a in states]
    assert max(left for _, left in found) < EFFORTS, "loop forces leave something over"
    for method, tau in by_gough.items():
        assert relative(tau, np.array([tau for tau, _ in found])) < EFFORTS, method


def _check_accelerations(by_gough, states, efforts):
    found = [
        closed.twist_rate("/platform", closed.forward_dynamics(tau))
        for (closed, _), tau in zip(states, efforts, strict=True)
    ]
    for method, Vdot in by_gough.items():
        assert relative(Vdot, np.array(found)) < ACCELERATIONS, method


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", [*NAMES, "contact_tripod"])
def test_motion_of_every_body(name, kind):
    """What gough says of the bodies is a motion of the tree that keeps the loops closed."""
    T, V, Vdot, p = _motion(name)
    frames = {"/platform": (T, V, Vdot)}
    frames |= {body: (p.bodies[body], p.twists[body], p.twist_rates[body]) for body in p.bodies}
    for i, (closed, a) in enumerate(_closed(name, kind)):
        for frame, (pose, twist, rate) in frames.items():
            assert np.abs(closed.engine.pose(frame) - pose[i]).max() < CLOSURE
            assert np.abs(closed.twist(frame) - twist[i]).max() < CLOSURE
            assert np.abs(closed.twist_rate(frame, a) - rate[i]).max() < CLOSURE
        assert np.abs(closed.gaps).max(initial=0.0) < CLOSURE
        assert np.abs(closed.J_c @ closed.v).max(initial=0.0) < CLOSURE
        assert np.abs(closed.J_c @ a + closed.drift_c).max(initial=0.0) < CLOSURE


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", [*NAMES, "contact_tripod"])
def test_mobility_and_over_constraint(name, kind):
    r = _robot(name)
    for closed, _ in _closed(name, kind):
        rows, free = len(closed.J_c), closed.free.shape[1]
        assert free == r.mobility + len(r.assembly.idle)
        assert rows - (closed.engine.nv - free) == r.assembly.over_constraint


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_inverse_dynamics(name, kind):
    _check_efforts(_efforts_by_gough(name), _closed(name, kind))


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", [*NAMES, "contact_tripod"])
def test_forward_dynamics(name, kind):
    states = _closed(name, kind)
    _check_accelerations(_accelerations_by_gough(name), states, _some_efforts(name))


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("name", ["spu_hexapod", "screw_hexapod", "drawn_delta", "rccc", *PLANAR])
def test_friction_and_rotors(name, kind):
    """Of every axis, and along another tree: motors, too, are cut joints there."""
    states = _closed(name, kind, load=True, seed=2)
    by_gough = _efforts_by_gough(name, load=True)
    assert relative(_efforts_by_gough(name)["legs"], by_gough["legs"]) > 1e-3, "they matter"
    _check_efforts(by_gough, states)
    _check_accelerations(_accelerations_by_gough(name, load=True), states, _some_efforts(name))
