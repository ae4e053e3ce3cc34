"""Values that derivatives take for constants: what Newton's steps have found already.

One more step from a solution gives the solution again, and its derivatives are those of the
solution, whatever the derivatives of where it started (the theorem on implicit functions).  So
derivatives go through the last step alone, and not through all that led there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.base.spatial import Array, collect
from gough.kernels.tracing.symbols import HELD, Scalar, Symbol, needed, replaced


def differentiated(arrays: Sequence[Array]) -> bool:
    """Whether arrays hold symbols of a program that has derivatives."""
    symbols = (x for array in arrays for x in np.asarray(array).flat if isinstance(x, Symbol))
    return any(x.graph.differentiated for x in symbols)


def held(array: Array) -> Array:
    """The same values, which derivatives take for constants."""
    parts = [x.graph.held(x) if isinstance(x, Symbol) else x for x in np.asarray(array).flat]
    return collect(parts).reshape(np.shape(array))


def changes(array: Array) -> Array:
    """Zeros that have the derivatives of an array."""
    return array - held(array)


def released(results: Sequence[Scalar]) -> list[Scalar]:
    """Results with what was held in its place again, once derivatives are taken."""
    found = [*results]
    while True:  # what is held may be made of what was held before it
        symbols = needed(x for x in found if isinstance(x, Symbol))
        stand_ins = [x for x in symbols if x.op == "input" and x.args[0] == HELD]
        if not stand_ins:
            return found
        found = replaced(found, {x: x.graph.nodes[x.args[1]] for x in stand_ins})
