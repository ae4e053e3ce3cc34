"""Numbers of a description, checked at the door and kept as plain tuples of floats.

Tuples make the dataclasses of this room comparable and hashable by content.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gough.errors import DescriptionError, shown

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

LARGEST = 1e100
"""Largest magnitude of a number; beyond it squares and products would overflow unnoticed."""


def check_number(
    value: Any, path: str, *, positive: bool = False, nonnegative: bool = False
) -> float:
    """A finite float, with a sign if one is asked for."""
    if isinstance(value, (bool, str)) or value is None:
        raise DescriptionError(f"expected a number, got {shown(value)}", path=path)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as err:
        raise DescriptionError(f"expected a number, got {shown(value)}", path=path) from err
    if not math.isfinite(number):
        raise DescriptionError(f"{number} is not a finite number", path=path)
    if abs(number) > LARGEST:
        raise DescriptionError(f"{number:g} is beyond all measure", path=path)
    if positive and number <= 0.0:
        raise DescriptionError(f"must be positive, is {number:g}", path=path)
    if nonnegative and number < 0.0:
        raise DescriptionError(f"must not be negative, is {number:g}", path=path)
    return number


def check_vector(value: Any, path: str) -> Vector:
    """Three finite floats."""
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
