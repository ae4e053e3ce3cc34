"""Points on a paraboloid that obey linear equations: spheres and planes that meet.

Spheres and planes are linear in ``(|p|^2, p)``.  What they leave is a point, a line that meets the
paraboloid ``w = |p|^2`` twice, or more than points.
"""

from __future__ import annotations

import numpy as np

_RANK = 1e-12  # demands are known to 1e-15
_ON = 1e-7  # relative misfit of a point: where spheres touch, points are known to 1e-8


class Continuum(ArithmeticError):
    """The equations leave more than single points."""


def points_on_paraboloid(rows: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Real points ``p`` with ``rows @ [|p|^2, p] = right``, one a row; there may be none.

    Raises:
        Continuum: a curve or a surface obeys them.
    """
    n = rows.shape[1] - 1
    U, s, Vt = np.linalg.svd(rows)
    rank = int((s > _RANK * s[0]).sum()) if len(s) else 0
    inside = U[:, :rank].T @ right
    scale = 1.0 + float(np.abs(right).max(initial=0.0))
    if np.abs(right - U[:, :rank] @ inside).max(initial=0.0) > _ON * scale:
        return np.zeros((0, n))  # they contradict each other
    start = Vt[:rank].T @ (inside / s[:rank])
    if rank == n + 1:
        p = start[1:]
        on = abs(start[0] - p @ p) < _ON * (1.0 + p @ p)
        return p[None] if on else np.zeros((0, n))
    if rank < n:
        raise Continuum
    along = Vt[rank]
    a, d = start[1:], along[1:]
    # w0 + s dw = |a + s d|^2
    A, B, C = d @ d, 2.0 * (a @ d) - along[0], a @ a - start[0]
    if A < 1e-14:
        return (a - C / B * d)[None] if abs(B) > 1e-12 else np.zeros((0, n))
    square = B * B - 4.0 * A * C
    if square < -_ON * (B * B + abs(4.0 * A * C)):
        return np.zeros((0, n))
    root = np.sqrt(max(square, 0.0))
    # the roots that do not cancel
    far = -0.5 * (B + (root if B >= 0.0 else -root))
    steps = [far / A, C / far] if far != 0.0 else [0.0, 0.0]
    return np.array([a + step * d for step in steps])
