"""Assembly modes by search: random postures, closed at the given motor positions.

For machines whose equations have no known number of solutions.  A search does not prove that it
found all modes; how many starts ended in the same ones shows how thorough it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gough.base.turns import rotations
from gough.mechanism.closure.coordinates import pack
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import CLOSED
from gough.modes.chains import random_rotations
from gough.modes.closing import Machines, close_all, loops, refuse_motions
from gough.modes.groups import Group, apart, natural, plain

ROUND = 96
"""Starts that are closed at once."""

QUIET = 3
"""Rounds in a row that must bring nothing new."""

_SAME = 1e-6  # poses nearer to each other are one, natural units; near a meeting of modes they
# are known to 1e-8
_FAR = 1.5  # positions are sought this many lengths around home: home's joints lie within one


@dataclass(eq=False)
class Hit:
    """A closed state, what it leaves open, and how many starts ended in it."""

    T_0p: np.ndarray
    coordinates: np.ndarray
    error: float
    count: int = 1


@dataclass(eq=False)
class ClosedStates:
    """Distinct closed states of a machine."""

    assembly: Assembly
    found: list[Hit] = field(default_factory=list)

    def take(self, other: ClosedStates) -> None:
        """Take in what a search found; only its counts of starts are kept."""
        for hit in self.found:
            hit.count = 0
        for hit in other.found:
            self._put(hit)

    def add(self, machines: Machines, error: np.ndarray) -> int:
        """Take in closed states; how many were new."""
        return sum(self._put(Hit(*each)) for each in zip(*machines, error.tolist(), strict=True))

    def close(self, start: Machines, q_a: np.ndarray, group: Group) -> tuple[int, int]:
        """Close starts and take in those in a group: how many these are, and how many are new."""
        machines, error = close_all(self.assembly, start, q_a)
        good = error < CLOSED
        good[good] = group.holds(natural(self.assembly, machines.T_0p[good]))
        return int(good.sum()), self.add(machines.select(good), error[good])

    def machines(self, first: int = 0) -> Machines:
        """The states, from one on."""
        chosen = self.found[first:]
        return Machines(
            np.array([hit.T_0p for hit in chosen]).reshape(-1, 4, 4),
            np.array([hit.coordinates for hit in chosen]).reshape(len(chosen), -1 if chosen else 0),
        )

    def _put(self, hit: Hit) -> bool:
        """Take in a closed state; whether it was new."""
        poses = np.array([own.T_0p for own in self.found]).reshape(-1, 4, 4)
        size = apart(poses, hit.T_0p, self.assembly.length)
        if size.min(initial=np.inf) > _SAME:
            self.found.append(hit)
            return True
        own = self.found[int(size.argmin())]
        own.count += hit.count
        if hit.error < own.error:
            own.T_0p, own.coordinates, own.error = hit.T_0p, hit.coordinates, hit.error
        return False


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
) -> tuple[ClosedStates, Effort]:
    """Search distinct closed states from random starts; also returns the number of starts.

    Rounds end when three of them bring nothing new, or with ``most`` starts.

    Raises:
        SingularPose: a state can move with all motors locked.
    """
    rng = np.random.default_rng(seed)
    hits, starts, agreed, quiet = ClosedStates(assembly), 0, 0, 0
    while starts < most and quiet < QUIET:
        count = min(ROUND, most - starts)
        before = len(hits.found)
        good, new = hits.close(random_states(assembly, group, count, rng), q_a, group)
        quiet = 0 if new else quiet + 1
        refuse_motions(assembly, hits.machines(before), q_a)
        starts, agreed = starts + count, agreed + good
    return hits, Effort(starts, agreed, quiet >= QUIET)


def random_states(
    assembly: Assembly, group: Group, count: int, rng: np.random.Generator
) -> Machines:
    """Open machines: platforms in the group, joints anywhere."""
    T = np.broadcast_to(np.eye(4), (count, 4, 4)).copy()
    T[:, :3, :3] = random_rotations(count, rng)
    T[:, :3, 3] = rng.uniform(-_FAR, _FAR, (count, 3))
    return shaken(assembly, at_home(assembly, plain(assembly, into(group, T))), rng)


def at_home(assembly: Assembly, T_0p: np.ndarray) -> Machines:
    """Open machines: platforms anywhere, all joints as they are at home."""
    home = pack(assembly.home)
    return Machines(T_0p, np.broadcast_to(home, (len(T_0p), len(home))).copy())


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
        T[:, :3, :3] = rotations(step[:, 3:]) @ T[:, :3, :3]
    return T
