"""SE(3) helpers: laws over random arguments."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gough.base import spatial

VECTOR = arrays(float, 3, elements=st.floats(-1.7, 1.7))
SMALL = arrays(float, 3, elements=st.floats(-1e-3, 1e-3))


@given(VECTOR | SMALL)
def test_log_inverts_exp(w):
    R = spatial.rotation_exp(w)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    back = spatial.rotation_log(R)
    if np.linalg.norm(w) < np.pi - 1e-6:
        np.testing.assert_allclose(back, w, atol=1e-8)
    np.testing.assert_allclose(spatial.rotation_exp(back), R, atol=1e-14)


@given(VECTOR)
def test_half_turns_have_a_log(w):
    n = np.linalg.norm(w)
    if n > 1e-3:
        R = spatial.rotation_exp(w / n * np.pi)
        np.testing.assert_allclose(spatial.rotation_exp(spatial.rotation_log(R)), R, atol=1e-12)


@given(VECTOR | SMALL, VECTOR)
def test_rates_of_the_rotation_vector(w, wd):
    """Omega = J wd, against a central difference; and the derivative of J."""
    h = 1e-5
    R, ahead, behind = (spatial.rotation_exp(w + t * wd) for t in (0.0, h, -h))
    omega = spatial.unskew((ahead - behind) / (2.0 * h) @ R.T)
    np.testing.assert_allclose(spatial.exp_rates(w) @ wd, omega, atol=1e-8)
    slope = (spatial.exp_rates(w + h * wd) - spatial.exp_rates(w - h * wd)) / (2.0 * h)
    np.testing.assert_allclose(spatial.exp_rates_dot(w, wd), slope, atol=1e-8)


@given(VECTOR | SMALL, VECTOR, VECTOR)
def test_second_derivative_of_the_rates_of_the_rotation_vector(w, wd, wdd):
    """Against a central difference, whose truncation is h^2 times a fourth derivative below 1e2."""
    h = 1e-5
    ahead, behind = (
        spatial.exp_rates_dot(w + wd * t + wdd * t * t / 2.0, wd + wdd * t) for t in (h, -h)
    )
    slope = (ahead - behind) / (2.0 * h)
    np.testing.assert_allclose(spatial.exp_rates_ddot(w, wd, wdd), slope, atol=1e-7)


def test_series_and_closed_forms_meet():
    """Where the rates change from one to the other, both are exact to rounding."""
    w = np.array([0.8, -0.6, 1.0])
    for function in (
        spatial.exp_rates,
        lambda w: spatial.exp_rates_dot(w, w),
        lambda w: spatial.exp_rates_ddot(w, w, w),
    ):
        below, above = (function(w * (1.0 + e)) for e in (-1e-13, 1e-13))
        np.testing.assert_allclose(below, above, atol=1e-11)


@given(SMALL)
def test_cayley_is_a_rotation_that_agrees_to_second_order(w):
    R = spatial.cayley(w)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    assert np.abs(R - spatial.rotation_exp(w)).max() < np.linalg.norm(w) ** 3 + 1e-15


@given(VECTOR, VECTOR)
def test_cross_and_skew(a, b):
    np.testing.assert_allclose(spatial.cross(a, b), np.cross(a, b), atol=1e-14)
    np.testing.assert_allclose(spatial.skew(a) @ b, np.cross(a, b), atol=1e-14)
    np.testing.assert_allclose(spatial.unskew(spatial.skew(a)), a, atol=1e-14)
