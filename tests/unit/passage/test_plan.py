"""Paths that are re-timed: laws, limits, exact derivatives, and what no time law can do."""

import numpy as np
import pytest
from scipy.optimize import brentq

import gough
from crossings import SINGULAR, five_bar, looked, planned, stroke, three_rrr
from gough.dynamics.loading import Loading
from gough.errors import EffortsInfeasible, InputError, SingularPose
from gough.passage import optimise, plan_crossing
from gough.passage.laws import Knot, one_polynomial, pieces, runs_on
from gough.passage.meeting import look_at
from gough.passage.places import singular_instants
from gough.passage.terms import Machine

ENDS = [0.0, 0.0, 0.0], [0.05, 0.03, 1.0]


@pytest.fixture
def known_place(monkeypatch):
    """Where the straight path is singular is known: looking for it takes its time."""
    meeting = looked("three_rrr", passes=False).meetings[0]
    share = meeting.T_0p[0, 3] / ENDS[1][0]

    def places(machine):
        if machine.motion.label == "straight path":
            return [float(share)]
        off = lambda s: machine.motion(s).T_0p[0, 3] - meeting.T_0p[0, 3]  # noqa: E731
        return [brentq(off, 0.1 * machine.motion.duration, machine.motion.duration, xtol=1e-16)]

    monkeypatch.setattr("gough.passage.plan.singular_instants", places)


@pytest.mark.parametrize("make", [one_polynomial, pieces])
def test_laws_meet_their_knots_with_the_derivatives_they_tell(make):
    knots = [Knot(0.5, 0.0, 0.2, 0.0), Knot(1.1, 0.4, 1.0, -0.5), Knot(1.9, 0.8, 0.5, 0.3)]
    knots.append(Knot(2.5, 1.0, 0.0, 0.0))
    law = make(knots)
    told = law(np.array([knot.t for knot in knots]))
    for got, wanted in zip(told, np.array(knots).T[1:], strict=True):
        np.testing.assert_allclose(got, wanted, atol=1e-11)
    t, h = np.linspace(0.6, 2.4, 7), 1e-5
    before, here, after = law(t - h), law(t), law(t + h)
    np.testing.assert_allclose((after.value - before.value) / (2 * h), here.rate, atol=1e-7)
    np.testing.assert_allclose((after.rate - before.rate) / (2 * h), here.acceleration, atol=1e-6)
    jerk = np.diff(law(np.array([1.1 - h, 1.1, 1.1 + h])).acceleration) / h
    assert abs(jerk[0] - jerk[1]) < 0.02 * (1.0 + abs(jerk[0]))  # continuous, also between pieces


def test_a_clock_that_runs_back_is_seen():
    law = one_polynomial(
        [Knot(0.0, 0.0, 0.0, 0.0), Knot(0.5, 0.5, -1.0, 0.0), Knot(1.0, 1.0, 0, 0)]
    )
    assert not runs_on(law, 0.0, 1.0, 1e-9)


def test_a_plan_keeps_its_path_and_tells_its_derivatives():
    motion, path = planned("three_rrr"), stroke("three_rrr")
    assert motion.duration == path.duration
    t, h = np.linspace(0.05, 0.95, 13), 1e-6
    x = np.array([[T[0, 3], T[1, 3], np.arctan2(T[1, 0], T[0, 0])] for T in motion(t).T_0p])
    share = x[:, 2] / ENDS[1][2]
    np.testing.assert_allclose(x, share[:, None] * np.array(ENDS[1]), atol=1e-12)
    assert (np.diff(share) > 0.0).all()
    V, Vdot = motion(t).V_0p, motion(t).Vdot_0p
    p = (motion(t + h).T_0p[:, :3, 3] - motion(t - h).T_0p[:, :3, 3]) / (2 * h)
    np.testing.assert_allclose(p, V[:, :3], atol=1e-8)
    np.testing.assert_allclose((motion(t + h).V_0p - motion(t - h).V_0p) / (2 * h), Vdot, atol=1e-6)


@pytest.fixture
def places(monkeypatch):
    """Singular places of the path that was planned last, which are instants of its own clock."""
    found = []

    def seen(machine):
        found[:] = singular_instants(machine)
        return list(found)

    monkeypatch.setattr("gough.passage.plan.singular_instants", seen)
    return found


def looked_at(motion, times):
    """Meetings of a motion at instants that are known."""
    machine = Machine(three_rrr().assembly, motion, Loading(three_rrr().assembly))
    return [look_at(machine, t, 1e-6) for t in times]


def test_a_motion_keeps_its_clock_where_it_can(places):
    """A path that is a motion already: its own speed on singular poses, another acceleration."""
    there = stroke("three_rrr")
    tour = there.then(gough.motion.point_to_point(three_rrr(), *ENDS[::-1], duration=1.0))
    plan = plan_crossing(three_rrr(), tour)
    assert plan.duration == tour.duration
    assert "2 singular poses" in plan.label
    before, after = (looked_at(one, places) for one in (tour, plan))
    assert [m.can_pass for m in before] == [False, False]
    assert [m.can_pass for m in after] == [True, True]
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(other.V_r, one.V_r, atol=1e-8)
        # the acceleration that was named for a change along the path alone
        np.testing.assert_allclose(other.Vdot_r, one.along_path, atol=1e-6)


def when(motion, x):
    """The instant at which a motion is at a place in x."""
    return brentq(lambda t: motion(t).T_0p[0, 3] - x, 0.1, 0.95 * motion.duration, xtol=1e-16)


def test_waypoints(places):
    through = [ENDS[0], [0.02, 0.0, 0.5], ENDS[1]]
    plan = plan_crossing(three_rrr(), through, duration=1.2)
    path = gough.motion.through(three_rrr(), through, [0.0, *_times(through, 1.2)])
    (meeting,) = looked_at(plan, [when(plan, path(places[0]).T_0p[0, 3])])
    assert meeting.smallest < 1e-9
    assert meeting.can_pass


def _times(through, duration):
    """Times by the lengths between poses, natural units."""
    steps = np.linalg.norm(np.diff(through, axis=0) / three_rrr().assembly.freedom_scales, axis=1)
    return duration * np.cumsum(steps) / steps.sum()


@pytest.mark.usefixtures("known_place")
def test_the_least_time_is_within_its_limits():
    efforts, speeds = np.array([9.0, 6.0, 9.0]), np.array([4.0, 4.0, 5.0])
    plan = plan_crossing(
        three_rrr(), ENDS, optimise="time", efforts=efforts, motor_speeds=speeds, origin_speed=0.5
    )
    assert plan.duration < planned("three_rrr").duration
    t = np.linspace(0.0, plan.duration, 60)
    T, V, _ = plan(t)
    assert (np.diff(T[:, 0, 3]) >= -1e-12).all()
    use = np.abs(gough.inverse_dynamics(three_rrr(), *plan(t))) / efforts
    pace = np.abs(gough.inverse_velocity(three_rrr(), T, V)) / speeds
    assert use.max() < 1.002
    assert pace.max() < 1.005
    assert np.linalg.norm(V[:, :3], axis=1).max() < 0.5
    assert max(use.max(), pace.max()) > 0.97  # the limits are used up
    _check_best(plan)


@pytest.mark.usefixtures("known_place")
def test_the_least_effort_keeps_the_duration():
    plan = plan_crossing(three_rrr(), ENDS, optimise="effort", duration=1.1)
    assert abs(plan.duration - 1.1) < 1e-6
    usual = plan_crossing(three_rrr(), ENDS, duration=1.1)
    t = np.linspace(0.0, 1.1, 60)
    efforts = [gough.inverse_dynamics(three_rrr(), *one(t)) for one in (plan, usual)]
    squares = [(tau**2).sum() for tau in efforts]
    assert squares[0] < squares[1]
    _check_best(plan)


def _check_best(plan):
    """It can pass, and its derivatives are those of its poses."""
    singular = looked("three_rrr", passes=False).meetings[0].T_0p[0, 3]
    (meeting,) = looked_at(plan, [when(plan, singular)])
    assert meeting.can_pass
    h, t = 1e-6, plan.duration * np.array([0.21, 0.47, 0.83])
    rate = (plan(t + h).V_0p - plan(t - h).V_0p) / (2 * h)
    np.testing.assert_allclose(rate, plan(t).Vdot_0p, atol=1e-4)
    p = (plan(t + h).T_0p[:, :3, 3] - plan(t - h).T_0p[:, :3, 3]) / (2 * h)
    np.testing.assert_allclose(p, plan(t).V_0p[:, :3], atol=1e-8)


@pytest.mark.usefixtures("known_place")
def test_limits_that_cannot_be_kept(monkeypatch):
    monkeypatch.setattr(optimise, "_ITERATIONS", 5)  # to prove that there is none takes many more
    with pytest.raises(EffortsInfeasible, match="no time law"):
        plan_crossing(three_rrr(), ENDS, optimise="time", efforts=0.5)


def test_a_path_that_only_touches_and_one_without_inertia_along_the_free_twist():
    ends = [-0.04, SINGULAR], [0.04, SINGULAR]
    with pytest.raises(SingularPose, match=r"touches|stays"):
        plan_crossing(five_bar(), ends, duration=1.0)
    meeting = looked("three_rrr", passes=False).meetings[0]
    M = gough.inertia_matrix(three_rrr(), meeting.T_0p)
    # two directions have no inertia along the free twist; one that crosses is taken
    across = np.linalg.svd(meeting.free.T @ M)[2][1:]
    x = np.array([*meeting.T_0p[:2, 3], np.arctan2(meeting.T_0p[1, 0], meeting.T_0p[0, 0])])
    told = ""
    for way in across:
        ends = x - 0.1 * way, x + 0.1 * way
        try:
            plan_crossing(three_rrr(), ends, duration=1.0)
        except SingularPose as err:
            told += err.message + err.hint
        if "no inertia" in told:
            break
    assert "no inertia along the free twist" in told
    assert "The path itself must change" in told


@pytest.mark.parametrize(
    ("path", "wrong", "word"),
    [
        (ENDS, {}, "duration"),
        (ENDS, {"duration": -1.0}, "duration"),
        (ENDS[:1], {"duration": 1.0}, "path"),
        ((ENDS[0], ENDS[0]), {"duration": 1.0}, "equal"),
        ("home", {"duration": 1.0}, "path"),
        (ENDS, {"duration": 1.0, "optimise": "fun"}, "optimise"),
        (ENDS, {"duration": 1.0, "times": [0.2, 0.4]}, "times"),
        (ENDS, {"duration": 1.0, "times": 1.5}, "times"),
        (ENDS, {"duration": 1.0, "speeds": 0.0}, "speeds"),
        (ENDS, {"duration": 1.0, "speeds": [1.0, 1.0]}, "speeds"),
        (ENDS, {"duration": 1.0, "speeds": 50.0}, "no clock that runs forward"),
        (ENDS, {"optimise": "time"}, "no limits"),
        (ENDS, {"optimise": "time", "efforts": 9.0, "times": 0.5}, "times does not go with"),
        (ENDS, {"duration": 1.0, "efforts": 9.0}, "efforts does not go with"),
        (ENDS, {"optimise": "time", "efforts": [1.0]}, "efforts"),
        (ENDS, {"optimise": "time", "efforts": -1.0}, "efforts"),
    ],
)
def test_arguments_that_make_no_sense(path, wrong, word, monkeypatch):
    place = looked("three_rrr", passes=False).meetings[0]
    share = stroke("three_rrr")(place.time).T_0p[0, 3] / ENDS[1][0]
    monkeypatch.setattr(
        "gough.passage.plan.singular_instants", lambda m: [share * m.motion.duration]
    )
    with pytest.raises(InputError, match=word):
        plan_crossing(three_rrr(), path, **wrong)
