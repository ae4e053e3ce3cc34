"""The table of robots and methods is what the tests measure."""

import re

import pytest

import gough
from conftest import need_reference
from engines import need_engine
from gough.dynamics.methods import METHODS
from methods_table import answers, deviation, written


@pytest.fixture(autouse=True)
def _others() -> None:
    need_reference()
    need_engine("pinocchio")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_every_robot_and_every_method_is_there():
    head, _, *rows = (_cells(line) for line in written())
    assert head[3:-1] == [f"`{method}`" for method in METHODS]
    assert [row[0] for row in rows] == [f"`{name}`" for name in gough.zoo.names()]


@pytest.mark.parametrize("name", gough.zoo.names())
def test_figures_hold(name):
    row = next(r for r in map(_cells, written()) if r[0] == f"`{name}`")
    assert row[-1] == answers(name)[2]
    for method, cell in zip(METHODS, row[3:-1], strict=True):
        assert deviation(name, method) < float(cell.removeprefix("< ")), method
