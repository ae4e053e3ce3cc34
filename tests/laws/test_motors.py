"""From motors to platform and back."""

import numpy as np
import pytest

import gough
from robots import SQUARE_NAMES, mechanism, random_freedoms, relative, robot


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_motors_give_back_the_motion(name):
    """state_from_motors inverts inverse_kinematics, motor_rates and motor_accelerations."""
    r = robot(name)
    state = gough.state(r, *random_freedoms(name, 3, 0.03))
    T, V, Vdot = state.arrays
    q = gough.inverse_kinematics(r, T)
    qd, qdd = gough.motor_rates(r, state), gough.motor_accelerations(r, state)
    found = gough.state_from_motors(r, q, qd, qdd)
    for value, expected in zip(found.arrays, (T, V, Vdot), strict=True):
        assert relative(value, expected) < 1e-8  # times the condition number of the motors


def test_a_guess_picks_the_assembly_mode():
    """The tip of a five-bar on either side of its elbows, for the same motor positions."""
    r = mechanism("five_bar")
    T = r.home_pose
    q = gough.inverse_kinematics(r, T)
    bodies = gough.posture(r, T).bodies
    elbow_1 = (bodies["prox1"] @ r.joint("e_1").parent_frame.matrix)[:2, 3]
    elbow_2 = (bodies["prox2"] @ r.joint("e_2").parent_frame.matrix)[:2, 3]
    along = (elbow_2 - elbow_1) / np.linalg.norm(elbow_2 - elbow_1)
    arm = T[:2, 3] - elbow_1
    mirrored = 2.0 * (arm @ along) * along - arm
    angle = np.arctan2(mirrored[1], mirrored[0])
    other = T.copy()
    other[:2, 3] = elbow_1 + mirrored
    other[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    for mode in (T, other):
        found = gough.state_from_motors(r, q, near=mode).T_0p
        np.testing.assert_allclose(found, mode, atol=1e-10)
    assert np.abs(T - other).max() > 0.1


def test_motors_that_cannot_be_led_there():
    r = robot("delta")
    q = gough.inverse_kinematics(r, r.home_pose)
    with pytest.raises(gough.errors.UnreachablePose, match="motors can be led"):
        gough.state_from_motors(r, q + np.array([3.0, -3.0, 0.0]))


def test_inverse_dynamics_from_the_motors():
    """[BK] (2): efforts from motor positions, rates and accelerations."""
    r = robot("gough_stewart")
    state = gough.state(r, *random_freedoms("gough_stewart", 2, 0.05))
    q = gough.inverse_kinematics(r, state)
    qd, qdd = gough.motor_rates(r, state), gough.motor_accelerations(r, state)
    tau = gough.inverse_dynamics(r, gough.state_from_motors(r, q, qd, qdd))
    assert relative(tau, gough.inverse_dynamics(r, state)) < 1e-9
