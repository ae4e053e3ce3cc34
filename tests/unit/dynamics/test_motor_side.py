"""Efforts behind gears and screws."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.errors import InputError
from robots import random_freedoms, robot


def geared(**figures):
    r = robot("gough_stewart")
    gear = gough.Transmission.from_screw(0.01, **figures)
    joints = [
        dataclasses.replace(j, axes=(dataclasses.replace(j.axes[0], transmission=gear),))
        if j.name in r.motors
        else j
        for j in r.joints
    ]
    return dataclasses.replace(r, joints=tuple(joints)), 2.0 * np.pi / 0.01


@pytest.fixture(scope="module")
def motion():
    return gough.state(robot("gough_stewart"), *random_freedoms("gough_stewart", 4, 0.05))


def rates(r, motion):
    return gough.motor_rates(r, motion), gough.motor_accelerations(r, motion)


def test_without_losses_power_passes_unchanged(motion):
    r, ratio = geared(motor_inertia=2e-5)
    tau = gough.inverse_dynamics(r, motion)
    qd, qdd = rates(r, motion)
    found = gough.motor_side(r, tau, qd, qdd)
    np.testing.assert_allclose(found.torque, tau / ratio, rtol=1e-12)
    np.testing.assert_allclose(found.speed, qd * ratio, rtol=1e-14)
    np.testing.assert_allclose(found.power, tau * qd, rtol=1e-12)


def test_losses_are_a_share_of_the_power_that_flows(motion):
    """The motor gives 1/0.8 of what the axis takes, or gets 0.8 of what it gives."""
    r, ratio = geared(motor_inertia=2e-5, efficiency=0.8)
    qd, qdd = rates(r, motion)
    with_rotors = gough.inverse_dynamics(r, motion)
    rotor = r.axis(r.motors[0]).reflected_inertia - r.axis(r.motors[0]).rotor_inertia
    assert rotor == pytest.approx(2e-5 * ratio**2)
    found = gough.motor_side(r, with_rotors, qd, qdd)
    own = r.axis(r.motors[0]).reflected_inertia * qdd / ratio
    through = with_rotors - own * ratio
    driving = through * qd > 0.0
    assert driving.any()
    assert not driving.all()
    expected = np.where(driving, through / 0.8, through * 0.8) / ratio + own
    np.testing.assert_allclose(found.torque, expected, rtol=1e-12)
    lost = (found.torque - own) * found.speed - through * qd
    assert (lost > 0.0).all()


def test_at_rest_nothing_is_lost(motion):
    r, ratio = geared(efficiency=0.5)
    still = np.zeros(6)
    tau = gough.inverse_dynamics(r, motion.T_0p[0])
    found = gough.motor_side(r, tau, still, still)
    np.testing.assert_allclose(found.torque, tau / ratio, rtol=1e-14)


def test_plain_motors_are_left_alone():
    r = robot("delta")
    tau, qd, qdd = np.random.default_rng(0).normal(size=(3, 5, 3))
    found = gough.motor_side(r, tau, qd, qdd)
    assert (found.speed == qd).all()
    np.testing.assert_allclose(found.torque, tau, rtol=1e-14)


def test_shapes_are_checked():
    with pytest.raises(InputError, match=r"qd has shape \(2,\), expected \(\.\.\., 3\)"):
        gough.motor_side(robot("delta"), np.zeros(3), np.zeros(2), np.zeros(3))


def test_samples_that_are_no_numbers_stay_so():
    tau = np.array([[1.0, 2.0, 3.0], [np.nan] * 3])
    found = gough.motor_side(robot("delta"), tau, np.ones(3), np.ones(3))
    assert np.isfinite(found.torque[0]).all()
    assert np.isnan(found.torque[1]).all()
