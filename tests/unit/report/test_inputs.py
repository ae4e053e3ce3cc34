"""What went in: dimensions, drives, friction, loads and motion as a reader knows them."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.report import dimensions, machine_inputs
from gough.report.blocks import alike, names_text, vector
from gough.report.inputs import parameter_lines
from gough.report.load_words import load_lines
from gough.simulation.words import drive_lines
from robots import robot


def cells(block):
    return {row[0]: row[1:] for row in block.rows}


def test_a_delta_has_its_dimensions():
    """Arm 0.2 m, bars 0.48 m, 70 mm between the bars: as its parameters are."""
    delta = robot("delta")
    found = {names.partition(" … ")[0]: rest for names, *rest in dimensions.lengths(delta).rows}
    assert found["arm1 – u1a"] == ["0.2 m", "–"]
    assert found["u1a – b1a"] == ["0.48 m", "–"]
    assert ["0.07 m", "–"] in found.values()
    points = cells(dimensions.attachments(delta))
    assert points["arm1"] == ("base", "(0.16, 0, 0) m", "(0, 1, 0)")
    assert points["b1b"] == ("platform", "(0.05, −0.035, 0) m", "–")  # noqa: RUF001
    (masses,) = [row for row in machine_inputs.masses(delta).rows if row[0].startswith("arm")]
    assert masses[:2] == ("arm1, arm2, arm3 (3 alike)", "0.9 kg")


def test_axes_that_cross_have_an_angle():
    """A spherical linkage has no lengths, only angles between axes that meet."""
    tilted = gough.Frame.from_axes((0.0, 0.0, 0.0), z=(0.0, np.sin(0.7), np.cos(0.7)))
    link = gough.Body("link", 1.0, inertia=np.eye(3).tolist())
    end = replace(link, name="end")
    joints = [
        gough.Joint("one", "revolute", "base", "link"),
        gough.Joint("two", "revolute", "link", "end", parent_frame=tilted),
    ]
    arm = gough.Robot("arm", [link, end], joints, "end", motors=["one", "two"])
    (row,) = dimensions.lengths(arm).rows
    assert row == ("one – two", "0 m", f"{np.degrees(0.7):.4g}°")


def test_drives_friction_and_limits_are_said():
    curve = ((0.0, 2.0), (300.0, 2.0), (500.0, 0.8))
    motor = gough.Motor(continuous=1.0, curve=curve, rotor_inertia=3e-5)
    gear = gough.Transmission(ratio=20.0, efficiency=0.9)
    spring = gough.Spring(12.0, rest=0.3)
    limits = gough.Limits(position=(-1.0, 1.0), velocity=3.0, effort=30.0)
    driven = gough.Axis(0.1, 0.2, transmission=gear, motor=motor, limits=limits)
    passive = gough.Axis(coulomb=0.03, spring=spring)
    body = gough.Body("link", 1.0, inertia=np.eye(3).tolist())
    far = gough.Frame((0.5, 0.0, 0.0))
    joints = [
        gough.Joint("one", "revolute", "base", "link", axes=[driven]),
        gough.Joint("two", "revolute", "link", "end", parent_frame=far, axes=[passive]),
    ]
    made = gough.Robot("m", [body, replace(body, name="end")], joints, "end", motors=["one", "two"])
    block = machine_inputs.drives(made)
    one = cells(block)["one"]
    assert one == ("20", "90 %", "3e-05 kg m²", "2 N m", "1 N m", "500 rad/s (4775 rpm)")
    assert cells(block)["two"] == ("none", "–", "none", "–", "–", "–")
    assert "0.8 N m at 500 rad/s (4775 rpm)" in block.note
    friction = cells(machine_inputs.friction(made))
    assert friction["one"] == ("actuated", "0.1 N m s/rad", "0.2 N m", "–", "–")
    assert friction["two"][2:4] == ("0.03 N m", "12 N m/rad, at rest at 0.3 rad")
    limit = cells(machine_inputs.limits(made))["one"]
    assert limit[1:] == ("3 rad/s", "30 N m")
    assert limit[0].endswith("(-57.3° to 57.3°)")


def test_names_that_are_alike_share_a_row():
    rows = alike([("a", ("1",)), ("b", ("2",)), ("c", ("1",))])
    assert rows == [("a, c (2 alike)", "1"), ("b", "2")]
    assert names_text(list("abcdef")) == "a … f (6 alike)"
    assert vector([1e-18, 0.5]) == "(0, 0.5)"


def test_loads_are_said():
    t = np.linspace(0.0, 1.0, 11)
    mass = np.where((t > 0.25) & (t < 0.75), 0.6, 0.0)
    force = gough.Force("platform", [1.0, 0.0, 0.0], point=[0.0, 0.0, 0.1])
    push = gough.Force("arm1", np.outer(t, [0.0, 0.0, 2.0]))
    loads = gough.Loads([force, push], gough.Payload(mass, center=(0, 0, 0.1)), rotors=False)
    found = dict(load_lines(loads, t))
    assert found["payload"] == "0.6 kg from 0.3 s to 0.7 s"
    assert found["payload, centre"].startswith("(0, 0, 0.1) m")
    assert found["force on platform"] == "(1, 0, 0) N, at (0, 0, 0.1) m"
    assert found["force on arm1"] == "changing, up to 2 N"
    assert found["rotors"] == "left out"
    assert load_lines(gough.Loads(payload=2.0)) == [("payload", "2 kg")]
    assert load_lines(gough.Loads()) == [("payload", "none")]

    class Schedule:
        def lines(self):
            return [("payload", "1 kg from 0.1 s to 0.2 s")]

    assert load_lines(Schedule()) == [("payload", "1 kg from 0.1 s to 0.2 s")]


def test_a_motion_knows_what_it_was_made_from():
    five_bar = robot("five_bar")
    circle = gough.motion.circle(five_bar, radius=0.05, duration=0.5)
    assert circle.parameters["kind"] == "circle"
    said = dict(parameter_lines(circle.parameters))
    assert said["radius"] == "0.05"
    assert "center" not in said  # not given
    both = circle.then(gough.motion.hold(five_bar, circle.end, 0.2))
    assert "radius 0.05" in dict(parameter_lines(both.parameters))["1. circle"]


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"kp": 100.0, "kd": [2.0, 3.0]}, {"gain kp": "100 N m/rad", "sampling": "continuous"}),
        (
            {
                "kp": 1.0,
                "kd": 1.0,
                "period": 1e-3,
                "delay": 2e-3,
                "saturation": 20.0,
                "noise": 1e-5,
            },
            {"sampling": "every 0.001 s", "delay": "0.002 s", "saturation": "20 N m"},
        ),
    ],
)
def test_a_controller_is_said(options, facts):
    five_bar = robot("five_bar")
    circle = gough.motion.circle(five_bar, radius=0.05, duration=0.5)
    loop = gough.control.joint_pd(five_bar, circle, **options)
    found = dict(drive_lines(five_bar, loop))
    assert found["controller"] == "PD of the motors, gravity compensated"
    assert facts.items() <= found.items()
    if "noise" in options:
        assert found["encoder noise"] == "1e-05 rad (standard deviation), seed 0"
    else:
        assert found["gain kd"] == "foot1 2 N m s/rad, foot2 3 N m s/rad"


def test_efforts_are_said():
    five_bar = robot("five_bar")
    assert drive_lines(five_bar, None) == [("efforts", "none")]
    assert drive_lines(five_bar, [1.0, 1.0]) == [("efforts", "1 N m")]
    assert "function" in drive_lines(five_bar, lambda t: [t, t])[0][1]
    assert "2 instants" in drive_lines(five_bar, (np.zeros(2), np.zeros((2, 2))))[0][1]
