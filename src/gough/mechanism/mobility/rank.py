"""Mobility by rank: at home, and at generic assembled postures around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.base.spatial import moved
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import dense, move, scaled_legs, split
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Locks, described_locks
from gough.mechanism.mobility.home import close
from gough.mechanism.mobility.newton import CLOSED
from gough.mechanism.mobility.singular import null_space, rank
from gough.mechanism.topology.topology import Topology

_SAMPLES = 4
# Size of the walk, natural units.  A rank that home has lost shows again as a singular value of
# about this size, far above SINGULAR; a quarter and a sixteenth are tried where it does not close.
_AMPLITUDE = 0.12
_ON_THE_WAY = 1e-5  # what may stay open half-way, natural units: the last step closes it


@dataclass(frozen=True)
class Ranks:
    """Ranks of the closure equations at one posture.

    Attributes:
        rows: number of closure rows.
        columns: number of joint rates.
        all: rank of ``[A, -B]``, platform free.
        joints: rank of ``A``, platform held.
        legs: rank of each leg's ``E``.
        platform: orthonormal basis of the platform twists, natural units, 6xn.
        A: the joint columns of the closure rows, per rate.
    """

    rows: int
    columns: int
    all: int
    joints: int
    legs: tuple[int, ...]
    platform: np.ndarray
    A: np.ndarray

    @property
    def mobility(self) -> int:
        """Freedoms of the platform: of the machine, less those it does not feel."""
        return (self.columns + 6 - self.all) - (self.columns - self.joints)


def measure(
    topology: Topology, T_0p: np.ndarray, configuration: Configuration, length: float
) -> Ranks:
    """Ranks at an assembled posture."""
    at = Equations(topology, described_locks(topology), T_0p, configuration)
    system = dense(at, length)
    rank_all, null = null_space(system.rows)
    n_u = system.A.shape[1]
    U, s, _ = np.linalg.svd(null[n_u:] if null.size else np.zeros((6, 1)))
    platform = U[:, : rank(s)]
    legs = tuple(null_space(E)[0] for E in scaled_legs(at, length))
    joints, A = null_space(system.A)[0], system.A / system.u_scale
    return Ranks(len(system.rows), n_u, rank_all, joints, legs, platform, A)


def same_ranks(a: Ranks, b: Ranks) -> bool:
    """Whether two postures are equally regular."""
    return (a.all, a.joints, a.legs) == (b.all, b.joints, b.legs)


def generic_samples(
    topology: Topology, T_home: np.ndarray, home: Configuration, length: float
) -> list[tuple[np.ndarray, Configuration]]:
    """Home, and assembled postures a small, random walk away from it (always the same walk)."""
    rng = np.random.default_rng(1965)
    samples = [(T_home, home)]
    for _ in range(_SAMPLES):
        for amplitude in (_AMPLITUDE, _AMPLITUDE / 4.0, _AMPLITUDE / 16.0):
            found = wander(topology, T_home, home, length, rng, amplitude)
            if found is not None:
                samples.append(found)
                break
    return samples


def wander(
    topology: Topology,
    T_0p: np.ndarray,
    configuration: Configuration,
    length: float,
    rng: np.random.Generator,
    amplitude: float,
    locks: Locks | None = None,
) -> tuple[np.ndarray, Configuration] | None:
    """An assembled posture a random walk away from another one; none where it does not close.

    Args:
        topology: the machine.
        T_0p: platform pose of the posture.
        configuration: coordinates of its links.
        length: natural length [m].
        rng: chooses the direction.
        amplitude: size of the walk, natural units.
        locks: what idle freedoms keep to; as described if not given.
    """
    frozen = described_locks(topology) if locks is None else locks
    direction = rng.normal(size=256)
    for enough in (_ON_THE_WAY, _ON_THE_WAY, 0.0):
        system = dense(Equations(topology, frozen, T_0p, configuration), length)
        _, null = null_space(system.rows)
        if not null.shape[1]:
            return None
        n_u = system.A.shape[1]
        wanted = np.resize(direction, n_u + 6)
        step = null @ (null.T @ wanted)
        step = step * (amplitude / 3.0 / np.abs(step).max())
        T_0p = moved(T_0p, step[n_u:] * system.V_scale)
        configuration = move(topology, configuration, split(topology, step[:n_u] * system.u_scale))
        T_0p, configuration, error = close(
            topology, T_0p, configuration, length, locks=locks, enough=enough
        )
        if error > max(CLOSED, enough):
            return None
    return T_0p, configuration
