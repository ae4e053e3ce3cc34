"""Tests at rest and at constant speeds: gravity from a handful of poses, friction from speeds."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from cases import motion
from gough.errors import InputError, NotIdentifiable
from robots import relative, robot

FRICTION = 0.3


def at_rest(name: str, count: int, noise: float) -> tuple[gough.Robot, list, np.ndarray]:
    """A machine off its description: its efforts at rest from both directions, and the mean."""
    r, rng = robot(name), np.random.default_rng(7)
    bodies = tuple(replace(b, mass=b.mass * rng.uniform(0.7, 1.4)) for b in r.bodies)
    T = motion(name, count, 0.1, 2).T_0p
    tau = gough.inverse_dynamics(replace(r, bodies=bodies), T)
    held = FRICTION * np.arange(1, len(r.motors) + 1)
    both = [tau + s * held + noise * rng.normal(size=tau.shape) for s in (1.0, -1.0)]
    return r, [T, *both], tau


@pytest.mark.parametrize(("name", "count"), [("five_bar", 8), ("delta", 12), ("tilt_3rps", 14)])
def test_efforts_of_gravity_come_back(name, count):
    r, data, tau = at_rest(name, count, 0.0)
    found = gough.gravity_at_rest(r, *data)
    assert relative(found.efforts, tau) < 1e-9  # rounding, times the condition
    assert np.allclose(found.friction, FRICTION * np.arange(1, len(r.motors) + 1))
    assert not any(name.endswith(("Ixx", "Izz", "viscous")) for name in found.leading)
    # sums of the true machine: the same poses show them
    assert len(found.values) < count * len(r.motors)


def test_gravity_with_noise_has_its_standard_deviation():
    r, data, tau = at_rest("five_bar", 40, 0.02)
    found = gough.gravity_at_rest(r, *data)
    exact = gough.gravity_at_rest(r, data[0], tau, tau)
    assert found.leading == exact.leading
    beside = (found.values - exact.values) / found.std
    assert np.abs(beside).max() < 4.0  # of some ten numbers of deviation one
    # the mean of two efforts, less what the fit takes of the noise
    free = tau.size - len(found.values)
    left = 0.02 / np.sqrt(2.0) * np.sqrt(free / tau.size)
    assert found.rms == pytest.approx(left, rel=3.0 / np.sqrt(2.0 * free))  # three deviations
    assert np.abs(found.efforts - tau).max() < 0.02


def test_too_few_poses_are_refused():
    r, data, _ = at_rest("delta", 1, 0.0)
    with pytest.raises(NotIdentifiable, match="1 pose of 3 motors give 3 efforts"):
        gough.gravity_at_rest(r, *data)
    with pytest.raises(InputError, match="forwards has shape"):
        gough.gravity_at_rest(r, data[0], data[1][0], data[2])


SPEEDS = np.array([-3.0, -2.0, -1.0, -0.2, 0.2, 1.0, 2.0, 3.0])


def test_friction_of_one_axis_and_of_many():
    effort = 0.4 * SPEEDS + 0.9 * np.sign(SPEEDS) + 0.1
    one = gough.friction_at_speeds(SPEEDS, effort)
    assert (one.viscous, one.coulomb, one.offset) == pytest.approx((0.4, 0.9, 0.1), abs=1e-12)
    two = gough.friction_at_speeds(
        np.stack([SPEEDS, SPEEDS / 2.0], axis=1), np.stack([effort, 2.0 * effort], axis=1)
    )
    assert np.allclose(two.viscous, [0.4, 1.6])
    assert np.allclose(two.coulomb, [0.9, 1.8])
    assert np.allclose(two.offset, [0.1, 0.2])
    assert two.residuals.shape == (8, 2)


def test_friction_with_noise_has_its_standard_deviation():
    rng, beside = np.random.default_rng(4), []
    speed = np.tile(SPEEDS, 4)
    for _ in range(100):
        effort = 0.4 * speed + 0.9 * np.sign(speed) + 0.05 * rng.normal(size=speed.shape)
        found = gough.friction_at_speeds(speed, effort)
        off = np.array([found.viscous - 0.4, found.coulomb - 0.9, found.offset])
        beside.append(off / found.std)
    # 300 numbers, the first two of each three not independent: a tenth or so
    assert np.sqrt(np.mean(np.square(beside))) == pytest.approx(1.0, abs=0.2)


def test_friction_that_the_model_has_not_is_in_the_residuals():
    stribeck = 0.5 * np.exp(-((SPEEDS / 0.3) ** 2)) * np.sign(SPEEDS)
    found = gough.friction_at_speeds(SPEEDS, 0.4 * SPEEDS + 0.9 * np.sign(SPEEDS) + stribeck)
    assert found.rms > 0.05
    assert found.residuals[4] > 0.0 > found.residuals[3]  # the slowest rub more than the fit says


def test_one_direction_is_not_enough():
    forwards = np.array([0.5, 1.0, 2.0, 3.0])
    with pytest.raises(NotIdentifiable, match="axis 0"):
        gough.friction_at_speeds(forwards, forwards)
    with pytest.raises(InputError, match="zeros"):
        gough.friction_at_speeds(SPEEDS * (np.abs(SPEEDS) > 0.5), SPEEDS)
