"""Rotation vectors that change with time, many at once: the rotation and its rates.

:mod:`gough.base.spatial` has the same for one state, through which also symbols run.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gough.base import spatial


def rotations(w: np.ndarray) -> np.ndarray:
    """``exp(skew(w))`` of rotation vectors (K, 3): (K, 3, 3)."""
    n = np.linalg.norm(w, axis=-1)
    K = skew(w)
    sine, versine = (_of(function, n)[..., None, None] for function in (_SINC, _VERSINC))
    return np.asarray(np.eye(3) + sine * K + versine * (K @ K))


def from_rpy(angles: np.ndarray) -> np.ndarray:
    """``Rz(yaw) Ry(pitch) Rx(roll)`` of angles roll, pitch, yaw (K, 3) [rad]: (K, 3, 3)."""
    return from_sequence(angles, "xyz", fixed=True)


def to_rpy(R: np.ndarray) -> np.ndarray:
    """Roll, pitch and yaw (K, 3) [rad] of rotations (K, 3, 3): ``Rz(yaw) Ry(pitch) Rx(roll)``.

    Where pitch is a right angle, yaw and roll are about one axis, and any of their pairs will do.
    """
    roll = np.arctan2(R[:, 2, 1], R[:, 2, 2])
    pitch = np.arctan2(-R[:, 2, 0], np.hypot(R[:, 2, 1], R[:, 2, 2]))
    yaw = np.arctan2(R[:, 1, 0], R[:, 0, 0])
    return np.stack([roll, pitch, yaw], axis=1)


def from_sequence(angles: np.ndarray, axes: str, *, fixed: bool) -> np.ndarray:
    """Rotations one after the other: (K, 3, 3).

    Args:
        angles: one column for each, in their order (K, 3) [rad].
        axes: what they turn about, in their order: ``"zyx"``.
        fixed: about the axes of the base; otherwise each about an axis that the ones before moved.
    """
    units = dict(zip("xyz", np.eye(3), strict=True))
    first, second, third = (
        rotations(np.outer(angles[:, i], units[axis])) for i, axis in enumerate(axes)
    )
    return np.asarray(third @ second @ first if fixed else first @ second @ third)


def turning(w: tuple[np.ndarray, np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and acceleration of ``R = exp(w) R_ref``, base axes, each (K, 3).

    ``omega = J wd`` and ``omegadot = J wdd + Jdot wd``, as in :func:`gough.base.spatial.exp_rates`
    and :func:`gough.base.spatial.exp_rates_dot`, by vector products.
    """
    a, ad, add = (part.T for part in w)
    n, n_nd = np.linalg.norm(a, axis=0), (a * ad).sum(axis=0)
    b, c = _of(_VERSINC, n), _of(_CUBIC, n)
    bd, cd = n_nd * _of(_VERSINC_SLOPE, n), n_nd * _of(_CUBIC_SLOPE, n)
    once, change = spatial.cross(a, ad), spatial.cross(a, add)
    twice = spatial.cross(a, once)
    omega = ad + b * once + c * twice
    omegadot = (
        add
        + b * change
        + bd * once
        + c * (spatial.cross(ad, once) + spatial.cross(a, change))
        + cd * twice
    )
    return omega.T, omegadot.T


def vector_rates(w: np.ndarray) -> np.ndarray:
    """Matrices (K, 3, 3) with ``wd = J^-1 omega``: inverses of ``spatial.exp_rates``."""
    K = skew(w)
    square = _of(_INVERSE, np.linalg.norm(w, axis=-1))[..., None, None]
    return np.asarray(np.eye(3) - 0.5 * K + square * (K @ K))


def mean(R: np.ndarray) -> np.ndarray:
    """The rotation nearest to all rotations (K, 3, 3) in the least squares of their entries.

    It turns with the base and with the platform's frame; of two rotations it is the one half way.
    """
    U, _, Vt = np.linalg.svd(R.mean(axis=0))
    return np.asarray(U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt)


def logs(R: np.ndarray) -> np.ndarray:
    """Rotation vectors (K, 3) of rotations (K, 3, 3), each at most half a turn long.

    As :func:`gough.base.spatial.rotation_log`, which is asked near half a turn.
    """
    axial = 0.5 * np.stack(
        [R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1
    )
    cosine = (np.trace(R, axis1=1, axis2=2) - 1.0) / 2.0
    angle = np.arctan2(np.linalg.norm(axial, axis=1), cosine)
    far = cosine <= -0.99
    found = axial / _of(_SINC, np.where(far, 0.0, angle))[:, None]
    for k in np.flatnonzero(far):
        found[k] = spatial.rotation_log(R[k])
    return np.asarray(found)


def quaternions(R: np.ndarray) -> np.ndarray:
    """Unit quaternions (K, 4) of rotations (K, 3, 3), the scalar first and never below 0."""
    w = logs(R)
    half = 0.5 * np.linalg.norm(w, axis=1)
    return np.column_stack([np.cos(half), 0.5 * w * _of(_SINC, half)[:, None]])


def vectors(R: np.ndarray, R_ref: np.ndarray) -> np.ndarray:
    """Rotation vectors (K, 3) of ``R = exp(w) R_ref``, continued from each to the next.

    The first is at most half a turn; the others may be more.
    """
    w = logs(R @ R_ref.T)
    length = np.linalg.norm(w, axis=1, keepdims=True)
    # a vector shorter than 1e-6 rad has no axis worth a whole turn about it
    whole = np.where(length > 1e-6, 2.0 * np.pi * w / np.maximum(length, 1e-6), 0.0)
    ways = np.stack([w, w - whole, w + whole])  # the same rotations, a turn less and a turn more
    # for each way that a vector may have been read, the way of the next that is nearest to it
    next_way = [
        np.argmin(np.linalg.norm(ways[:, 1:] - before[:-1], axis=2), axis=0) for before in ways
    ]
    if not next_way[0].any():
        return w
    way, table = [0], np.stack(next_way, axis=1).tolist()
    for row in table:
        way.append(row[way[-1]])
    return np.asarray(ways[way, np.arange(len(w))])


def skew(w: np.ndarray) -> np.ndarray:
    """Matrices (..., 3, 3) of the vector product."""
    K = np.zeros((*w.shape, 3))
    K[..., 2, 1], K[..., 0, 2], K[..., 1, 0] = w[..., 0], w[..., 1], w[..., 2]
    return np.asarray(K - np.swapaxes(K, -1, -2))


# closed form for n > 0, and the reciprocal coefficients of its series in n^2
_Function = tuple[Callable[[np.ndarray], np.ndarray], tuple[float, ...]]
_SINC: _Function = (lambda n: np.sin(n) / n, (1, -6, 120, -5040, 362880, -39916800))
_VERSINC: _Function = (
    lambda n: (1.0 - np.cos(n)) / n**2,
    (2, -24, 720, -40320, 3628800, -479001600),
)
_CUBIC: _Function = (lambda n: (n - np.sin(n)) / n**3, (6, -120, 5040, -362880, 39916800))
_VERSINC_SLOPE: _Function = (
    lambda n: (n * np.sin(n) - 2.0 + 2.0 * np.cos(n)) / n**4,
    (-12, 180, -6720, 453600, -47900160),
)
_CUBIC_SLOPE: _Function = (
    lambda n: (3.0 * np.sin(n) - 2.0 * n - n * np.cos(n)) / n**5,
    (-60, 1260, -60480, 4989600, -622702080),
)
_INVERSE: _Function = (
    lambda n: (1.0 - 0.5 * n / np.tan(0.5 * n)) / n**2,
    (12, 720, 30240, 1209600, 47900160, 1307674368000 / 691),
)
_SMALL = 0.3  # below it the closed forms cancel digits and the series are exact to rounding


def _of(function: _Function, n: np.ndarray) -> np.ndarray:
    """Values of a function of the angle."""
    closed, reciprocals = function
    small = n < _SMALL
    if not small.any():
        return closed(n)
    square, series = n * n, np.zeros_like(n)
    for each in reversed(reciprocals):
        series = series * square + 1.0 / each
    return series if small.all() else np.where(small, series, closed(np.maximum(n, _SMALL)))
