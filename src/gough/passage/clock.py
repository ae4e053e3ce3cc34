"""The time law of a clock whose squared rate is known by place: ``ds/dt = sqrt(z(s))``."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.motion.jets import Jet
from gough.motion.laws import Law

_CELLS = 400
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


def clock(z: Any, end: float) -> tuple[Law, float]:
    """Law and duration [s] of a clock from place 0 to ``end``.

    Args:
        z: its squared rate as a spline of the place, positive.
        end: the last place.

    Rate and acceleration, ``sqrt(z)`` and ``z'/2``, are exact at the place; the place at a time is
    found by Newton's method on an integral that is good to rounding.
    """
    slope = z.derivative()
    edges = np.linspace(0.0, end, _CELLS + 1)
    at = np.concatenate([[0.0], np.cumsum(_passing(z, edges[:-1], edges[1:]))])

    def law(t: np.ndarray) -> Jet:
        time = np.clip(t, 0.0, at[-1])
        cell = np.clip(np.searchsorted(at, time, side="right") - 1, 0, _CELLS - 1)
        share = (time - at[cell]) / (at[cell + 1] - at[cell])
        s = edges[cell] + share * (edges[cell + 1] - edges[cell])
        for _ in range(4):
            late = at[cell] + _passing(z, edges[cell], s) - time
            s = np.clip(s - late * np.sqrt(z(s)), 0.0, end)
        return Jet(s, np.sqrt(z(s)), 0.5 * slope(s))

    return law, float(at[-1])


def _passing(z: Any, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Time from one place to another, by Gauss's rule."""
    half = 0.5 * (high - low)[..., None]
    s = low[..., None] + half * (1.0 + _NODES)
    return np.asarray((half * _WEIGHTS / np.sqrt(z(s))).sum(axis=-1))
