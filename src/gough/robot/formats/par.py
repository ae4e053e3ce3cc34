"""SYMORO's ``.par`` files: tables of Khalil and Kleinfinger, loops cut at joints after the links.

    T_aj = Rot(z, gamma) Trans(z, b) Rot(x, alpha) Trans(x, d) Rot(z, theta) Trans(z, r)

Links are 1 to NL, joints 1 to NJ; a joint k above NL closes a loop: its frame coincides with frame
``k + NJ - NL``, which is fixed on another link.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gough.base import spatial
from gough.base.arguments import nearest, read_number
from gough.base.english import counted, quoted
from gough.base.tables import whole
from gough.errors import FileError, InputError, shown
from gough.robot.file.document import parse_file
from gough.robot.formats.arithmetic import is_symbol, symbols_of, value_of
from gough.robot.formats.digits import precision_of
from gough.robot.formats.model import BASE, MOST_LINKS, Drive, Link, Mark, Model, Place, Tie
from gough.robot.formats.xml import brief
from gough.robot.joint import Axis

_LARGEST = 2**18
_KEY = re.compile(r"([A-Za-z_]\w{0,63})[ \t]*=[ \t]*")
_NAME = re.compile(r"Robotname\s{0,20}=\s{0,20}'([^'\n]{1,200})'")
_GEOMETRY = ("ant", "sigma", "mu", "gamma", "b", "alpha", "d", "theta", "r")
_ANGLES = ("gamma", "alpha", "theta")
_SOLID = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M")
_AXIS = ("IA", "FV", "FS")
_UNUSED = ("FX", "FY", "FZ", "CX", "CY", "CZ", "QP", "QDP", "GAM", "eta", "k")
_VECTORS = {"G": 3, "W0": 3, "WP0": 3, "V0": 3, "VP0": 3, "Z": 16}
_SINGLE = ("Robotname", "NL", "NJ", "NF", "Type", "is_mobile", "is_floating")
_KEYS = {
    key.lower(): key for key in (*_SINGLE, *_GEOMETRY, *_SOLID, *_AXIS, *_UNUSED, *_VECTORS)
}  # older files have capitals: Ant, Sigma
_KINDS = {0: "revolute", 1: "prismatic", 2: "fixed"}
_WHOLE_TURN = 2.0 * math.pi * (1.0 + 1e-9)  # [rad]: no angle between two frames is larger


def read_par(path: str | os.PathLike[str], numbers: Any = None) -> Model:
    """The model of a ``.par`` file.

    Args:
        path: of the file.
        numbers: values of its symbols by name, or the path of a YAML or JSON file with them.
    """
    return _Table(path, read_numbers(numbers)).model()


def read_numbers(given: Any) -> dict[str, float]:
    """Values of symbols: as an argument has them, or a file that it names."""
    what = "numbers"
    if isinstance(given, (str, os.PathLike)):
        what = os.fspath(given)
        given = parse_file(given)[1].data
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise InputError(
            f"{what}: expected numbers by symbol, got {shown(given)}",
            hint='For instance numbers={"M1": 3.2}, or the path of a YAML file "M1: 3.2".',
            argument="numbers",
        )
    found = {}
    for name, value in given.items():
        found[name], fault = read_number(value)
        if fault:
            raise InputError(f"{what}: {shown(name)}: {fault}", argument="numbers")
    return found


class _Table:
    """A file as named lists of numbers.

    Attributes:
        words: line and entries of every key, as text.
        links, joints, frames: how many there are: NL, NJ and NF.
    """

    def __init__(self, path: str | os.PathLike[str], numbers: Mapping[str, float]) -> None:
        self.file = whole.file_name(path, "robot file", 'For instance gough.load("robot.par").')
        raw, size = whole.read_bounded(self.file, _LARGEST, "robot file")
        if size > _LARGEST:
            raise FileError(f"has {size} bytes, a table has fewer", file=self.file)
        text = raw.decode("latin-1")
        self.words: dict[str, tuple[int, list[str]]] = {}
        for key, line, entries in self._statements(self._without_comments(text)):
            if key in self.words:
                self._refuse(f"{key} is given twice, in line {self.words[key][0]} too", line)
            self.words[key] = (line, entries)
        name = _NAME.search(text)
        self.name = name[1] if name else Path(self.file).stem
        self.numbers = numbers
        self.known: dict[tuple[str, int], float] = {}
        self.marks: dict[int, Mark] = {}
        self.links, self.joints, self.frames = (self.count(key) for key in ("NL", "NJ", "NF"))
        loops = self.joints - self.links
        if not 0 < self.links <= self.joints or self.frames < self.links + 2 * loops:
            raise FileError(
                f"NL = {self.links}, NJ = {self.joints}, NF = {self.frames} do not fit together",
                file=self.file,
                hint="NF = NL + 2 (NJ - NL): two frames for every loop.",
            )
        self._check_lists()
        self._check_symbols()

    def _refuse(self, message: str, line: int | None, hint: str = "") -> None:
        raise FileError(brief(message), file=self.file, line=line, hint=hint)

    def _without_comments(self, text: str) -> str:
        """The text with lines where they were; ``(*`` and ``*)`` do not nest."""
        parts, at = [], 0
        while (start := text.find("(*", at)) >= 0:
            end = text.find("*)", start + 2)
            if end < 0:
                self._refuse(
                    "a comment does not end: '(*' without '*)'", text.count("\n", 0, start) + 1
                )
            parts += [text[at:start], "\n" * text.count("\n", start, end)]
            at = end + 2
        return "".join([*parts, text[at:]])

    def _statements(self, text: str) -> Iterator[tuple[str, int, list[str]]]:
        """Key, line and entries of every ``key = value`` and ``key = {list}``, in order."""
        rows = iter(enumerate(text.split("\n"), 1))
        for line, row in rows:
            if not row.strip():
                continue
            found = _KEY.match(row.strip())
            if found is None:
                self._refuse(
                    f"{shown(row.strip())} is no parameter",
                    line,
                    "Write KEY = value, or KEY = {...}.",
                )
                continue
            key, rest = found[1], [row.strip()[found.end() :]]
            if key.lower() not in _KEYS:
                self._refuse(f"unknown parameter {shown(key)}", line, nearest(key, _KEYS.values()))
            while rest[0].startswith("{") and "}" not in rest[-1]:
                _, more = next(rows, (0, None))
                if more is None:
                    self._refuse(f"the list {key} does not end: '{{' without '}}'", line)
                rest.append(more or "")
            entries = " ".join(rest).strip()
            if entries.startswith("{"):
                if not entries.endswith("}") or "}" in entries[:-1] or "{" in entries[1:]:
                    self._refuse(f"{key}: a list is one pair of braces {{...}}", line)
                entries = entries[1:-1]
            yield _KEYS[key.lower()], line, [entry.strip() for entry in entries.split(",")]

    def _check_lists(self) -> None:
        """Refuse lists that are too short or too long, and what stands for a base that moves."""
        for key in ("is_mobile", "is_floating"):
            word = self.words.get(key, (0, ["0"]))[1][0].lower()
            if word not in ("0", "false"):
                self.place(key, 1).refuse(
                    f"is {word!r}: a base that moves is not read", hint="Hold the base: 0."
                )
        needed = dict.fromkeys(_GEOMETRY, self.frames) | dict.fromkeys(
            (*_SOLID, *_AXIS), self.links
        )
        needed |= _VECTORS
        for key, least in needed.items():
            line, entries = self.words.get(key, (None, [""] * least))
            most = least if key in _VECTORS else self.frames
            if not least <= len(entries) <= most:
                wanted = str(least) if least == most else f"{least} to {most}"
                self._refuse(f"{key} has {len(entries)} entries, expected {wanted}", line)
        for key in ("ant", "sigma"):
            if key not in self.words:
                raise FileError(f"does not say {key}", file=self.file, hint="Is this a .par file?")

    def _check_symbols(self) -> None:
        """Refuse symbols without a value all at once, and values without a symbol."""
        used: Counter[str] = Counter()
        missing: dict[str, str] = {}
        line = None
        read = [*_GEOMETRY, *_SOLID, *_AXIS, "G"]
        for key in (key for key in read if key in self.words):
            for k, entry in enumerate(self.words[key][1], 1):
                symbols = symbols_of(entry)
                used.update(symbols)
                if not (is_symbol(entry) and self._is_variable(key, k)):
                    lacking = [x for x in symbols if x not in self.numbers]
                    line = self.words[key][0] if lacking and not missing else line
                    missing |= {x: f"{key}[{k}]" for x in lacking if x not in missing}
        unknown = [name for name in self.numbers if name not in used]
        if unknown:
            raise InputError(
                f"numbers: {shown(unknown[0])} is no symbol of {self.file}",
                hint=nearest(unknown[0], used),
                argument="numbers",
            )
        if missing:
            first = next(iter(missing))
            raise FileError(
                brief(
                    f"{counted(len(missing), 'symbol')} without a value, {shown(first)} in "
                    f"{missing[first]}{' first' if len(missing) > 1 else ''}: {', '.join(missing)}"
                ),
                file=self.file,
                line=line,
                hint=f'Give their values: numbers={{"{first[:60]}": ...}}, or a YAML file of them, '
                "--numbers FILE.",
                symbols=list(missing),
            )

    def place(self, key: str, k: int) -> Place:
        """Where an entry stands."""
        return Place(self.file, self.words[key][0] if key in self.words else None, f"{key}[{k}]")

    def count(self, key: str) -> int:
        """How many there are of something."""
        if key not in self.words:
            raise FileError(f"does not say {key}", file=self.file, hint="Is this a .par file?")
        found = value_of(self.words[key][1][0], self.place(key, 1))
        if (
            found != math.floor(found)
            or not 0 <= found <= MOST_LINKS
            or len(self.words[key][1]) > 1
        ):
            self._refuse(
                f"{key} is {', '.join(self.words[key][1])[:60]}, expected one whole number up to "
                f"{MOST_LINKS}",
                self.words[key][0],
            )
        return int(found)

    def at(self, key: str, k: int) -> float:
        """Entry of a list, counted from 1; zero where the list is not there or has none for it."""
        _, entries = self.words.get(key, (0, []))
        if k > len(entries):
            return 0.0
        if (key, k) not in self.known:
            self.known[key, k] = value_of(entries[k - 1], self.place(key, k), self.numbers)
        return self.known[key, k]

    def whole(self, key: str, k: int) -> int:
        """Entry of a list of whole numbers."""
        found = self.at(key, k)
        if found != math.floor(found):
            self.place(key, k).refuse(f"is {found:g}, expected a whole number")
        return int(found)

    def above(self, k: int) -> int:
        """Antecedent of a frame; of a joint it is a link."""
        found, most = self.whole("ant", k), min(k - 1, self.links if k <= self.joints else k)
        if not 0 <= found <= most:
            self.place("ant", k).refuse(
                f"is {found}, expected 0 to {most}", hint="Frames come after what they hang on."
            )
        return found

    def _is_variable(self, key: str, k: int) -> bool:
        """Whether an entry is the coordinate of a joint: theta of a turn, r of a slide."""
        turns = {"theta": "revolute", "r": "prismatic"}
        return key in turns and k <= self.joints and self.sigma(k) == turns[key]

    def variable(self, key: str, k: int) -> float:
        """Coordinate of a joint where it is drawn: zero where it is a symbol without a value."""
        _, entries = self.words.get(key, (0, []))
        if k <= len(entries) and is_symbol(entries[k - 1]) and entries[k - 1] not in self.numbers:
            return 0.0
        return self.at(key, k)

    def sigma(self, k: int) -> str:
        """Kind of a joint."""
        number = self.whole("sigma", k)
        if number not in _KINDS:
            self.place("sigma", k).refuse(f"is {number}, expected 0, 1 or 2")
        return _KINDS[number]

    def link(self, k: int) -> str:
        """Name of a link; 0 is the base."""
        return BASE if k == 0 else f"link{k}"

    def frame(self, k: int) -> Mark:
        """A frame on the link that carries it; frames above NJ hang on links or on each other."""
        if k <= self.links:
            return Mark(self.link(k), np.eye(4))
        if k not in self.marks:
            on = self.frame(self.above(k))  # which comes before it, and is known mostly
            turn, along = spatial.rotation_z(self.at("theta", k)), (0.0, 0.0, self.at("r", k))
            self.marks[k] = Mark(
                on.link, on.T @ self.before(k) @ spatial.pose(turn, np.array(along))
            )
        return self.marks[k]

    def before(self, k: int) -> np.ndarray:
        """From the antecedent to the frame whose z is the joint's axis."""
        along = np.array([0.0, 0.0, self.at("b", k)])
        T = spatial.pose(spatial.rotation_z(self.at("gamma", k)), along)
        across = spatial.pose(spatial.rotation_x(self.at("alpha", k)), np.zeros(3))
        return np.asarray(T @ across @ spatial.pose(np.eye(3), np.array([self.at("d", k), 0, 0])))

    def model(self) -> Model:
        """The neutral model."""
        found = Model(self.name, self.file, "SYMORO")
        found.links[BASE] = Link(BASE)
        for k in range(1, self.links + 1):
            found.add(self.solid(k))
        loops = self.joints - self.links
        for k in range(1, self.joints + 1):
            found.joints.append(self.joint(k, loops))
            if self.whole("mu", k) and found.joints[-1].kind != "fixed":
                found.drives.append(Drive(f"joint{k}"))
        for k in range(self.joints + 1, self.frames + 1):
            found.marks[f"frame{k}"] = self.frame(k)
        if "G" in self.words:
            found.gravity = (self.at("G", 1), self.at("G", 2), self.at("G", 3))
        texts = [" ".join(self.words[key][1]) for key in _GEOMETRY if key in self.words]
        found.precision = precision_of(texts)
        self.remark(found)
        return found

    def remark(self, model: Model) -> None:
        """Say which lists are not there or not used, and which angles may be degrees."""
        missing = [key for key in (*_GEOMETRY, *_SOLID) if key not in self.words]
        if missing:
            model.note("zeros", f"the table does not say {quoted(missing)}: zeros are taken")
        large = [
            (abs(self.known[key, k]), f"{key}[{k}]")
            for key, k in self.known
            if key in _ANGLES and abs(self.known[key, k]) > _WHOLE_TURN
        ]
        if large:
            size, name = max(large)
            more = f" and {len(large) - 1} more" if len(large) > 1 else ""
            model.warn(
                "degrees",
                f"{name}{more}: {size:g} rad is more than a whole turn; degrees?",
                "Angles of a table are radians: pi/2, or 90*pi/180.",
                entries=[name for _, name in large],
            )
        entries = [self.words[key][1] for key in ("Z",) if key in self.words]
        if entries and entries[0] != [str(int(i == j)) for i in range(4) for j in range(4)]:
            model.warn(
                "base-frame",
                "Z places the base elsewhere, which is not used: poses are in frame 0",
                "Multiply poses by Z where they are compared with SYMORO's.",
            )

    def joint(self, k: int, loops: int) -> Tie:
        """A joint of the tree, or one that closes a loop."""
        kind, near = self.sigma(k), self.link(self.above(k))
        T_A, T_B, drawn = self.before(k), np.eye(4), 0.0
        if kind == "prismatic":
            T_A = T_A @ spatial.pose(spatial.rotation_z(self.at("theta", k)), np.zeros(3))
            drawn = self.variable("r", k)
        else:
            drawn = self.at("theta", k) if kind == "fixed" else self.variable("theta", k)
            T_B = spatial.pose(np.eye(3), np.array([0.0, 0.0, -self.at("r", k)]))
        if kind == "fixed":
            T_A = T_A @ spatial.pose(spatial.rotation_z(drawn), np.zeros(3))
        far, loop = self.link(k), ""
        if k > self.links:
            other = self.frame(k + loops)
            far, T_B = other.link, other.T @ T_B
            loop = f"'joint{k}', a {kind} joint, closes a loop between {near!r} and {far!r}"
        axis = Axis(
            viscous=self.at("FV", k), coulomb=self.at("FS", k), rotor_inertia=self.at("IA", k)
        )
        axes = () if kind == "fixed" else (axis,)
        values = () if kind == "fixed" else (drawn,)
        place = self.place("ant", k)
        return Tie(f"joint{k}", kind, near, far, T_A, T_B, axes, values, loop=loop, place=place)

    def solid(self, k: int) -> Link:
        """A link; its inertia is given about its frame's origin."""
        mass = self.at("M", k)
        first = np.array([self.at(key, k) for key in ("MX", "MY", "MZ")])
        xx, xy, xz, yy, yz, zz = (self.at(key, k) for key in ("XX", "XY", "XZ", "YY", "YZ", "ZZ"))
        about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if not mass and first.any():
            self.place("M", k).refuse(
                "is 0, while its first moments MX, MY, MZ are not: no body has them",
                hint="Regrouped parameters belong to no body: write those of the links themselves.",
            )
        center = first / mass if mass else np.zeros(3)
        rounding = 1e-14 * float(np.abs(about).max())  # what the difference leaves of a point mass
        about = about - mass * ((center @ center) * np.eye(3) - np.outer(center, center))
        about[np.abs(about) <= rounding] = 0.0
        return Link(self.link(k), mass, center, about, self.place("M", k))
