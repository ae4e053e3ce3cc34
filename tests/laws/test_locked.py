"""A joint that is locked is held: as a fixed joint there, and as a motor that keeps still."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import gough
from gough.dynamics.methods import METHODS
from loaded import COUNT, loads_of, machines_of, with_axes
from robots import relative, robot

# Two programs, or two descriptions, of one well conditioned machine: rounding.
SAME = 1e-9

# Joints that the platform feels, and the motors that are left.
LOCKED = {
    "delta_4": (("spin",), ("arm1", "arm2", "arm3")),
    "planar_3rrp": (("p1",), ("r1", "r3")),
    "arm": (("cross", "bush"), ("foot", "screw")),
    "screwed_arm": (
        ("screw",),
        ("foot", "cross.first", "cross.second", "bush.angle", "bush.slide"),
    ),
}


class Case(NamedTuple):
    """A machine with everything on its axes; the same with joints held, in a few states."""

    free: gough.Robot
    held: gough.Robot
    state: gough.State
    loads: gough.Loads
    posture: gough.Posture
    tau: np.ndarray


def arm() -> gough.Robot:
    """An open chain of joints with one and with two coordinates; it stands anyhow."""
    kinds = {"foot": "revolute", "cross": "universal", "bush": "cylindrical", "screw": "helical"}
    values = {"foot": 0.3, "cross.first": 0.4, "cross.second": -0.7}
    values |= {"bush.angle": 0.5, "bush.slide": 0.12, "screw": -0.9}
    joints, bodies, parent = [], [], "base"
    for i, (name, kind) in enumerate(kinds.items()):
        inertia = [[0.02, 0.001, 0.0], [0.001, 0.03, -0.002], [0.0, -0.002, 0.025]]
        bodies.append(gough.Body(f"b{i}", 1.0 + i, (0.05, 0.02 * i, -0.03), inertia))
        frames = (
            gough.Frame.from_axes((0.2, 0.05 * i, 0.1), z=(0.3 * i, 0.2, 1.0 - 0.4 * i)),
            gough.Frame.from_axes((0.02, 0.0, 0.01 * i), z=(0.1, 0.5, 1.0)),
        )
        pitch = 0.02 if kind == "helical" else 0.0
        joints.append(gough.Joint(name, kind, parent, f"b{i}", *frames, pitch=pitch))
        parent = f"b{i}"
    motors = tuple(values)
    home = gough.Home(joints=values)
    return gough.Robot("arm", tuple(bodies), tuple(joints), parent, motors=motors, home=home)


@cache
def case(name: str) -> Case:
    locked, motors = LOCKED[name]
    free = with_axes(arm() if name.endswith("arm") else robot(name))
    held = replace(free, motors=motors).with_locked(*locked)
    a, rng = held.assembly, np.random.default_rng(7)
    x = a.chart.coordinates(a.T_home)[list(a.free)]
    x = x + 0.03 * a.scales.freedoms * rng.uniform(-1.0, 1.0, (COUNT, a.mobility))
    state = gough.state(held, x, *(rng.normal(size=(2, COUNT, a.mobility)) * a.scales.freedoms))
    # smooth: dry friction of a joint that happens to stand still would have the sign of rounding
    loads = replace(loads_of(held, rng, None), smoothing=0.01)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(held, state, loads=loads)
    return Case(free, held, state, loads, gough.posture(held, state), tau)


@pytest.fixture(scope="module", params=LOCKED)
def c(request):
    """All laws of one machine in a row."""
    return case(request.param)


def described(c: Case) -> gough.Robot:
    """The same machine written by hand: fixed joints where the joints stand at home."""
    home = gough.posture(c.free, c.free.home_pose)
    bodies = {**home.bodies, c.free.base: np.eye(4)}

    def fixed(joint: gough.Joint) -> gough.Joint:
        A = bodies[joint.parent] @ joint.parent_frame.matrix
        B = gough.Frame.from_matrix(np.linalg.inv(bodies[joint.child]) @ A)
        return gough.Joint(joint.name, "fixed", joint.parent, joint.child, joint.parent_frame, B)

    poses = {name: gough.Frame.from_matrix(T) for name, T in home.bodies.items()}
    values = {n: float(q) for n, q in home.joints.items() if np.ndim(q) == 0}
    kept = {n: q for n, q in values.items() if n.partition(".")[0] not in c.held.locked}
    return replace(
        c.free,
        joints=tuple(fixed(j) if j.name in c.held.locked else j for j in c.free.joints),
        motors=c.held.motors,
        home=gough.Home(poses, kept),
    )


def test_the_machine_loses_the_freedoms_of_the_joint(c):
    count = sum(c.free.joint(name).freedoms for name in c.held.locked)
    assert c.held.mobility == c.free.mobility - count
    assert {c.held.joint(name).kind for name in c.held.locked} == {"fixed"}
    # closed to 1e-12 of its size
    np.testing.assert_allclose(c.held.home_pose, c.free.home_pose, rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("method", METHODS)
def test_it_is_the_machine_with_a_fixed_joint(c, method):
    options = {"method": method, "loads": c.loads}
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(c.held, c.state, **options)
        fixed = gough.inverse_dynamics(described(c), c.state, **options)
        found = gough.forward_dynamics(c.held, c.state, tau, **options)
    assert relative(tau, fixed) < SAME
    assert relative(found.Vdot_0p, c.state.Vdot_0p) < SAME


def test_kernels_hold_it(c):
    with gough.options(engine="compiled"):
        kernel = gough.inverse_dynamics(c.held, c.state, loads=c.loads)
    assert relative(kernel, c.tau) < SAME


def test_maximal_coordinates_agree(c):
    """Accelerations and reactions by a program that takes nothing but the description by hand."""
    by_hand = described(c)
    p = c.posture
    found = gough.reactions(c.held, c.state, loads=c.loads, frame="child")
    units = np.array([1.0] * 3 + [c.held.length] * 3)
    for k, machine in enumerate(machines_of(by_hand, p)):
        near = {name: q[k] for name, q in p.joints.items()}
        answer = machine.solve(c.tau[k], c.loads.at(k), near)
        for name, rate in answer.rates.items():
            expected = p.twist_rates[name][k]
            assert np.abs(rate - expected).max() < SAME * max(np.abs(expected).max(), 1.0)
        # where several reactions would do, both programs give that of least norm
        assert relative(found.wrench[k] / units, answer.wrenches / units) < 1e-7


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [name for name in LOCKED if name != "planar_3rrp"])
def test_it_is_a_motor_that_keeps_still(name, method):
    """Of the free machine in the same motion: the same efforts, and motors that do the holding.

    The free 3-RRP has no motor on the joint that is locked here.
    """
    c = case(name)
    assert set(c.held.motors) | set(held_motors(c)) == set(c.free.motors)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(c.free, c.state, loads=c.loads, method=method)
    efforts = dict(zip(c.free.motors, tau.T, strict=True))
    assert relative(c.tau, np.stack([efforts[name] for name in c.held.motors], -1)) < SAME
    found = gough.reactions(c.held, c.state, loads=c.loads)
    at = gough.posture(c.free, c.state).joints
    scale = np.abs(tau).max()
    for motor in held_motors(c):
        joint, axis = c.free.joint(motor.partition(".")[0]), c.free.axis(motor)
        if joint.kind not in ("revolute", "prismatic"):
            continue
        # the brake takes what motor and spring gave; friction and rotor are still
        spring = axis.spring
        pulled = 0.0 if spring is None else -spring.stiffness * (at[motor] - spring.rest)
        wrench = found.wrench[:, found.joints.index(joint.name)]
        along = wrench[:, 5 if joint.kind == "revolute" else 2]
        assert np.abs(along - efforts[motor] - pulled).max() < SAME * scale


def held_motors(c: Case) -> list[str]:
    """Motors of the free machine that are held."""
    return [name for name in c.free.motors if name.partition(".")[0] in c.held.locked]
