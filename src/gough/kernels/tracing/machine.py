"""A robot in a state, as the functions of states see it: the same lines for numbers and symbols.

With numbers a state that the machine cannot have, or that has no answer, is refused by name; see
:mod:`gough.kernels.tracing.checked`.  With symbols nothing can be refused: the same conditions
become doubts, which are outputs of the program; see :mod:`gough.kernels.tracing.traced`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from gough.base.linalg import Symmetric, Watched, watched
from gough.base.spatial import Array
from gough.dynamics.answers.free_bodies import Balanced
from gough.dynamics.elements.camera import LegStates
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.sharing import Sharing
from gough.dynamics.shared.state_loads import StateLoads
from gough.kernels.tracing.parameters import NEAR
from gough.kernels.tracing.variant import Variant
from gough.kinematics.consistency import NO_SIZES, Sizes
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly

MOTION = ("T_0p", "V_0p", "Vdot_0p", "Vddot_0p")
"""Names of pose, twist, and its rates."""


class State(ABC):
    """A robot in a state.

    Attributes:
        machine: the robot, with numbers or symbols.
        T_0p: platform pose.
        twists: twist and twist rate, as far as they were given.
    """

    machine: Machine
    T_0p: Array
    twists: list[Array]

    @property
    @abstractmethod
    def at(self) -> Equations:
        """Its closure equations, every joint found."""

    @property
    @abstractmethod
    def solution(self) -> Solution:
        """The same, factored and fit for velocities."""

    @abstractmethod
    def require_motors(self) -> None:
        """Demand that the motors hold the platform."""

    @abstractmethod
    def require_pivots(self, made: Watched) -> None:
        """Demand that every elimination was regular."""

    @abstractmethod
    def require(self, doubts: Sequence[Array]) -> None:
        """Demand that the way in which the state was found may be trusted."""

    @abstractmethod
    def require_branch(self) -> None:
        """Demand that no leg has passed a singularity on the way from home."""

    @abstractmethod
    def require_seen(self, seen: LegStates) -> None:
        """Demand that directions are where this state has them, noise apart."""

    @abstractmethod
    def judge(self, made: Watched, loads: StateLoads, kin: Kinematics, method: str = "") -> None:
        """Demand that eliminations were regular, and that loads leave frozen freedoms alone.

        ``method`` is the machine's if it is not given.
        """

    @abstractmethod
    def require_inertia(self, factor: Symmetric, natural: np.ndarray) -> None:
        """Demand that coordinates, whose inertias have the scales given, all have some."""

    @abstractmethod
    def require_balance(self, result: Balanced) -> None:
        """Demand that efforts produce the motion, and that redundant rows are redundant."""

    @abstractmethod
    def answer(self, **outputs: Array) -> dict[str, Array]:
        """Outputs, with what is to be said about them."""

    @property
    def assembly(self) -> Assembly:
        """The robot."""
        return self.machine.assembly

    @cached_property
    def kin(self) -> Kinematics:
        """The machine in motion: at rest without a twist, unaccelerated without a twist rate."""
        return Kinematics(self.assembly, self.solution, *self.twists)

    def moving(self, V_r: Array) -> Kinematics:
        """The machine in a motion of its freedoms, which do not accelerate."""
        return Kinematics(self.assembly, self.solution, self.solution.Psi @ V_r)

    def efforts(self, kin: Kinematics, loads: StateLoads, method: str = "") -> Array:
        """Motor efforts of a motion by a method; by the machine's if it is not given."""
        machine = self.machine
        with watched() as made:
            found = METHODS[method or machine.variant.method]
            tau = found.efforts(kin, loads, share=machine.share)
        self.judge(made, loads, kin, method)
        return tau

    def balanced(self, kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
        """A and w with ``A tau = w`` in the robot's freedoms, by the machine's method."""
        with watched() as made:
            A, w = METHODS[self.machine.variant.method].balanced(kin, loads)
        self.judge(made, loads, kin)
        return A, w

    def twist_rate(self, kin: Kinematics, tau: Array, loads: StateLoads) -> Array:
        """Twist rate of the platform under motor efforts by the machine's method."""
        with watched() as made:
            Vdot = METHODS[self.machine.variant.method].twist_rate(kin, tau, loads)
        self.judge(made, loads, kin.with_twist_rate(Vdot))
        return Vdot


class Machine(ABC):
    """A robot whose states are numbers or symbols.

    Args:
        assembly: the robot.
        variant: which model.
        share: how redundant motors share efforts; by the variant's weights if not given.

    Attributes:
        taken_off: how fast what twists and twist rates are differences of moves; of a robot on a
            base that moves.
    """

    taken_off: Sizes = NO_SIZES

    def __init__(self, assembly: Assembly, variant: Variant, share: Sharing | None = None) -> None:
        self.assembly, self.variant = assembly, variant
        if share is None and variant.weights is not None:
            share = Sharing.weighted(assembly, variant.weights)
        self.share = share

    @abstractmethod
    def state(
        self, T_0p: Array, *twists: Array, turns: bool = False, near: Array | None = None
    ) -> State:
        """The robot at a pose that a user gives, with a twist and a twist rate.

        Args:
            T_0p: platform pose.
            *twists: twist, and twist rate.
            turns: whether it matters how often an axis has gone round.
            near: angles of all axes at a state before, from which those with springs are followed.
        """

    @abstractmethod
    def assembled(self, T_0p: Array, configuration: Configuration) -> State:
        """The robot with its joints given, whatever their branch; loops may be open."""

    @abstractmethod
    def placed(
        self, x: Array, xd: Array, xdd: Array, *xddd: Array
    ) -> tuple[tuple[Array, ...], list[Array]]:
        """The motion that the robot's freedoms mean, arguments as below, and doubts about it."""

    @abstractmethod
    def of_freedoms(self, x: Array, xd: Array, xdd: Array, *xddd: Array) -> dict[str, Array]:
        """Pose, twist and twist rate from the robot's freedoms, and the next rate if one is given.

        Args:
            x: freedoms.
            xd: their rates.
            xdd: their accelerations.
            *xddd: their third derivatives.
        """

    @abstractmethod
    def closed(self, T_0p: Array) -> Array:
        """A pose near one of the robot's, its dependent components brought there."""

    @abstractmethod
    def shown(self, seen: LegStates) -> tuple[LegStates, Array]:
        """What is seen with unit directions, and the pose of the robot that it shows."""

    def under(self, loads: Mapping[str, Array], T_0p: Array, *twists: Array) -> State:
        """The robot at a pose, its springs followed from a state before, if loads name one."""
        return self.state(T_0p, *twists, turns=self.sprung, near=loads.get(NEAR))

    def simulated(self, T_0p: Array, given: Mapping[str, Array]) -> State:
        """The robot at a pose of a simulation, springs followed from the state before."""
        return self.under(given, T_0p)

    def loads(self, given: Mapping[str, Array]) -> StateLoads:
        """Loads of a state, from arrays by the names of inputs."""
        return self.variant.loads(self.assembly, given)

    @property
    def sprung(self) -> bool:
        """Whether a spring makes whole turns count."""
        return self.variant.sprung(self.assembly)

    def wound(self, given: Mapping[str, Array]) -> list[str]:
        """Axes whose springs are followed from a state before."""
        return list(self.variant.wound(self.assembly, given[NEAR])) if NEAR in given else []
