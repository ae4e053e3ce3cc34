"""Machines whose joints are not where the model has them."""

import numpy as np
import pytest

import gough
from fuzz.sketch import Sketch, misdrawn
from gough import control
from gough.errors import InputError
from robots import robot as load


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("quattro", {"positions": 1e-3, "zeros": 1e-3}),
        ("delta", {"positions": 1e-3, "zeros": 1e-3}),
        ("gough_stewart", {"positions": 1e-3, "axes": 1e-3, "zeros": 1e-3}),
        ("tilt_3rps", {"positions": 1e-3, "axes": 1e-3}),
    ],
)
def test_the_machine_moves_as_before_but_elsewhere(name, errors):
    robot = load(name)
    plant = control.perturb(robot, seed=3, **errors)
    assert (plant.mobility, plant.freedoms) == (robot.mobility, robot.freedoms)
    for before, after in zip(robot.joints, plant.joints, strict=True):
        for frame in ("parent_frame", "child_frame"):
            a, b = getattr(before, frame), getattr(after, frame)
            moved = np.linalg.norm(np.subtract(a.position, b.position))
            # its own millimetre, and the zero of a slide
            assert abs(moved - 1e-3) < 1e-3 + 1e-12
            turn = np.array(a.rotation).T @ np.array(b.rotation)
            angle = np.linalg.norm(turn - turn.T) / np.sqrt(8.0)
            assert angle < 2.01e-3
    np.zeros(6)
    tau = gough.inverse_dynamics(plant, plant.home_pose)
    assert np.isfinite(tau).all()


def test_bars_of_a_parallelogram_stay_parallel():
    plant = control.perturb(load("quattro"), positions=1e-3, seed=1)
    assert gough.observe(plant, plant.home_pose).elements == (
        *("arm1", "bar1a", "arm2", "bar2a", "arm3", "bar3a", "arm4", "bar4a"),
    )


def test_zeros_are_only_another_count():
    robot = load("gough_stewart")
    plant = control.perturb(robot, zeros={robot.motors[1]: 2e-3})
    T = robot.home_pose
    off = gough.inverse_kinematics(plant, T) - gough.inverse_kinematics(robot, T)
    np.testing.assert_allclose(np.abs(off), [0.0, 2e-3, 0.0, 0.0, 0.0, 0.0], atol=1e-12)


def test_a_machine_drawn_without_a_home_stays_in_its_mode():
    robot = misdrawn(Sketch(np.random.default_rng(0)), load("gough_stewart"), 0.0)
    plant = control.perturb(robot, positions=1e-2, seed=2)
    assert np.linalg.norm((plant.home_pose - robot.home_pose)[:3, 3]) < 3e-2
    assert not plant.findings


def test_it_repeats_by_its_seed_and_nothing_is_nothing():
    robot = load("gough_stewart")
    a, b, c = (control.perturb(robot, positions=1e-3, seed=k) for k in (1, 1, 2))
    assert a == b
    assert a != c
    assert control.perturb(robot, positions=0.0, seed=4) == control.perturb(robot)


def test_a_machine_that_would_be_stuck_is_refused():
    with pytest.raises(InputError, match="quattro with its joints elsewhere does not move") as got:
        control.perturb(load("quattro"), axes=1e-3)
    assert got.value.argument == "axes"


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ({"positions": -1.0}, "positions"),
        ({"axes": {"joint": 1e-3}}, "axes"),
        ({"zeros": {"u1": 1e-3}}, "zeros"),
        ({"positions": 1e-3, "seed": 0.5}, "seed"),
    ],
)
def test_arguments_are_checked(given, argument):
    with pytest.raises(InputError) as got:
        control.perturb(load("gough_stewart"), **given)
    assert got.value.argument == argument
