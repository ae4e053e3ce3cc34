"""Which equations and errata of the papers the code cites, and in which functions.

Used when the documentation is built, to write the page of equations, and by the tests, which
refuse citations of what does not exist.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

SRC = Path(__file__).resolve().parents[1] / "src" / "gough"

PAPERS = {
    "BK": "Briot and Khalil, *Dynamics of Parallel Robots*",
    "KI": "Khalil and Ibrahim, *General Solution for the Dynamic Modeling of Parallel Robots*",
    "OZ": "Özgür, Andreff and Martinet, *Linear Dynamic Modeling of Parallel Kinematic "
    "Manipulators from Observable Kinematic Elements*",
    "GA": "Gallardo et al., *Dynamics of parallel manipulators by means of screw theory*",
}

GAP = r"[\s#]*"  # a citation may run over the end of a comment line
NUMBERS = rf"\(\d+\)(?:{GAP}[-–]{GAP}\(\d+\))?"
CITATION = re.compile(rf"\[([A-Z]{{2}})\]{GAP}({NUMBERS}(?:(?:,|{GAP}and){GAP}{NUMBERS})*)")
RANGE = re.compile(rf"\((\d+)\)(?:{GAP}[-–]{GAP}\((\d+)\))?")
ERRATUM = re.compile(
    rf"[Ee]rrat(?:um|a){GAP}([A-Z]{{2}}-\d+(?:(?:,|{GAP}and){GAP}[A-Z]{{2}}-\d+)*)"
)
NAMELESS = re.compile(rf"[Ee]rratum(?!{GAP}[A-Z]{{2}}-\d+)")


class Place(NamedTuple):
    """Where something is cited: a file of the package, and the function or class in it.

    ``name`` is dotted, ``Solution.Psi``, and empty outside of any.
    """

    file: str
    name: str


class Scope(NamedTuple):
    """Lines of a function or class, from its first decorator to its end."""

    first: int
    last: int
    name: str


Index = dict[str, list[Place]]


def equations_at(text: str) -> Iterator[tuple[int, str]]:
    """Equations cited, ``BK 12``, ranges written out, each with its offset in the text."""
    for citation in CITATION.finditer(text):
        paper, numbers = citation.groups()
        for first, last in RANGE.findall(numbers):
            if last and int(last) < int(first):
                yield citation.start(), f"{paper} {first}-{last}"
            for n in range(int(first), int(last or first) + 1):
                yield citation.start(), f"{paper} {n}"


def errata_at(text: str) -> Iterator[tuple[int, str]]:
    """Errata cited, ``KI-1``, with offsets; the word without a key counts as an unknown one."""
    for run in ERRATUM.finditer(text):
        for key in re.findall(r"[A-Z]{2}-\d+", run[1]):
            yield run.start(), key
    for word in NAMELESS.finditer(text):
        yield word.start(), word[0]


@cache
def scopes(text: str) -> list[Scope]:
    """All functions and classes of a file, outer ones first."""
    found: list[Scope] = []

    def enter(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}.{child.name}" if prefix else child.name
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                found.append(Scope(first, child.end_lineno or child.lineno, name))
            enter(child, name)

    enter(ast.parse(text), "")
    return found


def enclosing(found: list[Scope], line: int) -> str:
    """Name of the innermost function or class around a line."""
    around = [scope for scope in found if scope.first <= line <= scope.last]
    return max(around, key=lambda scope: scope.first).name if around else ""


def index(src: Path = SRC) -> tuple[Index, Index]:
    """Equations and errata, each with the places that cite it."""
    equations: Index = {}
    errata: Index = {}
    for file in sorted(src.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for into, cited in ((equations, equations_at(text)), (errata, errata_at(text))):
            for offset, key in cited:
                name = enclosing(scopes(text), text.count("\n", 0, offset) + 1)
                place = Place(file.relative_to(src).as_posix(), name)
                places = into.setdefault(key, [])
                if place not in places:
                    places.append(place)
    return equations, errata


def page(equations: Index, errata: Index) -> str:
    """The index in Markdown: a section for each paper, then the errata."""
    lines: list[str] = []
    for paper, title in PAPERS.items():
        numbers = sorted(int(key.split()[1]) for key in equations if key.startswith(f"{paper} "))
        if numbers:
            lines += [f"## [{paper}] {title}", "", "| equation | where |", "|---|---|"]
            lines += [f"| ({n}) | {_places(equations[f'{paper} {n}'])} |" for n in numbers]
            lines.append("")
    lines += ["## Errata", "", "| erratum | where |", "|---|---|"]
    order = list(PAPERS)
    for key in sorted(errata, key=lambda k: (order.index(k[:2]), int(k[3:]))):
        lines.append(f"| {key} | {_places(errata[key])} |")
    return "\n".join([*lines, ""])


def write(file: Path) -> None:
    """Write the page, unless it is there already, word for word."""
    text = page(*index())
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _places(places: list[Place]) -> str:
    return ", ".join(f"`{name}` in `{file}`" if name else f"`{file}`" for file, name in places)
