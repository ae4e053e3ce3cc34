"""Continuous angles: of all rotation vectors of a pose, the one nearest the pose before it.

A matrix does not determine whole turns, and its rotation vector is at most half a turn long.  Read
one by one, poses that pass half a turn would seem to turn back all the way.
"""

from __future__ import annotations

import numpy as np

EXACT = 1e-6
"""Rotation off a common axis that is rounding [rad]."""


def whole_turns(w: np.ndarray, off: float = EXACT) -> np.ndarray:
    """What a whole turn adds to rotation vectors (K, 3), each along its own axis.

    Vectors near zero hardly know their axis.  Where all are along one, but for ``off`` [rad], that
    one counts.
    """
    size = np.linalg.norm(w, axis=1, keepdims=True)
    if not (size > EXACT).any():
        return np.zeros_like(w)
    common = np.linalg.svd(w, full_matrices=False)[2][0]
    if np.linalg.norm(w - np.outer(w @ common, common), axis=1).max() <= off:
        return np.tile(2.0 * np.pi * common, (len(w), 1))
    axes = np.where(size > EXACT, w / np.maximum(size, EXACT), common)
    return np.asarray(2.0 * np.pi * axes)


def continued(x: np.ndarray, turn: np.ndarray, said: np.ndarray) -> np.ndarray:
    """Freedoms (K, n), each nearest those before it.

    Args:
        x: freedoms of the single poses (K, n).
        turn: what a whole turn adds to them (K, n).
        said: which poses are given by their freedoms (K,): these are not changed.
    """
    found = x.copy()
    square = (turn**2).sum(axis=1)
    # only after the first that has to be read otherwise do the ones before it matter
    ahead = np.abs(((x[:-1] - x[1:]) * turn[1:]).sum(axis=1)) > 0.49 * square[1:]
    moved = np.flatnonzero(~said[1:] & (square[1:] > EXACT) & ahead)
    for k in range(1 + int(moved[0]) if len(moved) else len(x), len(x)):
        if not said[k] and square[k] > EXACT:
            found[k] += turn[k] * np.round((found[k - 1] - x[k]) @ turn[k] / square[k])
    return found
