"""``write_calibration``, ``save_calibration_figures``: one self-contained page, or its figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gough.calibration.result import Calibration
from gough.report.calibrated import tables, words
from gough.report.calibrated.gallery import NEXT, gallery
from gough.report.calibrated.joints import spreads
from gough.report.calibrated.tilt import STILL
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


def write_calibration(
    calibration: Calibration, path: Any, *, title: str = "", command: str = ""
) -> Path:
    """Write the page of a calibration: one HTML file with everything in it.

    Residuals before and after as maps and over their standard deviations, every parameter with its
    standard deviation, ellipsoids of the joints, what cannot be known, and what to measure next.
    Nothing is fetched when it is opened, no script runs in it, and it appears whole or not at all.

    Args:
        calibration: from :func:`gough.calibrate`.
        path: of the file.
        title: of the page; by default made of the robot's label or name.
        command: that made it.

    Returns:
        The path.

    Raises:
        FileError: it cannot be written.
    """
    _check(calibration)
    return write_page(path, rendered("calibration.html", _facts(calibration, title, command)))


def save_calibration_figures(
    calibration: Calibration, folder: Any, *, format: str = "png"
) -> list[Path]:
    """Write the figures of a calibration's page into a folder, which is made if it is not there.

    Args:
        calibration: from :func:`gough.calibrate`.
        folder: where they go.
        format: ``"png"`` or ``"svg"``.

    Returns:
        Paths of the files, in the order of the page.
    """
    _check(calibration)
    return save_shown(gallery(calibration, calibration.next(NEXT)), folder, format)


def draw_calibration(calibration: Calibration, what: str = "") -> Figure:
    """One figure of a calibration; see :meth:`gough.Calibration.draw`."""
    found = gallery(calibration, calibration.next(NEXT))
    return draw_shown(found, what, "a calibration", calibration.nominal.name)


def _check(calibration: Any) -> None:
    check_result(calibration, Calibration, "calibration", "gough.calibrate")


def _facts(calibration: Calibration, title: str, command: str) -> dict[str, Any]:
    robot, proposals = calibration.nominal, calibration.next(NEXT)
    heading = str(title).strip() or f"Calibration of {robot.label or robot.name}"
    joints, _ = spreads(calibration)
    groups = tables.parameters(calibration)
    return {
        **usual_facts(robot, gallery(calibration, proposals), title=heading, command=command),
        "verdict": words.verdict(calibration),
        "good": words.explained(calibration),
        "summary": words.summary(calibration),
        "tiles": words.tiles(calibration),
        "attention": words.attention(calibration),
        "heads": tables.HEADS,
        "groups": groups,
        "count": len(calibration.parameters),
        "folded": len(calibration.parameters) > tables.MANY,
        "placed": tables.placed(calibration),
        "frames": tables.frames(joints) if joints else None,
        "still": not calibration.parasitic.rotates and calibration.parasitic.tilt <= STILL,
        "unknown": [each.words for each in calibration.combinations],
        "observability": tables.observability(calibration),
        "proposals": tables.proposals(calibration, proposals) if proposals else None,
        "inputs": tables.went_in(calibration),
    }
