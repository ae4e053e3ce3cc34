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
    """A body's point in a chain: where it is, and its velocity as a map of the motion basis."""

    body: str
    p: Array
    v: Partial


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
        total = total + (block @ Psi if key == V_KEY else times(block, M[key]))
    return total


def times(block: Array, M: Array) -> Array:
    """``block @ M``; a spin or a length has one row in M and one column in a block."""
    if len(M.shape) == 2:
        return block @ M
    return np.outer(block, M) if getattr(block, "shape", ()) else M * block


def width(key: Key) -> int:
    """How many numbers a variable has."""
    return {"x": 3, "V": 6}.get(key[0], 1)
