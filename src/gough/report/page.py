"""``write_report`` and ``save_figures``: one self-contained page, or figures as files."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gough._version import __version__
from gough.analysis.result import Analysis
from gough.base.arguments import one_of
from gough.base.tables.whole import file_name, make_folder, write_whole
from gough.errors import GoughError
from gough.report import bearings, elastic, words
from gough.report.gallery import Material, Shown, gallery, material
from gough.report.inline import as_bytes, as_drawing, as_picture
from gough.report.inputs import inputs
from gough.report.motors import geared
from gough.report.style import quiet_style
from gough.report.tidy import tidy
from gough.robot import Robot
from gough.singularity.crossing.result import Crossing

_TEMPLATES = Path(__file__).parent
_PACKAGES = ("numpy", "casadi", "llvmlite", "matplotlib")
FORMATS = ("png", "svg")


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

    Returns:
        The path.

    Raises:
        FileError: it cannot be written.
    """
    file = Path(file_name(path))
    content = page(
        material(robot, analysis, simulation, crossing, without),
        title=title,
        command=command,
        scenario_text=scenario_text,
    )
    write_whole(file, content.encode("utf-8", errors="replace"))
    return file


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
    one_of(format, "format", FORMATS)
    place = Path(file_name(folder))
    drawn = []
    with quiet_style():
        for one in gallery(material(robot, analysis, simulation, without=without)):
            drawn.append((place / f"{one.key}.{format}", as_bytes(tidy(one.make()), format)))
    make_folder(place, "Name a folder that you may write to.")
    for file, content in drawn:
        write_whole(file, content)
    return [file for file, _ in drawn]


def page(m: Material, *, title: str = "", command: str = "", scenario_text: str = "") -> str:
    """The text of a report."""
    return rendered("page.html", _facts(m, title, command, scenario_text))


def rendered(template: str, facts: dict[str, Any]) -> str:
    """The text of a page, made of a template of this folder; words of users stay words."""
    try:
        from jinja2 import (  # noqa: PLC0415  heavy: on first use
            Environment,
            FileSystemLoader,
            StrictUndefined,
        )
    except ImportError as err:
        raise GoughError(
            "a report needs jinja2, which is not installed",
            hint="pip install jinja2",
            package="jinja2",
        ) from err
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(facts)


def _facts(m: Material, title: str, command: str, scenario_text: str) -> dict[str, Any]:
    analysis, robot = m.analysis, m.robot
    sides = [("axis", "At the joints' axes")]
    sides += [("motor", "On the motors' shafts, behind the transmissions")] * geared(m.main)
    sections: dict[str, list[dict[str, str]]] = {}
    for one in gallery(m):
        sections.setdefault(one.section, []).append(framed(one))
    return {
        "title": str(title).strip() or robot.label or robot.name,
        "robot": robot,
        "motion": analysis.label if analysis is not None else "",
        "date": datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
        "verdict": words.verdict(m),
        "summary": words.summary(m),
        "tiles": words.tiles(m),
        "obstacles": words.obstacles(m),
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
        "sections": sections,
        "command": str(command),
        "scenario_text": str(scenario_text),
        "versions": versions(),
    }


def framed(one: Shown) -> dict[str, str]:
    """A figure ready for the page; drawings are markup of ours, without words of users."""
    from markupsafe import Markup  # noqa: PLC0415  comes with jinja2

    with quiet_style():
        figure = tidy(one.make())
        content = as_picture(figure) if one.raster else Markup(as_drawing(figure, one.key))
    return {"key": one.key, "caption": one.caption, "content": content, "raster": str(one.raster)}


def versions() -> list[tuple[str, str]]:
    """Programs that a page was made with."""
    found = [("gough", __version__), ("Python", platform.python_version())]
    for name in _PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found
