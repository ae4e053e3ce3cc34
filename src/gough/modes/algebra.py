"""Candidates for all poses of a platform, from the equations (demands) of its chains."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.modes.groups import Planar, Schoenflies, Space, Spherical, Translations
from gough.modes.paraboloid import Continuum, points_on_paraboloid
from gough.modes.relations import Demands
from gough.modes.study import rotations
from gough.modes.ties import PointConstraints, read_ties, tied_poses
from gough.modes.turning import turned_poses

_NONE = np.zeros((0, 4, 4))
_ANGLES = 24  # seeds of a search for the platform's angle: 15 degrees apart
_ZERO = 1e-9  # singular values of orthonormal demands, which are known to 1e-12 or better
_ROTATION = "continuation along 8 paths (three quadrics of the rotation)"


class Candidates(NamedTuple):
    """Candidate poses; those that the legs can close are assembly modes.

    Attributes:
        T_0p: ``(k, 4, 4)``, lengths over the robot's length, from home's origin.
        rough: poses near which paths could not be followed any more ``(j, 4, 4)``.
        how: the method, in words.
        seeds: starts of a search ``(m, 4, 4)``, where demands leave a coordinate undetermined.
    """

    T_0p: np.ndarray
    rough: np.ndarray
    how: str
    seeds: np.ndarray = _NONE


def candidates(found: Demands) -> Candidates | None:
    """All poses that obey the demands, and perhaps some that do not; ``None``: no way is known.

    Raises:
        Continuum: the demands leave the platform a motion.
    """
    group = found.group
    if isinstance(group, Translations):
        return _translations(group, found.rows)
    if isinstance(group, Schoenflies):
        return _turning(group, found.rows)
    if isinstance(group, Spherical):
        return _spherical(group, found.rows)
    return _spatial(found)


def _turning(group: Schoenflies, rows: np.ndarray) -> Candidates:
    try:
        T, how = turned_poses(group, rows)
        return Candidates(T, _NONE, how)
    except Continuum:
        if isinstance(group, Planar):
            raise
    # demands without the angle may still fix the position, as of a Delta with a fourth leg
    U, s, _ = np.linalg.svd(rows[:, 1:5])
    alone = U[:, int((s > _ZERO).sum()) :].T @ rows
    points = points_on_paraboloid(alone[:, [0, 6, 7, 8]], -alone[:, 5])
    angles = 2.0 * np.pi * np.arange(_ANGLES) / _ANGLES
    seeds = [group.pose(t, angle) for t in points for angle in angles]
    how = "spheres that meet, and a search for the angle"
    return Candidates(_NONE, _NONE, how, np.array(seeds).reshape(-1, 4, 4))


def _translations(group: Translations, rows: np.ndarray) -> Candidates:
    points = points_on_paraboloid(rows[:, :4], -rows[:, 4])
    return Candidates(_poses(group.R, points), _NONE, "spheres that meet")


def _spherical(group: Spherical, rows: np.ndarray) -> Candidates:
    found, rough = (_poses(R, group.centre - R @ group.on_platform) for R in rotations(rows))
    return Candidates(found, rough, _ROTATION)


def _poses(R: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Poses of positions ``(k, 3)`` at one orientation, or at one each."""
    T = np.broadcast_to(np.eye(4), (len(t), 4, 4)).copy()
    T[:, :3, :3], T[:, :3, 3] = R, t
    return T


def _spatial(found: Demands) -> Candidates | None:
    turned = _turned_first(found.rows)
    if turned is not None:
        return turned
    ties, inverted = _ties(found.independent)
    if ties is None:
        return None
    *known, paths = tied_poses(ties)
    T, rough = (np.linalg.inv(T) if inverted and len(T) else T for T in known)
    return Candidates(T, rough, f"continuation along {paths} paths ({ties})")


def _turned_first(rows: np.ndarray) -> Candidates | None:
    """Rotation first, then position, where three demands are on the rotation alone."""
    U, s, _ = np.linalg.svd(rows[:, :7])
    rank = int((s > _ZERO).sum())
    alone = U[:, rank:].T @ rows[:, 7:]
    if len(alone) < 3:
        return None
    found, rough = rotations(alone)
    poses = [_poses(R, points_on_paraboloid(*_placing(rows, R))) for R in found]
    nearly = [np.linalg.lstsq(*_placing(rows, R), rcond=None)[0][1:] for R in rough]
    return Candidates(
        np.concatenate([_NONE, *poses]), _poses(rough, np.array(nearly).reshape(-1, 3)), _ROTATION
    )


def _placing(rows: np.ndarray, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Demands on ``(|t|^2, t)`` at a rotation, and right sides."""
    A = np.column_stack([rows[:, 0], rows[:, 1:4] + rows[:, 4:7] @ R.T])
    return A, -(rows[:, 7:16] @ R.ravel() + rows[:, 16])


def _ties(chains: tuple[np.ndarray, ...]) -> tuple[PointConstraints | None, bool]:
    """Constraints of points of the platform, or of points of the base seen from the platform."""
    ties = read_ties(chains)
    if ties is not None:
        return ties, False
    return read_ties(tuple(_inverted(rows) for rows in chains)), True


def _inverted(rows: np.ndarray) -> np.ndarray:
    """The same demands on the inverse pose."""
    R = rows[:, 7:16].reshape(-1, 3, 3).transpose(0, 2, 1).reshape(-1, 9)
    return np.column_stack([rows[:, 0], -rows[:, 4:7], -rows[:, 1:4], R, rows[:, 16]])


def spatial_ties(found: Demands) -> PointConstraints | None:
    """Points of a platform in space that are held, if that is what holds it."""
    return _ties(found.chains)[0] if isinstance(found.group, Space) else None
