"""Volume, centre and inertia of a mesh, in the four ways in which MuJoCo has them.

A mesh is cut into tetrahedra with a common apex, one for each triangle.  ``exact`` adds them up
with their signs, ``legacy`` without, which counts too much where the mesh is not convex; ``convex``
takes the convex hull, ``shell`` the surface.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.robot.formats.meshes import Fault, Mesh
from gough.robot.formats.mjcf.assets import hull

WAYS = ("legacy", "exact", "convex", "shell")
_LEAST = 1e-15  # what MuJoCo calls zero


class Filled(NamedTuple):
    """A mesh of density 1: volume or area, centre ``(3,)``, inertia about it ``(3, 3)``."""

    volume: float
    center: np.ndarray
    inertia: np.ndarray


def filled(mesh: Mesh, way: str) -> Filled | Fault:
    """A mesh of density 1; ``way`` is one of :data:`WAYS`."""
    if way == "convex":
        convex = hull(mesh.points)
        if isinstance(convex, Fault):
            return convex
        mesh = convex
    if way == "exact" and _is_inconsistent(mesh):
        return Fault("has faces of both orientations", 'Mend it, or choose inertia="convex".')
    corners = mesh.points[mesh.triangles]  # (n, 3 corners, 3)
    area = _areas(corners)
    if not area.sum() > _LEAST:
        return Fault("has no area", "Is it the right file, and the right scale?")
    middle = area @ corners.mean(axis=1) / area.sum()
    weights = _weights(corners - middle, way)
    if not weights.sum() > _LEAST:
        return Fault("has no volume, or its faces look inwards", 'inertia="shell" takes its area.')
    center = 0.75 * (weights @ corners.mean(axis=1)) / weights.sum() + 0.25 * middle
    corners = corners - center
    weights = _weights(corners, way)
    total = corners.sum(axis=1)
    # integral of x x^T over a tetrahedron with its apex at the origin, or over a triangle
    pairs = np.einsum("nki,nkj->nij", corners, corners) + np.einsum("ni,nj->nij", total, total)
    second = np.einsum("n,nij->ij", weights, pairs) / (12.0 if way == "shell" else 20.0)
    inertia = np.trace(second) * np.eye(3) - second
    return Filled(float(weights.sum()), center, inertia)


def _areas(corners: np.ndarray) -> np.ndarray:
    a, b, c = (corners[:, k] for k in range(3))
    return np.asarray(np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0)


def _weights(corners: np.ndarray, way: str) -> np.ndarray:
    """Volumes of the tetrahedra between triangles and the origin, or areas."""
    if way == "shell":
        return _areas(corners)
    volumes = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    return np.asarray(np.abs(volumes) if way == "legacy" else volumes)


def _is_inconsistent(mesh: Mesh) -> bool:
    """Whether two triangles go along an edge in the same direction."""
    # numbers of points that differ: sorting columns one by one is quicker than rows
    columns = [np.unique(column, return_inverse=True) for column in mesh.points.T]
    keys = np.zeros(len(mesh.points), dtype=np.int64)
    for values, places in columns:
        keys = keys * len(values) + places.reshape(-1)  # below 1e18: a mesh has 5e5 points
    same = np.unique(keys, return_inverse=True)[1].reshape(-1)
    triangles = same[mesh.triangles[_areas(mesh.points[mesh.triangles]) > 0.0]]
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return len(np.unique(edges @ np.array([len(mesh.points), 1]))) < len(edges)
