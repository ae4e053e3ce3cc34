"""A machine in motion by the rates of all its joints at once.

One system for the whole machine: closure rows E, rows P of the platform twist, rows S of the
motors, over all rates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from gough.base.linalg import Factor, Plan, choose_plan
from gough.base.spatial import Array, collect
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.blocks import stacked
from gough.mechanism.mobility.assembly import Assembly


class AllRates(ABC):
    """A machine at one state, and its motion: from its platform, its freedoms, or its motors.

    Attributes:
        kin: the robot at the state.
        E: closure rows, ``E qd = 0``.
        P: platform twist ``[v; omega]`` per rate, 6xn.
        S: rate of each motor per rate.
    """

    E: Array
    P: Array
    S: Sequence[Array]

    def __init__(self, kin: Kinematics) -> None:
        self.kin, self.assembly = kin, kin.assembly

    @cached_property
    def biases(self) -> tuple[list[Any], Array]:
        """Bias accelerations: of the closure rows, and of the platform's twist rate."""
        return self.biases_of(self.rates)

    @abstractmethod
    def biases_of(self, qd: Array) -> tuple[list[Any], Array]:
        """The same for rates that are known already."""

    @cached_property
    def rates(self) -> Array:
        """Rates of all joints."""
        V = self.kin.V
        return collect(self.by_platform.solve([*self._none, *(V[i] for i in range(6))]))

    @cached_property
    def accelerations(self) -> Array:
        """Accelerations of all joints, ``E qdd = gamma``."""
        (gamma, bias), Vdot = self.biases, self.kin.Vdot
        return collect(self.by_platform.solve([*gamma, *(Vdot[i] - bias[i] for i in range(6))]))

    @cached_property
    def bias_accelerations(self) -> Array:
        """Accelerations of all joints with ``Vdot_r = 0``: bias accelerations."""
        gamma, bias = self.biases
        right = [*gamma, *(-bias[i] for i in self.assembly.free)]
        return collect(self.by_freedoms.solve(right))

    def twist_rate(self, Vdot_r: Array) -> Array:
        """Twist rate of the platform in an acceleration ``Vdot_r``."""
        _, bias = self.biases
        return self.P @ (self.bias_accelerations + self.G_r @ Vdot_r) + bias

    @cached_property
    def by_platform(self) -> Factor:
        """Rates from the platform twist."""
        return self._factor("platform")

    @cached_property
    def by_freedoms(self) -> Factor:
        """Rates from the independent coordinates."""
        return self._factor("freedoms")

    @cached_property
    def by_motors(self) -> Factor:
        """Rates from the motors."""
        return self._factor("motors")

    @cached_property
    def G_r(self) -> Array:
        """``qd = G_r V_r``."""
        return self._unit_solutions(self.by_freedoms, len(self.assembly.free))

    @cached_property
    def G(self) -> Array:
        """``qd = G qd_a``, by the motors.  [KI] (4)."""
        return self._unit_solutions(self.by_motors, len(self.S))

    @cached_property
    def motor_columns(self) -> Array:
        """``(S G_r)^T``: unit efforts of the motors as efforts along V_r, n x m."""
        return collect([row @ self.G_r for row in self.S], empty=(0, self.assembly.mobility)).T

    @property
    def _none(self) -> list[float]:
        return [0.0] * self.E.shape[0]

    def _unit_solutions(self, factor: Factor, count: int) -> Array:
        if not count:
            return np.zeros((self.E.shape[1], 0))
        return collect(factor.solve([np.zeros(count)] * self.E.shape[0] + list(np.eye(count))))

    def _factor(self, by: str) -> Factor:
        matrix = self._system(by)
        if not self.kin.plans_are_fixed:
            return Factor(matrix, choose_plan([matrix], matrix.shape[1]))
        name = f"{type(self).__name__} by {by}"
        return Factor(matrix, self.assembly.cached(name, partial(self._plan_around_home, by)))

    def _plan_around_home(self, by: str, assembly: Assembly) -> Plan:
        """Pivots for a trace, good at every regular state around home."""
        states = [type(self)(Kinematics(assembly, each)) for each in assembly.regular_solutions]
        return choose_plan([state._system(by) for state in states], self.E.shape[1])

    def _system(self, by: str) -> Array:
        """Closure rows, then those of what is given: they fix all rates."""
        if by == "motors":
            given = list(self.S)
        else:
            given = [self.P[i] for i in (range(6) if by == "platform" else self.assembly.free)]
        closure = [self.E[i] for i in range(self.E.shape[0])]
        return stacked([*closure, *given], self.E.shape[1])
