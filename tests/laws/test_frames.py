"""Twists, twist rates and wrenches in the platform's axes, by differences.  [BK] 4.2.3, (33)"""

import numpy as np
import pytest

import gough
from cases import acting, loaded, motion
from gough.dynamics.methods import METHODS
from gough.errors import InconsistentTwist, InputError
from robots import ALL_NAMES, DRIVEN_NAMES, SQUARE_NAMES, random_freedoms, relative, robot

# the same numbers turned there and back, through systems of condition up to some hundred
SAME = 1e-10
SIX = ["gough_stewart", "space_3ups", "c5", "hexapod_6rus", "split_hexapod"]
FEWER = ["tilt_3rps", "three_rrr", "spherical_2dof", "quattro", "five_bar"]


def _turned(T, V):
    """Components in the platform's axes, spelled out."""
    R = T[:3, :3]
    return np.concatenate([R.T @ V[:3], R.T @ V[3:]])


def _moving(name):
    """A state around home in a fast motion, and its twist rate in platform axes by differences."""
    r, h = robot(name), 1e-5
    t = np.array([-h, 0.0, h])[:, None]
    x, xd, xdd = (a[0] for a in random_freedoms(name, 1, 0.1, seed=5))
    T, V, Vdot = gough.state(r, x + xd * t + xdd * t * t / 2, xd + xdd * t, xdd + 0.0 * t).arrays
    turned = [_turned(*each) for each in zip(T, V, strict=True)]
    return r, T[1], V[1], Vdot[1], turned[1], (turned[2] - turned[0]) / (2 * h)


def _rate(T, V, Vdot):
    """d/dt (R^T v) = R^T (vdot - omega x v), d/dt (R^T omega) = R^T omegadot."""
    v, w = V[:3], V[3:]
    return _turned(T, np.concatenate([Vdot[:3] - np.cross(w, v), Vdot[3:]]))


@pytest.mark.parametrize("name", ALL_NAMES)
def test_the_rate_of_a_twist_in_platform_axes_is_that_of_its_components(name):
    """Direct dynamics answers what differences of the components say; so do its inputs."""
    r, T, V, Vdot, V_p, by_differences = _moving(name)
    Vdot_p = _rate(T, V, Vdot)
    # h^2 times third derivatives, and 1e-16 / h
    assert np.abs(Vdot_p - by_differences).max() < 1e-5 * max(1.0, np.abs(Vdot).max())
    qd = gough.motor_rates(r, gough.State(T, V_p, frame="platform"))
    qdd = gough.motor_accelerations(r, gough.State(T, V_p, Vdot_p, frame="platform"))
    w_r = gough.cartesian_dynamics(r, gough.State(T, V_p, Vdot_p, frame="platform"))
    expected = gough.cartesian_dynamics(r, gough.State(T, V, Vdot))
    assert relative(qd, gough.motor_rates(r, gough.State(T, V))) < SAME
    assert relative(qdd, gough.motor_accelerations(r, gough.State(T, V, Vdot))) < SAME
    assert relative(w_r, _turned(T, expected) if r.mobility == 6 else expected) < SAME


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SIX + FEWER)
def test_dynamics_in_platform_axes(name, method):
    """Efforts are the same in both frames, and direct dynamics undoes inverse dynamics in each."""
    r, T, V, Vdot, V_p, by_differences = _moving(name)
    Vdot_p = _rate(T, V, Vdot)
    tau = gough.inverse_dynamics(r, gough.State(T, V_p, Vdot_p, frame="platform"), method=method)
    assert relative(tau, gough.inverse_dynamics(r, gough.State(T, V, Vdot))) < SAME
    found = gough.forward_dynamics(
        r, gough.State(T, V_p, frame="platform"), tau, method=method
    ).Vdot_0p
    assert relative(found, Vdot_p) < 1e-8  # times the condition of the inertia matrix
    assert np.abs(found - by_differences).max() < 1e-5 * max(1.0, np.abs(Vdot).max())
    qdd = gough.motor_accelerations(
        r, gough.forward_dynamics(r, gough.State(T, V_p, frame="platform"), tau, method=method)
    )
    assert relative(qdd, gough.motor_accelerations(r, gough.State(T, V, Vdot))) < 1e-8


@pytest.mark.parametrize("name", DRIVEN_NAMES)
def test_jacobians_in_platform_axes(name):
    """V_p = J_p qd_a and V_p = Psi V_r, with twists turned by hand."""
    r, T, V, _, V_p, _ = _moving(name)
    qd = gough.motor_rates(r, gough.State(T, V))
    assert (
        relative(gough.jacobian(r, gough.State(T, frame="platform")) @ qd, V_p) < 1e-8
    )  # times its condition
    V_r = V_p if r.mobility == 6 else V[list(r.assembly.free)]
    assert relative(gough.freedom_map(r, gough.State(T, frame="platform")) @ V_r, V_p) < SAME
    if r.mobility == 6:
        J_inv = gough.inverse_jacobian(r, gough.State(T, frame="platform"))
        assert relative(J_inv @ V_p, qd) < SAME  # [BK] (31)


@pytest.mark.parametrize("name", SIX)
def test_the_cartesian_model_of_six_freedoms_in_platform_axes(name):
    """[BK] (19), (33): J_inv^T tau = M_rob Vdot_p + c_rob, every term in the platform's axes."""
    r, state = loaded(name), motion(name)[0]
    loads, (T, V, Vdot) = acting(r), state.arrays
    V_p, Vdot_p = _turned(T, V), _rate(T, V, Vdot)
    there = gough.State(T, V_p, Vdot_p, frame="platform")
    w_r = gough.cartesian_dynamics(r, there, loads=loads)
    M = gough.inertia_matrix(r, there, loads=loads)
    c = gough.bias_wrench(r, there, loads=loads)
    assert relative(M @ Vdot_p + c, w_r) < SAME
    by_columns = gough.inertia_matrix(r, there, by="columns", loads=loads)
    assert relative(by_columns, M) < SAME
    tau = gough.inverse_dynamics(r, state, loads=loads)
    assert relative(gough.inverse_jacobian(r, there).T @ tau, w_r) < SAME
    assert w_r @ V_p == pytest.approx(tau @ gough.motor_rates(r, state), rel=1e-9)
    kinetic = gough.energy(r, state, loads=loads).kinetic
    assert V_p @ M @ V_p / 2.0 == pytest.approx(kinetic, rel=1e-9)
    g = gough.gravity_wrench(r, there)
    assert relative(g, _turned(T, gough.gravity_wrench(r, state))) < SAME


@pytest.mark.parametrize("name", FEWER)
def test_what_lives_in_fewer_freedoms_alone_is_refused(name):
    r, T, V, _, V_p, _ = _moving(name)
    for function in (gough.inverse_jacobian, gough.inertia_matrix, gough.gravity_wrench):
        with pytest.raises(InputError, match="base axes in every frame") as caught:
            function(r, gough.State(T, frame="platform"))
        assert caught.value.argument == "frame"
    c_rob = gough.bias_wrench(r, gough.State(T, V_p, frame="platform"))
    assert relative(c_rob, gough.bias_wrench(r, gough.State(T, V))) < SAME


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_legs_in_platform_axes(name):
    r, T, V, _, V_p, _ = _moving(name)
    p = gough.posture(r, gough.State(T, V))
    V_r = V_p if r.mobility == 6 else V[list(r.assembly.free)]
    bases = gough.leg_jacobians(r, T)
    for leg, base in zip(
        gough.leg_jacobians(r, gough.State(T, frame="platform")), bases, strict=True
    ):
        assert np.abs(leg.J_vi @ V_p - base.J_vi @ V).max() < SAME * np.abs(V).max()
        assert np.abs(leg.K_i @ V_p - base.K_i @ V).max(initial=0.0) < SAME * np.abs(V).max()
        qd_ci = np.concatenate([np.atleast_1d(p.joint_rates[axis]) for axis in leg.path])
        assert relative(leg.J_ci @ qd_ci, V_p) < SAME
        qd_ai = np.array([p.joint_rates[motor] for motor in leg.motors])
        assert relative(leg.L_ci @ V_r, qd_ai) < SAME


def test_batches_out_and_errors():
    r = robot("gough_stewart")
    state = motion("gough_stewart", 3)
    T, V, Vdot = state.arrays
    V_p = np.array([_turned(*each) for each in zip(T, V, strict=True)])
    tau = gough.inverse_dynamics(r, state)
    for engine in ("numpy", "compiled"):
        out = np.empty((3, 6))
        rates = np.array([_rate(*each) for each in zip(T, V, Vdot, strict=True)])
        there = gough.State(T, V_p, rates, frame="platform")
        with gough.options(engine=engine):
            found = gough.forward_dynamics(r, there, tau, out=out)
            assert found.Vdot_0p.base is out
            assert relative(out, rates) < 1e-8
            # one pose with many twists, and many poses with one twist
            wide = gough.State(T[0], V_p, frame="platform")
            many = gough.bias_wrench(r, wide)
            assert relative(many[2], gough.bias_wrench(r, wide[2])) < SAME
            turning = gough.State(T, V_p[0], frame="platform")
            assert gough.motor_rates(r, turning).shape == (3, 6)
            # alone after a batch: the quick way answers base axes only
            one = gough.inverse_dynamics(r, there[0])
        assert relative(one, tau[0]) < SAME
    with pytest.raises(InputError, match="'base' or 'platform'"):
        gough.State(T, V, Vdot, frame="tool")
    with pytest.raises(InputError, match="batch axes"):
        gough.State(T, V_p[:2], frame="platform")
    planar = robot("three_rrr")
    with pytest.raises(InconsistentTwist):
        gough.motor_rates(planar, gough.State(planar.home_pose, np.ones(6), frame="platform"))
    nowhere = T.copy()
    nowhere[1] = np.nan
    found = gough.forward_dynamics(
        r, gough.State(nowhere, V_p, frame="platform"), tau, on_error="nan"
    ).Vdot_0p
    assert np.isnan(found[1]).all()
    assert np.isfinite(found[[0, 2]]).all()


def test_single_precision_is_kept():
    r, T, V, Vdot, V_p, _ = _moving("tilt_3rps")
    single = [a.astype(np.float32) for a in (T, V_p, _rate(T, V, Vdot))]
    tau = gough.inverse_dynamics(r, gough.State(*single, frame="platform"))
    assert (
        relative(tau, gough.inverse_dynamics(r, gough.State(T, V, Vdot))) < 1e-4
    )  # rounding of float32
    gough.inverse_dynamics(r, gough.State(T, *single[1:], frame="platform"))
