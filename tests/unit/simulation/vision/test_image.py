"""Images of legs, and directions from them."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import vision
from gough.errors import InputError
from robots import robot as load

PLACES = {
    "quattro": ((0.05, 0.03, 0.5), (0.0, 0.0, -0.6)),
    "gough_stewart": ((0.03, -0.05, -0.6), (0.0, 0.0, 0.4)),
    "five_bar": ((0.1, 0.2, 1.0), (0.12, 0.2, 0.0)),
}


def camera_of(name, **figures):
    position, target = PLACES[name]
    return vision.Camera(vision.looking(position, target), focal=600.0, **figures)


def exact(robot, T_0p):
    np.zeros(6)
    seen = gough.observe(robot, T_0p)
    return dict(zip(seen.elements, seen.x, strict=True))


@pytest.mark.parametrize("name", PLACES)
def test_directions_without_noise_are_those_of_the_legs(name):
    robot = load(name)
    T_0p = robot.home_pose
    camera, wanted = camera_of(name), exact(robot, T_0p)
    for radius in (0.004, 0.02):
        image = vision.take(camera, vision.cylinders(robot, T_0p, radius), names=tuple(wanted))
        assert set(image.outlines) == set(wanted)
        found = vision.directions(camera, image, wanted)
        for leg, x in wanted.items():
            # rounding in pixels, 1e-13, by the angle between the two planes, 0.01
            np.testing.assert_allclose(found[leg].x, x, atol=1e-12)


def test_noise_of_a_direction_is_that_of_first_order():
    robot = load("gough_stewart")
    noise, many = 0.2, 600
    camera = camera_of("gough_stewart", noise=noise)
    legs, wanted = vision.cylinders(robot, robot.home_pose, 0.02), exact(robot, robot.home_pose)
    rng, leg = np.random.default_rng(7), "cyl2"
    seen = [
        vision.directions(camera, vision.take(camera, legs, names=[leg], rng=rng), wanted)[leg]
        for _ in range(many)
    ]
    x = wanted[leg]
    off = np.array([each.x - x for each in seen])
    ideal = vision.take(replace(camera, noise=0.0), legs, names=[leg])
    spread = noise**2 * vision.directions(camera, ideal, wanted)[leg].spread
    sizes, along = np.linalg.eigh(spread)
    assert sizes[0] < 1e-12 * sizes[2]  # nothing along the leg itself
    # turns of both edges together are seen as they are, those against each other by cot b, where
    # 2 b is the angle between their planes: 40 here; shifts of the edges add to both
    there = next(each for each in legs if each.name == leg)
    foot = np.linalg.norm(np.cross(there.start - camera.T_0c[:3, 3], x))
    assert np.sqrt(sizes[2] / sizes[1]) == pytest.approx(foot / 0.02, rel=0.1)
    for i in (1, 2):
        # a standard deviation from n samples is known to 1 / sqrt(2 n); four times that
        ratio = np.sqrt((off @ along[:, i]).var() / sizes[i])
        assert abs(ratio - 1.0) < 4.0 / np.sqrt(2.0 * many)


def _pole(name, x, y, z, radius=0.02):
    return vision.Cylinder(name, np.array([x, y, z]), np.array([0.0, 1.0, 0.0]), 1.0, radius)


LOOK = vision.Camera(np.eye(4), focal=1000.0, size=(1000, 1000))


def test_a_shorter_edge_is_a_worse_direction():
    leg, y = _pole("leg", 0.1, -0.4, 2.0), {"leg": np.array([0.0, 1.0, 0.0])}
    sizes = []
    for length in (0.8, 0.4):
        shorter = leg._replace(start=np.array([0.1, -0.5 * length, 2.0]), length=length)
        found = vision.directions(LOOK, vision.take(LOOK, [shorter]), y)["leg"]
        sizes.append(np.trace(found.spread))
    # the variance of a slope goes with the third power of the length; a point more or less of 400
    assert sizes[1] / sizes[0] == pytest.approx(8.0, rel=0.02)


def test_what_is_behind_another_leg_is_not_seen():
    front, back = _pole("front", 0.0, -0.5, 2.0), _pole("back", 0.001, -0.5, 3.0)
    beside = _pole("beside", 0.4, -0.5, 3.0)
    image = vision.take(LOOK, [back, front, beside])
    assert set(image.outlines) == {"front", "beside"}
    assert image.shares == {"front": 1.0, "back": 0.0, "beside": 1.0}
    # half of it above the other's end is in view
    low = front._replace(length=0.5)
    shares = vision.take(LOOK, [back, low]).shares
    # seen at 2 m the lower one ends at 0 m, which hides the back one up to there
    assert shares["back"] == pytest.approx(0.5, abs=1.0 / 32.0)


def test_what_is_out_of_the_image_is_not_seen():
    leg = _pole("leg", 0.0, 0.0, 1.0)  # up to 1 m to the side, and the image ends at 0.5 m
    assert vision.take(LOOK, [leg]).shares["leg"] == pytest.approx(0.5, abs=1.0 / 32.0)
    strict = replace(LOOK, least_share=0.6)
    assert not vision.take(strict, [leg]).outlines
    behind = _pole("behind", 0.0, -0.5, -1.0)
    assert vision.take(LOOK, [behind]).shares["behind"] == 0.0


def test_something_else_hides_a_leg():
    legs = [_pole("a", 0.0, -0.5, 2.0), _pole("b", 0.3, -0.5, 2.0)]
    camera = replace(LOOK, hidden=lambda t: ["a"] if 1.0 <= t < 2.0 else [])
    assert set(vision.take(camera, legs, time=0.5).outlines) == {"a", "b"}
    assert set(vision.take(camera, legs, time=1.5).outlines) == {"b"}


def test_noise_repeats():
    legs, camera = [_pole("a", 0.0, -0.5, 2.0)], replace(LOOK, noise=0.3)
    first, second = (vision.take(camera, legs).outlines["a"].lines for _ in range(2))
    assert np.array_equal(first, second)
    assert np.abs(first - vision.take(LOOK, legs).outlines["a"].lines).max() > 1e-5


@pytest.mark.parametrize(
    ("figures", "argument"),
    [
        ({"focal": 0.0}, "focal"),
        ({"rate": -1.0}, "rate"),
        ({"noise": -0.1}, "noise"),
        ({"delay": np.inf}, "delay"),
        ({"least_share": 1.5}, "least_share"),
        ({"size": (100,)}, "size"),
        ({"size": (100, 0.5)}, "size[1]"),
        ({"hidden": "arm1"}, "hidden"),
    ],
)
def test_cameras_that_make_no_sense_are_refused(figures, argument):
    with pytest.raises(InputError) as got:
        vision.Camera(np.eye(4), **figures)
    assert got.value.argument == argument


def test_poses_of_cameras_are_checked():
    with pytest.raises(InputError, match="not right-handed unit vectors"):
        vision.Camera(np.diag([1.0, 1.0, -1.0, 1.0]))
    with pytest.raises(InputError, match="the camera is where it looks at"):
        vision.looking((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    T = vision.looking((0.0, 0.0, 2.0), (0.0, 0.0, 0.0))  # along its own "up"
    np.testing.assert_allclose(T[:3, 2], [0.0, 0.0, -1.0])
    np.testing.assert_allclose(T[:3, :3].T @ T[:3, :3], np.eye(3), atol=1e-15)


def test_unknown_legs_are_refused():
    with pytest.raises(InputError, match="there is no leg 'c'"):
        vision.take(LOOK, [_pole("a", 0.0, -0.5, 2.0)], names=["c"])
    image = vision.take(LOOK, [_pole("a", 0.0, -0.5, 2.0)])
    with pytest.raises(InputError, match="no direction of leg 'a'"):
        vision.directions(LOOK, image, {})
    with pytest.raises(InputError, match="radius has an unknown element"):
        vision.cylinders(load("five_bar"), load("five_bar").home_pose, {"leg": 0.1})
