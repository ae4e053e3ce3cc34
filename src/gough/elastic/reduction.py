"""Craig and Bampton's reduction: a fine mesh by what its ends do, and a few modes between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import eigh


def reduced(stiffness: np.ndarray, mass: np.ndarray, kept: Sequence[int], modes: int) -> np.ndarray:
    """Displacements of all nodes per coordinate that is kept ``(6k, n)``.

    Args:
        stiffness: of all nodes ``(6k, 6k)``.
        mass: of all nodes.
        kept: nodes whose displacements stay coordinates, first in the result.
        modes: lowest modes with these nodes held that become coordinates as well.

    Statics of loads on the nodes that are kept stay exact.
    """
    count = len(stiffness)
    b = np.concatenate([np.arange(6 * node, 6 * node + 6) for node in kept])
    i = np.setdiff1d(np.arange(count), b)
    modes = min(modes, len(i))
    found = np.zeros((count, len(b) + modes))
    found[b, np.arange(len(b))] = 1.0
    if not len(i):
        return found
    inner = stiffness[np.ix_(i, i)]
    found[i, : len(b)] = -np.linalg.solve(inner, stiffness[np.ix_(i, b)])
    if modes:
        # 1 / omega^2, largest first: mass need not be definite
        last = len(i) - 1
        _, shapes = eigh(mass[np.ix_(i, i)], inner, subset_by_index=[last - modes + 1, last])
        found[i, len(b) :] = shapes[:, ::-1]
    return found
