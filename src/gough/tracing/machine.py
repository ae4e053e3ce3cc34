"""A robot in a state, as the functions of states see it: the same lines for numbers and symbols.

With numbers a state that the machine cannot have, or that has no answer, is refused by name; see
:mod:`gough.tracing.checked`.  With symbols nothing can be refused: the same conditions become
doubts, which are outputs of the program; see :mod:`gough.tracing.traced`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from gough.closure.equations import Equations
from gough.closure.solution import RightSide, Solution
from gough.dynamics.methods import METHODS
from gough.dynamics.sharing import Sharing
from gough.dynamics.state_loads import StateLoads
from gough.kinematics.motion import Kinematics, kinematics
from gough.linalg import Watched, watched
from gough.mobility.assembly import Assembly
from gough.spatial import Array
from gough.tracing.parameters import NEAR
from gough.tracing.variant import Variant


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
    def require_inertia(self, loads: StateLoads) -> None:
        """Demand that every motion of the platform moves a mass."""

    @abstractmethod
    def judge(self, made: Watched, loads: StateLoads, V: Array, Vdot: Array) -> None:
        """Demand that eliminations were regular, and that loads leave frozen freedoms alone."""

    @abstractmethod
    def answer(self, **outputs: Array) -> dict[str, Array]:
        """Outputs, with what is to be said about them."""

    @property
    def assembly(self) -> Assembly:
        """The robot."""
        return self.machine.assembly

    @cached_property
    def kin(self) -> Kinematics:
        """The machine in motion; at rest, or without acceleration, where none was given."""
        V, Vdot = [*self.twists, np.zeros(6), np.zeros(6)][:2]
        return kinematics(self.assembly, self.solution, V, Vdot)

    def moving(self, V: Array, Vdot: Array) -> Kinematics:
        """The machine in a motion that is known to be one of its own."""
        return kinematics(self.assembly, self.solution, V, Vdot)

    def accelerating(self, V_r: Array, Vdot_r: Array) -> Kinematics:
        """The machine in the motion of its freedoms, ``V = Psi V_r`` and [BK] (18)."""
        solution = self.solution
        V = solution.Psi @ V_r
        rates = solution.rates(V)
        biases = RightSide(*solution.equations.biases(V, rates.hub, rates.legs))
        return self.moving(V, solution.complete(Vdot_r, biases))

    def efforts(self, kin: Kinematics, loads: StateLoads) -> Array:
        """Motor efforts of a motion by the machine's method."""
        machine = self.machine
        with watched() as made:
            tau = METHODS[machine.variant.method].efforts(
                self.assembly,
                self.solution,
                kin.V,
                kin.Vdot,
                loads,
                share=machine.share,
                traced=machine.symbolic,
            )
        self.judge(made, loads, kin.V, kin.Vdot)
        return tau

    def twist_rate(self, V: Array, tau: Array, loads: StateLoads) -> Array:
        """Twist rate of the platform under motor efforts by the machine's method."""
        self.require_inertia(loads)
        with watched() as made:
            Vdot = METHODS[self.machine.variant.method].twist_rate(
                self.assembly, self.solution, V, tau, loads, traced=self.machine.symbolic
            )
        self.judge(made, loads, V, Vdot)
        return Vdot


class Machine(ABC):
    """A robot whose states are numbers or symbols.

    Args:
        assembly: the robot.
        variant: which model.
        share: how redundant motors share efforts; by the variant's weights if not given.
    """

    symbolic: bool

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
    def closed(self, T_0p: Array) -> Array:
        """A pose near one of the robot's, its dependent components brought there."""

    @abstractmethod
    def simulated(self, T_0p: Array, given: Mapping[str, Array]) -> State:
        """The robot at a pose of a simulation, springs followed from the state before."""

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
