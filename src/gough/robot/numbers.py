"""Numbers of a description, checked when they are given and kept as plain tuples of floats.

Tuples make the dataclasses of this room comparable and hashable by content.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.arguments import LARGEST, read_number
from gough.errors import DescriptionError, shown

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]


STIFFEST = 1e20
"""Stiffness beyond which softer parts of a machine vanish by rounding [N/m or N m/rad]."""


def check_number(
    value: Any, path: str, *, positive: bool = False, nonnegative: bool = False
) -> float:
    """A finite float, with a sign if one is asked for."""
    number, fault = read_number(value, positive=positive, nonnegative=nonnegative)
    if fault:
        raise DescriptionError(fault, path=path)
    return number


def check_stiffness(value: Any, path: str) -> float:
    """Stiffness of an elastic part, where absence means that it is rigid [N/m or N m/rad]."""
    number = check_number(value, path, positive=True)
    if number > STIFFEST:
        raise DescriptionError(
            f"is {number:g}, which rounding cannot tell from rigid beside other parts",
            path=path,
            hint="Leave it out: what is absent is rigid.",
        )
    return number


def check_switch(value: Any, path: str) -> bool:
    """True or False, of Python or NumPy."""
    if not isinstance(value, (bool, np.bool_)):
        raise DescriptionError(f"expected true or false, got {shown(value)}", path=path)
    return bool(value)


def check_vector(value: Any, path: str) -> Vector:
    """Three finite floats."""
    if type(value) in (tuple, list) and len(value) == 3:
        x, y, z = value
        if type(x) is type(y) is type(z) is float and abs(x) + abs(y) + abs(z) < LARGEST:
            return (x, y, z)  # the usual case, without further ado
    items = _items(value, 3, path, "three numbers [x, y, z]")
    x, y, z = (check_number(v, f"{path}[{i}]") for i, v in enumerate(items))
    return (x, y, z)


def check_matrix(value: Any, path: str) -> Matrix:
    """Three rows of three finite floats."""
    rows = _items(value, 3, path, "three rows of three numbers")
    a, b, c = (check_vector(row, f"{path}[{i}]") for i, row in enumerate(rows))
    return (a, b, c)


def _items(value: Any, count: int, path: str, expected: str) -> list[Any]:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or len(value) != count:
        raise DescriptionError(f"expected {expected}, got {shown(value)}", path=path)
    return list(value)
