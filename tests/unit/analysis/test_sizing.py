"""Figures of motors against closed formulas."""

import numpy as np
import pytest

import gough
from gough.analysis import analyse
from gough.analysis.sizing import size

MASS, G, AMPLITUDE, OMEGA = 2.0, 9.81, 0.1, 4.0


@pytest.fixture(scope="module")
def cycle():
    return np.linspace(0.0, 2.0 * np.pi / OMEGA, 2001)


def test_figures_of_a_sine_are_those_of_the_textbook(lift, cycle):
    A, B, C = 3.0, 5.0, 0.7
    tau = (B + A * np.sin(OMEGA * cycle))[:, None]
    qd = C * np.cos(OMEGA * cycle)[:, None]
    (one,) = size(lift(), cycle, tau, qd, 0.0 * qd, holding=0.0 * tau + B)
    f = one.axis
    # the rectangle rule is exact for whole periods of low harmonics; peaks lie on samples
    assert np.isclose(f.peak, A + B, rtol=1e-12)
    assert np.isclose(f.rms, np.sqrt(B**2 + A**2 / 2.0), rtol=1e-9)
    assert np.isclose(f.speed, C, rtol=1e-12)
    assert np.isclose(f.rms_speed, C / np.sqrt(2.0), rtol=1e-9)
    assert np.isclose(f.mean_speed, 2.0 * C / np.pi, rtol=1e-5)
    assert np.isclose(f.mean_power, 0.0, atol=1e-9)
    assert np.isclose(f.given, f.regenerated, rtol=1e-9)
    assert np.isclose(f.holding, B)
    assert f.continuous == (f.rms, f.mean_speed)
    assert (f.effort_unit, f.speed_unit) == ("N", "m/s")
    assert one.effort_limit is one.effort_use is one.speed_use is None


def test_energy_of_a_pure_sine_comes_back(lift, cycle):
    tau, qd = np.sin(OMEGA * cycle)[:, None], np.cos(OMEGA * cycle)[:, None]
    (one,) = size(lift(), cycle, tau, qd, 0.0 * qd)
    # half of sin(2 w t): two humps of 1/(2 w) each
    assert np.isclose(one.axis.given, 1.0 / OMEGA, rtol=1e-5)
    assert np.isclose(one.axis.regenerated, 1.0 / OMEGA, rtol=1e-5)
    assert np.isclose(one.axis.power, 0.5, rtol=1e-5)
    assert np.isclose(one.axis.braking, 0.5, rtol=1e-5)
    assert np.isnan(one.axis.holding)


def test_a_screw_with_losses_and_rotor_is_seen_on_its_shaft(lift, swing):
    gear = gough.Transmission.from_screw(0.01, motor_inertia=2e-5, efficiency=0.8)
    limits = gough.Limits(effort=25.0, velocity=0.5)
    robot = lift(gough.Axis(transmission=gear, limits=limits))
    found = analyse(robot, swing(robot), agreement=False)
    (one,) = found.sizing
    N, t = gear.ratio, found.t
    qd, qdd = AMPLITUDE * OMEGA * np.cos(OMEGA * t), -AMPLITUDE * OMEGA**2 * np.sin(OMEGA * t)
    load, rotor = MASS * (G + qdd), N**2 * 2e-5 * qdd
    assert np.allclose(found.tau[:, 0], load + rotor, rtol=1e-12)
    # while it lifts the motor gives 1/0.8 of what arrives, while it lowers it gets 0.8 of it
    torque = (load * 0.8 ** -np.sign(qd) + rotor) / N
    moving = np.abs(qd) > 1e-9
    assert moving.sum() > 490
    assert np.allclose(found.motor.torque[moving, 0], torque[moving], rtol=1e-9)
    assert np.isclose(one.motor.peak, np.abs(torque).max(), rtol=1e-3)
    assert np.isclose(one.motor.speed, N * AMPLITUDE * OMEGA, rtol=1e-12)
    assert np.isclose(one.motor.holding, MASS * G / N, rtol=1e-12)
    assert (one.motor.effort_unit, one.motor.speed_unit) == ("N m", "rad/s")
    assert np.isclose(one.effort_use, np.abs(load + rotor).max() / 25.0, rtol=1e-12)
    assert np.isclose(one.speed_use, AMPLITUDE * OMEGA / 0.5, rtol=1e-12)
    assert one.ratio == N


def test_samples_that_cannot_be_are_left_out(lift, cycle):
    tau, qd = np.ones((len(cycle), 1)), np.ones((len(cycle), 1))
    tau[1000:], qd[1000:] = np.nan, np.nan
    (one,) = size(lift(), cycle, tau, qd, 0.0 * qd)
    assert one.axis.peak == one.axis.rms == one.axis.mean_power == 1.0
