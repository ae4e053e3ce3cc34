"""The Cartesian model and joint accelerations: laws over robots and methods.  [BK] (15)-(22)"""

import numpy as np
import pytest

import gough
from cases import acting, efforts, loaded, motion
from crossings import SINGULAR, five_bar
from gough.dynamics.methods import METHODS
from gough.errors import InconsistentTwist, InputError, SingularPose
from robots import ALL_NAMES, SQUARE_NAMES, UNFROZEN_NAMES, random_freedoms, relative, robot

# sums of the same terms in another order, through systems of condition up to some hundred
SAME = 1e-10


@pytest.mark.parametrize("name", ALL_NAMES)
def test_wrench_is_inertia_times_acceleration_and_bias(name):
    """[BK] (19): w_r = M_rob Vdot_r + c_rob, the matrix by columns, whatever acts."""
    r, state = loaded(name), motion(name)
    loads, free = acting(loaded(name)), list(r.assembly.free)
    w_r = gough.cartesian_dynamics(r, state, loads=loads)
    M = gough.inertia_matrix(r, state.T_0p, by="columns", loads=loads)
    c = gough.bias_wrench(r, state, loads=loads)
    assert w_r.shape == (1, r.mobility)
    assert relative(w_r[0], M[0] @ state.Vdot_0p[0, free] + c[0]) < SAME
    for method in set(METHODS) - {"legs"}:
        found = gough.cartesian_dynamics(r, state, method=method, loads=loads)
        assert relative(found, w_r) < SAME, method


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_wrench_is_what_efforts_of_screws_do_on_the_freedoms(name):
    """[BK] (15): w_r = J_inv^T tau, with efforts of another theory."""
    r, state = loaded(name), motion(name)
    w_r = gough.cartesian_dynamics(r, state, loads=acting(r))
    tau, J_inv = efforts(name, "screws"), gough.inverse_jacobian(r, state.T_0p)
    assert relative(J_inv[0].T @ tau[0], w_r[0]) < SAME


@pytest.mark.parametrize("name", UNFROZEN_NAMES)
def test_power_of_the_wrench_changes_the_energy(name):
    """W_r . V_r = d/dt (kinetic + potential) along a motion, by differences; motors or none."""
    r, h = robot(name), 1e-4
    t = np.array([-h, 0.0, h])[:, None]
    x, xd, xdd = (a[0] for a in random_freedoms(name, 1, 0.03))
    state = gough.state(r, x + xd * t + xdd * t * t / 2, xd + xdd * t, xdd + 0.0 * t)
    T, V, Vdot = state.arrays
    bare = gough.Loads(friction=False)
    w_r = gough.cartesian_dynamics(r, gough.State(T[1], V[1], Vdot[1]), loads=bare)
    V_r = V[1][list(r.assembly.free)]
    total = np.sum(gough.energy(r, state), axis=0)
    # central difference: h^2 times third derivatives
    scale = np.abs(w_r) @ np.abs(V_r)
    assert abs((total[2] - total[0]) / (2 * h) - w_r @ V_r) < 2e-5 * scale


@pytest.mark.parametrize("method", METHODS)
def test_wrench_on_a_type_2_singularity(method):
    """No efforts make the motion there; the Cartesian model and the implicit one still hold."""
    r = five_bar()
    state = gough.state(r, [0.0, SINGULAR], [0.3, 0.2], [1.0, 2.0])
    with pytest.raises(SingularPose, match="Type 2"):
        gough.inverse_dynamics(r, state)
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            w_r = gough.cartesian_dynamics(r, state, method=method)
        M, c = gough.inertia_matrix(r, state), gough.bias_wrench(r, state)
        assert relative(w_r, M @ [1.0, 2.0] + c) < SAME
    assert relative(-gough.implicit_model(r, state).b, w_r) < SAME
    with pytest.raises(InconsistentTwist):
        gough.cartesian_dynamics(r, gough.State(state.T_0p, state.V_0p + 0.1, state.Vdot_0p))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_joint_accelerations_of_the_efforts_of_a_motion(name, method):
    """Efforts of a motion accelerate the motors as the motion does, and all joints with them."""
    r, state = loaded(name), motion(name)
    tau = efforts(name, "legs")
    found = gough.motor_accelerations(
        r, gough.forward_dynamics(r, state, tau, method=method, loads=acting(r))
    )
    expected = gough.motor_accelerations(r, state)
    assert relative(found, expected) < 1e-8  # times the condition of the inertia matrix
    every = gough.posture(r, state).joint_accelerations
    assert relative(found[0], [every[motor][0] for motor in r.motors]) < 1e-8


def test_joint_accelerations_are_second_differences_of_motor_positions():
    """Of a hexapod, simulated for two short steps."""
    r, h = robot("gough_stewart"), 1e-3
    tau = np.array([40.0, -70.0, 10.0, 20.0, -30.0, 5.0])
    run = gough.simulate(r, motion("gough_stewart")[0], tau, t_end=2 * h, step=h / 4, output_step=h)
    q = gough.inverse_kinematics(r, run.T_0p)
    qdd = gough.motor_accelerations(r, gough.forward_dynamics(r, run.state[1], tau))
    # h^2 times the fourth derivative
    assert relative((q[2] - 2 * q[1] + q[0]) / h**2, qdd) < 1e-3


@pytest.mark.parametrize("name", ["five_bar", "tilt_3rps", "four_rrr"])
def test_kernels_say_the_same(name):
    r, state = loaded(name), motion(name, 3)
    tau = np.random.default_rng(2).normal(size=(3, len(r.motors)))
    with gough.options(engine="numpy"):
        w_r = gough.cartesian_dynamics(r, state)
        Vdot = gough.forward_dynamics(r, state, tau).Vdot_0p
        columns = gough.inertia_matrix(r, state, by="columns")
        model = gough.implicit_model(r, state)
    with gough.options(engine="compiled"):
        out = np.empty_like(w_r)
        assert gough.cartesian_dynamics(r, state, out=out) is out
        assert relative(out, w_r) < SAME
        assert relative(gough.forward_dynamics(r, state, tau).Vdot_0p, Vdot) < SAME
        assert relative(gough.inertia_matrix(r, state, by="columns"), columns) < SAME
        again = gough.implicit_model(r, state)
    assert relative(again.A, model.A) < SAME
    assert relative(again.b, model.b) < SAME


def test_words_of_the_inertia_matrix():
    with pytest.raises(InputError, match="'closed form' or 'columns'"):
        gough.inertia_matrix(robot("five_bar"), robot("five_bar").home_pose, by="rows")
