"""Assembly modes by search: random postures, closed with the motors where they are told.

For machines whose demands on the platform have no known number of solutions.  A search proves
nothing about what it did not find; how many starts agreed says how thorough it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.closure.coordinates import pack
from gough.mobility.assembly import Assembly
from gough.mobility.newton import CLOSED
from gough.modes.chains import random_rotations, rotations_by
from gough.modes.closing import Machines, close_all, loops
from gough.modes.groups import Group
from gough.modes.motions import refuse_motions
from gough.modes.units import natural, plain

ROUND = 96
"""Starts that are closed at once."""

QUIET = 3
"""Rounds in a row that must bring nothing new."""

_FAR = 1.5  # positions are sought this many lengths around home


@dataclass(eq=False)
class Hits:
    """Distinct closed states, and how many starts ended in each."""

    length: float
    T_0p: list[np.ndarray]
    coordinates: list[np.ndarray]
    error: list[float]
    count: list[int]

    @classmethod
    def none(cls, assembly: Assembly) -> Hits:
        """Nothing yet."""
        return cls(assembly.length, [], [], [], [])

    def take(self, other: Hits) -> None:
        """Take in what a search found: its counts tell how often, those of others nothing."""
        self.count = [0] * len(self.count)
        for T, coordinates, error, count in zip(
            other.T_0p, other.coordinates, other.error, other.count, strict=True
        ):
            self.add(Machines(T[None], coordinates[None]), np.array([error]))
            k = self.where(T)
            if k is not None:
                self.count[k] = count

    def add(self, machines: Machines, error: np.ndarray) -> int:
        """Take in closed states; how many were new."""
        new = 0
        for T, coordinates, off in zip(*machines, error, strict=True):
            k = self.where(T)
            if k is None:
                new += 1
                self.T_0p.append(T)
                self.coordinates.append(coordinates)
                self.error.append(float(off))
                self.count.append(1)
                continue
            self.count[k] += 1
            if off < self.error[k]:
                self.T_0p[k], self.coordinates[k] = T, coordinates
                self.error[k] = float(off)
        return new

    def machines(self, first: int = 0) -> Machines:
        """The states, from one on."""
        count = len(self.T_0p) - first
        return Machines(
            np.array(self.T_0p[first:]).reshape(count, 4, 4),
            np.array(self.coordinates[first:]).reshape(count, -1 if count else 0),
        )

    def where(self, T: np.ndarray) -> int | None:
        """Which of them has a pose."""
        if not self.T_0p:
            return None
        apart = np.abs(np.array(self.T_0p)[:, :3] - T[:3])
        apart[:, :, 3] /= self.length
        size = apart.max(axis=(1, 2))
        k = int(size.argmin())
        return k if size[k] < 1e-6 else None


class Effort(NamedTuple):
    """What a search took.

    Attributes:
        starts: how many there were.
        agreed: how many ended in one of the states found.
        settled: whether the last of them brought nothing new.
    """

    starts: int
    agreed: int
    settled: bool


def search(
    assembly: Assembly, q_a: np.ndarray, group: Group, most: int, seed: int
) -> tuple[Hits, Effort]:
    """Distinct states found from random starts, and what that took.

    Rounds end when three of them bring nothing new, or with ``most`` starts.

    Raises:
        SingularPose: a state can go on moving with all motors locked.
    """
    rng = np.random.default_rng(seed)
    hits, starts, agreed, quiet = Hits.none(assembly), 0, 0, 0
    while starts < most and quiet < QUIET:
        count = min(ROUND, most - starts)
        start = random_states(assembly, q_a, group, count, rng)
        machines, error = close_all(assembly, start, q_a)
        good = error < CLOSED
        good[good] = group.holds(natural(assembly, machines.T_0p[good]))
        before = len(hits.T_0p)
        quiet = 0 if hits.add(machines.select(good), error[good]) else quiet + 1
        refuse_motions(assembly, hits.machines(before), q_a)
        starts, agreed = starts + count, agreed + int(good.sum())
    return hits, Effort(starts, agreed, quiet >= QUIET)


def random_states(
    assembly: Assembly, q_a: np.ndarray, group: Group, count: int, rng: np.random.Generator
) -> Machines:
    """Open machines: platforms in the group, joints anywhere, motors where they are told."""
    home = pack(assembly.home)
    T = np.broadcast_to(np.eye(4), (count, 4, 4)).copy()
    T[:, :3, :3] = random_rotations(count, rng)
    T[:, :3, 3] = rng.uniform(-_FAR, _FAR, (count, 3))
    coordinates = np.broadcast_to(home, (count, len(home))).copy()
    machines = Machines(plain(assembly, into(group, T)), coordinates)
    return shaken(assembly, machines, rng)


def shaken(assembly: Assembly, machines: Machines, rng: np.random.Generator) -> Machines:
    """The same platforms with all joints anywhere."""
    system = loops(assembly)
    n = system.step.inputs[2].shape[0]
    for _ in range(2):  # a step turns by less than half a turn
        step = rng.normal(size=(len(machines.T_0p), n))
        step[:, n - 6 :] = 0.0
        machines = Machines(machines.T_0p, system.moved(machines, step).coordinates)
    return machines


def into(group: Group, T: np.ndarray) -> np.ndarray:
    """Poses moved into a group, in the robot's own units."""
    for _ in range(30):
        off = group.miss(T)
        if not off.shape[1] or np.abs(off).max() < 1e-12:
            break
        step = (np.linalg.pinv(group.rows(T)) @ off[:, :, None])[:, :, 0]
        T = T.copy()
        T[:, :3, 3] += step[:, :3]
        T[:, :3, :3] = rotations_by(step[:, 3:]) @ T[:, :3, :3]
    return T
