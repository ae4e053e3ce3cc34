"""Choice of a home among a few candidate poses, away from singularities.

Motors hold the platform by forces along lines: a strut, a rod, a bar, and what a hinge forbids.  A
home is good if these lines are independent (no Type 2 singularity nearby) and if every motor has a
lever on its line (no Type 1).  Both are figures between 0 and 1, the same in any unit of length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from gough.base.spatial import E_Z, pose, rotation_exp, rotation_z
from gough.build.chains import tidy
from gough.errors import InputError

Candidate = TypeVar("Candidate")

GOOD = 0.25
"""Quality from which the first candidate is taken, and no better home is sought."""

SINGULAR = 1e-6
"""Below this a machine is singular in all candidate poses: probably everywhere."""

_NEARLY = 0.6  # share of the best quality that is good enough for an earlier candidate
_HEIGHTS = (1.0, 0.8, 1.3, 0.6, 1.6, 2.0)  # of the platform, over the size of base or platform


def quality(
    directions: np.ndarray,
    arms: np.ndarray,
    length: float,
    levers: np.ndarray | None = None,
    freedoms: Sequence[int] = range(6),
) -> float:
    """How far a posture is from its singularities, between 0 and 1.

    Args:
        directions: unit vectors along the lines of force, one a row.
        arms: from the platform's middle to a point of each line [m].
        length: size of the platform [m].
        levers: cosine between each line and the motion of its motor; default 1.
        freedoms: of the platform, among x y z rx ry rz.
    """
    moments = np.cross(arms, directions) / length
    rows = np.hstack([directions, moments])[:, list(freedoms)]
    values = np.linalg.svd(rows, compute_uv=False)
    least = 1.0 if levers is None else float(np.abs(levers).min())
    return min(float(values[-1] / values[0]), least)


def choose(
    candidates: Sequence[Candidate],
    worth: Callable[[Candidate], float],
    what: str,
    good: float = GOOD,
) -> tuple[Candidate, float]:
    """The first candidate that is good, or nearly as good as the best.

    Args:
        candidates: in the order of preference.
        worth: its quality; NaN, or the InputError of a leg, if it cannot be assembled.
        what: for the error if there is none.
        good: quality that is good enough.

    Returns:
        The candidate and its quality.
    """
    if candidates and (best := _worth_of(candidates[0], worth)) >= good:
        return candidates[0], best  # as the rule below would find, without looking further
    found = np.array([_worth_of(candidate, worth) for candidate in candidates])
    if not len(found) or np.isnan(found).all():
        raise InputError(
            f"{what}: no home was found that these lengths can reach",
            hint="Check the lengths (gough is SI only: metres); builders also take a home.",
        )
    enough = min(good, _NEARLY * float(np.nanmax(found)))
    first = int(np.argmax(np.nan_to_num(found, nan=-1.0) >= enough))
    return candidates[first], float(found[first])


def _worth_of(candidate: Candidate, worth: Callable[[Candidate], float]) -> float:
    try:
        return worth(candidate)
    except InputError:  # a leg does not reach
        return float("nan")


def held(
    T: np.ndarray,
    top: np.ndarray,
    directions: np.ndarray,
    levers: np.ndarray | None = None,
    freedoms: Sequence[int] = range(6),
) -> float:
    """:func:`quality` of a pose whose platform is held at points, by one line each or several.

    Args:
        T: pose of the platform, 4x4.
        top: the points, platform axes, one a row [m].
        directions: unit vectors along the lines: one for every point, then the next for each.
        levers: cosine between each line and the motion of its motor; default 1.
        freedoms: of the platform, among x y z rx ry rz.
    """
    arms = np.tile((top - top.mean(axis=0)) @ T[:3, :3].T, (len(directions) // len(top), 1))
    return quality(directions, arms, spread(top), levers, freedoms)


def placed(T: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points of a platform in a pose, base axes, one a row [m]."""
    return np.asarray(T[:3, 3] + points @ T[:3, :3].T)


def spread(points: np.ndarray) -> float:
    """Size of a set of points: root mean square distance from their middle [m]."""
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))


def poses_above(base: np.ndarray, top: np.ndarray) -> list[np.ndarray]:
    """Candidate poses of a platform above its base: upright ones first, then turned and tilted.

    Args:
        base: points on the base [m].
        top: points on the platform, platform axes [m].
    """
    middle, size = base.mean(axis=0), max(spread(base), spread(top))
    up = _normal(base)
    found = []
    for R in _rotations(up):
        for height in _HEIGHTS:
            found.append(tidy(pose(R, middle + height * size * up - R @ top.mean(axis=0))))
    return found


def _normal(points: np.ndarray) -> np.ndarray:
    """Normal of the plane nearest to points, upwards."""
    normal = np.linalg.svd(points - points.mean(axis=0))[2][2]
    if abs(normal @ E_Z) > 0.999:
        return E_Z
    largest = int(np.argmax(np.abs(normal)))
    key = 2 if abs(normal[2]) > 1e-9 else largest
    return np.asarray(normal * np.sign(normal[key]))


def _rotations(up: np.ndarray) -> Iterator[np.ndarray]:
    """Identity, turns about the upward direction, and a few tilts that favour no axis."""
    yield np.eye(3)
    for degrees in (15, -15, 30, -30, 45, -45, 60, -60, 90, -90, 180):
        yield rotation_exp(np.radians(degrees) * up)
    rng = np.random.default_rng(0)
    for _ in range(12):
        yield rotation_exp(rng.uniform(-1.0, 1.0, 3))


def planar_poses(base: np.ndarray, top: np.ndarray) -> list[np.ndarray]:
    """Candidate poses of a planar platform: centred ones first, then turned and moved."""
    size = spread(base) or spread(top)
    found = []
    for step in (0.0, 0.2, 0.4, 0.8):
        for side in np.radians([0.0, 60.0, 120.0, 180.0, 240.0, 300.0] if step else [0.0]):
            for degrees in (0, 15, -15, 30, -30, 45, -45, 60, -60, 90, -90, 120, -120, 150, 180):
                R = rotation_z(np.radians(degrees))
                shift = step * size * np.array([np.cos(side), np.sin(side), 0.0])
                found.append(tidy(pose(R, base.mean(axis=0) + shift - R @ top.mean(axis=0))))
    return found
