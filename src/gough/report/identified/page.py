"""``write_identification``, ``save_identification_figures``: one page, or its figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gough.identification.result import Identification
from gough.report.identified import tables, words
from gough.report.identified.gallery import gallery
from gough.report.writing import (
    check_result,
    draw_shown,
    rendered,
    save_shown,
    usual_facts,
    write_page,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_identification(
    identification: Identification, path: Any, *, title: str = "", command: str = ""
) -> Path:
    """Write the page of an identification: one HTML file with everything in it.

    Efforts measured, predicted and as described, what is left of them over time, frequency and
    speed, every parameter beside its description, the bodies of the new robot, and what the logs do
    not show.  Nothing is fetched when it is opened, no script runs in it, and it appears whole or
    not at all.

    Args:
        identification: from :func:`gough.identify`.
        path: of the file.
        title: of the page; by default made of the robot's label or name.
        command: that made it.

    Returns:
        The path.

    Raises:
        FileError: it cannot be written.
    """
    _check(identification)
    facts = _facts(identification, title, command)
    return write_page(path, rendered("identification.html", facts))


def save_identification_figures(
    identification: Identification, folder: Any, *, format: str = "png"
) -> list[Path]:
    """Write the figures of an identification's page into a folder, which is made if need be.

    Args:
        identification: from :func:`gough.identify`.
        folder: where they go.
        format: ``"png"`` or ``"svg"``.

    Returns:
        Paths of the files, in the order of the page.
    """
    _check(identification)
    return save_shown(gallery(identification), folder, format)


def draw_identification(identification: Identification, what: str = "") -> Figure:
    """One figure of an identification; see :meth:`gough.Identification.draw`."""
    name = identification.base.robot.name
    return draw_shown(gallery(identification), what, "an identification", name)


def _check(identification: Any) -> None:
    check_result(identification, Identification, "identification", "gough.identify")


def _facts(identification: Identification, title: str, command: str) -> dict[str, Any]:
    robot, found = identification.base.robot, gallery(identification)
    heading = str(title).strip() or f"Identification of {robot.label or robot.name}"
    return {
        **usual_facts(robot, found, title=heading, command=command),
        "verdict": words.verdict(identification),
        "good": words.explained(identification),
        "summary": words.summary(identification),
        "tiles": words.tiles(identification),
        "attention": words.attention(identification),
        "inputs": tables.went_in(identification),
        "errors": tables.errors(identification),
        "parameters": tables.base_parameters(identification),
        "bodies": tables.bodies(identification),
        "axes": tables.axes(identification),
        "gains": tables.gains(identification),
        "unknown": words.unknown(identification),
        "many": tables.MANY,
    }
