"""Feedback on legs that a camera sees: what it needs to know, and what it does not."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough import control, motion, vision
from gough.errors import InputError
from robots import robot as load

BANDWIDTH = 60.0
PLACES = {
    "quattro": ((0.0, 0.0, 0.5), (0.001, 0.0, -0.6)),
    "gough_stewart": ((0.0, 0.0, -0.6), (0.0, 0.0, 0.4)),
}
OFF = 1e-3  # m and rad


def camera_of(name, **figures):
    position, target = PLACES[name]
    figures = {"rate": 250.0, "delay": 1.0 / 250.0} | figures
    return vision.Camera(vision.looking(position, target), focal=600.0, **figures)


@cache
def task_of(name):
    robot = load(name)
    end = np.array(robot.home_pose)
    end[:3, 3] += [0.03, 0.02, -0.02]
    return motion.point_to_point(robot, None, end, duration=0.2)


def start_of(plant, name):
    """The pose of a machine where its task begins."""
    home = task_of(name)(0.0).T_0p
    return gough.state(plant, [*home[:3, 3], *[0.0] * (plant.mobility - 3)]).T_0p


@cache
def law_of(name):
    sight = vision.Sight(camera_of(name), radius=0.015)
    return control.computed_torque(
        load(name), task_of(name), space="legs", bandwidth=BANDWIDTH, camera=sight
    )


@pytest.mark.parametrize("name", PLACES)
def test_the_exact_model_tracks_although_images_are_late(name):
    run = gough.simulate(load(name), start_of(load(name), name), law_of(name), 0.25)
    assert run.event is None
    # efforts are held for a period of 4 ms: within it a machine moves a T^2/8 off a straight line;
    # images are two periods old by the end of it, in which it has moved a hundred times as far
    largest = 5.78 * 0.041 / 0.2**2
    assert run.tracking.position.max() < largest * 0.004**2 / 8.0


@pytest.mark.parametrize("name", PLACES)
def test_zeros_of_motors_do_not_matter_to_legs(name):
    plant = control.perturb(load(name), zeros=OFF, seed=2)
    start = start_of(plant, name)
    by_legs = gough.simulate(plant, start, law_of(name), 0.25)
    by_motors = gough.simulate(
        plant,
        start,
        control.computed_torque(load(name), task_of(name), bandwidth=BANDWIDTH, period=1e-3),
        0.25,
    )
    # motors go to where their encoders are right: a share of 1 mm, or of 0.33 m times 1 mrad
    assert by_motors.tracking.position[-1] > 2e-4
    assert by_legs.tracking.position.max() < 2e-5  # as with the exact model


def test_a_camera_that_is_turned_turns_the_machine():
    """All directions are off by the same turn, and so is a platform that they show."""
    name, turn = "gough_stewart", 1e-3
    robot, camera = load(name), camera_of(name)
    T = np.array(camera.T_0c)
    c, s = np.cos(turn), np.sin(turn)
    T[:3, :3] = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ T[:3, :3]
    sight = vision.Sight(camera, believed=replace(camera, T_0c=T), radius=0.015)
    law = control.computed_torque(
        robot, task_of(name), space="legs", bandwidth=BANDWIDTH, camera=sight
    )
    run = gough.simulate(robot, start_of(robot, name), law, 0.3)
    # the base does not turn with it: somewhere between none and all, and not nothing
    assert 0.2 * turn < run.tracking.rotation[-1] < 3.0 * turn


def test_a_short_occlusion_is_bridged_and_a_long_one_ends_the_run():
    name = "gough_stewart"
    robot = load(name)

    def run(end):
        gone = ("cyl1", "cyl2", "cyl3", "cyl4")
        camera = camera_of(name, hidden=lambda t: gone if 0.1 < t < end else ())
        law = control.computed_torque(
            robot,
            task_of(name),
            space="legs",
            bandwidth=BANDWIDTH,
            camera=vision.Sight(camera, radius=0.015, patience=0.03),
        )
        return gough.simulate(robot, start_of(robot, name), law, 0.2)

    short, long = run(0.121), run(0.2)
    assert short.event is None
    assert short.tracking.position.max() < 2e-5  # the model is exact: prediction is, too
    assert long.event.kind == "efforts"
    assert "does not show the platform" in long.event.reason
    assert 0.13 <= long.event.time < 0.14  # patience, and a period


def test_encoders_help_where_too_few_legs_are_seen():
    name = "gough_stewart"
    robot = load(name)
    camera = camera_of(name)
    two = ("cyl1", "cyl4")
    law = control.computed_torque(
        robot,
        task_of(name),
        space="legs",
        bandwidth=BANDWIDTH,
        camera=vision.Sight(camera, radius=0.015, elements=two, encoders=robot.motors),
    )
    run = gough.simulate(robot, start_of(robot, name), law, 0.2)
    assert run.event is None
    assert run.tracking.position.max() < 1e-4
    alone = control.computed_torque(
        robot,
        task_of(name),
        space="legs",
        bandwidth=BANDWIDTH,
        camera=vision.Sight(camera, elements=two[:1]),
    )
    with pytest.raises(InputError, match="does not show the platform"):
        gough.simulate(robot, start_of(robot, name), alone, 0.1)


def test_a_camera_that_looks_away_is_told_at_the_start():
    name = "gough_stewart"
    robot = load(name)
    away = vision.Camera(vision.looking((0.0, 0.0, -0.6), (0.0, 0.0, -2.0)))
    law = control.computed_torque(
        robot, task_of(name), space="legs", bandwidth=BANDWIDTH, camera=away
    )
    with pytest.raises(InputError, match="x, y, z, rx, ry, rz may change unseen"):
        gough.simulate(robot, start_of(robot, name), law, 0.1)
    other = law_of(name)
    with pytest.raises(InputError, match="the machine has no leg"):
        gough.simulate(load("hexapod_6pus"), load("hexapod_6pus").home_pose, other, 0.1)


def test_noise_repeats_and_belongs_to_each_machine():
    name = "gough_stewart"
    robot = load(name)
    law = control.computed_torque(
        robot,
        task_of(name),
        space="legs",
        bandwidth=BANDWIDTH,
        camera=vision.Sight(camera_of(name, noise=0.2), radius=0.015),
        seed=5,
    )
    start = np.stack([start_of(robot, name)] * 2)
    first, second = (gough.simulate(robot, start, law, 0.04) for _ in range(2))
    assert np.array_equal(first.T_0p, second.T_0p)
    assert np.abs(first.T_0p[0] - first.T_0p[1]).max() > 1e-7


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ({"space": "legs"}, "camera"),
        ({"space": "legs", "camera": "webcam"}, "camera"),
        ({"space": "motors", "camera": camera_of("gough_stewart")}, "camera"),
        ({"space": "legs", "camera": camera_of("gough_stewart"), "period": 1e-3}, "period"),
        ({"space": "legs", "camera": camera_of("gough_stewart"), "delay": 1e-3}, "delay"),
        ({"space": "arms", "camera": camera_of("gough_stewart")}, "space"),
    ],
)
def test_arguments_are_checked(given, argument):
    name = "gough_stewart"
    with pytest.raises(InputError) as got:
        control.computed_torque(load(name), task_of(name), bandwidth=BANDWIDTH, **given)
    assert got.value.argument == argument


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ({"elements": ["leg1"]}, "elements"),
        ({"encoders": ["leg1"]}, "encoders"),
        ({"encoders": "leg1"}, "encoders"),
        ({"believed": 3}, "believed"),
        ({"direction_error": 0.0}, "direction_error"),
        ({"radius": -1.0}, "radius"),
        ({"patience": -1.0}, "patience"),
    ],
)
def test_sights_are_checked(given, argument):
    name = "gough_stewart"
    with pytest.raises(InputError) as got:
        control.computed_torque(
            load(name),
            task_of(name),
            space="legs",
            bandwidth=BANDWIDTH,
            camera=vision.Sight(camera_of(name), **given),
        )
    assert got.value.argument == argument


@cache
def _with_crosses(name):
    """A machine of the zoo whose universal joints have bodies, as in [BK] and [KI] Table 1."""
    legs = gough.zoo.parameters(name)["legs"]
    for leg in legs:
        leg["cross"] = {"mass": 0.5, "com": [0.0] * 3, "inertia_com": (1e-3 * np.eye(3)).tolist()}
    return gough.zoo.load(name, legs=legs)


@pytest.mark.parametrize(("name", "height"), [("gough_stewart", -0.6), ("space_3ups", -1.5)])
def test_crosses_of_universal_joints_are_not_looked_for(name, height):
    """They turn, and have a mass, but no length that an image could show."""
    robot = _with_crosses(name)
    middle = robot.home_pose[:3, 3]
    place = vision.looking([*middle[:2], height], middle)
    camera = vision.Camera(place, focal=400.0, rate=250.0, delay=1.0 / 250.0)
    sight = vision.Sight(camera, radius=0.015)
    assert {name[:3] for name in sight.names(robot.assembly)} == {"cyl"}
    with pytest.raises(InputError, match="'cross1' has no length"):
        replace(sight, elements=["cross1"]).names(robot.assembly)
    end = np.array(robot.home_pose)
    end[:3, 3] += [0.01, 0.005, -0.01]
    task = motion.point_to_point(robot, None, end, duration=0.1)
    law = control.computed_torque(robot, task, space="legs", bandwidth=BANDWIDTH, camera=sight)
    run = gough.simulate(robot, robot.home_pose, law, 0.12)
    assert run.event is None
    # efforts are held for a period: a T^2/8 off a straight line within it, as above
    assert run.tracking.position.max() < 5.78 * 0.015 / 0.1**2 * 0.004**2 / 8.0
