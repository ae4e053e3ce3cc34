"""Legs that pull along a line between two points, and the figures their points form.

Six such legs whose points at base and platform form similar (or affine) hexagons inscribed in a
conic, usually a circle, leave the platform a free motion in every posture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.diagnosis.examination import Examination
from gough.diagnosis.likeness import Chain, chains

_BALLS = ("spherical", "universal")
_SLIDES = ("prismatic", "cylindrical", "helical")
_SAME = 1e-6


@dataclass(frozen=True)
class Figures:
    """Points of the legs at base and platform, and how they are related.

    Attributes:
        relation: ``similar``, ``affine`` or empty.
        ratio: size of the platform's figure over the base's, if similar.
        misfit: largest distance left by the relation, against the figure's size.
        conic: the points at the base lie on a conic section.
    """

    relation: str
    ratio: float
    misfit: float
    conic: bool


def find_figures(exam: Examination) -> Figures | None:
    """How base and platform points are related; ``None`` if the legs are not lines of pull."""
    found = chains(exam.robot, exam.assembly.topology)
    points = [_ends(exam, chain) for chain in found]
    if len(points) < 4 or any(pair is None for pair in points):
        return None
    base = np.array([pair[0] for pair in points if pair is not None])
    top = np.array([pair[1] for pair in points if pair is not None])
    ratio, misfit = _similarity(base, top)
    conic = _on_conic(base)
    if misfit < _SAME:
        return Figures("similar", ratio, misfit, conic)
    affine = _affinity(base, top)
    if affine < _SAME:
        return Figures("affine", 0.0, affine, conic)
    return Figures("", 0.0, misfit, conic)


def _ends(exam: Examination, chain: Chain) -> tuple[np.ndarray, np.ndarray] | None:
    """Points of a leg on base and platform, in their axes; ``None`` if it is no line of pull."""
    robot = exam.robot
    if len(chain.joints) < 3 or len(chain.motors) != 1:
        return None
    first, *inner, last = chain.joints
    between_balls = first.kind in _BALLS and last.kind in _BALLS
    straight = all(joint.kind in _SLIDES for joint in inner)
    driven = any(chain.motors[0] in joint.axis_names for joint in inner)
    grounded = robot.base in (first.parent, first.child)
    carries = robot.platform in (last.parent, last.child)
    if not (between_balls and straight and driven and grounded and carries):
        return None
    on_base = first.parent_frame if first.parent == robot.base else first.child_frame
    on_top = last.parent_frame if last.parent == robot.platform else last.child_frame
    return np.array(on_base.position), np.array(on_top.position)


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
