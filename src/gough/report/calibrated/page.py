"""``write_calibration``, ``save_calibration_figures``: one self-contained page, or its figures."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gough.base.arguments import one_of
from gough.base.tables.whole import file_name, make_folder, write_whole
from gough.calibration.result import Calibration
from gough.errors import InputError, shown
from gough.report.calibrated import tables, words
from gough.report.calibrated.gallery import NEXT, gallery
from gough.report.calibrated.joints import spreads
from gough.report.calibrated.tilt import STILL
from gough.report.inline import as_bytes
from gough.report.page import FORMATS, framed, rendered, versions
from gough.report.style import quiet_style
from gough.report.tidy import tidy
from gough.robot.names import check_known

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
    file = Path(file_name(path))
    content = rendered("calibration.html", _facts(calibration, title, command))
    write_whole(file, content.encode("utf-8", errors="replace"))
    return file


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
    one_of(format, "format", FORMATS)
    place = Path(file_name(folder))
    with quiet_style():
        drawn = [
            (place / f"{one.key}.{format}", as_bytes(tidy(one.make()), format))
            for one in gallery(calibration, calibration.next(NEXT))
        ]
    make_folder(place, "Name a folder that you may write to.")
    for file, content in drawn:
        write_whole(file, content)
    return [file for file, _ in drawn]


def draw_calibration(calibration: Calibration, what: str = "") -> Figure:
    """One figure of a calibration; see :meth:`gough.Calibration.draw`."""
    known = []
    for one in gallery(calibration, calibration.next(NEXT)):
        if what in ("", one.key):
            with quiet_style():
                return tidy(one.make())
        known.append(one.key)
    check_known(what, known, "a calibration has no figure", "what")
    raise InputError(f"{calibration.nominal.name}: no figure", argument="what")


def _check(calibration: Any) -> None:
    if not isinstance(calibration, Calibration):
        raise InputError(
            f"calibration is {shown(calibration)}, expected what gough.calibrate(...) gives",
            argument="calibration",
        )


def _facts(calibration: Calibration, title: str, command: str) -> dict[str, Any]:
    robot, proposals = calibration.nominal, calibration.next(NEXT)
    sections: dict[str, list[dict[str, str]]] = {}
    for one in gallery(calibration, proposals):
        sections.setdefault(one.section, []).append(framed(one))
    joints, _ = spreads(calibration)
    groups = tables.parameters(calibration)
    return {
        "title": str(title).strip() or f"Calibration of {robot.label or robot.name}",
        "robot": robot,
        "date": datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
        "verdict": words.verdict(calibration),
        "good": words.explained(calibration),
        "summary": words.summary(calibration),
        "tiles": words.tiles(calibration),
        "attention": words.attention(calibration),
        "sections": sections,
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
        "command": str(command),
        "versions": versions(),
    }
