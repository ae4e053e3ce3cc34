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
    r, (T, V, Vdot) = loaded(name), motion(name)
    loads, free = acting(loaded(name)), list(r.assembly.free)
    w_r = gough.cartesian_dynamics(r, T, V, Vdot, loads=loads)
    M = gough.inertia_matrix(r, T, by="columns", loads=loads)
    c = gough.bias_wrench(r, T, V, loads=loads)
    assert w_r.shape == (1, r.mobility)
    assert relative(w_r[0], M[0] @ Vdot[0, free] + c[0]) < SAME
    for method in set(METHODS) - {"legs"}:
        found = gough.cartesian_dynamics(r, T, V, Vdot, method=method, loads=loads)
        assert relative(found, w_r) < SAME, method


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_wrench_is_what_efforts_of_screws_do_on_the_freedoms(name):
    """[BK] (15): w_r = J_inv^T tau, with efforts of another theory."""
    r, (T, V, Vdot) = loaded(name), motion(name)
    w_r = gough.cartesian_dynamics(r, T, V, Vdot, loads=acting(r))
    tau, J_inv = efforts(name, "screws"), gough.inverse_jacobian(r, T)
    assert relative(J_inv[0].T @ tau[0], w_r[0]) < SAME


@pytest.mark.parametrize("name", UNFROZEN_NAMES)
def test_power_of_the_wrench_changes_the_energy(name):
    """W_r . V_r = d/dt (kinetic + potential) along a motion, by differences; motors or none."""
    r, h = robot(name), 1e-4
    t = np.array([-h, 0.0, h])[:, None]
    x, xd, xdd = (a[0] for a in random_freedoms(name, 1, 0.03))
    T, V, Vdot = gough.state(r, x + xd * t + xdd * t * t / 2, xd + xdd * t, xdd + 0.0 * t)
    bare = gough.Loads(friction=False)
    w_r = gough.cartesian_dynamics(r, T[1], V[1], Vdot[1], loads=bare)
    V_r = V[1][list(r.assembly.free)]
    total = np.sum(gough.energy(r, T, V), axis=0)
    # central difference: h^2 times third derivatives
    scale = np.abs(w_r) @ np.abs(V_r)
    assert abs((total[2] - total[0]) / (2 * h) - w_r @ V_r) < 2e-5 * scale


@pytest.mark.parametrize("method", METHODS)
def test_wrench_on_a_type_2_singularity(method):
    """No efforts make the motion there; the Cartesian model and the implicit one still hold."""
    r = five_bar()
    T, V, Vdot = gough.state(r, [0.0, SINGULAR], [0.3, 0.2], [1.0, 2.0])
    with pytest.raises(SingularPose, match="Type 2"):
        gough.inverse_dynamics(r, T, V, Vdot)
    for engine in ("numpy", "compiled"):
        w_r = gough.cartesian_dynamics(r, T, V, Vdot, method=method, engine=engine)
        M, c = gough.inertia_matrix(r, T), gough.bias_wrench(r, T, V)
        assert relative(w_r, M @ [1.0, 2.0] + c) < SAME
    assert relative(-gough.implicit_model(r, T, V, Vdot).b, w_r) < SAME
    with pytest.raises(InconsistentTwist):
        gough.cartesian_dynamics(r, T, V + 0.1, Vdot)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_joint_accelerations_of_the_efforts_of_a_motion(name, method):
    """Efforts of a motion accelerate the motors as the motion does, and all joints with them."""
    r, (T, V, Vdot) = loaded(name), motion(name)
    tau = efforts(name, "legs")
    found = gough.joint_accelerations(r, T, V, tau, method=method, loads=acting(r))
    expected = gough.inverse_acceleration(r, T, V, Vdot)
    assert relative(found, expected) < 1e-8  # times the condition of the inertia matrix
    every = gough.posture(r, T, V, Vdot).joint_accelerations
    assert relative(found[0], [every[motor][0] for motor in r.motors]) < 1e-8


def test_joint_accelerations_are_second_differences_of_motor_positions():
    """Of a hexapod, simulated for two short steps."""
    r, h = robot("gough_stewart"), 1e-3
    (T,), (V,), _ = motion("gough_stewart")
    tau = np.array([40.0, -70.0, 10.0, 20.0, -30.0, 5.0])
    run = gough.simulate(r, (T, V), tau, t_end=2 * h, step=h / 4, output_step=h)
    q = gough.inverse_geometry(r, run.T_0p)
    qdd = gough.joint_accelerations(r, run.T_0p[1], run.V_0p[1], tau)
    # h^2 times the fourth derivative
    assert relative((q[2] - 2 * q[1] + q[0]) / h**2, qdd) < 1e-3


@pytest.mark.parametrize("name", ["five_bar", "tilt_3rps", "four_rrr"])
def test_kernels_say_the_same(name):
    r, (T, V, Vdot) = loaded(name), motion(name, 3)
    tau = np.random.default_rng(2).normal(size=(3, len(r.motors)))
    calls = {
        gough.cartesian_dynamics: (T, V, Vdot),
        gough.joint_accelerations: (T, V, tau),
    }
    for function, arrays in calls.items():
        expected = function(r, *arrays, engine="numpy")
        out = np.empty_like(expected)
        assert function(r, *arrays, engine="compiled", out=out) is out
        assert relative(out, expected) < SAME
    columns = [gough.inertia_matrix(r, T, by="columns", engine=e) for e in ("numpy", "compiled")]
    assert relative(columns[1], columns[0]) < SAME
    models = [gough.implicit_model(r, T, V, Vdot, engine=e) for e in ("numpy", "compiled")]
    assert relative(models[1].A, models[0].A) < SAME
    assert relative(models[1].b, models[0].b) < SAME


def test_words_of_the_inertia_matrix():
    with pytest.raises(InputError, match="'closed form' or 'columns'"):
        gough.inertia_matrix(robot("five_bar"), robot("five_bar").home_pose, by="rows")
