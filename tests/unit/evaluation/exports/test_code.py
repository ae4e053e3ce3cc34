"""Machine code and C against the interpreter of the same program, bit by bit."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gough
from gough.compiler.machine_code.ir import module, quartets
from gough.compiler.machine_code.kernel import Kernel
from gough.compiler.machine_code.native import Native
from gough.compiler.targets.c_source import Subject, source
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Instruction, Port, Program
from gough.compiler.tracing.reciprocals import share_reciprocals

UNARY = ("neg", "sqrt", "abs", "sign", "sin", "cos", "tan", "atan", "exp")
BINARY = ("add", "sub", "mul", "div", "copysign", "min", "max", "lt", "le", "atan2")
# rounded correctly by any machine; the others may differ in the last bit between libraries
LIBRARY = ("sin", "cos", "tan", "atan", "exp", "atan2")
PLAIN = tuple(op for op in (*UNARY, *BINARY) if op not in LIBRARY)


def program_of(ops, size, rng):
    """Random straight-line code over one input of a given size, every value an output."""
    code = [Instruction("input", (0, i)) for i in range(size)]
    code.append(Instruction("const", (), float(rng.normal())))
    for op in ops:
        args = tuple(int(a) for a in rng.integers(0, len(code), 1 if op in UNARY else 2))
        code.append(Instruction(op, args))
    count = len(code)
    return Program(
        "code", (Port("x", (size,)),), (Port("y", (count,)),), tuple(code), (tuple(range(count)),)
    )


def same(a, b):
    return bool(((a == b) | (np.isnan(a) & np.isnan(b))).all())


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    ops=st.lists(st.sampled_from(PLAIN), min_size=1, max_size=25),
    size=st.integers(1, 9),
    states=st.integers(1, 19),
    width=st.sampled_from([4, 8]),
)
def test_machine_code_is_the_program(seed, ops, size, states, width):
    """Without liberties of rounding; every width, every tail, zeros and signs included."""
    rng = np.random.default_rng(seed)
    program = program_of(ops, size, rng)
    x = rng.choice([0.0, -0.0, 1.0, -2.5, np.nan, np.inf], (states, size))
    x = np.where(rng.random((states, size)) < 0.6, rng.normal(size=(states, size)), x)
    kernel = Kernel(program, 0.0, Native(program, width=width, flags=""))
    assert same(kernel(x)["y"], run(program, {"x": x})["y"])


@pytest.mark.parametrize("op", ["sin", "cos", "tan", "atan", "exp", "atan2", "asin", "acos", "log"])
def test_functions_of_the_library(op):
    args = (0, 1) if op == "atan2" else (0,)
    code = (Instruction("input", (0, 0)), Instruction("input", (0, 1)), Instruction(op, args))
    program = Program("code", (Port("x", (2,)),), (Port("y", (1,)),), code, ((2,),))
    x = np.random.default_rng(0).uniform(0.01, 0.99, (50, 2))
    np.testing.assert_allclose(
        Kernel(program, 0.0, Native(program))(x)["y"], run(program, {"x": x})["y"], rtol=1e-14
    )


@given(st.sets(st.integers(0, 15), min_size=1), st.integers(16, 18))
def test_every_scalar_is_loaded_once(positions, size):
    seen = []
    for first, members in quartets(sorted(positions), size):
        assert 0 <= first <= size - 1
        assert all(first <= m < first + 4 for m in members)
        assert len(members) == 1 or first + 4 <= size
        seen += members
    assert sorted(seen) == sorted(positions)


def test_nothing_may_assume_that_numbers_are_finite():
    program = program_of(["add", "mul", "div"], 3, np.random.default_rng(0))
    text = module(program, 4)
    assert "fast" not in text
    assert "nnan" not in text
    assert "ninf" not in text


@given(st.integers(0, 10**6))
def test_shared_reciprocals(seed):
    rng = np.random.default_rng(seed)
    ops = [str(op) for op in rng.choice(["div", "div", "mul", "add"], 20)]
    program = program_of(ops, 3, rng)
    x = rng.uniform(0.5, 2.0, (4, 3)) * rng.choice([-1.0, 1.0], (4, 3))
    shared = share_reciprocals(program)
    with np.errstate(all="ignore"):
        a, b = run(program, {"x": x})["y"], run(shared, {"x": x})["y"]
    fine = np.isfinite(a) & (np.abs(a) < 1e100) & (np.abs(a) > 1e-100)
    np.testing.assert_allclose(b[fine], a[fine], rtol=1e-9)
    assert gough.trace.count(shared).div <= gough.trace.count(program).div


COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fPIC"]


def c_function(folder, text, compiler="gcc", *flags):
    """The function of a source, compiled into a library."""
    (folder / f"{text.name}.c").write_text(text.code)
    (folder / f"{text.name}.h").write_text(text.header)
    library = folder / f"{text.name}_{compiler}.so"
    command = [compiler, *STRICT, *flags, "-shared", str(folder / f"{text.name}.c")]
    subprocess.run([*command, "-o", str(library), "-lm"], check=True, capture_output=True)
    return getattr(ctypes.CDLL(str(library)), text.name)


@pytest.mark.skipif(not COMPILERS, reason="there is no C compiler")
def test_c_is_the_program(tmp_path):
    """Every operation, bit by bit, with the functions of the C library."""
    rng = np.random.default_rng(5)
    ops = [*UNARY, *BINARY] * 3
    rng.shuffle(ops)
    program = program_of([str(op) for op in ops], 5, rng)
    x = rng.choice([0.0, -0.0, 1.0, -2.5], (200, 5))
    x = np.where(rng.random((200, 5)) < 0.7, rng.normal(size=(200, 5)), x)
    expected = run(program, {"x": x}, exact=True)["y"]
    text = source(
        program,
        Subject("robot", "0", "0", (), {}),
        {"x": np.ones(5)},
        {"y": np.zeros(len(program))},
    )
    for compiler in COMPILERS:
        call = c_function(tmp_path, text, compiler, "-O2")
        for row, known in zip(x, expected, strict=True):
            y = np.empty(len(program))
            pointers = [ctypes.c_void_p(a.ctypes.data) for a in (np.ascontiguousarray(row), y)]
            assert call(*pointers) == 0
            assert same(y, known)
