"""Payload and acceleration that motors with limited efforts allow at rest: exact linear relations.

Efforts within their limits make wrenches ``w = J_inv^T tau`` that fill a zonotope.  Its faces are
``|N w| <= h``; what is asked, ``w = c + p w_1`` or ``w = c + M a``, is linear in the unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from math import comb
from typing import NamedTuple

import numpy as np

from gough.evaluation.loops.closing import times

_PARALLEL = 1e-12  # a step along a face, or faces along each other, over the largest: rounding
_ROUNDING = 1e-9  # corners may miss a face by this share
_MOST_CORNERS = 1000  # of a polytope, tried one by one; more are left to a program for hulls


class Faces(NamedTuple):
    """Faces of wrenches that efforts can make: ``|normals w| <= bounds``.

    Attributes:
        normals: ``(K, f, n)``.
        bounds: ``(K, f)``.
    """

    normals: np.ndarray
    bounds: np.ndarray


def faces(J_inv: np.ndarray, efforts: np.ndarray) -> Faces:
    """Faces of ``{J_inv^T tau: |tau| <= efforts}``.

    Args:
        J_inv: ``(K, m, n)`` with ``m >= n``.
        efforts: limits ``(m,)``.
    """
    _, m, n = J_inv.shape
    # a face is across all motors but some: no inverse, so that it holds on a Type 2 singularity
    chosen = list(combinations(range(m), n - 1))
    normals = np.stack([_across(J_inv[:, list(some)]) for some in chosen], axis=1)
    bounds = np.abs(normals @ J_inv.swapaxes(1, 2)) @ efforts
    return Faces(normals, bounds)


def together(sets: Sequence[Faces]) -> Faces:
    """Faces of wrenches one above the other ``(n + n + ...,)``, each within its own set.

    With more motors than freedoms the efforts that make them need not be the same ones.
    """
    K, _, n = sets[0].normals.shape
    blocks = []
    for i, each in enumerate(sets):
        block = np.zeros((K, each.normals.shape[1], n * len(sets)))
        block[:, :, n * i : n * (i + 1)] = each.normals
        blocks.append(block)
    return Faces(
        np.concatenate(blocks, axis=1), np.concatenate([each.bounds for each in sets], axis=1)
    )


def _across(rows: np.ndarray) -> np.ndarray:
    """Unit vectors (K, n) across n - 1 rows (K, n - 1, n)."""
    K, count, n = rows.shape
    if not count:
        return np.ones((K, n))
    sizes = np.linalg.norm(rows, axis=2, keepdims=True)
    return np.asarray(np.linalg.svd(rows / np.maximum(sizes, 1e-300))[2][:, -1])


def reach_along(faces: Faces, c: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Largest ``p >= 0`` for which ``c + p w`` can be made ``(K,)``; 0 where c itself cannot."""
    along = times(faces.normals, w)
    room = faces.bounds - np.sign(along) * times(faces.normals, c)
    return _least(faces, c, room, np.abs(along))


def in_every_direction(faces: Faces, c: np.ndarray, M: np.ndarray) -> np.ndarray:
    """Radius of the ball of ``a`` around 0 for which ``c + M a`` can be made ``(K,)``."""
    room = faces.bounds - np.abs(times(faces.normals, c))
    return _least(faces, c, room, np.linalg.norm(faces.normals @ M, axis=2))


def _least(faces: Faces, c: np.ndarray, room: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Least room before a face over the size of a step towards it; 0 where c cannot be made."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(size > _PARALLEL * size.max(axis=1, keepdims=True), room / size, np.inf)
    return np.where(_held(faces, c), np.maximum(share.min(axis=1), 0.0), 0.0)


def _held(faces: Faces, c: np.ndarray) -> np.ndarray:
    """Whether c can be made."""
    return np.asarray((np.abs(times(faces.normals, c)) <= faces.bounds).all(axis=1))


def in_the_best_direction(faces: Faces, c: np.ndarray, M: np.ndarray) -> np.ndarray:
    """Length of the longest ``a`` for which ``c + M a`` can be made ``(K,)``; 0 where c cannot.

    The longest vector of a polytope ends in one of its corners, where as many faces meet as ``a``
    has components.
    """
    A = faces.normals @ M  # |A a + at| <= bounds
    at = times(faces.normals, c)
    K, f, d = A.shape
    held = _held(faces, c)
    found = np.zeros(K)
    if comb(f, d) * 2**d > _MOST_CORNERS:
        for k in np.flatnonzero(held):
            found[k] = _by_hull(A[k], at[k], faces.bounds[k])
        return found
    slack = faces.bounds * (1.0 + _ROUNDING)
    for some in combinations(range(f), d):
        block = A[:, list(some)]
        sizes = np.linalg.norm(block, axis=2)
        scale = np.maximum(np.prod(sizes, axis=1), 1e-300)
        regular = held & (np.abs(np.linalg.det(block)) > _PARALLEL * scale)
        inverse = np.linalg.inv(np.where(regular[:, None, None], block, np.eye(d)))
        for signs in product((-1.0, 1.0), repeat=d):
            right = np.array(signs) * faces.bounds[:, list(some)] - at[:, list(some)]
            a = inverse @ right[..., None]
            inside = (np.abs((A @ a)[..., 0] + at) <= slack).all(axis=1)
            length = np.linalg.norm(a[..., 0], axis=1)
            found = np.where(regular & inside, np.maximum(found, length), found)
    return found


def _by_hull(A: np.ndarray, at: np.ndarray, bounds: np.ndarray) -> float:
    """The same for one state with many faces."""
    from scipy.spatial import HalfspaceIntersection, QhullError  # noqa: PLC0415  heavy

    if (bounds - np.abs(at)).min() <= 0.0:
        return 0.0  # no room around rest
    spaces = np.vstack([np.column_stack([A, at - bounds]), np.column_stack([-A, -at - bounds])])
    spaces = spaces / np.linalg.norm(spaces[:, :-1], axis=1, keepdims=True)
    try:
        corners = HalfspaceIntersection(spaces, np.zeros(A.shape[1])).intersections
    except QhullError:
        return float("nan")
    return float(np.linalg.norm(corners, axis=1).max())
