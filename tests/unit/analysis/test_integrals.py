"""Sums over time."""

import numpy as np

from gough.analysis.integrals import accumulated, largest, mean, rms


def test_a_parabola_is_integrated_exactly_at_uneven_steps():
    t = np.array([0.0, 0.1, 0.25, 0.7, 1.0])
    # the slope of a parabola is exact by second-order differences
    found = accumulated(t, np.stack([3.0 * t**2, t], axis=1))
    assert np.allclose(found, np.stack([t**3, t**2 / 2.0], axis=1), atol=1e-14)


def test_errors_fall_with_the_fourth_power_of_the_step():
    exact = np.linspace(0.0, 1.0, 200001)
    reference = np.trapezoid(np.exp(np.sin(5.0 * exact)), exact)
    errors = []
    for count in (41, 81):
        t = np.linspace(0.0, 2.0, count)
        errors.append(abs(accumulated(t, np.exp(np.sin(5.0 * t)))[count // 2] - reference))
    assert errors[1] < errors[0] / 6.0  # order 3 at the ends, 4 inside
    assert errors[1] < 1e-4


def test_two_samples_are_a_trapezoid():
    assert np.allclose(accumulated(np.array([0.0, 2.0]), np.array([1.0, 3.0])), [0.0, 4.0])


def test_what_is_no_number_is_left_out_of_means():
    t = np.linspace(0.0, 1.0, 5)
    values = np.array([2.0, 2.0, np.nan, -2.0, -2.0])
    assert mean(t, values) == 0.0
    assert rms(t, values) == 2.0
    assert largest(values) == 2.0
    assert np.isnan(largest(np.full(3, np.nan)))
    assert np.isnan(mean(t, np.full(5, np.nan)))
