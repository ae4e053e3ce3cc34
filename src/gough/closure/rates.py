"""All rates of a machine at once: from its platform, from its freedoms, or from its motors.

The methods that cut no platform off its legs (`tree`, `screws`) write one system for the whole
machine: closure rows E, rows P of the platform twist, rows S of the motors, over all rates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.closure.blocks import stacked
from gough.linalg import Factor, Plan, choose_plan
from gough.spatial import Array, collect


class RatePlans(NamedTuple):
    """Pivots of the three systems, for a trace."""

    platform: Plan
    freedoms: Plan
    motors: Plan | None


class AllRates:
    """The three systems of one state; ``plans`` are chosen for the numbers at hand if not given.

    Args:
        E: closure rows, ``E qd = 0``.
        P: platform twist ``[v; omega]`` per rate, 6xn.
        S: rate of each motor per rate.
        free: components of the platform twist that are chosen at will, V_r.
        plans: pivots.
    """

    def __init__(
        self,
        E: Array,
        P: Array,
        S: Sequence[Array],
        free: tuple[int, ...],
        plans: RatePlans | None = None,
    ) -> None:
        self.E, self.P, self.S, self.free, self.plans = E, P, S, free, plans

    @cached_property
    def rows_by_platform(self) -> list[Array]:
        """Closure rows, then the platform twist: they fix all rates."""
        return [*_rows(self.E), *_rows(self.P)]

    @cached_property
    def rows_by_freedoms(self) -> list[Array]:
        """Closure rows, then the robot's own freedoms."""
        return [*_rows(self.E), *(self.P[i] for i in self.free)]

    @cached_property
    def rows_by_motors(self) -> list[Array]:
        """Closure rows, then the motors."""
        return [*_rows(self.E), *self.S]

    @cached_property
    def by_platform(self) -> Factor:
        """Rates from the platform twist."""
        return _factor(self.rows_by_platform, self.E.shape[1], self.plans and self.plans.platform)

    @cached_property
    def by_freedoms(self) -> Factor:
        """Rates from the robot's own freedoms."""
        return _factor(self.rows_by_freedoms, self.E.shape[1], self.plans and self.plans.freedoms)

    @cached_property
    def by_motors(self) -> Factor:
        """Rates from the motors."""
        return _factor(self.rows_by_motors, self.E.shape[1], self.plans and self.plans.motors)

    @cached_property
    def G_r(self) -> Array:
        """``qd = G_r V_r``."""
        return self._unit_solutions(self.by_freedoms, len(self.free))

    @cached_property
    def G(self) -> Array:
        """``qd = G qd_a``: influence coefficients of the motors."""
        return self._unit_solutions(self.by_motors, len(self.S))

    @cached_property
    def motor_columns(self) -> Array:
        """``(S G_r)^T``: what unit efforts of the motors are in the robot's freedoms, n x m."""
        if not len(self.S):
            return np.zeros((len(self.free), 0))
        return collect([row @ self.G_r for row in self.S]).T

    def _unit_solutions(self, factor: Factor, count: int) -> Array:
        if not count:
            return np.zeros((self.E.shape[1], 0))
        return collect(factor.solve([np.zeros(count)] * self.E.shape[0] + list(np.eye(count))))

    def rates(self, V: Array) -> Array:
        """Rates in a motion of the platform."""
        right = [0.0] * self.E.shape[0] + [V[i] for i in range(6)]
        return collect(self.by_platform.solve(right))

    def accelerations(self, gamma: Sequence[Any], bias: Array, Vdot: Array) -> Array:
        """Accelerations in a motion of the platform, biases given: ``E qdd = gamma``."""
        right = [*gamma, *(Vdot[i] - bias[i] for i in range(6))]
        return collect(self.by_platform.solve(right))

    def bias_accelerations(self, gamma: Sequence[Any], bias: Array) -> Array:
        """Accelerations while the robot's own freedoms do not accelerate: ``Vdot_r = 0``."""
        return collect(self.by_freedoms.solve([*gamma, *(-bias[i] for i in self.free)]))


def choose_rate_plans(states: Sequence[AllRates], *, by_motors: bool) -> RatePlans:
    """Pivots that are good at all states given."""
    n = states[0].E.shape[1]

    def plan(rows: list[list[Array]]) -> Plan:
        return choose_plan([np.asarray(stacked(r, n), dtype=float) for r in rows], n)

    return RatePlans(
        plan([s.rows_by_platform for s in states]),
        plan([s.rows_by_freedoms for s in states]),
        plan([s.rows_by_motors for s in states]) if by_motors else None,
    )


def _rows(matrix: Array) -> list[Array]:
    return [matrix[i] for i in range(matrix.shape[0])]


def _factor(rows: list[Array], columns: int, plan: Plan | None) -> Factor:
    matrix = stacked(rows, columns)  # a machine whose joints are all fixed has neither
    return Factor(matrix, choose_plan([matrix], matrix.shape[1]) if plan is None else plan)
