"""Data of motors: checked, kept once, reflected to their axes, and written to files."""

from dataclasses import replace
from math import inf, pi

import numpy as np
import pytest

import gough
from gough.errors import DescriptionError
from gough.robot.file import dumps, reads
from robots import robot

CURVE = ((0.0, 2.4), (300.0, 2.4), (500.0, 0.9))


def with_motor(r: gough.Robot, axis: gough.Axis) -> gough.Robot:
    """The robot with this axis at its first motor."""
    joints = [replace(j, axes=(axis,)) if j.name == r.motors[0] else j for j in r.joints]
    return replace(r, joints=tuple(joints))


def test_a_curve_is_linear_between_points_and_constant_before_the_first():
    motor = gough.Motor(peak=2.4, continuous=0.8, curve=CURVE)
    assert motor.top_speed == 500.0
    for speed, torque in {0.0: 2.4, 150.0: 2.4, 400.0: 1.65, -400.0: 1.65, 501.0: 0.0}.items():
        assert motor.torque_at(speed) == pytest.approx(torque, rel=1e-15)
    late = gough.Motor(curve=[[100, 2], [200, 1]])
    assert (late.curve, late.torque_at(0.0)) == (((100.0, 2.0), (200.0, 1.0)), 2.0)


def test_without_a_curve_the_peak_counts_up_to_the_speed():
    motor = gough.Motor(peak=2.0, speed=300)
    assert (motor.torque_at(300.0), motor.torque_at(301.0), motor.top_speed) == (2.0, 0.0, 300.0)
    assert (gough.Motor().torque_at(1e6), gough.Motor().top_speed) == (inf, None)


@pytest.mark.parametrize(
    ("figures", "path", "words"),
    [
        ({"peak": 0.0}, "motor.peak", ""),
        ({"peak": np.nan}, "motor.peak", ""),
        ({"continuous": -1.0}, "motor.continuous", ""),
        ({"rotor_inertia": -1e-5}, "motor.rotor_inertia", ""),
        ({"peak": 1.0, "continuous": 1.5}, "motor.continuous", "is 1.5, more than the peak of 1"),
        ({"speed": 10.0, "curve": CURVE}, "motor.speed", "is 10 beside a curve that ends at 500"),
        ({"peak": 2.0, "curve": CURVE}, "motor.curve", "reaches 2.4, more than the peak of 2"),
        ({"continuous": 3.0, "curve": CURVE}, "motor.continuous", "more than the curve has"),
        ({"curve": [[0, 1]]}, "motor.curve", "two points"),
        ({"curve": [[0, 1], [0, 2]]}, "motor.curve[1]", "the speed 0 comes after 0"),
        ({"curve": [[0, 1], [5]]}, "motor.curve[1]", "expected [speed, torque]"),
        ({"curve": [[-1, 1], [5, 1]]}, "motor.curve[0][0]", ""),
        ({"curve": [[0, 0], [5, 0]]}, "motor.curve", "no torque"),
    ],
)
def test_what_no_motor_is(figures, path, words):
    with pytest.raises(DescriptionError) as caught:
        gough.Motor(**figures)
    assert caught.value.path == path
    assert words in caught.value.message


@pytest.mark.parametrize(
    "others", [{"rotor_inertia": 0.02}, {"transmission": gough.Transmission(10.0, 2e-4)}]
)
def test_a_rotor_is_given_once(others):
    with pytest.raises(DescriptionError, match="twice") as caught:
        gough.Axis(**others, motor=gough.Motor(rotor_inertia=3e-4))
    assert "0.0003" in caught.value.message
    assert any(figure in caught.value.message for figure in ("0.02", "0.0002"))


def test_a_gear_that_gives_way_is_stiff():
    gear = gough.Transmission.from_screw(0.01, stiffness=5e7)
    assert (gear.ratio, gear.stiffness) == (pytest.approx(200 * pi), 5e7)
    with pytest.raises(DescriptionError, match=r"transmission\.stiffness"):
        gough.Transmission(stiffness=0.0)


def test_a_ball_has_no_motor():
    axis = gough.Axis(motor=gough.Motor())
    with pytest.raises(DescriptionError, match="no motor"):
        gough.Joint("ball", "spherical", "base", "b", axes=(axis,))


def test_the_rotor_is_felt_at_the_axis_wherever_it_is_given():
    """Of one machine described in three ways: the same efforts, and the same on the shaft."""
    r, gear = robot("five_bar"), {"ratio": 12.0, "efficiency": 0.9}
    figures = {"viscous": 0.02, "coulomb": 0.01}
    ways = [
        gough.Axis(**figures, rotor_inertia=144 * 5e-5, transmission=gough.Transmission(**gear)),
        gough.Axis(**figures, transmission=gough.Transmission(**gear, motor_inertia=5e-5)),
        gough.Axis(
            **figures,
            transmission=gough.Transmission(**gear, stiffness=900.0),
            motor=gough.Motor(2.4, 0.8, curve=CURVE, rotor_inertia=5e-5),
        ),
    ]
    state = gough.state(r, r.home_pose[:2, 3], [0.3, -0.2], [4.0, 3.0])
    answers = []
    for axis in ways:
        one = with_motor(r, axis)
        with gough.options(engine="numpy"):
            tau = gough.inverse_dynamics(one, state)
        qd = gough.motor_rates(one, state)
        side = gough.motor_side(one, tau, qd, gough.motor_accelerations(one, state))
        answers.append([tau, side.torque, side.speed])
    # 144 * 5e-5 is rounded once more
    np.testing.assert_allclose(answers[1], answers[0], rtol=1e-14)
    np.testing.assert_array_equal(answers[2], answers[1])
    perturbed = gough.control.perturb(with_motor(r, ways[2]), rotors=1.1)
    assert perturbed.axis("foot1").motor.rotor_inertia == pytest.approx(5.5e-5)


def test_files_have_motors():
    motor = gough.Motor(2.4, 0.8, curve=CURVE, rotor_inertia=5e-5)
    axis = gough.Axis(transmission=gough.Transmission(12.0, stiffness=900.0), motor=motor)
    one = with_motor(robot("five_bar"), axis)
    text = dumps(one)
    assert text.startswith("gough: 2\n")
    assert reads(text) == one
    assert reads(text).axis("foot1").motor == motor
    plain = dumps(robot("five_bar"))
    assert plain.startswith("gough: 1\n")


def test_a_motor_in_a_file_is_refused_by_its_key(refused, small):
    text = small.replace("gough: 1", "gough: 2")
    error = refused(("viscous: 0.1", "motor: {peak: 1, continuous: 2}"), text=text)
    assert (error.path, error.line) == ("joints.hinge.motor.continuous", 16)
    error = refused(("viscous: 0.1", "motor: {ratio: 3}"), text=text)
    assert "belongs to 'transmission'" in error.hint
    error = refused(("viscous: 0.1", "motor: {peak: 1}"))
    assert (error.path, error.line) == ("joints.hinge.motor", 16)
    assert "Write 'gough: 3'" in error.hint
