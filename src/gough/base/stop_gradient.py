"""Values that derivatives take for constants: what Newton's steps have found already.

One more step from a solution gives the solution again, and its derivatives are those of the
solution, whatever the derivatives of where it started (the theorem on implicit functions).  So
derivatives go through the last step alone, and not through all that led there.  With numbers
nothing is differentiated, and nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gough.base.spatial import Array, collect


def differentiated(arrays: Sequence[Array]) -> bool:
    """Whether arrays hold symbols of a program that has derivatives."""
    return any(x.graph.differentiated for array in arrays for x in _symbols(array))


def held(array: Array) -> Array:
    """The same values, which derivatives take for constants."""
    flat = np.asarray(array).flat
    parts = [x.graph.held(x) if hasattr(x, "graph") else x for x in flat]
    return collect(parts).reshape(np.shape(array))


def changes(array: Array) -> Array:
    """Zeros that have the derivatives of an array."""
    return array - held(array)


def _symbols(array: Array) -> Iterator[Any]:
    return (x for x in np.asarray(array).flat if hasattr(x, "graph"))
