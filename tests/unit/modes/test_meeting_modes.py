"""Where modes meet, and where there is a whole motion: neither lost nor told as many modes."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.errors import InputError, SingularPose
from robots import robot


def ring(radius, degrees):
    a = np.radians(degrees)
    return radius * np.column_stack([np.cos(a), np.sin(a), np.zeros(len(a))])


BASE = ring(3.0, [-2.5, 2.5, 117.5, 122.5, 237.5, 242.5])
TOP = ring(1.0, [-50.0, 50.0, 70.0, 170.0, 190.0, 290.0])


@pytest.fixture(scope="module")
def hexapod():
    """GS-REF's geometry."""
    return gough.build.hexapod(BASE, TOP)


@pytest.mark.parametrize("short_of", [1e-3, 1e-5, 1e-8, 0.0])
def test_fichters_pose(hexapod, short_of):
    """Level, centred, turned by 90 degrees: two modes meet, above the base and below it."""
    a = np.pi / 2.0 - short_of
    T = np.eye(4)
    T[:2, :2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    T[2, 3] = 2.1
    lengths = np.linalg.norm(T[:3, 3] + TOP @ T[:3, :3].T - BASE, axis=1)
    modes = gough.forward_kinematics(hexapod, lengths)
    assert modes.lost == 0
    assert len(modes) == (4 if short_of > 1e-7 else 2)
    # a double root is known to the root of the rounding
    assert np.abs(modes.poses - T).max(axis=(1, 2)).min() < max(1e-6, 1e-14 / (short_of + 1e-16))
    assert max(mode.smallest for mode in modes) < 0.5 * short_of + 1e-7
    tips = modes.poses[:, None, :3, 3] + np.einsum("kij,lj->kli", modes.poses[:, :3, :3], TOP)
    np.testing.assert_allclose(np.linalg.norm(tips - BASE, axis=2), [lengths] * len(modes), 1e-12)


def equal_triangles():
    """Every leg a parallelogram with every other: the platform goes round in a circle."""
    points = ring(0.5, [210.0, 330.0, 90.0])[:, :2]
    return gough.build.three_rrr(points, points, 0.3, 0.4), [1.0, 1.0, 1.0]


def equal_hexapod():
    """Base and platform the same, legs as well: any direction of the legs will do."""
    points = np.random.default_rng(0).normal(size=(6, 3))
    return gough.build.hexapod(points, points), [2.0] * 6


def arms_in_line():
    """Two arms of a Delta whose spheres coincide."""
    r = robot("delta")
    angle = np.arccos(-0.55)
    return r, [-0.4, angle, angle]


@pytest.mark.parametrize("make", [equal_triangles, equal_hexapod, arms_in_line])
def test_whole_motions_are_refused(make):
    r, q = make()
    with pytest.raises(SingularPose, match=r"can still translate along .* a whole motion"):
        gough.forward_kinematics(r, q)


def test_beside_a_whole_motion_there_are_two():
    r, (a, b, c) = arms_in_line()
    assert len(gough.forward_kinematics(r, [a, b + 1e-8, c])) == 2


@pytest.mark.parametrize("name", ["three_rrr", "h4", "tilt_3rps"])
def test_machines_far_from_the_origin(name):
    """The same machine, its base 90 m away."""
    r = robot(name)
    away = np.eye(4)
    away[:3, 3] = [70.0, -50.0, 30.0]
    q = gough.inverse_kinematics(r, r.home_pose)
    there = gough.forward_kinematics(_moved(r, away), q)
    here = gough.forward_kinematics(r, q)
    assert not there.is_search
    assert len(here) == len(there)
    # poses as far from home as others may change places
    apart = np.abs(there.poses[:, None] - away @ here.poses).max(axis=(2, 3))
    assert apart.min(axis=0).max() < 1e-9


def _moved(r, away):
    def placed(joint):
        if r.base not in (joint.parent, joint.child):
            return joint
        side = "parent_frame" if joint.parent == r.base else "child_frame"
        return replace(joint, **{side: gough.Frame.from_matrix(away @ getattr(joint, side).matrix)})

    home = {n: gough.Frame.from_matrix(away @ f.matrix) for n, f in r.home.bodies.items()}
    return replace(
        r, joints=tuple(placed(j) for j in r.joints), home=gough.Home(home, r.home.joints)
    )


def test_positions_of_which_rounding_leaves_nothing():
    with pytest.raises(InputError, match="too large"):
        gough.forward_kinematics(robot("gough_stewart"), [1e200] * 6)
