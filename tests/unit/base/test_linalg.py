"""Elimination by plan: solves what it should and finds what is redundant."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gough.base.linalg import Factor, Plan, choose_plan, minimum_norm


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 4))
def test_redundant_but_consistent_systems(seed, n, extra):
    rng = np.random.default_rng(seed)
    square = rng.normal(size=(n, n)) + 3.0 * np.eye(n)
    mix = rng.normal(size=(extra, n))
    A = np.vstack([square, mix @ square])[rng.permutation(n + extra)]
    x = rng.normal(size=n)
    factor = Factor(A, choose_plan([A], n))
    np.testing.assert_allclose(factor.solve(A @ x), x, atol=1e-9)
    X = rng.normal(size=(n, 3))
    np.testing.assert_allclose(np.stack(factor.solve(A @ X)), X, atol=1e-9)
    np.testing.assert_allclose(factor.remainder(x, A @ x), 0.0, atol=1e-9)
    y = np.array(factor.solve_transposed(x), dtype=float)
    np.testing.assert_allclose(A.T @ y, x, atol=1e-8)
    assert len(factor.left_over) == extra
    assert not y[list(factor.left_over)].any()


def test_an_inconsistent_row_is_told():
    A = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 2.0]])
    factor = Factor(A, Plan((0, 1), (0, 1)))
    x = factor.solve([1.0, 2.0, 5.0])
    assert factor.remainder(x, [1.0, 2.0, 5.0]) == [pytest.approx(-2.0)]


def test_pivots_are_good_in_every_sample_and_sparse():
    first = np.array([[1.0, 1.0], [1e-9, 1.0]])
    second = np.array([[1e-9, 1.0], [1.0, 1.0]])
    plan = choose_plan([first, second], 2)
    for sample in (first, second):
        assert min(abs(p) for p in Factor(sample, plan).pivots) > 0.5
    arrow = np.eye(5) * 4.0
    arrow[0, :] = arrow[:, 0] = 1.0
    plan = choose_plan([arrow], 5)
    assert 0 not in plan.rows[:3]  # the full row is kept for last: no fill


@given(st.integers(0, 10_000), st.integers(0, 6), st.integers(0, 4), st.floats(0.0, 5.0))
def test_smallest_solution(seed, n, extra, decades):
    """The pseudo-inverse, also of rows that are nearly dependent."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n + extra))
    A = np.diag(np.logspace(0.0, -decades, n)) @ A if n else A
    if n > 1:
        A[1] = A[0] + 10.0**-decades * A[1]
    b = A @ rng.normal(size=n + extra)
    x = minimum_norm(A, b)
    expected = np.linalg.pinv(A, rcond=1e-15) @ b if n else np.zeros(extra)
    assert np.abs(A @ x - b).max(initial=0.0) < 1e-12 * (1.0 + np.abs(b).max(initial=0.0))
    scale = np.linalg.cond(A) if n else 1.0
    assert np.abs(x - expected).max(initial=0.0) < 1e-13 * scale * (
        1.0 + np.abs(expected).max(initial=0.0)
    )
