"""Motions that excite: within limits, at rest at both ends, better than a circle."""

import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
import gough.identification.excitation_motion
from gough.errors import InputError
from robots import robot

GROUPS = ["bodies", "friction"]


@cache
def limited():
    """A planar 3-RRR whose motors have limits of position, speed and effort."""
    r = robot("three_rrr")
    q = dict(zip(r.motors, gough.inverse_kinematics(r, r.home_pose), strict=True))
    joints = []
    for j in r.joints:
        axes = [
            replace(a, limits=gough.Limits((q[n] - 0.6, q[n] + 0.6), velocity=5.0, effort=12.0))
            if n in q
            else a
            for n, a in zip(j.axis_names, j.axes, strict=True)
        ]
        joints.append(replace(j, axes=tuple(axes)))
    return replace(r, joints=tuple(joints))


def sought(robot, **options):
    """A quick search: from the best of few random motions."""
    with pytest.MonkeyPatch.context() as few:
        few.setattr(sys.modules["gough.identification.excitation_motion"], "STARTS", 10)
        return gough.excitation_motion(robot, duration=2.0, parameters=GROUPS, **options)


@cache
def excited():
    return sought(limited(), harmonics=3, trials=30)


def test_the_motion_is_allowed():
    found = excited()
    analysis = gough.analyse(limited(), found.motion, agreement=False)
    assert analysis.feasible
    used = np.abs(analysis.qd).max() / 5.0
    assert used == pytest.approx(
        found.asked["velocity"], rel=0.05
    )  # between samples, a little more
    assert np.abs(analysis.tau).max() <= 12.0
    shares = list(found.asked.values())
    assert max(shares) <= 1.0
    assert max(shares) > 0.5  # it makes use of what is allowed


def test_the_motion_begins_and_ends_at_rest_in_the_centre():
    T, V, Vdot = excited().motion([0.0, 2.0]).arrays
    assert np.abs(V).max() < 1e-12
    assert np.abs(Vdot).max() < 1e-9  # a window of amplitudes of a metre, two derivatives
    assert np.abs(T - limited().home_pose).max() < 1e-12


def test_it_excites_better_than_a_circle():
    found = excited()
    circle = gough.motion.circle(limited(), radius=0.04, duration=2.0)
    plain = gough.base_parameters(limited(), parameters=GROUPS, motion=circle)
    assert found.base.unexcited == ()
    assert found.condition < 0.5 * plain.condition
    assert found.information > found.started


def test_without_limits_it_is_said():
    assert excited().remarks == ()
    found = sought(robot("three_rrr"), trials=0, seed=1)
    assert "may ask too much" in str(found)
    data = found.to_dict()
    assert data["motion"]["duration"] == 2.0
    assert data["base"]["number"] == found.base.number


def test_wrong_arguments_are_refused():
    with pytest.raises(InputError, match="harmonics"):
        gough.excitation_motion(limited(), duration=2.0, harmonics=0)
    with pytest.raises(InputError, match="at rest in the centre condition"):
        gough.excitation_motion(limited(), duration=2.0, parameters=GROUPS, condition=1.0)
