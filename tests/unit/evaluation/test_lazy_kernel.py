"""A program that is run over and over answers alike before and after it is compiled."""

import numpy as np

from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.tracer import trace
from gough.evaluation import engine
from gough.evaluation.engine import LazyKernel


def wheel(x, y):
    size = np.sqrt(x @ x)
    return {"unit": x / size, "sum": x[0] * y + x[1] - x[2] / 3.0}


def test_numbers_are_the_same_to_the_last_bit(monkeypatch):
    monkeypatch.setattr(LazyKernel, "enough", 2)
    program = trace("wheel", wheel, {"x": (3,), "y": (2,)})
    x = np.random.default_rng(0).normal(size=(5, 3))
    x[3] = 0.0
    inputs = {"x": x, "y": np.array([0.3, -0.7])}  # states share y
    expected = run(program, inputs)
    system = LazyKernel(program)
    for _ in range(4):
        found = system(inputs)
        assert list(found) == list(expected)
        for name, value in expected.items():
            np.testing.assert_array_equal(found[name], value)
    assert np.isnan(found["unit"][3]).all()


def test_it_is_compiled_once_and_not_before_it_pays(monkeypatch):
    made = []

    class Counted(engine.Native):
        def __init__(self, *args, **options):
            made.append(args)
            super().__init__(*args, **options)

    monkeypatch.setattr(engine, "Native", Counted)
    monkeypatch.setattr(LazyKernel, "enough", 3)
    system = LazyKernel(trace("wheel", wheel, {"x": (3,), "y": (2,)}))
    for k in range(6):
        system({"x": np.ones(3), "y": np.ones(2)})
        assert len(made) == (k >= 3)
