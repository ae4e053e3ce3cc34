"""Poses as matrices that pass half a turn: the motion goes on, and does not turn back."""

import numpy as np
import pytest

from gough import motion
from gough.base import spatial
from gough.base.tables import write_table
from gough.motion.continued import continued, whole_turns
from machines import pendulum
from swinging import simple_pendulum


def about_y(angles):
    T = np.tile(np.eye(4), (len(angles), 1, 1))
    for k, angle in enumerate(angles):
        T[k, :3, :3] = spatial.rotation_exp(np.array([0.0, angle, 0.0]))
    return T


@pytest.fixture(scope="module")
def swing():
    return simple_pendulum()


def fastest(m):
    return np.abs(m.sample(rate=200.0).V_0p[:, 4]).max()


def test_strokes_and_curves_pass_half_a_turn(swing):
    first, last = about_y([2.6, 3.6])
    # largest speed of a quintic: 15 / 8 of the mean
    assert np.isclose(fastest(motion.point_to_point(swing, first, last, duration=1.0)), 1.875)
    back = motion.jerk_limited(swing, last, first, velocity=0.5, acceleration=10.0, jerk=100.0)
    assert back.duration < 3.0  # a radian at half a radian a second, not five
    m = motion.through(swing, about_y(np.linspace(2.6, 3.6, 5)), np.linspace(0.0, 1.0, 5))
    assert fastest(m) < 2.0
    assert np.allclose(m(1.0).T_0p, last, atol=1e-12)


def test_freedoms_stay_what_they_say(swing):
    m = motion.point_to_point(swing, [3.0], [-3.0], duration=1.0)
    assert np.isclose(fastest(m), 6.0 * 1.875)
    # after a turn that was asked for, a matrix counts from there
    m = motion.through(swing, [[0.0], [6.0], about_y([0.2])[0]], [0.0, 1.0, 2.0])
    middle = m(np.linspace(1.0, 2.0, 200)).V_0p[:, 4]
    assert np.isclose(middle.mean(), 2.0 * np.pi + 0.2 - 6.0, atol=0.02)


def test_an_axis_that_is_no_axis_of_the_base_is_passed_too():
    machine = pendulum()
    poses = motion.point_to_point(machine, [2.8], [3.3], duration=1.0)(np.array([0.0, 0.5, 1.0]))
    m = motion.through(machine, poses.T_0p, [0.0, 0.5, 1.0])
    assert np.linalg.norm(m.sample(rate=50.0).V_0p[:, 3:], axis=1).max() < 1.5


@pytest.mark.parametrize("noise", [0.0, 2e-3])
def test_samples_and_files_over_two_turns(swing, noise, tmp_path):
    t = np.linspace(0.0, 2.0, 201)
    rng = np.random.default_rng(0)
    T = about_y(2.0 * np.pi * t)
    for pose, w in zip(T, noise * rng.normal(size=(201, 3)), strict=True):
        pose[:3, :3] = spatial.rotation_exp(w) @ pose[:3, :3]  # off the axis as well
    m = motion.from_samples(swing, t, T, smoothing="auto" if noise else 0.0)
    speed = m(np.linspace(0.2, 1.8, 100)).V_0p[:, 4]
    assert np.allclose(speed, 2.0 * np.pi, atol=30.0 * noise + 1e-8)
    if not noise:
        half = np.pi * t
        columns = {name: np.zeros(201) for name in ("x", "y", "z", "qx", "qz")}
        columns |= {"t": t, "qw": np.cos(half), "qy": np.sin(half)}
        write_table(tmp_path / "turns.csv", columns)
        assert np.isclose(fastest(motion.from_file(swing, tmp_path / "turns.csv")), 2.0 * np.pi)


def test_rotation_vectors_without_a_common_axis_go_on_along_their_own():
    a, b = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.6, 0.8])
    w = np.array([3.0 * a, (3.4 - 2.0 * np.pi) * b])  # the second: 3.4 rad about b
    found = continued(w, whole_turns(w), np.array([False, False]))
    assert np.allclose(found, [3.0 * a, 3.4 * b])
