"""Paths that are re-timed: laws, limits, exact derivatives, and what no time law can do."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import gough
from crossings import ENDS, SINGULAR, five_bar, looked, looked_at, planned, stroke, three_rrr, when
from gough.errors import InputError, SingularPose
from gough.singularity.crossing import plan_crossing
from gough.singularity.crossing.demand import singular_instants
from gough.singularity.crossing.laws import Knot, clock, one_polynomial, pieces, runs_on
from gough.singularity.crossing.surge import Surge, lasting
from gough.singularity.crossing.terms import Machine
from gough.singularity.crossing.verdict import singular_instant


@pytest.mark.parametrize("make", [one_polynomial, pieces])
def test_laws_meet_their_knots_with_the_derivatives_they_tell(make):
    knots = [Knot(0.5, 0.0, 0.2, 0.0), Knot(1.1, 0.4, 1.0, -0.5), Knot(1.9, 0.8, 0.5, 0.3)]
    knots.append(Knot(2.5, 1.0, 0.0, 0.0))
    law = make(knots)
    told = law(np.array([knot.t for knot in knots]))
    for got, wanted in zip(told, np.array(knots).T[1:], strict=True):
        assert_allclose(got, wanted, atol=1e-11)
    t, h = np.linspace(0.6, 2.4, 7), 1e-5
    before, here, after = law(t - h), law(t), law(t + h)
    assert_allclose((after.value - before.value) / (2 * h), here.rate, atol=1e-7)
    assert_allclose((after.rate - before.rate) / (2 * h), here.acceleration, atol=1e-6)
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
    assert_allclose(x, share[:, None] * np.array(ENDS[1]), atol=1e-12)
    assert (np.diff(share) > 0.0).all()
    V, Vdot = motion(t).V_0p, motion(t).Vdot_0p
    p = (motion(t + h).T_0p[:, :3, 3] - motion(t - h).T_0p[:, :3, 3]) / (2 * h)
    assert_allclose(p, V[:, :3], atol=1e-8)
    assert_allclose((motion(t + h).V_0p - motion(t - h).V_0p) / (2 * h), Vdot, atol=1e-6)


@pytest.fixture
def places(monkeypatch):
    """Singular places of the path that was planned last, which are instants of its own clock."""
    found = []

    def seen(machine):
        found[:] = singular_instants(machine)
        return list(found)

    monkeypatch.setattr("gough.singularity.crossing.plan.singular_instants", seen)
    return found


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
        assert_allclose(other.V_r, one.V_r, atol=1e-8)
        # the acceleration that was named for a change along the path alone
        assert_allclose(other.Vdot_r, one.along_path, atol=1e-6)


def test_waypoints(places):
    through = [ENDS[0], [0.02, 0.0, 0.5], ENDS[1]]
    plan = plan_crossing(three_rrr(), through, duration=1.2)
    path = gough.motion.through(three_rrr(), through, [0.0, *_times(through, 1.2)])
    (meeting,) = looked_at(plan, [when(plan, path(places[0]).T_0p[0, 3])])
    assert meeting.smallest < 1e-9
    assert meeting.can_pass


def _times(through, duration):
    """Times by the lengths between poses, natural units."""
    steps = np.linalg.norm(np.diff(through, axis=0) / three_rrr().assembly.scales.freedoms, axis=1)
    return duration * np.cumsum(steps) / steps.sum()


@pytest.mark.usefixtures("known_place")
def test_slow_motions_surge_where_they_must():
    """No polynomial passes in 4 s: gravity asks for more than a slow clock can have for long."""
    plan = plan_crossing(three_rrr(), ENDS, duration=4.0)
    assert plan.duration == 4.0
    assert_allclose(plan(4.0).T_0p, stroke("three_rrr")(1.0).T_0p, atol=1e-12)
    singular = looked("three_rrr", passes=False).instants[0].T_0p[0, 3]
    (meeting,) = looked_at(plan, [when(plan, singular)])
    assert meeting.can_pass
    t = np.linspace(0.0, 4.0, 402)
    state = plan(t)
    assert (np.diff(state.T_0p[:, 0, 3]) >= 0.0).all()
    for end in (0, -1):
        assert_allclose(state.V_0p[end], 0.0, atol=1e-12)
    # efforts are those of a weight that is held, not of a bang: those of the 1 s plan are 8.2
    assert np.abs(gough.inverse_dynamics(three_rrr(), state)).max() < 9.0
    h, t = 1e-6, np.array([0.7, 2.0, meeting.time, meeting.time + 0.01, 3.5])
    rate = (plan(t + h).V_0p - plan(t - h).V_0p) / (2 * h)
    assert_allclose(rate, plan(t).Vdot_0p, atol=1e-5 * np.abs(state.Vdot_0p).max())
    p = (plan(t + h).T_0p[:, :3, 3] - plan(t - h).T_0p[:, :3, 3]) / (2 * h)
    assert_allclose(p, plan(t).V_0p[:, :3], atol=1e-8)


@pytest.mark.usefixtures("known_place")
def test_a_slow_motion_keeps_its_duration():
    slow = stroke("three_rrr").slower(4.0)
    plan = plan_crossing(three_rrr(), slow)
    assert plan.duration == slow.duration
    assert "instead of" not in plan.label
    singular = looked("three_rrr", passes=False).instants[0].T_0p[0, 3]
    (meeting,) = looked_at(plan, [when(plan, singular)])
    assert meeting.can_pass


def test_a_surge_keeps_the_ends_of_a_motion_and_its_duration():
    """A motion under way: its rates at both ends, and its duration, are those it had."""
    need = {1.0: 3.0, 2.5: -40.0}

    def ask(i, rate):
        return list(need.values())[i] * (1.0 + 0.1 * rate**2)

    surge = lasting(4.0, lambda y: Surge(4.0, list(need), ask, [1.0, 2.0], level=y, held=True))
    law, seconds = clock(surge.z, surge.slope, 4.0, surge.edges())
    assert abs(seconds - 4.0) < 1e-9
    ends = law(np.array([0.0, seconds]))
    assert_allclose(ends.rate, 1.0, atol=1e-9)
    assert_allclose(ends.acceleration, 0.0, atol=1e-9)
    for i, place in enumerate(need):
        at = law(np.array([brentq(lambda t, s=place: law(np.array([t])).value[0] - s, 0.0, 4.0)]))
        assert_allclose(at.acceleration[0], ask(i, at.rate[0]), rtol=1e-6)
    s, h = np.linspace(0.05, 3.95, 50), 1e-6
    assert_allclose(
        (surge.z(s + h) - surge.z(s - h)) / (2 * h), surge.slope(s), rtol=1e-5, atol=1e-7
    )


@pytest.mark.parametrize(
    "loads",
    [
        gough.Loads(payload=0.5),
        gough.Loads([gough.Force("platform", (3.0, -1.0, 0.0), (0.0, 0.0, 0.2))]),
    ],
    ids=["payload", "force"],
)
@pytest.mark.usefixtures("known_place")
def test_loads_are_part_of_the_plan(loads):
    plan = plan_crossing(three_rrr(), ENDS, duration=1.0, loads=loads)
    place = when(plan, looked("three_rrr", passes=False).instants[0].T_0p[0, 3])
    loaded, bare = (
        singular_instant(
            Machine(three_rrr().assembly, plan, each),
            place,
            1e-6,
        )
        for each in (loads, None)
    )
    assert loaded.can_pass
    assert not bare.can_pass


@pytest.mark.usefixtures("known_place")
def test_what_a_path_may_be_and_what_it_is_called():
    array, pair = (plan_crossing(three_rrr(), p, duration=1.0) for p in (np.array(ENDS), ENDS))
    assert_allclose(array(0.3).T_0p, pair(0.3).T_0p, atol=1e-14)
    assert array.label == "straight path, re-timed to pass one singular pose"


def test_a_path_without_singular_poses(monkeypatch):
    monkeypatch.setattr("gough.singularity.crossing.plan.singular_instants", lambda _: [])
    plan = plan_crossing(three_rrr(), ([0, 0, 0], [0, 0, 0.1]), duration=1.0)
    assert plan.label == "straight path, which meets no singular pose"


def test_a_path_that_only_touches_and_one_without_inertia_along_the_free_twist():
    ends = [-0.04, SINGULAR], [0.04, SINGULAR]
    with pytest.raises(SingularPose, match=r"touches|stays"):
        plan_crossing(five_bar(), ends, duration=1.0)
    with pytest.raises(SingularPose, match="starts on a Type 2"):
        plan_crossing(five_bar(), ([0.0, SINGULAR], [0.0, SINGULAR + 0.05]), duration=1.0)
    meeting = looked("three_rrr", passes=False).instants[0]
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
        (ENDS, {"optimise": "time", "efforts": 9.0, "duration": float("nan")}, "duration"),
        (ENDS, {"duration": 1.0, "loads": "yes"}, "loads"),
    ],
)
def test_arguments_that_make_no_sense(path, wrong, word, monkeypatch):
    place = looked("three_rrr", passes=False).instants[0]
    share = stroke("three_rrr")(place.time).T_0p[0, 3] / ENDS[1][0]
    monkeypatch.setattr(
        "gough.singularity.crossing.plan.singular_instants", lambda m: [share * m.motion.duration]
    )
    with pytest.raises(InputError, match=word):
        plan_crossing(three_rrr(), path, **wrong)
