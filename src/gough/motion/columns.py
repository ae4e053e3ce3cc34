"""Which column of a table holds which quantity, and in which unit.

Columns are known by their names, ``x``, ``pos_x``, ``qw``, with the unit in the header where it has
one: ``x [mm]``, ``x_mm``, ``roll (deg)``.  What the caller says wins over names and headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known, nearest
from gough.base.english import quoted
from gough.errors import FileError, InputError, shown
from gough.motion.units import SI, UNITS, Unit, find_unit, of_kind

TIME = ("t",)
POSITION = ("x", "y", "z")
VECTOR, RPY = ("rx", "ry", "rz"), ("roll", "pitch", "yaw")
NUMBERED = ("angle1", "angle2", "angle3")
"""Angles of a sequence of rotations, in its order."""
QUATERNION = ("qw", "qx", "qy", "qz")
UNNAMED = (("q0", "q1", "q2", "q3"), ("q1", "q2", "q3", "q4"))
"""Columns of a quaternion whose names do not say which one is the scalar."""

_SYNONYMS: dict[str, tuple[str, ...]] = {"t": ("time", "timestamp", "time_stamp")}
_SYNONYMS |= {a: (f"pos_{a}", f"{a}_pos", f"position_{a}", f"p{a}", f"p_{a}") for a in POSITION}
_SYNONYMS |= {f"r{a}": (f"r_{a}",) for a in POSITION}
_SYNONYMS |= {
    f"q{a}": (f"q_{a}", f"quat_{a}", f"quaternion_{a}", f"orientation_{a}") for a in "wxyz"
}
_SYNONYMS |= {f"q{i}": (f"q_{i}", f"quat_{i}", f"quaternion_{i}") for i in range(5)}

# behind the name of a body or a message: /pose/position/x
_TAIL = re.compile(r"(?:.*_)?((?:position|orientation)_[wxyz])")
_BRACKETS = re.compile(r"(?P<stem>.*?)\s*[\[(]\s*(?P<unit>[^\])]*?)\s*[\])]")
_SUFFIX = re.compile(r"(?P<stem>.+)[_/ ](?P<unit>[^_/ ]+)")


@dataclass(frozen=True)
class Vocabulary:
    """What the columns of a table may hold, and the names that are known for it.

    Attributes:
        kinds: what quantities count, ``"length"``, ``"angle"``, ``"time"`` or ``""`` for numbers
            without a unit, by quantity.
        synonyms: other names of quantities, small letters and underscores.  Names of quantities
            win over them, and earlier ones over later ones.
        hint: how to say which column holds what.
    """

    kinds: Mapping[str, str]
    synonyms: Mapping[str, tuple[str, ...]]
    hint: str

    def kind(self, quantity: str) -> str | None:
        """What a quantity counts; None for a number without a unit."""
        return self.kinds[quantity] or None

    @cached_property
    def _meant(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for quantity in self.kinds:
            found.setdefault(plain_name(quantity), quantity)
        for quantity, words in self.synonyms.items():
            for word in words:
                found.setdefault(word, quantity)
        return found

    def quantity(self, stem: str) -> str | None:
        """The quantity that a name means, if it is known."""
        if stem in self.kinds:
            return stem
        plain = plain_name(stem)
        tail = _TAIL.fullmatch(plain)
        return self._meant.get(plain) or (self._meant.get(tail[1]) if tail else None)

    def header(self, name: str) -> tuple[str | None, str]:
        """The quantity that the name of a column means, if it is known, and the unit behind it."""
        for kind in (None, *SI):
            stem, unit = _split(name, kind)
            found = self.quantity(stem)
            if found is not None and kind in (None, self.kind(found)):
                return found, unit
        return None, ""


_OF_POSES = dict.fromkeys(TIME, "time") | dict.fromkeys(POSITION, "length")
_OF_POSES |= dict.fromkeys((*VECTOR, *RPY, *NUMBERED), "angle")
_OF_POSES |= dict.fromkeys((*QUATERNION, "q0", "q1", "q2", "q3", "q4"), "")
POSES = Vocabulary(
    _OF_POSES,
    _SYNONYMS,
    'Say which is which: columns={"t": "time", "x": "pos_x", "roll": "rx"}.',
)
"""Of tables of poses in time."""


class Column(NamedTuple):
    """A column of a table that holds a quantity.

    Attributes:
        name: in the table.
        values: as they stand there (K,).
        unit: as the header has it; empty if it has none.
    """

    name: str
    values: np.ndarray
    unit: str


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of a table by the quantities that they hold.

    Attributes:
        file: where the table is, for errors.
        names: of all its columns.
        found: the columns that may be meant by a quantity; several, if names do not decide.
        said: units that the caller gave, by kind.
        vocabulary: what columns may hold.
    """

    file: str
    names: tuple[str, ...]
    found: Mapping[str, tuple[Column, ...]]
    said: Mapping[str, Unit]
    vocabulary: Vocabulary = POSES

    def __contains__(self, quantity: object) -> bool:
        return quantity in self.found

    def of(self, quantities: Iterable[str]) -> tuple[str, ...]:
        """Those of some quantities that the table has."""
        return tuple(quantity for quantity in quantities if quantity in self.found)

    def at(self, rows: np.ndarray) -> Columns:
        """The same columns with some of their rows."""
        some = {
            quantity: tuple(each._replace(values=each.values[rows]) for each in several)
            for quantity, several in self.found.items()
        }
        return replace(self, found=some)

    def one(self, quantity: str, wanted: Sequence[str] = ()) -> Column:
        """The column of a quantity; none, or several, are refused."""
        there = self.found.get(quantity, ())
        if not there:
            near = nearest(quantity, self.names)
            raise FileError(
                f"there is no column {quantity!r}; wanted: {', '.join(wanted or (quantity,))}",
                file=self.file,
                hint=f"{near} {self.vocabulary.hint}",
                column=quantity,
            )
        if len(there) > 1:
            raise FileError(
                f"the columns {quoted(c.name for c in there)} may all be {quantity}",
                file=self.file,
                hint=f'Say which one is: columns={{"{quantity}": "{there[0].name}"}}.',
                column=quantity,
            )
        return there[0]

    def unit(self, quantity: str) -> Unit | None:
        """The unit of a quantity: what the caller said, else the header; None if neither did."""
        kind = self.vocabulary.kind(quantity)
        if kind is None:
            return None
        column = self.one(quantity)
        if kind in self.said or not column.unit:
            return self.said.get(kind)
        unit = find_unit(column.unit)
        if unit is None or unit.kind != kind:
            raise FileError(
                f"column {shown(column.name)}: {shown(column.unit)} is no unit of {kind}",
                file=self.file,
                hint=f"Known: {', '.join(of_kind(kind))}; say it: "
                f'units={{"{kind}": "{of_kind(kind)[0]}"}}.',
                column=column.name,
            )
        return unit

    def raw(self, quantities: Sequence[str]) -> np.ndarray:
        """Columns side by side, as they stand in the table (K, m)."""
        return np.stack([self.one(each, quantities).values for each in quantities], axis=1)

    def values(self, quantities: Sequence[str]) -> np.ndarray:
        """Columns side by side in SI units (K, m); SI is taken where nothing says the unit."""
        raw = self.raw(quantities)
        return raw * [self.factor(each) for each in quantities]

    def factor(self, quantity: str) -> float:
        """What makes a quantity SI."""
        unit = self.unit(quantity)
        return 1.0 if unit is None else unit.factor

    def units(self, quantities: Iterable[str]) -> set[Unit]:
        """Units in which some quantities were read."""
        return {self.unit(each) or SI[self.vocabulary.kinds[each]] for each in quantities}

    def check_headers(self, quantities: Sequence[str]) -> None:
        """Refuse quantities of one kind of which some have a unit in the header, others none."""
        known = [each for each in quantities if self.unit(each) is not None]
        silent = [each for each in quantities if each not in known]
        if known and silent:
            kind, likely = self.vocabulary.kinds[known[0]], self.unit(known[0])
            raise InputError(
                f"the header has the unit of {quoted(known)}, and not of {quoted(silent)}",
                hint="Write it into every header, or say one for all: "
                f'units={{"{kind}": "{likely.symbol if likely else SI[kind].symbol}"}}.',
                argument="units",
            )

    def renamed(self, quantities: Iterable[str]) -> str:
        """Where the columns of some quantities have other names, in words; else empty."""
        pairs = {each: self.one(each).name for each in quantities}
        others = [
            f"{each} {name!r}"
            for each, name in pairs.items()
            if plain_name(_split(name, self.vocabulary.kind(each))[0]) != plain_name(each)
        ]
        return "; by the columns " + ", ".join(others) if others else ""

    def overruled(self, quantities: Iterable[str]) -> str:
        """Where the caller said another unit than the header, in words; else empty."""
        found = []
        for quantity in quantities:
            column, unit = self.one(quantity), self.unit(quantity)
            header = find_unit(column.unit) if column.unit else None
            if unit is not None and column.unit and header != unit:
                found.append(f"{column.name!r} was read in {unit.word}, as the caller says")
        return "; " + ", ".join(found) if found else ""


def find_columns(
    table: Mapping[str, np.ndarray],
    file: str,
    columns: Any,
    said: Mapping[str, Unit],
    vocabulary: Vocabulary = POSES,
) -> Columns:
    """Columns of a table by the quantities that they hold.

    Args:
        table: columns by name.
        file: where it is, for errors.
        columns: names of columns by quantity, which the caller gave; None for none.
        said: units that the caller gave, by kind.
        vocabulary: what columns may hold.
    """
    given = _given(table, columns, file, vocabulary)
    found: dict[str, tuple[Column, ...]] = {}
    for name, values in table.items():
        quantity, unit = vocabulary.header(name)
        if quantity is not None and name not in given.values() and quantity not in given:
            found[quantity] = (*found.get(quantity, ()), Column(name, values, unit))
    for quantity, several in found.items():
        exact = tuple(column for column in several if column.name == quantity)
        found[quantity] = exact or several
    for quantity, name in given.items():
        found[quantity] = (Column(name, table[name], _split(name, vocabulary.kind(quantity))[1]),)
    return Columns(file, tuple(table), found, said, vocabulary)


def _given(
    table: Mapping[str, np.ndarray], columns: Any, file: str, vocabulary: Vocabulary
) -> dict[str, str]:
    """Names of columns by quantity, as the caller gave them, checked."""
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise InputError(
            f"columns is {shown(columns)}, expected names of columns by quantity",
            hint=vocabulary.hint,
            argument="columns",
        )
    found: dict[str, str] = {}
    for quantity, name in columns.items():
        check_known(quantity, vocabulary.kinds, "columns: there is no quantity", "columns")
        if not isinstance(name, str):
            raise InputError(
                f"columns[{shown(quantity)}] is {shown(name)}, expected the name of a column",
                argument="columns",
            )
        # a name without the unit that its header has will do
        alike = (
            [name]
            if name in table
            else [n for n in table if _split(n, vocabulary.kind(quantity))[0] == name]
        )
        if len(alike) != 1:
            raise FileError(
                f"there is no column {name!r}, which should be {quantity}",
                file=file,
                hint=nearest(name, table),
                column=name,
            )
        if alike[0] in found.values():
            twin = next(key for key, value in found.items() if value == alike[0])
            raise InputError(
                f"columns: {name!r} is said to be {twin} and {quantity}", argument="columns"
            )
        found[quantity] = alike[0]
    return found


def _split(name: str, kind: str | None) -> tuple[str, str]:
    """A name and the unit behind it: ``x [mm]``, ``x (mm)``; of a known kind also ``x_mm``."""
    inside = _BRACKETS.fullmatch(name)
    if inside is not None:
        return inside["stem"], inside["unit"]
    behind = None if kind is None else _SUFFIX.fullmatch(name)
    if behind is not None:
        unit = UNITS.get(behind["unit"].lower())
        if unit is not None and unit.kind == kind:
            return behind["stem"], behind["unit"]
    return name, ""


def plain_name(stem: str) -> str:
    """A name in small letters, other characters than letters and digits as one underscore."""
    return re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_")
