"""Base parameters: how many, how they are grouped, and what a motion shows of them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from cases import loaded, motion
from gough.errors import InputError
from gough.identification.groupings import grouping
from gough.identification.independent import distinct, independent_columns
from robots import random_freedoms, relative, robot


@cache
def base(name, share=None, groups=None):
    return gough.base_parameters(robot(name), share=share, parameters=groups)


@cache
def states(name, count=24):
    return gough.state(robot(name), *random_freedoms(name, count, 0.2, seed=8))


@pytest.mark.parametrize(("name", "number"), [("five_bar", 11), ("three_rrr", 19)])
def test_planar_robots_have_the_published_number(name, number):
    """Gravity in the plane, no friction or rotors."""
    found = base(name, groups=("bodies",))
    assert found.number == number
    above, below = found.gap
    assert above > 1e-3
    assert below < 1e-12


@pytest.mark.parametrize("name", ["five_bar", "delta", "four_rrr"])
def test_base_parameters_give_the_same_efforts(name):
    found, every = base(name), gough.regressor(robot(name), states(name))
    assert found.names == every.names
    W_b = found.regressor(states(name))
    # found: 3e-13: coefficients are solved for in regressors of condition 100
    assert relative(W_b @ found.matrix, every.W) < 1e-10
    assert relative(W_b @ found.values, every.tau) < 1e-11
    columns = [every.names.index(name) for name in found.leading]
    assert relative(W_b, every.W[..., columns]) < 1e-13
    assert np.array_equal(found.matrix[:, columns], np.eye(found.number))


@pytest.mark.parametrize("name", ["five_bar", "delta"])
def test_efforts_without_noise_give_the_base_parameters_back(name):
    """Least squares on the base columns, efforts from inverse dynamics."""
    found, r = base(name), robot(name)
    tau = gough.inverse_dynamics(r, states(name))
    W_b = found.regressor(states(name)).reshape(-1, found.number)
    sizes = np.linalg.norm(W_b, axis=0)
    chi_b = np.linalg.lstsq(W_b / sizes, tau.ravel(), rcond=None)[0] / sizes
    assert relative(chi_b * sizes, found.values * sizes) < 1e-9


@pytest.mark.parametrize("name", ["delta", "rack"])
def test_springs_and_passive_friction_are_grouped_too(name):
    """With something on every axis, where coordinates of parallelograms add up to constants."""
    r = loaded(name)
    with gough.options(engine="numpy"):
        found, every = gough.base_parameters(r), gough.regressor(r, motion(name))
    assert {"stiffness", "stiffness_rest"} <= {name.split(".")[-1] for name in found.names}
    with gough.options(engine="numpy"):
        W_b = found.regressor(motion(name))
    # found: 5e-13, coefficients are solved for in regressors of condition 1e4
    assert relative(W_b @ found.matrix, every.W) < 1e-9
    assert found.clear


def test_a_narrow_gap_is_said():
    """Of a loop with one freedom and something on every axis all columns are one angle's."""
    found = gough.base_parameters(loaded("rccc"))
    assert not found.clear
    assert "the number is not sure" in str(found)


def test_groupings_can_be_read():
    """The Delta's forearms, 0.2 m off the arms' axes, act as inertia of the arms: 0.2^2 = 0.04."""
    words = dict(zip(base("delta").leading, base("delta").groupings, strict=True))
    assert words["arm1.Iyy"] == (
        "arm1.Iyy + arm1.rotor + 0.04 (bar1a.m + bar1b.m) - 0.08333 (bar1a.mx + bar1b.mx)"
    )
    assert words["bar1a.Ixx"] == "bar1a.Ixx + bar1b.Ixx"
    assert words["arm2.coulomb"] == "arm2.coulomb"
    assert "arm1.Ixx" in base("delta").idle


def test_legs_built_alike_share_their_parameters():
    found, apart = base("delta", share="legs"), base("delta")
    assert found.legs == (("arm1", "arm2", "arm3"),)
    assert found.number < 0.5 * apart.number
    assert "arm*.Iyy" in found.leading
    assert [name for name in found.leading if name.endswith("offset")] == [
        *("arm1.offset", "arm2.offset", "arm3.offset")
    ]
    tau = gough.inverse_dynamics(robot("delta"), states("delta"))
    assert relative(found.regressor(states("delta")) @ found.values, tau) < 1e-11


def test_bodies_of_equal_legs_may_have_frames_of_their_own():
    """Legs of a 3-RRR, one of whose bodies is described in turned and moved axes."""
    r = robot("three_rrr")
    turned = gough.Frame.from_rpy((0.03, -0.02, 0.0), (0.0, 0.0, 0.7))
    other = _redescribed(r, "dist2", turned)
    plain, moved = base("three_rrr", share="legs"), gough.base_parameters(other, share="legs")
    assert moved.number == plain.number
    assert moved.leading == plain.leading
    tau = gough.inverse_dynamics(other, states("three_rrr"))
    assert relative(tau, gough.inverse_dynamics(r, states("three_rrr"))) < 1e-12
    assert relative(moved.regressor(states("three_rrr")) @ moved.values, tau) < 1e-11


def _redescribed(r, name, frame):
    """The same robot, one body's own frame elsewhere on it: ``frame`` in its old axes."""
    R, p = np.array(frame.rotation), np.array(frame.position)
    old = r.body(name)
    body = replace(
        old,
        center=(R.T @ (np.array(old.center) - p)).tolist(),
        inertia=(R.T @ np.array(old.inertia) @ R).tolist(),
    )
    back = np.linalg.inv(frame.matrix)

    def seen(each):
        T = back @ each.matrix
        return gough.Frame(T[:3, 3].tolist(), T[:3, :3].tolist())

    joints = []
    for j in r.joints:
        ends = {}
        if j.parent == name:
            ends["parent_frame"] = seen(j.parent_frame)
        if j.child == name:
            ends["child_frame"] = seen(j.child_frame)
        joints.append(replace(j, **ends))
    bodies = tuple(body if b.name == name else b for b in r.bodies)
    home = dict(r.home.bodies)
    if name in home:
        T = home[name].matrix @ frame.matrix
        home[name] = gough.Frame(T[:3, 3].tolist(), T[:3, :3].tolist())
    return replace(r, bodies=bodies, joints=tuple(joints), home=replace(r.home, bodies=home))


def test_legs_that_differ_are_not_shared():
    with pytest.raises(InputError, match="no two of its legs are built alike"):
        gough.base_parameters(robot("five_bar"), share="legs")


def test_a_motion_excites_some_of_them():
    """A platform that only moves along one line, and back, at rest in between."""
    r = robot("five_bar")
    home = np.array(r.assembly.T_home[:2, 3])
    there = gough.motion.point_to_point(r, home, (home[0], home[1] + 0.05), duration=0.5)
    found = gough.base_parameters(r, motion=there)
    assert found.number == base("five_bar").number
    assert found.weak or found.unexcited
    still = gough.motion.point_to_point(r, home, home, duration=1.0)
    rest = gough.base_parameters(r, motion=still)
    # efforts at rest: gravity and offset of two motors are two numbers
    assert rest.excited == 0
    assert rest.condition == np.inf
    assert "foot1.viscous" in rest.unexcited
    assert "not excited" in str(rest)


def test_wrong_arguments_are_refused():
    r = robot("five_bar")
    with pytest.raises(InputError, match="share"):
        gough.base_parameters(r, share="bodies")
    with pytest.raises(InputError, match="no parameters of these kinds"):
        gough.base_parameters(r, parameters=["springs"])
    with pytest.raises(InputError, match="expected a gough Motion"):
        gough.base_parameters(r, motion="circle")


def test_sums_are_written_with_equal_coefficients_together():
    names = ["a", "b", "c", "d", "e"]
    assert grouping(0, np.array([1.0, 0.5, -0.5, 0.0, 2.0]), names) == "a + 0.5 (b - c) + 2 e"
    assert grouping(1, np.array([-1.0, 1.0, 0.25, 1.0, 0.25]), names) == "b - a + d + 0.25 (c + e)"


def test_columns_follow_from_those_preferred():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 30))
    W = np.stack([2.0 * a - b, a, 0.0 * a, b], axis=1)
    found = independent_columns(W, [1, 3, 0, 2], np.ones(4))
    assert found.columns == (1, 3)
    assert found.idle == (2,)
    assert found.matrix == pytest.approx(np.array([[2.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 1.0]]))


def test_a_column_is_as_distinct_as_the_sine_of_its_angle():
    angle = 0.1
    W = np.array([[1.0, 5.0 * np.cos(angle)], [0.0, 5.0 * np.sin(angle)]])
    assert distinct(W) == pytest.approx([np.sin(angle)] * 2)
    assert distinct(np.array([[1.0, 0.0], [1.0, 0.0]])) == pytest.approx([1.0, 0.0])
