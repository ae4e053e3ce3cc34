"""Conditions: whatever could make an answer wrong is stated where it arises, and judged here.

With numbers a condition that does not hold refuses the state at once, by a named error, before
anything divides by the figure it looks at; :class:`Refusing`.  With symbols nothing can be refused:
each condition adds its share to a *validity residual* that the program gives beside its answer;
:class:`Recording`.  Below 1 in sum the answer is valid.  Otherwise, or where it is not a number,
the state is computed again with numbers, and only that result counts.  So a condition has two
bounds: a program hands a state over early, usually at a tenth of the bound by which numbers refuse
it.

Shares are added, never compared: a sum keeps NaN, a maximum may lose it.  For the same reason a
comparison inside a share is written so that NaN counts as bad: ``1 - (x < bound)``, not
``x >= bound``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np

from gough.base.linalg import Factor, Plan, choose_plan
from gough.base.spatial import Array, collect, symbolic, total


@dataclass(frozen=True)
class Tolerances:
    """Bounds up to which the answer of a program is accepted; beyond them NumPy decides.

    Each is the bound by which numbers refuse, or stricter: a state that they would refuse must
    always be handed over.

    Attributes:
        rotation: error of a rotation matrix.
        entry: error of an entry that should be constant, natural units.
        closed: open loops, natural units.
        consistent: share of a twist that the legs forbid.
        regular: least singular value of legs, hub and platform, natural units: ten times the bound
            that decides, as the pivots of a hub are not those of an orthonormal basis.
        motors: the same of the motors' Jacobian.
        condition: largest condition number of the motors' Jacobian.
        pivot: least pivot beside its row.
        nothing: added to a speed squared that may vanish, so that it can be divided by.
        definite: determinant of the inertia matrix, its diagonal scaled to one.
        share: least inertia of a freedom beside that of all, natural units.
        frozen: effort along a frozen freedom beside all that acts.
        spare: balance of bodies that internal wrenches of unit size disturb.
    """

    rotation: float = 1e-7
    entry: float = 1e-9
    closed: float = 1e-10
    consistent: float = 1e-9
    regular: float = 1e-5
    motors: float = 1e-5
    condition: float = 1e10
    pivot: float = 1e-7
    nothing: float = 1e-200
    definite: float = 1e-9
    share: float = 1e-12
    frozen: float = 1e-9
    spare: float = 1e-8


DOUBLE = Tolerances()
SINGLE = Tolerances(1e-4, 1e-4, 1e-4, 1e-2, 1e-2, 1e-4, 1e3, 1e-3, 1e-20, 1e-4, 1e-5, 1e-4, 1e-3)
"""For numbers with seven digits: of a result that cancels three or four of them, three are left."""


class Condition:
    """Something that must hold for an answer to be right; says what it looks at.

    Attributes:
        regular: whether it is about what has to be solved (pivots, singular values, inertia); the
            others are about the state: whether it is one of the machine's.  The two sums are kept
            apart, as some callers look at one of them alone.
    """

    regular: ClassVar[bool] = False

    def refuse(self) -> None:
        """Raise a named error where numbers violate it; nothing where numbers need no such check.

        Numbers choose their pivots for the state at hand, and what cannot be found has raised its
        error before.
        """

    def share(self, accept: Tolerances) -> Array:
        """What it adds to the residual of a program: 1 at the bound, little far from it."""
        return 0.0


C = TypeVar("C", bound=Condition)
T = TypeVar("T")


class Refusing:
    """Rules for numbers: what does not hold is refused, and pivots are chosen for the state."""

    def require(self, condition: C) -> C:
        """Refuse a state that violates a condition."""
        condition.refuse()
        return condition

    def known(self, make: Callable[[], T]) -> T | None:
        """What a program knows beforehand, such as which pivots are large; numbers find out."""
        return None

    def factor(
        self,
        matrix: Array,
        fixed: Callable[[], Plan],
        chosen: Callable[[], Plan] | None = None,
        *,
        judged: bool = True,
    ) -> Factor:
        """A matrix eliminated.

        Args:
            matrix: to be eliminated; every column gets a pivot.
            fixed: pivots that are good at every regular state around home, for a program.
            chosen: those that suit these numbers, where the matrix is not in natural units.
            judged: whether pivots that have become small make a program hand the state over.
        """
        return Factor(matrix, chosen() if chosen else choose_plan([matrix], matrix.shape[1]))

    def outputs(self, **answers: Array) -> dict[str, Array]:
        """Answers by name as they are: what was not refused is valid."""
        return answers


NUMBERS = Refusing()
"""Rules for numbers."""


class Recording(Refusing):
    """Rules for symbols: conditions are recorded, and pivots are fixed beforehand.

    Args:
        accept: bounds beyond which a state is handed over.

    Attributes:
        consistent, regular: shares of the conditions stated so far.
    """

    def __init__(self, accept: Tolerances = DOUBLE) -> None:
        self.accept = accept
        self.consistent: list[Array] = []
        self.regular: list[Array] = []

    def require(self, condition: C) -> C:
        """Record the share of a condition, at once: a factor that it looks at is made by now."""
        shares = self.regular if condition.regular else self.consistent
        shares.append(condition.share(self.accept))
        return condition

    def known(self, make: Callable[[], T]) -> T | None:
        """What is the same at every regular state around home."""
        return make()

    def factor(
        self,
        matrix: Array,
        fixed: Callable[[], Plan],
        chosen: Callable[[], Plan] | None = None,
        *,
        judged: bool = True,
    ) -> Factor:
        """A matrix eliminated by fixed pivots, which must stay large where that is judged."""
        found = Factor(matrix, fixed())
        if judged:
            self.require(LargePivots(found))
        return found

    def outputs(self, **answers: Array) -> dict[str, Array]:
        """Answers by name, and the residual: whether the state is consistent, and is regular."""
        return answers | {"doubt": collect([total(self.consistent), total(self.regular)])}


class Silent(Recording):
    """Rules for symbols without conditions: equations alone, for people to read."""

    def require(self, condition: C) -> C:
        """Nothing is recorded."""
        return condition

    def outputs(self, **answers: Array) -> dict[str, Array]:
        """Answers by name alone."""
        return answers


@dataclass(frozen=True)
class LargePivots(Condition):
    """Fixed pivots have not become small beside their rows.

    A factor of numbers is no part of a program: whether it was made while one is traced, or was
    made before and kept, must leave no mark in it.
    """

    factor: Factor
    regular = True

    def share(self, accept: Tolerances) -> Array:
        """Sum over the pivots, squared."""
        share: Array = 0.0
        if not symbolic(self.factor.matrix):
            return share
        columns = list(self.factor.plan.columns)
        for row, pivot in zip(self.factor.plan.rows, self.factor.pivots, strict=True):
            entries = self.factor.matrix[row][columns]
            inverse = 1.0 / pivot  # shared with the elimination: no division of its own
            share = share + (entries @ entries) * accept.pivot**2 * (inverse * inverse)
        return share


@dataclass(frozen=True)
class LargeDivisor(Condition):
    """A number that is divided by has not become small beside its natural size."""

    divisor: Array
    natural: float
    regular = True

    def share(self, accept: Tolerances) -> Array:
        """Squared."""
        if not symbolic(self.divisor):
            return 0.0
        inverse = 1.0 / self.divisor  # shared with the division itself
        return (inverse * inverse) * (accept.pivot * self.natural) ** 2


def is_valid(doubt: np.ndarray) -> np.ndarray:
    """Whether answers are valid, from their residuals ``(..., 2)``; not where they are NaN."""
    return np.asarray(doubt[..., 0] + doubt[..., 1] < 1.0)


def is_one_valid(doubt: np.ndarray) -> bool:
    """Whether the answer of one state is valid; faster than :func:`is_valid`."""
    inconsistent, singular = doubt.tolist()
    return bool(inconsistent + singular < 1.0)


def is_regular(doubt: np.ndarray) -> np.ndarray:
    """Whether what was solved is regular, however consistent the state is."""
    return np.asarray(doubt[..., 1] < 1.0)


def sum_of_sizes(values: Iterable[Array], unit: float = 1.0) -> Array:
    """Sum of magnitudes, in a unit."""
    return total(map(np.abs, values)) * (1.0 / unit)


def steep(x: Array) -> Array:
    """Next to nothing below 1, much beyond: x to the 16th."""
    for _ in range(4):
        x = x * x
    return x


def share_of(off: Array, square: Array, accept: Tolerances, floor: float = 0.0) -> Array:
    """Share of what is inconsistent beside all there is, as of a twist that legs forbid; squared.

    Args:
        off: what is inconsistent, natural units.
        square: size of all there is, natural units squared.
        accept: what is accepted.
        floor: what numbers take for rounding whatever the size; a tenth of it is accepted.
    """
    least = accept.nothing + (0.1 * floor / accept.consistent) ** 2
    return off * off / ((square + least) * accept.consistent**2)
