"""Singular homes, limits, figures that cannot be right, machines that do not assemble."""

import dataclasses

import numpy as np
import pytest

import gough
from gough import zoo
from gough.analysis.doctor import doctor
from gough.mechanism.mobility.singular import NEAR
from machines import BASE, IN_LINE, Drawing, drawn_five_bar, pendulum
from robots import robot


def only(found, code):
    (finding,) = found.find(code)
    return finding


def test_home_of_type_2_names_the_motion():
    """Distal links in line: with the cranks held the tip moves across them."""
    found = doctor(drawn_five_bar(IN_LINE, "d1"))
    finding = only(found, "singular-home-type-2")
    assert finding.severity == "warning"
    assert "rotate about the axis through (-0.3, 0.2, 0) m along z" in finding.sentence
    assert found.errors == ()


def test_home_of_type_1_names_the_leg():
    """The first leg stretched out: crank and distal link in line."""
    points = [(-0.4, 0.0, 0.0), (-0.2, 0.2, 0.0), (0.0, 0.4, 0.0), (0.3, 0.2, 0.0), (0.4, 0.0, 0.0)]
    finding = only(doctor(drawn_five_bar(points, "d2")), "singular-home-type-1")
    assert finding.data["legs"] == ["p1"]
    assert finding.joints == ("a1", "e1")


def test_home_on_a_constraint_singularity():
    """DYMO with its platform straight over the base: the legs let it tilt."""
    d = Drawing(21)
    top = np.array([0.0, 0.0, 0.5])
    d.body("platform", top, 2.0)
    for i, a in enumerate(np.radians([90.0, 210.0, 330.0]), start=1):
        e = np.array([np.cos(a), np.sin(a), 0.0])
        n = np.cross(e, top) / 0.5
        low, high = 0.3 * e, top + 0.3 * e
        knee = (low + high) / 2.0 + 0.25 * e
        d.body(f"low{i}", low)
        d.body(f"up{i}", high)
        d.joint(f"u{i}", "universal", BASE, f"low{i}", low, e, second=n)
        d.joint(f"r{i}", "revolute", f"low{i}", f"up{i}", knee, n)
        d.joint(f"v{i}", "universal", f"up{i}", "platform", high, n, second=e)
    r = d.robot("dymo", "platform", [f"u{i}.second" for i in (1, 2, 3)], top)
    found = doctor(r)
    finding = only(found, "singular-home-constraint")
    assert finding.data == {"mobility": 3, "mobility_at_home": 5}
    assert "translate along x, y and z, rotate about x and rotate about y" in finding.sentence
    # postures around it are each in one of the modes that meet there
    assert not found.find("motion")
    modes = only(found, "operation-modes")
    assert {each["kind"] for each in modes.data["meeting"]} == {"translational", "other"}
    assert modes.sentence.startswith("home is where operation modes meet")


def test_home_that_is_nearly_singular():
    up = 0.2 + 1e-6
    points = [(-0.4, 0.0, 0.0), (-0.3, 0.2, 0.0), (0.0, up, 0.0), (0.3, 0.2, 0.0), (0.4, 0.0, 0.0)]
    finding = only(doctor(drawn_five_bar(points, "d1")), "nearly-singular-home")
    assert finding.data["condition"] > 1e5
    assert 0.0 < finding.data["type_2"] < NEAR


@pytest.mark.parametrize("share", [0.5, 2.0])
def test_near_is_what_analyses_call_near(share):
    """A home is nearly singular below the bound of every other warning, and no sooner."""

    def home(off):
        points = [(-0.4, 0.0, 0.0), (-0.3, 0.2, 0.0), (0.0, 0.2 + off, 0.0), (0.3, 0.2, 0.0)]
        return drawn_five_bar([*points, (0.4, 0.0, 0.0)], "d1")

    def distance(r):
        return gough.singularities(r, r.home_pose).type_2.smallest

    off = 1e-3 * share * NEAR / distance(home(1e-3))
    found = doctor(home(off))
    assert distance(home(off)) == pytest.approx(share * NEAR, rel=0.1)
    assert bool(found.find("nearly-singular-home")) == (share < 1.0)


def test_limits_that_exclude_home():
    r = robot("five_bar")
    axis = gough.Axis(limits=gough.Limits(position=(0.0, 0.1)))
    joints = tuple(
        dataclasses.replace(j, axes=(axis,)) if j.name == "foot1" else j for j in r.joints
    )
    finding = only(doctor(dataclasses.replace(r, joints=joints)), "home-outside-limits")
    assert finding.severity == "error"
    assert finding.joints == ("foot1",)
    assert finding.data["limits"] == [0.0, 0.1]


def test_a_machine_that_does_not_assemble():
    r = robot("five_bar")
    joint = r.joint("elbow2")
    far = dataclasses.replace(joint, parent_frame=gough.Frame((30.0, 0.0, 0.0)))
    torn = dataclasses.replace(r, joints=tuple(far if j is joint else j for j in r.joints))
    found = doctor(torn)
    finding = only(found, "not-assembled")
    assert finding.severity == "error"
    assert finding.data["gap"] > 1.0
    assert finding.joints[0] in {j.name for j in r.joints}
    assert "mm" in finding.advice


def test_a_structure():
    d = Drawing(6)
    d.body("shelf")
    d.joint("a", "revolute", BASE, "shelf", (0.0, 0.0, 0.0))
    d.joint("b", "revolute", BASE, "shelf", (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    found = doctor(d.robot("shelf", "shelf", ["a"], (0.5, 0.0, 0.0)))
    assert only(found, "immobile").severity == "error"
    assert "not-examined" not in found.codes


def test_millimetres_are_told():
    def large(frame):
        return gough.Frame(tuple(1000.0 * x for x in frame.position), frame.rotation)

    r = zoo.load("delta")
    joints = tuple(
        dataclasses.replace(j, parent_frame=large(j.parent_frame), child_frame=large(j.child_frame))
        for j in r.joints
    )
    home = gough.Home({n: large(f) for n, f in r.home.bodies.items()}, r.home.joints)
    found = doctor(dataclasses.replace(r, joints=joints, home=home))
    assert any("millimetres?" in f.sentence for f in found.find("implausible-figure"))
    assert found.errors == ()


def with_body(r, name, **changes):
    body = dataclasses.replace(r.body(name), **changes)
    return dataclasses.replace(r, bodies=tuple(body if b.name == name else b for b in r.bodies))


def test_grams_and_square_millimetres_are_told():
    r = zoo.load("delta")
    platform = r.body(r.platform)
    heavy = with_body(r, r.platform, mass=platform.mass * 1000.0)
    finding = only(doctor(heavy), "implausible-figure")
    assert finding.bodies == (r.platform,)
    assert "grams?" in finding.sentence
    wide = with_body(r, r.platform, inertia=(np.array(platform.inertia) * 1e6).tolist())
    finding = only(doctor(wide), "implausible-figure")
    assert "kg mm^2?" in finding.sentence


def test_a_motion_without_inertia():
    r = pendulum()
    joint = r.joints[0]
    frame = joint.child_frame if joint.child == "bob" else joint.parent_frame
    point = gough.Body("bob", 1.0, frame.position)
    finding = only(doctor(dataclasses.replace(r, bodies=(point,))), "no-inertia")
    assert finding.bodies == ("bob",)
    assert "rotate about the axis" in finding.sentence


def with_axis(r, name, axis):
    joints = tuple(
        dataclasses.replace(j, axes=(axis,)) if name in j.axis_names else j for j in r.joints
    )
    return dataclasses.replace(r, joints=joints)


def test_a_rotor_out_of_proportion():
    r = zoo.load("five_bar")
    gear = gough.Transmission(ratio=100.0, motor_inertia=10.0)
    finding = only(doctor(with_axis(r, r.motors[0], gough.Axis(transmission=gear))), "heavy-rotor")
    assert finding.motors == (r.motors[0],)
    assert finding.data["times"] > 1e4


def test_a_motor_too_weak_to_hold_the_robot():
    r = zoo.load("delta")
    tau = gough.inverse_dynamics(r, r.home_pose)
    axis = gough.Axis(limits=gough.Limits(effort=0.9 * abs(tau[1])))
    finding = only(doctor(with_axis(r, r.motors[1], axis)), "weak-motor")
    assert finding.motors == (r.motors[1],)
    # 1e-9: two ways to the same efforts
    assert finding.data["effort"] == pytest.approx(tau[1], rel=1e-9)
    enough = gough.Axis(limits=gough.Limits(effort=1.1 * abs(tau[1])))
    assert doctor(with_axis(r, r.motors[1], enough)).healthy
    # its peak would do, for a moment; at rest the gear, whatever it loses, passes all of it
    gear = gough.Transmission(ratio=10.0, efficiency=0.5)
    shaft = abs(tau[1]) / 10.0
    motor = gough.Motor(peak=2.0 * shaft, continuous=0.9 * shaft)
    finding = only(
        doctor(with_axis(r, r.motors[1], gough.Axis(transmission=gear, motor=motor))), "weak-motor"
    )
    assert finding.data["limit"] == pytest.approx(0.9 * abs(tau[1]))
    assert "continuous torque" in finding.sentence
    lasting = gough.Axis(transmission=gear, motor=gough.Motor(continuous=1.1 * shaft))
    assert doctor(with_axis(r, r.motors[1], lasting)).healthy


def test_only_robots_are_examined():
    with pytest.raises(gough.errors.InputError, match=r"expected a gough\.Robot"):
        doctor("delta")
