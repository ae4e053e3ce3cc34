"""Meshes with few triangles: points in the same cell of a grid become one."""

from __future__ import annotations

import numpy as np

from gough.robot.formats.meshes import Mesh

FEWEST = 12
"""Triangles of a box, with which any mesh can be drawn."""

_FINEST, _COARSEST = 256, 1  # cells along the longest side
_MANY = 50_000  # triangles of a mesh that is gathered twice: the search takes a second otherwise
_HALVINGS = 8  # of the search for a grid: to a few percent


def simplified(mesh: Mesh, most: int) -> Mesh:
    """A mesh with at most so many triangles and points, or the box around it."""
    used, places = np.unique(mesh.triangles, return_inverse=True)
    mesh = Mesh(mesh.points[used], places.reshape(-1, 3))
    if len(mesh.triangles) <= most:  # files of triangles alone name each point several times
        points, places = np.unique(mesh.points, axis=0, return_inverse=True)
        if len(points) == len(mesh.points) <= most:
            return mesh
        if len(points) <= most:
            return Mesh(points, places.reshape(-1)[mesh.triangles])
    if len(mesh.triangles) > _MANY:  # what the finest grid cannot tell apart goes first
        mesh = _gathered(mesh, float(_FINEST))
    coarse, fine = float(_COARSEST), float(_FINEST)
    best = _gathered(mesh, coarse)
    for _ in range(_HALVINGS):
        middle = float(np.sqrt(coarse * fine))
        found = _gathered(mesh, middle)
        if max(map(len, found)) > most:
            fine = middle
        else:
            coarse, best = middle, found
    if len(best.triangles) < FEWEST or max(map(len, best)) > max(most, FEWEST):
        return _box(mesh)
    # means of cells lie inside: the mesh gets its size back
    low, high = best.points.min(axis=0), best.points.max(axis=0)
    grown = np.ptp(mesh.points, axis=0) / np.where(high > low, high - low, 1.0)
    return Mesh(mesh.points.min(axis=0) + (best.points - low) * grown, best.triangles)


def _gathered(mesh: Mesh, cells: float) -> Mesh:
    """A mesh on a grid with so many cells along its longest side; each point is a mean."""
    low = mesh.points.min(axis=0)
    side = float(np.ptp(mesh.points, axis=0).max()) / cells or 1.0
    grid = np.floor((mesh.points - low) / side).astype(np.int64)
    places = _numbered(grid, int(cells) + 2)[1]
    counts = np.bincount(places)
    points = np.stack([np.bincount(places, column) / counts for column in mesh.points.T], axis=1)
    corners = places[mesh.triangles]
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (c != a)]
    # each triangle once, whichever corner is named first
    first = np.argmin(corners, axis=1)[:, None]
    turned = np.take_along_axis(corners, (first + np.arange(3)) % 3, axis=1)
    return Mesh(points, turned[_numbered(turned, len(points))[0]])


def _numbered(rows: np.ndarray, base: int) -> tuple[np.ndarray, np.ndarray]:
    """Places of rows that differ, and of every row its number among those; entries below base."""
    keys = (rows[:, 0] * base + rows[:, 1]) * base + rows[:, 2]
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return first, number.reshape(-1)


def _box(mesh: Mesh) -> Mesh:
    """The box around a mesh."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    signs = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)])
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    halves = [half for a, b, c, d in faces for half in ((a, b, c), (a, c, d))]
    return Mesh(low + signs * (high - low), np.array(halves))
