"""Assembly modes by other ways than gough's: circles, spheres, scans of one angle, many starts.

None of this knows a robot: lengths and points in, poses ``(k, 4, 4)`` out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

from gough.base.spatial import cross, rotation_z, skew


def pose(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """A pose of a rotation and a position; a position in the plane will do."""
    T = np.eye(4)
    T[:3, :3], T[: len(p), 3] = R, p
    return T


def unmatched(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest distance of a pose of either set to the nearest of the other; inf if counts differ.

    Position and rotation entries count alike: robots here have a size of about 1 m.
    """
    found = np.asarray(found)
    if len(found) != len(expected):
        return np.inf
    if not len(found):
        return 0.0
    apart = np.abs(found[:, None] - expected[None]).max(axis=(2, 3))
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


def circles(a: np.ndarray, r: float, b: np.ndarray, s: float) -> np.ndarray:
    """Points where two circles of the plane meet ``(k, 2)``."""
    d = b - a
    far = float(np.hypot(*d))
    along = (far * far + r * r - s * s) / (2.0 * far)
    square = r * r - along * along
    if square < 0.0:
        return np.zeros((0, 2))
    foot, side = a + along * d / far, np.sqrt(square) * np.array([-d[1], d[0]]) / far
    return np.array([foot + side, foot - side])


def spheres(centres: np.ndarray, radius: float) -> np.ndarray:
    """Points where three spheres of one radius meet ``(k, 3)``: above and below their plane."""
    a, b, c = centres
    n = cross(b - a, c - a)
    ab, ac = b - a, c - a
    # centre of the circle through the three centres
    out = cross(n, ab) * (ac @ ac) + cross(ac, n) * (ab @ ab)
    middle = a + out / (2.0 * (n @ n))
    square = radius**2 - (middle - a) @ (middle - a)
    if square < 0.0:
        return np.zeros((0, 3))
    up = np.sqrt(square) * n / np.linalg.norm(n)
    return np.array([middle + up, middle - up])


def roots(f: Callable[[np.ndarray], np.ndarray], samples: int = 4001) -> list[float]:
    """Angles where a function changes its sign, seen on a fine grid."""
    x = np.linspace(-np.pi, np.pi, samples) + 1e-3  # no root of a special case is on the grid
    with np.errstate(invalid="ignore"):
        y = f(x)
        changes = np.flatnonzero(y[:-1] * y[1:] < 0.0)

        def one(at: float) -> float:
            return float(f(np.array([at]))[0])

        return [float(brentq(one, x[k], x[k + 1], xtol=1e-15, rtol=1e-14)) for k in changes]


def planar_platform(elbows: np.ndarray, tips: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Poses of a platform whose points are at given distances from three points of the plane.

    At an angle of the platform three circles hold its origin; two differences of them give it, and
    the first circle tells the angle.
    """

    def origin(angle: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        c, s = np.cos(angle), np.sin(angle)
        R = np.stack([c, -s, s, c], axis=-1).reshape(-1, 2, 2)
        centres = elbows - np.einsum("nij,kj->nki", R, tips)
        A = 2.0 * (centres[:, 1:] - centres[:, :1])
        power = (centres**2).sum(axis=2) - reach**2
        b = power[:, 1:] - power[:, :1]
        D = A[:, 0, 0] * A[:, 1, 1] - A[:, 0, 1] * A[:, 1, 0]
        x = np.stack(
            [
                b[:, 0] * A[:, 1, 1] - b[:, 1] * A[:, 0, 1],
                A[:, 0, 0] * b[:, 1] - A[:, 1, 0] * b[:, 0],
            ],
            axis=-1,
        )
        return x, D, centres[:, 0]

    def off(angle: np.ndarray) -> np.ndarray:
        x, D, first = origin(angle)
        return ((x - D[:, None] * first) ** 2).sum(axis=1) - (D * reach[0]) ** 2

    found = []
    for angle in roots(off):
        x, D, _ = origin(np.array([angle]))
        found.append(pose(rotation_z(angle), x[0] / D[0]))
    return np.array(found).reshape(-1, 4, 4)


def three_hinged_struts(
    feet: np.ndarray, outward: np.ndarray, struts: np.ndarray, tips: np.ndarray
) -> np.ndarray:
    """Poses of a platform on three struts, each in the upright plane of its foot (3-RPS).

    The first strut's angle is scanned; the second and third then have two angles each, which the
    sides of the platform tell, and its last side is the function of which roots are sought.
    """
    up = np.array([0.0, 0.0, 1.0])
    side = np.linalg.norm(tips[:, None] - tips[None], axis=2)

    def ball(i: int, angle: np.ndarray) -> np.ndarray:
        c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
        return np.asarray(feet[i] + struts[i] * (c * outward[i] + s * up))

    def partner(j: int, first: np.ndarray, sign: float) -> np.ndarray:
        w = feet[j] - first
        a, b = 2.0 * struts[j] * (w @ outward[j]), 2.0 * struts[j] * (w @ up)
        c = (w * w).sum(axis=1) + struts[j] ** 2 - side[0, j] ** 2
        return ball(j, np.arctan2(b, a) + sign * np.arccos(-c / np.hypot(a, b)))

    def balls(angle: np.ndarray, signs: tuple[float, float]) -> list[np.ndarray]:
        first = ball(0, angle)
        return [first, partner(1, first, signs[0]), partner(2, first, signs[1])]

    found = []
    for signs in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):

        def off(angle: np.ndarray, signs: tuple[float, float] = signs) -> np.ndarray:
            _, p, q = balls(angle, signs)
            return ((p - q) ** 2).sum(axis=1) - side[1, 2] ** 2

        for angle in roots(off):
            p = np.array([b[0] for b in balls(np.array([angle]), signs)])
            R = _frame(p) @ _frame(tips).T
            found.append(pose(R, p[0] - R @ tips[0]))
    return np.array(found).reshape(-1, 4, 4)


def _frame(points: np.ndarray) -> np.ndarray:
    x = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    z = cross(x, points[2] - points[0])
    z = z / np.linalg.norm(z)
    return np.column_stack([x, cross(z, x), z])


def rotations(rows: np.ndarray, right: np.ndarray, starts: int = 120) -> np.ndarray:
    """All rotations with ``rows @ R.ravel() = right``, by Newton's method from many starts."""
    rng = np.random.default_rng(0)
    R = np.linalg.qr(rng.normal(size=(starts, 3, 3)))[0]
    R *= np.linalg.det(R)[:, None, None]
    turning = np.array([skew(e) for e in np.eye(3)])
    for _ in range(25):
        off = right - R.reshape(-1, 9) @ rows.T
        J = (turning @ R[:, None]).reshape(-1, 3, 9) @ rows.T
        step = (np.linalg.pinv(J.transpose(0, 2, 1), rcond=1e-9) @ off[:, :, None])[:, :, 0]
        step *= np.minimum(1.0, 1.0 / np.linalg.norm(step, axis=1, keepdims=True).clip(1e-300))
        K = np.einsum("nk,kij->nij", step / 2.0, turning)
        R = np.linalg.solve(np.eye(3) - K, np.eye(3) + K) @ R  # Cayley: a rotation near exp(2 K)
    found: list[np.ndarray] = []
    for one, error in zip(R, np.abs(off).max(axis=1), strict=True):
        if error < 1e-12 and all(np.abs(one - other).max() > 1e-6 for other in found):
            found.append(one)
    return np.array(found).reshape(-1, 3, 3)
