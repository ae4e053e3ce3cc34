"""Figures that the doctor's examinations share: ranks, Jacobians of every axis, free motions."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from gough.analysis.doctor.kinds import Kind, Posture, kind_of
from gough.analysis.doctor.likeness import Chain, chains
from gough.mechanism.closure.dense import dense
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.idle import moved_axes
from gough.mechanism.mobility.measures import Measures, measures_at
from gough.mechanism.mobility.rank import Ranks, measure
from gough.mechanism.mobility.singular import SINGULAR, felt_by_motors, null_space, rank
from gough.robot import Robot
from gough.robot.joint import LOCKED


class Examination:
    """A robot under examination, with figures that are computed on demand once."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        self.robot: Robot = assembly.robot
        self.motors = assembly.robot.motors
        self.mobility = assembly.mobility
        self.length = assembly.length
        self.scales = assembly.scales

    @cached_property
    def chains(self) -> list[Chain]:
        """Every leg as a chain, to be compared with the others."""
        return chains(self.robot, self.assembly.topology)

    @cached_property
    def ranks(self) -> list[Ranks]:
        """Ranks of the closure equations at every sample, home first."""
        a = self.assembly
        return [measure(a.topology, *sample, a.length) for sample in a.samples]

    @cached_property
    def generic(self) -> list[int]:
        """Samples that count the mobility, the most regular first; home only if it is alone."""
        around = range(1, len(self.ranks)) if len(self.ranks) > 1 else range(1)
        same = [i for i in around if self.ranks[i].mobility == self.mobility] or list(around)
        return sorted(same, key=lambda i: (-self.ranks[i].all, -self.ranks[i].joints))

    @property
    def usual(self) -> int:
        """The posture to talk about: home, unless home is singular."""
        return 0 if self.assembly.start[1] is self.assembly.home else self.generic[0]

    @property
    def controlled(self) -> int:
        """The posture to talk about motors in: the usual one, unless motors are weaker there."""
        weaker = self.assembly.motor_rank_at_home < self.assembly.motor_rank
        return self.generic[0] if weaker else self.usual

    def unlocked(self, sample: int) -> Equations:
        """Closure equations of a sample, idle freedoms left free."""
        topology = self.assembly.topology
        return Equations(topology, described_locks(topology), *self.assembly.samples[sample])

    def solution(self, sample: int) -> Solution:
        """The machine solved at a sample."""
        a = self.assembly
        return a.solution(a.equations(*a.samples[sample]))

    # axes and motors

    @cached_property
    def axes(self) -> list[str]:
        """Axes that may carry a motor: turns and slides of joints that nothing holds."""
        held = {
            name for joint in self.robot.joints if joint.idle == LOCKED for name in joint.axis_names
        }
        return [name for name in self.robot.drivable_axes if name not in held]

    @cached_property
    def _all_driven(self) -> Assembly:
        """The same machine with a motor on every axis."""
        return replace(self.assembly, robot=replace(self.robot, motors=tuple(self.axes)))

    @cached_property
    def _known(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        return {}

    def felt(self, names: tuple[str, ...], sample: int) -> tuple[np.ndarray, np.ndarray]:
        """Rates of some axes by orthonormal twists, natural units, and those twists, 6xn."""
        if sample not in self._known:
            a = self._all_driven
            solution = a.solution(a.equations(*a.samples[sample]))
            felt, rates = felt_by_motors(a.scales, solution.J_inv, solution.Psi)
            self._known[sample] = felt, np.asarray(solution.Psi * a.scales.freedoms @ rates)
        felt, twists = self._known[sample]
        return felt[[self.axes.index(name) for name in names]], twists

    def distances(self, sample: int) -> Measures:
        """How far a sample is from every kind of singularity."""
        return measures_at(self.assembly, self.solution(sample))

    def rank(self, names: tuple[str, ...]) -> int:
        """Freedoms that motors on these axes control in a generic posture."""
        if not names or not self.mobility:
            return 0
        felt = (self.felt(names, i)[0] for i in self.generic)
        return max(rank(np.linalg.svd(each, compute_uv=False)) for each in felt)

    @cached_property
    def idle_axes(self) -> set[str]:
        """Axes that move in idle freedoms: their rates do not follow from the platform's."""
        at = self.unlocked(self.generic[0])
        _, null = null_space(dense(at, self.length).A)
        return set(moved_axes(at, self.assembly.axes, self.axes, null, self.length))

    def still_motors(self) -> list[str]:
        """Motors that the platform does not feel in any posture; serial axes are not counted."""
        return [
            name
            for name in self.motors
            if name not in self.robot.serial_axes
            and all(np.abs(self.felt((name,), i)[0]).max() < SINGULAR for i in self.generic)
        ]

    # free motions

    def twists(self, sample: int) -> np.ndarray:
        """Twists of the platform that the legs allow, orthonormal in natural units, 6xn."""
        return np.asarray(self.ranks[sample].platform * self.scales.twist[:, None])

    @cached_property
    def kind(self) -> Kind:
        """The kind of motion that the platform has around home."""
        chosen = dict.fromkeys((self.usual, *self.generic))
        postures = [Posture(self.ranks[i].platform, self.origin(i)) for i in chosen]
        return kind_of(postures, self.length)

    def left_free(self, names: tuple[str, ...], sample: int) -> np.ndarray:
        """Twists of the platform with motors on these axes locked, 6xk."""
        felt, twists = self.felt(names, sample)
        return np.asarray(twists @ null_space(felt)[1])

    def softest(self, sample: int) -> np.ndarray:
        """The twist of the platform with the smallest motor rates ``(6,)``."""
        felt, twists = self.felt(self.motors, sample)
        return np.asarray(twists @ np.linalg.svd(felt, full_matrices=True)[2][-1])

    def origin(self, sample: int) -> np.ndarray:
        """Origin of the platform frame at a sample [m]."""
        return np.asarray(self.assembly.samples[sample][0][:3, 3])
