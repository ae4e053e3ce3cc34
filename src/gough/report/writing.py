"""What pages of all results share: how they are written, and their figures one by one."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gough._version import __version__
from gough.analysis.result import Analysis
from gough.base.arguments import check_known, one_of
from gough.base.tables.whole import file_name, make_folder, write_whole
from gough.errors import GoughError, InputError, shown, visible
from gough.report import motors
from gough.report.gallery import Shown, gallery, material
from gough.report.inline import as_bytes, as_drawing, as_picture
from gough.report.parts import PARTS
from gough.report.style import quiet_style
from gough.report.tidy import tidy
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg")

_TEMPLATES = Path(__file__).parent
_PACKAGES = ("numpy", "casadi", "llvmlite", "matplotlib")


def check_result(given: Any, wanted: type, argument: str, door: str) -> None:
    """Refuse what is no result of a kind.

    Args:
        given: by the user.
        wanted: its type.
        argument: what the caller calls it.
        door: the function that gives such a result: ``gough.calibrate``.
    """
    if not isinstance(given, wanted):
        raise InputError(
            f"{argument} is {shown(given)}, expected what {door}(...) gives", argument=argument
        )


def write_page(path: Any, content: str) -> Path:
    """Write the text of a page, whole or not at all; its path."""
    file = Path(file_name(path))
    write_whole(file, content.encode("utf-8", errors="replace"))
    return file


def save_shown(found: Iterable[Shown], folder: Any, format: str) -> list[Path]:
    """Write figures into a folder, which is made if it is not there; their paths."""
    one_of(format, "format", FORMATS)
    place = Path(file_name(folder))
    with quiet_style():
        drawn = [
            (place / f"{one.key}.{format}", as_bytes(tidy(one.make()), format)) for one in found
        ]
    make_folder(place, "Name a folder that you may write to.")
    for file, content in drawn:
        write_whole(file, content)
    return [file for file, _ in drawn]


def draw_shown(found: Iterable[Shown], what: str, result: str, name: str) -> Figure:
    """One of several figures, the first if ``what`` is empty.

    Args:
        found: the figures.
        what: key of the figure.
        result: what they are of, for errors: ``a calibration``.
        name: of the robot.
    """
    known = []
    for one in found:
        if what in ("", one.key):
            with quiet_style():
                return tidy(one.make())
        known.append(one.key)
    check_known(what, known, f"{result} has no figure", "what")
    raise InputError(f"{name}: no figure", argument="what")


def draw_analysis(analysis: Analysis, what: str = "") -> Figure:
    """One figure of an analysis: of its motors, or one that its report has, by its key."""
    # a section of the workspace takes longer than all figures of the motion
    m = material(analysis.robot, analysis, None, without=[part for part in PARTS if part != what])
    wrong = [violation.time for violation in analysis.violations if violation.kind != "motor_rms"]
    own = Shown("motors", "motors", "", lambda: motors.overview(m.main, analysis.q, wrong))
    return draw_shown(chain([own], gallery(m)), what, "an analysis", analysis.robot.name)


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
        # drawings and what macros made are markup: their words have been here before
        finalize=lambda word: visible(word) if type(word) is str else word,
    )
    return environment.get_template(template).render(facts)


def usual_facts(
    robot: Robot, found: Iterable[Shown], *, title: str, command: str
) -> dict[str, Any]:
    """What every page has: title, robot, date, figures by their sections, and its origin."""
    sections: dict[str, list[dict[str, str]]] = {}
    for one in found:
        sections.setdefault(one.section, []).append(framed(one))
    return {
        "title": title,
        "robot": robot,
        "date": datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
        "sections": sections,
        "command": str(command),
        "versions": _versions(),
    }


def framed(one: Shown) -> dict[str, str]:
    """A figure ready for the page; drawings are markup of ours, without words of users."""
    from markupsafe import Markup  # noqa: PLC0415  comes with jinja2

    with quiet_style():
        figure = tidy(one.make())
        content = as_picture(figure) if one.raster else Markup(as_drawing(figure, one.key))
    return {"key": one.key, "caption": one.caption, "content": content, "raster": str(one.raster)}


def _versions() -> list[tuple[str, str]]:
    """Programs that a page was made with."""
    found = [("gough", __version__), ("Python", platform.python_version())]
    for name in _PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found
