"""``write_report`` and ``save_figures``: one self-contained page, or figures as files."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gough.analysis.result import Analysis
from gough.report import bearings, elastic, words
from gough.report.gallery import Material, gallery, material
from gough.report.inputs import inputs
from gough.report.motors import geared
from gough.report.writing import rendered, save_shown, usual_facts, write_page
from gough.robot import Robot
from gough.singularity.crossing.result import Crossing


def write_report(
    path: Any,
    *,
    robot: Robot,
    analysis: Analysis | None = None,
    simulation: Any = None,
    crossing: Crossing | None = None,
    title: str = "",
    command: str = "",
    scenario_text: str = "",
    without: Collection[str] = (),
    page: str = "",
) -> Path:
    """Write a report: one HTML file with everything in it.

    Nothing is fetched when it is opened, no script runs in it, and it appears whole or not at all.

    Args:
        path: of the file.
        robot: the machine.
        analysis: of a motion, from :func:`gough.analyse`.
        simulation: from :func:`gough.simulate`; an analysis, a simulation or both.
        crossing: from :func:`gough.crossing`, if the motion passes Type 2 singularities.
        title: of the page; the robot's label or name if not given.
        command: that made it.
        scenario_text: the scenario it was made from.
        without: parts to leave out: ``"workspace"``, ``"bearings"``, ``"elastic"``, ``"inputs"``.
        page: name of a file beside it that :func:`gough.view` wrote, to be linked.

    Returns:
        The path.

    Raises:
        FileError: it cannot be written.
    """
    content = report_text(
        material(robot, analysis, simulation, crossing, without),
        title=title,
        command=command,
        scenario_text=scenario_text,
        moving=page,
    )
    return write_page(path, content)


def save_figures(
    folder: Any,
    *,
    robot: Robot,
    analysis: Analysis | None = None,
    simulation: Any = None,
    format: str = "png",
    without: Collection[str] = (),
) -> list[Path]:
    """Write the figures of a report into a folder, which is made if it is not there.

    Args:
        folder: where they go.
        robot: the machine.
        analysis: of a motion; ``simulation``: one or both, as in :func:`write_report`.
        simulation: from :func:`gough.simulate`.
        format: ``"png"`` or ``"svg"``.
        without: parts to leave out, as in :func:`write_report`.

    Returns:
        Paths of the files, in the order of the report.
    """
    found = gallery(material(robot, analysis, simulation, without=without))
    return save_shown(found, folder, format)


def report_text(
    m: Material, *, title: str = "", command: str = "", scenario_text: str = "", moving: str = ""
) -> str:
    """The text of a report; ``moving`` is the name of a page beside it."""
    facts = _facts(m, title, command, scenario_text)
    return rendered("page.html", facts | {"moving": quote(str(moving))})


def _facts(m: Material, title: str, command: str, scenario_text: str) -> dict[str, Any]:
    analysis, robot = m.analysis, m.robot
    sides = [("axis", "At the joints' axes")]
    sides += [("motor", "On the motors' shafts, behind the transmissions")] * geared(m.main)
    heading, obstacles = str(title).strip() or robot.label or robot.name, words.obstacles(m)
    return {
        **usual_facts(robot, gallery(m), title=heading, command=command),
        "motion": analysis.label if analysis is not None else "",
        "good": not obstacles,
        "verdict": words.verdict(m),
        "summary": words.summary(m),
        "tiles": words.tiles(m),
        "obstacles": obstacles,
        "tables": [(heading, words.sizing_rows(m.main, side)) for side, heading in sides],
        "uses": words.use_rows(m.main),
        "simulated": words.simulated_rows(m),
        "worth": words.worth(m),
        "bearings": None if isinstance(m.bearings, str) else bearings.table(m.bearings),
        "no_bearings": m.bearings if isinstance(m.bearings, str) else "",
        "elastic": None if isinstance(m.elastic, str) else elastic.table(m.elastic),
        "vibrations": [] if isinstance(m.elastic, str) else elastic.sentences(m.elastic),
        "no_elastic": m.elastic if isinstance(m.elastic, str) else "",
        "no_workspace": m.workspace if isinstance(m.workspace, str) else "",
        "inputs": [] if "inputs" in m.without else inputs(m),
        "scenario_text": str(scenario_text),
    }
