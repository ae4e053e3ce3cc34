"""Templates: load without a remark, regular at home, and are not written over anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import gough
from conftest import ROOT
from gough import build
from gough.errors import DescriptionError, InputError
from gough.robot.file import loads

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


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gough.cli", "new", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT
    )


def test_gough_new(tmp_path: Path) -> None:
    done = run(tmp_path / "stewart", "--kind", "hexapod")
    assert done.returncode == 0
    assert f"gough check {tmp_path / 'stewart.yaml'}" in done.stdout
    assert gough.load(tmp_path / "stewart.yaml").name == "stewart"
    again = run(tmp_path / "stewart.yaml")
    assert again.returncode == 1
    assert "exists already" in again.stderr
    assert gough.load(tmp_path / "stewart.yaml").mobility == 6
    assert run(tmp_path / "stewart", "--force").returncode == 0
    assert gough.load(tmp_path / "stewart.yaml").mobility == 1
