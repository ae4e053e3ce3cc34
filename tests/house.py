"""The plan of the house: its rooms in order, and the maps that are written from it.

    python tests/house.py --write      # writes the maps into CONTRIBUTING.md and the docs

A room imports only from rooms above it.  What a room holds is said in its own ``__init__``; the
maps take it from there, so that they cannot go stale.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "src" / "gough"

ORDER = (
    *("_version", "errors", "synonyms"),
    *(
        "base.started",
        "base.once",
        "base.arguments",
        "base.options",
        "base.batch",
        "base.tables",
        "base.cache",
    ),
    *("base.spatial", "base.turns"),
    *(
        "base.english",
        "base.result",
        "base.linalg",
        "base.conditions",
        "base.stop_gradient",
        "screw",
    ),
    *("compiler.tracing", "compiler.machine_code", "compiler.targets", "compiler"),
    *("robot", "mechanism.topology", "mechanism.closure", "mechanism.mobility"),
    *("states", "geometry", "kinematics", "dynamics", "robot.formats"),
    *("evaluation", "evaluation.loops", "evaluation.exports", "evaluation.listings", "functions"),
    "elastic",
    *(
        "motion",
        "elastic.in_motion",
        "modes",
        "simulation",
        "simulation.vision",
        "simulation.control",
    ),
    *("singularity", "singularity.workspace", "singularity.crossing"),
    *("analysis", "analysis.doctor", "timing", "build", "zoo"),
    *("calibration.measured", "calibration.kinds", "calibration.files", "calibration"),
    "identification",
    *("report.drawing", "report.view", "report", "cli.scenario", "cli"),
)
"""From the top of the house down; the first ones are leaves that know no robot."""

PLANNED = {
    "study": "many machines, many cores; after `analysis`",
}
"""Rooms to come, and their places."""

MAPS = ("CONTRIBUTING.md", "docs/how-it-works.md")
BEGIN, END = "<!-- rooms: tests/house.py -->", "<!-- end of rooms -->"


def rooms() -> list[str]:
    """Names of the rooms, from the top down."""
    names = dict.fromkeys(each.partition(".")[0] for each in ORDER)
    return [name for name in names if name != "_version"]


def about(path: Path) -> str:
    """What a room says it holds: the first line of its docstring."""
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].strip()


def inside(room: str) -> list[str]:
    """Folders of a room, in order where there is one."""
    found = [
        path.name
        for path in sorted((HOME / room).iterdir())
        if path.is_dir() and (path / "__init__.py").is_file()
    ]
    known = [each.partition(".")[2] for each in ORDER if each.startswith(f"{room}.")]
    return sorted(found, key=lambda name: known.index(name) if name in known else len(known))


def table() -> str:
    """The map: every room, what it holds, and what lies in it."""
    lines = ["| room | what it holds |", "|---|---|"]
    for room in rooms():
        lines.append(f"| **`{room}`** | {_cell(about(HOME / room))} |")
        if (HOME / room).is_dir() and room != "zoo":
            lines += [
                f"| `{room}/{part}` | {_cell(about(HOME / room / part))} |" for part in inside(room)
            ]
    lines += [f"| `{room}` (planned) | {what} |" for room, what in PLANNED.items()]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("``", "`").rstrip(".")


def written(page: str) -> str:
    """The map as it stands in a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip()


def write(page: str) -> None:
    """Write the map into a page."""
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    before, after = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
    path.write_text(f"{before}\n{table()}\n{after}", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/house.py --write")
    for _page in MAPS:
        write(_page)
