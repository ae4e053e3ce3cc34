"""Numbers that alike legs differ by: which become figures, and how they are written down."""

import numpy as np
import pytest

from gough.evaluation.exports.figures import Figures
from gough.geometry.closed_form.alike import alike_form, steps_without_numbers
from gough.geometry.closed_form.search import closed_form
from robots import robot


def symbols(figures):
    """A name for every figure, instead of a symbol."""
    rows, columns = figures.table.shape
    return np.array([[Name(f"{i}{k}") for k in range(columns)] for i in range(rows)], dtype=object)


class Name(str):
    """A word that can be negated."""

    __slots__ = ()

    def __neg__(self):
        return Name(f"-{self}")


def written(figures, arrays):
    """Arrays with figures, noted first."""
    figures.of(arrays, None)
    return [list(each) for each in figures.of(arrays, symbols(figures))]


def test_what_legs_have_in_common_is_no_figure():
    figures = Figures(2)
    assert written(figures, [[0.0, 1.0, 0.3], [0.0, 1.0, 0.3]]) == [[0.0, 1.0, 0.3]] * 2
    assert figures.table.shape == (2, 0)


def test_figures_and_their_signs():
    figures = Figures(2)
    found = written(figures, [[0.5, 1.0, -0.5, 0.0], [0.7, 1.0, -0.7, 0.2]])
    assert found == [["00", 1.0, "-00", "01"], ["10", 1.0, "-10", "11"]]
    assert figures.table.tolist() == [[0.5, 0.0], [0.7, 0.2]]


def test_rounding_makes_no_figure():
    """Of 1e-16 beside 1; but what is as small in an array of its own is one."""
    figures = Figures(2)
    assert written(figures, [[0.0, 1.0], [1e-16, 1.0]]) == [[0.0, 1.0]] * 2
    assert written(figures, [[1e-16], [3e-16]]) == [["00"], ["10"]]


@pytest.mark.parametrize("name", ["hexapod_6rus", "hexapod_6pus", "orthoglide", "agile_eye"])
def test_legs_are_led_the_same_way(name):
    """As found, their steps differ where rounding decides between equal ones."""
    assembly = robot(name).assembly
    form = closed_form(assembly)
    alike = alike_form(assembly, form)
    legs = range(len(assembly.topology.legs))
    assert len({steps_without_numbers(alike, i) for i in legs}) == 1
    for T_0p, known in assembly.regular_samples:
        found, _ = alike.evaluate(T_0p)
        for tree, own in zip(found.trees, known.trees, strict=True):
            for at, expected in zip(tree, own, strict=True):
                # samples are closed to 1e-15; a root near its branch doubles the digits lost
                np.testing.assert_allclose(at, expected, rtol=0.0, atol=1e-8)


def test_legs_at_a_nacelle_stay_as_they_are():
    assembly = robot("quattro").assembly
    form = closed_form(assembly)
    assert alike_form(assembly, form) is form
