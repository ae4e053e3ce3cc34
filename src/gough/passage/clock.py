"""The time law of a clock whose squared rate is known by place: ``ds/dt = sqrt(z(s))``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from gough.motion.jets import Jet
from gough.motion.laws import Law

Curve = Callable[[np.ndarray], np.ndarray]
"""Values by place."""

_CELLS = 400
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


def clock(z: Curve, slope: Curve, end: float, edges: np.ndarray | None = None) -> tuple[Law, float]:
    """Law and duration [s] of a clock from place 0 to ``end``.

    Args:
        z: its squared rate by place, positive.
        slope: derivative of ``z``.
        end: the last place.
        edges: between which ``z`` is smooth and does not change much; even ones if not given.

    Rate and acceleration, ``sqrt(z)`` and ``z'/2``, are exact at the place; the place at a time is
    found by Newton's method on an integral that is good to rounding.
    """
    even = np.linspace(0.0, end, _CELLS + 1)
    cells = even if edges is None else np.unique(np.concatenate([even, edges]))
    at = np.concatenate([[0.0], np.cumsum(passing(z, cells[:-1], cells[1:]))])
    return partial(_law, z, slope, end, cells, at), float(at[-1])


def _law(
    z: Curve, slope: Curve, end: float, cells: np.ndarray, at: np.ndarray, t: np.ndarray
) -> Jet:
    """The clock at times; it is at the edges of ``cells`` at the times ``at``."""
    time = np.clip(t, 0.0, at[-1])
    cell = np.clip(np.searchsorted(at, time, side="right") - 1, 0, len(cells) - 2)
    share = (time - at[cell]) / (at[cell + 1] - at[cell])
    s = cells[cell] + share * (cells[cell + 1] - cells[cell])
    for _ in range(4):
        late = at[cell] + passing(z, cells[cell], s) - time
        s = np.clip(s - late * np.sqrt(z(s)), 0.0, end)
    return Jet(s, np.sqrt(z(s)), 0.5 * slope(s))


def passing(z: Curve, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Time from one place to another, by Gauss's rule."""
    half = 0.5 * (high - low)[..., None]
    s = low[..., None] + half * (1.0 + _NODES)
    return np.asarray((half * _WEIGHTS / np.sqrt(z(s))).sum(axis=-1))
