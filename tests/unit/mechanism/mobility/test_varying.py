"""Closure rows put together from what varies are the closure rows, whatever the posture."""

import numpy as np
import pytest

import gough
from gough.mechanism.closure.dense import natural_rows
from gough.mechanism.mobility.leading import leading_motors
from gough.mechanism.mobility.varying import row_pattern
from robots import robot


@pytest.mark.parametrize("name", gough.zoo.names())
def test_rows_are_put_together_again(name):
    a = robot(name).assembly
    pattern = row_pattern(a)
    assert len(pattern.places) < 0.6 * pattern.constant.size
    states = [solution.equations for solution in a.regular_solutions]
    expected = np.array([natural_rows(at, a.length) for at in states])
    entries = np.array([pattern.entries(at, a.length) for at in states])
    assert np.array_equal(pattern.rows(entries), expected)
    assert np.array_equal(pattern.rows(entries[0]), expected[0])


def test_leading_motors_hold_the_platform():
    """As many as freedoms, the one asked for among them, and independent."""
    a = robot("four_rrr").assembly
    J = np.asarray(a.solution(a.equations(a.T_home, a.home)).J_inv)
    for first in (None, 0, 1, 2, 3):
        found = leading_motors(a, first)
        assert len(found) == a.mobility
        assert first is None or first in found
        assert np.linalg.cond(a.scales.jacobian(J)[found]) < 100.0
    square = robot("delta").assembly
    assert leading_motors(square, 1) == [0, 1, 2]
