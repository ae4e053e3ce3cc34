"""Slips of unit are accepted with a remark that names the entry."""

from __future__ import annotations

import dataclasses

import pytest

import gough
from gough.robot.file import reads
from gough.robot.remarks import remarks


def test_nothing_is_said_about_sound_robots(robots: list[gough.Robot], small: str) -> None:
    assert [remarks(robot) for robot in [*robots, reads(small)]] == [()] * 12


@pytest.mark.parametrize(
    ("old", "new", "path", "word"),
    [
        ("viscous: 0.1", "limits: {position: [-90, 90]}", "joints.hinge.limits.position", "90 rad"),
        ("viscous: 0.1", "limits: {position: [-13, 0]}", "joints.hinge.limits.position", "degrees"),
        ("viscous: 0.1", "spring: {stiffness: 4, rest: -90}", "joints.hinge.spring.rest", "90 rad"),
        ("kind: revolute", "kind: prismatic\n    spring: {stiffness: 4, rest: 120}",
         "joints.hinge.spring.rest", "millimetres?"),
        ("kind: revolute", "kind: prismatic\n    limits: {position: [0, 120]}",
         "joints.hinge.limits.position", "millimetres?"),
        ("[0, 0, 1]", "[0, 0, 350]", "joints.hinge.parent_frame.position", "millimetres?"),
        ("[0.1, 0, 0]", "[350, 0, 0]", "bodies.rod1.center", "millimetres?"),
        ("platform: rod1", "platform: {body: rod1, frame: {position: [0, 99, 0]}}",
         "platform.frame.position", "millimetres?"),
        ("viscous: 0.1", "viscous: 0.1\nhome: {bodies: {rod1: {position: [0, 0, 1200]}}}",
         "home.bodies.rod1.position", "millimetres?"),
        ("viscous: 0.1", "viscous: 0.1\nhome: {joints: {hinge: 45}}",
         "home.joints.hinge", "degrees?"),
        ("[1e-4, 2e-3, 2e-3]", "[100, 2000, 2000]", "bodies.rod1.inertia", "kg mm^2?"),
        ("mass: 0.4", "mass: 100001", "bodies.rod1.mass", "grams?"),
        ("mass: 0.4", "mass: 201", "bodies.rod1.mass", "denser than any metal"),
        ("platform: rod1", "platform: rod1\ngravity: [0, 0, -9810]", "gravity", "m/s^2?"),
        ("platform: rod1", "platform: rod1\ngravity: [0, 0, -0.5]", "gravity", "m/s^2?"),
    ],
)  # fmt: skip
def test_limit_90_where_radians_and_length_350_where_metres_are_meant(
    small: str, old: str, new: str, path: str, word: str
) -> None:
    assert small.count(old) == 1
    (sentence,) = remarks(reads(small.replace(old, new)))
    assert sentence.startswith(f"{path}: ")
    assert word in sentence


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("viscous: 0.1", "limits: {position: [-12.5, 12.5]}"),  # two turns
        ("viscous: 0.1", "spring: {stiffness: 4, rest: 12.5}"),
        ("kind: revolute", "kind: prismatic\n    spring: {stiffness: 4, rest: -20}"),
        ("[0, 0, 1]", "[0, 0, 49]"),
        ("mass: 0.4", "mass: 199"),  # in a block of 0.2 m: less than osmium
        ("platform: rod1", "platform: rod1\ngravity: [0, 0, 0]"),
        ("platform: rod1", "platform: rod1\ngravity: [0, 0, -1.62]"),
        ("kind: revolute", "kind: prismatic\n    limits: {position: [-20, 20]}"),
        ("[1e-4, 2e-3, 2e-3]", "[0.1, 0.3, 0.3]"),  # gyration 0.87 m on a body of 0.1 m
    ],
)
def test_on_this_side_of_the_border_nothing_is_said(small: str, old: str, new: str) -> None:
    assert small.count(old) == 1
    assert remarks(reads(small.replace(old, new))) == ()


def test_axis_of_several_and_ball_have_their_paths() -> None:
    wide = gough.Axis(limits=gough.Limits(position=(0.0, 90.0)))
    wound = gough.Axis(spring=gough.Spring(1.0, rest=90.0))
    robot = gough.Robot(
        "r",
        (gough.Body("a", 1.0), gough.Body("b", 1.0)),
        (
            gough.Joint("u", "universal", "base", "a", axes=(wound, wide)),
            gough.Joint("s", "spherical", "a", "b", axes=(wide,)),
        ),
        "b",
        home=gough.Home(joints={"u.first": 90.0}),
    )
    assert [sentence.partition(": ")[0] for sentence in remarks(robot)] == [
        "joints.u.axes.first.spring.rest",
        "joints.u.axes.second.limits.position",
        "joints.s.limits.position",
        "home.joints.u.first",
    ]


def test_a_sliding_axis_of_a_cylindrical_joint_has_no_degrees() -> None:
    far = gough.Axis(limits=gough.Limits(position=(0.0, 20.0)))
    joint = gough.Joint("c", "cylindrical", "base", "a", axes=(gough.Axis(), far))
    robot = gough.Robot("r", (gough.Body("a", 1.0),), (joint,), "a")
    assert remarks(robot) == ()
    swapped = dataclasses.replace(joint, axes=(far, gough.Axis()))
    assert len(remarks(dataclasses.replace(robot, joints=(swapped,)))) == 1


def test_a_body_frame_far_from_the_body_does_not_hide_its_size() -> None:
    """Bodies written in base axes: sizes are between points, not from the origin."""
    inertia = [[200.0, 0, 0], [0, 200.0, 0], [0, 0, 200.0]]
    at = gough.Frame((40.0, 0.0, 0.0))
    body = gough.Body("a", 1.0, (40.2, 0.0, 0.0), inertia)
    robot = gough.Robot("r", (body,), (gough.Joint("j", "revolute", "base", "a", at, at),), "a",
                        platform_frame=at)  # fmt: skip
    assert "bodies.a.inertia" in remarks(robot)[0]


@pytest.mark.parametrize("data", ["speed: 3000", "curve: [[0, 1], [3000, 0.5]]"])
def test_speeds_of_motors_that_look_like_rpm(small: str, data: str) -> None:
    text = small.replace("gough: 1", "gough: 2").replace("viscous: 0.1", f"motor: {{{data}}}")
    (sentence,) = remarks(reads(text))
    assert sentence.startswith(f"joints.hinge.motor.{data.partition(':')[0]}: ")
    assert sentence.endswith("3000 rad/s; rpm?")
    linear = text.replace("kind: revolute", "kind: prismatic")
    assert remarks(reads(linear)) == ()
    geared = linear.replace("motor: {", "transmission: {lead: 0.01}\n    motor: {")
    assert len(remarks(reads(geared))) == 1
