"""The linear Delta from a few lengths, against trilateration in closed form."""

import numpy as np
import pytest

import gough
from gough import build
from gough.errors import InputError
from trilateration import tool

UNEVEN = {
    "rail_radius": 0.2,
    "platform_radius": 0.04,
    "bar": [0.345, 0.352, 0.339],
    "half_spacing": 0.025,
    "endstops": [0.42, 0.415, 0.43],
    "angles": np.radians([209.0, 331.5, 90.5]),
}


@pytest.fixture(scope="module")
def uneven():
    return build.linear_delta(**UNEVEN)


def test_the_tool_is_where_three_spheres_meet(uneven):
    """Bars, end stops and angles that differ: the platform still only translates."""
    assert uneven.freedoms == ("x", "y", "z")
    assert uneven.assembly.findings == ()
    sliders = np.array([[-0.3, -0.34, -0.31], [0.0, 0.0, 0.0], [-0.1, -0.2, -0.15]])
    expected = tool(
        0.16, UNEVEN["angles"], UNEVEN["bar"], UNEVEN["endstops"], sliders
    )  # the difference of the radii
    T = gough.state_from_motors(uneven, sliders).T_0p
    # closed form against Newton: rounding of heights of a metre
    np.testing.assert_allclose(T[:, :3, 3], expected, atol=1e-13)
    np.testing.assert_allclose(T[:, :3, :3], np.broadcast_to(np.eye(3), (3, 3, 3)), atol=1e-12)
    np.testing.assert_allclose(gough.inverse_kinematics(uneven, T), sliders, atol=1e-13)


def test_an_end_stop_is_the_height_of_the_tool_in_the_middle(uneven):
    for leg, height in enumerate(UNEVEN["endstops"]):
        T = gough.Frame((0.0, 0.0, height)).matrix
        assert gough.inverse_kinematics(uneven, T)[leg] == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("scale", [0.01, 10.0])
@pytest.mark.parametrize("radii", [(0.16, 0.0), (0.05, 0.21)])
def test_only_the_difference_of_the_radii_counts(scale, radii):
    """Also a platform that is larger than the ring of rails, whose bars lean outward."""
    rail, platform = scale * np.array(radii)
    robot = build.linear_delta(rail, platform, 0.345 * scale, 0.025 * scale, endstops=0.42 * scale)
    assert robot.assembly.findings == ()
    np.testing.assert_allclose(robot.home_pose[:3, 3], [0.0, 0.0, 0.21 * scale], atol=1e-14)
    sliders = scale * np.array([-0.3, -0.32, -0.33])
    stops, arms = np.full(3, 0.42 * scale), np.full(3, 0.345 * scale)
    expected = tool(rail - platform, build.deltas.THIRDS, arms, stops, sliders)
    T = gough.state_from_motors(robot, sliders).T_0p
    np.testing.assert_allclose(T[:3, 3], expected, atol=1e-13 * scale)


def test_its_parameters_can_be_varied_one_leg_at_a_time(uneven):
    other = gough.vary(uneven, {"bar[1]": 0.36, "endstops[2]": 0.4, "angles[0]": 3.6})
    assert other.parameters["bar"] == [0.345, 0.36, 0.339]
    sliders = np.array([-0.3, -0.34, -0.31])
    angles = [3.6, *UNEVEN["angles"][1:]]
    expected = tool(0.16, angles, [0.345, 0.36, 0.339], [0.42, 0.415, 0.4], sliders)
    T = gough.state_from_motors(other, sliders).T_0p
    np.testing.assert_allclose(T[:3, 3], expected, atol=1e-13)
    one = build.linear_delta(0.2, 0.04, 0.345, 0.025)
    assert gough.vary(one, bar=0.35).parameters["bar"] == 0.35


def test_balls_masses_and_more_legs():
    slider, bar = gough.inertia.sphere(0.4, 0.03), gough.inertia.sphere(0.05, 0.01)
    legs = build.Leg(slider, bar, gough.Axis(limits=gough.Limits(position=(-0.4, 0.0))))
    robot = build.linear_delta(0.2, 0.04, 0.345, 0.025, bars="SS", legs=legs, home="mid")
    assert [robot.body(name).mass for name in ("slider2", "bar2a")] == [0.4, 0.05]
    # all sliders 0.2 m below end stops of height 0
    np.testing.assert_allclose(robot.home_pose[:3, 3], [0.0, 0.0, -0.2], atol=1e-12)
    four = build.linear_delta(0.2, 0.04, 0.345, 0.025, angles=[0.1, 1.6, 3.2, 4.7])
    assert (four.redundant, four.mobility, four.motors[3]) == (True, 3, "slider4")
    assert not robot.redundant


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bar": [0.345, 0.15, 0.339]}, "leg 2: bars of 0.15 m do not span the 0.16 m"),
        ({"bar": [0.345, 0.352]}, "bar: expected one for all or a list of 3, got 2"),
        ({"bar": 0.0}, "bar: must be positive"),
        ({"endstops": [0.4, 0.4]}, "endstops: expected one for all or a list of 3"),
        ({"endstops": np.nan}, "endstops: nan is not a finite number"),
        ({"platform_radius": 0.2}, "hang upright"),
        ({"angles": [0.0, 2.0]}, "needs three legs, got 2"),
        ({"angles": [210, 330, 90]}, "Degrees?"),
        ({"rail_radius": -0.1}, "rail_radius: must not be negative"),
    ],
)
def test_lengths_that_make_no_machine(change, words):
    with pytest.raises(InputError) as caught:
        build.linear_delta(**{**UNEVEN, **change})
    assert words in str(caught.value)
