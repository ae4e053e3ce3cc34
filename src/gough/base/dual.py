"""Dual numbers: a value and its derivative by one variable, usually time.

Arrays of them are ordinary NumPy arrays of objects, so that every line written for numbers runs
with dual numbers too, and what comes out carries its exact derivative along: differentiation in
forward mode, without a difference quotient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gough.base.spatial import Array, collect

Operation = Callable[["Dual", Any], "Dual"]


def _of_two(operation: Operation) -> Callable[[Dual, Any], Any]:
    """An operation with another scalar; arrays are left to NumPy, entry by entry."""

    def method(self: Dual, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return operation(self, other if isinstance(other, Dual) else Dual(other, 0.0))

    return method


def _quotient(a: Dual, b: Dual) -> Dual:
    value = a.value / b.value
    return Dual(value, (a.slope - value * b.slope) / b.value)


class Dual:
    """``value + slope e`` with ``e**2 = 0``: a scalar and its derivative.

    It has the arithmetic that equations of a machine use; it is not compared.
    """

    __slots__ = ("slope", "value")

    def __init__(self, value: Any, slope: Any) -> None:
        self.value, self.slope = value, slope

    __add__ = _of_two(lambda a, b: Dual(a.value + b.value, a.slope + b.slope))
    __sub__ = _of_two(lambda a, b: Dual(a.value - b.value, a.slope - b.slope))
    __rsub__ = _of_two(lambda a, b: Dual(b.value - a.value, b.slope - a.slope))
    __mul__ = _of_two(lambda a, b: Dual(a.value * b.value, a.slope * b.value + a.value * b.slope))
    __truediv__ = _of_two(_quotient)
    __rtruediv__ = _of_two(lambda a, b: _quotient(b, a))
    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {self.slope!r})"

    # NumPy asks every entry of an array for its functions by these names.

    def sqrt(self) -> Dual:
        """Square root."""
        root = np.sqrt(self.value)
        return Dual(root, self.slope * 0.5 / root)

    def sin(self) -> Dual:
        """Sine."""
        return Dual(np.sin(self.value), np.cos(self.value) * self.slope)

    def cos(self) -> Dual:
        """Cosine."""
        return Dual(np.cos(self.value), -np.sin(self.value) * self.slope)


def moving(values: Array, slopes: Array) -> Array:
    """An array of dual numbers from an array and its derivative."""
    pairs = zip(np.ravel(values), np.ravel(slopes), strict=True)
    flat = np.fromiter((Dual(*pair) for pair in pairs), dtype=object, count=np.size(values))
    return flat.reshape(np.shape(values))


def slopes(x: Array) -> Array:
    """The derivative of an array, or of a scalar; constants among it have none."""
    entries = np.asarray(x, dtype=object)
    flat = [e.slope if isinstance(e, Dual) else 0.0 for e in entries.ravel()]
    return collect(flat).reshape(entries.shape)
