"""A mode followed along motions of the motors: round trips, meetings, legs that pass, turns."""

from types import SimpleNamespace

import numpy as np
import pytest

import gough
from gough.errors import GoughWarning, InputError, SingularPose, UnreachablePose
from gough.geometry.newton import AssembledState
from gough.kinematics.poses import PoseStatus
from gough.modes.follow import pose_from_motors
from gough.modes.track import track
from machines import contact_tripod
from robots import robot

LEGS = gough.zoo.parameters("five_bar")["legs"]

RELATIVES = {"delta_4", "h4", "linear_delta", "gough_stewart_6spu", "hexapod_6pus"}
"""Robots whose loops are those of another one of the zoo."""
APART = (-0.16, 0.16)  # feet of the five-bar of the zoo; cranks 0.3 m, bars 0.42 m


def waving(name, count, amplitude=0.05):
    """Motions around home: poses, twists, twist rates by time [s]."""
    a = robot(name).assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    rate, phase = np.arange(1, a.mobility + 1), np.arange(a.mobility)
    t = np.linspace(0.0, 2.0, count)
    angle = rate * t[:, None] + phase
    size = amplitude * a.scales.freedoms
    x = home + size * np.sin(angle)
    return t, gough.state(
        robot(name), x, size * rate * np.cos(angle), -size * rate**2 * np.sin(angle)
    )


def motors(name, T, V, Vdot):
    """Motors along a motion, by the inverse models."""
    r = robot(name)
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(r, T)
        qd = gough.motor_rates(r, gough.State(T, V))
        return q, qd, gough.motor_accelerations(r, gough.State(T, V, Vdot))


@pytest.mark.parametrize("name", sorted(set(gough.zoo.names()) - RELATIVES))
def test_there_and_back(name):
    """What the inverse models make of a motion is followed back to it, on every kind of robot."""
    t, state = waving(name, 2, 0.02)
    T = state.T_0p
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(robot(name), T)
        found = track(robot(name), q, T[0], t=t)
    assert found.complete
    assert not found.merges
    # Newton's method ends at rounding; conditions of these machines are below a thousand
    assert np.abs(found.T_0p - T).max() < 1e-12
    assert found.V_0p is None


@pytest.mark.parametrize("name", ["c5", "space_3ups"])
def test_rates_there_and_back(name):
    _, state = waving(name, 2, 0.02)
    T, V, Vdot = state.arrays
    q, qd, qdd = motors(name, T, V, Vdot)
    with gough.options(engine="numpy"):
        found = track(robot(name), q, T[0], qd_a=qd, qdd_a=qdd)
    assert np.abs(found.V_0p - V).max() < 1e-11
    assert np.abs(found.Vdot_0p - Vdot).max() < 1e-10


@pytest.mark.parametrize("name", ["five_bar", "spherical_2dof"])
def test_kernels_follow_the_same(name):
    t, state = waving(name, 16, 0.1)
    T, V, Vdot = state.arrays
    q, qd, qdd = motors(name, T, V, Vdot)
    with gough.options(engine="compiled"):
        found = track(robot(name), q, t=t, qd_a=qd, qdd_a=qdd)
    assert found.complete
    assert found.on_home.all()
    assert np.abs(found.T_0p - T).max() < 1e-12
    assert np.abs(found.V_0p - V).max() < 1e-11
    assert np.abs(found.Vdot_0p - Vdot).max() < 1e-10
    there = gough.singularities(robot(name), T[9])
    assert abs(found.smallest[9] - there.type_2.smallest) < 1e-9


def tips(q, side=1.0):
    """Tip of the five-bar by circles: on the left of the line from one elbow to the other."""
    left, right = (
        np.stack([foot + 0.3 * np.cos(a), 0.3 * np.sin(a)], axis=-1)
        for foot, a in zip(APART, np.moveaxis(q, -1, 0), strict=True)
    )
    along = right - left
    d = np.linalg.norm(along, axis=-1, keepdims=True)
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1) / d
    with np.errstate(invalid="ignore"):
        return (left + right) / 2.0 + side * across * np.sqrt(0.42**2 - (d / 2.0) ** 2)


def test_modes_that_meet_stop_the_motion():
    """Cranks driven apart until the bars are in line: there the motion ends, and that is told."""
    r = robot("five_bar")
    q = np.array([2.31427519, 0.82731747]) + np.linspace(0.0, 0.6, 101)[:, None] * [1.0, -1.0]
    t = np.linspace(0.0, 1.0, 101)
    tip = tips(q)
    last = int(np.isfinite(tip).all(axis=1).sum()) - 1  # the last sample that the bars allow
    assert 20 < last < 95
    with pytest.raises(SingularPose, match="two assembly modes meet") as caught:
        track(r, q, t=t)
    assert caught.value.sample == last + 1
    with pytest.warns(GoughWarning, match=f"sample {last + 1} "):
        found = track(r, q, t=t, on_error="nan")
    np.testing.assert_allclose(found.T_0p[: last + 1, :2, 3], tip[: last + 1], atol=1e-9)
    assert np.isnan(found.T_0p[last + 1 :]).all()
    assert (found.status[last + 1 :] == PoseStatus.SINGULAR).all()
    (meeting,) = found.merges
    assert meeting.stopped
    assert meeting.sample == (last + 1,)
    assert meeting.t == t[last + 1]
    # bars in line along x: with the cranks locked the tip gives way across them
    v = meeting.twist[:2] / np.linalg.norm(meeting.twist[:2])
    assert abs(v[1]) > 0.999
    assert meeting.smallest < 1e-5  # the meeting itself, and not the last sample before it
    assert np.nanmin(found.smallest) > 0.01
    # the state that is left is one to go on from
    back = track(r, q[last::-20], found.branch)
    np.testing.assert_allclose(back.T_0p[:, :2, 3], tips(back.q_a), atol=1e-9)


def test_motors_that_do_not_fit_are_no_singularity():
    r = robot("four_rrr")  # one motor more than freedoms
    q, apart = gough.inverse_kinematics(r, r.home_pose), np.array([0.3, 0.0, 0.0, 0.0])
    with pytest.raises(UnreachablePose, match="no singularity explains it"):
        track(r, [q, q + apart])
    with pytest.warns(GoughWarning, match="no singularity explains it"):
        found = track(r, [q, q + apart], on_error="nan")
    assert list(found.status) == [PoseStatus.CONVERGED, PoseStatus.OUT_OF_REACH]
    assert found.merges[0].smallest > 0.1


def test_modes_that_nearly_meet_are_told():
    """Cranks driven to just before the bars are in line, and back."""
    r = robot("five_bar")
    way = 0.3 * (1.0 - np.cos(np.linspace(0.0, 2.0 * np.pi, 80)))
    home = np.array([2.31427519, 0.82731747])
    # symmetric: the bars are in line where 0.32 - 0.6 cos(q1) = 0.84
    in_line = np.arccos((0.32 - 0.84) / 0.6)
    way = way * (in_line - 1e-4 - home[0]) / way.max()
    q = home + way[:, None] * [1.0, -1.0]
    with pytest.warns(GoughWarning, match="nearly meet"):
        found = track(r, q)
    assert found.complete
    (meeting,) = found.merges
    assert not meeting.stopped
    assert abs(meeting.sample[0] - 39.5) < 1.0
    np.testing.assert_allclose(found.T_0p[:, :2, 3], tips(q), atol=1e-9)
    assert "nearly meet" in str(found)


def turning(crank, count, turns=2.0):
    """One crank of the five-bar goes round, the other rests where that can be."""
    rest = np.array([np.pi - 1.4, 1.4])
    q = np.tile(rest, (count, 1))
    q[:, crank] += np.linspace(0.0, 2.0 * np.pi * turns, count)
    return q


@pytest.mark.parametrize("crank", [0, 1])
def test_a_crank_goes_round_twice(crank):
    """Its bar is in line with it twice a turn: the motor moves the leg on, and turns are counted.

    The platform is the bar of leg 1, so that its pose tells the posture of leg 1, but not of leg 2.
    """
    r, q = robot("five_bar"), turning(crank, 61)
    found = track(r, q)
    assert found.complete
    assert not found.merges
    np.testing.assert_allclose(found.T_0p[:, :2, 3], tips(q), atol=1e-10)
    np.testing.assert_allclose(found.T_0p[-1], found.T_0p[0], atol=1e-10)
    assert [c.leg for c in found.crossings] == ["prox2"] * 4 * crank
    assert found.on_home.all() == (crank == 0)
    assert found.on_home[[0, -1]].all()
    a = r.assembly
    at_end = a.equations(*found.branch)
    assert a.closure_error(at_end) < 1e-10
    np.testing.assert_allclose(
        [a.axis_position(at_end, name) for name in r.motors], q[-1], atol=1e-10
    )
    # samples farther apart are led in between: the same, not another mode
    with gough.options(engine="numpy"):
        coarse = track(r, q[:31:10])
    np.testing.assert_allclose(coarse.T_0p, found.T_0p[:31:10], atol=1e-10)


def test_another_branch_is_followed():
    """From a state whose leg has passed, or a mode that has one; and back to where it came from."""
    r, q = robot("five_bar"), turning(1, 31, 1.0)
    with gough.options(engine="numpy"):
        gone = track(r, q)
    away = int(np.flatnonzero(~gone.on_home)[2])
    with gough.options(engine="numpy"):
        gone = track(r, q[: away + 1])
    assert len(gone.crossings) == 1
    q_on = q[away] + np.linspace(0.0, 0.2, 3)[:, None] * [0.5, 0.2]
    for start in (gone.branch, SimpleNamespace(branch=gone.branch, T_0p=gone.T_0p[-1])):
        with gough.options(engine="numpy"):
            found = track(r, q_on, start)
        assert not found.on_home.any()
        np.testing.assert_allclose(found.T_0p[:, :2, 3], tips(q_on), atol=1e-10)
    with gough.options(engine="numpy"):
        back = track(r, q[away::-1][::2], gone.branch)
    np.testing.assert_allclose(back.T_0p, gone.T_0p[::-1][::2], atol=1e-10)


def test_a_batch_is_its_motions():
    """In lock-step, one of them ending before the others."""
    r = robot("five_bar")
    way = np.linspace(0.0, 0.6, 40)[:, None]
    home = np.array([2.31427519, 0.82731747])
    q = np.stack([home + way * w for w in ([1.0, -1.0], [-0.3, 0.2], [0.2, 0.5], [0.0, -0.4])])
    with pytest.warns(GoughWarning), gough.options(engine="compiled"):
        found = track(r, q.reshape(2, 2, 40, 2), on_error="nan")
    assert found.T_0p.shape == (2, 2, 40, 4, 4)
    assert found.ends.shape == (2, 2)
    assert [m.sample[:2] for m in found.merges] == [(0, 0)]
    for b in range(1, 4):
        with gough.options(engine="compiled"):
            alone = track(r, q[b])
        np.testing.assert_allclose(found.T_0p.reshape(4, 40, 4, 4)[b], alone.T_0p, atol=1e-13)
    starts = found.T_0p[:, :, 0]
    with gough.options(engine="numpy"):
        again = track(r, q.reshape(2, 2, 40, 2)[:, :, :4], starts)
    np.testing.assert_allclose(again.T_0p, found.T_0p[:, :, :4], atol=1e-12)


def test_motions_come_in_many_forms():
    """A function of time, something with t and q, one sample that is not a number."""
    r = robot("five_bar")
    t = np.linspace(0.0, 1.0, 5)

    def cranks(at):
        return np.array([2.3 + 0.1 * at, 0.83 - 0.1 * at])

    found = track(r, cranks, t=t)
    seen = track(r, SimpleNamespace(t=t, q=found.q_a))
    np.testing.assert_array_equal(found.T_0p, seen.T_0p)
    np.testing.assert_allclose(found.T_0p[:, :2, 3], tips(found.q_a), atol=1e-12)
    np.testing.assert_array_equal(seen.t, t)
    q = found.q_a.copy()
    q[2, 0] = np.nan
    with pytest.raises(InputError, match=r"q_a\[2, 0\] is nan"):
        track(r, q)
    holed = track(r, q, on_error="nan")
    assert list(holed.status) == [0, 0, PoseStatus.BAD_INPUT, 0, 0]
    np.testing.assert_allclose(holed.T_0p[3:], found.T_0p[3:], atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "options", "match"),
    [
        ([[2.3, 0.8]], {"t": [0.0, 1.0]}, "1 samples, t has 2"),
        ([2.3, 0.8], {}, "one row for each sample"),
        (np.zeros((3, 3)), {}, "q_a has shape"),
        ([[2.3, 0.8]] * 2, {"t": [0.0, 0.0]}, "does not go on"),
        ([[2.3, 0.8]] * 2, {"near": np.eye(3)}, "near has shape"),
        ([[2.3, 0.8]] * 2, {"qd_a": np.zeros((3, 2))}, "qd_a has shape"),
        ([[2.3, 0.8]] * 2, {"on_error": "skip"}, "on_error"),
        (lambda t: [2.3, 0.8], {}, "needs times"),
        ([[2.3, 0.8j]], {}, "not an array of numbers"),
        (np.zeros((0, 2)), {}, "no sample"),
        ([[2.3, 0.8], [2.3, 1e10]], {}, "lost in rounding"),
    ],
)
def test_arguments_that_make_no_sense(arguments, options, match):
    with pytest.raises(InputError, match=match):
        track(robot("five_bar"), arguments, **options)


def test_starts_of_other_robots_are_refused():
    """Those of other joints, and of the same joints with other lengths."""
    r, q = robot("five_bar"), [[2.3, 0.8]]
    wide = gough.zoo.load("five_bar", legs=[{**leg, "l_dist": 0.5} for leg in LEGS])
    for other in (robot("delta"), wide):
        state = AssembledState(*other.assembly.start)
        many = np.empty(1, dtype=object)
        many[0] = state
        for start, samples in ((state, q), (SimpleNamespace(branch=state), q), (many, [q])):
            with pytest.raises(InputError, match="near: not an assembled state of five_bar"):
                track(r, samples, start)


def test_robots_without_motors_are_refused():
    r = contact_tripod()
    for ask in (track, lambda r, q: pose_from_motors(r, q[0], r.home_pose)):
        with pytest.raises(InputError, match="has 0 motors"):
            ask(r, np.zeros((2, 0)))


def test_positions_far_away_are_no_input():
    r = robot("five_bar")
    q = np.array([2.31427519, 0.82731747]) + 2.0 * np.pi * np.array([0.0, 1e3, 1e10])[:, None]
    assert list(track(r, q[[0, 0, 2]], on_error="nan").status) == [0, 0, PoseStatus.BAD_INPUT]
    with gough.options(engine="compiled"):
        found = pose_from_motors(r, q, r.home_pose)
    assert list(found.status) == [0, 0, PoseStatus.BAD_INPUT]
    assert np.isnan(found.T_0p[2]).all()
    assert pose_from_motors(r, q[2], r.home_pose).status == PoseStatus.BAD_INPUT
