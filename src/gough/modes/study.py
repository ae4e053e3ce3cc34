"""Poses as points of Study's quadric, where features of a pose are quadrics.

A pose is ``u = (x, y)``, two quaternions with ``x . y = 0``: x turns, and ``t = 2 y x* / |x|^2``.
Times ``|x|^2``, every feature of :class:`gough.modes.groups.Space` is a quadratic form of u, and so
is every demand of a leg.  Rotations alone are the points x.
"""

from __future__ import annotations

import numpy as np

from gough.modes.chains import quaternion_rotations
from gough.modes.paraboloid import Continuum
from gough.modes.quadrics import common_points

STUDY = np.zeros((8, 8))
"""``x . y = 0``."""
STUDY[:4, 4:] = STUDY[4:, :4] = np.eye(4) / 2.0


def _rotation_forms() -> np.ndarray:
    """``|x|^2 R`` entry by entry, ``(9, 4, 4)``, from its values at sums of two axes."""
    x = (np.eye(4)[:, None] + np.eye(4)).reshape(16, 4)
    values = (x * x).sum(axis=1)[:, None] * quaternion_rotations(x).reshape(16, 9)
    sums = values.T.reshape(9, 4, 4)
    own = np.diagonal(sums, axis1=1, axis2=2) / 4.0
    return np.asarray((sums - own[:, :, None] - own[:, None, :]) / 2.0)


def _feature_forms() -> np.ndarray:
    """Forms of all features of a pose, ``(17, 8, 8)``."""
    forms = np.zeros((17, 8, 8))
    forms[0, 4:, 4:] = 4.0 * np.eye(4)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for first, sign in ((1, 1.0), (4, -1.0)):  # t, then R^T t
            upper = np.zeros((8, 8))
            upper[0, 5 + i], upper[4, 1 + i] = 2.0, -2.0
            upper[1 + j, 5 + k], upper[1 + k, 5 + j] = 2.0 * sign, -2.0 * sign
            forms[first + i] = (upper + upper.T) / 2.0
    forms[7:16, :4, :4] = ROTATIONS
    forms[16, :4, :4] = np.eye(4)
    return forms


ROTATIONS = _rotation_forms()
FEATURES = _feature_forms()


def forms(rows: np.ndarray) -> np.ndarray:
    """Quadrics of demands on poses, with Study's own as the last ``(k + 1, 8, 8)``."""
    return np.concatenate([np.tensordot(rows, FEATURES, 1), STUDY[None]])


def rotation_forms(rows: np.ndarray) -> np.ndarray:
    """Quadrics of demands on rotations (nine entries and 1) ``(k, 4, 4)``."""
    return np.asarray(np.tensordot(rows[:, :9], ROTATIONS, 1) + rows[:, 9, None, None] * np.eye(4))


def point(x: np.ndarray, t: np.ndarray) -> np.ndarray:
    """The point of a pose, also a complex one: its quaternion x, and ``y = t x / 2``."""
    y = np.concatenate([[-(t @ x[1:])], t * x[0] + np.cross(t, x[1:])]) / 2.0
    return np.concatenate([x, y])


def poses(u: np.ndarray) -> np.ndarray:
    """Poses of real points, ``(N, 4, 4)``."""
    x, y = u[:, :4], u[:, 4:]
    T = np.zeros((len(u), 4, 4))
    T[:, 3, 3] = 1.0
    T[:, :3, :3] = quaternion_rotations(x)
    lever = x[:, :1] * y[:, 1:] - y[:, :1] * x[:, 1:] + np.cross(x[:, 1:], y[:, 1:])
    T[:, :3, 3] = 2.0 * lever / (x * x).sum(axis=1)[:, None]
    return T


def rotations(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All orientations that obey three demands over nine entries and 1: ends of eight paths.

    Returns:
        Candidates ``(k, 3, 3)``, and where paths were lost.

    Raises:
        Continuum: fewer than three demands.
    """
    if len(rows) < 3:
        raise Continuum
    rng = np.random.default_rng(2)
    mixed = rows
    if len(rows) > 3:  # three mixtures have all solutions of the rows, and some more
        mixed = rng.normal(size=(3, len(rows))) @ rows
    ends = common_points(rotation_forms(mixed), rng)
    return quaternion_rotations(ends.real()), quaternion_rotations(ends.rough())
