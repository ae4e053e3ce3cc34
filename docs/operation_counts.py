"""The table of operation counts in methods.md: every method, four robots, and what is published.

python docs/operation_counts.py            # counts again and writes the table
python docs/operation_counts.py --check    # fails if the table is out of date
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import gough
from gough.tracing.quantities import QUANTITIES

PAGE = Path(__file__).resolve().parent / "methods.md"
BEGIN, END = "<!-- operation counts: docs/operation_counts.py -->", "<!-- end -->"
HEAD = ["robot", "what", "+", "×", "÷", "√", "sin, cos"]

ROBOTS = {
    "five_bar": "five-bar",
    "three_rrr": "3-RRR",
    "gough_stewart": "hexapod 6-UPS",
    "delta": "Delta",
}
WHAT = {
    "coordinates": "all joints from the pose",
    "inverse_dynamics": "`legs`, joints given",
    "inverse_dynamics_elements": "`elements`, joints given",
    "inverse_dynamics_screws": "`screws`, joints given",
    "inverse_dynamics_tree": "`tree`, joints given",
    "inverse_dynamics_observed": "`elements`, legs observed",
    "inverse_dynamics_from_motors": "`elements`, from encoders",
}
WRENCH = "*published:* platform wrench, generated code"
PUBLISHED = {
    "five_bar": [
        ("*published:* [OZ] Table 3, legs observed", 404, 656, None, None, 0),
        ("*published:* [OZ] Table 3, from encoders", 484, 778, None, None, 4),
    ],
    "three_rrr": [(WRENCH, 250, 468, 5, None, 20)],
    "gough_stewart": [(WRENCH, 1664, 2660, 12, None, 42)],
    "delta": [(f"{WRENCH}, RUU legs", 1797, 2829, 13, None, 32)],
}
# pivots of equal size may be taken in another order by another processor's rounding
TOLERANCE = 0.05


def rows(name: str) -> list[list[str]]:
    """What one robot takes; quantities that it has no program for are left out."""
    robot, found = gough.zoo.load(name), []
    for quantity, what in WHAT.items():
        if quantity not in QUANTITIES:
            continue
        try:
            n = gough.count(gough.trace(robot, quantity))
        except gough.errors.InputError:
            continue
        found.append([ROBOTS[name], what, *map(str, (n.add, n.mul, n.div, n.sqrt, n.functions))])
    for what, *counts in PUBLISHED[name]:
        found.append([ROBOTS[name], what, *("" if n is None else str(n) for n in counts)])
    return found


def table() -> list[str]:
    """The table in Markdown."""
    lines = [_line(HEAD), "|---|---|" + "---:|" * (len(HEAD) - 2)]
    return lines + [_line(row) for name in ROBOTS for row in rows(name)]


def written(name: str) -> list[list[str]]:
    """Rows of one robot that are in the page."""
    text = PAGE.read_text(encoding="utf-8")
    lines = text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip().splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [row for row in cells if row[0] == ROBOTS[name]]


def stale(name: str) -> list[str]:
    """Rows of one robot that are not in the page, or with figures that are off."""
    old, new = written(name), rows(name)
    if [row[:2] for row in old] != [row[:2] for row in new]:
        return [_line(row) for row in new]
    return [_line(row) for was, row in zip(old, new, strict=True) if not _same(was, row)]


def main(words: list[str]) -> int:
    """Write, or check."""
    if words == ["--check"]:
        missing = [line for name in ROBOTS for line in stale(name)]
        if missing:
            sys.stderr.write("\n".join([f"out of date: run {Path(__file__).name}", *missing, ""]))
        return int(bool(missing))
    text = PAGE.read_text(encoding="utf-8")
    before, after = text[: text.index(BEGIN)], text[text.index(END) :]
    PAGE.write_text("\n".join([before + BEGIN, *table(), after]), encoding="utf-8")
    return 0


def _line(cells: list[str]) -> str:
    return re.sub(r" +", " ", "| " + " | ".join(cells) + " |")


def _same(was: list[str], row: list[str]) -> bool:
    for a, b in zip(was[2:], row[2:], strict=True):
        if not (a and b):
            if a != b:
                return False
        elif abs(int(a) - int(b)) > max(1.0, TOLERANCE * int(b)) or (a == "0") != (b == "0"):
            return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
