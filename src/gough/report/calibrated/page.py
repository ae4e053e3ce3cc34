"""``write_calibration``, ``save_calibration_figures``: one self-contained page, or its figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gough.calibration.result import Calibration
from gough.report.calibrated import tables, words
from gough.report.calibrated.gallery import NEXT, gallery
from gough.report.calibrated.joints import spreads
from gough.report.calibrated.tilt import STILL
from gough.report.gallery import Shown
from gough.report.results import Results

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
    return _RESULTS.write(calibration, path, title, command)


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
    return _RESULTS.save(calibration, folder, format)


def draw_calibration(calibration: Calibration, what: str = "") -> Figure:
    """One figure of a calibration; see :meth:`gough.Calibration.draw`."""
    return _RESULTS.draw(calibration, what)


def _facts(calibration: Calibration) -> tuple[Iterator[Shown], dict[str, Any]]:
    proposals = calibration.next(NEXT)
    joints, _ = spreads(calibration)
    groups = tables.parameters(calibration)
    return gallery(calibration, proposals), {
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


_RESULTS = Results(
    *(Calibration, "calibration", "a calibration", "gough.calibrate", words),
    robot=lambda each: each.nominal,
    gallery=lambda each: gallery(each, each.next(NEXT)),
    facts=_facts,
)
