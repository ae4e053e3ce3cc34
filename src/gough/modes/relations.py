"""Demands of a chain: the equations of the platform pose, linear in its features, that it imposes.

A leg with its motors locked is sampled in random postures (implicitisation by sampling).  The null
space of the samples' features gives, to rounding, the linear relations that all samples satisfy,
whatever joints the leg is made of: a ball on a strut keeps a point on a sphere, a crank with a ball
keeps it on a circle, a parallelogram does the same with another inside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.base.once import known_of
from gough.mechanism.mobility.assembly import Assembly
from gough.modes.chains import Chain, chains
from gough.modes.groups import Group, find_group

_SPARE = 12  # samples beyond the number of features, so that no relation holds by chance
_NEW = 1e-12  # part of a unit row that others do not have; rows are known to 1e-14 or so
_GAP = 1e-10  # share of the largest singular value: samples are exact to 1e-12
_STILL = 1e-9  # entries of rotations between states that are assembled to 1e-11


@dataclass(frozen=True, eq=False)
class Demands:
    """Equations of a robot's chains at given motor positions.

    Attributes:
        group: of the platform.
        chains: one array of rows ``(k, m)`` for every chain that demands something in features
            of the pose: ``rows @ features = 0``.
    """

    group: Group
    chains: tuple[np.ndarray, ...]

    @property
    def independent(self) -> tuple[np.ndarray, ...]:
        """Rows of the chains that demand something that others before them do not."""
        found: list[np.ndarray] = []
        for rows in self.chains:
            if not _follows(rows, found):
                found.append(rows)
        return tuple(found)

    @property
    def rows(self) -> np.ndarray:
        """All independent equations, orthonormal."""
        stacked = np.vstack(self.chains)
        _, s, Vt = np.linalg.svd(stacked, full_matrices=False)
        return np.asarray(Vt[s > _NEW * s[0]])


def demands(assembly: Assembly, q_a: np.ndarray) -> Demands | None:
    """Demands of all chains; ``None`` if no chain has any in features of the pose."""
    group = find_group(assembly)
    rng = np.random.default_rng(0)  # any samples span the same space
    rows = [_rows(chain, group, q_a, rng) for chain in _chains(assembly)]
    found = tuple(each for each in rows if len(each))
    return Demands(group, found) if found else None


def _follows(rows: np.ndarray, others: list[np.ndarray]) -> bool:
    """Whether demands are among those that others make already, like those of a second weld."""
    if not others:
        return False
    _, s, Vt = np.linalg.svd(np.vstack(others), full_matrices=False)
    basis = Vt[s > _NEW * s[0]]
    return bool(np.abs(rows - rows @ basis.T @ basis).max() < _NEW)


@known_of(Assembly)
def _chains(assembly: Assembly) -> list[Chain]:
    return chains(assembly.robot, assembly.length, assembly.T_home[:3, 3], _still(assembly))


def _still(assembly: Assembly) -> dict[str, np.ndarray]:
    """Orientations of the bodies that never turn, in assembled states around home."""
    states = [assembly.start, *assembly.regular_samples]
    poses = [assembly.equations(*state).body_poses for state in states]
    return {
        name: np.asarray(pose.R)
        for name, pose in poses[0].items()
        if max(float(np.abs(other[name].R - pose.R).max()) for other in poses) < _STILL
    }


def _rows(chain: Chain, group: Group, q_a: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Demands of a chain; none where it cannot be sampled."""
    width = group.features(np.eye(4)[None]).shape[1]
    poses = chain.sample(q_a, group, 2 * (width + _SPARE), rng)
    if len(poses) < width + _SPARE:
        return np.zeros((0, width))
    _, s, Vt = np.linalg.svd(group.features(poses), full_matrices=False)
    return np.asarray(Vt[s < _GAP * s[0]])
