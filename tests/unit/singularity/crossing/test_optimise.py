"""The best time laws: limits that are used up and kept, efforts, and what cannot be."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import gough
from crossings import ENDS, SINGULAR, five_bar, looked, looked_at, planned, three_rrr, when
from gough.errors import EffortsInfeasible, SingularPose
from gough.singularity.crossing import plan_crossing
from numbers_robots import gs_ref

pytestmark = pytest.mark.usefixtures("known_place")


def test_the_least_time_is_within_its_limits():
    efforts, speeds = np.array([9.0, 6.0, 9.0]), np.array([1.0, 1.5, 1.0])
    plan = plan_crossing(
        three_rrr(), ENDS, optimise="time", efforts=efforts, motor_speeds=speeds, duration=9.0
    )
    assert plan.duration < planned("three_rrr").duration
    t = np.linspace(0.0, plan.duration, 400)
    state = plan(t)
    assert (np.diff(state.T_0p[:, 0, 3]) >= -1e-12).all()
    use = np.abs(gough.inverse_dynamics(three_rrr(), state)) / efforts
    assert 0.99 < use.max() < 1.002  # used up, and kept
    pace = np.abs(gough.motor_rates(three_rrr(), state)) / speeds
    assert 0.99 < pace.max() < 1.001
    _check_best(plan)


def test_speeds_that_are_used_up():
    """Slower than any clock of few, even pieces can pass: the spline is finer where it must be."""
    plan = plan_crossing(three_rrr(), ENDS, optimise="time", origin_speed=0.05)
    V = plan(np.linspace(0.0, plan.duration, 400)).V_0p
    speed = np.linalg.norm(V[:, :3], axis=1)
    assert 0.0495 < speed.max() < 0.0501
    assert (speed > 0.049).mean() > 0.8
    _check_best(plan)


def _five_bar_place(machine):
    """Where the path is at the height at which both distal links are in line."""
    # the elbows are 0.46 m apart and the feet 0.275 m: proximal links lean out by half of the rest
    height = np.sqrt(0.23**2 - 0.0925**2)
    return [brentq(lambda s: machine.motion(s).T_0p[1, 3] - height, 0.0, machine.motion.duration)]


def test_the_least_effort_keeps_the_duration():
    plan = plan_crossing(three_rrr(), ENDS, optimise="effort", duration=1.1)
    assert abs(plan.duration - 1.1) < 1e-6
    usual = plan_crossing(three_rrr(), ENDS, duration=1.1)
    t = np.linspace(0.0, 1.1, 60)
    efforts = [gough.inverse_dynamics(three_rrr(), one(t)) for one in (plan, usual)]
    squares = [(tau**2).sum() for tau in efforts]
    assert squares[0] < squares[1]
    _check_best(plan)


def test_the_least_effort_does_not_depend_on_units(monkeypatch):
    """On a table efforts are inertia alone: a motion twice as long needs a quarter of them.

    Limits that are wide enough do not count either.
    """
    monkeypatch.setattr("gough.singularity.crossing.plan.singular_instants", _five_bar_place)
    ends = [0.0, SINGULAR - 0.08], [0.0, SINGULAR + 0.07]
    sums, share = [], np.linspace(0.0, 1.0, 301)
    for seconds, limits in ((0.1, None), (10.0, 50.0)):
        plan = plan_crossing(five_bar(), ends, optimise="effort", duration=seconds, efforts=limits)
        tau = gough.inverse_dynamics(five_bar(), plan(seconds * share))
        sums.append((tau**2).sum() * seconds**4 / 300)
    assert_allclose(sums[1], sums[0], rtol=1e-6)
    # the degree-eight law of NUMBERS.md takes 0.0168; steps of a spline of 24 pieces take more
    assert sums[0] < 0.0144


def _check_best(plan):
    """It can pass, and its derivatives are those of its poses."""
    singular = looked("three_rrr", passes=False).instants[0].T_0p[0, 3]
    (meeting,) = looked_at(plan, [when(plan, singular)])
    assert meeting.can_pass
    h, t = 1e-6, plan.duration * np.array([0.21, 0.47, 0.83])
    rate = (plan(t + h).V_0p - plan(t - h).V_0p) / (2 * h)
    assert_allclose(rate, plan(t).Vdot_0p, atol=1e-4)
    p = (plan(t + h).T_0p[:, :3, 3] - plan(t - h).T_0p[:, :3, 3]) / (2 * h)
    assert_allclose(p, plan(t).V_0p[:, :3], atol=1e-8)


def test_a_duration_that_the_limits_do_not_allow(monkeypatch):
    """The shortest takes 0.391 s."""
    monkeypatch.setattr("gough.singularity.crossing.optimise._STARTS", 1)
    with pytest.raises(EffortsInfeasible, match=r"in 0.3 s was found"):
        plan_crossing(three_rrr(), ENDS, optimise="time", efforts=[9.0, 6.0, 9.0], duration=0.3)


def test_several_free_twists_are_too_many_for_a_clock(monkeypatch):
    monkeypatch.setattr("gough.singularity.crossing.plan.singular_instants", lambda _: [0.5])
    ends = [0.0, 0.0, 0.6, 0.0, 0.0, 0.3], [0.02, 0.01, -0.6, 0.0, 0.0, 0.3]
    path = gough.motion.point_to_point(gs_ref(), *ends, duration=1.0)
    with pytest.raises(SingularPose, match="3 twists are free at once: as many conditions"):
        plan_crossing(gs_ref(), path)
