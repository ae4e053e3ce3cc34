"""Whether the leg points on base and platform of a hexapod form similar or affine hexagons.

Six legs whose points at base and platform form similar (or affine) hexagons inscribed in a conic,
usually a circle, leave the platform a free motion in every posture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_SAME = 1e-6  # misfit over size: finer than figures are made or typed, far coarser than rounding


@dataclass(frozen=True)
class HexagonRelation:
    """Points of the legs at base and platform, and how they are related.

    Attributes:
        relation: ``similar``, ``affine`` or empty.
        ratio: size of the platform's figure over the base's, if similar.
        conic: the points at the base lie on a conic section.
    """

    relation: str
    ratio: float
    conic: bool

    def __str__(self) -> str:
        if not self.relation:
            return ""
        text = f"the joints on base and platform form {self.relation} figures"
        return f"{text} on a conic section" if self.conic else text


def compared(base: np.ndarray, top: np.ndarray) -> HexagonRelation:
    """How two figures of points are related."""
    ratio, misfit = _similarity(base, top)
    conic = _on_conic(base)
    if misfit < _SAME:
        return HexagonRelation("similar", ratio, conic)
    return HexagonRelation("affine" if _affinity(base, top) < _SAME else "", 0.0, conic)


def _similarity(base: np.ndarray, top: np.ndarray) -> tuple[float, float]:
    """Ratio and misfit of the best similarity (a flat figure may be turned over)."""
    a, b = base - base.mean(axis=0), top - top.mean(axis=0)
    U, s, Vt = np.linalg.svd(a.T @ b)
    flat = np.linalg.svd(a, compute_uv=False)[-1] < _SAME * np.abs(a).max()
    sign = np.ones(3) if flat else np.array([1.0, 1.0, np.linalg.det(U @ Vt)])
    ratio = float((s * sign).sum() / (a * a).sum())
    misfit = np.abs(ratio * a @ (U * sign) @ Vt - b).max()
    return ratio, float(misfit / np.abs(b).max())


def _affinity(base: np.ndarray, top: np.ndarray) -> float:
    """Misfit of the best affine map."""
    a = np.column_stack([base, np.ones(len(base))])
    coefficients = np.linalg.lstsq(a, top, rcond=None)[0]
    spread = np.abs(top - top.mean(axis=0)).max()
    # with four points or fewer in space every pair of figures is affine
    exact = len(base) <= np.linalg.matrix_rank(a, tol=_SAME)
    return 1.0 if exact else float(np.abs(a @ coefficients - top).max() / spread)


def _on_conic(points: np.ndarray) -> bool:
    """Whether points of a plane lie on a conic section."""
    centered = points - points.mean(axis=0)
    _, s, Vt = np.linalg.svd(centered)
    if len(s) > 2 and s[2] > _SAME * s[0]:
        return False
    x, y = (centered @ Vt[:2].T / s[0]).T
    rows = np.column_stack([x * x, x * y, y * y, x, y, np.ones_like(x)])
    return bool(np.linalg.svd(rows, compute_uv=False)[-1] < _SAME)
