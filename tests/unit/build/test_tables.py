"""Khalil-Kleinfinger tables: [BK] Table 1 and [KI] Table 1 give the reference machines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gough
from gough import build
from gough.base import spatial
from gough.errors import InputError
from numbers_robots import gs_ref, gs_ref_state
from robots import cases, relative
from robots import mechanism as reference

QUARTER = np.pi / 2.0


def gs_ref_from_table() -> gough.Robot:
    """GS-REF of NUMBERS.md: b = alpha_1 = 0, d = 3, theta_1i = q1 - gamma_i."""
    feet = np.radians([-2.5, 2.5, 117.5, 122.5, 237.5, 242.5])
    wrists = np.radians([-50.0, 50.0, 70.0, 170.0, 190.0, 290.0])
    bodies = {
        "1": {"mass": 0.5, "inertia": np.diag([0.002] * 3)},
        "2": {"mass": 12.0, "center": (0.0, -0.6, 0.0), "inertia": np.diag([1.5, 0.02, 1.5])},
        "3": {"mass": 8.0, "center": (0.0, 0.0, -0.5), "inertia": np.diag([0.9, 0.9, 0.01])},
    }
    legs = []
    for i, (gamma, angle) in enumerate(zip(feet, wrists, strict=True), start=1):
        point = np.array([np.cos(angle), np.sin(angle), 0.0])
        u = point - np.array([3.0 * np.cos(gamma), 3.0 * np.sin(gamma), -2.0])
        q = float(np.linalg.norm(u))
        theta1, theta2 = np.arctan2(u[1], u[0]) - gamma, np.arccos(-u[2] / q)
        table = [  # j a sigma gamma b alpha d theta r, [BK] Table 1; mu is the last column
            ("1", 0, 0, gamma, 0, 0, 3.0, theta1, 0, 0),
            ("2", "1", 0, 0, 0, QUARTER, 0, theta2, 0, 0),
            ("3", "2", 1, 0, 0, QUARTER, 0, 0, q, 1),
        ]
        legs.append(
            build.khalil_kleinfinger(
                table,
                leg=i,
                columns=(*build.BK_COLUMNS, "mu"),
                bodies=bodies,
                platform_point=point,
            )
        )
    inertia = [[80, 1.5, -2], [1.5, 75, 0.7], [-2, 0.7, 150]]
    platform = {"mass": 300.0, "center": (0.02, -0.03, 0.05), "inertia": inertia}
    home = gough.Frame((0.0, 0.0, 2.0))
    return build.machine("gs_ref", legs, platform=platform, home=home)


def test_bk_table_1_gives_gs_ref() -> None:
    found, expected = gs_ref_from_table(), gs_ref()
    state = gough.State(*gs_ref_state())
    tau = gough.inverse_dynamics(found, state)
    # the same machine, its frames turned by gamma: rounding
    assert relative(tau, gough.inverse_dynamics(expected, state)) < 1e-12
    printed = [1044.250878978995, 645.588757242837, 943.442401082243]
    # NUMBERS.md, agreement 1e-12
    np.testing.assert_allclose(tau[:3], printed, rtol=1e-12)


def test_ki_table_1_gives_the_space_robot() -> None:
    """Legs of the reference robot, its parameters put into the table of [KI]."""
    expected, legs = reference("space_3ups"), []
    points = [(0.0, 0.0, 0.0), (0.55, 0.0, 0.0), (0.27, 0.5, 0.0)]
    first = [(0.0, 0.0), (0.0, 1.0), (1.0821041362364843, 0.98)]
    T = expected.home_pose
    for i in range(3):
        gamma, d = first[i]
        foot = spatial.rotation_z(gamma) @ [d, 0.0, 0.0]
        R = spatial.rotation_z(gamma) @ spatial.rotation_x(-QUARTER)
        x, y, z = R.T @ (T[:3, 3] + T[:3, :3] @ points[i] - foot)
        length = float(np.sqrt(x * x + y * y + z * z))
        table = [  # j a mu sigma gamma b alpha d theta r, [KI] Table 1
            (1, 0, 1, 0, gamma, 0, -QUARTER, d, np.arctan2(y, x), 0),
            (2, 1, 0, 0, 0, 0, QUARTER, 0, np.arccos(-z / length), 0),
            (3, 2, 1, 1, 0, 0, QUARTER, 0, 0, length),
        ]
        bodies = [f"{name}{i + 1}" for name in ("cross", "cyl", "rod")]
        legs.append(
            build.khalil_kleinfinger(
                table,
                leg=i + 1,
                bodies={j + 1: expected.body(name) for j, name in enumerate(bodies)},
                axes={1: expected.axis(f"u1_{i + 1}"), 3: expected.axis(f"p_{i + 1}")},
                platform_point=points[i],
            )
        )
    robot = build.machine("space", legs, platform=expected.body("platform"), home=T)
    known = cases("space_3ups")
    tau = gough.inverse_dynamics(robot, gough.State(known["T"], known["twist"], known["dtwist"]))
    # the reference answers agree among engines to 4e-15
    assert relative(tau, known["tau"]) < 1e-12
    assert relative(gough.inverse_kinematics(robot, known["T"]), known["q"]) < 1e-12


def test_a_table_may_branch_and_close_with_any_joint() -> None:
    """A crank with two bars: frame 3 branches off frame 1; r of a revolute lifts its frame."""
    table: list[Any] = [
        {"j": "crank", "a": "base", "mu": 1},
        {"j": "bar", "a": "crank", "d": 0.3, "theta": 0.5, "r": 0.02},
        {"j": "other", "a": "crank", "d": 0.2, "sigma": 1, "alpha": QUARTER, "r": 0.1},
    ]
    leg = build.khalil_kleinfinger(
        table, leg=1, closing="R", platform_frame=gough.Frame((0.1, 0.0, 0.0)), tip="bar"
    )
    assert [(j.parent, j.child) for j in leg.joints] == [
        ("base", "link1_crank"),
        ("link1_crank", "link1_bar"),
        ("link1_crank", "link1_other"),
        ("link1_bar", "platform"),
    ]
    assert leg.motors == ("q1_crank",)
    assert leg.poses["link1_bar"].position == pytest.approx((0.3, 0.0, 0.02))
    assert leg.poses["link1_other"].position == pytest.approx((0.2, -0.1, 0.0))


def test_a_table_may_be_an_array() -> None:
    rows = [(1, 0, 1, 0, 0.3, 0, -QUARTER, 0.6, -1.2, 0), (2, 1, 0, 0, 0, 0, QUARTER, 0, 1.4, 0)]
    options = {"leg": 1, "platform_point": (0, 0, 0)}
    found = build.khalil_kleinfinger(np.array(rows), **options)
    assert found == build.khalil_kleinfinger(rows, **options)


def test_the_closing_joint_has_axes() -> None:
    rub = gough.Axis(viscous=0.1, limits=gough.Limits(position=(0.0, 0.5)))
    options = {"leg": 1, "platform_point": (0, 0, 0)}
    leg = build.khalil_kleinfinger(GOOD, axes={"end": rub}, **options)
    assert leg.joints[-1].axes == (rub,)


GOOD = [(1, 0, 1, 0, 0, 0, 0, 0, 0, 0)]


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        ([], {}, "at least one row"),
        ([(1, 2, 3)], {}, "has 3 entries, expected 9 or 10"),
        ([{"sigmaa": 1}], {}, "Did you mean 'sigma'"),
        ([{"sigma": 2}], {}, "sigma is 0 or 1"),
        ([{"mu": 7}], {}, "mu is 0 or 1"),
        ([{"a": 5}], {}, "antecedent 5"),
        ([{"theta": float("nan")}], {}, "row 1, theta"),
        ([{"alpha": 90}], {}, "Degrees?"),
        ([{"j": 1}, {"j": 1, "a": 1}], {}, "two rows are frame 1"),
        (None, {}, "table: expected a list, got None"),
        ([None], {}, "table: row 1: expected a list, got None"),
        (GOOD, {"bodies": [None]}, "by the frames of the table"),
        (GOOD, {"axes": {1: "motor"}}, "expected a gough.Axis"),
        (GOOD, {"platform_point": None}, "platform_point or platform_frame"),
        (GOOD, {"closing": "S*"}, "no axis for it"),
        (GOOD, {"closing": "R*"}, "without a star"),
        (GOOD, {"tip": 4}, "no frame 4"),
        (GOOD, {"bodies": {4: None}}, "no frame 4"),
        (GOOD, {"axes": {"1": gough.Axis()}}, "no frame '1'"),
    ],
)
def test_what_is_refused(table: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as err:
        build.khalil_kleinfinger(table, **{"leg": 1, "platform_point": (0, 0, 0), **options})
    assert words in str(err.value)
