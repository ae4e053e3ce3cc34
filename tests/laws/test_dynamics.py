"""Mechanics that holds for every robot and every method."""

import dataclasses
import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gough
from cases import certificate, efforts, loaded, motion, twist_rates
from gough.base import spatial
from gough.dynamics import legs
from gough.dynamics.legs.dynamics import inverse_plain, inverse_split
from gough.dynamics.legs.split import motors_in_legs
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.state_loads import StateLoads
from gough.dynamics.tree.cut import cut
from gough.dynamics.tree.dynamics import motor_efforts
from gough.dynamics.tree.kinematics import CutState
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from machines import IN_LINE, MACHINES, drawn_five_bar
from masks import masked
from numbers_robots import three_rrr_ref, three_rrr_ref_state
from robots import (
    ALL_NAMES,
    SQUARE_NAMES,
    UNFROZEN_NAMES,
    mechanism,
    random_freedoms,
    relative,
    robot,
)

CONTROLLED = SQUARE_NAMES


@pytest.mark.parametrize("name", CONTROLLED)
def test_methods_agree(name):
    tau = efforts(name, "legs")
    rate = twist_rates(name, "legs", tau)
    for method in METHODS:
        assert relative(efforts(name, method), tau) < 1e-10, method
        assert relative(twist_rates(name, method, tau), rate) < 1e-9, method


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CONTROLLED)
def test_direct_after_inverse_is_the_identity(name, method):
    Vdot = motion(name).Vdot_0p
    assert relative(twist_rates(name, method, efforts(name, method)), Vdot) < 1e-9


# a body that spins idly and is not a body of revolution is frozen: energy is not conserved there
@pytest.mark.parametrize("name", [n for n in CONTROLLED if n in UNFROZEN_NAMES])
def test_power_of_the_motors_changes_the_energy(name):
    """Tau . qd = d/dt (kinetic + potential), by differences of the energies along the motion."""
    r = robot(name)
    h = 1e-4
    t = np.array([-h, 0.0, h])[:, None]
    for x, xd, xdd in zip(*random_freedoms(name, 2, 0.03), strict=True):
        state = gough.state(r, x + xd * t + xdd * t * t / 2, xd + xdd * t, xdd + 0.0 * t)
        T, V, Vdot = state.arrays
        tau = gough.inverse_dynamics(
            r, gough.State(T[1], V[1], Vdot[1]), loads=gough.Loads(friction=False)
        )
        power = tau @ gough.motor_rates(r, gough.State(T[1], V[1]))
        total = np.sum(gough.energy(r, state), axis=0)
        scale = np.abs(tau) @ np.abs(gough.motor_rates(r, gough.State(T[1], V[1])))
        # central difference: h^2 times third derivatives
        assert abs((total[2] - total[0]) / (2 * h) - power) < 2e-5 * scale


@pytest.mark.parametrize("name", CONTROLLED)
def test_active_efforts_may_be_taken_from_the_legs(name):
    """[KI] (21)-(22) equals [KI] (20), with friction, rotors and springs on every axis."""
    r = loaded(name)
    a = r.assembly
    state = motion(name)
    T, V, Vdot = state.arrays
    kin = Kinematics(a, regular(a, T[0]), V[0], Vdot[0])
    loads, own = StateLoads(a.gravity), motors_in_legs(a)
    plain = inverse_plain(kin, loads)
    assert relative(inverse_split(kin, loads, own), plain) < 1e-10
    assert relative(gough.inverse_dynamics(r, state)[0], plain) < 1e-10


@pytest.mark.parametrize("name", CONTROLLED)
def test_certificate(name):
    found = certificate(name)
    assert found.passed, str(found)
    assert set(found.efforts) == set(METHODS)
    assert found.power.shape == (1,)
    assert found.condition.min() >= 1.0
    assert "passed" in str(found)


def test_certificate_fails_when_efforts_are_wrong(monkeypatch):
    """A method that drops gravity is caught, by disagreement and by the power balance."""
    from gough.dynamics import methods

    r = robot("delta")
    state = motion("delta")
    right = methods.METHODS["legs"]

    def falling(kin, loads):
        return right.inverse(kin, dataclasses.replace(loads, gravity=np.zeros(3)))

    wrong = dataclasses.replace(right, inverse=falling)
    monkeypatch.setitem(methods.METHODS, "legs", wrong)
    with gough.options(engine="numpy"):
        found = gough.audit(r, state)
    assert not found.passed
    assert found.agreement.max() > 1e-3
    assert found.power.max() > 1e-3
    assert "FAILED" in str(found)


@pytest.mark.parametrize("name", CONTROLLED)
def test_friction_takes_power(name):
    r = loaded(name)
    state = motion(name)
    with_it = gough.inverse_dynamics(r, state)[0]
    without = gough.inverse_dynamics(r, state, loads=gough.Loads(friction=False))[0]
    spent = (with_it - without) @ gough.motor_rates(r, state)[0]
    p = gough.posture(r, gough.State(state.T_0p[0], state.V_0p[0]))
    expected = 0.0
    for rate in p.joint_rates.values():
        speed = float(np.linalg.norm(rate))
        expected += 0.05 * speed**2 + 0.02 * speed
    assert spent == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_inertia_matrix(name):
    """Symmetric, positive definite, the same by columns, and what kinetic energy says."""
    r = loaded(name)
    T, V, _ = motion(name).arrays
    a = r.assembly
    M = gough.inertia_matrix(r, T[0])
    assert relative(M.T, M) < 1e-12
    scaled = M * np.outer(a.scales.freedoms, a.scales.freedoms)
    assert np.linalg.eigvalsh((scaled + scaled.T) / 2.0).min() > 0.0
    assert relative(gough.inertia_matrix(r, T[0], by="columns"), M) < 1e-11
    V_r = V[0][list(a.free)]
    assert gough.energy(r, gough.State(T[0], V[0])).kinetic == pytest.approx(
        V_r @ M @ V_r / 2.0, rel=1e-10
    )


@pytest.mark.parametrize("name", ALL_NAMES)
def test_cartesian_model_is_affine_in_the_acceleration(name):
    """w_r = M Vdot_r + c for every acceleration.  [BK] (19)."""
    r = loaded(name)
    a = r.assembly
    T, V, Vdot = motion(name).arrays
    kin = Kinematics(a, regular(a, T[0]), V[0], Vdot[0])
    w_r = legs.cartesian_wrench(kin, StateLoads(a.gravity))
    c = gough.bias_wrench(r, gough.State(T[0], V[0]))
    V_r = Vdot[0][list(a.free)]
    assert relative(w_r, gough.inertia_matrix(r, T[0]) @ V_r + c) < 1e-10
    bare = {"friction": False, "rotors": False}
    rigid = legs.cartesian_wrench(kin, StateLoads(a.gravity, **bare))
    c = gough.bias_wrench(r, gough.State(T[0], V[0]), loads=gough.Loads(**bare))
    M = gough.inertia_matrix(r, T[0], loads=gough.Loads(rotors=False))
    assert relative(rigid, M @ V_r + c) < 1e-10


@pytest.mark.parametrize("name", UNFROZEN_NAMES)
def test_gravity_wrench_is_the_gradient_of_the_potential(name):
    r = robot(name)
    a = r.assembly
    x, _, _ = random_freedoms(name, 1, 0.03)
    h = 1e-5
    T0 = gough.state(r, x[0]).T_0p
    w = gough.gravity_wrench(r, T0)
    for k in range(a.mobility):
        # along the k-th coordinate: V_r of unit coordinate rate
        step = np.eye(a.mobility)[k] * h
        T, V, _ = gough.state(r, np.stack([x[0] - step, x[0], x[0] + step]), step / h).arrays
        U = gough.energy(r, T).potential
        slope = (U[2] - U[0]) / (2 * h)
        expected = w @ V[1][list(a.free)]
        weight = sum(b.mass for b in r.bodies) * 9.81 * a.length
        assert abs(slope - expected) < 1e-7 * weight * max(1.0, np.abs(V[1]).max())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["gough_stewart", "delta", "quattro", "tilt_3rps", "six_rrrs"])
def test_efforts_are_linear_in_the_inertial_parameters(name, method):
    r = robot(name)
    state = motion(name)

    def scaled(robot, k):
        bodies = [
            dataclasses.replace(b, mass=k * b.mass, inertia=(k * np.array(b.inertia)).tolist())
            for b in robot.bodies
        ]
        return dataclasses.replace(robot, bodies=tuple(bodies))

    options = {"method": method, "loads": gough.Loads(friction=False, rotors=False)}
    once = gough.inverse_dynamics(r, state, **options)
    assert relative(gough.inverse_dynamics(scaled(r, 3.0), state, **options), 3 * once) < 1e-12


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["delta", "quattro", "tilt_3rps"])
def test_bodies_joined_take_the_sum_of_their_efforts(name, method):
    """Two sets of masses on the same machine: efforts add up, whatever centres and inertias."""
    r = robot(name)
    state = motion(name)
    rng = np.random.default_rng(11)
    options = {"method": method, "loads": gough.Loads(friction=False, rotors=False)}

    def with_masses(properties):
        bodies = [gough.Body(b.name, **p) for b, p in zip(r.bodies, properties, strict=True)]
        return dataclasses.replace(r, bodies=tuple(bodies))

    first = [{"mass": b.mass, "center": b.center, "inertia": b.inertia} for b in r.bodies]
    second = [
        gough.inertia.box(m, size.tolist(), center=c.tolist())
        for m, size, c in zip(
            rng.uniform(0.1, 2.0, len(first)),
            rng.uniform(0.01, 0.2, (len(first), 3)),
            rng.normal(size=(len(first), 3)) * 0.1,
            strict=True,
        )
    ]
    both = [gough.inertia.composite([a, b]) for a, b in zip(first, second, strict=True)]
    a, b, c = (
        gough.inverse_dynamics(with_masses(p), state, **options) for p in (first, second, both)
    )
    assert relative(a + b, c) < 1e-12


@settings(max_examples=25)
@given(
    name=st.sampled_from(["five_bar", "three_rrr", "delta", "tilt_3rps", "spherical_2dof"]),
    method=st.sampled_from(sorted(METHODS)),
    seed=st.integers(0, 10**6),
    speed=st.floats(0.0, 30.0),
)
def test_direct_undoes_inverse_at_any_speed(name, method, seed, speed):
    r = robot(name)
    x, xd, xdd = random_freedoms(name, 1, 0.08, seed)
    state = gough.state(r, x[0], speed * xd[0], xdd[0])
    tau = gough.inverse_dynamics(r, state, method=method)
    back = gough.forward_dynamics(r, state, tau, method=method).Vdot_0p
    assert np.abs(back - state.Vdot_0p).max() < 1e-9 * max(1.0, np.abs(state.Vdot_0p).max())


def test_massless_legs_reduce_to_the_platform():
    """Tau = J^-T W_p."""
    r = robot("gough_stewart")
    bodies = [b if b.name == r.platform else gough.Body(b.name, massless=True) for b in r.bodies]
    light = dataclasses.replace(r, bodies=tuple(bodies))
    T, V, Vdot = motion("gough_stewart").arrays
    T, V, Vdot = T[0], V[0], Vdot[0]
    platform = r.body(r.platform)
    R, w, wd = T[:3, :3], V[3:], Vdot[3:]
    c = R @ (np.linalg.inv(r.platform_frame.matrix) @ [*platform.center, 1.0])[:3]
    a_c = Vdot[:3] + np.cross(wd, c) + np.cross(w, np.cross(w, c))
    R_b = R @ np.array(r.platform_frame.rotation).T
    inertia = R_b @ np.array(platform.inertia) @ R_b.T
    f = platform.mass * (a_c - r.gravity)
    n = inertia @ wd + np.cross(w, inertia @ w) + np.cross(c, f)
    J_inv = gough.inverse_jacobian(r, T)
    expected = np.linalg.solve(J_inv.T, np.concatenate([f, n]))
    for method in METHODS:
        tau = gough.inverse_dynamics(
            light,
            gough.State(T, V, Vdot),
            method=method,
            loads=gough.Loads(friction=False, rotors=False),
        )
        assert relative(tau, expected) < 1e-12


@pytest.mark.parametrize("name", ["delta", "quattro", "orthoglide", "gough_stewart", "three_rrr"])
def test_another_choice_of_cuts(name):
    r = loaded(name)
    a = r.assembly
    state = motion(name)
    T, V, Vdot = state.arrays
    expected = gough.inverse_dynamics(r, state)[0]
    kin = Kinematics(a, regular(a, T[0]), V[0], Vdot[0])
    first = cut(a)
    closed = [c.joint.name for c in first.topology.legs[0].closings]
    for keep in (closed[:1], closed[-1:]):
        machine = cut(a, keep)
        assert not set(keep) & {c.joint.name for c in machine.topology.legs[0].closings}
        found = motor_efforts(CutState(kin, machine), StateLoads(a.gravity))
        assert relative(found, expected) < 1e-11


@pytest.mark.parametrize("method", METHODS)
def test_transmissions_reflect_the_rotor(method):
    """A rotor behind a gear counts with the square of its ratio; behind a screw, per lead."""
    r = mechanism("gough_stewart")
    state = motion("gough_stewart", 2)
    gear = gough.Transmission.from_screw(0.005, motor_inertia=2e-5)

    def driven(axis):
        joints = [
            dataclasses.replace(j, axes=(axis,)) if j.name in r.motors else j for j in r.joints
        ]
        return dataclasses.replace(r, joints=tuple(joints))

    geared = driven(gough.Axis(transmission=gear))
    plain = driven(gough.Axis(rotor_inertia=2e-5 * (2.0 * np.pi / 0.005) ** 2))
    tau = gough.inverse_dynamics(geared, state, method=method)
    assert relative(tau, gough.inverse_dynamics(plain, state, method=method)) < 1e-12
    bare = gough.inverse_dynamics(driven(gough.Axis()), state, method=method)
    extra = plain.axis("p_1").rotor_inertia * gough.motor_accelerations(r, state)
    assert relative(tau - bare, extra) < 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["delta", "c5", "tilt_3rps"])
def test_gravity_in_any_direction(name, method):
    """The efforts of gravity are linear in its vector."""
    r = robot(name)
    T = motion(name).T_0p
    np.zeros(6)

    def held(g):
        turned = dataclasses.replace(r, gravity=tuple(g))
        return gough.inverse_dynamics(turned, T, method=method)

    columns = [held(e) for e in np.eye(3)]
    g = np.array([1.5, -4.0, 2.5])
    expected = sum(k * c for k, c in zip(g, columns, strict=True))
    assert relative(held(g), expected) < 1e-11
    assert max(np.abs(c).max() for c in columns) > 1e-3  # the gearshift is small and light


class TestTypeTwo:
    """On a Type 2 singularity the inverse model refuses, the direct one holds."""

    @pytest.mark.parametrize("method", METHODS)
    def test_direct_runs_where_inverse_refuses(self, method):
        r = drawn_five_bar(IN_LINE, "d1")
        T = r.home_pose
        np.zeros(6)
        with pytest.raises(gough.errors.SingularPose, match="Type 2") as info:
            gough.inverse_dynamics(r, T, method=method)
        assert info.value.condition > 1e10
        tau = np.array([0.3, -0.1])
        Vdot = gough.forward_dynamics(r, T, tau, method=method).Vdot_0p
        near = gough.state(r, r.assembly.chart.coordinates(T)[list(r.assembly.free)] + 1e-9).T_0p
        assert relative(gough.forward_dynamics(r, near, tau, method=method).Vdot_0p, Vdot) < 1e-5


@pytest.mark.parametrize("method", METHODS)
def test_machines_without_motors_fall(method):
    """No motor at all: the methods agree, and energy is kept (friction aside)."""
    r = robot("contact_tripod")
    assert not r.motors
    state = motion("contact_tripod", 2)
    none = np.zeros((2, 0))
    loads = gough.Loads(friction=False)
    Vdot = gough.forward_dynamics(r, state, none, method=method, loads=loads).Vdot_0p
    assert relative(Vdot, gough.forward_dynamics(r, state, none, loads=loads).Vdot_0p) < 1e-9
    M = gough.inertia_matrix(r, state, loads=loads)
    c = gough.bias_wrench(r, state, loads=loads)
    assert relative(np.einsum("bij,bj->bi", M, Vdot), -c) < 1e-9


class TestRefusals:
    def test_too_few_and_too_many_motors(self):
        r = mechanism("five_bar")
        state = motion("five_bar")
        fewer = dataclasses.replace(r, motors=r.motors[:1])
        with pytest.raises(gough.errors.WrongMotors, match="1 motor for 2 freedoms"):
            gough.inverse_dynamics(fewer, state)
        assert np.isfinite(gough.forward_dynamics(fewer, state, [[0.1]]).Vdot_0p).all()
        more = dataclasses.replace(r, motors=(*r.motors, "e_1"))
        with pytest.raises(gough.errors.WrongMotors, match="more than the mobility"):
            gough.inverse_dynamics(more, state)
        assert np.isfinite(gough.forward_dynamics(more, state, [[0.1, 0.2, 0.3]]).Vdot_0p).all()

    @pytest.mark.parametrize("method", METHODS)
    def test_states_that_cannot_be(self, method):
        """NaN, out of reach, outside the mobility, Type 1: named, with the sample."""
        r = three_rrr_ref()
        good = three_rrr_ref_state()
        T, V, Vdot = (np.stack([a] * 5) for a in good)
        V[1, 0] = np.nan
        T[2, 0, 3] = 3.0
        T[3, 2, 3] = 0.1
        T[4] = spatial.pose(np.eye(3), np.array([0.0, -0.2, 0.0]))
        kinds = {
            1: gough.errors.InputError,
            2: gough.errors.UnreachablePose,
            3: gough.errors.InconsistentPose,
            4: gough.errors.SingularPose,
        }
        for k, kind in kinds.items():
            with pytest.raises(kind, match="sample 1: "):
                gough.inverse_dynamics(
                    r, gough.State(T[[0, k]], V[[0, k]], Vdot[[0, k]]), method=method
                )
            with pytest.raises(kind):
                gough.forward_dynamics(r, gough.State(T[k], V[k]), np.zeros(3), method=method)
        tau, failed = masked(
            gough.inverse_dynamics(r, gough.State(T, V, Vdot), method=method, on_error="nan")
        )
        assert failed.tolist() == [False, True, True, True, True]
        assert np.isfinite(tau[0]).all()
        assert np.isnan(tau[1:]).all()
        Vdot, failed = masked(
            gough.forward_dynamics(
                r, gough.State(T, V), np.zeros(3), method=method, on_error="nan"
            ).Vdot_0p
        )
        assert failed.sum() == 4

    def test_unknown_method_lists_the_known(self):
        r = mechanism("five_bar")
        with pytest.raises(gough.errors.InputError, match="unknown method 'leg'") as info:
            gough.inverse_dynamics(r, motion("five_bar"), method="leg")
        assert "legs" in info.value.hint

    def test_bad_samples_are_named_or_masked(self):
        r = mechanism("delta")
        T, V, Vdot = motion("delta", 3).arrays
        V = V.copy()
        V[1, 5] = 0.5
        with pytest.raises(gough.errors.InconsistentTwist, match="sample 1"):
            gough.inverse_dynamics(r, gough.State(T, V, Vdot))
        tau, failed = masked(gough.inverse_dynamics(r, gough.State(T, V, Vdot), on_error="nan"))
        assert failed.tolist() == [False, True, False]
        assert np.isnan(tau[1]).all()
        assert np.isfinite(tau[[0, 2]]).all()


@pytest.mark.usefixtures("strangers")
def test_robots_are_not_kept_alive():
    """Nothing worked out for a robot outlives it."""
    r = dataclasses.replace(robot("five_bar"), name="passing")
    gough.audit(r, motion("five_bar"))
    gone = weakref.ref(r.assembly)
    del r
    gc.collect()
    assert gone() is None


def test_every_machine_is_covered():
    assert {m.__name__ for m in MACHINES} <= set(ALL_NAMES)
