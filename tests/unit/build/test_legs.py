"""Legs: each a machine with the mobility and the joint string it is named after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gough
from gough import build
from gough.base import spatial
from gough.errors import DescriptionError, InputError

HIGH = spatial.pose(np.eye(3), np.array([0.02, -0.03, 0.8]))
LOW = spatial.pose(np.eye(3), np.array([0.0, 0.0, -0.46]))


def ring(radius: float, degrees: list[float]) -> np.ndarray:
    a = np.radians(degrees)
    return np.stack([radius * np.cos(a), radius * np.sin(a), 0.0 * a], axis=1)


AXES = {"first_axis": (1, 0, 0), "middle_axis": (0, 1, 0), "last_axis": (1, 0, 0)}
BASE = ring(0.6, [-11, 9, 111, 128, 229, 252])
TOP = ring(0.3, [-48, 51, 70, 168, 188, 291])


def tangential(angle: float, radius: float) -> gough.Frame:
    R = spatial.rotation_z(angle)
    return gough.Frame((R @ [radius, 0.0, 0.0]).tolist(), R.tolist())


def six(leg: Callable[..., build.Parts], **options: Any) -> gough.Robot:
    parts = [leg(i + 1, BASE[i], TOP[i], HIGH, **options) for i in range(6)]
    return build.machine("six", parts, platform=gough.inertia.sphere(2.0, 0.1), home=HIGH)


def three(leg: Callable[..., build.Parts], radius: float, T: np.ndarray, **options: Any) -> Any:
    parts = []
    for i, angle in enumerate(np.radians([0.0, 120.0, 240.0]), start=1):
        point = spatial.rotation_z(angle) @ [0.05, 0.0, 0.0]
        parts.append(leg(i, tangential(angle, radius), point, T, **options))
    return build.machine("three", parts, platform=gough.inertia.sphere(2.0, 0.1), home=T)


@pytest.mark.parametrize(
    ("robot", "string", "mobility"),
    [
        (lambda: six(build.ups_leg), "U P* S", 6),
        (lambda: six(build.ups_leg, cross=gough.inertia.sphere(0.1, 0.02)), "R R P* S", 6),
        (lambda: six(build.spu_leg), "S P* U", 6),
        (lambda: six(build.rus_leg, arm=0.3, rod=0.8), "R* U S", 6),
        (lambda: six(build.pus_leg, rod=1.0), "P* U S", 6),
        (lambda: three(build.rps_leg, 0.3, HIGH), "R P* S", 3),
        (
            lambda: three(build.delta_leg, 0.16, LOW, arm=0.2, bar=0.48, half_spacing=0.03),
            "R* [U S | U S]",
            3,
        ),
        (
            lambda: three(
                build.delta_leg, 0.16, LOW, arm=0.2, bar=0.48, half_spacing=0.03, bars="SS"
            ),
            "R* [S S | S S]",
            3,
        ),
        (
            lambda: three(
                build.linear_delta_leg, 0.3, LOW, bar=0.48, half_spacing=0.03, slide="ahead"
            ),
            "P* [U S | U S]",
            3,
        ),
    ],
)
def test_a_leg_is_what_it_is_called(
    robot: Callable[[], gough.Robot], string: str, mobility: int
) -> None:
    page = gough.sheet(robot())
    assert {chain for _, chain in page.legs} == {string}
    assert page.mobility == mobility == page.controlled
    assert page.remarks == ()


@pytest.mark.parametrize("leg", [build.ups_leg, build.spu_leg])
def test_a_telescopic_leg_is_as_long_as_its_points_are_apart(leg: Any) -> None:
    T = spatial.pose(spatial.rotation_exp(np.array([0.1, -0.2, 0.3])), np.array([0.1, 0.0, 0.7]))
    q = gough.inverse_kinematics(six(leg), T)
    apart = T[:3, 3] + TOP @ T[:3, :3].T - BASE
    # a length of 1 m by two routes of a dozen operations each
    np.testing.assert_allclose(q, np.linalg.norm(apart, axis=1), atol=1e-14)


def test_cranks_and_sliders_keep_the_lengths_of_their_rods() -> None:
    """Rounding only: both ends of every rod come from closed loops."""
    for robot in (six(build.rus_leg, arm=0.3, rod=0.8), six(build.pus_leg, rod=0.8)):
        at = gough.posture(robot, HIGH)
        for i in range(6):
            knee, tip = at.bodies[f"rod{i + 1}"][:3, 3], HIGH[:3, 3] + TOP[i]
            assert np.linalg.norm(tip - knee) == pytest.approx(0.8, abs=1e-12)


def test_the_crank_counts_from_the_horizontal_downwards() -> None:
    T = spatial.pose(np.eye(3), np.array([0.0, 0.0, -0.46]))
    robot = three(build.delta_leg, 0.16, T, arm=0.2, bar=0.48, half_spacing=0.03)
    q = gough.inverse_kinematics(robot, T)
    out = 0.16 + 0.2 * np.cos(q) - 0.05
    down = 0.46 - 0.2 * np.sin(q)
    # the bar closes the triangle
    np.testing.assert_allclose(np.hypot(out, down), 0.48, atol=1e-12)


@pytest.mark.parametrize(
    ("string", "options"),
    [
        ("R* R R", {"proximal": 0.25, "distal": 0.27}),
        ("R R* R", {"proximal": 0.25, "distal": 0.27, "mode": -1}),
        ("R P* R", {}),
        ("P* R R", {"distal": 0.3}),
    ],
)
def test_planar_legs(string: str, options: dict[str, Any]) -> None:
    T = spatial.pose(spatial.rotation_z(0.3), np.array([0.01, 0.02, 0.0]))
    feet, top = ring(0.4, [88, 212, 330]), ring(0.1, [90, 210, 330])
    parts = []
    for i, angle in enumerate(np.radians([88, 212, 330]), start=1):
        rail = {"rail": (angle + 2.2) % (2.0 * np.pi)} if string.startswith("P") else {}
        parts.append(build.planar_leg(string, i, feet[i - 1], top[i - 1], T, **{**options, **rail}))
    robot = build.machine("p", parts, platform=gough.inertia.sphere(1.0, 0.1), home=T)
    page = gough.sheet(robot)
    assert page.freedoms == ("x", "y", "rz")
    assert {chain for _, chain in page.legs} == {string}
    np.testing.assert_allclose(robot.home_pose, T, atol=1e-12)  # drawn exactly


def test_uru_leg_carries_its_motor_where_the_star_is() -> None:
    leg = build.uru_leg(
        1,
        (0.4, 0.0, 0.0),
        (0.5, 0.0, 0.4),
        (0.1, 0.0, 0.0),
        HIGH,
        build.Leg(motor=gough.Axis(viscous=0.5)),
        first_axis=(1.0, 0.0, 0.0),
        middle_axis=(0.0, 1.0, 0.0),
        last_axis=(1.0, 0.0, 0.0),
    )
    assert leg.motors == ("foot1.second",)
    assert leg.joints[0].axes[1].viscous == 0.5
    assert leg.joints[0].axes[0].viscous == 0.0


def test_bodies_without_figures_are_declared_massless() -> None:
    rod = gough.inertia.rod(1.0, (0, 0, -0.3), (0, 0, 0))
    leg = build.ups_leg(1, BASE[0], TOP[0], HIGH, build.Leg(distal=rod))
    assert [b.massless for b in leg.bodies] == [True, False]
    own = build.Leg(distal=gough.Body("piston", 2.0))
    assert build.ups_leg(1, BASE[0], TOP[0], HIGH, own).joints[-1].parent == "piston"


def test_a_leg_is_massless_and_joins_base_and_platform_unless_told() -> None:
    plain = build.Leg()
    assert (plain.proximal, plain.distal, plain.motor) == (None, None, None)
    assert build.spu_leg(1, BASE[0], TOP[0], HIGH) == build.spu_leg(1, BASE[0], TOP[0], HIGH, plain)
    other = build.Leg(base="carriage", platform="plate")
    for leg in (
        build.ups_leg(1, BASE[0], TOP[0], HIGH, other),
        build.spu_leg(1, BASE[0], TOP[0], HIGH, other),
        build.pus_leg(1, BASE[0], TOP[0], HIGH, other, rod=1.0),
        build.delta_leg(
            1, (0.16, 0, 0), (0.05, 0, 0), LOW, other, arm=0.2, bar=0.48, half_spacing=0.03
        ),
    ):
        assert (leg.joints[0].parent, leg.joints[-1].child) == ("carriage", "plate")


def test_two_bars_are_alike_or_a_pair() -> None:
    light, heavy = (gough.inertia.rod(mass, (0, 0, 0), (0.48, 0, 0)) for mass in (0.1, 0.2))
    shape = {"arm": 0.2, "bar": 0.48, "half_spacing": 0.03}
    for distal, masses in ((light, [0.1, 0.1]), ([light, heavy], [0.1, 0.2]), (None, [0.0, 0.0])):
        made_of = build.Leg(distal=distal)
        leg = build.delta_leg(1, (0.16, 0, 0), (0.05, 0, 0), LOW, made_of, **shape)
        assert [b.mass for b in leg.bodies] == [0.0, *masses]
    pair = [light, heavy]
    made_of = build.Leg(distal=pair)
    pair.clear()
    assert made_of.bars == [light, heavy]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"proximal": 3.0}, "proximal: expected a gough.Body or mass properties, got 3.0"),
        ({"distal": "steel"}, "distal: expected a gough.Body or mass properties"),
        ({"distal": {"masss": 3.0}}, "Did you mean 'mass'"),
        ({"distal": [None] * 3}, "distal: expected one for all or a list of 2, got 3"),
        ({"distal": [None, 1]}, "distal: expected a gough.Body"),
        ({"motor": {"viscous": 0.1}}, "motor: expected a gough.Axis"),
        ({"base": None}, "base"),
        ({"platform": 3}, "platform"),
    ],
)
def test_what_a_leg_is_not_made_of(given: dict[str, Any], words: str) -> None:
    with pytest.raises((InputError, DescriptionError)) as err:
        build.Leg(**given)
    assert words in str(err.value)


def test_a_pair_of_bars_is_refused_where_there_is_one_rod() -> None:
    with pytest.raises(InputError, match=r"rod1: expected a gough\.Body"):
        build.rps_leg(1, BASE[0], TOP[0], HIGH, build.Leg(distal=[None, None]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: build.ups_leg(1, [0, 0, 0], [0, 0, 0], np.eye(4)), "coincide"),
        (lambda: build.ups_leg(1, [0, 0], [0, np.nan, 0], HIGH), "not finite"),
        (lambda: build.ups_leg(1, [0, 0, 0], [0, 0, 0], np.eye(3)), "4x4"),
        (
            lambda: build.ups_leg(
                1, [0, 0, 0], [0, 0, 0], spatial.pose(np.eye(3), [0, 0, 1]), first_axis=[0, 0, 2]
            ),
            "first universal axis",
        ),
        (lambda: build.rus_leg(1, BASE[0], TOP[0], HIGH, arm=0.1, rod=0.1), "cannot reach"),
        (lambda: build.rus_leg(1, BASE[0], TOP[0], HIGH, arm=-0.1, rod=0.1), "positive"),
        (lambda: build.rus_leg(1, BASE[0], TOP[0], HIGH, arm=0.3, rod=0.8, elbow="up"), "out, in"),
        (lambda: build.pus_leg(1, BASE[0], TOP[0], HIGH, rod=0.1), "from the rail"),
        (lambda: build.planar_leg("R P P", 1, BASE[0], TOP[0], HIGH), "drawn_chain"),
        (
            lambda: build.ups_leg(1, BASE[0], TOP[0], HIGH, 3.0),
            "made_of: expected a gough.build.Leg",
        ),
        (
            lambda: build.uru_leg(*[1, *BASE[:3], HIGH, {}], **AXES),
            "made_of: expected a gough.build",
        ),
        (lambda: build.ups_leg(1, BASE[0], TOP[0], HIGH, cross=3.0), "mass properties"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(InputError) as err:
        call()
    assert words in str(err.value)


def test_two_legs_of_one_name_are_refused() -> None:
    leg = build.ups_leg(1, BASE[0], TOP[0], HIGH)
    with pytest.raises(InputError, match="two parts bring the name"):
        leg + leg
