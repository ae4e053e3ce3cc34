"""Rotations, rigid displacements and cross products: a leaf that knows no robot.

Everything here takes numbers or symbols through the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from math import factorial
from operator import add
from typing import Any

import numpy as np

Array = Any
"""A NumPy array of float64, or of objects: symbols and numbers beside each other."""

E_X, E_Y, E_Z = np.eye(3)
_NUMBERS = {float, np.float64, np.ndarray}
_FLOAT = np.dtype(float)
_NEXT, _AFTER = np.array([1, 2, 0]), np.array([2, 0, 1])  # axes in turn


def collect(parts: Sequence[Any], empty: tuple[int, ...] = (0,)) -> Array:
    """Scalars into a vector, or vectors into the rows of a matrix: ``np.stack``, but faster.

    ``empty`` is the shape where there are none.
    """
    for part in parts:
        if type(part) not in _NUMBERS:  # scalars, symbols among them
            return np.fromiter(parts, dtype=object, count=len(parts))
    return np.array(parts) if len(parts) else np.zeros(empty)


@cache
def identity(n: int) -> np.ndarray:
    """A unit matrix, not to be written into."""
    found = np.eye(n)
    found.flags.writeable = False
    return found


def symbolic(x: Any) -> bool:
    """Whether a scalar or an array holds symbols."""
    return np.asarray(x).dtype == object


def total(parts: Iterable[Any], start: Any = 0.0) -> Array:
    """The sum of scalars or arrays, added one after the other; ``start`` where there are none."""
    return reduce(add, parts, start)


def twist_scales(length: float) -> np.ndarray:
    """Natural size of each component of a twist ``[v; omega]``: a length [m], and 1 rad."""
    return np.array([length] * 3 + [1.0] * 3)


def cross(a: Array, b: Array) -> Array:
    """Vector product of two 3-vectors, of matching columns, or of a 3-vector and every column."""
    if a.ndim == b.ndim == 1:
        # NumPy takes three times as long over so few numbers
        (x, y, z), (u, v, w) = a.tolist(), b.tolist()
        made = [y * w - z * v, z * u - x * w, x * v - y * u]
        return np.array(made) if a.dtype is b.dtype is _FLOAT else collect(made)
    if a.ndim == b.ndim:
        return a[_NEXT] * b[_AFTER] - a[_AFTER] * b[_NEXT]
    return collect(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def skew(a: Array) -> Array:
    """Matrix of the vector product: ``skew(a) @ b == cross(a, b)``."""
    x, y, z = a
    return collect([collect([0.0, -z, y]), collect([z, 0.0, -x]), collect([-y, x, 0.0])])


def unskew(R: Array) -> Array:
    """Axial vector of the skew part of a matrix; of a small rotation: its rotation vector."""
    return collect([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2.0


def turn_z(R: Array, cos: Array, sin: Array) -> Array:
    """``R @ Rot(z, q)`` from the cosine and sine of q."""
    entries = [
        entry for x, y, z in R.tolist() for entry in (x * cos + y * sin, y * cos - x * sin, z)
    ]
    return collect(entries).reshape(3, 3)


def cayley(w: Array) -> Array:
    """Rotation that agrees with ``exp(skew(w))`` to second order, without trigonometry."""
    a = w / 2.0
    n = a @ a
    return (np.outer(a, a) * 2.0 + skew(a) * 2.0 + np.eye(3) * (1.0 - n)) / (1.0 + n)


def cayley_rates(w: Array, omega: Array) -> Array:
    """Rate of w where ``R = cayley(w) R_0`` turns by omega, base axes."""
    return omega + cross(omega, w) * 0.5 + w * ((w @ omega) * 0.25)


def rotation_x(angle: float) -> Array:
    """Rotation about x [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return collect([E_X, collect([0.0, c, -s]), collect([0.0, s, c])])


def rotation_y(angle: float) -> Array:
    """Rotation about y [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return collect([collect([c, 0.0, s]), E_Y, collect([-s, 0.0, c])])


def rotation_z(angle: float) -> Array:
    """Rotation about z [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return collect([collect([c, -s, 0.0]), collect([s, c, 0.0]), E_Z])


def rotation_error(R: Array) -> list[Array]:
    """How far a matrix is from being a rotation; a mirror image is two off."""
    x, y, z = R[:, 0], R[:, 1], R[:, 2]
    third = z - cross(x, y)
    return [x @ x - 1.0, y @ y - 1.0, x @ y, third[0], third[1], third[2]]


def rotation_exp(w: Array) -> Array:
    """Rotation of a rotation vector [rad]."""
    if symbolic(w):
        _, a, b, *_ = _stumpff(w @ w)
    else:
        n = float(np.linalg.norm(w))
        a, b = _sinc(n), _versinc(n)
    K = skew(w)
    return np.asarray(np.eye(3) + K * a + (K @ K) * b)


def rotation_log(R: np.ndarray) -> np.ndarray:
    """Rotation vector [rad] of a rotation, its length at most pi (numbers only)."""
    axial = unskew(R)
    s, c = float(np.linalg.norm(axial)), (float(np.trace(R)) - 1.0) / 2.0
    angle = float(np.arctan2(s, c))
    if c > -0.99:
        return np.asarray(axial / _sinc(angle))
    # near half a turn the axis is read from the symmetric part, its sign from the skew part
    outer = (R + R.T) / 2.0 + np.eye(3) * (1.0 - (1.0 + c))
    k = int(np.argmax(np.diag(outer)))
    axis = outer[k] / np.linalg.norm(outer[k])
    sign = np.sign(axis @ axial) or 1.0
    return np.asarray(axis * sign * angle)


def turn_angles(R: np.ndarray) -> np.ndarray:
    """Angles of rotations ``(..., 3, 3)`` [rad], zero to pi."""
    axial = np.stack(
        [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]]
    )
    trace = R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2]
    return np.asarray(np.arctan2(np.linalg.norm(axial, axis=0), trace - 1.0))


def exp_rates(w: Array) -> Array:
    """Matrix J with ``omega = J @ wdot`` for ``R = exp(skew(w))``, omega in base axes."""
    c, K = _stumpff(w @ w), skew(w)
    return np.asarray(np.eye(3) + K * c[2] + (K @ K) * c[3])


def exp_rates_dot(w: Array, wd: Array) -> Array:
    """Time derivative of :func:`exp_rates` along ``wd``."""
    c, K, Kd = _stumpff(w @ w), skew(w), skew(wd)
    s = w @ wd
    return np.asarray(
        Kd * c[2]
        + K * ((2.0 * c[4] - c[3]) * s)
        + (Kd @ K + K @ Kd) * c[3]
        + (K @ K) * ((3.0 * c[5] - c[4]) * s)
    )


def exp_rates_ddot(w: Array, wd: Array, wdd: Array) -> Array:
    """Second time derivative of :func:`exp_rates` along ``wd`` and ``wdd``."""
    c, K, Kd, Kdd = _stumpff(w @ w), skew(w), skew(wd), skew(wdd)
    s, sd = w @ wd, wd @ wd + w @ wdd
    linear, square = 2.0 * c[4] - c[3], 3.0 * c[5] - c[4]
    KK, KKd = K @ K, Kd @ K + K @ Kd
    return np.asarray(
        Kdd * c[2]
        + Kd * (2.0 * linear * s)
        + K * (linear * sd + (8.0 * c[6] - 5.0 * c[5] + c[4]) * s * s)
        + (Kdd @ K + Kd @ Kd * 2.0 + K @ Kdd) * c[3]
        + KKd * (2.0 * square * s)
        + KK * (square * sd + (15.0 * c[7] - 7.0 * c[6] + c[5]) * s * s)
    )


def _sinc(n: float) -> float:
    # below 1e-4 the next term of the series, n^4 / 120, is less than rounding
    return 1.0 - n * n / 6.0 if n < 1e-4 else float(np.sin(n) / n)


def _versinc(n: float) -> float:
    """(1 - cos n) / n^2."""
    return 0.5 - n * n / 24.0 if n < 1e-4 else float(2.0 * (np.sin(n / 2.0) / n) ** 2)


def _stumpff(m: Array) -> list[Array]:
    """Stumpff's ``c_k(m) = 1/k! - m/(k+2)! + m^2/(k+4)! - ...``, k = 0 to 7.

    With n = sqrt(m): cos n, sin n / n, (1 - cos n) / n^2, (n - sin n) / n^3 and so on; their
    derivatives are ``c_k' = (k c_{k+2} - c_{k+1}) / 2``.  Below 2 the closed forms cancel digits:
    there the last two are series, exact to rounding, and the others follow from them.
    """
    little, large = np.minimum(m, 2.0), np.maximum(m, 2.0)
    near: list[Array] = [0.0] * 8
    for k in (7, 6):
        for j in reversed(range(10)):
            near[k] = 1.0 / factorial(k + 2 * j) - little * near[k]
    for k in reversed(range(6)):
        near[k] = 1.0 / factorial(k) - little * near[k + 2]
    n = np.sqrt(large)
    far = [np.cos(n), np.sin(n) / n]
    for k in range(6):
        far.append((1.0 / factorial(k) - far[k]) / large)
    below = (m < 2.0) * 1.0
    return [a * below + b * (1.0 - below) for a, b in zip(near, far, strict=True)]


def pose(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Homogeneous 4x4 matrix."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


_LAST_ROW = np.array([0.0, 0.0, 0.0, 1.0])


def homogeneous(R: Array, p: Array) -> Array:
    """Homogeneous 4x4 matrix of numbers or symbols."""
    return collect([*(np.concatenate([R[i], p[i : i + 1]]) for i in range(3)), _LAST_ROW])


def moved(T_0p: Array, step: Array) -> Array:
    """A pose moved by a translation and turned by a Cayley vector, base axes."""
    return homogeneous(cayley(step[3:6]) @ T_0p[:3, :3], T_0p[:3, 3] + step[:3])


def snap(constants: Array) -> Array:
    """Constants freed of rounding dust, so that structural zeros and ones fold away in a trace.

    Symbols stay as they are.
    """
    if symbolic(constants):
        parts = [x if symbolic(x) else float(snap(x)) for x in np.asarray(constants).flat]
        return collect(parts).reshape(np.shape(constants))
    values = np.array(constants, dtype=float)
    for clean in (0.0, 1.0, -1.0):
        values[np.abs(values - clean) < 4e-16] = clean  # two roundings of a number near 1
    return values
