"""Broken robots get the right diagnosis: the cause by name, the motion left free, a remedy."""

import dataclasses

import numpy as np
import pytest

import gough
from gough import zoo
from gough.analysis.doctor import doctor
from gough.base import spatial
from machines import BASE, Drawing, drawn_delta, grounded_parallelogram, ring, ucs_hexapod
from numbers_robots import gs_ref
from robots import robot


def driven(r, *motors):
    return dataclasses.replace(r, motors=motors)


def of_kind(r, name, kind):
    """The robot with one joint of another kind."""
    other = dataclasses.replace(r.joint(name), kind=kind, axes=(), pitch=0.0)
    joints = tuple(other if j.name == name else j for j in r.joints)
    bodies = {n: gough.Frame.from_matrix(T) for n, T in _poses(r).items()}
    return dataclasses.replace(r, joints=joints, home=gough.Home(bodies))


def _poses(r):
    return gough.posture(r, r.home_pose).bodies


def without_leg(r, index):
    """The robot without one of its legs."""
    leg = r.assembly.topology.legs[index]
    gone = set(leg.tree.bodies) - {r.base}
    joints = tuple(j for j in r.joints if not {j.parent, j.child} & gone)
    axes = {name for j in joints for name in j.axis_names}
    bodies = {n: gough.Frame.from_matrix(T) for n, T in _poses(r).items() if n not in gone}
    return dataclasses.replace(
        r,
        bodies=tuple(b for b in r.bodies if b.name not in gone),
        joints=joints,
        motors=tuple(m for m in r.motors if m in axes),
        home=gough.Home(bodies),
    )


def only(found, code):
    (finding,) = found.find(code)
    return finding


def assert_left_free(r, finding):
    """The twists in the data move no motor that the platform feels, and the legs allow them."""
    assert finding.data["free"]
    r = driven(r, *(m for m in r.motors if m not in r.assembly.idle_motors))
    for V in finding.data["free"]:
        qd = gough.motor_rates(r, gough.State(np.array(finding.data["T_0p"]), V))
        # 1e-9: a null vector of a matrix of condition 1e2, rates of order one
        assert np.abs(qd).max() < 1e-9


# a motor removed


@pytest.mark.parametrize(
    ("name", "index"), [("gough_stewart", 2), ("delta", 0), ("quattro", 3), ("hexapod_6rus", 5)]
)
def test_a_motor_removed(name, index):
    r = zoo.load(name)
    missing = r.motors[index]
    lame = driven(r, *(m for m in r.motors if m != missing))
    found = doctor(lame)
    finding = only(found, "too-few-motors")
    assert finding.severity == "error"
    assert not found.healthy
    assert finding.data["missing"] == [missing]
    assert f"A motor on {missing!r} is missing" in finding.advice
    assert "with all motors locked the platform can still" in finding.sentence
    assert len(finding.data["free"]) == 1
    assert_left_free(lame, finding)


def test_no_motors_at_all():
    finding = only(doctor(driven(zoo.load("delta"))), "too-few-motors")
    assert "0 motors for 3 freedoms" in finding.sentence
    assert set(zoo.load("delta").motors) <= set(finding.data["candidates"])


# a motor on the wrong joint


def test_a_motor_on_an_idle_axis():
    r = ucs_hexapod()
    wrong = driven(r, *r.motors[:5], "c6.angle")
    found = doctor(wrong)
    idle = only(found, "idle-motor")
    assert idle.motors == ("c6.angle",)
    assert "drives an idle freedom" in idle.sentence
    finding = only(found, "uncontrolled")
    assert finding.data["guilty"] == "c6.angle"
    assert finding.data["instead"][0] == "c6.slide"
    assert "instead of 'c6.angle' would control the platform" in finding.advice
    assert_left_free(wrong, finding)
    assert doctor(driven(r, *r.motors[:5], "c6.slide")).errors == ()


def test_a_motor_on_an_axis_that_never_moves():
    """A sliding axis across the plane of a planar robot stays where it is."""
    r = robot("three_rrr")
    wrong = driven(of_kind(r, "elbow1", "cylindrical"), "elbow1.slide", *r.motors[1:])
    found = doctor(wrong)
    assert "stays as it is" in only(found, "idle-motor").sentence
    finding = only(found, "uncontrolled")
    assert finding.data["guilty"] == "elbow1.slide"
    assert "foot1" in finding.data["instead"]
    assert_left_free(wrong, finding)


def test_two_motors_on_the_cranks_of_one_parallelogram():
    wrong = driven(grounded_parallelogram(), "r1", "r2")
    finding = only(doctor(wrong), "uncontrolled")
    assert finding.data["dependent"] == ["r1", "r2"]
    assert "r6" in finding.data["instead_of"]["r1"]
    assert doctor(driven(wrong, "r6", "r2")).errors == ()
    assert_left_free(wrong, finding)


@pytest.mark.parametrize(
    ("name", "strange", "usual"),
    [("gough_stewart", "u6.first", "p6"), ("orthoglide", "pa1a", "p1")],
)
def test_a_motor_elsewhere_than_in_like_legs(name, strange, usual):
    """All freedoms are controlled, so it is no error; but it is odd."""
    r = robot(name)
    found = doctor(driven(r, *(strange if m == usual else m for m in r.motors)))
    assert found.errors == ()
    finding = only(found, "odd-motor")
    assert finding.severity == "warning"
    assert finding.motors == (strange,)
    assert finding.data["usual"] == [usual]


@pytest.mark.parametrize(
    ("name", "lost", "stray"),
    [("gough_stewart", "p1", "u2.first"), ("three_rrr", "foot1", "elbow2")],
)
def test_a_motor_in_another_leg(name, lost, stray):
    r = robot(name)
    found = doctor(driven(r, *(stray if m == lost else m for m in r.motors)))
    assert found.errors == ()
    finding = only(found, "odd-motor")
    assert finding.motors == (stray,)
    assert finding.data["usual"] == [lost]
    assert repr(lost) in finding.sentence


# a leg missing


@pytest.mark.parametrize(
    ("name", "mobility"), [("gough_stewart", 6), ("delta", 4), ("tilt_3rps", 4), ("three_rrr", 3)]
)
def test_a_leg_missing(name, mobility):
    r = without_leg(zoo.load(name), -1)
    assert r.mobility == mobility
    finding = only(doctor(r), "too-few-motors")
    assert "A leg is missing" in finding.advice
    assert finding.data["missing_leg_like"] == r.assembly.topology.legs[0].name
    assert_left_free(r, finding)


# a joint of the wrong kind


@pytest.mark.parametrize(("name", "ball"), [("gough_stewart", "s3"), ("delta", "b1a")])
def test_a_ball_replaced_by_a_universal_joint(name, ball):
    r = robot(name)
    stiff = of_kind(r, ball, "universal")
    assert stiff.mobility == r.mobility - 1
    finding = only(doctor(stiff), "too-many-motors")
    assert finding.severity == "error"
    assert finding.joints == (ball,)
    assert finding.data["relaxations"] == [{"joint": ball, "kind": "spherical"}]
    assert f"If joint {ball!r} (universal) were spherical" in finding.advice


def test_a_stiff_joint_in_a_machine_whose_legs_are_not_alike():
    """Without likes to compare with, every joint that would help is named."""
    d = Drawing(4)
    d.body("platform", (0.0, 0.0, 0.6))
    feet = ring(0.5, [0.0, 110.0, 250.0], 0.0)
    tops = ring(0.25, [10.0, 140.0, 235.0], 0.6)
    for i, (b, p) in enumerate(zip(feet, tops, strict=True), start=1):
        x = (p - b) / np.linalg.norm(p - b)
        y = np.cross([0.1, 0.0, 1.0], x)
        y = y / np.linalg.norm(y)
        d.body(f"cyl{i}", b)
        d.body(f"rod{i}", p)
        if i == 1:
            d.joint("r1", "revolute", BASE, "cyl1", b, y)
            d.joint("s1", "spherical", "rod1", "platform", p)
        elif i == 2:
            d.joint("u2", "universal", BASE, "cyl2", b, y, second=np.cross(x, y))
            d.joint("s2", "spherical", "rod2", "platform", p)
        else:
            d.joint("s3", "spherical", BASE, "cyl3", b)
            d.joint("u3", "universal", "rod3", "platform", p, y, second=np.cross(x, y))
        d.joint(f"p{i}", "prismatic", f"cyl{i}", f"rod{i}", b, x)
    motors = ["p1", "p2", "p3", "u2.first", "u3.first", "u2.second"]
    r = d.robot("mixed", "platform", motors, (0.0, 0.0, 0.6))
    assert r.mobility == 5
    finding = only(doctor(r), "too-many-motors")
    assert {"joint": "r1", "kind": "cylindrical"} in finding.data["relaxations"]
    assert "'r1' were cylindrical instead of revolute" in finding.advice


def test_a_joint_with_more_freedom_than_its_likes():
    r = of_kind(robot("tilt_3rps"), "r1", "cylindrical")
    finding = only(doctor(r), "too-few-motors")
    assert finding.joints == ("r1",)
    assert "If joint 'r1' (cylindrical) were revolute" in finding.advice


def test_one_motor_too_many():
    finding = only(doctor(driven(robot("five_bar"), "foot1", "foot2", "elbow1")), "too-many-motors")
    assert finding.severity == "warning"
    assert finding.data["dependent"] == ["foot1", "foot2", "elbow1"]
    assert "not unique" in finding.advice


# singular everywhere


def hexapod(base, top, seed=3):
    """6-UPS on points of base and platform."""
    d = Drawing(seed)
    d.body("platform", [0.0, 0.0, 0.8])
    for i, (b, p) in enumerate(zip(base, top, strict=True), start=1):
        x = (p - b) / np.linalg.norm(p - b)
        y = np.cross([0.0, 0.1, 1.0], x)
        y = y / np.linalg.norm(y)
        d.body(f"cyl{i}", b)
        d.body(f"rod{i}", p)
        d.joint(f"u{i}", "universal", BASE, f"cyl{i}", b, spatial.cross(x, y), second=y)
        d.joint(f"p{i}", "prismatic", f"cyl{i}", f"rod{i}", b, x)
        d.joint(f"s{i}", "spherical", f"rod{i}", "platform", p)
    return d.robot("similar", "platform", [f"p{i}" for i in range(1, 7)], [0.0, 0.0, 0.8])


ANGLES = [0.0, 40.0, 100.0, 170.0, 230.0, 310.0]


@pytest.mark.parametrize("turn", [0.0, 35.0])
def test_similar_hexagons(turn):
    r = hexapod(ring(0.6, ANGLES, 0.0), ring(0.3, [a + turn for a in ANGLES], 0.8))
    found = doctor(r)
    finding = only(found, "similar-hexagons")
    assert "similar hexagons (ratio 0.5)" in finding.sentence
    assert "singular everywhere" in finding.sentence
    assert finding.data["ratio"] == pytest.approx(0.5, rel=1e-12)
    assert "uncontrolled" not in found.codes
    assert_left_free(r, finding)


def test_affine_hexagons_on_a_conic():
    r = hexapod(ring(0.6, ANGLES, 0.0), [p * [1.0, 0.7, 1.0] for p in ring(0.3, ANGLES, 0.8)])
    finding = only(doctor(r), "similar-hexagons")
    assert finding.data["relation"] == "affine"


def test_similar_hexagons_off_every_conic_are_singular_at_home_only():
    rng = np.random.default_rng(1)
    base = np.column_stack([0.4 * rng.normal(size=(6, 2)), np.zeros(6)])
    found = doctor(hexapod(base, 0.5 * base + [0.0, 0.0, 0.8]))
    assert found.errors == ()
    finding = only(found, "singular-home-type-2")
    assert "postures around it are not" in finding.sentence


def test_exact_double_y_driven_by_its_first_revolutes():
    """The leg's planes all hold OP: moving along it turns none of them."""
    r = zoo.load("dymo", drive="first")
    finding = only(doctor(r), "uncontrolled")
    assert "in any posture" in finding.sentence
    assert set(finding.data["dependent"]) == set(r.motors)
    (V,) = np.array(finding.data["free"])
    OP = r.home_pose[:3, 3]
    # 1e-9: the direction is a null vector of a 3x3 matrix of order one
    np.testing.assert_allclose(np.cross(V[:3], OP), 0.0, atol=1e-9 * np.linalg.norm(V))
    np.testing.assert_allclose(V[3:], 0.0, atol=1e-9)
    second = [m.replace("first", "second") for m in r.motors]
    assert second in finding.data["together"]
    assert all(doctor(driven(r, *axes)).healthy for axes in finding.data["together"])
    for motor, axes in finding.data["instead_of"].items():
        instead = driven(r, *(axes[0] if m == motor else m for m in r.motors))
        assert doctor(instead).errors == ()


# idle spins


def test_a_bar_on_two_balls():
    found = doctor(of_kind(robot("delta"), "u1a", "spherical"))
    finding = only(found, "idle-freedom")
    assert found.healthy
    assert finding.severity == "note"
    assert finding.bodies == ("bar1a",)
    assert finding.joints == ("u1a", "b1a")


def test_a_spin_that_is_not_exact():
    """The same bar with its mass centre beside the axis, and then with an uneven inertia."""
    r = of_kind(robot("delta"), "u1a", "spherical")
    bar = r.body("bar1a")
    axis = next(f for f in r.assembly.idle if f.bodies == ("bar1a",)).spin
    aside = np.cross(axis, [0.3, 0.5, 0.8])
    aside = 0.004 * aside / np.linalg.norm(aside)
    shifted = dataclasses.replace(bar, center=tuple(np.array(bar.center) + aside))
    inertia = np.array(bar.inertia) + 0.1 * np.array(bar.inertia).max() * (
        np.eye(3) - np.outer(aside, aside) / (aside @ aside)
    )
    uneven = dataclasses.replace(bar, inertia=tuple(map(tuple, inertia)))
    for body, key, value in ((shifted, "off_axis", 0.004), (uneven, "asymmetry", 0.1)):
        bodies = tuple(body if b.name == "bar1a" else b for b in r.bodies)
        found = doctor(dataclasses.replace(r, bodies=bodies))
        finding = only(found, "frozen-spin")
        assert finding.severity == ("error" if finding.data["effect"] > 0.01 else "warning")
        assert finding.data["body"] == "bar1a"
        # the largest moment itself grew by a tenth, the bar being slender
        assert finding.data[key] == pytest.approx(value, rel=0.11)
        assert "'u1a' universal or 'b1a' universal" in finding.advice


@pytest.mark.parametrize("axis", [{"rotor_inertia": 0.05}, {"spring": gough.Spring(2.0)}])
def test_a_spin_that_something_drives(axis):
    """A rotor or a spring on an axis that turns idly is held with it."""
    r = gs_ref()
    for angle in ({}, axis):
        joints = [
            dataclasses.replace(j, kind="cylindrical", axes=(gough.Axis(**angle), *j.axes))
            if j.name == "p1"
            else j
            for j in r.joints
        ]
        name = {"p1": "p1.slide"}
        motors = tuple(name.get(motor, motor) for motor in r.motors)
        at_home = {name.get(axis, axis): q for axis, q in r.home.joints.items()}
        home = dataclasses.replace(r.home, joints=at_home)
        found = doctor(dataclasses.replace(r, joints=tuple(joints), motors=motors, home=home))
        assert len(found.find("frozen-spin")) == len(angle)
    finding = only(found, "frozen-spin")
    assert finding.joints == ("p1", "s1")
    if "spring" in axis:
        assert "the spring of 'p1.angle' would move it" in finding.sentence
        assert "Take motor or spring off" in finding.advice


def test_every_bar_of_an_uneven_machine_is_named():
    found = doctor(drawn_delta("spherical")).find("frozen-spin")
    assert {f.bodies for f in found} == {(f"bar{i}{k}",) for i in "123" for k in "ab"}


def test_a_body_that_hangs_on_one_joint():
    d = Drawing(8)
    d.body("bob", (0.0, 0.3, -0.4))
    d.body("cap", (0.0, 0.3, -0.5))
    d.joint("hinge", "revolute", BASE, "bob", (0.0, 0.1, 0.0), (1.0, 0.2, 0.1))
    d.joint("swing", "revolute", "bob", "cap", (0.0, 0.25, -0.5), (0.0, 1.0, 0.1))
    finding = only(doctor(d.robot("p", "bob", ["hinge"], (0.0, 0.3, -0.5))), "frozen-spin")
    assert finding.bodies == ("cap",)
    assert "hangs on one joint only" in finding.advice
