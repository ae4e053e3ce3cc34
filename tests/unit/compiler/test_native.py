"""Machine code: of both vector widths, chosen by the processor or the environment, and freed."""

import ctypes
import gc
import operator
import signal
import sys
import weakref
from collections import Counter
from functools import partial

import llvmlite.binding as llvm
import numpy as np
import pytest

import gough
from cases import motion
from conftest import LEVEL_OF
from gough.base.spatial import collect
from gough.compiler.machine_code.kernel import Kernel
from gough.compiler.machine_code.native import WIDTH, Native, vector_width
from gough.compiler.targets.wasm import wasm_module
from gough.errors import InputError
from robots import SQUARE_NAMES, random_freedoms, relative, robot

NAMES = ["five_bar", "delta", "agile_eye"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [1, 13, 64])
def test_both_widths_give_the_same_answers(name, count):
    program = gough.compile(robot(name), "inverse_dynamics").program
    states = gough.state(robot(name), *random_freedoms(name, count, 0.05))
    with gough.options(engine="numpy"):
        expected = gough.inverse_dynamics(robot(name), states)
    for width in (4, 8):
        found = Kernel(program, 0.0, Native(program, width=width))(*states.arrays)
        assert relative(found["tau"], expected) < 1e-11
        assert (found["doubt"].sum(axis=-1) < 1.0).all()


@pytest.mark.parametrize("width", [4, 8])
def test_outputs_that_are_mostly_constant(width):
    """Constants are copied into every row, what varies is written over them."""
    ramp = np.arange(203.0) - 100.0

    def sparse(x):
        values = list(ramp)
        values[5], values[6], values[150], values[202] = x[0], x[1] * x[0], x[1], x[0] - x[1]
        return {"plain": x * 2.0, "mostly": collect(values)}

    program = gough.trace.function("sparse", sparse, {"x": (2,)})
    kernel = Kernel(program, 0.0, Native(program, width=width))
    for count in (1, 7, 33):
        x = np.random.default_rng(0).normal(size=(count, 2))
        found, expected = kernel(x), gough.trace.run(program, {"x": x})
        np.testing.assert_array_equal(found["plain"], expected["plain"])
        np.testing.assert_allclose(found["mostly"], expected["mostly"], rtol=1e-15)


@pytest.mark.parametrize(
    ("name", "quantity"),
    [(name, "inverse_dynamics") for name in SQUARE_NAMES]
    + [
        (name, "forward_dynamics") for name in ("five_bar", "tilt_3rps", "gough_stewart", "quattro")
    ],
)
def test_code_as_users_get_it_answers_as_plain_code_does(name, quantity):
    """All other tests run code that LLVM has not optimised (conftest.py)."""
    plain = gough.compile(robot(name), quantity)
    T, V, Vdot = motion(name, 3).arrays
    last = Vdot if quantity == "inverse_dynamics" else np.ones((3, len(robot(name).motors)))
    native = Native(plain.program, level=LEVEL_OF(plain.program))
    found, expected = Kernel(plain.program, 0.0, native)(T, V, last), plain(T, V, last)
    for port in plain.program.outputs[:-1]:
        # sums are fused or not: rounding, times the condition of legs and motors
        assert relative(found[port.name], expected[port.name]) < 1e-11
    assert (found["doubt"].sum(axis=-1) < 1.0).all()
    assert (expected["doubt"].sum(axis=-1) < 1.0).all()


@pytest.mark.usefixtures("strangers")
@pytest.mark.parametrize("width", [4, 8])
def test_the_environment_chooses_the_width(monkeypatch, width):
    monkeypatch.setenv(WIDTH, str(width))
    assert vector_width() == width
    fresh = gough.zoo.load("five_bar")
    assert gough.compile(fresh, "inverse_kinematics").native.width == width
    T = fresh.home_pose
    with gough.options(engine="numpy"):
        expected = gough.inverse_kinematics(fresh, T)
    with gough.options(engine="compiled"):
        assert relative(gough.inverse_kinematics(fresh, T), expected) < 1e-12


def test_the_processor_chooses_without_it(monkeypatch):
    monkeypatch.delenv(WIDTH, raising=False)
    assert vector_width() in (4, 8)
    monkeypatch.setenv(WIDTH, "")
    assert vector_width() in (4, 8)


@pytest.mark.usefixtures("strangers")
@pytest.mark.parametrize("told", ["2", "16", "eight", "8.0", "-4"])
def test_other_widths_are_refused(monkeypatch, told):
    monkeypatch.setenv(WIDTH, told)
    with pytest.raises(InputError, match=f"{WIDTH} is '{told}', expected 4 or 8"):
        gough.compile(gough.zoo.load("five_bar"), "inverse_kinematics")


@pytest.mark.usefixtures("strangers")
def test_machine_code_is_freed_with_its_robot():
    fresh = gough.zoo.load("five_bar")
    kernel = gough.compile(fresh, "inverse_kinematics")
    engine = weakref.ref(kernel.native._engine)
    own = [weakref.ref(fresh), weakref.ref(kernel), weakref.ref(kernel.native)]
    kernel(fresh.home_pose)
    kernel.one([fresh.home_pose])  # arrays that this thread keeps for the next call
    with gough.options(engine="compiled"):
        gough.inverse_kinematics(fresh, fresh.home_pose)
    assert not engine().closed
    del fresh, kernel
    gc.collect()
    assert [ref() for ref in (*own, engine)] == [None, None, None, None]


@pytest.mark.usefixtures("strangers")
def test_traced_programs_are_freed_with_their_robot():
    """Tables outside of the robot would keep it, and its kernels with it."""
    fresh = gough.zoo.load("five_bar")
    own = [weakref.ref(fresh), weakref.ref(gough.trace.program(fresh, "inverse_kinematics"))]
    assert gough.trace.program(fresh, "inverse_kinematics") is own[1]()
    del fresh
    gc.collect()
    assert [ref() for ref in own] == [None, None]


def test_a_kernel_keeps_its_code_and_nothing_else_of_llvm():
    """Text and constants of a program took a megabyte of every kernel that was kept."""
    kinds = (llvm.ModuleRef, llvm.context.ContextRef, llvm.TargetMachine, llvm.ExecutionEngine)

    def alive():
        gc.collect()
        known = [each for each in gc.get_objects() if isinstance(each, kinds)]
        return Counter(type(each).__name__ for each in known if not each.closed)

    program = gough.compile(robot("five_bar"), "inverse_kinematics").program
    before = alive()
    made = [Native(program), Native(program, keep=lambda _: None)]
    # an engine needs a module, which is empty, in the context that all processes have
    assert alive() - before == Counter(ExecutionEngine=2, ModuleRef=2, GlobalContextRef=2)
    assert all(str(next(iter(each._engine._modules))).count("define") == 0 for each in made)
    del made
    assert alive() == before


class Interrupting:
    """A function of LLVM during whose n-th call somebody presses Ctrl-C.

    Python looks for that at the next step of its own, in a function that LLVM calls, or after LLVM
    has come back; ``map`` takes no such step between the two calls.
    """

    def __init__(self, function, counted):
        self._function, self._counted = function, counted

    def __call__(self, *arrays):
        self._counted.append(self._function)
        if len(self._counted) != self._counted.at:
            return self._function(*arrays)
        press = ctypes.pythonapi.PyErr_SetInterrupt
        return list(map(operator.call, (press, partial(self._function, *arrays))))[1]


class Counted(list):
    """Calls so far, and the one that is interrupted."""

    at = 0


@pytest.mark.parametrize("way", ["program", "object file", "page"])
def test_an_interruption_inside_llvm_is_heard(way, monkeypatch, request):
    """At every call of LLVM: KeyboardInterrupt is raised, not printed and forgotten."""
    program = gough.compile(robot("five_bar"), "inverse_kinematics").program
    code = []
    Native(program, keep=code.append)
    wasm_module({"kernel": program})
    make = {
        "program": lambda: Native(program, keep=lambda _: None),
        "object file": lambda: Native(code[0]),
        "page": lambda: wasm_module({"kernel": program}),
    }[way]
    counted, lost = Counted(), []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored behind `&`
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    for wrapped in {id(each): each for each in llvm.ffi.lib._fntab.values()}.values():
        monkeypatch.setattr(wrapped, "_cfn", Interrupting(wrapped._cfn, counted))
    made = make()
    count = len(counted)
    del made
    assert count > 5
    for at in range(1, count + 1):
        counted.clear()
        counted.at = at
        with pytest.raises(KeyboardInterrupt):
            make()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert lost == []
    counted.at = 0
    make()
