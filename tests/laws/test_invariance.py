"""Nothing depends on how a machine is written down."""

import dataclasses
import itertools
from functools import cache

import numpy as np
import pytest

import gough
from cases import motion
from coupled import recoupled
from gough.base import spatial
from gough.mechanism.mobility.assembly import assemble
from robots import ALL_NAMES, relative, robot
from scaled import scaled

# two ways of writing one machine down differ by roundings only
TOLERANCE = 1e-10
COUNT = 2  # states: nothing here depends on how many


def _answers(r, T, V, Vdot):
    found = [
        gough.inverse_kinematics(r, T),
        gough.motor_rates(r, gough.State(T, V)),
        gough.motor_accelerations(r, gough.State(T, V, Vdot)),
    ]
    # a frozen spin of a body that is no body of revolution depends on how the machine is written
    regular = len(r.motors) == r.mobility and r.assembly.motors_control_platform
    if regular and not r.assembly.idle:
        found.append(gough.inverse_dynamics(r, gough.State(T, V, Vdot)))
    return tuple(found)


@cache
def _expected(name):
    """What the robot as it is written says of its motion."""
    return _answers(robot(name), *motion(name, COUNT).arrays)


def _assert_same(found, expected):
    for a, b in zip(found, expected, strict=True):
        assert relative(a, b) < TOLERANCE


@pytest.mark.parametrize("name", ALL_NAMES)
def test_names_and_order(name):
    """Legs, hub and loops are found from the graph: scrambled, names and order change nothing."""
    r = robot(name)
    rng = np.random.default_rng(5)
    some_bodies, some_joints = (
        [parts[i] for i in rng.permutation(len(parts))] for parts in (r.bodies, r.joints)
    )
    bodies = {r.base: "q", **{b.name: f"x{i}" for i, b in enumerate(reversed(r.bodies))}}
    joints = {j.name: f"y{i}" for i, j in enumerate(reversed(r.joints))}
    axes = {
        old: new
        for j in r.joints
        for old, new in zip(
            j.axis_names, dataclasses.replace(j, name=joints[j.name]).axis_names, strict=True
        )
    }
    renamed = dataclasses.replace(
        r,
        name="other",
        base="q",
        bodies=tuple(dataclasses.replace(b, name=bodies[b.name]) for b in some_bodies),
        joints=tuple(
            dataclasses.replace(
                j, name=joints[j.name], parent=bodies[j.parent], child=bodies[j.child]
            )
            for j in some_joints
        ),
        platform=bodies[r.platform],
        motors=tuple(axes[m] for m in r.motors),
        home=gough.Home({bodies[n]: f for n, f in r.home.bodies.items()}),
        couplings=recoupled(r, axes.get),
    )
    assert renamed.mobility == r.mobility
    assert renamed.assembly.over_constraint == r.assembly.over_constraint
    _assert_same(_answers(renamed, *motion(name, COUNT).arrays), _expected(name))


@pytest.mark.parametrize("name", ALL_NAMES)
def test_frame_of_the_platform(name):
    """Motors feel the body, not where its frame was drawn."""
    r = robot(name)
    T_pn = spatial.pose(spatial.rotation_exp([0.3, -0.5, 0.7]), [0.05, -0.02, 0.1])
    moved = dataclasses.replace(
        r, platform_frame=gough.Frame.from_matrix(r.platform_frame.matrix @ T_pn)
    )
    T, V, Vdot = motion(name, COUNT).arrays
    T_n = T @ T_pn
    d = T_n[:, :3, 3] - T[:, :3, 3]
    v, w, a, wd = V[:, :3], V[:, 3:], Vdot[:, :3], Vdot[:, 3:]
    V_n = np.hstack([v + np.cross(w, d), w])
    Vdot_n = np.hstack([a + np.cross(wd, d) + np.cross(w, np.cross(w, d)), wd])
    assert moved.mobility == r.mobility
    _assert_same(_answers(moved, T_n, V_n, Vdot_n), _expected(name))


@pytest.mark.parametrize("name", ALL_NAMES)
def test_units_of_length(name):
    """Twice the machine, twice the lengths, the same angles."""
    r, k = robot(name), 1000.0
    big = scaled(r, k)
    T, V, Vdot = (array.copy() for array in motion(name, COUNT).arrays)
    expected = [q.copy() for q in _expected(name)]
    T[:, :3, 3] *= k
    V[:, :3] *= k
    Vdot[:, :3] *= k
    slides = [r.assembly.axes[m].what == "slide" for m in r.motors]
    for q in expected[:3]:
        q[:, slides] *= k
    for tau in expected[3:]:
        tau *= np.where(slides, k, k * k)
    assert big.mobility == r.mobility
    _assert_same(_answers(big, T, V, Vdot), expected)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_choice_of_hub(name):
    """Counting further bodies with the hub changes the equations, not the answers."""
    r = robot(name)
    outside = [b.name for b in r.bodies if b.name not in r.assembly.topology.hub.bodies]
    for extra in itertools.islice(itertools.combinations(outside, 1), 0, len(outside), 8):
        other = dataclasses.replace(r)
        other.__dict__["assembly"] = assemble(other, extra)
        assert other.mobility == r.mobility
        assert set(extra) <= set(other.assembly.topology.hub.bodies)
        _assert_same(_answers(other, *motion(name, COUNT).arrays), _expected(name))


@pytest.mark.parametrize("name", ALL_NAMES)
def test_joints_the_other_way_round(name):
    """A scalar joint written from child to parent turns its coordinate's sign, and only that."""
    r = robot(name)
    kinds = ("revolute", "prismatic", "helical", "spherical", "cylindrical", "fixed")

    def turned(j):
        if j.kind not in kinds:
            return j
        return dataclasses.replace(
            j,
            parent=j.child,
            child=j.parent,
            parent_frame=j.child_frame,
            child_frame=j.parent_frame,
        )

    def sign(axis):
        return -1.0 if r.joint(axis.split(".")[0]).kind in kinds else 1.0

    values = {axis: sign(axis) * value for axis, value in r.home.joints.items()}
    home = dataclasses.replace(r.home, joints=values)
    joints, couplings = tuple(turned(j) for j in r.joints), recoupled(r, times=sign)
    back = dataclasses.replace(r, joints=joints, home=home, couplings=couplings)
    signs = np.array([sign(m) for m in r.motors])
    expected = [q * signs for q in _expected(name)]
    _assert_same(_answers(back, *motion(name, COUNT).arrays), expected)
