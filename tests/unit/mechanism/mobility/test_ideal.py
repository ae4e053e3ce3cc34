"""Descriptions of few digits: the nearest machine whose loops close exactly."""

from __future__ import annotations

import dataclasses
import pickle
from functools import cache

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.errors import DescriptionError, NotAssembled
from gough.mechanism.mobility.ideal import ideal
from robots import random_freedoms, relative, robot

# a wrist whose axes meet, parallel axes, parallelograms of revolutes, a nacelle
OVER_CONSTRAINED = ["agile_eye", "five_bar", "three_rrr", "orthoglide", "quattro"]


@cache
def typed(name: str, digits: int = 6) -> gough.Robot:
    """A robot with frames of its bodies turned at random, typed with so many digits."""
    r, rng = robot(name), np.random.default_rng(0)
    T = {r.base: np.eye(4)}
    for body in r.bodies:
        T[body.name] = spatial.pose(
            spatial.rotation_exp(rng.normal(size=3)), 0.1 * rng.normal(size=3)
        )

    def frame(body: str, given: gough.Frame) -> gough.Frame:
        M = np.round(T[body] @ given.matrix, digits)
        return gough.Frame(M[:3, 3].tolist(), M[:3, :3].tolist())

    joints = tuple(
        dataclasses.replace(
            j,
            parent_frame=frame(j.parent, j.parent_frame),
            child_frame=frame(j.child, j.child_frame),
        )
        for j in r.joints
    )
    bodies = []
    for b in r.bodies:
        R = T[b.name][:3, :3]
        center = (T[b.name] @ [*b.center, 1.0])[:3]
        inertia = R @ np.array(b.inertia) @ R.T
        bodies.append(dataclasses.replace(b, center=center.tolist(), inertia=inertia.tolist()))
    placed = r.assembly.equations(*r.assembly.samples[0]).body_poses
    home = {
        n: gough.Frame.from_matrix(spatial.pose(p.R, p.p) @ np.linalg.inv(T[n]))
        for n, p in placed.items()
    }
    return dataclasses.replace(
        r,
        bodies=tuple(bodies),
        joints=joints,
        home=gough.Home(home),
        platform_frame=gough.Frame.from_matrix(T[r.platform] @ r.platform_frame.matrix),
    )


@cache
def precise(name: str) -> gough.Robot:
    return dataclasses.replace(typed(name), precision=2e-5)


@pytest.mark.parametrize("name", OVER_CONSTRAINED)
def test_six_digits_are_taken_for_what_they_mean(name):
    with pytest.raises(NotAssembled, match="declare it"):
        typed(name).mobility  # noqa: B018
    r, exact = precise(name), robot(name)
    assert (r.mobility, r.freedoms) == (exact.mobility, exact.freedoms)
    assert r.assembly.over_constraint == exact.assembly.over_constraint
    moved = ideal(r)
    assert 0.0 < moved.length < 2e-5 * r.length
    assert 0.0 < moved.angle < 2e-5
    assert any("close exactly" in finding for finding in r.findings)
    # postures that were not among those of the search, far from home
    state = gough.state(r, *random_freedoms(name, 3, 0.2, seed=3))
    T, V, Vdot = state.arrays
    for k in range(3):
        # rounding of a chain of joints, at position level; velocities are its derivative
        assert gough.audit(r, gough.State(T[k], V[k], Vdot[k])).closure < 1e-13
    # efforts are those of the machine that was meant, as near as six digits are
    same = gough.state(exact, *random_freedoms(name, 3, 0.2, seed=3))
    expected = gough.inverse_dynamics(exact, same)
    assert relative(gough.inverse_dynamics(r, state), expected) < 1e-4


def test_machines_that_are_not_over_constrained_are_left_alone():
    r = precise("delta")
    assert ideal(r).robot is r
    assert r.assembly.robot is r
    assert not ideal(r).sentence
    exact = dataclasses.replace(robot("five_bar"), precision=1e-5)
    assert ideal(exact).robot is exact


def test_the_exact_machine_is_its_own():
    r = precise("five_bar")
    exact = r.assembly.robot
    assert exact is not r
    assert exact.assembly is r.assembly
    again = pickle.loads(pickle.dumps(r))
    T = r.home_pose
    np.testing.assert_array_equal(
        gough.inverse_kinematics(again, T), gough.inverse_kinematics(r, T)
    )


def test_a_finer_precision_than_the_figures_have_is_refused():
    r = dataclasses.replace(typed("three_rrr"), precision=1e-9)
    with pytest.raises(NotAssembled):
        r.mobility  # noqa: B018


def test_a_mistake_is_no_lack_of_digits():
    """One axis of a planar machine is tilted by a hundredth of a radian."""
    r = precise("three_rrr")
    first, *rest = r.joints
    tilt = spatial.pose(spatial.rotation_x(0.01), np.zeros(3))
    frame = gough.Frame.from_matrix(first.parent_frame.matrix @ tilt)
    wrong = dataclasses.replace(r, joints=(dataclasses.replace(first, parent_frame=frame), *rest))
    with pytest.raises(NotAssembled):
        wrong.mobility  # noqa: B018


@pytest.mark.parametrize("value", [-1e-6, 0.1, float("nan"), "fine"])
def test_what_is_no_precision_is_refused(value):
    with pytest.raises(DescriptionError, match="precision"):
        dataclasses.replace(robot("five_bar"), precision=value)
