"""The table of operation counts is what the programs take."""

import re
from pathlib import Path

import pytest

import gough
from scripts import load_script

counts = load_script("operation_counts")


@pytest.mark.parametrize(
    ("table", "name"), [(table, name) for table in counts.TABLES for name in table.robots]
)
def test_the_tables_are_up_to_date(table, name):
    assert not table.stale(name), "run: python docs/operation_counts.py"


def test_observed_legs_take_no_trigonometry_and_no_more_than_the_paper_says():
    """[OZ] Table 3: 404 additions, 656 multiplications, no sine, no cosine."""
    found = {row[1]: row[2:] for row in counts.METHODS.written("five_bar")}
    add, mul, *_, functions = found["`elements`, legs observed"]
    assert int(add) < 404
    assert int(mul) < 656
    assert functions == "0"
    assert found["`elements`, from encoders"][-1] == "4"


@pytest.mark.parametrize("name", counts.AT_ONCE)
def test_screws_leg_by_leg_take_less_than_all_joints_at_once(name):
    """The economy of [GA] section 6; a single loop is one system either way."""
    one_loop = {"five_bar", "spherical_2dof"}
    found = {row[1]: sum(map(int, row[2:5])) for row in counts.OF_SCREWS.written(name)}
    for what in counts.SCREWS.values():
        before, now = found[f"{what}, all joints at once"], found[f"{what}, leg by leg"]
        assert now < (1.3 if name in one_loop else 0.9) * before
    if name in ("delta", "gough_stewart"):
        assert found["inverse, leg by leg"] < 0.5 * found["inverse, all joints at once"]


def test_a_wrong_figure_is_noticed():
    right = counts.rows("five_bar")
    wrong = [[*row[:3], str(int(row[3]) + 100), *row[4:]] for row in right]
    table = counts.METHODS._replace(rows=lambda name: wrong)
    assert len(table.stale("five_bar")) == len(right)


def test_the_header_that_the_page_shows_is_what_is_written(tmp_path):
    page = (Path(counts.__file__).parent / "kernels.md").read_text(encoding="utf-8")
    shown = page[page.index("```c\n/*") + 5 :]
    shown, prototype, _ = re.split(r"(int .*?;)", shown[: shown.index("```")], flags=re.DOTALL)
    _, header = gough.export_c(gough.zoo.load("five_bar"), "inverse_dynamics", tmp_path)
    text = header.read_text(encoding="utf-8")
    for line in shown.splitlines():
        assert line.removesuffix("...") in text
    assert " ".join(prototype.split()) in text
