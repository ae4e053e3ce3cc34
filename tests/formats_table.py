"""Which robot of the zoo fits into which format, and what real files are checked against.

python tests/formats_table.py --write      # writes the tables of docs/formats.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from gough.errors import FileError
from gough.zoo.registry import names
from round_trips import FORMATS, round_trip

PAGE = Path(__file__).resolve().parents[1] / "docs" / "formats.md"
BEGIN, END = "<!-- formats: tests/formats_table.py -->", "<!-- end of formats -->"


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


def written() -> str:
    """The table as it stands in the page."""
    text = PAGE.read_text(encoding="utf-8")
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip()


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/formats_table.py --write")
    _text = PAGE.read_text(encoding="utf-8")
    _head, _tail = _text[: _text.index(BEGIN) + len(BEGIN)], _text[_text.index(END) :]
    PAGE.write_text(f"{_head}\n{table()}\n{_tail}", encoding="utf-8")
