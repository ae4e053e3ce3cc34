"""The tables of operation counts in methods.md, kernels.md, theory-screws.md and theory-legs.md.

The first has every method, four robots and what is published; the second whole kernels; the third
screws, leg by leg and as one system; the fourth the inertia matrix, in closed form and by columns.

python docs/operation_counts.py            # counts again and writes the tables
python docs/operation_counts.py --check    # fails if a table is out of date
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import gough
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.compile import whole_program
from gough.functions.cartesian import INERTIA

DOCS = Path(__file__).resolve().parent
BEGIN, END = "<!-- operation counts: docs/operation_counts.py -->", "<!-- end -->"
HEAD = ["robot", "what", "+", "×", "÷", "√", "sin, cos"]

ROBOTS = {
    "five_bar": "five-bar",
    "three_rrr": "3-RRR",
    "gough_stewart": "hexapod 6-UPS",
    "delta": "Delta",
}
WHAT = {
    ("closed_form", "legs"): "all joints from the pose",
    ("inverse_dynamics", "legs"): "`legs`, joints given",
    ("inverse_dynamics", "elements"): "`elements`, joints given",
    ("inverse_dynamics", "screws"): "`screws`, joints given",
    ("inverse_dynamics", "tree"): "`tree`, joints given",
    ("inverse_dynamics_observed", "elements"): "`elements`, legs observed",
    ("inverse_dynamics_from_motors", "elements"): "`elements`, from encoders",
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
SCREWS = {"inverse_dynamics": "inverse", "forward_dynamics": "forward"}
AT_ONCE = {
    "five_bar": ((147, 157, 12, 0, 0), (221, 278, 25, 0, 0)),
    "three_rrr": ((380, 368, 37, 0, 0), (593, 686, 39, 0, 0)),
    "spherical_2dof": ((171, 279, 15, 0, 0), (235, 384, 16, 0, 0)),
    "tilt_3rps": ((851, 1056, 95, 0, 0), (1051, 1346, 101, 0, 0)),
    "delta": ((3069, 3302, 232, 0, 0), (3659, 4173, 253, 0, 0)),
    "quattro": ((6050, 6329, 467, 0, 0), (7093, 7832, 393, 0, 0)),
    "gough_stewart": ((5016, 5375, 355, 0, 0), (7225, 8031, 343, 0, 0)),
    "gough_stewart_6spu": ((4058, 4330, 169, 0, 0), (6454, 7383, 189, 0, 0)),
}
"""What `screws` took in version 0.2.0, which solved one system of all joints: inverse, forward."""
# pivots of equal size may be taken in another order by another processor's rounding, and constants
# that differ by it are one number or two: a Delta's joints take 108 or 115 additions
TOLERANCE = 0.1


def rows(name: str) -> list[list[str]]:
    """What one robot takes; quantities that it has no program for are left out."""
    robot, found = gough.zoo.load(name), []
    for (quantity, method), what in WHAT.items():
        try:
            n = gough.trace.count(gough.trace.program(robot, quantity, method=method))
        except gough.errors.InputError:
            continue
        found.append([ROBOTS[name], what, *map(str, (n.add, n.mul, n.div, n.sqrt, n.functions))])
    for what, *counts in PUBLISHED[name]:
        found.append([ROBOTS[name], what, *("" if n is None else str(n) for n in counts)])
    return found


def whole_rows(name: str) -> list[list[str]]:
    """What whole kernels of one robot take, joints and checks included."""
    assembly, found = gough.zoo.load(name).assembly, []
    for quantity in ("inverse_dynamics", "forward_dynamics"):
        n = gough.trace.count(whole_program(assembly, quantity, Variant()))
        what = quantity.replace("_", " ")
        found.append([f"`{name}`", what, *map(str, (n.add, n.mul, n.div, n.sqrt, n.functions))])
    return found


def screw_rows(name: str) -> list[list[str]]:
    """What screws take of one robot: one system of all joints, as it was, and leg by leg."""
    robot, found = gough.zoo.load(name), []
    for (quantity, what), before in zip(SCREWS.items(), AT_ONCE[name], strict=True):
        n = gough.trace.count(gough.trace.program(robot, quantity, method="screws"))
        now = (n.add, n.mul, n.div, n.sqrt, n.functions)
        for how, counts in (("all joints at once", before), ("leg by leg", now)):
            found.append([f"`{name}`", f"{what}, {how}", *map(str, counts)])
    return found


def inertia_rows(name: str) -> list[list[str]]:
    """What the inertia matrix of one robot takes by whole kernels, in both ways."""
    assembly, found = gough.zoo.load(name).assembly, []
    for by, quantity in INERTIA.items():
        n = gough.trace.count(whole_program(assembly, quantity, Variant()))
        found.append([f"`{name}`", by, *map(str, (n.add, n.mul, n.div, n.sqrt, n.functions))])
    return found


class Table(NamedTuple):
    """A table of a page, robot by robot."""

    page: Path
    begin: str
    rows: Callable[[str], list[list[str]]]
    robots: Iterable[str]

    def lines(self) -> list[str]:
        """The table in Markdown."""
        lines = [_line(HEAD), "|---|---|" + "---:|" * (len(HEAD) - 2)]
        return lines + [_line(row) for name in self.robots for row in self.rows(name)]

    def written(self, name: str) -> list[list[str]]:
        """Rows of one robot that are in the page."""
        _, text, _ = self._parts()
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
        return [row for row in cells if row and row[0] in (ROBOTS.get(name), f"`{name}`")]

    def stale(self, name: str) -> list[str]:
        """Rows of one robot that are not in the page, or with figures that are off."""
        old, new = self.written(name), self.rows(name)
        if [row[:2] for row in old] != [row[:2] for row in new]:
            return [_line(row) for row in new]
        return [_line(row) for was, row in zip(old, new, strict=True) if not _same(was, row)]

    def write(self) -> None:
        """Count again, and write the table into its page."""
        before, _, after = self._parts()
        text = "\n".join([before, *self.lines(), after])
        self.page.write_text(text, encoding="utf-8")

    def _parts(self) -> tuple[str, str, str]:
        """The page before the table, the table, and the page behind it."""
        text = self.page.read_text(encoding="utf-8")
        begin = text.index(self.begin) + len(self.begin)
        end = text.index(END, begin)
        return text[:begin], text[begin:end].strip(), text[end:]


METHODS = Table(DOCS / "methods.md", BEGIN, rows, ROBOTS)
KERNELS = Table(DOCS / "kernels.md", BEGIN, whole_rows, [*ROBOTS, "quattro"])
OF_SCREWS = Table(DOCS / "theory-screws.md", BEGIN, screw_rows, AT_ONCE)
OF_INERTIA = Table(DOCS / "theory-legs.md", BEGIN, inertia_rows, [*ROBOTS, "tilt_3rps", "quattro"])
TABLES = (METHODS, KERNELS, OF_SCREWS, OF_INERTIA)


def main(words: list[str]) -> int:
    """Write, or check."""
    if words == ["--check"]:
        missing = [line for table in TABLES for name in table.robots for line in table.stale(name)]
        if missing:
            sys.stderr.write("\n".join([f"out of date: run {Path(__file__).name}", *missing, ""]))
        return int(bool(missing))
    for table in TABLES:
        table.write()
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
