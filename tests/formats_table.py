"""Which robot of the zoo fits into which format, and what real files are checked against.

python tests/formats_table.py --write      # writes the tables of docs/formats.md
"""

from __future__ import annotations

import sys
from pathlib import Path

import real_files
from gough.errors import FileError
from gough.zoo.registry import names
from round_trips import FORMATS, round_trip

PAGE = Path(__file__).resolve().parents[1] / "docs" / "formats.md"
MARKS = {
    "formats": ("<!-- formats: tests/formats_table.py -->", "<!-- end of formats -->"),
    "real files": ("<!-- real files: tests/formats_table.py -->", "<!-- end of real files -->"),
}


def table() -> str:
    """Robot by format: it comes back with the same efforts, or why it cannot be held."""
    head = ["robot", *FORMATS]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for name in names():
        cells = [_cell(round_trip(name, suffix)) for suffix in FORMATS.values()]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(found: object) -> str:
    if isinstance(found, FileError):
        what = found.reason.partition("cannot hold ")[2].partition(":")[0]
        return f"refused: {what}"
    return "yes"


def written(which: str) -> str:
    """A table as it stands in the page."""
    text, (begin, end) = PAGE.read_text(encoding="utf-8"), MARKS[which]
    return text[text.index(begin) + len(begin) : text.index(end)].strip()


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/formats_table.py --write")
    _text = PAGE.read_text(encoding="utf-8")
    for _which, _table in (("formats", table()), ("real files", real_files.table())):
        _begin, _end = MARKS[_which]
        _head = _text[: _text.index(_begin) + len(_begin)]
        _text = f"{_head}\n{_table}\n{_text[_text.index(_end) :]}"
    PAGE.write_text(_text, encoding="utf-8")
