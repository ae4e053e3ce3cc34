"""Listings are true: their text, run as Python, gives the numbers of gough."""

import math
import re
import sys

import numpy as np
import pytest

import gough
from gough.compiler.tracing.interpreter import run
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities.variant import Variant
from gough.errors import InputError
from gough.evaluation.compile import whole_program
from gough.evaluation.exports.export import example_state
from gough.evaluation.listings.names import Namer
from gough.evaluation.listings.noted import NotedGraph, citations
from robots import random_freedoms, relative, robot


def evaluated(listing: gough.Listing, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Outputs of a listing's text, as Python finds them."""
    names = {key: getattr(math, key) for key in dir(math) if not key.startswith("_")}
    names["sign"] = lambda x: float(np.sign(x))
    for port, scalars in listing.inputs.items():
        names |= dict(zip(scalars, map(float, np.asarray(inputs[port]).flat), strict=True))
    exec(listing.text(), names)
    return {port: np.array([names[n] for n in own]) for port, own in listing.outputs.items()}


def _motion(name):
    return gough.state(robot(name), *(a[0] for a in random_freedoms(name, 1, 0.04)))


def _inputs(state):
    return dict(zip(("T_0p", "V_0p", "Vdot_0p"), state.arrays, strict=True))


@pytest.mark.parametrize("method", METHODS)
def test_efforts_by_every_method(method):
    r, motion = robot("five_bar"), _motion("five_bar")
    found = evaluated(gough.listing(r, method=method), _inputs(motion))["tau"]
    # rounding: the same operations as the program
    with gough.options(engine="numpy"):
        assert relative(found, gough.inverse_dynamics(r, motion)) < 1e-12


@pytest.mark.parametrize(
    ("name", "quantity"),
    [
        ("delta", "inverse_kinematics"),
        ("tilt_3rps", "cartesian_model"),
    ],
)
def test_other_quantities(name, quantity):
    """With angles, matrices and a pose that loops decide: what the kernel's program computes."""
    r = robot(name)
    program = whole_program(r.assembly, quantity, Variant())
    state = example_state(r.assembly, program)
    found = evaluated(gough.listing(r, quantity), state)
    for key, expected in run(program, state).items():
        if key != "doubt":
            size = np.abs(expected).max()
            assert np.abs(found[key] - expected.reshape(-1)).max() < 1e-11 * size, key


def test_parameters_and_loads_are_symbols():
    r = robot("five_bar")
    loads = gough.Loads([gough.Force("dist2")], payload=0.0, friction=False)
    listing = gough.listing(r, loads=loads, parameters=("masses", "gravity"))
    assert listing.inputs["masses"] == ["m_prox1", "m_dist1", "m_prox2", "m_dist2"]
    assert listing.inputs["gravity"] == ["g_x", "g_y", "g_z"]
    given = _inputs(_motion("five_bar")) | {
        "point_0": [0.1, 0.02, 0.0],
        "f_0": [1.0, -2.0, 0.0],
        "n_0": [0.0, 0.0, 0.3],
        "mass": [0.4],
        "center": [0.01, 0.02, 0.0],
        "inertia": 0.001 * np.eye(3),
        "masses": [1.0, 0.7, 1.3, 0.5],
        "gravity": [0.3, -9.0, 0.0],
    }
    found = evaluated(listing, given)["tau"]
    kernel = gough.compile(r, "inverse_dynamics", loads=loads, parameters=("masses", "gravity"))
    assert relative(found, kernel(**given)["tau"]) < 1e-12


def test_symbols_and_equations_of_the_papers():
    text = gough.listing(robot("five_bar")).text()
    headings = re.findall(r"^# (.*)$", text, re.MULTILINE)
    assert any("[BK] (4)-(5), [KI] (18)-(19)" in line for line in headings)  # rates of all links
    assert any(line.startswith("Motor efforts") and "[KI] (21)-(22)" in line for line in headings)
    assert re.search(r"^W_p_1 = .*# \d+  \[BK\] \(10\), \[KI\] \(12\)$", text, re.MULTILINE)
    assert re.search(r"^H_2_1 = .*\[KI\] \(7\)$", text, re.MULTILINE)
    assert re.search(r"^tau_1 = H_1_1 \+ ", text, re.MULTILINE)  # [KI] (22)
    for name in ("J_inv_1_1", "c_foot1", "s_foot2", "qd_foot1", "qdd_foot2"):
        assert re.search(rf"^{name} = ", text, re.MULTILINE), name
    numbers = [int(n) for n in re.findall(r"^\w+ = .*# (\d+)(?:  \[.*)?$", text, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert "cos(theta)" in text
    assert max(map(len, re.findall(r"^\w+ = .*?(?= +# )", text, re.MULTILINE))) < 110


def test_head_counts_first_and_warns_of_long_ones():
    short, long = gough.listing(robot("five_bar")), gough.listing(robot("delta"))
    assert not short.is_long
    assert long.is_long
    assert "operations; a small robot" in long.head[1]
    assert str(short).startswith("# inverse_dynamics of five_bar, method legs: ")
    assert repr(short) == (
        f"<Listing of inverse_dynamics of five_bar: {len(short)} lines, "
        f"{sum(short.operations)} operations>"
    )


def test_markdown_and_latex():
    listing = gough.listing(robot("five_bar"), "motor_rates")
    markdown, latex = listing.text("markdown"), listing.text("latex")
    code = re.findall(r"^```python\n(.*?)^```", markdown, re.MULTILINE | re.DOTALL)
    rows = [line for block in code for line in block.splitlines()]
    assert len(rows) == len(listing)
    assert len(code) == markdown.count("\n## ") == latex.count(r"\begin{align*}")
    assert latex.count("&=") == len(listing)
    assert latex.count(r"\left(") == latex.count(r"\right)")
    assert r"\omega_{z}" in latex
    with pytest.raises(InputError, match="unknown format"):
        listing.text("pdf")


def test_functions_of_your_own():
    def own(u, M):
        return {"y": np.stack([-u[0] - -u[1], u[0] / (u[1] / M[0, 1]), u[0] - (u[1] - M[1, 0])])}

    program = gough.trace.function("own", own, {"u": (2,), "M": (2, 2)})
    inputs = {"u": np.array([0.3, 0.7]), "M": np.array([[1.0, 2.0], [3.0, 4.0]])}
    found = evaluated(gough.trace.listing(program), inputs)
    np.testing.assert_array_equal(found["y"], run(program, inputs)["y"])


def test_a_program_is_one_line():
    line = repr(gough.trace.program(robot("five_bar"), "motor_rates"))
    assert "\n" not in line
    assert line.startswith("<Program motor_rates of five_bar: T_0p (4, 4), coordinates (6,), ")
    assert re.search(r"-> qd \(2,\); \d+ operations>$", line)
    whole = whole_program(robot("five_bar").assembly, "motor_rates", Variant())
    assert "motor_rates of five_bar: T_0p (4, 4), V_0p (6,)" in repr(whole)


def test_watching_leaves_nothing_behind():
    """Not even where equations raise; and somebody's own profiler comes back."""
    seen = []

    def mine(*event):
        seen.append(event)

    sys.setprofile(mine)
    try:
        with pytest.raises(ZeroDivisionError), NotedGraph().watching():
            math.fsum([1.0]) / 0.0
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(None)


def test_citations_are_put_in_order():
    text = "code(6)  # [KI] (12), (7) and (9)-(10); [BK] (3)\n # see (4), [BK] (1)"
    assert citations(text) == "[KI] (7), (9)-(10), (12), [BK] (1), (3)"
    assert citations("# [GA] (28), (27)-(31), (27)-(29)") == "[GA] (27)-(31)"
    assert citations("np.zeros(6)  # no paper (3)") == ""


def test_names_are_given_once():
    namer = Namer()
    assert [namer("W_p"), namer("W_p"), namer("sin"), namer("a.b")] == [
        "W_p",
        "W_p__2",
        "sin__2",
        "a_b",
    ]
