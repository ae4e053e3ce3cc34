"""The closure equations solved: joint rates from the platform twist, and what the legs forbid.

Legs first: the pivot rows of ``E_l`` give ``qd_l``, the rows left over constrain z.  Then the hub's
own rates, if it has any; the rows left over constrain the platform twist: ``B V = b``, and leave
``V = Psi V_r``.  Nothing is inverted: every system is factored once and solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base.linalg import Factor, Plan
from gough.base.spatial import Array, collect
from gough.mechanism.closure.axes import HUB, AxisPlace, axis_rows
from gough.mechanism.closure.equations import Equations


@dataclass(frozen=True)
class Plans:
    """Pivots of every leg, of the hub's rates and of the dependent components of the twist."""

    legs: tuple[Plan, ...]
    hub: Plan
    platform: Plan


class RightSide(NamedTuple):
    """Right sides of all rows: of the hub, and of each leg."""

    hub: Sequence[Any]
    legs: Sequence[Sequence[Any]]


class Rates(NamedTuple):
    """Rates (or accelerations, or Newton steps) of the hub's and of each leg's links."""

    hub: Array
    legs: list[Array]

    @property
    def trees(self) -> tuple[Array, ...]:
        """Of the hub's links, then of each leg's."""
        return (self.hub, *self.legs)

    @property
    def together(self) -> Array:
        """All of them in one vector."""
        return np.concatenate(self.trees)


class Solution:
    """Closure equations of one state, factored by plans.

    Args:
        equations: the state.
        plans: pivots; see :mod:`gough.base.linalg`.
        free: indices of the independent components of the platform twist, V_r.
        motors: where the axes of the motors are found.
        constant_Psi: Psi where it does not depend on the pose; worked out if not given.
    """

    def __init__(
        self,
        equations: Equations,
        plans: Plans,
        free: tuple[int, ...],
        motors: Sequence[AxisPlace] = (),
        constant_Psi: np.ndarray | None = None,
    ) -> None:
        self.equations = equations
        self.motors = motors
        self.constant_Psi = constant_Psi
        self.plans = plans
        self.free = free
        self.dependent = tuple(i for i in range(6) if i not in free)
        self.blocks = equations.leg_blocks
        self.hub_block = equations.hub_block
        self.factors = [
            Factor(block.E, plan) for block, plan in zip(self.blocks, plans.legs, strict=True)
        ]

    def with_plans(self, plans: Plans) -> Solution:
        """The same with pivots of hub or platform that were not chosen before.

        What the legs demand is worked out by then, and stays.
        """
        found = copy(self)
        found.plans = plans
        return found

    def rates(self, V: Array, right: RightSide | None = None) -> Rates:
        """Joint rates of a platform twist; with a right side, accelerations or a Newton step.

        Without a right side, the columns of V may be several twists; so are those of the rates.
        """
        hub = self.hub_rates(V, right)
        z = V if not len(hub) else np.concatenate([V, hub])
        images = [block.times(z) for block in self.blocks]
        if right is not None:
            images = [_plus(b, r) for b, r in zip(images, right.legs, strict=True)]
        return Rates(hub, self.leg_rates(images))

    def leg_rates(self, right: Sequence[Any]) -> list[Array]:
        """Rates of every leg's links from the right sides of its rows: ``J_i^-1`` of each."""
        return [collect(f.solve(b)) for f, b in zip(self.factors, right, strict=True)]

    def demands(
        self, V: Array, Vdot: Array, rates: Rates, hub_accelerations: Array | None = None
    ) -> list[list[Any]]:
        """Right sides of every leg's acceleration equations, ``F zdot`` and biases together.

        The platform's acceleration and what velocities add are seen from a leg's last link at once:
        one change of axes.
        """
        _, right = self.equations.biases(V, rates.hub, rates.legs, Vdot, hub_accelerations)
        return right

    def hub_rates(self, V: Array, right: RightSide | None = None) -> Array:
        """Rates of the hub's own joints."""
        if not self.plans.hub.columns:
            return np.zeros(0)
        C_V, _ = self.constraints
        b = _minus(self._constants(right), C_V @ V)
        return collect(self.hub_factor.solve(b))

    @cached_property
    def constraints(self) -> tuple[Array, Array]:
        """Constraints of legs and hub on z, as matrices: ``C_V V + C_h qd_hub = c``."""
        demands: list[Array] = []
        for block, factor in zip(self.blocks, self.factors, strict=True):
            if factor.left_over:
                X = factor.solve(block.F)
                demands += factor.remainder(X, block.F)
        hub = self.hub_block
        own = [np.concatenate([-hub.F[i], hub.E[i]]) for i in range(hub.E.shape[0])]
        everything = own + demands
        n_hub = hub.E.shape[1]
        C = collect(everything, empty=(0, 6 + n_hub))
        return C[:, :6], C[:, 6:]

    def _constants(self, right: RightSide | None) -> list[Any]:
        """The right side c of the demands on z."""
        if right is None:
            return [0.0] * self.constraints[0].shape[0]
        found = list(right.hub)
        for factor, r in zip(self.factors, right.legs, strict=True):
            if factor.left_over:
                found += [-x for x in factor.remainder(factor.solve(r), r)]
        return found

    @cached_property
    def hub_factor(self) -> Factor:
        """Elimination of the hub's own rates from the demands on z."""
        return Factor(self.constraints[1], self.plans.hub)

    def platform_rows(self, right: RightSide | None = None) -> tuple[Array, list[Any]]:
        """Constraints of the machine on the platform twist: ``B V = b``."""
        C_V, _ = self.constraints
        c = self._constants(right)
        if not self.plans.hub.columns:
            return C_V, c
        factor = self.hub_factor
        X, y = factor.solve(-C_V), factor.solve(c)
        rows = factor.remainder(X, -C_V)
        return collect(rows, empty=(0, 6)), [-x for x in factor.remainder(y, c)]

    @cached_property
    def platform_factor(self) -> Factor:
        """Elimination of the dependent components of the platform twist."""
        B, _ = self.platform_rows()
        return Factor(B[:, list(self.dependent)], self.plans.platform)

    @property
    def Psi_varies(self) -> bool:
        """Whether Psi depends on the pose: only then has ``Psidot V_r`` to be found."""
        return bool(self.dependent) and self.constant_Psi is None

    @cached_property
    def Psi(self) -> Array:
        """``V_0p = Psi V_r``, 6xn.  [BK] (1), [KI] (9)."""
        if not self.dependent:
            return np.eye(6)
        if self.constant_Psi is not None:
            return self.constant_Psi
        B, _ = self.platform_rows()
        chosen = self.platform_factor.solve(-B[:, list(self.free)])
        rows: list[Array] = [np.zeros(len(self.free))] * 6
        for k, i in enumerate(self.free):
            rows[i] = np.eye(len(self.free))[k]
        for i, row in zip(self.dependent, chosen, strict=True):
            rows[i] = row
        return collect(rows)

    @cached_property
    def J_inv(self) -> Array:
        """``qd_a = J_inv V_r``, one row a motor.  [KI] (80).

        A row is the work of a unit effort: one transposed solve, instead of one for each freedom.
        """
        if not self.motors or not self.free:
            return np.zeros((len(self.motors), len(self.free)))
        rows = []
        for place in self.motors:
            (on_tree,), (z,) = axis_rows(self.equations, place)
            legs: list[Array | None] = [None] * len(self.blocks)
            if place.tree == HUB:
                z = z + np.concatenate([np.zeros(6), on_tree])
            else:
                legs[place.tree] = on_tree
            rows.append(self.Psi.T @ self.on_platform(z[:6], z[6:], legs))
        return collect(rows)

    def hub_remainder(self, V: Array, hub: Array, right: RightSide | None = None) -> list[Any]:
        """Residuals of the constraints on z that are no pivots; zero for a motion that closes."""
        C_V, _ = self.constraints
        return self.hub_factor.remainder(hub, _minus(self._constants(right), C_V @ V))

    def on_platform(self, W_p: Array, hub: Array, legs: Sequence[Array | None]) -> Array:
        """Wrench on the platform that does the same work as efforts in the whole machine.

        A leg that is ``None`` has no efforts.

        ``W V = W_p V + hub . qd_hub + sum_l tau_l . qd_l`` for every motion that closes; with
        ``qd_l = J_i^-1 J_vi V`` this is the bracket of [BK] (12), [KI] (20).
        """
        W_z = (np.concatenate([W_p, hub]) if len(hub) else W_p) + self.on_z(legs)
        if not len(hub):
            return W_z
        C_V, _ = self.constraints
        return W_z[:6] - C_V.T @ collect(self.hub_factor.solve_transposed(W_z[6:]))

    def on_z(self, legs: Sequence[Array | None]) -> Array:
        """Efforts in the legs as efforts along z that do the same work."""
        total: Array = np.zeros(6 + self.equations.topology.hub.rates)
        for block, factor, tau in zip(self.blocks, self.factors, legs, strict=True):
            if tau is not None and len(tau):
                total = total + block.transposed_times(factor.solve_transposed(tau))
        return total

    def complete(self, V_r: Array, right: RightSide | None = None) -> Array:
        """The whole platform twist (or twist rate, with the biases as right side) from V_r.

        With biases this is ``Psi Vdot_r + Psidot V_r``, [BK] (18).
        """
        if not self.dependent:
            return V_r
        if self.constant_Psi is not None:
            return self.constant_Psi @ V_r
        B, b = self.platform_rows(right)
        known = B[:, list(self.free)] @ V_r
        chosen = self.platform_factor.solve(_minus(b, known))
        entries: list[Any] = [0.0] * 6
        for i, value in zip(self.free, V_r, strict=True):
            entries[i] = value
        for i, value in zip(self.dependent, chosen, strict=True):
            entries[i] = value
        return collect(entries)


def _plus(b: Array, r: Sequence[Any]) -> list[Any]:
    return [b[i] + r[i] for i in range(len(r))]


def _minus(c: Sequence[Any], b: Array) -> list[Any]:
    return [value - b[i] for i, value in enumerate(c)]
