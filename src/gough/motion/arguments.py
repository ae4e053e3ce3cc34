"""Checks of the arguments of functions that make motions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.arguments import nearest, number
from gough.base.batch import as_array, check_finite
from gough.errors import InputError, shown
from gough.motion.space import Space, axes_of

SHORTEST, LONGEST = 1e-9, 1e9
"""Shortest and longest times [s]; beyond, squares of rates or differences of times lose digits."""


def duration(value: Any, name: str = "duration") -> float:
    """A time that passes [s], of a size that can be computed with."""
    seconds = number(value, name, positive=True)
    if not SHORTEST <= seconds <= LONGEST:
        raise InputError(
            f"{name} is {seconds:g} s, expected {SHORTEST:g} to {LONGEST:g} s", argument=name
        )
    return seconds


def choice(value: Any, name: str, known: Sequence[str]) -> str:
    """One of some words, or an error that lists them."""
    if not isinstance(value, str) or value not in known:
        raise InputError(
            f"{name} is {shown(value)}, expected one of {', '.join(known)}",
            hint=nearest(value, known) if isinstance(value, str) else "",
            argument=name,
        )
    return value


def by_freedom(space: Space, value: Any, name: str, missing: float = 0.0) -> np.ndarray:
    """One number for each freedom: from a number for all, a list, or a mapping by their names."""
    names = space.assembly.freedoms
    if isinstance(value, Mapping):
        for key in value:
            if key not in names:
                raise InputError(
                    f"{name}: {shown(key)} is no freedom of {space.assembly.robot.name}",
                    hint=nearest(key, names),
                    argument=name,
                )
        given = {key: number(each, f"{name}.{key}") for key, each in value.items()}
        return np.array([given.get(n, missing) for n in names])
    if axes_of(value) == 0 and not isinstance(value, (list, tuple)):
        return np.full(len(names), number(value, name))
    array = as_array(value, (len(names),), name)
    if array.ndim != 1:
        raise InputError(
            f"{name} has shape {array.shape}, expected ({len(names)},): one number for each of "
            f"{', '.join(names)}",
            argument=name,
        )
    check_finite(array, name)
    return array


def direction(space: Space, vector: Any, name: str) -> np.ndarray:
    """A unit vector along which the platform can move, as a displacement (n,)."""
    array = as_array(vector, (3,), name)
    if array.ndim != 1 or not np.isfinite(array).all() or not np.linalg.norm(array) > 0.0:
        raise InputError(f"{name}: {shown(vector)} is no direction", argument=name)
    moved = np.append(array / np.linalg.norm(array), np.zeros(3))
    # components of the unit vector outside the freedoms: the robot cannot move so
    if np.linalg.norm(np.delete(moved, space.free)) > 1e-9:
        raise InputError(
            f"{name}: {space.assembly.robot.name} cannot be moved along {shown(vector)}",
            hint=f"Its freedoms are {', '.join(space.assembly.freedoms)}.",
            argument=name,
        )
    return moved[space.free]
