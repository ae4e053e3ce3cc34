"""Velocities as linear maps of the motion basis: Kane's partial velocities.  [OZ] (47)-(50)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array
from gough.dynamics.elements.decomposition import Key

Partial = dict[Key, Array]
"""A velocity as a linear map of the motion basis: 3x3 for xdot, a vector for spins and lengths."""

V_KEY: Key = ("V", "", 0)
"""The platform twist, 3x6: what is given when motion constraints are solved."""


class Point(NamedTuple):
    """A body's point in a chain.

    Attributes:
        body: its name.
        at: where on the body, body axes [m].
        v: its velocity as a map of the motion basis.
    """

    body: str
    at: np.ndarray
    v: Partial


class Arm(NamedTuple):
    """A vector in a body as ``rho x + e``, e across the element's direction.  [OZ] (11).

    Attributes:
        rho: along the direction [m].
        e: across it, base axes [m]; ``None`` where there is nothing.
    """

    rho: Array
    e: Array | None


Drawn = tuple[tuple[Array, np.ndarray], ...]
"""Lengths that vary, and their directions in body axes."""


def plus(*maps: Mapping[Key, Array]) -> Partial:
    """Sum of linear maps."""
    total: Partial = {}
    for each in maps:
        for key, block in each.items():
            total[key] = total[key] + block if key in total else block
    return total


def scaled(each: Mapping[Key, Array], factor: float) -> Partial:
    """A linear map times a number."""
    return {key: block * factor for key, block in each.items()}


def along(n: Array, each: Mapping[Key, Array]) -> Partial:
    """Component of a velocity along a direction: a row for each variable."""
    return {key: n @ block for key, block in each.items()}


def in_freedoms(row: Mapping[Key, Array], M: Mapping[Key, Array], Psi: Array) -> Array:
    """A row over the motion basis, or three of them, as one over the robot's own freedoms."""
    total: Array = 0.0
    for key, block in row.items():
        total = total + (block @ Psi if key == V_KEY else applied(key, block, M[key]))
    return total


def applied(key: Key, block: Array, value: Array) -> Array:
    """A map's block times its variable, or times as many values of it as columns."""
    return block @ value if key[0] == "x" else by_rate(block, value)


def by_rate(block: Array, rate: Array) -> Array:
    """A scalar or a vector times a rate, or times a row of rates: a column for each."""
    both = getattr(block, "shape", ()) and getattr(rate, "shape", ())
    return np.outer(block, rate) if both else block * rate


def width(key: Key) -> int:
    """How many numbers a variable has."""
    return {"x": 3, "V": 6}.get(key[0], 1)
