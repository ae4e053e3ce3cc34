"""C with one routine for each kind of legs: the numbers, the status and the text."""

import ctypes
import dataclasses
import re
import shutil
import subprocess
from functools import cache

import numpy as np
import pytest

import gough
from cases import loaded, motion
from gough.errors import FileError, InputError
from gough.evaluation.exports import export as exporting
from numbers_robots import gs_ref
from robots import relative, robot

COMPILER = next((name for name in ("gcc", "clang") if shutil.which(name)), None)
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
OK, UNREACHABLE, SINGULAR, INCONSISTENT = range(4)
NAMES = ["gough_stewart", "delta", "three_rrr", "orthoglide", "hexapod_6rus"]
LADEN = [*((name, True) for name in NAMES), ("delta", False), ("three_rrr", False)]
"""With something on every axis; as described, the smaller ones."""


def compiled(code, target, *flags):
    """Compile a file with every warning an error."""
    command = [COMPILER, *STRICT, *flags, str(code), "-o", str(target), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return target


def self_test(code, folder):
    """What the file says of itself."""
    program = compiled(code, folder / "program", "-O0", "-DGOUGH_SELF_TEST")
    return subprocess.run([program], check=False, timeout=60).returncode


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """A function that exports, compiles and loads; each robot and variant once."""

    @cache
    def made(r, quantity, **variant):
        folder = tmp_path_factory.mktemp("c")
        code, _ = gough.export_c(r, quantity, folder, legs="shared", **variant)
        library = compiled(code, folder / "code.so", "-O0", "-fPIC", "-shared")
        function = getattr(ctypes.CDLL(str(library)), code.stem)
        real = np.float32 if variant.get("single") else np.float64

        def call(*inputs, size):
            out = np.full(size, np.nan, dtype=real)
            arrays = [*(np.ascontiguousarray(a, dtype=real) for a in inputs), out]
            return function(*(ctypes.c_void_p(a.ctypes.data) for a in arrays)), out

        return call

    return made


@needs_compiler
class TestNumbers:
    @pytest.mark.parametrize(("name", "laden"), LADEN)
    def test_inverse_dynamics(self, build, name, laden):
        """As described, and with friction, rotors and springs on every axis."""
        r = loaded(name) if laden else robot(name)
        moving = motion(name, 3)
        with gough.options(engine="numpy"):
            expected = gough.inverse_dynamics(r, moving)
        call = build(r, "inverse_dynamics")
        for state, tau in zip(zip(*moving.arrays, strict=True), expected, strict=True):
            status, found = call(*state, size=tau.shape)
            assert status == OK
            # rounding of a few hundred operations, other pivots than the reference's
            assert relative(found, tau) < 1e-12

    @pytest.mark.parametrize(("name", "laden"), LADEN)
    def test_forward_dynamics(self, build, name, laden):
        r = loaded(name) if laden else robot(name)
        moving = motion(name, 3)
        T, V, Vdot = moving.arrays
        with gough.options(engine="numpy"):
            tau = gough.inverse_dynamics(r, moving)
        call = build(r, "forward_dynamics")
        for state, rate in zip(zip(T, V, tau, strict=True), Vdot, strict=True):
            status, found = call(*state, size=6)
            assert status == OK
            # the inertia matrix is solved with: its condition number times rounding
            assert relative(found, rate) < 1e-10

    def test_legs_of_different_lengths(self, build):
        """A hexapod without any symmetry."""
        r = gs_ref()
        x = np.array([0.02, -0.01, r.home_pose[2, 3], 0.03, -0.02, 0.05])
        state = gough.state(r, x, np.arange(1.0, 7.0), np.arange(2.0, -4.0, -1.0))
        status, tau = build(r, "inverse_dynamics")(*state.arrays, size=6)
        assert status == OK
        with gough.options(engine="numpy"):
            expected = gough.inverse_dynamics(r, state)
        assert relative(tau, expected) < 1e-12

    def test_elbows_on_either_side(self, build, tmp_path):
        """The sign of a root is a figure: one routine for all three legs."""
        feet, top = np.array([[0, 0], [1, 0], [0.4, 0.9]]), np.array([[0, 0], [0.3, 0], [0.1, 0.2]])
        r = gough.build.three_rrr(feet, top, 0.5, [0.4, 0.45, 0.42], modes=[1, -1, 1])
        code, _ = gough.export_c(r, "inverse_kinematics", tmp_path, legs="shared")
        assert "one routine for the legs prox1, prox2, prox3" in code.read_text()
        T = gough.state(r, [*r.home_pose[:2, 3] + 0.01, 0.02]).T_0p
        status, q = build(r, "inverse_kinematics")(T, size=3)
        assert status == OK
        with gough.options(engine="numpy"):
            assert relative(q, gough.inverse_kinematics(r, T)) < 1e-12

    def test_seven_digits(self, build):
        r, moving = robot("delta"), motion("delta", 3)
        with gough.options(engine="numpy"):
            expected = gough.inverse_dynamics(r, moving)
        call = build(r, "inverse_dynamics", single=True)
        for state, tau in zip(zip(*moving.arrays, strict=True), expected, strict=True):
            status, found = call(*state, size=3)
            assert status == OK
            assert relative(found, tau) < 1e-3  # seven digits, less what closing loops costs

    def test_a_leg_with_a_load_stands_alone(self, build, tmp_path):
        """The load is an argument; five legs share a routine, the sixth is written by itself."""
        r, state = robot("gough_stewart"), motion("gough_stewart")[0]
        pushed = next(name for name in r.assembly.topology.legs[2].tree.bodies if name != r.base)
        shape = gough.Loads([gough.Force(pushed)], payload=0.0)
        code, _ = gough.export_c(r, folder=tmp_path, legs="shared", loads=shape)
        names = re.search(r"one routine for the legs (.*)", code.read_text())[1].split(", ")
        assert len(names) == 5
        f, n, point, inertia = [3.0, -5.0, 1.0], [0.1, 0.2, -0.4], [0.1, 0.02, 0.0], np.eye(3) / 99
        status, found = build(r, "inverse_dynamics", loads=shape)(
            *state.arrays, point, f, n, [1.5], [0.01, 0.03, 0.0], inertia, size=6
        )
        loads = gough.Loads(
            forces=[gough.Force(pushed, f, n, point)],
            payload=gough.Payload(1.5, (0.01, 0.03, 0.0), inertia),
        )
        assert status == OK
        with gough.options(engine="numpy"):
            expected = gough.inverse_dynamics(r, state, loads=loads)
        assert relative(found, expected) < 1e-12
        assert relative(gough.inverse_dynamics(r, state), expected) > 1e-3


@needs_compiler
@pytest.mark.parametrize(
    ("name", "quantity", "variant"),
    [
        ("three_rrr", "inverse_dynamics", {"single": True}),
        ("three_rrr", "forward_kinematics_step", {"single": True}),
        ("delta", "energy", {"loads": gough.Loads(payload=0.0)}),
        ("delta", "bias_wrench", {"loads": gough.Loads(smoothing=0.1, rotors=False)}),
        ("orthoglide", "inverse_dynamics", {"loads": gough.Loads(friction=False)}),
        ("tilt_3rps", "forward_dynamics", {}),
        ("four_rrr", "inverse_dynamics", {}),
        ("h4", "inverse_dynamics", {}),
        ("six_rrrs", "inverse_dynamics", {}),
        ("screw_hexapod", "inverse_kinematics", {}),
        ("contact_tripod", "energy", {}),
    ],
)
def test_self_tests(name, quantity, variant, tmp_path):
    """No warning; the file agrees with what the flat program gives.

    Redundant motors, none, a freedom map that varies, a nacelle, no closed form, screws among them.
    """
    code, _ = gough.export_c(robot(name), quantity, tmp_path, legs="shared", **variant)
    assert self_test(code, tmp_path) == 0


@needs_compiler
def test_a_wrong_figure_is_noticed(tmp_path):
    code, _ = gough.export_c(robot("delta"), "inverse_dynamics", tmp_path, legs="shared")
    text = code.read_text()
    table = re.search(r"figures_a\[3\]\[\d+\] = \{\n    \{(.*?),", text)
    number = float.fromhex(table[1])
    code.write_text(text.replace(table[1], (number + 1e-3).hex(), 1))
    assert self_test(code, tmp_path) != 0


@needs_compiler
class TestStatus:
    def test_out_of_reach(self, build):
        T, V, Vdot = (a[0].copy() for a in motion("delta").arrays)
        T[0, 3] += 50.0
        status, tau = build(robot("delta"), "inverse_dynamics")(T, V, Vdot, size=3)
        assert status == UNREACHABLE
        assert np.isnan(tau).all(), "outputs are not set"

    def test_singular(self, build):
        """Fichter's pose: level, centred, turned by a right angle; and one beside it."""
        r = gs_ref()
        x = np.zeros((2, 6))
        x[:, 2], x[:, 5] = r.home_pose[2, 3], [np.pi / 2, np.pi / 2 - 0.2]
        states = zip(*gough.state(r, x, np.ones((2, 6)), np.zeros((2, 6))).arrays, strict=True)
        call = build(r, "inverse_dynamics")
        assert [call(*state, size=6)[0] for state in states] == [SINGULAR, OK]

    def test_inconsistent(self, build):
        T, V, Vdot = motion("delta")[0].arrays
        turning = V + np.array([0.0, 0.0, 0.0, 0.0, 0.3, 0.0])
        call = build(robot("delta"), "inverse_dynamics")
        assert call(T, turning, Vdot, size=3)[0] == INCONSISTENT

    @pytest.mark.parametrize("bad", [np.nan, np.inf])
    def test_no_number_is_called_an_answer(self, build, bad):
        """Each scalar of each input in turn."""
        state = motion("delta")[0]
        call = build(robot("delta"), "inverse_dynamics")
        for which, array in enumerate(state.arrays):
            for place in range(array.size):
                broken = [a.copy() for a in state.arrays]
                broken[which].reshape(-1)[place] = bad
                assert call(*broken, size=3)[0] != OK, (which, place)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """Code and header of a hexapod with shared legs, and its flat code."""
    folder, r = tmp_path_factory.mktemp("c"), robot("gough_stewart")
    shared, header = gough.export_c(r, folder=folder, legs="shared")
    flat, _ = gough.export_c(r, folder=folder)
    return shared.read_text(), header.read_text(), flat.read_text()


class TestText:
    def test_one_routine_called_for_every_leg(self, texts):
        text, _, _ = texts
        routines = re.findall(r"^static void (\w+)\(", text, re.MULTILINE)
        assert len(routines) == 1
        assert len(re.findall(rf"^    {routines[0]}\(", text, re.MULTILINE)) == 6

    def test_nothing_is_written_but_what_is_handed_over(self, texts):
        """No heap, no loop, no global but constants."""
        text = re.sub(r"/\*.*?\*/", "", texts[0], flags=re.DOTALL)
        text = text[: text.index("_self_test(void)")]
        assert re.findall(r"#include .*", text)[1:] == ["#include <math.h>"]
        for word in ("malloc", "calloc", "free", "for", "while", "goto", "extern"):
            assert not re.search(rf"\b{word}\b", text), word
        assert all(
            line.startswith(("static const double", "static void"))
            for line in text.splitlines()
            if line.startswith("static")
        )

    def test_the_header_says_so(self, texts):
        _, header, flat = texts
        assert "legs share routines" in header
        assert "one routine for the legs" in header
        assert re.search(r"operations: \d+ add, \d+ mul", header)
        assert re.search(r"[0-9a-f]{64}", header)[0] == re.search(r"[0-9a-f]{64}", flat)[0]
        assert "int gough_gough_stewart_inverse_dynamics_shared(" in header
        assert "figures" not in header

    def test_operations_are_those_that_are_carried_out(self, texts):
        """One routine six times, and what is outside; figures that follow from figures are none."""
        text = re.sub(r"/\*.*?\*/", "", texts[0], flags=re.DOTALL)
        lines = re.findall(r"^    const double v\d+ = (.*);$", text, re.MULTILINE)
        routine = re.search(r"^static void .*?^\}", text, re.MULTILINE | re.DOTALL)[0]
        legs = re.findall(r"^    const double v\d+ = (.*);$", routine, re.MULTILINE)
        for word, operation in (("add", r" [-+] "), ("mul", r" \* "), ("div", " / ")):
            told = int(re.search(rf"(\d+) {word}", texts[1])[1])
            inside = sum(len(re.findall(operation, line)) for line in legs)
            assert told == 5 * inside + sum(len(re.findall(operation, line)) for line in lines)

    def test_it_is_smaller(self, texts):
        shared, _, flat = texts
        assert shared.count("\n") < 0.4 * flat.count("\n")
        assert len(shared) < 0.45 * len(flat)

    def test_another_function_is_not_replaced(self, tmp_path):
        """One whose name happens to be the same."""
        r = robot("three_rrr")
        _, header = gough.export_c(r, folder=tmp_path, legs="shared")
        header.write_text(header.read_text().replace("legs share routines", "float"))
        with pytest.raises(FileError, match="another function of that name"):
            gough.export_c(r, folder=tmp_path, legs="shared")

    def test_an_unknown_word(self, tmp_path):
        with pytest.raises(InputError, match="flat"):
            gough.export_c(robot("three_rrr"), folder=tmp_path, legs="share")
        assert not list(tmp_path.iterdir())

    def test_a_robot_without_alike_legs_is_refused(self, tmp_path):
        with pytest.raises(InputError, match="no two of its legs are alike"):
            gough.export_c(robot("five_bar"), folder=tmp_path, legs="shared")
        assert not list(tmp_path.iterdir())

    def test_figures_that_one_order_of_solving_does_not_suit(self, tmp_path, monkeypatch):
        """Whatever the reason, code that would fail its own self-test is not written."""
        plain = exporting.leg_program

        def spoiled(*arguments):
            found = plain(*arguments)
            tables = tuple(table * (1.0 + 1e-6) for table in found.tables)
            return dataclasses.replace(found, tables=tables)

        monkeypatch.setattr(exporting, "leg_program", spoiled)
        with pytest.raises(InputError, match="too different in their figures"):
            gough.export_c(robot("three_rrr"), folder=tmp_path, legs="shared")
        assert not list(tmp_path.iterdir())
