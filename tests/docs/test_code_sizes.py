"""The table of code sizes is what exported files measure."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def load() -> ModuleType:
    """The script that writes the table, by its path."""
    spec = spec_from_file_location("code_sizes", DOCS / "code_sizes.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sizes = load()


# every row takes seconds of a compiler: a hexapod, a Delta, a planar robot, and the odd one
@pytest.mark.parametrize("name", ["gough_stewart", "delta", "three_rrr", "c5"])
def test_the_table_is_up_to_date(name):
    assert not sizes.stale(name), "run: python docs/code_sizes.py"


def test_a_wrong_figure_is_noticed(monkeypatch):
    right = sizes.written("three_rrr")
    monkeypatch.setattr(sizes, "rows", lambda name: right)
    assert not sizes.stale("three_rrr")
    wrong = [[*row[:3], "900 → 900", *row[4:]] for row in right]
    monkeypatch.setattr(sizes, "rows", lambda name: wrong)
    assert len(sizes.stale("three_rrr")) == len(right)


@pytest.mark.parametrize("name", ["gough_stewart", "hexapod_6rus", "delta"])
def test_shared_legs_make_less_than_half_of_the_code(name):
    for row in sizes.written(name):
        for cell in row[3:6]:  # lines, source, object
            flat, shared = map(float, cell.split("→"))
            assert shared < 0.5 * flat
