"""Candidates for all poses of a platform, from what its chains demand: as many as there can be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.modes.groups import Schoenflies, Space, Spherical, Translations
from gough.modes.paraboloid import points_on_paraboloid
from gough.modes.relations import Demands
from gough.modes.spherical import rotations
from gough.modes.ties import Ties, read_ties, tied_poses
from gough.modes.turning import turned_poses

_ROTATION = "continuation along 8 paths (three quadrics of the rotation)"


class Candidates(NamedTuple):
    """Poses to be looked at.

    Attributes:
        T_0p: ``(k, 4, 4)``, lengths in units of the robot's.
        how: in words.
        lost: paths that could not be followed.
    """

    T_0p: np.ndarray
    how: str
    lost: int


def candidates(found: Demands) -> Candidates | None:
    """All poses that obey the demands, and perhaps some that do not; ``None``: no way is known.

    Raises:
        Continuum: the demands leave the platform a motion.
    """
    group = found.group
    if isinstance(group, Translations):
        return _translations(group, found.rows)
    if isinstance(group, Schoenflies):
        return Candidates(*turned_poses(group, found.rows), 0)
    if isinstance(group, Spherical):
        return _spherical(group, found.rows)
    return _spatial(found)


def _translations(group: Translations, rows: np.ndarray) -> Candidates:
    points = points_on_paraboloid(rows[:, :4], -rows[:, 4])
    T = np.broadcast_to(np.eye(4), (len(points), 4, 4)).copy()
    T[:, :3, :3], T[:, :3, 3] = group.R, points
    return Candidates(T, "spheres that meet", 0)


def _spherical(group: Spherical, rows: np.ndarray) -> Candidates:
    R, lost = rotations(rows)
    T = np.broadcast_to(np.eye(4), (len(R), 4, 4)).copy()
    T[:, :3, :3], T[:, :3, 3] = R, group.centre - R @ group.on_platform
    return Candidates(T, _ROTATION, lost)


def _spatial(found: Demands) -> Candidates | None:
    turned = _turned_first(found.rows)
    if turned is not None:
        return turned
    ties, inverted = _ties(found.independent)
    if ties is None:
        return None
    T, paths, lost = tied_poses(ties)
    if inverted:
        T = np.linalg.inv(T)
    return Candidates(T, f"continuation along {paths} paths ({ties})", lost)


def _turned_first(rows: np.ndarray) -> Candidates | None:
    """Where demands on the rotation alone can be told apart: the rotation, then the position."""
    U, s, _ = np.linalg.svd(rows[:, :7])
    rank = int((s > 1e-9).sum())
    alone = U[:, rank:].T @ rows[:, 7:]
    if len(alone) < 3:
        return None
    R, lost = rotations(alone)
    poses = []
    for turn in R:
        A = np.column_stack([rows[:, 0], rows[:, 1:4] + rows[:, 4:7] @ turn.T])
        right = -(rows[:, 7:16] @ turn.ravel() + rows[:, 16])
        for t in points_on_paraboloid(A, right):
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = turn, t
            poses.append(T)
    return Candidates(np.array(poses).reshape(-1, 4, 4), _ROTATION, lost)


def _ties(chains: tuple[np.ndarray, ...]) -> tuple[Ties | None, bool]:
    """Ties of points of the platform, or of points of the base seen from the platform."""
    ties = read_ties(chains)
    if ties is not None:
        return ties, False
    return read_ties(tuple(_inverted(rows) for rows in chains)), True


def _inverted(rows: np.ndarray) -> np.ndarray:
    """The same demands on the inverse pose."""
    R = rows[:, 7:16].reshape(-1, 3, 3).transpose(0, 2, 1).reshape(-1, 9)
    return np.column_stack([rows[:, 0], -rows[:, 4:7], -rows[:, 1:4], R, rows[:, 16]])


def spatial_ties(found: Demands) -> Ties | None:
    """Ties of a platform in space, if that is what holds it."""
    return _ties(found.chains)[0] if isinstance(found.group, Space) else None
