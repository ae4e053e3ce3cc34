"""Templates: load without a remark, regular at home, and are not written over anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import gough
from gough import build
from gough.cli import app
from gough.errors import DescriptionError, FileError, InputError
from gough.robot.file import loads
from gough.robot.file.reading import read

MOBILITY = {"hexapod": 6, "delta": 3, "five_bar": 2, "three_rrr": 3, "blank": 1}


def test_every_template_is_listed() -> None:
    assert set(build.TEMPLATES) == set(MOBILITY)


@pytest.mark.parametrize("kind", build.TEMPLATES)
def test_template_loads_without_a_remark(kind: str) -> None:
    text = build.template(kind, "mine")
    robot = loads(text)
    page = gough.sheet(robot)
    assert page.name == "mine"
    assert page.mobility == MOBILITY[kind] == page.controlled
    assert page.remarks == ()
    assert page.constant_map or kind in ("five_bar", "blank")
    for unit in ("[m]", "[kg", "[m/s^2]"):
        assert unit in text


def test_unknown_templates_and_names() -> None:
    with pytest.raises(InputError, match="Did you mean 'hexapod'"):
        build.template("hexapd")
    with pytest.raises(DescriptionError, match="not a name"):
        build.template("blank", "my robot")


def run(*words: object) -> str:
    return CliRunner().invoke(app, ["new", *map(str, words)], catch_exceptions=False).stdout


def test_gough_new(tmp_path: Path) -> None:
    told = run(tmp_path / "stewart", "--kind", "hexapod")
    assert f"gough check {tmp_path / 'stewart.yaml'}" in told
    assert read(tmp_path / "stewart.yaml").name == "stewart"
    with pytest.raises(FileError, match="exists already"):
        run(tmp_path / "stewart.yaml")
    assert len(read(tmp_path / "stewart.yaml").joints) == 18
    run(tmp_path / "stewart", "--force")
    assert len(read(tmp_path / "stewart.yaml").joints) == 1


@pytest.mark.parametrize("name", ["my robot", "r\xf6bot", "3d", "x.json", "", "..", "while"])
def test_gough_new_wants_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(DescriptionError, match="not a name"):
        run(tmp_path / name if name else "")
    assert not list(tmp_path.iterdir())


def test_gough_new_says_why_it_cannot_write(tmp_path: Path) -> None:
    run(tmp_path / "new" / "folder" / "mine")
    assert (tmp_path / "new" / "folder" / "mine.yaml").is_file()
    with pytest.raises(FileError, match=r"cannot be written: mine\.yaml is not a folder") as caught:
        run(tmp_path / "new" / "folder" / "mine.yaml" / "other")
    assert "May you write there" in caught.value.hint
