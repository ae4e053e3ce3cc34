"""Compliance of a machine whose motors hold, leg by leg: from what its joints bear.

The wrenches in all joints under a unit wrench on the platform follow from the balance of bodies cut
free; by virtual work the platform's compliance is the sum over parts of their strains under one
unit wrench times those under another.  Where the machine is over-constrained, wrenches that balance
each other are added so that the strain energy is least.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.base.conditions import NUMBERS, LargePivots, Refusing
from gough.base.linalg import Factor, Plan, choose_plan
from gough.base.once import known_of
from gough.base.spatial import Array, collect, total
from gough.dynamics.answers.free_bodies import Found, FreeBodies, Pivots, Unknowns, pivots_of
from gough.errors import SingularPose
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot.names import joint_of

Row = tuple[tuple[int, float], ...]
"""A strain per load: numbers of loads, as in :attr:`HeldBodies.loads`, and factors."""

_BALANCE = 1e-7  # unbalanced share of a unit wrench: beyond, nothing holds the platform along it
_ALIKE = 1e-5  # strains of internal wrenches, of unit size, that differ by less are the same
_RIGID = 1e-12  # squares of strains by internal wrenches below this share are rounding


class Parts(NamedTuple):
    """What gives way in a machine.

    Attributes:
        holding: axes that hold by an effort: motors, springs; one name for each.
        strains: per load, of unit energy: half the sum of their squares is the strain energy.
    """

    holding: tuple[str, ...]
    strains: tuple[Row, ...]


NOTHING = Parts((), ())
"""No part that gives way."""


class Held(NamedTuple):
    """The answer of a posture.

    Attributes:
        compliance: platform's displacement per wrench at its origin, base axes, linear first, 6x6.
        acting: unit wrenches on the platform, natural units.
        found: the solution of the balance.
    """

    compliance: Array
    acting: list[Array]
    found: Found


@dataclass(frozen=True, eq=False)
class HeldBodies(FreeBodies):
    """Bodies cut free, with efforts of axes among the unknowns.

    Attributes:
        give: parts that give way.
    """

    give: Parts

    @cached_property
    def efforts(self) -> list[tuple[int, Array]]:
        """Of every axis that holds the number of its joint, and its wrench per natural effort."""
        found = []
        names = [each.joint.name for each in self.joints]
        for name in self.give.holding:
            k = names.index(joint_of(name))
            unit = self.assembly.length if is_turn(self.assembly.axes[name]) else 1.0
            found.append((k, self.joints[k].transmitted({name: unit})))
        return found

    @cached_property
    def unknowns(self) -> list[Unknowns]:
        """What joints bear, couplings and idle freedoms, then efforts of axes that hold."""
        own = [
            Unknowns(wrench[:, None], self.applied(self.joints[k], wrench[:, None]))
            for k, wrench in self.efforts
        ]
        return [*super().unknowns, *own]

    def loads(self, x: Array) -> list[Array]:
        """Loads by unknowns, columns of x: rows, natural units.

        Six of every joint about its frame B in the axes of B, six about A in those of A, and the
        efforts of axes that hold.
        """
        first = len(x) - len(self.efforts)
        on_child, on_parent = [], []
        for k, each in enumerate(self.joints):
            W = self._borne(k, x)
            for i, (joint, wrench) in enumerate(self.efforts):
                if joint == k:
                    W = W + wrench[:, None] * x[first + i]
            on_child += list(W)
            on_parent += list(each.seen_from_parent(W))
        return [*on_child, *on_parent, *x[first:]]

    def _borne(self, joint: int, x: Array) -> Array:
        """The wrenches that columns of unknowns make a joint transmit, efforts of axes apart."""
        columns = [self.borne(joint, x[:, i]) for i in range(x.shape[1])]
        return collect(columns).T

    def strains(self, x: Array) -> Array:
        """Strains of all parts by unknowns, columns of x."""
        loads = self.loads(x)
        none = np.zeros(x.shape[1])
        return collect(
            [total((loads[i] * factor for i, factor in row), none) for row in self.give.strains],
            empty=(0, x.shape[1]),
        )

    @cached_property
    def unit_wrenches(self) -> Array:
        """Unit wrenches at the platform's origin, base axes, as they act on it: natural, 6x6."""
        R, length = self.at.platform.R, self.assembly.length
        nothing = np.zeros((3, 3))
        force = np.concatenate([R.T, nothing], axis=1)
        moment = np.concatenate([nothing, R.T * (1.0 / length)], axis=1)
        return np.concatenate([force, moment], axis=0)

    @property
    def right(self) -> Array:
        """Balance of all bodies under each of the unit wrenches."""
        robot = self.assembly.robot
        return np.concatenate(
            [
                -self.unit_wrenches if body == robot.platform else np.zeros((6, 6))
                for body in self.bodies
            ],
            axis=0,
        )


class HeldPlan(NamedTuple):
    """Pivots that are good around home.

    Attributes:
        pivots: of the balance.
        kept: internal wrenches that strain something, and not all alike.
    """

    pivots: Pivots
    kept: Plan


def held_compliance(free: HeldBodies, plan: HeldPlan | None, rules: Refusing = NUMBERS) -> Held:
    """Compliance of a machine in a posture; by pivots fixed beforehand if they are given.

    Raises:
        SingularPose: with numbers, the platform can move although motors hold.
    """
    found = free.balanced(free.right, None if plan is None else plan.pivots, rules)
    acting = list(free.unit_wrenches.T)
    if plan is None and np.abs(np.array(found.unbalanced)).max(initial=0.0) > _BALANCE:
        raise SingularPose(
            f"{free.assembly.robot.name}: motors do not hold the platform here",
            condition=float("inf"),
        )
    if plan is None:
        return Held(_least(free, found), acting, found)
    kept = [found.internal[j][:, None] for j in plan.kept.columns]
    S = free.strains(np.concatenate([found.x, *kept], axis=1))
    C = _product(S[:, :6], S[:, :6])
    if kept:
        own, across = _product(S[:, 6:], S[:, 6:]), S[:, 6:].T @ S[:, :6]
        order = tuple(range(len(kept)))
        solved = rules.require(LargePivots(Factor(own, Plan(order, order)))).factor.solve(across)
        C = C - _product(across, collect(solved))
    return Held(C, acting, found)


def _least(free: HeldBodies, found: Found) -> np.ndarray:
    """Numbers: strains less those that internal wrenches take away, singular values deciding."""
    S = np.asarray(free.strains(found.x), dtype=float)
    if found.internal:
        own = np.asarray(free.strains(collect(found.internal).T), dtype=float)
        U, s, _ = np.linalg.svd(own, full_matrices=False)
        U = U[:, s > np.sqrt(_RIGID) * max(np.abs(S).max(initial=0.0), s.max(initial=0.0))]
        S = S - U @ (U.T @ S)
    return np.asarray(S.T @ S)


def _product(a: Array, b: Array) -> Array:
    """``a' b``, which is symmetric: every entry worked out once."""
    n = a.shape[1]
    entry = {
        (i, j): total((a[k, i] * b[k, j] for k in range(len(a))), 0.0)
        for i in range(n)
        for j in range(i, n)
    }
    return collect([collect([entry[min(i, j), max(i, j)] for j in range(n)]) for i in range(n)])


def held_plan(assembly: Assembly, parts: Parts) -> HeldPlan:
    """Pivots that are good around home; those of the robot as it is described."""
    return _around_home(assembled(assembly.robot), parts)


@known_of(Assembly)
def _around_home(assembly: Assembly, parts: Parts) -> HeldPlan:
    around = [HeldBodies(assembly, each.equations, parts) for each in assembly.regular_solutions]
    pivots = pivots_of(around)
    found = [each.balanced(each.right, pivots) for each in around]
    if not found[0].internal:
        return HeldPlan(pivots, Plan((), ()))
    pairs = list(zip(around, found, strict=True))
    strains = np.array([each.strains(collect(one.internal).T) for each, one in pairs])
    sizes = np.linalg.norm(strains, axis=1).max(axis=0)
    largest = max(float(np.abs(each.strains(one.x)).max(initial=0.0)) for each, one in pairs)
    # what strains nothing needs no share of its own, however large it is
    some = sizes > np.sqrt(_RIGID) * max(largest, float(sizes.max()), 1e-300)
    strains = strains / np.where(some, sizes, np.inf)
    rank = int((np.linalg.svd(strains, compute_uv=False) > _ALIKE).sum(axis=1).max(initial=0))
    squares = strains.swapaxes(1, 2) @ strains
    return HeldPlan(pivots, choose_plan(list(squares), rank))
