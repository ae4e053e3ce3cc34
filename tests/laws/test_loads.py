"""What loads do, told by virtual work, by energy and by their own wrench."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.dynamics.methods import METHODS
from robots import UNFROZEN_NAMES, random_freedoms, relative, robot

SMALL = ["five_bar", "four_rrr", "gough_stewart", "quattro", "tilt_3rps"]


def motion(name, count=1, seed=0):
    return gough.state(robot(name), *random_freedoms(name, count, 0.05, seed))


def sprung(name):
    """The robot with springs on all turns and slides."""
    r = robot(name)
    joints, count = [], 0
    for j in r.joints:
        axes = []
        for what, axis in zip(gough.robot.KINDS[j.kind].axes.values(), j.axes, strict=True):
            count += 1
            spring = gough.Spring(2.0 + 3.0 * count, rest=0.07 * count)
            plain = what in ("ball", "plane")
            axes.append(axis if plain else dataclasses.replace(axis, spring=spring))
        joints.append(dataclasses.replace(j, axes=tuple(axes)))
    return dataclasses.replace(r, joints=tuple(joints))


def slopes(r, x, function, h=1e-5):
    """Central differences of a function of the poses along each freedom, and V_r of each step."""
    a = r.assembly
    found = []
    for k in range(a.mobility):
        step = np.eye(a.mobility)[k] * h
        T, V, _ = gough.state(r, np.stack([x - step, x, x + step]), step / h).arrays
        low, high = function(T[[0, 2]])
        found.append(((high - low) / (2 * h), V[1]))
    return found


@pytest.mark.parametrize("name", UNFROZEN_NAMES)
def test_a_load_does_virtual_work(name):
    """J_inv^T tau falls by f . dp + n . dtheta, of a point of any body, by differences of poses."""
    r = robot(name)
    rng = np.random.default_rng(4)
    body = r.bodies[len(r.bodies) // 2].name
    point, f, n = 0.1 * rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)
    x = random_freedoms(name, 1, 0.05)[0][0]
    T0 = gough.state(r, x).T_0p
    free = list(r.assembly.free)
    rest = np.zeros(6)
    loaded = gough.bias_wrench(
        r, gough.State(T0, rest), loads=gough.Loads([gough.Force(body, f, n, point)])
    )
    taken = gough.bias_wrench(r, gough.State(T0, rest)) - loaded
    R0 = gough.posture(r, T0).bodies[body][:3, :3]

    def work(T):
        at = gough.posture(r, T).bodies[body]
        R, p = at[:, :3, :3], at[:, :3, 3] + at[:, :3, :3] @ point
        turn = R @ R0.T
        theta = 0.5 * np.stack(
            [turn[:, i, j] - turn[:, j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=1
        )
        return p @ f + theta @ n

    for slope, V in slopes(r, x, work):
        scale = max(1.0, np.abs(V).max()) * max(1.0, np.abs(taken).max())
        assert abs(slope - taken @ V[free]) < 1e-8 * scale


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SMALL)
def test_a_payload_is_its_own_wrench_on_the_platform(name, method):
    """Gravity and inertia of the payload, written out as an external load, and per sample."""
    r = robot(name)
    state = motion(name, 2)
    mass, center = np.array([0.4, 2.5]), np.array([[0.03, -0.02, 0.06], [0.0, 0.1, 0.0]])
    inertia = np.array([np.diag([0.01, 0.02, 0.015]), 0.03 * np.eye(3)])
    payload = gough.Loads(payload=gough.Payload(mass, center, inertia))
    carried = gough.inverse_dynamics(r, state, method=method, loads=payload)
    p = gough.posture(r, state)
    at, w = p.bodies[r.platform], p.twists[r.platform][:, 3:]
    a, wd = p.twist_rates[r.platform][:, :3], p.twist_rates[r.platform][:, 3:]
    R = at[:, :3, :3]
    arm = (R @ center[..., None])[..., 0]
    I = R @ inertia @ R.transpose(0, 2, 1)  # noqa: E741
    a_c = a + np.cross(wd, arm) + np.cross(w, np.cross(w, arm))
    f = mass[:, None] * (np.array(r.gravity) - a_c)
    turning = (I @ wd[..., None] + np.cross(w, (I @ w[..., None])[..., 0])[..., None])[..., 0]
    load = gough.Loads([gough.Force(r.platform, f, -turning, center)])
    pushed = gough.inverse_dynamics(r, state, method=method, loads=load)
    assert relative(carried, pushed) < 1e-12
    assert relative(carried, gough.inverse_dynamics(r, state, method=method)) > 1e-3


@pytest.mark.parametrize("name", UNFROZEN_NAMES)
def test_springs_pull_along_the_gradient_of_their_energy(name):
    r = sprung(name)
    x = random_freedoms(name, 1, 0.05)[0][0]
    T0 = gough.state(r, x).T_0p
    rest = np.zeros(6)
    w = gough.bias_wrench(r, gough.State(T0, rest)) - gough.gravity_wrench(r, T0)
    gravity = gough.gravity_wrench(robot(name), T0)
    assert relative(gough.gravity_wrench(r, T0), gravity) < 1e-13
    pulled = slopes(
        r,
        x,
        lambda T: (
            gough.energy(r, gough.State(T, rest)).potential
            - gough.energy(robot(name), gough.State(T, rest)).potential
        ),
    )
    for slope, V in pulled:
        scale = max(1.0, np.abs(V).max()) * max(1.0, np.abs(w).max())
        assert abs(slope - w @ V[list(r.assembly.free)]) < 1e-7 * scale


@pytest.mark.parametrize("name", SMALL)
def test_work_of_motors_and_loads_changes_the_energy(name):
    """Tau . qd + load . V = d/dt (kinetic + potential), payload and springs included."""
    r = sprung(name)
    h = 1e-4
    t = np.array([-h, 0.0, h])[:, None]
    x, xd, xdd = (a[0] for a in random_freedoms(name, 1, 0.03))
    state = gough.state(r, x + xd * t + xdd * t * t / 2, xd + xdd * t, xdd + 0.0 * t)
    T, V, Vdot = state.arrays
    body = r.bodies[0].name
    point, f, n = np.array([0.1, 0.02, -0.05]), np.array([3.0, -2.0, 1.0]), np.array([0.1, 0.3, 0])
    payload = gough.Payload(1.2, (0.03, 0.0, 0.05), 0.01 * np.eye(3))
    tau = gough.inverse_dynamics(
        r,
        gough.State(T[1], V[1], Vdot[1]),
        loads=gough.Loads(
            forces=[gough.Force(body, f, n, point=point)], payload=payload, friction=False
        ),
    )
    p = gough.posture(r, gough.State(T[1], V[1]))
    v, w = p.twists[body][:3], p.twists[body][3:]
    load = f @ (v + np.cross(w, p.bodies[body][:3, :3] @ point)) + n @ w
    power = tau * gough.motor_rates(r, gough.State(T[1], V[1]))
    total = np.sum(gough.energy(r, state, loads=gough.Loads(payload=payload)), axis=0)
    change = (total[2] - total[0]) / (2 * h)
    # central difference: h^2 times third derivatives
    assert abs(change - power.sum() - load) < 2e-5 * (np.abs(power).sum() + abs(load))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["five_bar", "delta", "c5"])
def test_smoothed_friction(name, method):
    """Coulomb friction fades as rate / sqrt(rate^2 + s^2): whole far above s, slope 1/s at rest."""
    r = robot(name)
    joints = [
        dataclasses.replace(
            j, axes=tuple(dataclasses.replace(a, coulomb=0.3, viscous=0.0) for a in j.axes)
        )
        for j in r.joints
    ]
    r = dataclasses.replace(r, joints=tuple(joints))
    T, V, _ = motion(name)[0].arrays
    rest, still = np.zeros(6), np.zeros(len(r.motors))

    def friction(V, s):
        kept, free = (
            gough.forward_dynamics(
                r,
                gough.State(T, V),
                still,
                method=method,
                loads=gough.Loads(friction=on, smoothing=s),
            ).Vdot_0p
            for on in (True, False)
        )
        return kept - free

    assert relative(friction(V, 1e-6), friction(V, 0.0)) < 1e-6
    assert np.abs(friction(rest, 0.1)).max() < 1e-12
    assert np.abs(friction(rest, 0.0)).max() < 1e-12
    # near rest it is viscous friction of coefficient coulomb / s
    slow = 1e-6 * V
    viscous = [
        dataclasses.replace(
            j, axes=tuple(dataclasses.replace(a, coulomb=0.0, viscous=0.3 / 2.0) for a in j.axes)
        )
        for j in r.joints
    ]
    slippery = dataclasses.replace(r, joints=tuple(viscous))
    expected = gough.forward_dynamics(slippery, gough.State(T, slow), still, method=method).Vdot_0p
    free = gough.forward_dynamics(
        r, gough.State(T, slow), still, method=method, loads=gough.Loads(friction=False)
    ).Vdot_0p
    assert relative(friction(slow, 2.0), expected - free) < 1e-6


def test_rates_that_are_rounding_have_no_friction():
    """A Delta that moves straight up: elbows that should stand still do, by every method."""
    r = robot("delta")
    joints = [
        dataclasses.replace(j, axes=tuple(dataclasses.replace(a, coulomb=0.02) for a in j.axes))
        for j in r.joints
    ]
    r = dataclasses.replace(r, joints=tuple(joints))
    z = np.linspace(-0.5, -0.4, 9)
    state = gough.state(r, np.stack([0 * z, 0 * z, z], axis=1), [0, 0, 0.7], [0, 0, 1.0])
    assert gough.audit(r, state).passed
    assert np.isfinite(gough.reactions(r, state).wrench).all()
    seen = gough.inverse_dynamics_observed(r, gough.observe(r, state))
    assert relative(seen, gough.inverse_dynamics(r, state)) < 1e-11


def test_a_motion_that_does_not_accelerate():
    """At the middle of a time law the acceleration is zero: its rounding is no inconsistency."""
    r = robot("delta")
    state = gough.state(r, [0.0, 0.0, -0.475], [2.38, 0.0, 0.0], [0.0, 0.0, 0.0])
    assert np.isfinite(gough.inverse_dynamics(r, state)).all()


@pytest.mark.parametrize("kind", ["revolute", "spherical", "universal", "planar", "planar_contact"])
def test_what_hangs_on_one_joint_is_held_by_every_method(kind):
    """A bob below the platform: its joint is kept still, in a plane as in a hinge."""
    r = robot("delta")
    bob = gough.Body("bob", 0.5, (0.0, 0.1, -0.3), (0.01 * np.eye(3)).tolist())
    at = gough.Frame((0.01, 0.0, -0.05))
    hook = gough.Joint("hook", kind, r.platform, "bob", at, idle="locked")
    r = dataclasses.replace(r, bodies=(*r.bodies, bob), joints=(*r.joints, hook))
    state = motion("delta")
    expected = gough.inverse_dynamics(r, state)
    for method in METHODS:
        assert relative(gough.inverse_dynamics(r, state, method=method), expected) < 1e-11
    assert gough.reactions(r, state)["hook"].shape == (1, 6)
