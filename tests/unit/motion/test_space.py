"""States along a motion: what gough.state says of the same freedoms, and laws of SO(3)."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import motion
from gough.base import spatial, turns
from gough.motion.jets import Jet
from gough.motion.space import space_of
from robots import random_freedoms, robot

KINDS = {
    "delta": "straight",
    "three_rrr": "straight",
    "quattro": "straight",
    "gough_stewart": "turning",
    "agile_eye": "turning",
    "five_bar": "closing",
    "tilt_3rps": "closing",
}


def states_by_freedoms(r, x, xd, xdd):
    """States of the closed forms, from coordinates of the robot's own chart."""
    space = space_of(r)
    a = r.assembly
    T_ref = a.T_home.copy()
    if space.kind == "turning":  # displacements are then the chart's own rotation vectors
        T_ref[:3, :3] = a.chart.R_ref
        reference = space.point(None, "")._replace(T_0p=T_ref)
        offset = np.where(space.turns, 0.0, reference.x)
    else:
        reference = space.point(None, "")
        offset = reference.x
    return space.states(reference, Jet(x - offset, xd, xdd), np.zeros(len(x)))


@pytest.mark.parametrize("name", KINDS)
def test_states_are_those_of_gough_state(name):
    r = robot(name)
    assert space_of(r).kind == KINDS[name]
    freedoms = random_freedoms(name, 3, 0.12)
    for found, expected in zip(
        states_by_freedoms(r, *freedoms).arrays, gough.state(r, *freedoms).arrays, strict=True
    ):
        # rounding of a few matrix products; rates are of the order 1
        np.testing.assert_allclose(found, expected, atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize("name", ["three_rrr", "gough_stewart", "delta"])
def test_a_platform_drawn_upside_down_is_no_other_robot(name):
    frame = gough.Frame.from_rpy((0.0, 0.0, 0.0), (np.pi, 0.0, 0.0))
    r = replace(robot(name), platform_frame=frame)
    a = r.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    rng = np.random.default_rng(3)
    freedoms = (
        home + 0.05 * rng.uniform(-1, 1, (2, a.mobility)),
        *rng.normal(size=(2, 2, a.mobility)),
    )
    assert space_of(r).kind == KINDS[name]
    for found, expected in zip(
        states_by_freedoms(r, *freedoms).arrays, gough.state(r, *freedoms).arrays, strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.299, 0.301, 2.0, 3.9])
def test_many_rotations_at_once_are_those_one_by_one(size):
    rng = np.random.default_rng(1)
    w, wd, wdd = rng.normal(size=(3, 5, 3))
    w *= size / np.linalg.norm(w, axis=1, keepdims=True)
    omega, omegadot = turns.turning(Jet(w, wd, wdd))
    for k in range(5):
        J, Jdot = spatial.exp_rates(w[k]), spatial.exp_rates_dot(w[k], wd[k])
        np.testing.assert_allclose(turns.rotations(w)[k], spatial.rotation_exp(w[k]), atol=1e-14)
        np.testing.assert_allclose(omega[k], J @ wd[k], atol=1e-14, rtol=1e-14)
        np.testing.assert_allclose(turns.vector_rates(w)[k] @ J, np.eye(3), atol=4e-15)
        np.testing.assert_allclose(omegadot[k], J @ wdd[k] + Jdot @ wd[k], atol=1e-14, rtol=1e-13)


def test_a_stroke_turns_about_a_fixed_axis_and_goes_straight():
    r = robot("gough_stewart")
    home = r.assembly.chart.coordinates(r.home_pose)
    start = home + np.array([0.02, 0.0, 0.0, 0.1, -0.2, 0.1])
    end = home + np.array([-0.03, 0.02, 0.04, -0.3, 0.1, 0.2])
    s = motion.point_to_point(r, start, end, duration=0.7).sample(20.0)
    way = s.T_0p[-1, :3, 3] - s.T_0p[0, :3, 3]
    axis = spatial.rotation_log(s.T_0p[-1, :3, :3] @ s.T_0p[0, :3, :3].T)
    for vectors, along in ((s.V_0p[:, :3], way), (s.V_0p[:, 3:], axis), (s.Vdot_0p[:, 3:], axis)):
        assert np.abs(np.cross(vectors, along)).max() < 1e-14
    # with the same share of both
    share = (s.T_0p[:, :3, 3] - s.T_0p[0, :3, 3]) @ way / (way @ way)
    for T, part in zip(s.T_0p, share, strict=True):
        R = spatial.rotation_exp(part * axis) @ s.T_0p[0, :3, :3]
        np.testing.assert_allclose(T[:3, :3], R, atol=1e-14)


def curves_of(poses, times):
    r = robot("gough_stewart")
    return motion.through(r, poses, times)(np.linspace(0.0, times[-1], 7))


def test_curves_turn_with_the_base_and_with_the_platform_frame():
    """The spline does not know in which axes rotations were written down."""
    r = robot("gough_stewart")
    center = r.home_pose
    rng = np.random.default_rng(5)
    poses = [
        spatial.pose(spatial.rotation_exp(0.25 * rng.normal(size=3)), 0.02 * rng.normal(size=3))
        for _ in range(4)
    ]
    times = [0.0, 0.4, 0.5, 1.1]
    plain = curves_of([center @ T for T in poses], times)
    # another platform frame: rotated poses of the same origin
    Q = spatial.rotation_exp(np.array([0.3, -0.2, 0.25]))
    turned = curves_of([center @ T @ spatial.pose(Q, np.zeros(3)) for T in poses], times)
    np.testing.assert_allclose(turned.T_0p[:, :3, :3], plain.T_0p[:, :3, :3] @ Q, atol=1e-12)
    np.testing.assert_allclose(turned.V_0p, plain.V_0p, atol=1e-11)
    # another base: everything turned about home's place
    G = spatial.pose(Q, np.zeros(3))
    G[:3, 3] = center[:3, 3] - Q @ center[:3, 3]
    moved = curves_of([G @ center @ T for T in poses], times)
    np.testing.assert_allclose(moved.T_0p, G @ plain.T_0p, atol=1e-12)
    for found, expected in ((moved.V_0p, plain.V_0p), (moved.Vdot_0p, plain.Vdot_0p)):
        both = np.hstack([expected[:, :3] @ Q.T, expected[:, 3:] @ Q.T])
        np.testing.assert_allclose(found, both, atol=1e-10)


def test_rotation_vectors_are_continued_beyond_half_a_turn():
    axis = np.array([0.6, 0.0, 0.8])
    angles = np.linspace(-3.0, 3.8, 12)
    R = np.array([spatial.rotation_exp(a * axis) for a in angles])
    np.testing.assert_allclose(turns.vectors(R, np.eye(3)), angles[:, None] * axis, atol=1e-9)


def test_mean_of_two_is_half_way():
    w = np.array([0.4, -1.9, 0.8])
    R = np.array([np.eye(3), spatial.rotation_exp(w)])
    np.testing.assert_allclose(turns.mean(R), spatial.rotation_exp(w / 2.0), atol=1e-14)
