"""What makes each machine with numbers of our own what it is."""

from typing import Any

import numpy as np
import pytest

import gough
from gough import zoo
from gough.errors import DescriptionError, InputError


def leg_list(name: str, **changes: Any) -> list[dict[str, Any]]:
    """The legs of a robot with entries replaced, by a value for all or one for each."""
    legs = zoo.parameters(name)["legs"]
    for key, value in changes.items():
        for i, leg in enumerate(legs):
            leg[key] = value[i] if isinstance(value, list) else value
    return legs


def walk(robot: gough.Robot, count: int = 3) -> np.ndarray:
    """Poses around home."""
    a = robot.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    rng = np.random.default_rng(5)
    x = home + 0.08 * a.scales.freedoms * rng.uniform(-1.0, 1.0, (count, a.mobility))
    return gough.state(robot, x).T_0p


def test_struts_of_the_6spu_are_as_long_as_their_points_are_apart():
    robot = zoo.load("gough_stewart_6spu")
    legs = zoo.parameters("gough_stewart_6spu")["legs"]
    for T in walk(robot):
        tips = [T[:3, :3] @ leg["platform_point"] + T[:3, 3] for leg in legs]
        apart = [np.linalg.norm(p - leg["base_point"]) for p, leg in zip(tips, legs, strict=True)]
        assert gough.inverse_kinematics(robot, T) == pytest.approx(apart, abs=1e-12)


def test_links_of_the_4rrr_keep_their_length():
    robot = zoo.load("four_rrr")
    legs = zoo.parameters("four_rrr")["legs"]
    for T in walk(robot):
        q = gough.inverse_kinematics(robot, T)
        for leg, qi in zip(legs, q, strict=True):
            elbow = leg["base_point"] + leg["l_prox"] * np.array([np.cos(qi), np.sin(qi), 0.0])
            tip = T[:3, :3] @ leg["platform_point"] + T[:3, 3]
            assert np.linalg.norm(tip - elbow) == pytest.approx(leg["l_dist"], abs=1e-12)


def test_all_motors_of_the_4rrr_take_part_in_its_preload():
    """Efforts that cancel: none is small beside the others, at home and around it."""
    robot = zoo.load("four_rrr")
    for T in walk(robot):
        J = gough.inverse_jacobian(robot, T)
        cancel = np.linalg.svd(J.T)[2][-1]
        assert np.abs(J.T @ cancel).max() < 1e-14
        assert np.abs(cancel).min() > 0.3  # four equal ones would be 0.5


def test_motors_of_the_4rrr_have_limits():
    assert [zoo.load("four_rrr").axis(f"foot{i}").limits.effort for i in (1, 2, 3, 4)] == [12.0] * 4
    free = zoo.load("four_rrr", legs=leg_list("four_rrr", act={"viscous": 0.1}))
    assert free.axis("foot1") == gough.Axis(viscous=0.1)


def test_the_spin_of_a_6spu_leg_is_set_at_the_platform():
    kinds = {j.name: (j.kind, j.parent) for j in zoo.load("gough_stewart_6spu").joints}
    assert kinds["s1"] == ("spherical", "base")
    assert kinds["u1"][0] == "universal"


def test_rods_of_the_hexaglide_keep_their_length():
    robot = zoo.load("hexapod_6pus")
    legs = zoo.parameters("hexapod_6pus")["legs"]
    for T in walk(robot):
        q = gough.inverse_kinematics(robot, T)
        for leg, qi in zip(legs, q, strict=True):
            slider = np.array(leg["rail_point"]) + qi * np.array(leg["rail_direction"])
            tip = T[:3, :3] @ leg["platform_point"] + T[:3, 3]
            assert np.linalg.norm(tip - slider) == pytest.approx(leg["rod_length"], abs=1e-12)
            assert (tip[0] > slider[0]) == (leg["side"] == "behind")


def test_a_hexaglide_may_stand_on_end():
    """Upright rails around the platform: another well-known 6-PUS."""
    angles = np.radians([-10.0, 12.0, 110.0, 131.0, 229.0, 252.0])
    points = [[0.5 * np.cos(a), 0.5 * np.sin(a), 0.0] for a in angles]
    legs = leg_list("hexapod_6pus", rail_point=points, rail_direction=(0.0, 0.0, 1.0), side="ahead")
    tips = np.radians([-48.0, 51.0, 70.0, 168.0, 188.0, 291.0])
    for leg, a in zip(legs, tips, strict=True):
        leg["platform_point"] = [0.15 * np.cos(a), 0.15 * np.sin(a), 0.0]
    robot = zoo.load("hexapod_6pus", legs=legs, home=(0.01, 0.0, 0.1, 0.02, 0.03, 0.05))
    assert robot.mobility == 6
    assert robot.assembly.findings == ()


def test_bars_of_the_linear_delta_keep_their_length_and_the_platform_its_axes():
    robot = zoo.load("linear_delta")
    p = zoo.parameters("linear_delta")
    for T in walk(robot):
        assert T[:3, :3] == pytest.approx(np.eye(3), abs=1e-12)
        for i, q in enumerate(gough.inverse_kinematics(robot, T)):
            leg = p["legs"][i]
            out = np.array([np.cos(leg["phi"]), np.sin(leg["phi"]), 0.0])
            rail = np.sin(leg["tilt"]) * out + np.cos(leg["tilt"]) * np.array([0.0, 0.0, 1.0])
            slider = leg["rail_radius"] * out + q * rail
            tip = T[:3, 3] + leg["platform_radius"] * out
            assert np.linalg.norm(tip - slider) == pytest.approx(p["l"], abs=1e-12)
            assert slider[2] > tip[2]


def test_a_linear_delta_on_flat_rails_is_a_triaglide_s_cousin():
    legs = leg_list("linear_delta", tilt=1.4, rail_radius=0.15)
    robot = zoo.load("linear_delta", legs=legs, home=(0.0, 0.01, -0.35))
    assert robot.freedoms == ("x", "y", "z")
    assert robot.assembly.findings == ()


def test_motor_4_of_the_delta_is_the_tool_s_yaw():
    """Two universal joints with aligned forks between parallel shafts transmit evenly."""
    robot = zoo.load("delta_4")
    a = robot.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    for dx, dy, dz, yaw in ((0.1, -0.05, 0.03, 0.6), (-0.12, 0.08, -0.05, -0.9), (0, 0, 0.0, 2.0)):
        x = home + np.array([dx, dy, dz, yaw])
        T = gough.state(robot, x).T_0p
        assert gough.inverse_kinematics(robot, T)[3] == pytest.approx(x[3], abs=1e-12)
        motors = gough.inverse_jacobian(robot, T)
        assert motors[3] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-12)


def test_the_fourth_leg_may_hang_straight():
    """With the telescope upright all its axes are in line, and it still turns the tool."""
    x, y, _ = zoo.parameters("delta_4")["leg4"]["motor_point"]
    robot = zoo.load("delta_4", home=(x, y, -0.6, 0.0))
    assert robot.mobility == 4
    assert robot.assembly.findings == ()


def test_halves_of_the_h4_keep_their_axes_and_the_bar_turns():
    robot = zoo.load("h4")
    for T in walk(robot):
        posture = gough.posture(robot, T)
        for half in ("half1", "half2"):
            assert posture.bodies[half][:3, :3] == pytest.approx(np.eye(3), abs=1e-12)
        assert T[2, 2] == pytest.approx(1.0, abs=1e-12)


def test_the_even_h4_is_singular_in_the_middle():
    """Legs at 45, 135, 225 and 315 degrees: the nacelle can tilt, its halves turning apart."""
    phis = [np.pi / 4.0, 3.0 * np.pi / 4.0, 5.0 * np.pi / 4.0, 7.0 * np.pi / 4.0]
    legs = leg_list(
        "h4",
        phi=phis,
        base_point=[[0.28 * np.cos(a), 0.28 * np.sin(a), 0.0] for a in phis],
        half_point=[[0.05 * np.sign(np.cos(a)), 0.02 * np.sign(np.sin(a)), 0.0] for a in phis],
    )
    robot = zoo.load("h4", legs=legs, home=(0.0, 0.0, -0.62, 0.0))
    assert robot.assembly.mobility_at_home == 5
    assert any("home is singular" in text for text in robot.assembly.findings)


def test_the_dymo_translates():
    robot = zoo.load("dymo")
    for T in walk(robot):
        assert T[:3, :3] == pytest.approx(np.eye(3), abs=1e-12)


@pytest.mark.parametrize("drive", ["second", "knee"])
def test_the_dymo_is_driven_by_second_axes_or_knees(drive):
    robot = zoo.load("dymo", drive=drive)
    assert robot.assembly.findings == ()
    assert robot.assembly.motor_rank == 3


def test_the_dymo_driven_by_its_first_axes_slides_along_OP():
    """The planes of the legs all hold O and P: their angles do not know how far P is."""
    robot = zoo.load("dymo", drive="first")
    assert robot.mobility == 3
    assert robot.assembly.motor_rank == 2
    assert not robot.assembly.motors_control_platform
    for T in walk(robot):
        J = gough.inverse_jacobian(robot, T)
        assert J @ T[:3, 3] == pytest.approx(np.zeros(3), abs=1e-12)


def test_motors_of_the_dymo_are_the_angles_of_its_links():
    p = zoo.parameters("dymo")
    for drive, angle in (("second", "lean"), ("first", "turn"), ("knee", "bend")):
        robot = zoo.load("dymo", drive=drive)
        for T in walk(robot, 2):
            posture = gough.posture(robot, T)
            for i, q in enumerate(gough.inverse_kinematics(robot, T)):
                a = p["legs"][i]["angle"]
                u = np.array([np.cos(a), np.sin(a), 0.0])
                first = posture.bodies[f"proximal{i + 1}"][:3, :3]
                second = posture.bodies[f"distal{i + 1}"][:3, :3]
                n, link = first[:, 2], first[:, 0]
                up = np.cross(n, u)
                found = {
                    "lean": np.arctan2(link @ up, link @ u),
                    "turn": np.arctan2(up @ np.cross(u, [0.0, 0.0, 1.0]), up[2]),
                    "bend": np.arctan2(second[:, 0] @ first[:, 1], second[:, 0] @ link),
                }[angle]
                # angles are exact but for the rounding of arctan2 near the end of a walk
                assert np.sin(q - found) == pytest.approx(0.0, abs=1e-12)


def test_the_dymo_straight_over_its_base_is_refused():
    with pytest.raises(DescriptionError, match="home: P is straight over O"):
        zoo.load("dymo", home=(0.0, 0.0, 0.4))


def test_the_even_dymo_stands_as_well():
    legs = leg_list(
        "dymo",
        angle=[0.0, 2.0 * np.pi / 3.0, 4.0 * np.pi / 3.0],
        base_radius=0.2,
        platform_radius=0.1,
        proximal_length=0.3,
        distal_length=0.3,
    )
    robot = zoo.load("dymo", legs=legs)
    assert robot.mobility == 3
    assert robot.assembly.findings == ()


def test_the_eye_turns_about_its_centre():
    robot = zoo.load("agile_eye")
    for T in walk(robot):
        assert T[:3, 3] == pytest.approx(np.zeros(3), abs=1e-12)
    assert gough.freedom_map(robot, T)[:3] == pytest.approx(np.zeros((3, 3)), abs=1e-12)


def test_arcs_of_the_eye_stay_what_they_are():
    robot = zoo.load("agile_eye")
    legs = zoo.parameters("agile_eye")["legs"]
    for T in walk(robot, 2):
        posture = gough.posture(robot, T)
        for i, leg in enumerate(legs):
            u, v = (np.array(leg[k]) for k in ("base_axis", "platform_axis"))
            v = T[:3, :3] @ v
            w = posture.bodies[f"distal{i + 1}"][:3, 2]
            assert u @ w / np.linalg.norm(u) == pytest.approx(np.cos(leg["alpha"]), abs=1e-12)
            assert v @ w / np.linalg.norm(v) == pytest.approx(np.cos(leg["beta"]), abs=1e-12)


@pytest.mark.parametrize("branch", [1, -1])
def test_the_eye_of_gosselin_and_hamel_is_isotropic(branch):
    """Right angles everywhere, home at the middle: the motors' Jacobian is a rotation."""
    u = np.eye(3).tolist()
    order = [u[2], u[0], u[1]] if branch == 1 else [u[1], u[2], u[0]]
    legs = leg_list(
        "agile_eye", base_axis=u, platform_axis=order, alpha=np.pi / 2.0, beta=np.pi / 2.0
    )
    robot = zoo.load("agile_eye", legs=legs, home=(0.0, 0.0, 0.0), branch=branch)
    assert robot.assembly.findings == ()
    J = gough.inverse_jacobian(robot, robot.home_pose)
    assert J.T @ J == pytest.approx(np.eye(3), abs=1e-12)
    if branch == 1:
        assert [robot.assembly.home_values[m] for m in robot.motors] == pytest.approx(
            [0.0, 0.0, 0.0], abs=1e-12
        )


@pytest.mark.parametrize(
    ("name", "parameters", "told"),
    [
        ("agile_eye", {"branch": 2}, "branch: is 1 or -1"),
        ("agile_eye", {"legs": leg_list("agile_eye", alpha=0.2, beta=0.3)}, "do not join"),
        ("dymo", {"drive": "seconds"}, "drive: unknown value 'seconds'"),
        ("dymo", {"legs": leg_list("dymo", distal_length=0.05)}, r"legs\[0\]: links of .* reach"),
        ("quattro", {"l": 0.3}, "l: the bars, 0.3 m, do not reach"),
        ("orthoglide", {"l": -0.3}, "l: must be positive"),
        ("h4", {"home": (2.0, 0.0, -0.6, 0.0)}, "cannot reach"),
        ("delta_4", {"L": 0.0}, "L: must be positive"),
        ("linear_delta", {"l": 0.1}, "cannot reach"),
        ("hexapod_6pus", {"legs": leg_list("hexapod_6pus", side="before")}, "side: unknown"),
        ("hexapod_6pus", {"legs": leg_list("hexapod_6pus", rail_direction=(0, 0, 0))}, "zero"),
        ("gough_stewart_6spu", {"home": (0.0, 0.0, 0.6)}, "home: expected a list of 6"),
        ("c5", {"legs": []}, "legs: expected a list of 6"),
        ("four_rrr", {"legs": leg_list("four_rrr", act={"effort": 0.0})}, "effort: must be posit"),
        ("four_rrr", {"legs": leg_list("four_rrr")[:3]}, "legs: expected a list of 4"),
        ("delta_4", {"leg4": {"rod": {}}}, "leg4: has no 'motor_point'"),
    ],
)
def test_machines_that_cannot_be_are_refused(name, parameters, told):
    with pytest.raises((InputError, DescriptionError), match=told):
        zoo.load(name, **parameters)
