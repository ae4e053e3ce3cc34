"""Stiffness from compliance, infinite where the machine is rigid."""

from __future__ import annotations

import numpy as np

from gough.base.spatial import twist_scales

RIGID = 1e-12
"""Compliance below this share of the largest, natural units, is none: the platform is rigid."""


def stiffness_of(compliance: np.ndarray, length: float) -> np.ndarray:
    """The inverse of a compliance 6x6, with infinite entries where directions are rigid.

    It is the limit of ``C^+ + t P`` for growing t, with P the projection on rigid directions in
    natural units: entries in which P has a part become infinite with its sign.

    Args:
        compliance: displacement per wrench, 6x6.
        length: natural unit of lengths [m].
    """
    scale = twist_scales(length)
    values, axes = np.linalg.eigh(compliance / scale[:, None] / scale)
    soft = values > RIGID * max(float(values[-1]), 0.0)
    if not soft.any():
        soft = np.zeros(6, dtype=bool)
    finite = axes[:, soft] @ np.diag(1.0 / values[soft]) @ axes[:, soft].T
    rigid = axes[:, ~soft] @ axes[:, ~soft].T
    found = finite / scale[:, None] / scale
    endless = np.abs(rigid) > 1e-9
    found[endless] = np.sign(rigid[endless]) * np.inf
    return np.asarray(found)
