"""Chains: joint strings, link frames, drawings, and the parts that add up to a robot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gough
from gough import build
from gough.base import spatial
from gough.errors import InputError
from gough.robot.joint_kinds import KINDS as JOINT_KINDS


def test_strings_read_as_the_sheet_prints_them() -> None:
    found = build.joint_string("U P* S")
    assert [j.kind for j in found] == ["universal", "prismatic", "spherical"]
    assert [j.motors for j in found] == [(), (0,), ()]
    assert [j.motors for j in build.joint_string("U* U*2 C*1*2")] == [(0,), (1,), (0, 1)]
    assert [j.letter for j in build.joint_string("R-P-H-U-C-S-E-K-F")] == [
        kind.letter for kind in JOINT_KINDS.values()
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("U X S", "unknown letter 'X'"),
        ("u p s", "unknown letter 'u'"),
        ("UPS", "cannot read 'UPS'"),
        ("U P S*", "no axis for it"),
        ("U P*2 S", "no axis for it"),
        ("R* [U S | U S]", "branches"),
        ("  ", "Letters: R revolute"),
        (None, "joint string"),
    ],
)
def test_bad_strings_list_the_letters(text: Any, words: str) -> None:
    with pytest.raises(InputError) as err:
        build.joint_string(text)
    assert words in str(err.value)


angle = st.floats(-3.0, 3.0)


@given(angle, angle)
def test_across_is_what_the_conventions_say(a: float, b: float) -> None:
    R = spatial.rotation_z(a) @ spatial.rotation_x(np.pi / 2) @ spatial.rotation_z(b)
    np.testing.assert_allclose(JOINT_KINDS["universal"].across((a, b))[:3, :3], R, atol=1e-14)
    np.testing.assert_allclose(JOINT_KINDS["cylindrical"].across((a, b))[2, 3], b)
    np.testing.assert_allclose(JOINT_KINDS["helical"].across(a, 0.1)[2, 3], 0.1 * a)


HIGH = spatial.pose(spatial.rotation_z(0.2), np.array([0.1, 0.0, 0.8]))
KINDS = [
    ("R* R P S", [(0, 1, 0), (1, 0, 0), (0, 0, 1), None], [0.3, -0.2, 0.5, None]),
    ("U* P S", [((0, 1, 0), (1, 0, 0)), (0.1, 0.2, 1.0), None], [(0.4, -0.9), 0.7, None]),
    ("C*2 R S", [(0, 1, 1), (1, 0, 0), None], [(0.2, 0.6), 0.1, None]),
    ("H* U S", [(0, 1, 1), ((1, 0, 0), (0, 1, 0)), None], [0.7, (0.2, 0.3), None]),
]


@pytest.mark.parametrize(("string", "directions", "values"), KINDS)
def test_a_drawing_has_the_coordinates_that_are_asked_for(
    string: str, directions: Any, values: Any
) -> None:
    """Any pose of the links, any value of the coordinates: the machine stands as it is drawn."""
    rng = np.random.default_rng(4)
    count = len(values)
    points = rng.uniform(-0.5, 0.5, (count, 3))
    poses = [
        spatial.pose(spatial.rotation_exp(rng.normal(size=3)), rng.normal(size=3))
        for _ in range(count - 1)
    ]
    leg = build.drawn_chain(
        string,
        points,
        directions,
        leg=1,
        links={f"link{k}": None for k in range(count - 1)},
        poses=poses,
        values=values,
        end_pose=HIGH,
        pitch=0.1 if "H" in string else 0.0,
    )
    robot = build.machine("drawn", leg, platform=gough.inertia.sphere(1.0, 0.1), home=HIGH)
    for k, T in enumerate(poses):
        # a chain of four products of rotations and positions of size one
        np.testing.assert_allclose(leg.poses[f"link{k}"].matrix, T, atol=1e-14)
    found = robot.assembly.home_values
    for joint, value in zip(robot.joints, values, strict=True):
        if value is not None:
            for name, q in zip(joint.axis_names, np.atleast_1d(value), strict=True):
                assert found[name] == pytest.approx(q, abs=1e-12)
    np.testing.assert_allclose(robot.home_pose, HIGH, atol=1e-12)


def test_chains_may_branch() -> None:
    first = build.drawn_chain(
        "R* R R",
        [(0, 0), (0.3, 0), (0.5, 0.3)],
        [(0, 0, 1)] * 3,
        leg=1,
        links={"crank": None, "bar": gough.inertia.rod(1.0, (0.3, 0, 0), (0.5, 0.3, 0))},
    )
    second = build.drawn_chain(
        "R R",
        [(0.3, 0.1), (0.5, 0.4)],
        [(0, 0, 1)] * 2,
        leg=2,
        links={"bar2": None},
        start="crank",
    )
    robot = build.machine("branch", first + second, platform=gough.inertia.sphere(1.0, 0.1))
    assert gough.sheet(robot).legs[0][1] == "R* [R R | R R]"
    assert robot.mobility == 2  # crank and parallelogram


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"links": {}}, "1 link between"),
        ({"frames": []}, "one for each of 2 joints"),
        ({"joints": "R Q"}, "unknown letter"),
        ({"values": [1.0]}, "one for each of 2 joints"),
        ({"values": ["x", 0]}, "a revolute joint has a number, got 'x'"),
        ({"values": [(1, 2), 0]}, "a revolute joint has a number"),
        ({"frames": None}, "frames: expected a list"),
        ({"frames": [gough.Frame()] * 2}, "expected two gough.Frame"),
        ({"links": ["a"]}, "links: expected"),
        ({"links": None}, "links: expected"),
        ({"axes": [3, None]}, "axes of r1a: expected a gough.Axis, got 3"),
        ({"names": "ab"}, "names: expected a list"),
        ({"leg": None}, "leg: expected a name or a number"),
    ],
)
def test_chains_that_do_not_add_up(change: dict[str, Any], words: str) -> None:
    plain = gough.Frame()
    good = {"joints": "R* R", "frames": [(plain, plain)] * 2, "leg": 1, "links": {"a": None}}
    build.chain(**good)
    with pytest.raises(InputError, match=words):
        build.chain(**{**good, **change})


def test_crooked_universal_joints_are_refused() -> None:
    with pytest.raises(InputError, match="45 degrees"):
        build.drawn_chain(
            "U S", [(0, 0, 0), (0, 0, 1)], [((1, 0, 0), (1, 1, 0)), None], leg=1, links={"a": None}
        )


def test_machine_names_the_body_it_misses() -> None:
    leg = build.drawn_chain("R* R", [(0, 0), (1, 0)], [(0, 0, 1)] * 2, leg=1, links={"crank": None})
    with pytest.raises(InputError, match="Did you mean 'crank'"):
        build.machine("m", leg, platform="crnk")


@pytest.mark.parametrize(
    ("string", "change", "words"),
    [
        ("R* R", {"directions": None}, "directions: expected a list"),
        ("R* R", {"directions": [3, (0, 0, 1)]}, r"directions\[0\]: expected a point"),
        ("U* R", {"directions": [3, (0, 0, 1)]}, "two directions"),
        (
            "U* R",
            {"directions": [((1, 0, 0), (0, 1, 0)), (0, 0, 1)], "values": [1, 0]},
            "two numbers",
        ),
        ("R* R", {"points": None}, "expected points"),
    ],
)
def test_drawings_that_make_no_sense(string: str, change: dict[str, Any], words: str) -> None:
    good = {"points": [(0, 0, 0)] * 2, "directions": [(0, 0, 1)] * 2, "links": {"a": None}}
    with pytest.raises(InputError, match=words):
        build.drawn_chain(string, leg=1, **{**good, **change})
