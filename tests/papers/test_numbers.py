"""Joint values of NUMBERS.md: GS-REF and 3RRR-REF."""

import numpy as np

import gough
from numbers_robots import gs_ref, gs_ref_state, three_rrr_ref, three_rrr_ref_state

# printed with 15 to 16 digits
PRINTED = 1e-14


def test_gs_ref_joints():
    T, V, _ = gs_ref_state()
    found = gough.posture(gs_ref(), T, V)
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
    np.testing.assert_allclose(gough.inverse_velocity(gs_ref(), T, V), expected, atol=PRINTED)


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
    T, V, Vdot = three_rrr_ref_state()
    found = gough.posture(r, T, V, Vdot)
    q1 = [found.joints[f"a{i}"] for i in (1, 2, 3)]
    q2 = [found.joints[f"e{i}"] for i in (1, 2, 3)]
    np.testing.assert_allclose(
        q1, [-0.6514936840886881, 1.2503558798705527, 3.5815721135775913], atol=PRINTED
    )
    np.testing.assert_allclose(
        q2, [-1.7449017908152853, -1.7494357881480087, -2.0223037831944493], atol=PRINTED
    )
    np.testing.assert_allclose(
        gough.inverse_velocity(r, T, V),
        [0.09870675277509683, -2.3109275804861324, 0.9804761007007076],
        atol=PRINTED,
    )
