"""Bearing loads: against mechanics by hand, and what is counted for each kind of joint."""

import json
from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.analysis.bearings_result import FIGURES, BearingLoads
from gough.errors import InputError
from gough.motion import Samples
from loaded import NAMES, case
from robots import robot

# forces of a handful of bodies, computed twice in double precision
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
MASS, REACH, OFF, GRAVITY = 2.0, 0.4, 0.15, np.array([1.5, -2.0, -9.81])


def pendulum():
    """A point mass on a turning link, beside the plane of the joint's frame."""
    link = gough.Body("link", MASS, center=(REACH, 0.0, OFF))
    joint = gough.Joint("hinge", "revolute", "base", "link")
    return gough.Robot(
        "pendulum", [link], [joint], "link", motors=["hinge"], gravity=tuple(GRAVITY)
    )


def swinging(count=41):
    """Times, angles, rates and accelerations of a swing about z, and the platform's samples."""
    t = np.linspace(0.0, 1.0, count)
    q, qd, qdd = 0.9 * np.sin(5.0 * t), 4.5 * np.cos(5.0 * t), -22.5 * np.sin(5.0 * t)
    T = np.tile(np.eye(4), (count, 1, 1))
    T[:, 0, 0] = T[:, 1, 1] = np.cos(q)
    T[:, 1, 0], T[:, 0, 1] = np.sin(q), -np.sin(q)
    V, Vdot = np.zeros((count, 6)), np.zeros((count, 6))
    V[:, 5], Vdot[:, 5] = qd, qdd
    return q, qd, qdd, Samples(t, gough.State(T, V, Vdot))


def test_a_pendulum_by_hand():
    q, qd, qdd, track = swinging()
    found = gough.bearing_loads(pendulum(), track)
    along = np.stack([np.cos(q), np.sin(q), 0.0 * q], axis=1)
    across = np.stack([-np.sin(q), np.cos(q), 0.0 * q], axis=1)
    a = REACH * (qdd[:, None] * across - qd[:, None] ** 2 * along)
    f = MASS * (a - GRAVITY)  # Newton: all that holds the mass
    n = np.cross(REACH * along + np.array([0.0, 0.0, OFF]), f)
    np.testing.assert_allclose(found.force[:, 0], np.linalg.norm(f, axis=1), **CLOSE)
    np.testing.assert_allclose(found.radial[:, 0], np.hypot(f[:, 0], f[:, 1]), **CLOSE)
    np.testing.assert_allclose(found.axial[:, 0], f[:, 2], **CLOSE)
    np.testing.assert_allclose(found.moment[:, 0], np.hypot(n[:, 0], n[:, 1]), **CLOSE)
    np.testing.assert_allclose(found.speed[:, 0], np.abs(qd), **CLOSE)
    one = found["hinge"]
    k = int(np.argmax(np.linalg.norm(f, axis=1)))
    assert (one.time, one.travel_unit, one.not_unique) == (track.t[k], "rad", ())
    assert one.axial == pytest.approx(MASS * 9.81)
    with pytest.raises(InputError, match="no joint 'hing'"):
        found["hing"]


def test_a_guide_carries_what_is_across_it():
    """A mass beside a vertical slide: its weight is the motor's, the moment is the guide's."""
    body = gough.Body("slide", MASS, center=(0.3, 0.0, 0.0))
    joint = gough.Joint("lift", "prismatic", "base", "slide")
    lifter = gough.Robot("lifter", [body], [joint], "slide", motors=["lift"])
    t = np.linspace(0.0, 1.0, 11)
    T = np.tile(np.eye(4), (11, 1, 1))
    T[:, 2, 3] = 0.5 * t**2
    V, Vdot = np.zeros((11, 6)), np.zeros((11, 6))
    V[:, 2], Vdot[:, 2] = t, 1.0
    one = gough.bearing_loads(lifter, Samples(t, gough.State(T, V, Vdot)))["lift"]
    assert one.force == one.radial == pytest.approx(0.0, abs=1e-12)
    assert np.isnan(one.axial)
    assert one.moment == pytest.approx(0.3 * MASS * 10.81)
    assert (one.travel, one.travel_unit) == (pytest.approx(0.5), "m")


def test_means_by_hand():
    """F = t over a second: the mean of its cube is 1/4, weighted by the speed t it is 2/5."""
    t = np.linspace(0.0, 1.0, 2001)
    column = t[:, None]
    same = {name: np.ones(1, dtype=bool) for name in FIGURES}
    given = (column, column, 0.0 * column, 0.0 * column, column, same)
    made = BearingLoads(pendulum(), t, ("hinge",), ("revolute",), *given)
    one = made["hinge"]
    # the trapezoid rule over 2000 steps: errors of the order of h^2
    assert one.mean == pytest.approx(0.25 ** (1 / 3), rel=1e-6)
    assert one.mean_by_travel == pytest.approx(0.4 ** (1 / 3), rel=1e-6)
    assert one.travel == pytest.approx(0.5)
    roller = replace(made, exponent=10 / 3)["hinge"]
    assert roller.mean == pytest.approx((3 / 13) ** 0.3, rel=1e-6)
    still = replace(made, speed=0.0 * column)["hinge"]
    assert np.isnan(still.mean_by_travel)
    assert still.travel == 0.0


@pytest.mark.parametrize("name", ["gough_stewart", "c5", "rccc"])
def test_every_kind_counts_what_it_holds(name):
    """Friction and springs on every axis: nothing of them is counted, all the rest is."""
    assert name in NAMES
    made = case(name)  # whose reactions are those of maximal coordinates
    machine, seen, posture = made.robot, made.child, made.posture
    track = Samples(np.arange(len(made.state)) * 1.0, made.state)
    found = gough.bearing_loads(machine, track, loads=made.loads)
    for i, joint in enumerate(machine.joints):
        f, n = seen[joint.name][:, :3], seen[joint.name][:, 3:]
        size = np.abs(seen.wrench).max()
        close = {"rtol": 1e-8, "atol": 1e-8 * size}  # a root of differences: half the digits
        if joint.kind == "universal":
            second = posture.joints[f"{joint.name}.second"]
            # z of the frame on the parent in the axes of that on the child, CONVENTIONS.md
            z_A = np.stack([np.sin(second), np.cos(second), 0.0 * second], axis=1)
            across = np.cross(z_A, [0.0, 0.0, 1.0])
            expected = np.abs(np.einsum("ki,ki->k", n, across))
            np.testing.assert_allclose(found.moment[:, i], expected, rtol=1e-6, atol=1e-6 * size)
            rates = [posture.joint_rates[f"{joint.name}.{axis}"] for axis in ("first", "second")]
            np.testing.assert_allclose(found.speed[:, i], np.hypot(*rates), **CLOSE)
        if joint.kind == "planar_contact":
            normal = posture.joints[f"{joint.name}.ball"][:, 2]  # z_A in child axes
            expected = np.abs(np.einsum("ki,ki->k", f, normal))
            np.testing.assert_allclose(found.force[:, i], expected, **close)
        if joint.kind in ("cylindrical", "prismatic"):
            np.testing.assert_allclose(found.force[:, i], np.hypot(f[:, 0], f[:, 1]), **close)
            assert np.isnan(found.axial[:, i]).all()
        if joint.kind in ("revolute", "helical", "universal", "spherical", "fixed"):
            np.testing.assert_allclose(found.force[:, i], np.linalg.norm(f, axis=1), **close)


@pytest.fixture(scope="module")
def motion():
    return gough.motion.circle(robot("five_bar"), radius=0.05, duration=0.5)


@pytest.fixture(scope="module")
def carried(motion):
    """A payload that grows, and what it does to the joints."""
    loads = gough.Loads(payload=gough.Payload(np.linspace(0.0, 2.0, 6)))
    return loads, gough.bearing_loads(motion.robot, motion, rate=10.0, loads=loads)


def test_what_is_not_unique_is_marked(carried):
    found = carried[1]
    assert not found.is_unique
    one = found["elbow1"]
    assert one.not_unique == ("force", "axial", "moment")  # the force in the plane is determined
    text = str(found)
    assert text.splitlines()[-1].startswith("* not unique")
    cells = found.table()[1][1]
    assert cells[0] == "elbow1"
    assert cells[2].endswith("*")
    assert not cells[4].endswith("*")


def test_it_is_data_and_an_analysis_has_it(motion, carried):
    loads, found = carried
    analysis = gough.analyse(motion.robot, motion, rate=10.0, loads=loads, agreement=False)
    np.testing.assert_allclose(analysis.bearings().force, found.force, rtol=1e-9)
    heavier = gough.Loads(payload=gough.Payload(np.linspace(1.0, 3.0, 6)))
    more = gough.bearing_loads(motion.robot, motion, rate=10.0, loads=heavier)
    assert more["elbow1"].force > found["elbow1"].force
    data = json.loads(json.dumps(found.to_dict()))
    assert data["bearings"][1]["joint"] == "elbow1"
    assert data["bearings"][1]["force"] == pytest.approx(found["elbow1"].force)
    columns = found.columns()
    assert columns["joint"].tolist() == list(found.joints)
    np.testing.assert_allclose(columns["mean"], [one.mean for one in found.bearings])
    with pytest.raises(InputError, match="the motion has 4"):
        gough.bearing_loads(motion.robot, motion, rate=6.0, loads=loads)


def test_samples_that_cannot_be_are_left_out(motion, carried):
    t, state = motion.sample(10.0)
    T = state.T_0p.copy()
    T[4, 1, 3] += 3.0
    track = Samples(t, state.replace(T_0p=T))
    with pytest.raises(gough.GoughError):
        gough.bearing_loads(motion.robot, track, loads=carried[0])
    found = gough.bearing_loads(motion.robot, track, loads=carried[0], on_error="nan")
    assert np.isnan(found.force[4]).all()
    assert np.isfinite(np.delete(found.force, 4, axis=0)).all()
    assert np.isfinite([one.force for one in found.bearings]).all()
    assert np.isfinite([one.mean_by_travel for one in found.bearings]).all()


def test_a_payload_by_schedule(motion):
    """Picked up at 0.2 s: until then as without it, afterwards as with it all the time."""

    def under(loads):
        return gough.bearing_loads(motion.robot, motion, rate=10.0, loads=loads)

    nothing, always = (
        under(gough.Loads(payload=gough.Payload(np.full(6, mass)))) for mass in (0.0, 2.0)
    )
    schedule = gough.LoadSchedule([gough.TimedLoad(gough.Payload(2.0), 0.2)])
    found = under(schedule)
    assert len(found.t) == 7  # just before the change, and at it
    # the sample before is off by the smallest step in time that is a step
    np.testing.assert_allclose(found.force[:3], nothing.force[:3], rtol=1e-6)
    np.testing.assert_allclose(found.force[3:], always.force[2:], rtol=1e-9)
    assert np.abs(always.force - nothing.force).max() > 10.0
    analysis = gough.analyse(motion.robot, motion, rate=10.0, loads=schedule, agreement=False)
    assert analysis.loads is schedule
    np.testing.assert_allclose(analysis.bearings().force, found.force, rtol=1e-9)
