"""Numbers of NUMBERS.md: GS-REF, 3RRR-REF and the gearshift, joints and efforts."""

import numpy as np
import pytest

import gough
from gough.dynamics.methods import METHODS
from numbers_robots import gearshift, gs_ref, gs_ref_state, three_rrr_ref, three_rrr_ref_state

# printed with 15 to 16 digits
PRINTED = 1e-14


def test_gs_ref_joints():
    T, V, _ = gs_ref_state()
    found = gough.posture(gs_ref(), gough.State(T, V))
    expected = {
        "a": [-2.822875417113316, 2.923995254540925, -0.855678025458351,
              -1.312708859475774, 1.190441816170616, 0.675798698991784],
        "b": [2.337452898242651, 2.308878976525306, 2.299301149637915,
              2.173110634185487, 2.305135237059596, 2.255066749778078],
        "p": [3.105090529850457, 3.356876313808546, 3.335776756356703,
              3.439786222682574, 2.872859107989685, 3.310260432479663],
    }  # fmt: skip
    for letter, values in expected.items():
        q = [found.joints[f"{letter}{i}"] for i in range(1, 7)]
        np.testing.assert_allclose(q, values, rtol=PRINTED, atol=PRINTED)


def test_gs_ref_motor_rates():
    T, V, _ = gs_ref_state()
    expected = [-0.044799087390006, 0.569608564893036, 0.785573111968040,
                0.385364563992429, -0.122254720161090, 0.321210786863436]  # fmt: skip
    np.testing.assert_allclose(
        gough.motor_rates(gs_ref(), gough.State(T, V)), expected, atol=PRINTED
    )


def test_gs_ref_condition():
    T, _, _ = gs_ref_state()
    J_inv = gough.inverse_jacobian(gs_ref(), T)
    np.testing.assert_allclose(np.linalg.cond(J_inv), 2.157283547808, atol=1e-11)


def test_gs_ref_leg_jacobian_is_a_scaled_permutation():
    """[BK] (26): in axes of the rod the leg's Jacobian has three entries."""
    T, _, _ = gs_ref_state()
    found = gough.posture(gs_ref(), T)
    for i, leg in enumerate(gough.leg_jacobians(gs_ref(), T), start=1):
        q2, q3 = found.joints[f"b{i}"], found.joints[f"p{i}"]
        expected = [[0.0, q3, 0.0], [-q3 * np.sin(q2), 0.0, 0.0], [0.0, 0.0, 1.0]]
        np.testing.assert_allclose(leg.J_i, expected, atol=1e-14)


def test_three_rrr_ref_joints_and_rates():
    r = three_rrr_ref()
    state = gough.State(*three_rrr_ref_state())
    found = gough.posture(r, state)
    q1 = [found.joints[f"a{i}"] for i in (1, 2, 3)]
    q2 = [found.joints[f"e{i}"] for i in (1, 2, 3)]
    np.testing.assert_allclose(
        q1, [-0.6514936840886881, 1.2503558798705527, 3.5815721135775913], atol=PRINTED
    )
    np.testing.assert_allclose(
        q2, [-1.7449017908152853, -1.7494357881480087, -2.0223037831944493], atol=PRINTED
    )
    np.testing.assert_allclose(
        gough.motor_rates(r, state),
        [0.09870675277509683, -2.3109275804861324, 0.9804761007007076],
        atol=PRINTED,
    )


GS_TAU = [1044.250878978995, 645.588757242837, 943.442401082243,
          970.388671976527, 1235.524207111647, 876.455751979710]  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_gs_ref_efforts(method):
    tau = gough.inverse_dynamics(gs_ref(), gough.State(*gs_ref_state()), method=method)
    np.testing.assert_allclose(tau, GS_TAU, rtol=1e-12)
    T, _, _ = gs_ref_state()
    at_rest = gough.inverse_dynamics(gs_ref(), T, method=method)
    expected = [1044.897399944209, 775.584955783721, 728.531847541541,
                819.897444634844, 1234.636740326690, 670.429311884525]  # fmt: skip
    np.testing.assert_allclose(at_rest, expected, rtol=1e-12)


def test_gs_ref_cartesian_model():
    r = gs_ref()
    T, V, Vdot = gs_ref_state()
    state = gough.State(T, V, Vdot)
    w_r = gough.inverse_jacobian(r, T).T @ gough.inverse_dynamics(r, state)
    expected = [355.4894928158555, -160.8423907001073, 3718.638145547225,
                -138.6048125927567, 10.38984123777594, 63.37469807823615]  # fmt: skip
    np.testing.assert_allclose(w_r, expected, rtol=1e-11)
    c_rob = [1.818483206205511, 1.727632433115973, 3444.373259875405,
             -95.20350939787596, -56.53446966396563, -1.783738541804943]  # fmt: skip
    np.testing.assert_allclose(gough.bias_wrench(r, state), c_rob, rtol=1e-11)
    M = gough.inertia_matrix(r, T)
    diagonal = [340.97550042, 341.02344285, 342.34878487, 104.17011453, 98.49819949, 189.50859225]
    np.testing.assert_allclose(np.diag(M), diagonal, rtol=1e-10)
    np.testing.assert_allclose(
        [M[0, 4], M[1, 3], M[3, 5]], [16.40053135, -15.90111604, -15.55929787], rtol=1e-9
    )


@pytest.mark.parametrize("method", METHODS)
def test_gs_ref_with_spin_free_struts(method):
    """Struts between two balls do not spin; dropping the spin changes forces by 5e-3 N."""
    tau = gough.inverse_dynamics(gs_ref("spherical"), gough.State(*gs_ref_state()), method=method)
    expected = [1044.251756, 645.592753, 943.437501, 970.387152, 1235.529177, 876.452358]
    np.testing.assert_allclose(tau, expected, atol=1e-6)
    assert np.abs(tau - GS_TAU).max() > 1e-3


@pytest.mark.parametrize("method", METHODS)
def test_three_rrr_ref_efforts(method):
    r = three_rrr_ref()
    T, V, Vdot = three_rrr_ref_state()
    tau = gough.inverse_dynamics(r, gough.State(T, V, Vdot), method=method)
    np.testing.assert_allclose(
        tau, [2.53030822729785, 0.6083332899477722, -2.9928471359391224], rtol=1e-12
    )
    w_r = gough.inverse_jacobian(r, T).T @ tau
    np.testing.assert_allclose(
        w_r, [5.535126728898647, 21.455959052645795, 0.16533283145489452], rtol=1e-11
    )


@pytest.mark.parametrize("method", METHODS)
def test_gearshift_gravity_efforts(method):
    """Knob 0.7 kg at 0.2 m along OP; [GA] (55) as printed gives twice that, erratum GA-1."""
    r, q = gearshift(), (0.4, -0.3)
    p = gough.state(r, _tilt(r, q)).T_0p
    np.testing.assert_allclose(gough.inverse_kinematics(r, p), q, atol=1e-12)
    tau = gough.inverse_dynamics(r, p, method=method)
    np.testing.assert_allclose(tau, [-0.475738, 0.323545], atol=1e-6)


def _tilt(r, q):
    """Freedoms of the gearshift at motor positions, by Newton's method on the public functions."""
    x = np.array([q[0], q[1]])
    for _ in range(8):
        T = gough.state(r, x).T_0p
        error = q - gough.inverse_kinematics(r, T)
        steps = []
        for k in range(2):
            moved = gough.state(r, x + 1e-6 * np.eye(2)[k]).T_0p
            steps.append((gough.inverse_kinematics(r, moved) - q + error) / 1e-6)
        x = x + np.linalg.solve(np.array(steps).T, error)
    return x
