"""Common points of quadrics, by continuation: all of them, real and complex.

``n`` quadrics ``u^T Q u = 0`` in ``n + 1`` homogeneous unknowns are deformed from quadrics whose
points are known: paths through complex numbers, which never meet for general starts, are followed
all at once (Runge-Kutta, corrected by Newton).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

_FIRST_STEP, _SMALLEST_STEP = 0.1, 1e-12  # of s in 0..1; below, a path runs into another one
_ACCEPT = 1e-3  # relative size of a first correction that is still trusted
_FLOOR = 1e-8  # corrections near double points stay at the root of rounding
_MOST_STEPS = 3000  # a path takes some hundred; this only bounds the time
# A path that ends at infinity, or in a point of no pose, slows down before s = 1.  Where its point
# then has imaginary parts of the size of its entries, it is not on the way to a real one.
_JUST_BEFORE, _FAR_FROM_REAL = 1e-3, 0.3


class Ends(NamedTuple):
    """Ends of paths.

    Attributes:
        points: ``(paths, n + 1)``.
        arrived: which are common points of the last quadrics, and single ones.
        lost: which of the others may have missed a real point.
    """

    points: np.ndarray
    arrived: np.ndarray
    lost: np.ndarray

    def real(self, tolerance: float = 1e-5) -> np.ndarray:
        """Ends that are real but for rounding, as real vectors of largest entry 1.

        Where three points meet, rounding leaves imaginary parts of its cube root, 6e-6.
        """
        found = _scaled(self.points[self.arrived])
        return np.asarray(found[np.abs(found.imag).max(axis=1, initial=0.0) < tolerance].real)

    def rough(self) -> np.ndarray:
        """Where lost paths stopped, made real: where points meet, one of them is near."""
        return np.asarray(_scaled(self.points[self.lost]).real)


@dataclass(frozen=True, eq=False)
class Homotopy:
    """Quadrics that depend on s as ``Q0 + s Q1 + s^2 Q2``, on a random patch ``p . u = 1``.

    Attributes:
        Q: ``(3, n, n + 1, n + 1)``.
        patch: ``(n + 1,)``.
    """

    Q: np.ndarray
    patch: np.ndarray

    @classmethod
    def through(
        cls, first: np.ndarray, middle: np.ndarray, last: np.ndarray, patch: np.ndarray
    ) -> Homotopy:
        """Quadrics at s = 0, 1/2 and 1, each ``(n, n + 1, n + 1)``."""
        Q2 = 2.0 * first - 4.0 * middle + 2.0 * last
        return cls(np.stack([first, last - first - Q2, Q2]).astype(complex), patch)

    def follow(self, u: np.ndarray) -> Ends:
        """Ends of paths at s = 1 that begin in points at s = 0 ``(paths, n + 1)``."""
        u = u.astype(complex) / (u @ self.patch)[:, None]
        s, h = np.zeros(len(u)), np.full(len(u), _FIRST_STEP)
        lost = np.zeros(len(u), dtype=bool)
        for _ in range(_MOST_STEPS):
            left = np.flatnonzero((s < 1.0) & ~lost)
            if not len(left):
                break
            at, step = s[left], np.minimum(h[left], 1.0 - s[left])
            with np.errstate(all="ignore"):
                v = self._predicted(at, step, u[left])
                v, first = self._corrected(at + step, v)
                v, second = self._corrected(at + step, v)
                good = (first < _ACCEPT) & (second < np.maximum(1e-2 * first, _FLOOR))
                grown = np.clip(0.8 * (0.2 * _ACCEPT / np.maximum(first, 1e-16)) ** 0.2, 0.7, 3.0)
            u[left[good]], s[left[good]] = v[good], (at + step)[good]
            h[left] = np.where(good, step * np.where(np.isfinite(grown), grown, 1.0), 0.4 * step)
            lost[left[h[left] < _SMALLEST_STEP]] = True
        arrived = (s >= 1.0) & ~lost
        # a path that stops just before its end, far from all real points, has no real end
        no_end = ~arrived & (s > 1.0 - _JUST_BEFORE) & (_imaginary(u) > _FAR_FROM_REAL)
        return Ends(u, arrived, ~arrived & ~no_end)

    def _predicted(self, s: np.ndarray, h: np.ndarray, u: np.ndarray) -> np.ndarray:
        H = h[:, None]
        k1 = self._slope(s, u)
        k2 = self._slope(s + h / 2.0, u + H / 2.0 * k1)
        k3 = self._slope(s + h / 2.0, u + H / 2.0 * k2)
        k4 = self._slope(s + h, u + H * k3)
        return np.asarray(u + H / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))

    def _slope(self, s: np.ndarray, u: np.ndarray) -> np.ndarray:
        """``du/ds`` along the paths."""
        Q0u, Q1u, Q2u = self._products(u)
        at = s[:, None, None]
        right = np.zeros((*u.shape, 1), dtype=complex)
        right[:, :-1] = (Q1u + 2.0 * at * Q2u) @ u[:, :, None]
        return -_solved(self._jacobian(Q0u + at * (Q1u + at * Q2u)), right)

    def _corrected(self, s: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One Newton step, and its relative size."""
        Q0u, Q1u, Q2u = self._products(u)
        at = s[:, None, None]
        Qu = Q0u + at * (Q1u + at * Q2u)
        f = np.empty((*u.shape, 1), dtype=complex)
        f[:, :-1] = Qu @ u[:, :, None]
        f[:, -1, 0] = u @ self.patch - 1.0
        step = _solved(self._jacobian(Qu), f)
        v = u - step
        size = np.abs(step).max(axis=1) / np.abs(v).max(axis=1)
        return v, np.where(np.isfinite(size), size, np.inf)

    def _products(self, u: np.ndarray) -> np.ndarray:
        """``Q u`` of every path, for the three coefficients ``(3, paths, n, n + 1)``."""
        _, n, m, _ = self.Q.shape
        # quadrics are symmetric: their last axis serves as well as the one before
        found = u @ self.Q.reshape(3, n * m, m).transpose(0, 2, 1)
        return np.asarray(found.reshape(3, len(u), n, m))

    def _jacobian(self, Qu: np.ndarray) -> np.ndarray:
        J = np.empty((len(Qu), len(self.patch), len(self.patch)), dtype=complex)
        J[:, :-1] = Qu
        J[:, :-1] *= 2.0
        J[:, -1] = self.patch
        return J


def _solved(J: np.ndarray, right: np.ndarray) -> np.ndarray:
    try:
        return np.asarray(np.linalg.solve(J, right)[:, :, 0])
    except np.linalg.LinAlgError:  # one path is exactly singular: it alone shall be lost
        found = np.full(right.shape[:2], np.nan, dtype=complex)
        for i in range(len(J)):
            if np.linalg.cond(J[i]) < 1e15:  # beyond, no digit of the solution is right
                found[i] = np.linalg.solve(J[i], right[i])[:, 0]
        return found


def common_points(Q: np.ndarray, rng: np.random.Generator) -> Ends:
    """Common points of ``n`` general quadrics ``(n, n + 1, n + 1)``, by ``2^n`` paths."""
    n = len(Q)
    start = np.zeros((n, n + 1, n + 1), dtype=complex)
    for k in range(n):  # u_k^2 = u_n^2, turned by a random phase
        start[k, k, k], start[k, n, n] = 1.0, -1.0
    start *= np.exp(2j * np.pi * rng.random(n))[:, None, None]
    last = Q / np.abs(Q).max(axis=(1, 2), keepdims=True)
    signs = 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
    u = np.column_stack([signs, np.ones(2**n)]).astype(complex)
    patch = rng.normal(size=n + 1) + 1j * rng.normal(size=n + 1)
    return Homotopy.through(start, (start + last) / 2.0, last, patch).follow(u)


def _scaled(u: np.ndarray) -> np.ndarray:
    """Points with their largest entries 1."""
    return np.asarray(u / u[np.arange(len(u)), np.abs(u).argmax(axis=1)][:, None])


def _imaginary(u: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(_scaled(u).imag).max(axis=1, initial=0.0))
