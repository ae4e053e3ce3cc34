"""The table of quantities and the public functions that answer them are kept alike."""

import inspect

import pytest

import gough
from gough.dynamics.quantities import PUBLIC, ROWS
from gough.dynamics.quantities.ports import PORTS
from gough.dynamics.quantities.row import quantity

OPTIONS = ("tau", "by", "method", "frame", "loads", "share", "out", "on_error", "progress")
"""Parameters that functions of states may have besides robot and state, in this order."""

FUNCTIONS = sorted(
    name
    for name, row in PUBLIC.items()
    if row.state_parts and inspect.isfunction(getattr(gough, name, None))
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_has_the_arguments_of_its_row(name):
    function, row = getattr(gough, name), ROWS[name]
    parameters = [*inspect.signature(function).parameters]
    assert parameters[:2] == ["robot", "state"]
    rest = [p for p in parameters[2:] if p not in ("parameters",)]
    known = [p for p in OPTIONS if p in rest]
    assert rest == known, f"{name}: options have one order in all functions"
    assert not row.loaded or "loads" in rest
    assert "tau" not in row.inputs or "tau" in rest
    text = inspect.getsource(function)
    assert "evaluate(" in text or "answered(" in text
    assert inspect.getdoc(function)


@pytest.mark.parametrize("name", ROWS)
def test_every_port_has_a_meaning_and_every_formula_a_sentence(name):
    row = ROWS[name]
    for port in row.outputs:
        assert PORTS[port].meaning
    assert inspect.getdoc(row.formula) or name.startswith("reactions")


def test_a_quantity_is_entered_once():
    with pytest.raises(ValueError, match="there twice"):
        quantity(("T_0p",), ("q",), name="energy")(lambda kin, model: {})
