"""What a fit is worth: standard deviations, what the data say, what nobody can know.

All of it is read off the derivatives at the fitted machine.  Parameters are counted in units of
their tolerances, measured numbers in units of their standard deviations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.calibration.fit import PLAY, Fitted, Problem
from gough.calibration.parameters import TOLERANCE
from gough.errors import GoughError

_ZERO = 1e-9
"""Singular values below this share of the largest are zero: derivatives have twelve digits."""

_SEEN = 1e-7
"""What shows less, beside the combination that shows most, would take seven digits to measure."""

_SEED = 20240229  # any; ranks do not depend on it, and the same call gives the same answer


class Observability(NamedTuple):
    """How well measured states show the parameters.

    Attributes:
        parameters: how many are free.
        identifiable: how many combinations of them the measurements show.
        known: how many of these are known better than parts are made.
        admissible: how many the loops admit; of a machine that is not over-constrained all.
        first_order: combinations that loops admit to first order only: they close for small errors
            and not for larger ones.
        O1: ``(s_1 ... s_L)^(1/L) / sqrt(m)`` of the L singular values that are not zero (Borm and
            Menq 1989), parameters in units of their tolerances, numbers in units of their noise.
        O3: the smallest of them (Nahvi and Hollerbach 1994).
        condition: largest over smallest.
    """

    parameters: int
    identifiable: int
    known: int
    admissible: int
    first_order: int
    O1: float
    O3: float
    condition: float


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Covariances of a fit.

    Attributes:
        by: derivatives of measured numbers by parameters, natural units ``(m, n)``.
        open_by: the same of what loops leave open.
        prior: standard deviations of parameters before measuring ``(n,)``.
        with_prior: whether they count.
    """

    by: np.ndarray
    open_by: np.ndarray
    prior: np.ndarray
    with_prior: bool

    @classmethod
    def of(cls, problem: Problem, fitted: Fitted) -> Knowledge:
        """That of a fit; numbers count as much as they did in it."""
        prior, rows = problem.free.prior, fitted.rows
        weights = np.sqrt(fitted.weights) / problem.data.deviations
        by = rows.by * weights[:, None] * prior
        return cls(by, rows.open_by * prior, prior, problem.with_prior)

    @cached_property
    def _system(self) -> tuple[np.ndarray, np.ndarray]:
        """Right singular vectors ``(n, n)`` and singular values of all data, natural units."""
        whole = np.concatenate([self.by, self.open_by])
        n = whole.shape[1]
        R = np.linalg.qr(whole, mode="r") if len(whole) > n else whole
        _, s, Vt = np.linalg.svd(R)
        return Vt.T, np.concatenate([s, np.zeros(n - len(s))])

    @cached_property
    def natural(self) -> np.ndarray:
        """Covariance in units of tolerances ``(n, n)``; unknown combinations have none in it."""
        V, s = self._system
        if self.with_prior:
            return np.asarray((V / (s**2 + 1.0)) @ V.T)
        seen = s > _ZERO * s[0]
        return np.asarray((V[:, seen] / s[seen] ** 2) @ V[:, seen].T)

    @cached_property
    def unseen(self) -> np.ndarray:
        """Combinations of parameters, natural units, that change no measurement ``(n, k)``."""
        V, s = self._system
        return V[:, s <= _ZERO * s[0]]

    @cached_property
    def covariance(self) -> np.ndarray:
        """Covariance of the parameters ``(n, n)``, in their own units."""
        return np.asarray(self.natural * np.outer(self.prior, self.prior))

    @cached_property
    def std(self) -> np.ndarray:
        """Standard deviations ``(n,)``; infinite where nothing at all is known."""
        found = np.asarray(np.sqrt(np.clip(np.diag(self.covariance), 0.0, None)))
        if not self.with_prior and self.unseen.shape[1]:
            free = np.abs(self.unseen).max(axis=1) > 1e-6
            found[free] = np.inf
        return found

    @cached_property
    def said(self) -> np.ndarray:
        """How much of each parameter the data say, 0 to 1 ``(n,)``.

        The share of the variance of manufacturing that measurements (and loops that must close)
        have removed; without a prior, whether the data fix the parameter at all.
        """
        if not self.with_prior:
            return np.where(np.isfinite(self.std), 1.0, 0.0)
        return np.asarray(np.clip(1.0 - np.diag(self.natural), 0.0, 1.0).round(12))

    @cached_property
    def effective(self) -> float:
        """Number of parameters that measured numbers have been used for."""
        by = self.by
        return float(np.einsum("mi,ij,mj->", by, self.natural, by, optimize=True))

    def hat(self, rows: np.ndarray) -> np.ndarray:
        """Part of the hat matrix that belongs to some rows."""
        own = self.by[rows]
        return np.asarray(own @ self.natural @ own.T)

    @property
    def weak(self) -> list[tuple[float, np.ndarray]]:
        """Combinations that are known less well than parts are made, worst first.

        Returns:
            Standard deviation in units of the tolerance, infinite if nothing shows it, and the
            combination ``(n,)``, natural units and of length 1.
        """
        V, s = self._system
        found = []
        for k in np.argsort(s, kind="stable"):
            if s[k] < 1.0:
                zero = s[k] <= _ZERO * s[0]
                found.append((np.inf if zero else 1.0 / float(s[k]), V[:, k]))
        return found


def observability(problem: Problem, fitted: Fitted) -> Observability:
    """How well the measured states show the parameters, at a machine that is a little crooked.

    Symmetry of a machine as described hides parameters that the machine on the bench shows.
    """
    prior = problem.free.prior
    straight = fitted.rows
    rng = np.random.default_rng(_SEED)
    step = rng.uniform(0.5, 1.0, len(prior)) * rng.choice([-1.0, 1.0], len(prior))
    inside = _null(straight.open_by * prior)
    aside = problem.with_data(problem.data)
    aside.start_at(fitted.seen)
    try:
        crooked = aside.rows(fitted.p + prior * (inside @ (inside.T @ step)))
    except GoughError:  # at the border of reach the machine may be too crooked
        crooked = straight
    loops = crooked.open_by * prior
    first_order = _rank(loops) - _rank(straight.open_by * prior)
    by = crooked.by / problem.data.deviations[:, None] * prior
    inside = _null(loops if first_order <= 0 else straight.open_by * prior)
    s = np.linalg.svd(by @ inside, compute_uv=False)
    s = s[s > _SEEN * s[0]] if len(s) and s[0] > 0.0 else s[:0]
    rank = len(s)
    return Observability(
        len(prior),
        rank,
        int((s > 1.0).sum()),
        inside.shape[1],
        max(first_order, 0),
        float(np.exp(np.log(s).mean()) / np.sqrt(len(by))) if rank else 0.0,
        float(s[-1]) if rank else 0.0,
        float(s[0] / s[-1]) if rank else np.inf,
    )


_OPEN = 1e-6 * TOLERANCE / PLAY
"""Rows of loops that open by less under errors of the size of tolerances do not open."""


def _rank(rows: np.ndarray) -> int:
    s = np.linalg.svd(rows, compute_uv=False) if rows.size else np.zeros(0)
    return int((s > _OPEN).sum())


def _null(rows: np.ndarray) -> np.ndarray:
    """Orthonormal combinations ``(n, k)`` that rows do not feel."""
    if not rows.size:
        return np.eye(rows.shape[1])
    R = np.asarray(np.linalg.qr(rows, mode="r")) if len(rows) > rows.shape[1] else rows
    Vt = np.linalg.svd(R)[2]
    return np.asarray(Vt[_rank(R) :].T)
