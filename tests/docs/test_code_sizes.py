"""The table of code sizes is what exported files measure."""

import pytest

from scripts import load_script

sizes = load_script("code_sizes")


# every row takes seconds of a compiler: a Delta, a planar robot, and the odd one
@pytest.mark.parametrize("name", ["delta", "three_rrr", "c5"])
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
