"""What pages show as printed is what their code prints, and the pictures they show are there."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from printed import differences

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("loads.md", "motor-sizing.md")

FENCE = re.compile(r"^```(?P<kind>python|text)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_results_are_real(name, monkeypatch):
    monkeypatch.chdir(DOCS.parent)
    names: dict[str, object] = {"__name__": name}
    printed, compared = "", 0
    for fence in FENCE.finditer((DOCS / name).read_text(encoding="utf-8")):
        if fence["kind"] == "text":
            assert not differences(fence["body"], printed)
            printed, compared = "", compared + 1
            continue
        assert not printed, f"{name} does not show: {printed}"
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec(compile(fence["body"], name, "exec"), names)
        printed = told.getvalue()
    assert compared > 5


def test_a_wrong_result_is_noticed():
    assert not differences("a  [ 1.25 -0.  ]\n", "a [1.26  0. ]\n")
    assert not differences("off by 3.1e-16", "off by 8.0e-15")
    assert differences("a 1.25", "a 1.27")
    assert differences("at sample 7", "at sample 8")
    assert differences("a 1.25", "b 1.25")
    assert differences("1.2 3.4", "1.2")


@pytest.mark.parametrize("name", PAGES)
def test_pictures_are_there_and_of_moderate_size(name):
    text = (DOCS / name).read_text(encoding="utf-8")
    for picture in re.findall(r"\{image\} (\S+)", text):
        assert 1_000 < (DOCS / picture).stat().st_size < 80_000, picture
    assert name == "loads.md" or "figures/motor_sizing.png" in text
