"""Small linear systems with more rows than unknowns, for numbers and symbols alike.

Closure equations ``E x = b`` often have redundant rows.  A *plan* names the pivots, one row and one
column each, in order; eliminating by a plan needs no comparison, so it can be traced.  With
numbers the plan is chosen for the given matrix (complete pivoting); for a trace it is chosen
once, for several samples and for little fill.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.spatial import Array, collect


@dataclass(frozen=True)
class Plan:
    """Pivots of an elimination, in order; rows that are not named are left over."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]


def choose_plan(
    samples: Sequence[np.ndarray], rank: int, first: Sequence[tuple[int, int]] = ()
) -> Plan:
    """Pivots that are large in every sample and, among the large ones, cause little fill.

    Args:
        samples: the same matrix, with comparable units, at one or several states.
        rank: number of pivots wanted.
        first: rows and columns of pivots that are chosen already.
    """
    work = np.array(samples, dtype=float)
    alone, rows, columns = len(work) == 1, [], []  # alone: its own least and its own largest
    for row, column in first:
        factors = work[:, :, column] / work[:, row, column, None]
        work -= factors[:, :, None] * work[:, None, row]
        work[:, row], work[:, :, column] = 0.0, 0.0
        rows.append(row)
        columns.append(column)
    for _ in range(rank - len(rows)):
        sizes = np.abs(work)
        size = sizes[0] if alone else sizes.min(axis=0)
        # entries have natural units; below 1e-12 they are what rounding leaves of a zero
        present = (sizes[0] if alone else sizes.max(axis=0)) > 1e-12
        fill = np.multiply.outer(present.sum(axis=1) - 1, present.sum(axis=0) - 1)
        largest = float(size.max(initial=0.0))
        if largest > 0.0:
            # of equal ones the first, whatever a processor's rounding makes of them
            shares = np.round(size / largest, 9)
            cost = np.where(shares >= 0.2, fill - 0.5 * shares, np.inf)
            row, column = divmod(int(cost.argmin()), work.shape[2])
            factors = work[:, :, column] / work[:, row, column, None]
            work -= factors[:, :, None] * work[:, None, row]
        else:  # singular in a sample: any pivot that is left
            row = next(i for i in range(work.shape[1]) if i not in rows)
            column = next(j for j in range(work.shape[2]) if j not in columns)
        rows.append(row)
        columns.append(column)
        work[:, row], work[:, :, column] = 0.0, 0.0
    return Plan(tuple(rows), tuple(columns))


def _entry(x: Any) -> Any:
    """The entry itself, or None for a zero: most entries are zero and cost no operation."""
    return None if isinstance(x, float) and x == 0.0 else x


def less(value: Any, factor: Any, known: Any) -> Any:
    """``value - factor * known``, where there is a factor."""
    return value if factor is None else value - factor * known


class Factor:
    """Elimination of a matrix by a plan: factored once, then single solves.

    Attributes:
        pivots: the pivots met, scalars; one that is small against its row betrays singularity.
        inner: numbers of pivots that others depend on: one of them may vanish while the product
            of all, the determinant, stays as it is.
    """

    def __init__(self, matrix: Array, plan: Plan) -> None:
        self.matrix = matrix
        self.plan = plan
        self.shape = tuple(matrix.shape)
        named = set(plan.rows)
        self.left_over = tuple(i for i in range(self.shape[0]) if i not in named)
        # rows of [L\\U] in pivot order; row k holds its multipliers before column k
        rows = [matrix[i][list(plan.columns)] for i in plan.rows]
        self._multipliers: list[list[Any]] = [[] for _ in rows]
        self.pivots: list[Any] = []
        self.inner: list[int] = []
        for k, row in enumerate(rows):
            self.pivots.append(row[k])
            spreads = any(_entry(x) is not None for x in row[k + 1 :])
            for i in range(k + 1, len(rows)):
                entry = _entry(rows[i][k])
                m = None if entry is None else entry / row[k]
                self._multipliers[i].append(m)
                rows[i] = less(rows[i], m, row)
                if m is not None and spreads and k not in self.inner:
                    self.inner.append(k)
        self._upper = [
            [None] * k + [_entry(row[j]) for j in range(k, len(rows))] for k, row in enumerate(rows)
        ]

    def solve(self, b: Any) -> list[Any]:
        """``x`` with ``matrix @ x = b`` on the pivot rows; columns without a pivot get zero.

        The entries of ``b`` may be scalars or rows of a matrix; so are those of ``x`` then.
        """
        y: list[Any] = []
        for i, multipliers in enumerate(self._multipliers):
            value = b[self.plan.rows[i]]
            for m, known in zip(multipliers, y, strict=True):
                value = less(value, m, known)
            y.append(value)
        for i in reversed(range(len(y))):
            value = y[i]
            for j in range(i + 1, len(y)):
                value = less(value, self._upper[i][j], y[j])
            y[i] = value / self.pivots[i]
        x: list[Any] = [0.0] * self.shape[1]
        for column, value in zip(self.plan.columns, y, strict=True):
            x[column] = value
        return x

    def solve_transposed(self, c: Any) -> list[Any]:
        """``y`` with ``matrix.T @ y = c`` on the pivot columns; left-over rows get zero."""
        n = len(self._upper)
        y: list[Any] = []
        for i in range(n):
            value = c[self.plan.columns[i]]
            for j in range(i):
                value = less(value, self._upper[j][i], y[j])
            y.append(value / self.pivots[i])
        for i in reversed(range(n)):
            for j in range(i + 1, n):
                y[i] = less(y[i], self._multipliers[j][i], y[j])
        x: list[Any] = [0.0] * self.shape[0]
        for row, value in zip(self.plan.rows, y, strict=True):
            x[row] = value
        return x

    def remainder(self, x: Any, b: Any) -> list[Any]:
        """``matrix @ x - b`` on the left-over rows: zero if the system is consistent."""
        out = []
        for i in self.left_over:
            value = -b[i]
            for j in range(self.shape[1]):
                value = value + self.matrix[i][j] * x[j]
            out.append(value)
        return out


class Symmetric:
    """A positive definite matrix, ``L D L^T``; reads what is on and above its diagonal only.

    Attributes:
        diagonal: of the matrix.
        pivots: entries of D, positive; one that is small betrays a motion without inertia.
    """

    def __init__(self, matrix: Array) -> None:
        n = matrix.shape[0]
        self.diagonal = [matrix[i][i] for i in range(n)]
        upper = [[matrix[i][j] for j in range(i, n)] for i in range(n)]
        self._factors: list[list[Any]] = []  # rows of L^T right of the diagonal
        self.pivots: list[Any] = []
        for k in range(n):
            pivot, *row = upper[k]
            factors = [entry / pivot for entry in row]
            for i in range(k + 1, n):
                for j in range(i, n):
                    upper[i][j - i] = upper[i][j - i] - factors[i - k - 1] * row[j - k - 1]
            self.pivots.append(pivot)
            self._factors.append(factors)

    def solve(self, b: Any) -> Array:
        """``x`` with ``matrix @ x = b``."""
        n = len(self.pivots)
        x = [b[i] for i in range(n)]
        for k in range(n):
            for j, factor in enumerate(self._factors[k], start=k + 1):
                x[j] = x[j] - factor * x[k]
        x = [value / pivot for value, pivot in zip(x, self.pivots, strict=True)]
        for k in reversed(range(n)):
            for j, factor in enumerate(self._factors[k], start=k + 1):
                x[k] = x[k] - factor * x[j]
        return collect(x)


def least_squares(matrix: Array, b: Array) -> Array:
    """``x`` with the smallest ``|matrix x - b|``, by orthogonal columns (modified Gram-Schmidt).

    The right side is orthogonalised along with the columns, which makes it as stable as
    Householder's way; nothing is compared, so it can be traced.  Columns must be independent.
    """
    count = matrix.shape[1]
    columns = [matrix[:, j] for j in range(count)]
    R: list[list[Any]] = []
    y: list[Any] = []
    for j in range(count):
        size = np.sqrt(columns[j] @ columns[j])
        q = columns[j] / size
        row: list[Any] = [0.0] * j + [size]
        for k in range(j + 1, count):
            r = q @ columns[k]
            columns[k] = columns[k] - q * r
            row.append(r)
        part = q @ b
        b = b - q * part
        R.append(row)
        y.append(part)
    for j in reversed(range(count)):
        for k in range(j + 1, count):
            y[j] = y[j] - R[j][k] * y[k]
        y[j] = y[j] / R[j][j]
    return np.stack(y) if y else np.zeros(0)


def minimum_norm(matrix: Array, b: Array) -> Array:
    """The smallest ``x`` with ``matrix x = b``; rows must be independent, there may be fewer.

    Orthogonal rows by modified Gram-Schmidt; the answer is put together backwards, along with
    what earlier rows lose to rounding, which makes it as stable as Householder's way (Bjorck).
    """
    count = matrix.shape[0]
    rows = [matrix[i] for i in range(count)]
    q: list[Any] = []
    y: list[Any] = []
    L: list[list[Any]] = [[] for _ in range(count)]  # matrix = L Q
    for i in range(count):
        size = np.sqrt(rows[i] @ rows[i])
        q.append(rows[i] / size)
        L[i].append(size)
        for k in range(i + 1, count):
            r = q[i] @ rows[k]
            rows[k] = rows[k] - q[i] * r
            L[k].append(r)
    for i in range(count):
        value = b[i]
        for k in range(i):
            value = value - L[i][k] * y[k]
        y.append(value / L[i][i])
    x: Array = np.zeros(matrix.shape[1])
    for i in reversed(range(count)):
        x = x + q[i] * (y[i] - q[i] @ x)
    return x


def orthonormal(vectors: Sequence[Array]) -> list[Array]:
    """Unit vectors that span what independent vectors do, by modified Gram-Schmidt."""
    left, found = list(vectors), []
    while left:
        first, *left = left
        q = first / np.sqrt(first @ first)
        left = [vector - q * (q @ vector) for vector in left]
        found.append(q)
    return found
