"""Dual numbers: every operation carries its derivative along."""

import numpy as np
import pytest

from gough.base.dual import Dual, moving, slopes

X, XD = 0.7, -1.3
# rounding of a few operations on numbers about 1
SAME = 1e-14

OPERATIONS = {
    "sum": (lambda x: x + 2.0, lambda x: 1.0),
    "sum from the left": (lambda x: np.float64(2.0) + x, lambda x: 1.0),
    "difference": (lambda x: x - 2.0, lambda x: 1.0),
    "difference from the left": (lambda x: 2.0 - x, lambda x: -1.0),
    "product": (lambda x: x * x * 3.0, lambda x: 6.0 * x),
    "product from the left": (lambda x: np.float64(3.0) * x, lambda x: 3.0),
    "quotient": (lambda x: x / (1.0 + x), lambda x: 1.0 / (1.0 + x) ** 2),
    "quotient by a number": (lambda x: x / 4.0, lambda x: 0.25),
    "reciprocal": (lambda x: 2.0 / x, lambda x: -2.0 / x**2),
    "negative": (lambda x: -x, lambda x: -1.0),
    "square root": (np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "sine": (np.sin, np.cos),
    "cosine": (np.cos, lambda x: -np.sin(x)),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(name):
    function, derivative = OPERATIONS[name]
    for found in (function(Dual(X, XD)), function(moving(np.array([X]), np.array([XD])))[0]):
        assert abs(found.value - function(X)) < SAME
        assert abs(found.slope - derivative(X) * XD) < SAME


def test_arrays_run_through_the_lines_of_numpy():
    rng = np.random.default_rng(0)
    A, Ad, b, bd = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), *rng.normal(size=(2, 2))
    product = moving(A, Ad) @ moving(b, bd)
    np.testing.assert_allclose(slopes(product), Ad @ b + A @ bd, atol=SAME)
    np.testing.assert_allclose(slopes(A @ moving(b, bd)), A @ bd, atol=SAME)
    np.testing.assert_allclose(slopes(Dual(2.0, 3.0) * b), 3.0 * b, atol=SAME)


def test_numbers_have_no_slope():
    assert slopes(np.ones((2, 3))).tolist() == [[0.0] * 3] * 2
    assert slopes(Dual(1.0, 2.0)) == 2.0
    assert repr(Dual(1.0, 2.0)) == "Dual(1.0, 2.0)"
