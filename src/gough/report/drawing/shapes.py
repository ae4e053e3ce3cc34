"""Points into shapes: hulls, arcs, trees of bars.  A leaf that knows no robot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def distinct(points: Sequence[np.ndarray], tolerance: float) -> np.ndarray:
    """Points without those that lie within a tolerance of an earlier one ``(k, 3)``."""
    kept: list[np.ndarray] = []
    for point in points:
        if all(np.linalg.norm(point - other) > tolerance for other in kept):
            kept.append(np.asarray(point, dtype=float))
    return np.array(kept).reshape(-1, 3)


def spreads(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Extents of points along their principal directions, largest first, and these as rows."""
    centred = points - points.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=True)[2]
    return np.ptp(centred @ axes.T, axis=0), axes


def is_line(points: np.ndarray, tolerance: float) -> bool:
    """Whether points lie on one line."""
    return bool(len(points) < 3 or spreads(points)[0][1] < tolerance)


def ends(points: np.ndarray) -> np.ndarray:
    """The two ends ``(2, 3)`` of points on a line."""
    along = (points - points[0]) @ spreads(points)[1][0]
    return points[[int(np.argmin(along)), int(np.argmax(along))]]


def hull(points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Corners of the convex hull of points seen along a normal, counter-clockwise about it.

    The corners are points of the input: a hull of points that are not quite flat is not either.
    """
    flat = points @ across(normal).T
    order = np.lexsort((flat[:, 1], flat[:, 0]))

    def chain(indices: np.ndarray) -> list[int]:
        kept: list[int] = []
        for i in indices:
            while len(kept) > 1 and _turn(flat[kept[-2]], flat[kept[-1]], flat[i]) <= 0.0:
                kept.pop()
            kept.append(int(i))
        return kept[:-1]

    return points[chain(order) + chain(order[::-1])]


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def across(axis: np.ndarray) -> np.ndarray:
    """Two unit vectors as rows that make a right-handed triad with a unit axis."""
    e = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = e - (e @ axis) * axis
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(axis, x)])


def rounded(outline: np.ndarray, normal: np.ndarray, radius: float, steps: int = 6) -> np.ndarray:
    """A convex outline grown by a radius, its corners round."""
    basis = across(normal)
    angles = np.linspace(0.0, 2.0 * np.pi, 4 * steps, endpoint=False)
    circle = radius * (np.cos(angles)[:, None] * basis[0] + np.sin(angles)[:, None] * basis[1])
    return hull((outline[:, None] + circle[None]).reshape(-1, 3), normal)


def tree(points: np.ndarray) -> list[np.ndarray]:
    """Bars ``(2, 3)`` that join points: the two nearest first, then their middle with the rest.

    The arm of a Delta, one hinge and two ball joints, comes out as a T.
    """
    nodes = [np.asarray(p) for p in points]
    weights = [1.0] * len(nodes)
    bars = []
    while len(nodes) > 1:
        pairs = [(i, j) for j in range(len(nodes)) for i in range(j)]
        i, j = min(pairs, key=lambda ij: float(np.linalg.norm(nodes[ij[0]] - nodes[ij[1]])))
        bars.append(np.stack([nodes[i], nodes[j]]))
        weight = weights[i] + weights[j]
        middle = (nodes[i] * weights[i] + nodes[j] * weights[j]) / weight
        for k in (j, i):
            nodes.pop(k)
            weights.pop(k)
        nodes.append(middle)
        weights.append(weight)
    return bars


def arc(start: np.ndarray, end: np.ndarray, centre: np.ndarray, steps: int = 14) -> np.ndarray:
    """Points from start to end around a centre; the radius changes evenly."""
    a, b = start - centre, end - centre
    r_a, r_b = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    cosine = float(np.clip(a @ b / (r_a * r_b), -1.0, 1.0)) if r_a * r_b > 0.0 else 1.0
    angle = float(np.arccos(cosine))
    # no arc where the ends are in line with the centre: there is no plane for it
    if not 1e-6 < angle < np.pi - 1e-6:
        return np.stack([start, end])
    t = np.linspace(0.0, 1.0, steps)[:, None]
    weights = np.concatenate([np.sin((1.0 - t) * angle) / r_a, np.sin(t * angle) / r_b], axis=1)
    directions = weights @ np.stack([a, b]) / np.sin(angle)
    return np.asarray(centre + directions * (r_a + t * (r_b - r_a)))


def foot(point: np.ndarray, origin: np.ndarray, axis: np.ndarray) -> float:
    """Coordinate along a line of the foot of the perpendicular from a point."""
    return float((point - origin) @ axis)


def off(point: np.ndarray, origin: np.ndarray, axis: np.ndarray) -> float:
    """Distance of a point from a line."""
    d = point - origin
    return float(np.linalg.norm(d - (d @ axis) * axis))
