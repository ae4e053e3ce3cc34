"""Splines of degree 5 near data, by the normal equations of data and roughness, in bands.

Knots are samples' times, at one distance or another: levels.  Each level has a part of the knots
of the one before it, so that its equations are found without reading the data again.  Of K data
everything takes a time that grows with K, which may be millions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.errors import InputError

DEGREE = 5
"""Of all splines here."""

_SMALL = 200  # data up to which the trace is exact
_PROBES, _FEWEST_PROBES = 30, 2  # random vectors for the trace of a large map
_PROBED = 30_000  # data times probes that are enough: the trace's scatter is sqrt(2 edf / probes)
_CROWDED = 0.3  # samples nearer to each other, in units of their usual distance, share a knot
_MANY = 20_000  # data from which sums over coefficients save time
_CANCELS = 1e-5  # share of the sum of squares below which a difference of large sums loses digits


class Solved(NamedTuple):
    """One group of data, fitted.

    Attributes:
        knots: of the spline.
        coefficients: of the spline.
        left: sum of squares that the spline leaves over.
        edf: equivalent degrees of freedom: the trace of the map from the data to the curve.
    """

    knots: np.ndarray
    coefficients: np.ndarray
    left: float
    edf: float


@dataclass(frozen=True, eq=False)
class _Level:
    """Normal equations with knots at one distance.

    Attributes:
        sites: inner knots.
        knots: all knots.
        normal: bands of ``B.T B``.
        penalty: bands of the roughness.
        right: ``B.T y`` of all columns.
        finer: coefficients of the level before from those of this one; ``None`` of the first.
    """

    sites: np.ndarray
    knots: np.ndarray
    normal: np.ndarray
    penalty: np.ndarray
    right: np.ndarray
    finer: Any


class Fits:
    """Smoothing splines of several groups of columns, for any cut-off and distance of knots.

    Args:
        u: times (K,), in units of their usual distance.
        groups: data (K, m).
    """

    def __init__(self, u: np.ndarray, groups: Sequence[np.ndarray]) -> None:
        from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use

        self.count, self.rate = len(u), (len(u) - 1) / float(u[-1] - u[0])
        # constants are splines: taken away, sums of squares have fewer digits to lose
        self._mean = [y.mean(axis=0) for y in groups]
        self._y = [y - mean for y, mean in zip(groups, self._mean, strict=True)]
        self._squares = [float((y**2).sum()) for y in self._y]
        exact = self.count <= _SMALL
        wanted = int(np.clip(_PROBED // self.count, _FEWEST_PROBES, _PROBES))
        rng = np.random.default_rng(0)  # the same answer every time
        probes = np.eye(len(u)) if exact else rng.choice([-1.0, 1.0], size=(len(u), wanted))
        self._share = 1.0 if exact else 1.0 / wanted
        ends = np.cumsum([y.shape[1] for y in self._y])
        self._parts = [slice(end - y.shape[1], end) for y, end in zip(self._y, ends, strict=True)]
        self._probes = slice(int(ends[-1]), None)
        sites = _apart(u, _CROWDED)
        knots = _with_ends(sites)
        self._B = BSpline.design_matrix(u, knots, DEGREE).tocsr()
        values = self._B.data.reshape(-1, DEGREE + 1).T.copy()
        normal = _gram(values, _first(self._B, DEGREE), len(knots))
        right = self._B.T @ np.hstack([*self._y, probes])
        self._levels = [_Level(sites, knots, normal, _roughness(knots), right, None)]
        self._last: tuple[tuple[int, float], np.ndarray] = ((-1, 0.0), np.empty(0))

    def columns(self, group: int) -> int:
        """How many columns a group has."""
        return int(self._y[group].shape[1])

    def solve(self, group: int, cut_off: float, doublings: int) -> Solved:
        """The spline of one group.

        Args:
            group: which.
            cut_off: [rad] in units of time.
            doublings: knots are ``2**doublings`` units of time apart.
        """
        level = self._level(doublings)
        found, part = self._solutions(doublings, cut_off), self._parts[group]
        c, right, y = found[:, part], level.right[:, part], self._y[group]
        left = 0.0
        if self.count > _MANY:
            # |y - B c|^2, from the few coefficients alone
            left = self._squares[group] - 2.0 * float((c * right).sum())
            left += _quadratic(level.normal, c)
        if left <= _CANCELS * self._squares[group]:
            left = float(((self._B @ self._finest(c, doublings) - y) ** 2).sum())
        edf = self._share * float((level.right[:, self._probes] * found[:, self._probes]).sum())
        return Solved(level.knots, c + self._mean[group], left, edf)

    def _level(self, doublings: int) -> _Level:
        while len(self._levels) <= doublings:
            self._levels.append(_coarser(self._levels[-1], 2.0 ** len(self._levels)))
        return self._levels[doublings]

    def _solutions(self, doublings: int, cut_off: float) -> np.ndarray:
        """Coefficients of all columns."""
        from scipy.linalg import solveh_banded  # noqa: PLC0415  heavy: loaded on first use

        if self._last[0] != (doublings, cut_off):
            level = self._levels[doublings]
            bands = level.normal + self.rate / cut_off**6 * level.penalty
            try:
                found = solveh_banded(bands, level.right)
            except np.linalg.LinAlgError as err:
                raise InputError(
                    "no smooth curve can be found: time stamps are too uneven",
                    hint="Drop samples that crowd, or give smoothing=0.",
                    argument="t",
                ) from err
            self._last = ((doublings, cut_off), found)
        return self._last[1]

    def _finest(self, c: np.ndarray, doublings: int) -> np.ndarray:
        """The same spline's coefficients on the finest knots."""
        for level in self._levels[doublings:0:-1]:
            c = level.finer @ c
        return c


def _coarser(level: _Level, spacing: float) -> _Level:
    """The same equations with fewer knots."""
    from scipy.sparse import diags_array  # noqa: PLC0415  heavy: loaded on first use

    sites = _apart(level.sites, spacing * (1.0 - 1e-9))
    knots = _with_ends(sites)
    finer = _insertion(knots, level.knots)
    size = level.normal.shape[1]
    offsets = range(min(DEGREE + 1, size))
    upper = [level.normal[DEGREE - k, k:] for k in offsets]
    normal = diags_array(
        [*upper, *upper[1:]], offsets=[*offsets, *(-k for k in offsets[1:])], shape=(size, size)
    )
    bands = _bands(finer.T @ (normal.tocsr() @ finer))
    return _Level(sites, knots, bands, _roughness(knots), finer.T @ level.right, finer)


def _apart(times: np.ndarray, least: float) -> np.ndarray:
    """Those of rising times that are so far apart, with the first and the last."""
    if (np.diff(times) >= least).all():
        return times
    second = times[::2]  # of even steps, every second one
    if (np.diff(second) >= least).all() and (times[1::2] - second[: len(times) // 2] < least).all():
        return np.append(second[: -1 if len(second) > 1 else None], times[-1])
    listed, kept, k = times.tolist(), [], 0
    while k < len(listed):
        kept.append(listed[k])
        k = bisect_left(listed, listed[k] + least, k + 1)
    return np.array([*kept[: max(len(kept) - 1, 1)], listed[-1]])


def _with_ends(sites: np.ndarray) -> np.ndarray:
    return np.concatenate([[sites[0]] * DEGREE, sites, [sites[-1]] * DEGREE])


def _first(design: Any, degree: int) -> np.ndarray:
    """Of each row of a design matrix, the column of its first entry; all entries are in a row."""
    return np.asarray(design.indices.reshape(-1, degree + 1)[:, 0])


def _insertion(coarse: np.ndarray, fine: np.ndarray) -> Any:
    """Matrix that takes a spline's coefficients on some knots to those on more (Oslo algorithm)."""
    from scipy.sparse import csr_array  # noqa: PLC0415  heavy: loaded on first use

    rows, columns = len(fine) - DEGREE - 1, len(coarse) - DEGREE - 1
    i = np.arange(rows)
    span = np.clip(np.searchsorted(coarse, fine[:rows], side="right") - 1, DEGREE, columns - 1)
    parts = [np.ones(rows)]  # of the coarse splines span - k ... span
    for k in range(1, DEGREE + 1):
        at, grown = fine[i + k], [np.zeros(rows) for _ in range(k + 1)]
        for r, part in enumerate(parts):
            j = span - k + 1 + r
            share = (at - coarse[j]) / (coarse[j + k] - coarse[j])
            grown[r + 1] += share * part
            grown[r] += (1.0 - share) * part
        parts = grown
    index = span[:, None] + np.arange(-DEGREE, 1)
    starts = np.arange(rows + 1) * (DEGREE + 1)
    return csr_array(
        (np.stack(parts, axis=1).ravel(), index.ravel(), starts), shape=(rows, columns)
    )


def _gram(
    values: np.ndarray, first: np.ndarray, knots: int, weights: np.ndarray | None = None
) -> np.ndarray:
    """Bands of ``A.T W A``: each row of A has six entries (6, K), from the column ``first`` on."""
    size = knots - DEGREE - 1
    found = np.zeros((DEGREE + 1, size))
    for i in range(DEGREE + 1):
        weighted = values[i] if weights is None else values[i] * weights
        for j in range(i, DEGREE + 1):
            found[DEGREE - (j - i)] += np.bincount(first + j, weighted * values[j], size)
    return found


def _roughness(knots: np.ndarray) -> np.ndarray:
    """Bands of the matrix of ``integral f'''^2``, for the coefficients of f."""
    from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use

    count, degree = len(knots), DEGREE
    D = np.ones((count - DEGREE - 1, 1))
    for _ in range(3):  # a derivative is a difference of coefficients, one degree less
        scale = degree / (knots[degree + 1 : -1] - knots[1 : -degree - 1])
        grown = np.zeros((len(scale), D.shape[1] + 1))
        grown[:, :-1] -= scale[:, None] * D[:-1]
        grown[:, 1:] += scale[:, None] * D[1:]
        D, knots, degree = grown, knots[1:-1], degree - 1
    # third derivatives are quadratic: with three Gauss points in every span the integral is exact
    ends = np.unique(knots)
    half = np.diff(ends) / 2.0
    total = np.zeros((DEGREE + 1, count - DEGREE - 1))
    for node, weight in zip(*np.polynomial.legendre.leggauss(3), strict=True):
        at = ends[:-1] + half * (1.0 + node)
        quadratics = BSpline.design_matrix(at, knots, degree).tocsr()
        first, shares = _first(quadratics, degree), quadratics.data.reshape(-1, degree + 1)
        third = np.zeros((DEGREE + 1, len(at)))
        for i in range(degree + 1):
            for j, entry in enumerate(D.T):
                third[i + j] += shares[:, i] * entry[first + i]
        total += _gram(third, first, count, half * weight)
    return total


def _quadratic(bands: np.ndarray, c: np.ndarray) -> float:
    """Sum over columns of ``c.T M c`` of a symmetric matrix in bands."""
    total = float((bands[DEGREE] @ c**2).sum())
    for k in range(1, min(DEGREE + 1, len(c))):
        total += 2.0 * float((bands[DEGREE - k, k:] @ (c[k:] * c[:-k])).sum())
    return total


def _bands(matrix: Any) -> np.ndarray:
    """A symmetric matrix as LAPACK keeps it: its diagonals above, the main one last."""
    found = np.zeros((DEGREE + 1, matrix.shape[0]))
    for k in range(min(DEGREE + 1, matrix.shape[0])):
        found[DEGREE - k, k:] = matrix.diagonal(k)
    return found
