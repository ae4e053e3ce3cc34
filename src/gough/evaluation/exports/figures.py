"""Figures: numbers that legs of one kind differ by, as symbols of a trace and as rows of a table.

Numbers that all legs of a kind have are none: they stay constants, and zeros among them fold away
for every leg at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.spatial import Array

_SAME = 2e-15
"""Numbers that differ less, beside the largest of their array, differ by rounding."""


class Figures:
    """The table of a kind of legs: a row a leg, a column a figure.

    Equal columns are kept once, and a column of opposite sign is the same with a minus.

    Args:
        legs: how many there are.
    """

    def __init__(self, legs: int) -> None:
        self.legs = legs
        self._columns: list[np.ndarray] = []

    @property
    def table(self) -> np.ndarray:
        """All figures, one row a leg."""
        return np.array(self._columns).T if self._columns else np.zeros((self.legs, 0))

    def of(self, arrays: Sequence[Any], given: Array | None) -> list[Array]:
        """The same array of every leg, with figures in the places where legs differ.

        Args:
            arrays: numbers of each leg, of one shape.
            given: symbols of the table; without them, figures are noted and numbers returned.
        """
        stack = np.array(arrays, dtype=float)
        flat = stack.reshape(self.legs, -1)
        same = np.ptp(flat, axis=0) <= _SAME * np.abs(flat).max(initial=0.0)
        places = [None if alike else self._place(flat[:, k]) for k, alike in enumerate(same)]
        if given is None:
            return list(stack)
        rows = []
        for leg in range(self.legs):
            row = np.empty(flat.shape[1], dtype=object)
            for k, place in enumerate(places):
                row[k] = float(flat[0, k]) if place is None else _signed(given[leg], *place)
            rows.append(row.reshape(stack.shape[1:]) if any(places) else stack[0])
        return rows

    def number(self, values: Sequence[float], given: Array | None) -> list[Array]:
        """The same of one number a leg."""
        found = self.of([[value] for value in values], given)
        return [each[0] if given is not None else float(each[0]) for each in found]

    def _place(self, column: np.ndarray) -> tuple[int, float]:
        """Where a column stands in the table, and its sign there."""
        known, near = self.table.T, _SAME * np.abs(column)
        for sign in (1.0, -1.0):
            alike = (np.abs(known - sign * column) <= near).all(axis=1)
            if alike.any():
                return int(alike.argmax()), sign
        self._columns.append(column)
        return len(self._columns) - 1, 1.0


def _signed(row: Array, place: int, sign: float) -> Any:
    return row[place] if sign > 0.0 else -row[place]
