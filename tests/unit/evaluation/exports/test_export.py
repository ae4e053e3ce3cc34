"""C for a controller: what it computes, and what it says of bad states."""

import ctypes
import re
import shutil
import subprocess
from functools import cache

import numpy as np
import pytest

import gough
from gough.compiler.tracing.interpreter import run
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.compile import whole_program
from numbers_robots import gs_ref
from robots import random_freedoms, relative, robot

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
needs_compiler = pytest.mark.skipif(not COMPILERS, reason="there is no C compiler")
OK, UNREACHABLE, SINGULAR, INCONSISTENT = range(4)


def compiled(code, target, *flags, compiler=None):
    """Compile a file with every warning an error."""
    command = [compiler or COMPILERS[0], *STRICT, *flags, str(code), "-o", str(target), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """A function that exports, compiles and loads; each robot and variant once."""

    @cache
    def made(name, quantity="inverse_dynamics", **variant):
        folder = tmp_path_factory.mktemp("c")
        code, _ = gough.export_c(known(name), quantity, folder, **variant)
        library = compiled(code, folder / "code.so", "-O1", "-fPIC", "-shared")
        return Function(getattr(ctypes.CDLL(str(library)), code.stem), variant.get("single", False))

    return made


class Function:
    """An exported function, called with arrays."""

    def __init__(self, function, single):
        self.function, self.real = function, np.float32 if single else np.float64

    def __call__(self, *inputs, size):
        """Status and output of one state; outputs that are not set stay NaN."""
        out = np.full(size, np.nan, dtype=self.real)
        arrays = [*(np.ascontiguousarray(a, dtype=self.real) for a in inputs), out]
        return self.function(*(ctypes.c_void_p(a.ctypes.data) for a in arrays)), out


def known(name):
    return gs_ref() if name == "gs_ref" else robot(name)


def motion(name, count=5, amplitude=0.05):
    """States around home."""
    if name != "gs_ref":
        return gough.state(robot(name), *random_freedoms(name, count, amplitude))
    rng = np.random.default_rng(0)
    home = np.array([0.0, 0.0, gs_ref().assembly.T_home[2, 3], 0.0, 0.0, 0.0])
    x = home + amplitude * rng.uniform(-1.0, 1.0, (count, 6))
    return gough.state(gs_ref(), x, *rng.normal(size=(2, count, 6)))


CARRYING = gough.Loads([gough.Force("dist2")], payload=0.0)


@needs_compiler
@pytest.mark.parametrize(
    ("name", "quantity", "variant"),
    [
        ("five_bar", "inverse_dynamics", {}),
        ("five_bar", "inverse_dynamics", {"single": True, "loads": CARRYING}),
        ("five_bar", "forward_dynamics", {"single": True, "method": "tree"}),
        ("five_bar", "inverse_kinematics", {}),
        ("five_bar", "energy", {"loads": gough.Loads(payload=0.0)}),
        ("five_bar", "forward_kinematics_step", {"single": True}),
        ("five_bar", "bias_wrench", {"loads": gough.Loads(smoothing=0.1, rotors=False)}),
        ("four_rrr", "inverse_dynamics", {"method": "screws"}),
        ("tilt_3rps", "inertia_matrix", {"single": True}),
        ("tilt_3rps", "cartesian_dynamics", {"loads": gough.Loads(payload=0.2)}),
        ("five_bar", "motor_accelerations", {}),
        ("five_bar", "implicit_model", {}),
        ("five_bar", "reactions", {}),
        ("rack", "reactions", {}),
        ("five_bar", "inverse_dynamics_observed", {}),
        ("delta", "inverse_dynamics_observed", {"single": True}),
        ("gough_stewart", "inverse_dynamics_observed", {}),
    ],
)
def test_self_tests(name, quantity, variant, tmp_path):
    """No warning, and the file agrees with what the interpreter found."""
    code, _ = gough.export_c(robot(name), quantity, tmp_path, **variant)
    for compiler in COMPILERS:
        program = compiled(code, tmp_path / compiler, "-DGOUGH_SELF_TEST", compiler=compiler)
        assert subprocess.run([program], check=False, timeout=60).returncode == 0


@needs_compiler
def test_a_self_test_can_fail(tmp_path):
    code, _ = gough.export_c(robot("five_bar"), "inverse_dynamics", tmp_path)
    text = code.read_text()
    broken = re.sub(r"(tau_out\[1\] = v\d+);", r"\1 * 1.00001;", text)
    assert broken != text
    code.write_text(broken)
    program = compiled(code, tmp_path / "program", "-DGOUGH_SELF_TEST")
    assert subprocess.run([program], check=False, timeout=60).returncode == 4


@needs_compiler
def test_bits_of_the_interpreter(build):
    """States near home, in motion and at rest."""
    r = robot("five_bar")
    program = whole_program(r.assembly, "inverse_dynamics", Variant())
    T, V, Vdot = motion("five_bar", 50, 0.2).arrays
    found = run(program, {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot}, exact=True)
    call = build("five_bar")
    for i in range(50):
        status, tau = call(T[i], V[i], Vdot[i], size=2)
        assert status == OK
        assert (tau == found["tau"][i]).all()


@needs_compiler
@pytest.mark.parametrize("name", ["five_bar", "delta", "gs_ref"])
def test_efforts_are_those_of_the_reference(build, name):
    r, moving = known(name), motion(name, 5)
    with gough.options(engine="numpy"):
        expected = gough.inverse_dynamics(r, moving)
    for state, tau in zip(zip(*moving.arrays, strict=True), expected, strict=True):
        status, found = build(name)(*state, size=tau.shape)
        assert status == OK
        assert relative(found, tau) < 1e-13  # rounding of a few hundred operations


@needs_compiler
def test_seven_digits(build):
    moving = motion("five_bar", 20)
    with gough.options(engine="numpy"):
        expected = gough.inverse_dynamics(robot("five_bar"), moving)
    call = build("five_bar", single=True)
    for state, tau in zip(zip(*moving.arrays, strict=True), expected, strict=True):
        status, found = call(*state, size=2)
        assert status == OK
        assert relative(found, tau) < 1e-4  # seven digits, less what closing a loop costs


@needs_compiler
def test_loads_are_arguments(build):
    r, state = robot("five_bar"), motion("five_bar", 1)[0]
    point, f, n = [0.1, 0.02, 0.0], [3.0, -5.0, 1.0], [0.1, 0.2, -0.4]
    inertia = np.diag([0.01, 0.02, 0.03])
    shape = gough.Loads([gough.Force("dist1")], payload=0.0, friction=False)
    status, found = build("five_bar", loads=shape)(
        *state.arrays, point, f, n, [1.5], [0.01, 0.03, 0.0], inertia, size=2
    )
    loads = gough.Loads(
        forces=[gough.Force("dist1", f, n, point)],
        payload=gough.Payload(1.5, (0.01, 0.03, 0.0), inertia),
        friction=False,
    )
    with gough.options(engine="numpy"):
        expected = gough.inverse_dynamics(r, state, loads=loads)
    assert status == OK
    assert relative(found, expected) < 1e-12
    assert relative(gough.inverse_dynamics(r, state), expected) > 0.1


@needs_compiler
class TestStatus:
    @pytest.mark.parametrize("name", ["five_bar", "pendulum", "delta"])
    def test_at_rest(self, build, name):
        """Nothing moves and nothing is wrong."""
        r, T = robot(name), motion(name, 1).T_0p[0]
        with gough.options(engine="numpy"):
            expected = gough.inverse_dynamics(r, T)
        status, tau = build(name)(T, np.zeros(6), np.zeros(6), size=expected.shape)
        assert status == OK
        assert relative(tau, expected) < 1e-12

    def test_out_of_reach(self, build):
        T, V, Vdot = (a[0].copy() for a in motion("five_bar", 1).arrays)
        T[0, 3] += 50.0
        status, tau = build("five_bar")(T, V, Vdot, size=2)
        assert status == UNREACHABLE
        assert np.isnan(tau).all(), "outputs are not set"

    def test_singular(self, build):
        """Fichter's pose: level, centred, turned by a right angle; and one beside it."""
        r = gs_ref()
        x = np.zeros((2, 6))
        x[:, 2], x[:, 5] = r.home_pose[2, 3], [np.pi / 2, np.pi / 2 - 0.2]
        T, V, Vdot = gough.state(r, x, np.ones((2, 6)), np.zeros((2, 6))).arrays
        call = build("gs_ref")
        assert [call(*state, size=6)[0] for state in zip(T, V, Vdot, strict=True)] == [SINGULAR, OK]

    def test_inconsistent(self, build):
        T, V, Vdot = motion("delta", 1)[0].arrays
        turning = V + np.array([0.0, 0.0, 0.0, 0.0, 0.3, 0.0])
        assert build("delta")(T, turning, Vdot, size=3)[0] == INCONSISTENT
        assert build("delta")(T, V, Vdot + 1e-3 * np.eye(6)[3], size=3)[0] == INCONSISTENT
        mirrored = T.copy()
        mirrored[:3, 2] *= -1.0
        assert build("delta")(mirrored, V, Vdot, size=3)[0] == INCONSISTENT

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize(
        ("name", "quantity", "size"),
        [("five_bar", "forward_dynamics", 6), ("gs_ref", "inverse_dynamics", 6)],
    )
    def test_no_number_is_called_an_answer(self, build, name, quantity, size, bad):
        """Each scalar of each input in turn, also those that no check of the state looks at."""
        T, V, Vdot = motion(name, 1)[0].arrays
        last = Vdot if quantity == "inverse_dynamics" else np.ones(len(known(name).motors))
        call = build(name, quantity)
        for which, array in enumerate((T, V, last)):
            for place in range(array.size):
                broken = [a.copy() for a in (T, V, last)]
                broken[which].reshape(-1)[place] = bad
                assert call(*broken, size=size)[0] != OK, (which, place)


DRIVER = """
#include "NAME.h"
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t seed = 88172645463325252u;

static uint64_t draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static double unit(void) { return (double)(draw() >> 11) / 9007199254740992.0 * 2.0 - 1.0; }

static double any(void) {
    static const double odd[8] = {0.0, -0.0, 1e308, -1e308, DBL_MIN, 5e-324, 1e-310, 1e16};
    double x;
    uint64_t bits;
    switch (draw() % 4) {
    case 0: bits = draw(); memcpy(&x, &bits, sizeof x); return x;
    case 1: bits = UINT64_C(0x7FF0000000000000) | (draw() & UINT64_C(0x8008000000000000));
            memcpy(&x, &bits, sizeof x); return x;
    case 2: return odd[draw() % 8];
    default: return unit() * 10.0;
    }
}

int main(void) {
    static const double known[STATES][22] = {NUMBERS};
    long counts[4] = {0, 0, 0, 0};
    int k, i;
    for (k = 0; k < 100000; k++) {
        double T[16], V[6], last[LAST], out[OUT + 1];
        for (i = 0; i < 16; i++) T[i] = known[k % STATES][i];
        for (i = 0; i < 6; i++) V[i] = known[k % STATES][16 + i];
        for (i = 0; i < LAST; i++) last[i] = unit();
        if (k % 8 == 1) T[draw() % 16] = any();
        if (k % 8 == 2) { V[draw() % 6] = any(); last[draw() % LAST] = any(); }
        if (k % 8 == 3) {
            for (i = 0; i < 16; i++) T[i] = any();
            for (i = 0; i < 6; i++) V[i] = any();
            for (i = 0; i < LAST; i++) last[i] = any();
        }
        out[OUT] = 77.0;
        i = NAME(T, V, last, out);
        if (i < 0 || i > 3 || out[OUT] != 77.0) return 1;
        counts[i]++;
    }
    printf("%ld %ld %ld %ld", counts[0], counts[1], counts[2], counts[3]);
    return 0;
}
"""
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@needs_compiler
def test_sanitizers_find_nothing(tmp_path):
    """A hundred thousand states: near home, out of reach, any bits, infinities, denormals."""
    (tmp_path / "try.c").write_text("int main(void) { return 0; }\n")
    command = [COMPILERS[0], *SANITIZED, str(tmp_path / "try.c"), "-o", str(tmp_path / "try")]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("the compiler has no sanitizers")
    r = robot("five_bar")
    code, _ = gough.export_c(r, "forward_dynamics", tmp_path)
    T, V, _ = motion("five_bar", 37, 0.2).arrays
    rows = [[float(x).hex() for x in (*a.reshape(-1), *b)] for a, b in zip(T, V, strict=True)]
    numbers = ", ".join(f"{{{', '.join(row)}}}" for row in rows)
    words = {"NAME": code.stem, "NUMBERS": numbers, "STATES": "37", "LAST": "2", "OUT": "6"}
    text = re.sub("|".join(words), lambda m: words[m[0]], DRIVER)
    (tmp_path / "driver.c").write_text(text)
    program = tmp_path / "driver"
    compiled(tmp_path / "driver.c", program, *SANITIZED, str(code))
    done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    ok, unreachable, _, inconsistent = map(int, done.stdout.split())
    assert 62_000 < ok < 75_000  # five of eight are left alone
    assert unreachable > 10_000
    assert inconsistent > 1_000
