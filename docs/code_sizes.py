"""The table of code sizes in kernels.md: exported C with every leg by itself, and with shared ones.

python docs/code_sizes.py            # exports and compiles again, and writes the table; needs gcc
python docs/code_sizes.py --check    # fails if the table is out of date
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import gough

PAGE = Path(__file__).resolve().parent / "kernels.md"
BEGIN, END = "<!-- code sizes: docs/code_sizes.py -->", "<!-- end of code sizes -->"
HEAD = ["robot", "what", "legs", "lines", "source [kB]", "object [kB]", "operations"]
ROBOTS = (
    "gough_stewart",
    "hexapod_6rus",
    "delta",
    "orthoglide",
    "three_rrr",
    "quattro",
    "c5",
)
QUANTITIES = ("inverse_dynamics", "forward_dynamics")
COMPILER = "gcc"
# pivots of equal size may be taken in another order by another processor's rounding
TOLERANCE = 0.05
# other versions of the compiler, other processors
OBJECTS = 0.5


def rows(name: str) -> list[list[str]]:
    """What files of one robot measure, flat and shared."""
    robot, found = gough.zoo.load(name), []
    for quantity in QUANTITIES:
        with tempfile.TemporaryDirectory() as folder:
            flat, _ = gough.export_c(robot, quantity, folder)
            shared, _ = gough.export_c(robot, quantity, folder, legs="shared")
            pairs = zip(_sizes(flat), _sizes(shared), strict=True)
            called = re.findall(r"one routine for the legs (.*)", shared.read_text())
        legs = "+".join(str(len(names.split(","))) for names in called)
        legs = f"{legs} of {len(robot.assembly.topology.legs)}"
        cells = [f"{one} → {other}" for one, other in pairs]
        found.append([f"`{name}`", quantity.replace("_", " "), legs, *cells])
    return found


def _sizes(code: Path) -> list[str]:
    """Lines, kilobytes of source and of the object file, and operations that are carried out."""
    text = code.read_text()
    operations = re.search(r"operations: (\d+) add, (\d+) mul, (\d+) div, (\d+) sqrt", text)
    if operations is None:
        raise RuntimeError(f"{code.name} does not tell its operations")
    total = sum(map(int, operations.groups()))
    return [str(text.count("\n")), f"{len(text) / 1e3:.1f}", _object(code), str(total)]


def _object(code: Path) -> str:
    """Size of the object file [kB]; nothing without the compiler."""
    if shutil.which(COMPILER) is None:
        return ""
    target = code.with_suffix(".o")
    command = [COMPILER, "-std=c99", "-O2", "-c", str(code), "-o", str(target)]
    subprocess.run(command, check=True, timeout=120)
    return f"{target.stat().st_size / 1e3:.1f}"


def written(name: str) -> list[list[str]]:
    """Rows of one robot that are in the page."""
    _, text, _ = _parts()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    return [row for row in cells if row and row[0] == f"`{name}`"]


def stale(name: str) -> list[str]:
    """Rows of one robot that are not in the page, or with figures that are off."""
    old, new = written(name), rows(name)
    if [row[:3] for row in old] != [row[:3] for row in new]:
        return [_line(row) for row in new]
    return [_line(row) for was, row in zip(old, new, strict=True) if not _same(was, row)]


def _same(was: list[str], row: list[str]) -> bool:
    for k, (a, b) in enumerate(zip(was[3:], row[3:], strict=True), start=3):
        near = OBJECTS if HEAD[k].startswith("object") else TOLERANCE
        for one, other in zip(a.split("→"), b.split("→"), strict=True):
            if other.strip() and abs(float(one) - float(other)) > near * float(other):
                return False
    return True


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _parts() -> tuple[str, str, str]:
    """The page before the table, the table, and the page behind it."""
    text = PAGE.read_text(encoding="utf-8")
    begin = text.index(BEGIN) + len(BEGIN)
    end = text.index(END, begin)
    return text[:begin], text[begin:end].strip(), text[end:]


def main(words: list[str]) -> int:
    """Write, or check."""
    if words == ["--check"]:
        missing = [line for name in ROBOTS for line in stale(name)]
        if missing:
            sys.stderr.write("\n".join([f"out of date: run {Path(__file__).name}", *missing, ""]))
        return int(bool(missing))
    before, _, after = _parts()
    lines = [_line(HEAD), "|---|---|---|" + "---:|" * (len(HEAD) - 3)]
    lines += [_line(row) for name in ROBOTS for row in rows(name)]
    PAGE.write_text("\n".join([before, *lines, after]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
