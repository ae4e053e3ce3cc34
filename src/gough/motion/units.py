"""Units that tables of poses may have, by the words and symbols that people write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known
from gough.base.english import listed
from gough.errors import InputError, shown
from gough.motion.arguments import choice


class Unit(NamedTuple):
    """A unit: what it counts, its symbol, its word, and the factor to SI."""

    kind: str
    symbol: str
    word: str
    factor: float


_DEGREE = np.pi / 180.0
_UNITS = (
    Unit("time", "s", "seconds", 1.0),
    Unit("time", "ms", "milliseconds", 1e-3),
    Unit("time", "us", "microseconds", 1e-6),
    Unit("time", "ns", "nanoseconds", 1e-9),
    Unit("length", "m", "metres", 1.0),
    Unit("length", "cm", "centimetres", 1e-2),
    Unit("length", "mm", "millimetres", 1e-3),
    Unit("length", "um", "micrometres", 1e-6),
    Unit("length", "in", "inches", 0.0254),
    Unit("angle", "rad", "radians", 1.0),
    Unit("angle", "mrad", "milliradians", 1e-3),
    Unit("angle", "deg", "degrees", _DEGREE),
)
_OTHER = {
    "sec": "s",
    "second": "s",
    "µs": "us",
    "μs": "us",
    "meter": "m",
    "metre": "m",
    "µm": "um",
    "μm": "um",
    "inch": "in",
    "radian": "rad",
    "degree": "deg",
    "°": "deg",
}

KINDS = ("length", "angle", "time")
"""What units count."""

SI = {unit.kind: unit for unit in reversed(_UNITS) if unit.factor == 1.0}
"""The unit of each kind that is taken where nothing is said."""

UNITS = {unit.symbol: unit for unit in _UNITS}
"""Units by their symbols."""


def find_unit(text: str) -> Unit | None:
    """The unit that a word or symbol means: ``mm``, ``Millimeters``, ``°``."""
    plain = text.strip().lower().replace("meter", "metre")
    for known in (plain, plain.removesuffix("s")):
        symbol = _OTHER.get(known, known)
        if symbol in UNITS:
            return UNITS[symbol]
    return next((unit for unit in _UNITS if unit.word in (plain, f"{plain}s")), None)


def of_kind(kind: str) -> list[str]:
    """Symbols of the units of a kind."""
    return [unit.symbol for unit in _UNITS if unit.kind == kind]


def check_units(units: Any, angles: str | None, kinds: Sequence[str] = KINDS) -> dict[str, Unit]:
    """Units by kind, as they were given in arguments.

    Args:
        units: by kind: ``{"length": "mm", "angle": "deg"}``; kinds that are silent are left out.
        angles: ``"radians"`` or ``"degrees"``, the other way to say it.
        kinds: of units that a table has.
    """
    if angles is not None:
        choice(angles, "angles", ("radians", "degrees"))
    if units is None:
        units = {}
    if not isinstance(units, Mapping):
        raise InputError(
            f"units is {shown(units)}, expected units by what they count",
            hint='For instance: units={"length": "mm", "angle": "deg"}.',
            argument="units",
        )
    found = {}
    for kind, text in units.items():
        check_known(kind, kinds, "units: there is no kind", "units")
        unit = find_unit(text) if isinstance(text, str) else None
        if unit is None or unit.kind != kind:
            raise InputError(
                f"units: {shown(text)} is no unit of {kind}",
                hint=f"Known: {', '.join(of_kind(kind))}.",
                argument="units",
            )
        found[kind] = unit
    said = None if angles is None else find_unit(angles)
    if said is not None and found.setdefault("angle", said) != said:
        raise InputError(
            f"angles says {said.word}, units says {found['angle'].word}",
            hint="Say it once.",
            argument="angles",
        )
    return found


def named(units: set[Unit]) -> str:
    """Units in words."""
    return listed(sorted(unit.word for unit in units))
