"""Programs: extraction, running, counting, and errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gough.compiler.tracing.count import count
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Program
from gough.compiler.tracing.tracer import trace
from gough.errors import InputError, TraceError

FINITE = st.floats(-5.0, 5.0)


def _everything(a, b):
    s = a[0]
    return {
        "arithmetic": np.stack(
            [a[0] + b[0, 1], a[1] - 2.0, -a[2], a[0] * a[1], a[0] / (2.0 + b[0, 0] ** 2)]
        ),
        "roots": np.sqrt(a * a + 1.0),
        "functions": np.stack(
            [np.sin(s), np.cos(s), np.tan(s / 4), np.arctan2(s, 2.0), np.exp(s), np.arctan(s)]
        ),
        "inverse": np.stack([np.arcsin(s / 10), np.arccos(s / 10), np.log(s + 10.0)]),
        "choice": np.stack(
            [np.abs(s), np.sign(s), np.maximum(s, 0.5), np.minimum(s, 0.5), np.copysign(2.0, s)]
        ),
        "comparison": np.stack([(s > 0.5) * 2.0, (a[1] <= s) * a[2], (0.25 < a[0]) * 1.0]),
        "matrix": b.T @ b + np.eye(2),
        "powers": np.array([s**2, s**3, (s * s + 1.0) ** 0.5, np.square(s), s**1]),
        "outer": np.outer(a, a) - np.eye(3) * s + np.full((3, 3), 2.0) / (s * s + 1.0),
        "constant": np.ones((2, 3)),
        "scalar": a @ a,
    }


PROGRAM = trace("everything", _everything, {"a": (3,), "b": (2, 2)})


@given(arrays(float, (4, 3), elements=FINITE), arrays(float, (4, 2, 2), elements=FINITE))
def test_a_program_computes_what_the_function_does(a, b):
    found = run(PROGRAM, {"a": a, "b": b})
    for i in range(4):
        for key, expected in _everything(a[i], b[i]).items():
            np.testing.assert_allclose(found[key][i], expected, rtol=1e-13, atol=1e-13)


def test_shapes_and_batches():
    a, b = np.ones((5, 1, 3)), np.ones((2, 2, 2))
    found = run(PROGRAM, {"a": a, "b": b})
    assert found["matrix"].shape == (5, 2, 2, 2)
    assert found["scalar"].shape == (5, 2)
    assert found["constant"].shape == (5, 2, 2, 3)
    assert run(PROGRAM, {"a": np.ones((0, 3)), "b": np.ones((2, 2))})["scalar"].shape == (0,)


def test_counting_is_by_hand():
    program = trace(
        "count",
        lambda x: {"y": (x[0] + x[1]) * x[2] - x[0] / x[1] + np.sqrt(x[2]) * np.sin(x[0])},
        {"x": (3,)},
    )
    # one sum, one difference and one more sum; two products; one quotient
    assert count(program)[:5] == (3, 2, 1, 1, 1)
    assert str(count(program)) == "3 add, 2 mul, 1 div, 1 sqrt, 1 functions"


def test_equal_terms_are_computed_once_and_dead_ones_not_at_all():
    program = trace(
        "shared",
        lambda x: {"y": np.stack([x[0] * x[1] + 1.0, x[1] * x[0] + 2.0])},
        {"x": (3,)},
    )
    assert count(program).mul == 1
    assert sum(i.op == "input" for i in program.instructions) == 2


def test_a_program_is_immutable():
    with pytest.raises(AttributeError):
        PROGRAM.name = "other"
    assert isinstance(PROGRAM, Program)
    assert hash(PROGRAM) == hash(PROGRAM)


def test_nan_survives_and_singular_states_do_not_raise():
    program = trace("inverse", lambda x: {"y": 1.0 / x}, {"x": (2,)})
    found = run(program, {"x": np.array([0.0, np.nan])})["y"]
    assert np.isinf(found[0])
    assert np.isnan(found[1])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: {"y": x if x[0] > 0 else -x},
        lambda x: {"y": x if x[0] == 0.0 else -x},
        lambda x: {"y": np.stack([float(x[0])])},
        lambda x: {"y": np.where(x > 0.0, x, 0.0)},
        lambda x: {"y": np.isfinite(x)},
        lambda x: {"y": np.sort(x)},
        lambda x: {"y": np.linalg.inv(np.outer(x, x))},
        lambda x: {"y": _stored(np.zeros(2), x[0])},
        lambda x: {"y": x ** x[0]},
        lambda x: {"y": np.add.reduce(x, out=np.zeros(()))},
    ],
    ids=["if", "equal", "float", "where", "finite", "sort", "linalg", "store", "power", "out"],
)
def test_asking_a_symbol_for_its_value_is_refused(function):
    with pytest.raises(TraceError, match="cannot be traced"):
        trace("bad", function, {"x": (2,)})


def _stored(array, value):
    array[0] = value
    return array


def test_a_constant_that_is_not_finite_is_refused():
    with pytest.raises(TraceError, match="constant"):
        trace("bad", lambda x: {"y": x + np.inf}, {"x": (2,)})


def test_inputs_are_named():
    with pytest.raises(InputError, match="takes a, b"):
        run(PROGRAM, {"a": np.ones(3)})
    with pytest.raises(InputError, match=r"shape \(4,\), expected \(..., 3\)"):
        run(PROGRAM, {"a": np.ones(4), "b": np.ones((2, 2))})


def test_no_text_of_a_user_reaches_the_graph():
    """A crafted name cannot become code: symbols have generated names."""
    hostile = '*/ system("x") /*'
    program = trace("q", lambda **k: {"y": k[hostile] * 2.0}, {hostile: (1,)})
    np.testing.assert_array_equal(run(program, {hostile: [3.0]})["y"], [6.0])


def test_every_input_is_looked_at():
    def function(x, y):
        return {"out": x * 2.0, "doubt": np.array(x[0] * 0.25)}

    program = trace("f", function, {"x": (1,), "y": (2,)})
    x, y = np.array([2.0]), np.array([1e3, -1e3])
    assert run(program, {"x": x, "y": y})["doubt"] == 0.5
    for bad in (np.nan, np.inf):
        assert not run(program, {"x": x, "y": np.array([0.0, bad])})["doubt"] < 1.0
    without = trace("f", lambda x, y: {"out": x * 2.0}, {"x": (1,), "y": (2,)})
    assert len(without) < len(program)
