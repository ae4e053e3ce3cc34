"""Symbols: what folds as it is written, and derivatives against finite differences."""

import copy
import pickle

import numpy as np
import pytest

from gough.compiler.tracing.count import count
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.symbols import Graph
from gough.compiler.tracing.tracer import trace
from gough.errors import TraceError


@pytest.fixture
def two():
    graph = Graph()
    return graph.input(0, 0), graph.input(0, 1)


def test_numbers_that_change_nothing_leave_no_trace(two):
    x, y = two
    assert x + 0.0 is x
    assert 0.0 + x is x
    assert x - 0.0 is x
    assert x * 1.0 is x
    assert x / 1.0 is x
    assert x * 0.0 == 0.0
    assert 0.0 / x == 0.0
    assert x - x == 0.0
    assert x / x == 1.0
    assert -(0.0 - x) is x
    assert abs(abs(x)) is abs(x)
    assert (np.array([0.0, 1.0]) * x).tolist()[0] == 0.0
    assert (np.float64(1.0) * x) is x
    assert y is two[1]


def test_what_is_written_twice_is_there_once(two):
    x, y = two
    assert x * y is y * x
    assert x + y is y + x
    assert -(x - y) is y - x
    assert (-x) * y is -(x * y)
    assert x * (-y) is -(y * x)
    assert (-x) / y is -(x / y)
    assert x + (-y) is x - y
    assert (-x) + y is y - x
    assert (-x) - y is -(x + y)
    assert (x * 2.0) * 0.5 is x
    assert (x * 2.0) * 3.0 is x * 6.0
    assert x / 4.0 is x * 0.25
    assert np.sin(x) is np.sin(x)


def test_the_sign_of_zero_is_kept():
    program = trace(
        "zeros", lambda x: {"y": np.stack([x[0] * 0.0 - 0.0, -0.0 + x[0] * 0.0])}, {"x": (1,)}
    )
    assert run(program, {"x": [1.0]})["y"].tolist() == [0.0, 0.0]
    program = trace("poles", lambda x: {"y": np.minimum(x[0], -0.0)}, {"x": (1,)})
    assert np.signbit(run(program, {"x": [1.0]})["y"])


def _smooth(x, p):
    s, c = np.sin(x[0]), np.cos(x[1])
    return {
        "a": np.stack([s * c / (2.0 + x[2]), -x[0] - x[1] * x[1], np.sqrt(x[2] + 3.0)]),
        "b": np.outer(x, x) @ p + np.arctan2(x[0], x[1] + 3.0) + np.tan(x[2] / 3.0),
        "c": np.exp(x[0]) * np.log(x[1] + 3.0) + np.arcsin(x[2] / 5.0) - np.arccos(x[0] / 5.0),
        "d": np.stack([np.abs(x[0]), np.maximum(x[0], x[1]), np.minimum(x[1], x[2])]),
        "e": np.stack([np.arctan(x[0]), np.copysign(x[1], x[0]), np.sign(x[0]), x[0] > x[1]]),
        "constant": np.ones(2),
        "doubt": x[:2] * x[:2],
    }


@pytest.mark.parametrize("wrt", [("x",), ("p",), ("x", "p")])
def test_derivatives_are_those_of_finite_differences(wrt):
    """Three inputs of many outputs are followed forwards, other shapes backwards: both agree."""
    shapes = {"x": (3,), "p": (3,)}
    program = trace("smooth", _smooth, shapes, wrt)
    at = {"x": np.array([0.7, -0.4, 1.3]), "p": np.array([0.2, -1.0, 0.5])}
    found, h = run(program, at), 1e-6
    for name in wrt:
        slopes = []
        for k in range(3):
            step = (
                {**at, name: at[name] + h * np.eye(3)[k]},
                {**at, name: at[name] - h * np.eye(3)[k]},
            )
            high, low = (run(program, each) for each in step)
            slopes.append({key: (high[key] - low[key]) / (2.0 * h) for key in "abcde"})
        for key in "abcde":
            expected = np.stack([slope[key] for slope in slopes], axis=-1)
            np.testing.assert_allclose(found[f"d_{key}_d_{name}"], expected, atol=1e-8)
    assert not any("doubt" in port.name for port in program.outputs if port.name != "doubt")


def test_a_gradient_is_followed_backwards():
    """One result of many inputs: a gradient takes about as long as the result, however many."""
    program = trace("sum", lambda x: {"y": np.sqrt(x @ x)}, {"x": (50,)}, ("x",))
    x = np.random.default_rng(0).normal(size=50)
    found = run(program, {"x": x})
    np.testing.assert_allclose(found["d_y_d_x"], x / np.linalg.norm(x), rtol=1e-14)
    assert count(program).mul < 5 * 50


def test_vanishing_inputs_are_gone_once_derivatives_are_taken():
    def function(x, e):
        return {"y": x * (1.0 + e[0]) + np.cos(e[0]) + np.maximum(e[0], -1.0)}

    program = trace("small", function, {"x": (2,), "e": (1,)}, ("e",), ("e",))
    assert [port.name for port in program.inputs] == ["x"]
    found = run(program, {"x": [2.0, 3.0]})
    np.testing.assert_allclose(found["y"], [3.0, 4.0])
    np.testing.assert_allclose(found["d_y_d_e"], [[3.0], [4.0]])
    assert count(program).functions == 0  # what became constant has folded


def test_a_division_by_a_constant_zero_is_refused():
    with pytest.raises(TraceError, match="ZeroDivisionError"):
        trace("bad", lambda x: {"y": x / 0.0}, {"x": (1,)})


def test_what_is_not_real_stays_not_a_number():
    program = trace("root", lambda x: {"y": np.sqrt(x[0]) * np.sqrt(x[0])}, {"x": (1,)})
    assert np.isnan(run(program, {"x": [-1.0]})["y"])


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int8, np.int64, np.uint8, bool, int])
def test_scalars_of_any_kind_are_exact(kind):
    three = kind(3)
    value = float(three)

    def function(x):
        return {"y": np.stack([x[0] / three, (x[0] * 0.1) * three, three - x[0], x[0] + three])}

    found = run(trace("kinds", function, {"x": (1,)}), {"x": [0.3]})["y"]
    expected = [0.3 / value, 0.3 * 0.1 * value, value - 0.3, 0.3 + value]
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_smallest_integers_do_not_overflow():
    program = trace("least", lambda x: {"y": x[0] * np.int8(-128) / x[0]}, {"x": (1,)})
    assert run(program, {"x": [2.0]})["y"] == -128.0


def test_numpy_as_people_write_it():
    def function(x):
        total = np.zeros(2, dtype=object) + x[:2]
        total *= x[2]
        total += x[:2]
        point = x[0] * np.array(2.0) + np.asarray(x[1])
        powers = x[0] ** np.int64(2) + np.power(x[1], 2.0)
        compared = (np.float64(1.0) > x[0]) * 2.0 + (np.float64(0.5) <= x[1]) * 4.0
        return {"y": np.stack([*total, point, powers, +x[2], compared, np.linalg.norm(x)])}

    x = np.array([0.3, 0.7, 2.0])
    found = run(trace("people", function, {"x": (3,)}), {"x": x})["y"]
    expected = [0.9, 2.1, 0.6 + 0.7, 0.09 + 0.49, 2.0, 6.0, np.linalg.norm(x)]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_copies_belong_to_the_same_program():
    program = trace("copies", lambda x: {"y": copy.deepcopy(x)[0] - copy.copy(x[0])}, {"x": (1,)})
    assert run(program, {"x": [3.0]})["y"] == 0.0
    with pytest.raises(TraceError, match="has no copy"):
        trace("pickled", lambda x: {"y": pickle.loads(pickle.dumps(x))}, {"x": (1,)})


def test_symbols_of_two_programs_are_not_mixed():
    kept = []
    trace("one", lambda x: (kept.append(x[0] * 2.0), {"y": x})[1], {"x": (2,)})
    for function in (lambda x: {"y": x[1] + kept[0]}, lambda x: {"y": kept[0]}):
        with pytest.raises(TraceError, match="two programs are mixed"):
            trace("other", function, {"x": (2,)})
