"""All poses of a platform that turns about one direction, from one polynomial of its angle.

For a given angle every demand is linear in ``(|t|^2, t)``; as many of them as there are unknowns
have one solution, and whether it lies on the paraboloid is a trigonometric polynomial of the angle,
of degree 3 for a 3-RRR: six roots.  Its coefficients come from samples on the unit circle, where
such polynomials are as well conditioned as can be.
"""

from __future__ import annotations

import numpy as np

from gough.modes.groups import Schoenflies
from gough.modes.paraboloid import Continuum, points_on_paraboloid

_SAMPLES = 32  # of the polynomial on the circle: enough up to degree 15; a 3-RRR has 3
_SMALL = 1e-11  # coefficients that are rounding: products of four rows known to 1e-14 or so
# A root of multiplicity m is known to rounding^(1/m): 1e-2 for m = 8.  So far may roots scatter
# along the circle [rad], or off it; false candidates are found out when they are closed.
_CLOSE = 0.02
_NEAR_CIRCLE = 1e-2
_LINE = 1e-6  # singular value, over the largest, of demands whose angle is known to 1e-8


def turned_poses(group: Schoenflies, rows: np.ndarray) -> tuple[np.ndarray, str]:
    """Candidates ``(k, 4, 4)`` for demands ``rows @ features = 0``, and how they were found.

    Raises:
        Continuum: the demands leave the platform a motion.
    """
    unknowns = rows.shape[1] - 5
    if len(rows) < unknowns:
        raise Continuum
    mixed = rows
    if len(rows) > unknowns:  # mixtures have all solutions of the rows, and some more
        mixed = np.random.default_rng(1).normal(size=(unknowns, len(rows))) @ rows
    angles = 2.0 * np.pi * np.arange(_SAMPLES) / _SAMPLES
    coefficients = np.fft.fft(_determinants(mixed, angles)) / _SAMPLES
    size = np.abs(coefficients).max()
    if size < _SMALL:
        raise Continuum
    half = range(_SAMPLES // 2)
    degree = max((k for k in half if abs(coefficients[k]) > _SMALL * size), default=0)
    roots = np.roots([coefficients[k] for k in range(degree, -degree - 1, -1)])
    near = np.angle(roots[np.abs(np.log(np.abs(roots))) < _NEAR_CIRCLE])
    angles = np.concatenate([_refined(mixed, near), _middles(near)])
    found = [group.pose(t, a) for a in angles for t in _points(rows, a)]
    how = f"a polynomial of degree {2 * degree} in the tangent of half the platform's angle"
    return np.array(found).reshape(-1, 4, 4), how


def _middles(angles: np.ndarray) -> np.ndarray:
    """Middles of angles close to each other: rounding scatters a root of many around itself."""
    order = np.sort(angles)
    groups = np.split(order, np.flatnonzero(np.diff(order) > _CLOSE) + 1)
    return np.array([group.mean() for group in groups if len(group) > 1])


def _linear(rows: np.ndarray, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows over ``(|t|^2, t)`` at angles ``(N, k, n)``, and right sides ``(N, k)``."""
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    w, p, q, by_c, by_s, one, x, y, *z = rows.T
    columns = [w + 0.0 * c, p * c - q * s + x, p * s + q * c + y, *(along + 0.0 * c for along in z)]
    return np.stack(columns, axis=-1), -(by_c * c + by_s * s + one)


def _determinants(rows: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """``W D - |X|^2`` by Cramer's rule: zero where the demands meet the paraboloid.

    Demands without ``|t|^2``, of legs that slide, are one more than the unknowns: zero where they
    agree.
    """
    A, b = _linear(rows, angles)
    if np.abs(rows[:, 0]).max() < _SMALL:
        return np.asarray(np.linalg.det(_replaced(A, 0, b)))
    D = np.linalg.det(A)
    W, *X = (np.linalg.det(_replaced(A, k, b)) for k in range(A.shape[2]))
    return np.asarray(W * D - sum(x * x for x in X))


def _replaced(A: np.ndarray, k: int, b: np.ndarray) -> np.ndarray:
    found = A.copy()
    found[:, :, k] = b
    return found


def _refined(rows: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Roots refined by three Newton steps on the determinant."""
    h = 1e-6  # of central differences: error h^2 and rounding 1e-16 / h are alike small
    for _ in range(3):
        ahead, here, behind = (_determinants(rows, angles + d) for d in (h, 0.0, -h))
        slope = (ahead - behind) / (2.0 * h)
        with np.errstate(all="ignore"):
            step = here / slope
        angles = np.where(np.abs(step) < 1e-2, angles - step, angles)
    return angles


def _points(rows: np.ndarray, angle: float) -> np.ndarray:
    """Positions that nearly satisfy all demands at an angle that is known to rounding."""
    A, b = (found[0] for found in _linear(rows, np.array([angle])))
    if np.abs(rows[:, 0]).max() < _SMALL:
        return np.asarray(np.linalg.lstsq(A[:, 1:], b, rcond=None)[0])[None]
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    if s[-1] > _LINE * s[0]:
        return np.asarray(np.linalg.lstsq(A, b, rcond=None)[0])[None, 1:]
    # two positions share this angle: the demands leave a line, which meets the paraboloid twice
    kept = s > _LINE * s[0]
    flat = (U[:, kept] * s[kept]) @ Vt[kept]
    return points_on_paraboloid(flat, U[:, kept] @ (U[:, kept].T @ b))
