"""Equations of smoothing splines: each level is what the data say, and time grows with the data."""

import sys

import numpy as np
import pytest
from scipy.interpolate import BSpline

from gough import motion
from gough.base import spatial, turns
from gough.motion import penalised
from gough.motion.penalised import DEGREE, Fits
from robots import robot


def data(count, seed=3):
    """Uneven times in units of their usual distance, and two columns."""
    rng = np.random.default_rng(seed)
    u = np.cumsum(rng.uniform(0.7, 1.3, count))
    u -= u[0]
    y = np.stack([np.sin(0.05 * u), np.cos(0.03 * u)], axis=1)
    return u, y + 0.01 * rng.normal(size=y.shape)


def dense(bands):
    """A symmetric matrix from its bands."""
    size = bands.shape[1]
    found = np.diag(bands[DEGREE])
    for k in range(1, min(DEGREE + 1, size)):
        upper = np.diag(bands[DEGREE - k, k:], k)
        found += upper + upper.T
    return found


@pytest.mark.parametrize("even", [True, False])
def test_levels_are_what_the_data_say(even):
    u, y = data(150)
    u = np.arange(150.0) if even else u
    fits = Fits(u, [y])
    for doublings in (0, 1, 3, 6):
        solved = fits.solve(0, 0.3 / 2.0**doublings, doublings)
        level = fits._levels[doublings]
        assert np.diff(level.sites)[:-1].min() > 0.99 * 2.0**doublings * (doublings > 0)
        B = BSpline.design_matrix(u, level.knots, DEGREE).toarray()
        np.testing.assert_allclose(dense(level.normal), B.T @ B, atol=1e-11 * len(u))
        assert np.abs(level.right[:, :2] - B.T @ (y - y.mean(axis=0))).max() < 1e-9
        # roughness, of splines that are tried on a dense grid
        c = np.random.default_rng(1).normal(size=B.shape[1])
        fine = np.linspace(u[0], u[-1], 200_001)
        third = BSpline(level.knots, c, DEGREE).derivative(3)(fine)
        assert c @ dense(level.penalty) @ c == pytest.approx(np.trapezoid(third**2, fine), rel=1e-3)
        left = ((BSpline(level.knots, solved.coefficients, DEGREE)(u) - y) ** 2).sum()
        assert solved.left == pytest.approx(left, rel=1e-9)


def test_what_is_left_is_the_same_from_coefficients(monkeypatch):
    u, y = data(700)
    near = [Fits(u, [y]).solve(0, c, k) for c, k in ((0.3, 0), (0.02, 4))]
    monkeypatch.setattr(penalised, "_MANY", 0)
    far = [Fits(u, [y]).solve(0, c, k) for c, k in ((0.3, 0), (0.02, 4))]
    for one, other in zip(near, far, strict=True):
        assert other.left == pytest.approx(one.left, rel=1e-8)


def test_few_probes_of_many_data_find_the_trace():
    u, y = data(4000)
    level = 4
    fits = Fits(u, [y])
    cut_off = 0.02
    edf = fits.solve(0, cut_off, level).edf
    found = fits._levels[level]
    bands = found.normal + fits.rate / cut_off**6 * found.penalty
    exact = np.trace(np.linalg.solve(dense(bands), dense(found.normal)))
    # the scatter of seven probes
    assert abs(edf - exact) < 4.0 * np.sqrt(2.0 * exact / 7.0)


def test_rotation_vectors_of_many_are_those_of_one():
    rng = np.random.default_rng(5)
    w = rng.normal(size=(300, 3))
    w *= (rng.uniform(0.0, np.pi, 300) / np.linalg.norm(w, axis=1))[:, None]
    w[:3] = [[0.0, 0.0, 0.0], [1e-9, 0.0, 0.0], [0.0, np.pi - 1e-7, 0.0]]
    R = np.array([spatial.rotation_exp(each) for each in w])
    expected = np.array([spatial.rotation_log(each) for each in R])
    np.testing.assert_allclose(turns.logs(R), expected, atol=1e-12)


def test_rotations_go_on_past_half_a_turn_and_back():
    angle = 2.0 * np.sin(np.linspace(0.0, 6.0, 200)) + 1.5
    axis = np.array([0.6, 0.0, 0.8])
    R = np.array([spatial.rotation_exp(axis * each) for each in angle])
    assert angle.max() > np.pi + 0.2
    np.testing.assert_allclose(turns.vectors(R, np.eye(3)), np.outer(angle, axis), atol=1e-9)


@pytest.mark.parametrize("name", ["delta", "gough_stewart", "quattro"])
def test_the_number_of_steps_does_not_grow_with_the_samples(name):
    """No line of Python is run for each sample; what runs inside NumPy and SciPy is linear."""
    r = robot(name)
    path = motion.lissajous(
        r, amplitude={r.freedoms[0]: 0.02}, frequency=1.0, duration=4.0, ramp=0.5
    )

    def lines(count):
        t = np.linspace(0.0, 4.0, count)
        poses = path(t).T_0p
        seen = 0

        def counting(*_):
            nonlocal seen
            seen += 1
            return counting

        sys.settrace(counting)
        try:
            motion.from_samples(r, t, poses)
        finally:
            sys.settrace(None)
        return seen

    lines(500)  # what is found once about a robot
    few, many = lines(4000), lines(32_000)
    # three levels more; a loop over samples would run at least four lines for each of 28 000
    assert many < few + 90_000
