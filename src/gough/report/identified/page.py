"""``write_identification``, ``save_identification_figures``: one page, or its figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gough.identification.result import Identification
from gough.report.gallery import Shown
from gough.report.identified import tables, words
from gough.report.identified.gallery import gallery
from gough.report.results import Results

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
    return _RESULTS.write(identification, path, title, command)


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
    return _RESULTS.save(identification, folder, format)


def draw_identification(identification: Identification, what: str = "") -> Figure:
    """One figure of an identification; see :meth:`gough.Identification.draw`."""
    return _RESULTS.draw(identification, what)


def _facts(identification: Identification) -> tuple[Iterator[Shown], dict[str, Any]]:
    return gallery(identification), {
        "inputs": tables.went_in(identification),
        "errors": tables.errors(identification),
        "parameters": tables.base_parameters(identification),
        "bodies": tables.bodies(identification),
        "axes": tables.axes(identification),
        "gains": tables.gains(identification),
        "unknown": words.unknown(identification),
        "many": tables.MANY,
    }


_RESULTS = Results(
    *(Identification, "identification", "an identification", "gough.identify", words),
    robot=lambda each: each.base.robot,
    gallery=gallery,
    facts=_facts,
)
