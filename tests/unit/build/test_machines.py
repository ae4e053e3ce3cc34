"""Machines from a few numbers: exact coordinates, a regular home at any size, helpful refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gough
from gough import build
from gough.base import spatial
from gough.errors import DescriptionWarning, InputError, SingularPose


def ring(radius: float, degrees: Any, height: float = 0.0) -> np.ndarray:
    a = np.radians(degrees)
    return np.stack([radius * np.cos(a), radius * np.sin(a), height + 0.0 * a], axis=1)


BASE, TOP = (
    ring(3.0, [-2.5, 2.5, 117.5, 122.5, 237.5, 242.5]),
    ring(1, [-50, 50, 70, 170, 190, 290]),
)

# NUMBERS.md, Dietmaier's Gough-Stewart
DIETMAIER_BASE = [
    [0, 0, 0],
    [1.107915, 0, 0],
    [0.549094, 0.756063, 0],
    [0.735077, -0.223935, 0.525991],
    [0.514188, -0.526063, -0.368418],
    [0.590473, 0.094733, -0.205018],
]
DIETMAIER_TOP = [
    [0, 0, 0],
    [0.542805, 0, 0],
    [0.956919, -0.528915, 0],
    [0.665885, -0.353482, 1.402538],
    [0.478359, 1.158742, 0.107672],
    [-0.137087, -0.235121, 0.353913],
]


def condition(robot: gough.Robot) -> float:
    """Condition of the inverse Jacobian at home, lengths in units of the robot's size."""
    a = robot.assembly
    J = gough.inverse_jacobian(robot, a.T_home)
    return float(np.linalg.cond(J / a.scales.motors[:, None] * a.scales.freedoms))


@pytest.mark.parametrize(
    ("base", "top", "size"),
    [
        (BASE, TOP, 1e-3),
        (BASE, TOP, 10.0),
        (DIETMAIER_BASE, DIETMAIER_TOP, 1.0),
        (np.roll(BASE, 1, axis=1), TOP, 1.0),
    ],
)
def test_hexapod_from_points_alone(base: Any, top: Any, size: float) -> None:
    base, top = size * np.array(base), size * np.array(top)
    robot = build.hexapod(base, top)
    a = robot.assembly
    assert a.mobility == 6
    assert a.findings == ()
    assert condition(robot) < 30.0  # far from singular; Dietmaier's points give 10
    assert all(body.massless for body in robot.bodies)
    rng = np.random.default_rng(1)
    R = spatial.rotation_exp(0.1 * rng.normal(size=3)) @ a.T_home[:3, :3]
    T = spatial.pose(R, a.T_home[:3, 3] + 0.05 * size * rng.normal(size=3))
    lengths = np.linalg.norm(T[:3, 3] + top @ T[:3, :3].T - base, axis=1)
    # a distance by two routes: rounding of numbers of this size
    np.testing.assert_allclose(gough.inverse_kinematics(robot, T), lengths, rtol=1e-13)


@settings(max_examples=5)
@given(
    st.lists(st.floats(-4.0, 4.0), min_size=12, max_size=12),
    st.floats(0.3, 1.5),
    st.sampled_from([0.02, 1.0, 5.0]),
)
def test_hexapods_of_all_shapes_stand_regularly(
    turns: list[float], share: float, size: float
) -> None:
    """Six points anywhere near a hexagon, another six on a ring of any radius, any scale."""
    base = size * ring(1.0, np.array([-20, 20, 100, 140, 220, 260]) + turns[:6])
    top = size * share * ring(1.0, np.array([-40, 40, 80, 160, 200, 280]) + turns[6:])
    robot = build.hexapod(base, top)
    assert robot.assembly.findings == ()
    assert condition(robot) < 50.0


def test_a_home_that_is_given_is_home() -> None:
    T = spatial.pose(spatial.rotation_z(0.1), np.array([0.1, 0.2, 2.2]))
    robot = build.hexapod(BASE, TOP, home=T, first_axis=[0, 0, 1])
    np.testing.assert_allclose(robot.home_pose, T, atol=1e-14)
    assert robot.joint("u1").parent_frame.matrix[:3, 2].tolist() == [0.0, 0.0, 1.0]


def test_similar_hexagons_are_built_with_a_word() -> None:
    with pytest.warns(DescriptionWarning, match="singular everywhere"):
        robot = build.hexapod(BASE, BASE / 2.0)
    assert robot.assembly.motor_rank < robot.mobility == 6


def test_masses_friction_and_more_legs() -> None:
    rods = [gough.inertia.rod(1.0 + i, (0, 0, -0.5), (0, 0, 0)) for i in range(7)]
    robot = build.hexapod(
        [*BASE, [0, 0, 0]],
        [*TOP, [0, 0, 0]],
        legs=[build.Leg(distal=rod, motor=gough.Axis(viscous=3.0)) for rod in rods],
        platform=gough.inertia.sphere(10.0, 0.5),
        platform_frame=gough.Frame((0.0, 0.0, 0.1)),
        gravity=(0, 0, -1.62),
    )
    assert [robot.body(f"rod{i}").mass for i in range(1, 8)] == [1.0 + i for i in range(7)]
    assert robot.axis("p7").viscous == 3.0
    assert len(robot.motors) == 7


def test_crosses_of_universal_joints_are_bodies_of_their_own() -> None:
    crosses = [gough.inertia.sphere(0.2 + i, 0.02) for i in range(6)]
    robot = build.hexapod(BASE, TOP, cross=crosses)
    assert [robot.body(f"cross{i + 1}").mass for i in range(6)] == [0.2 + i for i in range(6)]
    assert robot.mobility == 6


def test_what_the_legs_are_made_of_is_handed_on() -> None:
    """One for all legs, in every machine, and two bars of a Delta that differ."""
    a, b, c = (gough.inertia.sphere(mass, 0.01) for mass in (0.1, 0.2, 0.3))
    legs = build.Leg(a, b, gough.Axis(viscous=0.5))
    feet, top = ring(0.5, [85, 210, 333]), ring(0.12, [90, 205, 330])
    planar, five = (
        build.three_rrr(feet, top, 0.33, 0.35, legs=legs),
        build.five_bar(0.32, 0.3, 0.42, legs=legs),
    )
    for robot, names in ((planar, "123"), (five, "12")):
        for n in names:
            assert (robot.body(f"prox{n}").mass, robot.body(f"dist{n}").mass) == (0.1, 0.2)
            assert robot.axis(f"foot{n}").viscous == 0.5
    delta = build.delta(0.16, 0.05, 0.2, 0.48, 0.035, legs=build.Leg(a, [b, c]))
    assert [delta.body(name).mass for name in ("arm2", "bar2a", "bar2b")] == [0.1, 0.2, 0.3]


def test_delta_from_five_lengths() -> None:
    robot = build.delta(0.16, 0.05, 0.2, 0.48, 0.035, angles=[0.1, 2.0, 4.1])
    page = gough.sheet(robot)
    assert page.freedoms == ("x", "y", "z")
    assert page.constant_map
    assert page.remarks == ()
    assert condition(robot) < 5.0
    spherical = build.delta(0.16, 0.05, 0.2, 0.48, 0.035, bars="SS")
    assert len(gough.sheet(spherical).idle) == 6


@pytest.mark.parametrize("scale", [0.01, 1.0, 10.0])
def test_planar_machines_from_lengths(scale: float) -> None:
    five = build.five_bar(0.32 * scale, 0.3 * scale, [0.42 * scale, 0.44 * scale])
    assert five.freedoms == ("x", "y")
    assert condition(five) < 5.0
    three = build.three_rrr(
        scale * ring(0.5, [90, 210, 330]),
        scale * ring(0.12, [90, 210, 330])[:, :2],
        0.33 * scale,
        0.35 * scale,
        modes=[1, -1, 1],
    )
    assert three.freedoms == ("x", "y", "rz")
    assert condition(three) < 10.0
    for robot in (five, three):
        assert robot.assembly.findings == ()


def test_three_legs_are_the_three_rrr() -> None:
    feet, top = ring(0.5, [85, 210, 333]), ring(0.12, [90, 205, 330])
    options = {"modes": [1, -1, 1], "platform": gough.inertia.sphere(2.0, 0.1)}
    three = build.three_rrr(feet, top, 0.33, [0.35, 0.36, 0.37], **options)
    general = build.planar_rrr(feet, top, 0.33, [0.35, 0.36, 0.37], name="three_rrr", **options)
    assert general == three
    assert not three.redundant


@pytest.mark.parametrize("legs", [4, 5, 7])
@pytest.mark.parametrize("scale", [0.01, 1.0])
def test_planar_machines_with_more_legs_than_needed(legs: int, scale: float) -> None:
    turns = np.linspace(0.0, 360.0, legs, endpoint=False)
    feet, top = scale * ring(0.5, turns + 3.0), scale * ring(0.15, turns)
    l1, l2 = scale * np.linspace(0.3, 0.34, legs), scale * 0.35
    robot = build.planar_rrr(feet, top, l1.tolist(), l2)
    assert robot.redundant
    assert robot.freedoms == ("x", "y", "rz")
    assert robot.motors == tuple(f"foot{i + 1}" for i in range(legs))
    assert robot.assembly.findings == ()
    assert condition(robot) < 10.0
    home = robot.home_pose
    T = home @ spatial.pose(spatial.rotation_z(0.1), np.array([0.02 * scale, 0.01 * scale, 0.0]))
    q = gough.inverse_kinematics(robot, T)
    elbows = feet + l1[:, None] * np.stack([np.cos(q), np.sin(q), 0.0 * q], axis=1)
    tips = T[:3, 3] + top @ T[:3, :3].T
    # lengths by another route: rounding
    np.testing.assert_allclose(np.linalg.norm(tips - elbows, axis=1), l2, rtol=1e-12)


def test_more_legs_than_needed_are_declared_redundant() -> None:
    more = build.delta(0.16, 0.05, 0.2, 0.48, 0.035, angles=[0.1, 1.6, 3.2, 4.7])
    assert (more.redundant, more.mobility, len(more.motors)) == (True, 3, 4)
    assert not build.delta(0.16, 0.05, 0.2, 0.48, 0.035).redundant
    seven = build.hexapod([*BASE, [0, 1, 0]], [*TOP, [0, 0.5, 0]])
    assert (seven.redundant, seven.mobility, len(seven.motors)) == (True, 6, 7)
    assert not build.hexapod(BASE, TOP).redundant
    for robot in (more, seven):
        assert robot.assembly.findings == ()


def test_redundancy_may_be_said_or_denied() -> None:
    """Builders that count their legs take the word of whoever calls."""
    base, top = ring(1.0, range(-10, 350, 45)), ring(0.5, [-35, 35, 55, 125, 145, 215, 235, 305])
    assert build.hexapod(base, top, redundant=True).redundant
    assert not build.hexapod(base, top, redundant=False).redundant
    assert build.hexapod(base, top).redundant
    assert build.delta(0.16, 0.05, 0.2, 0.48, 0.035, redundant=True).redundant
    again = gough.vary(build.hexapod(base, top), redundant=False)
    assert not again.redundant


def test_motors_of_a_singular_layout_are_refused_without_being_led(monkeypatch: Any) -> None:
    """No pose is held by legs of similar octagons: every door says so, and at once."""
    octagon = ring(1.0, range(0, 360, 45))
    with pytest.warns(DescriptionWarning, match="singular everywhere"):
        r = build.hexapod(octagon, 0.5 * octagon)
    lengths = np.linspace(1.2, 1.3, 8)

    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("the motors were led")

    monkeypatch.setattr("gough.kinematics.from_motors.lead", fail)
    for call in (
        gough.forward_kinematics,
        gough.pose_from_motors,
        gough.state_from_motors,
        lambda r, q: gough.track(r, [q, q]),
        lambda r, q: gough.inverse_dynamics_from_motors(r, q, 0.0 * q, 0.0 * q),
    ):
        with pytest.raises(SingularPose) as info:
            call(r, lengths)
        assert info.value.kind == "Type 2"
    found = gough.state_from_motors(r, np.tile(lengths, (3, 1)), on_error="nan")
    assert (found.status == gough.PoseStatus.SINGULAR).all()


def test_modes_pick_the_elbows() -> None:
    """Angle of the proximal link = direction of the tip - mode * acos(...)."""
    tip = (0.05, 0.5)
    for modes in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
        robot = build.five_bar([[-0.16, 0], [0.16, 0]], 0.3, 0.42, modes=modes, home=tip)
        for i, (x, mode) in enumerate(zip((-0.16, 0.16), modes, strict=True), start=1):
            d = np.array(tip) - [x, 0.0]
            r = np.linalg.norm(d)
            bend = np.arccos((0.09 + r * r - 0.42**2) / (0.6 * r))
            expected = np.arctan2(d[1], d[0]) - mode * bend
            assert robot.assembly.home_values[f"foot{i}"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: build.hexapod(BASE[:5], TOP[:5]), "needs six legs, got 5"),
        (lambda: build.hexapod(BASE, TOP[:5]), "6 base points and 5 platform points"),
        (lambda: build.hexapod(BASE.ravel(), TOP), "shape (18,)"),
        (lambda: build.hexapod(np.full((6, 3), np.nan), TOP), "not finite"),
        (lambda: build.hexapod("six", TOP), "expected points"),
        (lambda: build.hexapod(None, TOP), "expected points [[x, y, z], ...], got None"),
        (lambda: build.hexapod(BASE.astype(str), TOP), "expected points"),
        (lambda: build.hexapod(BASE, TOP, home=(0, 0, 0.8)), "gough.Frame((x, y, z))"),
        (
            lambda: build.hexapod(BASE, TOP, legs={"viscous": 0.1}),
            "legs: expected a gough.build.Leg",
        ),
        (
            lambda: build.five_bar(0.3, 0.3, 0.4, legs=[None, None]),
            "legs: expected a gough.build.Leg",
        ),
        (lambda: build.delta(0.16, 0.05, 0.2, 0.48, 0.03, angles=[0, 120, 240]), "Degrees?"),
        (lambda: build.delta(0.16, 0.05, 0.2, 0.48, 0.03, angles=None), "angles: expected a list"),
        (lambda: build.five_bar([[0, 0, 0], [0.2, 0, 0.1]], 0.3, 0.4), "at one height z"),
        (
            lambda: build.three_rrr(BASE[:3], TOP[:3] + np.diag([0, 0, 0.1]), 3, 3),
            "platform_points",
        ),
        (lambda: build.planar_leg("P* R R", 1, (0, 0), (0, 0), gough.Frame(), distal=1), "rail"),
        (lambda: build.machine("m", None), "parts: expected a list"),
        (lambda: build.machine("m", [1]), "parts: expected legs, got 1"),
        (lambda: build.hexapod(np.ones((6, 3)), TOP), "all points coincide"),
        (lambda: build.hexapod(BASE[[0, 0, 2, 3, 4, 5]], TOP[[0, 0, 2, 3, 4, 5]]), "legs 1 and 2"),
        (lambda: build.hexapod(BASE, TOP, home=np.eye(3)), "home"),
        (lambda: build.hexapod(BASE, TOP, home=np.diag([1, 1, 2, 1.0])), "not a rotation"),
        (lambda: build.hexapod(BASE, TOP, legs=[build.Leg()] * 5), "list of 6, got 5"),
        (lambda: build.hexapod(BASE, TOP, cross=[None] * 5), "list of 6, got 5"),
        (lambda: build.delta(0.16, 0.05, 0.2, 0.0, 0.03), "bar: must be positive"),
        (lambda: build.delta(0.16, 0.05, 0.2, 0.05, 0.03), "no home was found"),
        (lambda: build.delta(0.16, 0.05, 0.2, 0.48, 0.03, angles=[0, 1]), "three legs, got 2"),
        (lambda: build.delta(0.16, 0.05, 0.2, 0.48, 0.03, bars="UU"), "US, SS"),
        (lambda: build.five_bar(3.0, 0.3, 0.4), "no home was found"),
        (lambda: build.five_bar(0.0, 0.3, 0.4), "base_points: must be positive"),
        (lambda: build.five_bar(0.3, 0.3, 0.4, modes=(0, 1)), "expected 1 or -1"),
        (lambda: build.five_bar(0.3, 0.3, 0.4, home=(5, 5)), "cannot reach"),
        (lambda: build.three_rrr(ring(1, [0, 120, 240]), np.zeros((3, 3)), 1, 1), "coincide"),
        (lambda: build.three_rrr(BASE[:3], TOP[:3], 0.1, 0.1), "three_rrr: no home was found"),
        (lambda: build.three_rrr(BASE[:4], TOP[:4], 3, 3), "expected 3 points, got 4"),
        (lambda: build.planar_rrr(BASE[:2], TOP[:2], 3, 3), "needs three legs, got 2"),
        (lambda: build.planar_rrr(BASE[:4], TOP[:3], 3, 3), "platform_points: expected 4 points"),
        (lambda: build.planar_rrr(BASE[:4], TOP[:4], [3, 3, 3], 3), "list of 4, got 3"),
        (lambda: build.planar_rrr(np.ones((4, 3)), TOP[:4], 3, 3), "coincide"),
    ],
)
def test_what_is_refused(call: Any, words: str) -> None:
    with pytest.raises(InputError) as err:
        call()
    assert words in str(err.value)


def test_millimetres_are_told_where_the_machine_is_asked_for() -> None:
    with pytest.warns(
        DescriptionWarning, match=r"big: .* m from the origin; millimetres\?"
    ) as told:
        build.hexapod(1000 * BASE, 1000 * TOP, name="big")
    assert told[0].filename == __file__
    with pytest.warns(DescriptionWarning, match="millimetres") as told:
        gough.zoo.load("delta", Rb=160.0, rp=50.0, L=200.0, l=480.0, s=35.0)
    assert told[0].filename == __file__


def test_parts_are_told_shortly() -> None:
    leg = build.ups_leg(1, BASE[0], TOP[0], gough.Frame((0, 0, 2)))
    assert repr(leg) == "<Parts: 2 bodies, 3 joints, motors p1>"


def test_a_built_robot_is_a_plain_robot(tmp_path: Any) -> None:
    robot = build.delta(0.16, 0.05, 0.2, 0.48, 0.035, platform=gough.inertia.sphere(0.5, 0.05))
    gough.save(robot, tmp_path / "delta.yaml")
    assert gough.load(tmp_path / "delta.yaml") == robot
