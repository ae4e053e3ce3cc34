"""Craig and Bampton's reduction: a fine mesh by what its ends do, and a few modes between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import eigh

_ALIKE = 1e-6  # squares of frequencies that differ by less are those of a pair


def reduced(stiffness: np.ndarray, mass: np.ndarray, kept: Sequence[int], modes: int) -> np.ndarray:
    """Displacements of all nodes per coordinate that is kept ``(6k, n)``.

    Args:
        stiffness: of all nodes ``(6k, 6k)``.
        mass: of all nodes.
        kept: nodes whose displacements stay coordinates, first in the result.
        modes: lowest modes with these nodes held that become coordinates as well; one more if the
            last is one of two alike, as of round beams: half of a pair would point anywhere.

    Statics of loads on the nodes that are kept stay exact.
    """
    count = len(stiffness)
    b = np.concatenate([np.arange(6 * node, 6 * node + 6) for node in kept])
    i = np.setdiff1d(np.arange(count), b)
    inner = stiffness[np.ix_(i, i)]
    shapes = _lowest(inner, mass[np.ix_(i, i)], min(modes, len(i)))
    found = np.zeros((count, len(b) + shapes.shape[1]))
    found[b, np.arange(len(b))] = 1.0
    if len(i):
        found[i, : len(b)] = -np.linalg.solve(inner, stiffness[np.ix_(i, b)])
    found[i, len(b) :] = shapes
    return found


def _lowest(stiffness: np.ndarray, mass: np.ndarray, modes: int) -> np.ndarray:
    """Shapes of the lowest modes, columns."""
    if not modes:
        return np.zeros((len(stiffness), 0))
    # 1 / omega^2, largest first: mass need not be definite
    last = len(stiffness) - 1
    wanted = [max(last - modes, 0), last]
    values, shapes = eigh(mass, stiffness, subset_by_index=wanted)
    values, shapes = values[::-1], shapes[:, ::-1]
    pair = len(values) > modes and values[modes] > (1.0 - _ALIKE) * values[modes - 1]
    return np.asarray(shapes[:, : modes + 1 if pair else modes])
