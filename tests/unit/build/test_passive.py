"""Passive joints and homes of builders: friction, limits that count from home, mid-stroke."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gough
from gough import Axis, Limits, build
from gough.base import spatial
from gough.errors import DescriptionError, InputError

EXACT = 1e-12  # Newton's method closes loops and motors to rounding


def ring(radius: float, degrees: Any) -> np.ndarray:
    a = np.radians(degrees)
    return np.stack([radius * np.cos(a), radius * np.sin(a), 0.0 * a], axis=1)


BASE = ring(0.6, [-11, 9, 111, 128, 229, 252])
TOP = ring(0.3, [-48, 51, 70, 168, 188, 291])
HIGH = spatial.pose(np.eye(3), np.array([0.02, -0.03, 0.8]))
SWING = Axis(0.01, 0.02, limits=Limits(position=(-0.5, 0.4)))
TILT = Axis(0.03, limits=Limits(position=(0.0, 0.6)))
STRUT = build.Leg(
    motor=Axis(2.0, limits=Limits((0.7, 1.1), 0.5, 900.0)), passive={"u": SWING, "s": TILT}
)


@pytest.fixture(scope="module")
def hexapod() -> gough.Robot:
    return build.hexapod(BASE, TOP, legs=STRUT, home="mid", platform=gough.inertia.sphere(9.0, 0.2))


def test_a_hexapod_at_mid_stroke(hexapod: gough.Robot) -> None:
    T = hexapod.home_pose
    lengths = np.linalg.norm(T[:3, 3] + TOP @ T[:3, :3].T - BASE, axis=1)
    np.testing.assert_allclose(lengths, 0.9, atol=EXACT)
    assert T[2, 3] > 0.5
    assert T[2, 2] > 0.9  # above the base, upright: the mode of the builder's own home
    assert gough.doctor(hexapod).healthy


def test_passive_limits_count_from_home(hexapod: gough.Robot) -> None:
    for name in ("u1.first", "u4.second"):
        axis, at = hexapod.axis(name), hexapod.assembly.home_values[name]
        assert (axis.viscous, axis.coulomb) == (0.01, 0.02)
        np.testing.assert_allclose(axis.limits.position, (at - 0.5, at + 0.4), atol=EXACT)
    assert hexapod.axis("p3") == STRUT.motor


@pytest.mark.parametrize("kind", ["spu", "pus", "delta"])
def test_the_tilt_of_a_ball_counts_from_the_links_direction_at_home(kind: str) -> None:
    """Against points alone: a link's direction in the body at its other end, at home and later."""
    moved = spatial.pose(spatial.rotation_exp(np.array([0.1, 0.05, -0.1])), np.array([0, 0.05, 0]))
    made = build.Leg(passive={"b" if kind == "delta" else "s": TILT})
    if kind == "delta":
        robot = build.delta(0.16, 0.05, 0.2, 0.48, 0.035, legs=made)
        moved[:3, :3] = np.eye(3)
        ball, elbow = "b1a", "u1a"
    else:
        leg: Any = {"spu": build.spu_leg, "pus": build.pus_leg}[kind]
        size = {"rod": 1.0} if kind == "pus" else {}
        parts = [leg(i + 1, BASE[i], TOP[i], HIGH, made, **size) for i in range(6)]
        robot = build.machine("six", parts)  # at home where its legs were drawn
        np.testing.assert_allclose(robot.home_pose, HIGH, atol=EXACT)
        ball, elbow = "s1", "u1"
    T = robot.home_pose @ moved
    T[:3, 3] = robot.home_pose[:3, 3] + moved[:3, 3]
    tilts, directions = [], []
    for pose in (robot.home_pose, T):
        bodies = {"base": np.eye(4), **gough.posture(robot, pose).bodies}
        ends = []
        for name in (ball, elbow):
            joint = robot.joint(name)
            ends.append((bodies[joint.parent] @ joint.parent_frame.matrix)[:3, 3])
        joint = robot.joint(ball)
        A = bodies[joint.parent] @ joint.parent_frame.matrix
        B = bodies[joint.child] @ joint.child_frame.matrix
        tilts.append(np.arccos(np.clip(A[:3, 2] @ B[:3, 2], -1.0, 1.0)))
        along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        other = joint.parent if kind == "spu" else joint.child
        directions.append(bodies[other][:3, :3].T @ along)
    assert tilts[0] < 1e-7  # the arc cosine of 1, less rounding
    expected = np.arccos(directions[0] @ directions[1])
    assert expected > 0.05
    np.testing.assert_allclose(tilts[1], expected, atol=1e-9)  # arc cosines of angles of 0.1


def test_an_analysis_names_a_passive_joint_beyond_its_limit(hexapod: gough.Robot) -> None:
    there = hexapod.home_pose.copy()
    there[:3, :3] = spatial.rotation_exp(np.array([0.7, 0.0, 0.0])) @ there[:3, :3]
    path = gough.motion.point_to_point(hexapod, None, there, duration=1.0)
    found = gough.analyse(hexapod, path, rate=5.0, agreement=False)
    assert any("s1" in str(each) for each in found.violations)


def test_builders_at_mid_stroke_are_varied_at_mid_stroke(hexapod: gough.Robot) -> None:
    larger = gough.vary(hexapod, base_points=1.1 * BASE)
    T = larger.home_pose
    lengths = np.linalg.norm(T[:3, 3] + TOP @ T[:3, :3].T - 1.1 * BASE, axis=1)
    np.testing.assert_allclose(lengths, 0.9, atol=EXACT)
    assert abs(T[2, 3] - hexapod.home_pose[2, 3]) > 0.01
    at = larger.assembly.home_values["u1.second"]
    np.testing.assert_allclose(larger.axis("u1.second").limits.position, (at - 0.5, at + 0.4))


def test_a_delta_at_mid_stroke_and_by_names() -> None:
    made = build.Leg(
        motor=Axis(limits=Limits(position=(-0.4, 1.0))),
        passive={"u": (Axis(0.1), Axis(0.2)), "b": Axis(coulomb=0.3)},
    )
    lengths = (0.16, 0.05, 0.2, 0.48, 0.035)
    delta = build.delta(*lengths, legs=made, home="mid")
    q, z = 0.3, delta.home_pose[2, 3]
    elbow = np.array([0.16 + 0.2 * np.cos(q), -0.2 * np.sin(q)])
    assert abs(np.hypot(elbow[0] - 0.05, elbow[1] - z) - 0.48) < EXACT
    assert (delta.axis("u3b.first").viscous, delta.axis("u3b.second").viscous) == (0.1, 0.2)
    assert delta.axis("b2a").coulomb == 0.3
    wanted = {"arm1": 0.2, "arm2": 0.35, "arm3": 0.5}
    tilted = build.delta(*lengths, home=wanted, near=delta.home_pose)
    np.testing.assert_allclose(
        gough.inverse_kinematics(tilted, tilted.home_pose), list(wanted.values()), atol=EXACT
    )


def test_planar_machines_by_motors() -> None:
    passive = {"elbow": Axis(0.1, limits=Limits(position=(-0.3, 0.3))), "wrist": Axis(0.2)}
    feet = {"foot1": 2.2, "foot2": 0.9}
    five_bar = build.five_bar(0.32, 0.3, 0.42, legs=build.Leg(passive=passive), home=feet)
    np.testing.assert_allclose(
        gough.inverse_kinematics(five_bar, five_bar.home_pose), [2.2, 0.9], atol=EXACT
    )
    bend = five_bar.assembly.home_values["elbow1"]
    np.testing.assert_allclose(
        five_bar.axis("elbow1").limits.position, (bend - 0.3, bend + 0.3), atol=EXACT
    )
    assert five_bar.axis("wrist2").viscous == 0.2
    points = ring(0.5, [90, 210, 330]), ring(0.12, [90, 210, 330])
    own = build.three_rrr(*points, 0.33, 0.35)
    q = gough.inverse_kinematics(own, own.home_pose)
    made = [build.Leg(motor=Axis(limits=Limits(position=(a - 0.3, a + 0.4)))) for a in q]
    three = build.three_rrr(*points, 0.33, 0.35, legs=made, home="mid")
    np.testing.assert_allclose(
        gough.inverse_kinematics(three, three.home_pose), q + 0.05, atol=EXACT
    )


def test_files_and_new_robots_say_the_same(hexapod: gough.Robot, tmp_path) -> None:
    from gough.zoo.makers import make

    axes = {
        "motor": {
            "viscous": 2.0,
            "limits": {"position": [0.7, 1.1], "velocity": 0.5, "effort": 900},
        },
        "passive": {
            "u": {"viscous": 0.01, "coulomb": 0.02, "limits": {"position": [-0.5, 0.4]}},
            "s": {"viscous": 0.03, "limits": {"position": [0.0, 0.6]}},
        },
    }
    points = {"base_points": BASE.tolist(), "platform_points": TOP.tolist()}
    given = {**points, "legs": axes, "home": "mid"}
    made = make("build.hexapod", {**given, "platform": {"sphere": {"mass": 9.0, "radius": 0.2}}})
    assert made.joints == hexapod.joints
    gough.save(made, tmp_path / "rig.yaml")
    again = gough.load(tmp_path / "rig.yaml")
    assert again.joints == hexapod.joints
    np.testing.assert_allclose(again.home_pose, hexapod.home_pose, atol=EXACT)
    axes["passive"]["u"] = {"viscous": -1.0}
    with pytest.raises(DescriptionError, match=r"legs\.passive\.u\.viscous"):
        make("build.hexapod", given)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: build.Leg(passive={"u": 3.0}), "expected a gough.Axis, got 3.0"),
        (lambda: build.Leg(passive=[Axis()]), "axes by the role of the joint"),
        (lambda: build.Leg(passive={"u": Axis(rotor_inertia=1.0)}), "has no motor, rotor or"),
        (
            lambda: build.hexapod(BASE, TOP, legs=build.Leg(passive={"b": TILT})),
            "leg 1 has no passive joint 'b'",
        ),
        (
            lambda: build.hexapod(BASE, TOP, legs=build.Leg(passive={"p": TILT})),
            "leg 1 has no passive joint 'p'",
        ),
        (
            lambda: build.hexapod(BASE, TOP, legs=build.Leg(passive={"u": [SWING] * 3})),
            "u1 has 2 axes, 3 are given",
        ),
        (lambda: build.hexapod(BASE, TOP, home="mid"), "there is no stroke of 'p1'"),
        (lambda: build.hexapod(BASE, TOP, near=HIGH), "near is for a home by motors"),
        (lambda: build.hexapod(BASE, TOP, home=HIGH, near=HIGH), "this one is a pose already"),
        (lambda: build.five_bar(0.3, 0.3, 0.4, home="middle"), "home is 'middle'"),
    ],
)
def test_what_is_refused(call: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        call()
