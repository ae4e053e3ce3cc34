"""Each of these problems is solved in one place; what is counted is said in ``house_counts``."""

import ast
from pathlib import Path

import pytest

from house_counts import (
    code_lines,
    doubts_judged,
    natural_units,
    newton_loops,
    parsed,
    signatures,
    traces_caught,
    walks,
)

ROOT = Path(__file__).resolve().parents[2]

# Files that may compare a doubt with 1, and files that may hold a Newton loop on the closure of a
# machine.  Nothing is added here: a new room asks one of these.
JUDGES = {"base/conditions.py"}
CLOSERS = {
    "geometry/walk.py",
    "evaluation/loops/closing.py",
    "mechanism/mobility/newton.py",
    "modes/stepper.py",
    "geometry/joints_from_pose.py",
    # moves frames of joints until loops can be closed, and has newton.py close them
    "mechanism/mobility/ideal.py",
}


@pytest.fixture(scope="module")
def trees():
    return parsed(ROOT)


def test_doubts_are_judged_in_one_place(trees):
    found = doubts_judged(trees)
    assert not [str(place) for place in found if place.file not in JUDGES]
    assert {place.file for place in found} == JUDGES, "a file on the list judges no doubt any more"


def test_loops_are_closed_by_few(trees):
    found = newton_loops(trees)
    assert not [str(place) for place in found if place.file not in CLOSERS]
    assert {place.file for place in found} == CLOSERS, "a file on the list closes no loop any more"


def _found(count, code):
    return bool(count({"room/file.py": ast.parse(code)}))


@pytest.mark.parametrize(
    ("code", "judged"),
    [
        ("good = doubt < 1.0", True),
        ("bad = ~(found['doubt'].sum(axis=1) < 1)", True),
        ("if 1.0 > steps.doubt[last, each]: pass", True),
        ("def f(doubts):\n    total = doubts[:, 0] + doubts[:, 1]\n    return total < 1.0", True),
        ("def f(doubts):\n    most = doubts.max()\n    if not most < 1.0: pass", True),
        ("good = is_valid(found['doubt'])", False),
        ("good = is_valid(doubt).sum() > 1", False),
        ("def f(doubt):\n    n = count(doubt)\n    return n < 1", False),
        ("good = doubt < limit", False),
        ("good = undoubted < 1.0", False),
    ],
)
def test_a_doubt_that_is_compared_is_seen(code, judged):
    assert _found(doubts_judged, code) is judged


PLAIN = """
def close(topology, at, length):
    for _ in range(9):
        system = dense(at, length)
        at = at + np.linalg.lstsq(system.A, system.r)[0]
"""
SPREAD = """
class Closer:
    def led(self, y, goals):
        for goal in goals:
            y = self.stride(y, goal)
    def stride(self, y, goal):
        while self.off(y, goal) > 1e-9:
            y = y + self.step(y, goal)
    def step(self, y, goal):
        return np.linalg.solve(self.seen(y), goal)
    def seen(self, y):
        return self.kernel.run([y], {})["J"]
"""
KERNEL = """
def pose(call, T, q):
    for _ in range(5):
        T = call("forward_kinematics_step", {"T_0p": T, "q": q})
"""
CALLER = """
def walk(assembly, goals, here):
    for goal in goals:
        here = newton(assembly, goal, here, 1e-9)
"""
ALGEBRA = """
def fit(parts):
    for part in parts:
        yield np.linalg.lstsq(part.A, part.b)[0]
"""


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (PLAIN, ["close"]),
        (SPREAD, ["stride"]),
        (KERNEL, ["pose"]),
        (CALLER, []),
        (ALGEBRA, []),
    ],
)
def test_a_newton_loop_is_seen(code, names):
    found = newton_loops({"room/file.py": ast.parse(code)})
    assert [place.function for place in found] == names


SHORT = '''
"""About."""

X = 1
"""One."""
# why


def f(loads, *, rotors=True):
    """Do."""
    return (
        X
    )
'''


def test_what_else_is_counted():
    """The table of the counts means what it says."""
    assert code_lines(SHORT) == 5
    trees = {"room/file.py": ast.parse(SHORT)}
    assert (signatures(trees, "loads"), signatures(trees, "payload")) == (1, 0)
    assert _found(traces_caught, "try:\n    f()\nexcept (ValueError, TraceError):\n    pass")
    assert _found(traces_caught, "with suppress(TraceError):\n    f()")
    assert not _found(traces_caught, "raise TraceError('no')")
    assert _found(natural_units, "np.array([a.length] * 3 + [1.0] * 3)")
    assert _found(natural_units, "J / a.motor_scales[:, None] * a.freedom_scales")
    assert not _found(natural_units, "np.array([0.0] * 3)")


def test_the_walk_of_one_state_is_short_once_compiled():
    found = walks(ROOT)
    compiled, plain = found["one state, compiled"], found["one state, numpy"]
    assert 0 < compiled["functions"] <= compiled["calls"] < plain["calls"]
    for name, calls, files in (
        ("one state, compiled", 8, 5),
        ("one state, payload", 8, 5),
        ("1e5 states", 42, 10),
    ):
        assert found[name]["calls"] <= calls, name
        assert found[name]["files"] <= files, name
