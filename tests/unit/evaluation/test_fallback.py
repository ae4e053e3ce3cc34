"""Poses out of reach and turns far from home are settled by kernels as the reference would."""

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from gough.base.conditions import is_valid
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.compile import find_kernel
from gough.geometry.closed_form.reach import DECIDED, decides, out_of_reach
from masks import masked
from robots import ZOO_NAMES, robot

LARGE = 64
COUNT = 2 * LARGE


def _poses(r, share, count, seed=3):
    """Poses of the robot's kind around home: its freedoms at random, what is constant as it is."""
    assembly, rng = r.assembly, np.random.default_rng(seed)
    free = list(assembly.free)
    y = np.tile(assembly.chart.coordinates(assembly.T_home), (count, 1))
    span = np.array([assembly.length if i < 3 else 1.2 for i in free])
    y[:, free] += share * rng.uniform(-1.0, 1.0, (count, len(free))) * span
    return np.array([assembly.chart.pose(each) for each in y])


def test_the_first_margin_that_is_not_clear_decides():
    d = DECIDED
    cases = [
        ([1.0, 1.0], 0.0, False),
        ([1.0, 1.0], 2 * d, True),  # every root is real, and a loop is open all the same
        ([1.0, -2 * d], np.nan, True),
        ([-0.5, np.nan], np.nan, True),
        ([0.5 * d, -1.0], 1.0, False),  # a root nearby makes the next one inexact
        ([1.0, -0.5 * d], 1.0, False),
        ([np.nan, -1.0], 1.0, False),
    ]
    margins, off, gone = (np.array(column) for column in zip(*cases, strict=True))
    assert out_of_reach(margins, off).tolist() == gone.tolist()
    assert out_of_reach(np.zeros((2, 0)), np.array([0.0, 1.0])).tolist() == [False, True]


@pytest.mark.parametrize("name", ZOO_NAMES)
def test_poses_are_refused_alike(name, asked):
    """The same states fail, whoever says so, and the reference sees few of them."""
    r = robot(name)
    assert decides(r.assembly)
    T = _poses(r, 1.5, COUNT)
    with gough.options(engine="compiled"):
        _, failed = masked(gough.motor_rates(r, T, on_error="nan"))
    assert len(asked) <= max(COUNT // 10, LARGE if failed.sum() < LARGE else 0)
    some = np.concatenate([np.flatnonzero(failed)[::8], np.flatnonzero(~failed)[:5]])
    with gough.options(engine="numpy"):
        again = masked(gough.motor_rates(r, T[some], on_error="nan"))[1]
    assert again.tolist() == failed[some].tolist()


@pytest.mark.parametrize("name", ["delta", "five_bar", "three_rrr"])
def test_at_the_border_of_reach_walks_say_the_same(name):
    """Poses that are just proved to be out of reach cannot be walked to."""
    r = robot(name)
    T = _poses(r, 1.2, 20 * COUNT)
    found = find_kernel(r.assembly, "reach", Variant())(T)
    gone = out_of_reach(found["margins"], found["off"][:, 0])
    nearest = np.argsort(np.where(gone, np.nanmin(np.abs(found["margins"]), axis=1), np.inf))[:2]
    assert gone[nearest].all()
    for k in nearest:
        with (
            pytest.raises((gough.errors.UnreachablePose, gough.errors.InconsistentPose)),
            gough.options(engine="numpy"),
        ):
            gough.inverse_kinematics(r, T[k])


@cache
def _far(name, share):
    """Poses whose only doubt is how often a motor has gone round."""
    r = robot(name)
    T = _poses(r, share, 60 * COUNT, seed=8)
    if name == "five_bar":
        T = gough.state(r, T[:60, :2, 3], on_error="nan").T_0p
        T = T[np.isfinite(T).all(axis=(1, 2))]
    geometry, velocity = (
        find_kernel(r.assembly, quantity, Variant())
        for quantity in ("inverse_kinematics", "motor_rates")
    )
    sure = is_valid(velocity(T, np.zeros(6))["doubt"])
    return r, T[sure & ~is_valid(geometry(T)["doubt"])]


@pytest.mark.parametrize(("name", "share"), [("delta", 1.0), ("dymo", 1.2), ("five_bar", 1.5)])
def test_motors_far_from_home_stay_in_the_kernel(name, share, asked):
    r, T = _far(name, share)
    T = np.concatenate([T] * (LARGE // len(T) + 1))[: LARGE + 6]
    asked.clear()  # states of freedoms are asked one by one
    with gough.options(engine="compiled"):
        q = gough.inverse_kinematics(r, T)
    assert len(asked) <= len(T) // 10
    home = [r.assembly.home_values[motor] for motor in r.motors]
    assert np.abs(q - home).max() > 2.0
    some = slice(0, len(T), len(T) // 2)
    with gough.options(engine="numpy"):
        assert q[some] == pytest.approx(gough.inverse_kinematics(r, T[some]), abs=1e-8)


def test_springs_far_from_home_stay_in_the_kernel(asked):
    """Their whole turns count in efforts and energies."""
    r, T = _far("five_bar", 1.5)
    asked.clear()  # poses are found by the reference, too
    joints = [
        dataclasses.replace(
            j, axes=(dataclasses.replace(j.axes[0], spring=gough.Spring(3.0, rest=0.2)),)
        )
        if j.name in ("foot1", "elbow2")
        else j
        for j in r.joints
    ]
    r = dataclasses.replace(r, joints=tuple(joints))
    T = np.concatenate([T] * (LARGE // len(T) + 1))[: LARGE + 6]
    V = np.zeros((len(T), 6))
    with gough.options(engine="compiled"):
        tau = gough.inverse_dynamics(r, gough.State(T, V, V))
        U = gough.energy(r, gough.State(T, V)).potential
    assert len(asked) <= len(T) // 5
    for k in range(0, len(T), len(T) // 2):
        with gough.options(engine="numpy"):
            one = gough.inverse_dynamics(r, gough.State(T[k], V[k], V[k]))
        assert tau[k] == pytest.approx(one, rel=1e-8, abs=1e-8)
        with gough.options(engine="numpy"):
            assert U[k] == pytest.approx(gough.energy(r, gough.State(T[k], V[k])).potential)
