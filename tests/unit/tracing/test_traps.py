"""The silent traps of CasADi arrays: they still exist, and no traceable file steps into one."""

import ast
import warnings
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
TRACEABLE = [
    "src/gough/closure/axes.py",
    "src/gough/closure/blocks.py",
    "src/gough/closure/coordinates.py",
    "src/gough/closure/equations.py",
    "src/gough/closure/gauges.py",
    "src/gough/closure/recursion.py",
    "src/gough/closure/rows.py",
    "src/gough/closure/solution.py",
    "src/gough/dynamics/all_rates.py",
    "src/gough/dynamics/axes.py",
    "src/gough/dynamics/elements/dynamics.py",
    "src/gough/dynamics/elements/kinematics.py",
    "src/gough/dynamics/elements/variables.py",
    "src/gough/dynamics/legs/dynamics.py",
    "src/gough/dynamics/legs/inertia.py",
    "src/gough/dynamics/newton_euler.py",
    "src/gough/dynamics/screws/dynamics.py",
    "src/gough/dynamics/screws/kinematics.py",
    "src/gough/dynamics/state_loads.py",
    "src/gough/dynamics/tree/dynamics.py",
    "src/gough/geometry/closed_form/steps.py",
    "src/gough/kinematics/motion.py",
    "src/gough/tracing/quantities.py",
    "src/gough/tracing/traced.py",
]
TRACEABLE_PARTS = {
    "src/gough/dynamics/tree/kinematics.py": {"CutState", "carried_over", "_platform_rows"},
    "src/gough/dynamics/elements/tips.py": {"PoseFromLegs", "triad", "_lead", "_in_base"},
    "src/gough/linalg.py": {"Factor", "Symmetric", "least_squares", "minimum_norm"},
    "src/gough/dynamics/masses.py": {"with_body", "_carried", "_added"},
    "src/gough/dynamics/energy.py": {"of_motion", "_kinetic"},
    "src/gough/tracing/doubt.py": {"of_pose", "of_closure", "of_twist", "of_factor", "of_pivots"},
    "src/gough/screw.py": {
        "revolute",
        "prismatic",
        "helical",
        "moved",
        "bracket",
        "klein",
        "from_twist",
        "to_twist",
        "to_twist_rate",
    },
    "src/gough/geometry/closed_form/loops.py": {
        "displaced",
        "undisplaced",
        "moved",
        "_slid",
        "rightwards",
        "leftwards",
    },
    "src/gough/geometry/closed_form/search.py": {"ClosedForm"},
    "src/gough/spatial.py": {"cross", "skew", "unskew", "turn_z", "cayley", "homogeneous"},
}
FORBIDDEN = {
    "array": "fails on symbols: use np.stack",
    "asarray": "fails on symbols",
    "sum": "fails on lists of symbols: add them up",
    "ix_": "selects wrongly",
    "einsum": "not for symbols",
    "where": "evaluates both branches; choose by data",
    "isfinite": "asks a symbol for its value",
    "shape": "sees a symbol as two-dimensional: use x.shape",
    "linalg": "expands to hundreds of instructions: use gough.linalg",
}
# numbers only, by their docstring or by what they return
NUMBERS_ONLY = {
    "home_value",
    "neutral",
    "scale_of_rates",
    "is_flipped",
    "coordinates",
    "constraint_plan",
}


def _nodes(path):
    tree = ast.parse((ROOT / path).read_text())  # an absolute path stays what it is
    parts = TRACEABLE_PARTS.get(path)
    for top in tree.body:
        name = getattr(top, "name", None)
        if parts is not None and name not in parts:
            continue
        if name not in NUMBERS_ONLY:
            yield top


@pytest.mark.parametrize("path", [*TRACEABLE, *TRACEABLE_PARTS])
def test_no_call_that_symbols_do_not_survive(path):
    for top in _nodes(path):
        for node in ast.walk(top):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "np"
                and node.attr in FORBIDDEN
            ):
                pytest.fail(f"{path}:{node.lineno}: np.{node.attr} {FORBIDDEN[node.attr]}")


@pytest.mark.parametrize("path", [*TRACEABLE, *TRACEABLE_PARTS])
def test_entries_are_stored_in_lists_only(path):
    """``a[i] = x`` into an array loses symbols; into a list or a dictionary it does not."""
    for top in _nodes(path):
        lists = {
            target.id
            for node in ast.walk(top)
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_list(node.value)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(top):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                name = _base_name(node.value)
                is_dict = isinstance(node.slice, ast.Name) and node.slice.id in ("name", "key")
                assert name in lists or is_dict, f"{path}:{node.lineno}: stores into {name}"


def _base_name(node):
    """Name of the list, or list of lists, that is stored into."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return getattr(node, "id", None)


def _is_list(node):
    if isinstance(node, ast.BinOp):
        return _is_list(node.left)
    return isinstance(node, (ast.List, ast.ListComp, ast.Dict, ast.DictComp))


def test_the_lint_sees_a_trap(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("def f(x):\n    a = np.zeros(3)\n    a[0] = x\n    return np.array([x])\n")
    with pytest.raises(pytest.fail.Exception, match=r"np.array"):
        test_no_call_that_symbols_do_not_survive(bad)
    with pytest.raises(AssertionError, match="stores into a"):
        test_entries_are_stored_in_lists_only(bad)


@pytest.fixture
def symbols():
    import casadi as ca

    before = ca.GlobalOptions.getNumpyMode()
    ca.GlobalOptions.setNumpyMode(1)
    yield ca.array(ca.SX.sym("x", 9)).reshape(9)
    ca.GlobalOptions.setNumpyMode(before)


class TestTheTrapsAreStillThere:
    """If one of these fails, CasADi has changed: read its notes, then relax the lint."""

    def test_storing_into_zeros_loses_the_symbol(self, symbols):
        a = np.zeros(3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a[0] = symbols[0]
        assert np.isnan(a[0])

    def test_np_shape_sees_two_dimensions(self, symbols):
        assert symbols[:3].shape == (3,)
        assert np.shape(symbols[:3]) != (3,)

    def test_slices_are_copies(self, symbols):
        part = symbols[:3]
        part[0] = 0.125
        assert "0.125" in str(part)
        assert "0.125" not in str(symbols)

    def test_index_lists_select_an_outer_product(self, symbols):
        assert symbols.reshape(3, 3)[[0, 2], [1, 1]].shape != (2,)
