"""Where each operation of a program comes from: function, leg and variable of the equations.

The equations know nothing of it.  While a program is traced for reading, the graph looks at the
calls that lead to an operation, and at the variables of functions as they return; equations that
are cited beside their lines are read from the sources.  With numbers, and in all other traces,
nothing of this happens.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from textwrap import dedent
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from gough.compiler.tracing.symbols import Graph, Symbol

_ROOT = Path(__file__).resolve().parents[2]
_ROOMS = ("dynamics", "kinematics", "geometry", "mechanism")
_GAP = r"[\s#]*"  # a citation may run over the end of a comment line
_NUMBERS = rf"\(\d+\)(?:{_GAP}[-–]{_GAP}\(\d+\))?"
_CITATION = re.compile(rf"\[([A-Z]{{2}})\]{_GAP}({_NUMBERS}(?:(?:,|{_GAP}and){_GAP}{_NUMBERS})*)")
_HELPERS = ("dynamics/shared/newton_euler.py", "mechanism/closure/recursion.py")
"""Files whose functions work for others: what they make belongs to who asked for it."""

_HEADINGS = {
    "geometry/closed_form": "Joints from the pose, by the closed form of the loops",
    "geometry/joints_from_pose": "Joints from the pose, by Newton's steps from home",
    "kinematics/from_freedoms": "Platform from the robot's own coordinates",
    "geometry/constant_entries": "Platform: entries of pose and twist that change",
    "mechanism/closure": "Closure equations of the loops",
}
"""Headings of what no equation of the papers is about, by the place of the code."""


class Note(NamedTuple):
    """Where an operation comes from.

    Attributes:
        heading: what is computed there.
        cited: equations that are cited there, by paper; may be empty.
        leg: name of the leg that is worked on; empty if it is not one alone.
    """

    heading: str
    cited: str
    leg: str


class Named(NamedTuple):
    """A variable of the equations.

    Attributes:
        function: where it is, ``dynamics/legs/dynamics.py:direct``.
        variable: its name.
        place: of the entry in it, counted from zero.
        cited: equations beside the line that assigns it.
        leg: name of the leg that is worked on.
    """

    function: str
    variable: str
    place: tuple[int, ...]
    cited: str
    leg: str


class NotedGraph(Graph):
    """A graph that knows where its operations come from.

    Attributes:
        notes: of each operation, by its index.
        names: variables that hold it, by its index, the innermost function first; only of
            functions in which it was made, for others may hold it by chance.
    """

    def __init__(self) -> None:
        super().__init__()
        self.notes: dict[int, Note] = {}
        self.names: dict[int, list[Named]] = {}
        self._begun: dict[FrameType, int] = {}

    def _new(self, op: str, args: tuple[Any, ...], value: float = 0.0) -> Symbol:
        made = super()._new(op, args, value)
        if op not in ("input", "const"):
            self.notes[made.index] = _note(sys._getframe(2))
        return made

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Notice variables of functions of the equations that return meanwhile."""
        before = sys.getprofile()
        sys.setprofile(self._watch)
        try:
            yield
        finally:
            sys.setprofile(before)
            self._begun.clear()

    def _watch(self, frame: FrameType, event: str, answer: Any) -> None:
        """Keep the names of a function's variables, and its own name for what it returns."""
        code = frame.f_code
        place = _place(code) if event in ("call", "return") else ""
        if not place or place in _HELPERS or not _about(code)[1]:
            return
        if event == "call":
            self._begun[frame] = len(self.nodes)
            return
        begun = self._begun.pop(frame, len(self.nodes))
        cited, leg, function = _assignments(code), _leg(frame), f"{place}:{code.co_name}"
        own = [] if code.co_name.islower() else [(code.co_name, answer)]  # J_inv, Psi
        for variable, value in (*frame.f_locals.items(), *own):
            for at, symbol in _entries(value):
                if symbol.graph is self and symbol.index >= begun and symbol.op != "const":
                    named = Named(function, variable, at, cited.get(variable, ""), leg)
                    self.names.setdefault(symbol.index, []).append(named)


def _entries(value: Any, at: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Symbol]]:
    """Symbols in an array, or in lists of arrays, with their places."""
    if isinstance(value, Symbol):
        yield at, value
    elif isinstance(value, np.ndarray) and value.dtype == object:
        for place, entry in np.ndenumerate(value):
            yield from _entries(entry, (*at, *place))
    elif type(value) is list and len(at) < 2:
        for i, entry in enumerate(value):
            yield from _entries(entry, (*at, i))


def _note(frame: FrameType | None) -> Note:
    """The innermost function around that cites an equation; or where the code is, in words."""
    leg, heading = "", ""
    while frame is not None:
        place = _place(frame.f_code)
        if place:
            leg = leg or _leg(frame)
            title, cited = _about(frame.f_code)
            if cited and place not in _HELPERS:
                return Note(title, cited, leg)
            for start, words in _HEADINGS.items():
                heading = heading or (words if place.startswith(start) else "")
        frame = frame.f_back
    return Note(heading, "", leg)


@cache
def _place(code: CodeType) -> str:
    """File of a function within the equations; empty elsewhere."""
    path = Path(code.co_filename).resolve()
    place = path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else ""
    return place if place.split("/")[0] in _ROOMS else ""


def _leg(frame: FrameType) -> str:
    """The leg that a function works on, by its variable ``leg``."""
    name = getattr(frame.f_locals.get("leg"), "name", "")
    return name if isinstance(name, str) else ""


@cache
def _about(code: CodeType) -> tuple[str, str]:
    """First sentence of a function's docstring, and the equations that the function cites."""
    text = _source(code)
    cited = citations(text)
    if code.co_name.startswith("<") or not cited:
        return "", ""
    parsed = ast.parse(dedent(text))
    function = next(n for n in ast.walk(parsed) if isinstance(n, ast.FunctionDef))
    first = (ast.get_docstring(function) or "").split("\n\n")[0]
    if not first or first.startswith("Equations:"):
        first = code.co_name.strip("_").replace("_", " ")
    title = re.sub(r"\s*\[[A-Z]{2}\].*$", "", " ".join(first.split())).replace("``", "")
    return title.rstrip(". "), cited


@cache
def _assignments(code: CodeType) -> dict[str, str]:
    """Equations beside the lines of a function that assign variables, by the variable."""
    found: dict[str, str] = {}
    for line in _source(code).splitlines():
        match = re.match(r"\s*([\w, ]+?)(?:(?::[^=]+)? = |\.append\().*#(.*)$", line)
        if match and citations(match[2]):
            for name in match[1].split(","):
                found[name.strip()] = citations(match[2])
    return found


@cache
def _source(code: CodeType) -> str:
    """Text of a function; empty where there is none."""
    try:
        return inspect.getsource(code)
    except (OSError, TypeError):
        return ""


def citations(text: str) -> str:
    """Equations that a text cites, by paper and in order; of a range only its ends are named."""
    found: dict[str, set[tuple[int, int]]] = {}
    for paper, numbers in _CITATION.findall(text):
        for run in re.findall(_NUMBERS, numbers):
            ends = [int(number) for number in re.findall(r"\d+", run)]
            found.setdefault(paper, set()).add((ends[0], ends[-1]))
    return ", ".join(f"[{paper}] {_runs(own)}" for paper, own in found.items())


def _runs(own: set[tuple[int, int]]) -> str:
    """Numbers and ranges, without those that are within another."""
    whole = [
        (a, b)
        for a, b in sorted(own)
        if not any((c, d) != (a, b) and c <= a and b <= d for c, d in own)
    ]
    return ", ".join(f"({a})" if a == b else f"({a})-({b})" for a, b in whole)
