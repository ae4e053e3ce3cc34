"""Twists, their rates and wrenches in the platform's axes.  [BK] 4.2.3, 4.3, erratum BK-6

    V_p = X^T V_0p,   d/dt V_p = X^T (Vdot_0p - [omega x v; 0]),   W_p = X^T W_0p,   X = diag(R, R)

The point is the platform's origin in both frames, so that axes alone change.  A twist rate is the
plain derivative of components, and the axes of the platform turn: what omega x v makes of v is part
of ``Vdot_0p`` and not of the rate of ``V_p``.
"""

from __future__ import annotations

import numpy as np


def twist_to_base(T_0p: np.ndarray, V_p: np.ndarray) -> np.ndarray:
    """A twist ``(..., 6)`` in base axes, from its components in platform axes."""
    return _like(V_p, _times(T_0p, V_p))


def twist_to_platform(T_0p: np.ndarray, V_0p: np.ndarray) -> np.ndarray:
    """A twist ``(..., 6)`` in platform axes, from its components in base axes."""
    return _like(V_0p, _times(T_0p, V_0p, back=True))


def rate_to_base(T_0p: np.ndarray, V_p: np.ndarray, Vdot_p: np.ndarray) -> np.ndarray:
    """A twist rate in base axes; twist and twist rate are given in platform axes."""
    return _like(Vdot_p, _times(T_0p, Vdot_p + _turning(V_p)))


def rate_to_platform(T_0p: np.ndarray, V_0p: np.ndarray, Vdot_0p: np.ndarray) -> np.ndarray:
    """A twist rate in platform axes; twist and twist rate are given in base axes."""
    V = np.asarray(V_0p, dtype=float)
    return _times(T_0p, Vdot_0p - _turning(V), back=True)


def rows_in(T_0p: np.ndarray, J: np.ndarray) -> np.ndarray:
    """``X^T J``: twists or wrenches ``(..., 6, k)`` in platform axes, from those in base axes."""
    halves = np.reshape(J, (*J.shape[:-2], 2, 3, J.shape[-1]))
    with np.errstate(all="ignore"):
        return np.reshape(_rotation(T_0p, back=True) @ halves, J.shape)


def columns_in(T_0p: np.ndarray, J: np.ndarray) -> np.ndarray:
    """``J X``: a map ``(..., k, 6)`` of twists in platform axes, from one of those in base axes."""
    return np.swapaxes(rows_in(T_0p, np.swapaxes(J, -1, -2)), -1, -2)


def _rotation(T_0p: np.ndarray, *, back: bool) -> np.ndarray:
    """Rotation of the platform, or its inverse, ready for both halves of a twist."""
    R = np.asarray(T_0p, dtype=float)[..., None, :3, :3]
    return np.swapaxes(R, -1, -2) if back else R


def _times(T_0p: np.ndarray, V: np.ndarray, *, back: bool = False) -> np.ndarray:
    """``X V``, or ``X^T V``."""
    halves = np.reshape(V, (*V.shape[:-1], 2, 3, 1))
    with np.errstate(all="ignore"):  # what is not finite is refused where it is used
        product = _rotation(T_0p, back=back) @ halves
    return np.reshape(product, (*product.shape[:-3], 6))


def _turning(V: np.ndarray) -> np.ndarray:
    """``[omega x v; 0]``: how the components of v change in axes that turn with the platform."""
    with np.errstate(all="ignore"):
        moved = np.cross(V[..., 3:], V[..., :3])  # erratum BK-6
    return np.concatenate([moved, np.zeros_like(moved)], axis=-1)


def _like(given: np.ndarray, array: np.ndarray) -> np.ndarray:
    """An array as precise as the one that it was made of."""
    return array.astype(np.float32) if given.dtype == np.float32 else array
