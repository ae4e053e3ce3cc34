"""The dataclasses refuse what makes no sense, with the path of the entry and the figures."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gough
from gough.errors import DescriptionError
from gough.robot.frame import rotation_from_axes
from gough.robot.joint_kinds import KINDS
from gough.robot.names import check_distinct, check_name

NAN = float("nan")
BODY = gough.Body("b", 1.0)
JOINT = gough.Joint("j", "revolute", "base", "b")
ROBOT = gough.Robot("r", (BODY,), (JOINT,), "b", motors=("j",))


def refusal(make: Callable[[], object]) -> DescriptionError:
    with pytest.raises(DescriptionError) as caught:
        make()
    return caught.value


# mass <= 0 (massless must be said); inertia


@pytest.mark.parametrize("mass", [0.0, -1.0])
def test_mass_not_positive_must_be_said(mass: float) -> None:
    error = refusal(lambda: gough.Body("b", mass))
    assert error.path == "bodies.b.mass"
    assert f"{mass:g}" in str(error)
    assert "massless: true" in error.hint


def test_massless_has_no_mass() -> None:
    assert gough.Body("b", massless=True).mass == 0.0
    assert refusal(lambda: gough.Body("b", 1.0, massless=True)).path == "bodies.b"
    inertia = np.eye(3)
    assert refusal(lambda: gough.Body("b", 0.0, inertia=inertia, massless=True)).path == "bodies.b"


@pytest.mark.parametrize(
    ("inertia", "words"),
    [
        ([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], "not symmetric: entries differ by 0.1"),
        (np.diag([1.0, 1.0, -0.1]), "negative principal moment, -0.1"),
        (np.diag([-1.0, -1.0, -2.0]), "negative principal moment, -2"),
        (np.diag([1.0, 1.0, 2.1]), "1, 1, 2.1 kg m^2"),
        ([[1, 0, 0], [0, 1, 0]], "three rows of three numbers"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, "1"]], "expected a number"),
    ],
)
def test_inertia_that_no_body_has(inertia: object, words: str) -> None:
    error = refusal(lambda: gough.Body("b", 1.0, inertia=inertia))  # type: ignore[arg-type]
    assert error.path.startswith("bodies.b.inertia")
    assert words in str(error)


@pytest.mark.parametrize("slack", [0.0, 0.5e-9])
def test_slender_bars_and_rounding_are_allowed(slack: float) -> None:
    assert gough.Body("b", 1.0, inertia=np.diag([-slack, 1.0, 1.0])).mass == 1.0  # type: ignore[arg-type]
    assert gough.Body("b", 1.0, inertia=np.diag([1.0, 1.0, 2.0 + slack])).mass == 1.0  # type: ignore[arg-type]


def test_beyond_rounding_is_refused() -> None:
    refusal(lambda: gough.Body("b", 1.0, inertia=np.diag([-2e-9, 1.0, 1.0])))  # type: ignore[arg-type]
    refusal(lambda: gough.Body("b", 1.0, inertia=np.diag([1.0, 1.0, 2.0 + 5e-9])))  # type: ignore[arg-type]


# numbers


@pytest.mark.parametrize("value", [NAN, np.inf, -np.inf, True, "1", None, [1], 10**400, 1e101, 1j])
def test_numbers_are_finite_real_and_measured(value: object) -> None:
    assert refusal(lambda: gough.Body("b", value)).path == "bodies.b.mass"  # type: ignore[arg-type]
    error = refusal(lambda: gough.Body("b", 1.0, (0.0, value, 0.0)))  # type: ignore[arg-type]
    assert error.path == "bodies.b.center[1]"


@given(st.lists(st.floats(-1e100, 1e100), min_size=9, max_size=9))
def test_any_matrix_is_an_inertia_and_a_rotation_or_a_named_error(values: list[float]) -> None:
    rows = np.reshape(values, (3, 3)).tolist()
    for make in (lambda: gough.Body("b", 1.0, inertia=rows), lambda: gough.Frame(rotation=rows)):
        with contextlib.suppress(DescriptionError):
            make()


# zero axis; rotation not orthogonal or det -1; quaternion


def test_rotation_typed_with_few_digits_is_made_orthogonal() -> None:
    c, s = 0.540302, 0.841471
    R = np.array(gough.Frame(rotation=((c, -s, 0), (s, c, 0), (0, 0, 1))).rotation)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(R[:2, 0], [np.cos(1), np.sin(1)], atol=1e-6)


def test_rotation_not_orthogonal_or_a_reflection() -> None:
    scaled = refusal(lambda: gough.Frame(rotation=np.diag([1, 1, 1.001])))  # type: ignore[arg-type]
    assert (scaled.path, "0.002" in str(scaled)) == ("rotation", True)
    mirrored = refusal(lambda: gough.Frame(rotation=np.diag([1.0, 1.0, -1.0])))  # type: ignore[arg-type]
    assert "determinant is -1" in str(mirrored)


def test_zero_axis_and_parallel_x() -> None:
    assert refusal(lambda: gough.Frame.from_axes(z=(0, 0, 0))).path == "z"
    assert refusal(lambda: gough.Frame.from_axes(z=(0, 0, 1), x=(0, 0, 3))).path == "x"
    assert refusal(lambda: gough.Frame.from_axes(z=(0, 0, 1), x=(0, 0, 0))).path == "x"


def test_quaternion_not_unit() -> None:
    error = refusal(lambda: gough.Frame.from_quaternion_wxyz((0, 0, 0), (1, 0, 0, 0.1)))
    assert error.path == "quaternion_wxyz"
    assert "1.00499" in str(error)
    refusal(lambda: gough.Frame.from_quaternion_wxyz((0, 0, 0), (1, 0, 0)))


def test_quaternion_turns_the_right_way() -> None:
    half = np.sqrt(0.5)
    R = gough.Frame.from_quaternion_wxyz((0, 0, 0), (half, 0, 0, half)).rotation
    np.testing.assert_allclose(R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-14)


def test_homogeneous_matrix() -> None:
    T = np.eye(4)
    T[:3, 3] = 1, 2, 3
    assert gough.Frame.from_matrix(T) == gough.Frame((1, 2, 3))
    np.testing.assert_array_equal(gough.Frame.from_matrix(T).matrix, T)
    refusal(lambda: gough.Frame.from_matrix(np.eye(3)))
    refusal(lambda: gough.Frame.from_matrix(T.T))


directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 1e-6)
nearly_down = st.tuples(st.floats(-1e-4, 1e-4), st.floats(-1e-4, 1e-4), st.just(-1.0))


@given(directions | nearly_down)
def test_z_points_where_it_is_told(z: tuple[float, float, float]) -> None:
    """To rounding, also close to half a turn from the body's z."""
    R = rotation_from_axes(z)
    np.testing.assert_allclose(R[:, 2], np.array(z) / np.linalg.norm(z), atol=1e-14)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-12)
    assert np.linalg.det(R) > 0


# joints


def sprung(kind: str, axis: int = 0) -> gough.Joint:
    """A joint of a kind, with a spring on one of its axes."""
    axes = [gough.Axis()] * axis + [gough.Axis(spring=gough.Spring(400, rest=0.1))]
    return gough.Joint("j", kind, "a", "b", axes=axes, pitch=0.1 if kind == "helical" else 0.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: gough.Joint("j", "hinge", "a", "b"), "joints.j.kind"),
        (lambda: gough.Joint("j", "revolute", "a", "a"), "joints.j"),
        (lambda: gough.Joint("j", "helical", "a", "b"), "joints.j.pitch"),
        (lambda: gough.Joint("j", "revolute", "a", "b", pitch=1.0), "joints.j.pitch"),
        (lambda: gough.Joint("j", "helical", "a", "b", pitch=NAN), "joints.j.pitch"),
        (lambda: gough.Joint("j", "revolute", "a", "b", axes=(gough.Axis(),) * 2), "joints.j.axes"),
        (lambda: gough.Joint("j", "fixed", "a", "b", axes=(gough.Axis(),)), "joints.j.axes"),
        (
            lambda: gough.Joint(
                "j", "spherical", "a", "b", axes=(gough.Axis(transmission=gough.Transmission(2.0)),)
            ),
            "joints.j.axes.ball",
        ),
        (lambda: gough.Joint("j 1", "revolute", "a", "b"), "joints"),
        (lambda: gough.Joint("j", "fixed", "a", "b", label="x" * 2001), "joints.j.label"),
        (lambda: gough.Joint("j", "fixed", "a", "b", label="\ud800"), "joints.j.label"),
        (lambda: gough.Axis(viscous=-1), "viscous"),
        (lambda: gough.Axis(coulomb=NAN), "coulomb"),
        (lambda: gough.Axis(rotor_inertia=-1e-9), "rotor_inertia"),
        (lambda: gough.Limits(position=(1, 0)), "limits.position"),
        (lambda: gough.Limits(position=(1,)), "limits.position"),  # type: ignore[arg-type]
        (lambda: gough.Limits(velocity=0), "limits.velocity"),
        (lambda: gough.Limits(effort=NAN), "limits.effort"),
        (lambda: gough.Transmission(ratio=0), "transmission.ratio"),
        (lambda: gough.Transmission(efficiency=1.1), "transmission.efficiency"),
        (lambda: gough.Transmission(efficiency=0), "transmission.efficiency"),
        (lambda: gough.Transmission(motor_inertia=-1), "transmission.motor_inertia"),
        (lambda: gough.Transmission.from_screw(0), "transmission.lead"),
        (lambda: gough.Spring(0), "spring.stiffness"),
        (lambda: gough.Spring(-400), "spring.stiffness"),
        (lambda: gough.Spring(True), "spring.stiffness"),
        (lambda: gough.Spring(1, rest=NAN), "spring.rest"),
        (lambda: gough.Axis(spring=400.0), "spring"),  # type: ignore[arg-type]
        (lambda: sprung("spherical"), "joints.j.spring"),
        (lambda: sprung("planar_contact", 0), "joints.j.axes.plane.spring"),
        (lambda: sprung("planar_contact", 1), "joints.j.axes.ball.spring"),
    ],
)
def test_joint_and_axis_that_make_no_sense(make: Callable[[], object], path: str) -> None:
    assert refusal(make).path == path


def test_every_turn_and_slide_may_have_a_spring() -> None:
    for kind in KINDS.values():
        for i, what in enumerate(kind.axes.values()):
            if what in ("turn", "slide"):
                assert sprung(kind.name, i).axes[i].spring == gough.Spring(400.0, 0.1)
    assert gough.Spring(2).rest == 0.0
    assert gough.Axis().spring is None


@pytest.mark.parametrize("value", [1, 0, None, "yes", [True]])
def test_redundant_is_true_or_false(value: object) -> None:
    robot = gough.Robot(
        "r", (gough.Body("a", 1.0),), (gough.Joint("j", "fixed", "base", "a"),), "a"
    )
    assert robot.redundant is False
    assert dataclasses.replace(robot, redundant=True) != robot
    error = refusal(lambda: dataclasses.replace(robot, redundant=value))
    assert error.path == "redundant"
    assert "true or false" in str(error)


def test_axis_names_and_freedoms() -> None:
    freedoms = {}
    for kind in KINDS:
        joint = gough.Joint("j", kind, "a", "b", pitch=0.1 if kind == "helical" else 0.0)
        freedoms[kind] = joint.freedoms
        assert len(joint.axes) == len(joint.axis_names) == len(KINDS[kind].axes)
    assert list(freedoms.values()) == [1, 1, 1, 2, 2, 3, 3, 5, 0]
    assert gough.Joint("u", "universal", "a", "b").axis_names == ("u.first", "u.second")


def test_reflected_inertia_counts_the_ratio_twice() -> None:
    gear = gough.Transmission(ratio=-50, motor_inertia=2e-5)
    assert gough.Axis(rotor_inertia=0.1, transmission=gear).reflected_inertia == pytest.approx(0.15)


# names


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 65,
        "class",
        "while",
        "double",
        "None",
        "a'b",
        'a"b',
        "a\nb",
        "*/",
        "a/b",
        "a\\b",
        "é",
        "1",
        "_a",
        None,
        3,
    ],
)
def test_names_that_are_refused(name: object) -> None:
    assert refusal(lambda: check_name(name, "here")).path == "here"


@pytest.mark.parametrize("name", ["a", "A_1", "x" * 64, "null", "true", "classes", "base"])
def test_names_that_are_taken(name: str) -> None:
    assert check_name(name, "here") == name


def test_twins() -> None:
    check_distinct(["a", "b"], "bodies")
    assert "given twice" in str(refusal(lambda: check_distinct(["a", "a"], "bodies")))
    assert "differ only in case" in str(refusal(lambda: check_distinct(["a", "A"], "bodies")))


# the robot


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"bodies": (BODY, gough.Body("B", 1.0))}, "bodies"),
        ({"bodies": (BODY, BODY)}, "bodies"),
        ({"bodies": (BODY, gough.Body("Base", 1.0))}, "bodies"),
        ({"bodies": (BODY, gough.Body("loose", 1.0))}, "joints"),
        ({"bodies": ()}, "bodies"),
        ({"joints": ()}, "joints"),
        ({"joints": (JOINT, dataclasses.replace(JOINT, name="J"))}, "joints"),
        ({"joints": (gough.Joint("j", "revolute", "base", "c"),)}, "joints.j.child"),
        ({"platform": "base"}, "platform"),
        ({"platform": "c"}, "platform"),
        ({"motors": ("k",)}, "motors[0]"),
        ({"motors": ("j", "j")}, "motors"),
        ({"home": gough.Home(bodies={"c": gough.Frame()})}, "home.bodies.c"),
        ({"home": gough.Home(joints={"k": 0.0})}, "home.joints.k"),
        ({"gravity": (0, 0, NAN)}, "gravity[2]"),
        ({"gravity": 9.81}, "gravity"),
        ({"name": "a b"}, "name"),
        ({"base": "class"}, "base"),
        ({"label": 3}, "label"),
    ],
)
def test_robot_that_makes_no_sense(change: dict[str, object], path: str) -> None:
    assert refusal(lambda: dataclasses.replace(ROBOT, **change)).path == path  # type: ignore[arg-type]


def test_a_ball_cannot_carry_a_motor() -> None:
    ball = gough.Joint("j", "spherical", "base", "b")
    error = refusal(lambda: gough.Robot("r", (BODY,), (ball,), "b", motors=("j",)))
    assert (error.path, "cannot carry a motor" in str(error)) == ("motors[0]", True)


def test_unknown_names_list_the_known_ones() -> None:
    error = refusal(lambda: dataclasses.replace(ROBOT, platform="bb"))
    assert error.hint == "Did you mean 'b'? Known: b."
    assert "Known: j" in refusal(lambda: ROBOT.axis("k")).hint
    refusal(lambda: ROBOT.body("c"))
    refusal(lambda: ROBOT.joint("c"))


def test_a_robot_is_frozen_comparable_and_hashable() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ROBOT.name = "other"  # type: ignore[misc]
    again = dataclasses.replace(ROBOT)
    assert again == ROBOT
    assert hash(again) == hash(ROBOT)
    assert dataclasses.replace(ROBOT, gravity=(0, 0, -1)) != ROBOT


def test_roll_pitch_yaw_turn_about_fixed_axes_in_this_order() -> None:
    from scipy.spatial.transform import Rotation

    found = gough.Frame.from_rpy((1.0, 2.0, 3.0), (0.3, 0.5, -0.7))
    expected = Rotation.from_euler("xyz", (0.3, 0.5, -0.7)).as_matrix()  # small letters: fixed axes
    np.testing.assert_allclose(found.rotation, expected, atol=1e-14)  # rounding
    assert found.position == (1.0, 2.0, 3.0)
    quarter = gough.Frame.from_rpy((0, 0, 0), (0, 0, np.pi / 2)).rotation
    assert quarter == ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))  # no rounding dust


@pytest.mark.parametrize("rpy", [(0, 0, 90), None, 0.3, (0, 0), (0, 0, "1"), (0, 0, float("nan"))])
def test_roll_pitch_yaw_that_are_none(rpy: object) -> None:
    with pytest.raises(DescriptionError) as caught:
        gough.Frame.from_rpy((0, 0, 0), rpy)
    assert caught.value.path.startswith("rpy")
    assert rpy != (0, 0, 90) or "Degrees?" in caught.value.hint
