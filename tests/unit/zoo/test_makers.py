"""Robots made anew: the zoo, builders and files, varied by name and by path."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import gough
from conftest import ROOT
from gough import build, zoo
from gough.errors import DescriptionError, FileError, InputError
from gough.robot.file import read, reads
from robots import robot

GEARED = ROOT / "examples" / "robots" / "geared_delta.yaml"
LIKE = "gough: 2\nname: mine\nlike: delta\n"


@pytest.mark.parametrize("name", zoo.names())
def test_every_robot_of_the_zoo_knows_how_it_was_made(name):
    one = robot(name)
    again = pickle.loads(pickle.dumps(one))
    assert gough.vary(again) == one
    assert list(again.parameters) == list(zoo.parameters(name))
    heavier = gough.vary(one, gravity=(0.0, 0.0, -1.6))
    assert heavier == zoo.load(name, gravity=(0.0, 0.0, -1.6))
    assert heavier.parameters["gravity"] == [0.0, 0.0, -1.6]


def test_by_name_by_word_and_by_path():
    delta = robot("delta")
    larger = zoo.load("delta", L=0.25, l=0.6)
    assert gough.vary(delta, L=0.25, l=0.6) == larger
    assert gough.vary(delta, arm=0.25, bar=0.6) == larger == zoo.load("delta", arm=0.25, bar=0.6)
    one = gough.vary(delta, {"platform.mass": 1.2, "legs[1].arm.com[0]": 0.1})
    assert one.body("platform").mass == 1.2
    assert one.body("arm2").center[0] == 0.1
    assert one.body("arm1") == delta.body("arm1")
    assert gough.vary(one, {"platform.mass": 0.45, "legs[1].arm.com[0]": 0.08}) == delta


def test_a_robot_is_a_function_of_a_vector():
    """What calibration and studies need: numbers in, a robot out, smooth in between."""
    names = ["L", "legs[0].phi"]
    x, T = np.array([0.2, 0.0]), robot("delta").home_pose
    T[:3, 3] += (0.03, 0.05, 0.02)

    def motors(x: np.ndarray) -> np.ndarray:
        one = gough.vary(robot("delta"), dict(zip(names, x, strict=True)))
        return np.asarray(gough.inverse_kinematics(one, T))

    h = 1e-5
    by_length, by_angle = ((motors(x + h * e) - motors(x - h * e)) / (2 * h) for e in np.eye(2))
    assert np.abs(by_length).min() > 0.1
    assert abs(by_angle[0]) > 0.01
    # legs 2 and 3 do not feel leg 1; positions are rounded to 1e-16 over h
    assert np.abs(by_angle[1:]).max() < 1e-9


@pytest.mark.parametrize(
    ("changes", "words", "hint"),
    [
        ({"armm": 1.0}, "delta has no parameter 'armm'", "'arm'"),
        ({"platform.mas": 1.0}, "no parameter 'platform.mas'", "'mass'"),
        ({"legs[3].phi": 1.0}, r"no parameter 'legs\[3\].phi'", "[0] to [2]"),
        ({"L.x": 1.0}, "no parameter 'L.x'", "has no parts"),
        ({"legs[": 1.0}, "no parameter", "platform.mass"),
        ({3: 1.0}, "expected the name", ""),
        ({"arm": 1.0, "L": 1.0}, "arm is L", ""),
    ],
)
def test_what_there_is_not(changes, words, hint):
    with pytest.raises(InputError, match=words) as caught:
        gough.vary(robot("delta"), changes)
    assert hint in caught.value.hint


def test_a_robot_that_was_changed_does_not_know():
    changed = replace(robot("delta"), gravity=(0.0, 0.0, 0.0))
    assert changed.parameters == {}
    with pytest.raises(InputError, match="not known how"):
        gough.vary(changed, L=0.3)
    with pytest.raises(InputError, match=r"expected a gough\.Robot"):
        gough.vary("delta")


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: build.delta(0.16, 0.05, 0.2, bar=0.48, half_spacing=0.035), {"arm": 0.22}),
        (lambda: build.linear_delta(0.2, 0.04, 0.345, 0.025, endstops=0.4), {"endstops": 0.41}),
        (lambda: build.five_bar(0.32, 0.3, 0.42, gravity=(0, 0, 0)), {"proximal": 0.31}),
        (
            lambda: build.three_rrr(
                np.array([[0.5, 0, 0], [-0.2, 0.4, 0], [-0.2, -0.4, 0]]),
                [[0.1, 0], [-0.05, 0.1], [-0.05, -0.1]],
                0.33,
                0.35,
                platform=gough.inertia.sphere(1.0, 0.1),
            ),
            {"distal": 0.36, "platform_points[0][0]": 0.11},
        ),
    ],
)
def test_builders_know_their_arguments(make, change):
    one = make()
    other = gough.vary(pickle.loads(pickle.dumps(one)), change)
    assert other != one
    assert gough.vary(one) == one
    back = {name: changed(one.parameters, name) for name in change}
    assert gough.vary(other, back) == one
    assert gough.vary(one, gravity=(0, 0, -1)).gravity == (0.0, 0.0, -1.0)


def changed(parameters, path):
    """The value before."""
    return parameters[path] if path in parameters else parameters["platform_points"][0][0]


def test_builders_with_legs():
    leg = build.Leg(gough.inertia.rod(0.9, (0, 0, 0), (0.2, 0, 0)), motor=gough.Axis(0.03))
    one = build.delta(0.16, 0.05, 0.2, 0.48, 0.035, legs=leg)
    other = gough.vary(pickle.loads(pickle.dumps(one)), bar=0.5)
    assert other.axis("arm1") == gough.Axis(0.03)
    assert other.body("arm1").mass == 0.9
    with pytest.raises(InputError, match=r"build\.delta has no parameter 'bars_'"):
        gough.vary(one, bars_=1)


# files


def test_a_file_may_be_like_a_robot_of_the_zoo():
    one = reads(LIKE + "parameters: {arm: 0.25, l: 0.6}\nlabel: mine\ngravity: [0, 0, -1.6]\n")
    expected = zoo.load("delta", L=0.25, l=0.6, gravity=(0, 0, -1.6))
    assert one == replace(expected, name="mine", label="mine")
    assert one.parameters["L"] == 0.25
    assert gough.vary(one, L=0.2, bar=0.48).joints == robot("delta").joints
    assert gough.vary(one, L=0.2).label == "mine"


def test_a_file_may_be_like_a_builder():
    text = LIKE.replace("delta", "build.delta") + (
        "parameters:\n  base_radius: 0.16\n  platform_radius: 0.05\n  arm: 0.2\n  bar: 0.48\n"
        "  half_spacing: 0.035\n  platform: {cylinder: {mass: 1, radius: 0.1, length: 0.02}}\n"
        "  legs: {proximal: {rod: {mass: 0.9, start: [0, 0, 0], end: [0.2, 0, 0]}}}\n"
    )
    one = reads(text)
    leg = build.Leg(gough.inertia.rod(0.9, (0, 0, 0), (0.2, 0, 0)))
    plate = gough.inertia.cylinder(1, 0.1, 0.02)
    expected = build.delta(0.16, 0.05, 0.2, 0.48, 0.035, legs=leg, platform=plate)
    assert one == replace(expected, name="mine")
    assert gough.vary(one, arm=0.22).parameters["arm"] == 0.22


def test_a_file_like_a_builder_is_varied_by_paths():
    """Of lists in the file, with numbers in them, and of defaults that it is silent about."""
    one = reads(
        "gough: 2\nname: mine\nlike: build.linear_delta\nnumbers: {rod: 0.34}\nparameters: "
        "{rail_radius: 0.2, platform_radius: 0.04, bar: [$rod, 0.35, $rod], half_spacing: 0.02}\n"
    )
    other = gough.vary(one, {"bar[1]": 0.36, "angles[2]": 4.2}, rod=0.33)
    assert other.parameters["bar"] == [0.33, 0.36, 0.33]
    assert other.parameters["angles"] == [*one.parameters["angles"][:2], 4.2]
    assert gough.vary(other, {"bar[0]": 0.3}).parameters["bar"] == [0.3, 0.36, 0.33]
    with pytest.raises(InputError, match=r"no parameter 'bar\[3\]'"):
        gough.vary(one, {"bar[3]": 0.36})


def test_the_example_with_motors_numbers_and_like():
    one = read(GEARED)
    motor = one.axis("arm2").motor
    assert (motor.rotor_inertia, one.axis("arm2").reflected_inertia) == (4e-5, 400 * 4e-5)
    assert one.axis("arm2").viscous == robot("delta").axis("arm2").viscous
    assert (one.parameters["l"], one.parameters["link"]) == (2.4 * 0.22, 0.22)
    other = pickle.loads(pickle.dumps(gough.vary(one, {"platform.mass": 1.0}, link=0.25)))
    assert (other.parameters["L"], other.body("platform").mass) == (0.25, 1.0)
    assert other.axis("arm2").motor == motor
    assert other.name == "geared_delta"


def test_a_wrist_may_be_held_in_a_file():
    one = reads("gough: 2\nname: held\nlike: delta_4\nmotors: [arm1, arm2, arm3]\nlocked: [spin]\n")
    assert (one.locked, one.mobility) == (("spin",), 3)
    longer = gough.vary(one, L=0.31)
    assert longer.locked == ("spin",)


@pytest.mark.parametrize(
    ("rest", "path", "line", "words"),
    [
        ("parameters: {armm: 1}\n", "parameters.armm", 4, "no parameter 'armm'"),
        ("parameters: {L: -1}\n", "parameters.L", 4, "positive"),
        ("parameters: {platform.mas: 1}\n", "parameters.platform.mas", 4, "'mass'"),
        ("parameters:\n  platform: {mass: x}\n", "parameters.platform.mass", 5, "number"),
        ("axes: {arm4: {viscous: 1}}\n", "axes.arm4", 4, "unknown axis"),
        ("axes: {arm1: {viscous: -1}}\n", "axes.arm1.viscous", 4, "negative"),
        (
            "axes:\n  arm1: {motor: {rotor_inertia: 1}}\n",
            "axes.arm1.motor.rotor_inertia", 5, "twice",
        ),
        (
            "parameters:\n  platform: {rod: {mas: 1}}\n",
            "parameters.platform.rod", 5, "unknown key 'mas'",
        ),
        ("parameters:\n  platform: {rod: 1}\n", "parameters.platform.rod", 5, "a mapping"),
        ("parameters:\n  platform: {sphere: {mass: -1, radius: 1}}\n",
         "parameters.platform.sphere.mass", 5, "positive"),
        (f"parameters:\n  legs: {[0] * 401}\n", "parameters.legs", 5, "401 entries"),
        ("numbers: {L: 1}\n", "numbers.L", 4, "has a parameter of this name"),
        ("bodies: {}\n", "bodies", 4, "unknown key"),
        ("motors: [arm5]\n", "motors[0]", 4, "unknown axis"),
    ],
)  # fmt: skip
def test_what_a_file_like_another_cannot_say(rest, path, line, words):
    with pytest.raises(FileError) as caught:
        reads(LIKE + rest, "f")
    assert words in str(caught.value)
    assert (caught.value.path, caught.value.line) == (path, line)


def test_what_there_is_not_to_be_like():
    with pytest.raises(FileError, match="called 'delte'") as caught:
        reads(LIKE.replace("delta", "delte"), "f")
    assert (caught.value.path, caught.value.line) == ("like", 3)
    assert "'delta'" in caught.value.hint
    with pytest.raises(FileError, match="needs the parameter 'base_radius'"):
        reads(LIKE.replace("delta", "build.delta"), "f")
    lengths = "parameters: {base_radius: 0.2, platform_radius: 0.1, arm: 0.3, bar: 0.8, "
    for legs, words in {"{proxima: 1}": "unknown key 'proxima'", "3": r"gough\.build\.Leg"}.items():
        text = LIKE.replace("delta", "build.delta") + lengths
        text += f"half_spacing: 0.03, legs: {legs}}}\n"
        with pytest.raises(FileError, match=words):
            reads(text, "f")
    with pytest.raises(DescriptionError, match=r"parameters\.L"):
        gough.vary(reads(LIKE), L=-1.0)
