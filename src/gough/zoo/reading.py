"""Readers of parameters: nested data in, checked parts of a robot out.

Every error names the parameter, ``legs[2].arm.mass``, by the path it was read from.

A body is ``{"mass", "com", "inertia_com"}``: mass [kg], centre of mass [m] and inertia about it
[kg m^2], body axes; what :mod:`gough.robot.inertia` returns (``mass, center, inertia``) does too.
A motor axis is ``{"viscous", "coulomb", "rotor_inertia"}``, and perhaps ``effort``, its limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gough.base.arguments import nearest
from gough.base.spatial import pose, rotation_exp
from gough.errors import DescriptionError, shown
from gough.robot import Axis, Body, Limits
from gough.robot.body import ZERO, check_inertia
from gough.robot.frame import unit
from gough.robot.numbers import check_number, check_vector

Read = TypeVar("Read")

Data = Mapping[str, Any]
"""Figures of a body, a motor or a leg, by their keys."""

Legs = Sequence[Data]
"""Figures of the legs of a machine."""

# a body may speak the language of robot files instead of the papers'
_SYNONYMS = {"center": "com", "inertia": "inertia_com"}


def number(value: Any, path: str) -> float:
    """A finite number of any sign."""
    return check_number(value, path)


def length(value: Any, path: str) -> float:
    """A length [m], or another quantity that must be positive."""
    return check_number(value, path, positive=True)


def vector(value: Any, path: str) -> np.ndarray:
    """Three finite numbers."""
    return np.array(check_vector(value, path))


def direction(value: Any, path: str) -> np.ndarray:
    """A unit vector along a direction of any length but zero."""
    return unit(value, path)


def placement(value: Any, path: str) -> np.ndarray:
    """A pose from six numbers: position [m] and rotation vector [rad]."""
    x = numbers(value, 6, path)
    return pose(rotation_exp(x[3:]), x[:3])


def word(value: Any, known: Iterable[str], path: str) -> str:
    """One of a few words."""
    words = list(known)
    if not isinstance(value, str) or value not in words:
        raise DescriptionError(
            f"unknown value {shown(value)}", path=path, hint=nearest(value, words)
        )
    return value


def sign(value: Any, path: str) -> int:
    """1 or -1: which of two branches."""
    found = check_number(value, path)
    if abs(found) != 1.0:
        raise DescriptionError(f"is 1 or -1, got {shown(value)}", path=path)
    return int(found)


def several(value: Any, count: int, path: str) -> list[Any]:
    """A list of as many things as the machine needs."""
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(items, (list, tuple)) or len(items) != count:
        given = f"{len(items)} of them" if isinstance(items, (list, tuple)) else shown(value)
        raise DescriptionError(f"expected a list of {count}, got {given}", path=path)
    return list(items)


def numbers(value: Any, count: int, path: str, *, positive: bool = False) -> np.ndarray:
    """So many numbers."""
    items = several(value, count, path)
    return np.array(
        [check_number(item, f"{path}[{i}]", positive=positive) for i, item in enumerate(items)]
    )


def entry(
    data: Any, keys: Iterable[str], path: str, *, optional: Iterable[str] = ()
) -> Mapping[str, Any]:
    """A mapping with exactly these keys, and perhaps the optional ones."""
    if not isinstance(data, Mapping):
        raise DescriptionError(f"expected a mapping, got {shown(data)}", path=path)
    needed = list(keys)
    known = [*needed, *optional]
    for key in data:
        if key not in known:
            raise DescriptionError(f"unknown key {shown(key)}", path=path, hint=nearest(key, known))
    for key in needed:
        if key not in data:
            raise DescriptionError(
                f"has no {key!r}", path=path, hint=f"Needed: {', '.join(needed)}."
            )
    return data


@dataclass(frozen=True)
class Leg:
    """Parameters of a leg, each read under its own path, ``legs[2].arm``.

    Args:
        n: number of the leg, from 1.
        data: figures by their keys.
        path: of the leg itself.
    """

    n: int
    data: Mapping[str, Any]
    path: str

    def get(self, reader: Callable[[Any, str], Read], key: str) -> Read:
        """What one of the readers of this file makes of a figure; of None if it is not given."""
        return reader(self.data.get(key), f"{self.path}.{key}")

    def body(self, key: str, name: str = "") -> Body:
        """A body, called by its key and the number of the leg unless it has another name."""
        return body(name or f"{key}{self.n}", self.data[key], f"{self.path}.{key}")


def legs(data: Any, count: int, keys: Iterable[str], *, optional: Iterable[str] = ()) -> list[Leg]:
    """The legs of a machine: so many mappings with the same keys."""
    items = enumerate(several(data, count, "legs"))
    needed, more = list(keys), list(optional)
    paths = [(i + 1, item, f"legs[{i}]") for i, item in items]
    return [Leg(n, entry(item, needed, path, optional=more), path) for n, item, path in paths]


def column(given: Sequence[Leg], reader: Callable[[Any, str], Any], key: str) -> np.ndarray:
    """The same figure of all legs, one a row."""
    return np.array([leg.get(reader, key) for leg in given])


def body(name: str, data: Any, path: str = "") -> Body:
    """A body from ``{"mass", "com", "inertia_com"}``; a mass of 0 makes it massless.

    Args:
        name: of the body.
        data: the figures; a centre or an inertia that is not given is zero.
        path: of the parameter, for errors; the name if empty.
    """
    path = path or name
    given = entry(data, ["mass"], path, optional=[*_SYNONYMS, *_SYNONYMS.values()])
    if any(a in given and b in given for a, b in _SYNONYMS.items()):
        raise DescriptionError("gives the same figure under two names", path=path)
    com, inertia_com = (old if old in given else new for new, old in _SYNONYMS.items())
    mass = check_number(given["mass"], f"{path}.mass", nonnegative=True)
    center = check_vector(given.get(com, (0.0, 0.0, 0.0)), f"{path}.{com}")
    inertia = check_inertia(given.get(inertia_com, ZERO), f"{path}.{inertia_com}")
    if mass == 0.0 and inertia != ZERO:
        raise DescriptionError("has an inertia without a mass", path=path)
    return Body(name, mass, center, inertia, massless=mass == 0.0)


def axis(data: Any, path: str = "act") -> Axis:
    """A motor axis from ``{"viscous", "coulomb", "rotor_inertia"}``, zero where not given.

    ``effort`` bounds the motor [N m or N].  None is a motor without friction and rotor.
    """
    keys = ("viscous", "coulomb", "rotor_inertia")
    given = {} if data is None else entry(data, [], path, optional=[*keys, "effort"])
    viscous, coulomb, rotor_inertia = (
        check_number(given.get(key, 0.0), f"{path}.{key}", nonnegative=True) for key in keys
    )
    effort = given.get("effort")
    if effort is not None:
        effort = check_number(effort, f"{path}.effort", positive=True)
    return Axis(viscous, coulomb, rotor_inertia, limits=Limits(effort=effort))
