"""Affine scaling: steps towards the largest value of a linear figure, margins being positive.

A step goes along ``H^-1 c``, with ``c`` the slope of the figure and ``H`` the sum of ``grad g grad
g^T / g^2`` over all margins ``g``: far from a border towards it, near a border along it.
"""

from __future__ import annotations

import numpy as np

LONGEST = 0.4
"""Length of a step, natural units: margins are linear over less than half a radian."""

SHARE = 0.7
"""Of the way to where the first margin would vanish; all of it would end in a corner."""

_FLAT = 1e-3  # weight of steps that no margin bounds, beside those that one bounds at a distance 1
_LEAST = 1e-12  # of a margin: states on a border have none but for rounding


def scaled_step(g: np.ndarray, slopes: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Steps of K searches ``(K, n)``.

    Args:
        g: margins ``(K, m)``, positive.
        slopes: of the margins ``(K, m, n)``.
        c: slopes of what is to grow ``(K, n)``.
    """
    g = np.maximum(g, _LEAST)
    H = np.einsum("kmi,kmj->kij", slopes / g[..., None] ** 2, slopes)
    step = np.linalg.solve(H + _FLAT * np.eye(c.shape[1]), c[..., None])[..., 0]
    step /= np.linalg.norm(step, axis=1, keepdims=True)
    falls = -(slopes @ step[..., None])[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(falls > 0.0, g / falls, np.inf).min(axis=1, initial=np.inf)
    return np.asarray(step * np.minimum(SHARE * room, LONGEST)[:, None])
