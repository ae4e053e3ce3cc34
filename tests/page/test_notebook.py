"""Robots, motions and simulations in a notebook: what IPython takes of them runs in a browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

import gough
from page.browser import Browser, browser, number, require_browser

# What nbconvert writes around the outputs of cells.
_NOTEBOOK = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>notebook</title></head>
<body class="jp-Notebook"><main>{cells}</main></body></html>"""
_CELL = """<div class="jp-Cell jp-CodeCell jp-Notebook-cell"><div class="jp-OutputArea-child">
<div class="jp-RenderedHTMLCommon jp-RenderedHTML jp-OutputArea-output" tabindex="0">
{output}
</div></div></div>"""


def _shown(value: Any) -> str:
    """What a cell shows of its last value: HTML, as IPython's formatter takes it."""
    if os.environ.get("CI", "").lower() != "true":
        pytest.importorskip("IPython")
    from IPython.core.formatters import DisplayFormatter

    data, _ = DisplayFormatter().format(value)
    assert "text/plain" in data
    return str(data["text/html"])


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: Any) -> Iterator[tuple[Browser, dict[str, Any]]]:
    require_browser()
    robot = gough.zoo.load("five_bar")
    motion = gough.motion.circle(robot, radius=0.03, duration=0.5)
    given = {
        "robot": robot,
        "motion": motion,
        "simulation": gough.simulate(robot, motion.start, t_end=0.02),
    }
    cells = "".join(_CELL.format(output=_shown(each)) for each in given.values())
    file = tmp_path_factory.mktemp("notebook") / "notebook.html"
    file.write_text(_NOTEBOOK.format(cells=cells), "utf-8")
    with browser() as found:
        found.driver.get(file.as_uri())
        yield found, given


@pytest.fixture(params=["robot", "motion", "simulation"])
def cell(request: Any, notebook: tuple[Browser, dict[str, Any]]) -> Iterator[tuple[Browser, Any]]:
    """One of the pages, in its frame."""
    page, given = notebook
    frames = page.driver.find_elements("css selector", "iframe")
    assert len(frames) == len(given)
    frame = frames[[*given].index(request.param)]
    page.driver.execute_script("arguments[0].scrollIntoView()", frame)  # unseen, it draws nothing
    page.driver.switch_to.frame(frame)
    page.wait()
    yield page, given[request.param]
    page.driver.switch_to.default_content()


def test_a_cell_computes(cell: tuple[Browser, Any]) -> None:
    """WebAssembly and WebGL run inside a sandbox, under the policy of the page."""
    page, given = cell
    robot = given if isinstance(given, gough.Robot) else given.robot
    before = page.picture()
    (found,) = page.move("freedom-0", [0.02], ["freedom-0-value", "freedom-1-value", "effort-0"])
    x = [float(value) for _, value in found["numbers"][:2]]
    tau = gough.inverse_dynamics(robot, gough.state(robot, x))
    printed, half = number(found["numbers"][2][0])
    assert x[0] == pytest.approx(0.02, abs=1e-12)
    assert abs(printed - tau[0]) <= half * (1.0 + 1e-6)
    assert page.picture() != before
    if isinstance(given, gough.motion.Motion):
        (found,) = page.move("time", [37], ["clock", "effort-0"])
        t = float(found["numbers"][0][1])
        tau = gough.inverse_dynamics(robot, given(t))
        printed, half = number(found["numbers"][1][0])
        assert abs(printed - tau[0]) <= half * (1.0 + 1e-6)
    assert page.messages() == []


def test_a_cell_is_kept_apart(cell: tuple[Browser, Any]) -> None:
    page, given = cell
    assert page.ask("window.origin") == "null"  # of a sandbox: no cookies, no way to its parent
    assert page.ask("document.getElementById('play') !== null") == (
        not isinstance(given, gough.Robot)
    )


def test_a_notebook_asks_for_nothing(notebook: tuple[Browser, dict[str, Any]]) -> None:
    page, _ = notebook
    asked = [each for each in page.requests() if not each.startswith(("about:", "data:"))]
    assert asked == [page.driver.current_url]
    assert page.messages() == []
