"""From images to efforts: directions, rates and accelerations as the camera has them."""

import numpy as np
import pytest

import gough
from gough import vision
from gough.errors import InputError
from robots import robot as load

RATE = 1000.0
ROBOT = "gough_stewart"
CAMERA = vision.Camera(vision.looking((0.03, -0.05, -0.6), (0.0, 0.0, 0.4)), focal=600.0, rate=RATE)
LAST = 60


def moving(robot, t):
    """A motion with constant accelerations of the platform's coordinates."""
    v = np.array([0.3, -0.2, 0.1, 0.5, 0.4, -0.6])
    a = np.array([1.0, 2.0, -1.0, 0.5, -1.0, 1.0])
    x = np.array([0.02, -0.02, 0.63, 0.05, -0.05, 0.1])
    t = np.asarray(t)[..., None]
    return gough.state(robot, x + v * t + 0.5 * a * t**2, v + a * t, a + 0.0 * t)


def images(robot, names=None, camera=CAMERA):
    rng = np.random.default_rng(1)
    t = np.arange(LAST + 1) / RATE
    return [
        vision.take(camera, vision.cylinders(robot, T, 0.02), names=names, time=s, rng=rng)
        for s, T in zip(t, moving(robot, t).T_0p, strict=True)
    ]


def test_efforts_from_images_are_those_of_the_motion():
    robot = load(ROBOT)
    taken = images(robot)
    state = moving(robot, LAST / RATE)
    exact = gough.observe(robot, state)
    seen = vision.observe(robot, CAMERA, taken, sensors=exact)
    assert seen.elements == exact.elements
    assert seen.lengths == exact.lengths
    # the jerk of a direction is some 5 rad/s^3 and the bandwidth 300 rad/s: j/w^3, 3 j/w^2, 3 j/w
    np.testing.assert_allclose(seen.x, exact.x, atol=5.0 / 300.0**3)
    np.testing.assert_allclose(seen.xd, exact.xd, atol=15.0 / 300.0**2)
    np.testing.assert_allclose(seen.xdd, exact.xdd, atol=15.0 / 300.0)
    tau = gough.inverse_dynamics_observed(robot, seen)
    wanted = gough.inverse_dynamics(robot, state)
    assert np.abs(tau - wanted).max() < 0.01 * np.abs(wanted).max()


def test_four_directions_and_encoders_are_enough():
    robot = load(ROBOT)
    names = ("cyl1", "cyl3", "cyl4", "cyl6")
    state = moving(robot, LAST / RATE)
    sensors = gough.observe(robot, state, elements=(), lengths=(), encoders=robot.motors[:3])
    seen = vision.observe(robot, CAMERA, images(robot, names), sensors=sensors)
    assert seen.elements == names
    assert seen.encoders == robot.motors[:3]
    tau = gough.inverse_dynamics_observed(robot, seen, near=state.T_0p)
    wanted = gough.inverse_dynamics(robot, state)
    assert np.abs(tau - wanted).max() < 0.02 * np.abs(wanted).max()


def test_one_image_shows_no_rates():
    robot = load(ROBOT)
    seen = vision.observe(robot, CAMERA, images(robot)[0])
    assert not seen.xd.any()
    assert not seen.xdd.any()
    assert len(seen.elements) == 6


def test_later_is_predicted():
    robot = load(ROBOT)
    delay = 3.0 / RATE
    exact = gough.observe(robot, moving(robot, LAST / RATE + delay))
    seen = vision.observe(robot, CAMERA, images(robot), time=LAST / RATE + delay)
    late = vision.observe(robot, CAMERA, images(robot))
    # j/6 (3/w)^3 or so ahead of time; without prediction it is three milliseconds old
    assert np.abs(seen.x - exact.x).max() < 10.0 * 5.0 / 300.0**3
    assert np.abs(late.x - exact.x).max() > 1e-3


def test_nothing_seen_is_refused_with_figures():
    robot = load(ROBOT)
    away = vision.Camera(vision.looking((0.0, 0.0, -0.6), (0.0, 0.0, -2.0)))
    image = vision.take(away, vision.cylinders(robot, robot.home_pose))
    with pytest.raises(InputError, match="no leg is seen at 0 s; in view are of cyl1 0 %"):
        vision.observe(robot, away, image)
    with pytest.raises(InputError, match="expected images"):
        vision.observe(robot, away, [])
