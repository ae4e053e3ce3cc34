"""All points of one general platform of each kind, found once and kept in ``starts.npz``.

One point is easy: choose it, then the ties.  The others follow by monodromy: lead the platform
through complex parameters round a loop, and points come back in another order, so that from one all
are reached.  Rounds that bring nothing new for long end the search.  ``python -m
gough.modes.starts`` makes the file again.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from gough.modes.chains import quaternion_rotations
from gough.modes.study import point
from gough.modes.ties import PointConstraints, between

KINDS = ((6, 0), (4, 1), (2, 2), (0, 3))
"""Spheres and circles that make six equations."""

_PATIENCE = 12  # loops in a row without a new point: it finds the 40 and 16 known from theory


def find_start(
    spheres: int, circles: int, seed: int
) -> tuple[PointConstraints, np.ndarray, np.ndarray]:
    """A general platform, its points, and the patch they are on."""
    rng = np.random.default_rng(seed)
    patch = _normal(rng, 8)
    x, t = _normal(rng, 4), _normal(rng, 3)
    ties = _through(_general(rng, spheres + circles, circles), x, t)
    points = point(x, t)[None]
    points = points / (points @ patch)[:, None]
    idle = 0
    while idle < _PATIENCE:
        corners = [ties, *(_general(rng, spheres + circles, circles) for _ in range(2)), ties]
        found = points.copy()
        for here, there in pairwise(corners):
            ends = between(here, there, patch).follow(found)
            found = ends.points[ends.arrived]
        before = len(points)
        for u in found:
            if np.abs(points - u).max(axis=1).min() > 1e-6:
                points = np.concatenate([points, u[None]])
        idle = idle + 1 if len(points) == before else 0
    return ties, points, patch


def _normal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def _general(rng: np.random.Generator, k: int, j: int) -> PointConstraints:
    shapes = ((k, 3), (k, 3), (k,), (j, 3), (j,))
    return PointConstraints(*(_normal(rng, *shape) for shape in shapes))


def _through(ties: PointConstraints, x: np.ndarray, t: np.ndarray) -> PointConstraints:
    """The same ties with radii and planes such that a (complex) pose has them."""
    tip = t + ties.b @ quaternion_rotations(x[None])[0].T
    c = ((tip - ties.a) ** 2).sum(axis=1)
    turned = tip[len(ties.c) - len(ties.d) :]
    return ties._replace(c=c, d=(ties.n * turned).sum(axis=1))


def main() -> None:
    """Write the file."""
    data: dict[str, Any] = {}
    kinds = []
    for spheres, circles in KINDS:
        ties, points, patch = find_start(spheres, circles, seed=1)
        kinds.append(ties.kind)
        data |= {f"{ties.kind}/{name}": value for name, value in ties._asdict().items()}
        data |= {f"{ties.kind}/points": points, f"{ties.kind}/patch": patch}
    np.savez(Path(__file__).with_name("starts.npz"), kinds=np.array(kinds), **data)


if __name__ == "__main__":
    main()
