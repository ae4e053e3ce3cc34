"""Splines through or near measured numbers, with derivatives that can be used.

A smoothing spline f of degree 5 makes ``sum (f(t_i) - y_i)^2 + weight * integral f'''(t)^2 dt`` as
small as possible.  Its second derivative is a cubic spline, and noise enters it weakly: seen as a
filter it passes what is slower than a cut-off ``c`` [rad/s] and takes away what is faster, with
``weight = rate / c^6``.  The cut-off is chosen so that the error expected of the curve is smallest:

- with a known standard deviation, by Mallows' C_p, ``RSS + 2 sigma^2 edf``;
- otherwise by generalised cross validation, ``RSS / (1 - 1.4 edf / K)^2``.

``edf``, the equivalent degrees of freedom, is the trace of the map from the data to the curve; 1.4
is what keeps cross validation from taking noise for motion (Kim and Gu 2004).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.errors import InputError

DEGREE = 5
_CAUTION = 1.4
_PROBES = 30  # random vectors for the trace of a large map
_SMALL = 200  # data up to which the trace is exact
_CUT_OFFS = 60  # tried on a grid, then refined
_FASTEST = 3.0  # cut-off in radians a sample; half the sampling rate would be pi
_KNOTS = 0.5  # distance of knots, in radians of the cut-off
_CROWDED = 0.3  # samples nearer to each other, in units of their usual distance, share a knot


class Smoothed(NamedTuple):
    """A spline and what it took to make it.

    Attributes:
        spline: a ``scipy.interpolate.BSpline`` of time, values (..., m).
        noise: standard deviation of what was taken away, estimated.
        cut_off: what is faster is taken for noise [Hz].
    """

    spline: Any
    noise: float
    cut_off: float


def interpolated(t: np.ndarray, y: np.ndarray, *, rest: bool) -> Any:
    """The spline through all numbers (K, m), of degree 5 where there are enough.

    Args:
        t: times (K,), rising.
        y: numbers (K, m).
        rest: velocity and acceleration are zero at both ends; otherwise third and fourth
            derivatives are (the smoothest of all curves).
    """
    from scipy.interpolate import make_interp_spline  # noqa: PLC0415  heavy: loaded on first use

    zero = np.zeros(y.shape[1:])
    first, second = (1, 2) if rest else (3, 4)
    if not rest and len(t) < DEGREE + 1:
        return make_interp_spline(t, y, k=min(len(t) - 1, 3))
    ends = [(first, zero), (second, zero)]
    return make_interp_spline(t, y, k=DEGREE, bc_type=(ends, ends))


def smoothed(t: np.ndarray, y: np.ndarray, sigma: float | None) -> Smoothed:
    """The smoothing spline of numbers (K, m) that have the same noise.

    Args:
        t: times (K,), rising.
        y: numbers (K, m); all columns share one cut-off.
        sigma: standard deviation of their noise; estimated if ``None``.
    """
    from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use
    from scipy.optimize import minimize_scalar  # noqa: PLC0415  heavy: loaded on first use

    # in units of the usual distance of samples the matrices have entries near 1
    unit = float(np.median(np.diff(t)))
    u = (t - t[0]) / unit
    fits: dict[float, _Fit] = {}

    def fit_for(cut_off: float) -> _Fit:
        # knots far closer than the cut-off can follow gain nothing and spoil the equations
        spacing = 2.0 ** max(np.floor(np.log2(_KNOTS / cut_off)), 0.0)
        if spacing not in fits:
            fits[spacing] = _Fit(u, y, spacing)
        return fits[spacing]

    def expected_error(log_cut_off: float) -> float:
        cut_off = float(np.exp(log_cut_off))
        return fit_for(cut_off).expected_error(cut_off, sigma)

    slowest = np.log(0.5 * np.pi * unit / (t[-1] - t[0]))
    grid = np.linspace(slowest, np.log(_FASTEST), _CUT_OFFS)
    best = int(np.argmin([expected_error(each) for each in grid]))
    around = grid[max(best - 1, 0)], grid[min(best + 1, _CUT_OFFS - 1)]
    cut_off = float(np.exp(minimize_scalar(expected_error, bounds=around, method="bounded").x))
    fit = fit_for(cut_off)
    coefficients, noise = fit.result(cut_off)
    spline = BSpline(t[0] + fit.knots * unit, coefficients, DEGREE)
    return Smoothed(spline, noise, cut_off / (2.0 * np.pi * unit))


class _Fit:
    """Normal equations of the smoothing spline, in bands, for any cut-off."""

    def __init__(self, u: np.ndarray, y: np.ndarray, spacing: float) -> None:
        from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use

        inner = _sites(u, spacing)
        self.y, self.rate = y, (len(u) - 1) / float(u[-1] - u[0])
        self.knots = np.concatenate([[inner[0]] * DEGREE, inner, [inner[-1]] * DEGREE])
        self.B = BSpline.design_matrix(u, self.knots, DEGREE).tocsr()
        self.normal, self.penalty = _bands(self.B.T @ self.B), _bands(_roughness(self.knots))
        exact = len(u) <= _SMALL
        rng = np.random.default_rng(0)  # the same answer every time
        probes = np.eye(len(u)) if exact else rng.choice([-1.0, 1.0], size=(len(u), _PROBES))
        self.probes, self.share = probes, 1.0 if exact else 1.0 / _PROBES
        self.right = self.B.T @ np.hstack([y, probes])

    def expected_error(self, cut_off: float, sigma: float | None) -> float:
        """What the error of the curve is expected to grow with."""
        _, left, edf = self._solve(cut_off)
        count, columns = self.y.shape
        if sigma is not None:
            return float(left + 2.0 * sigma**2 * edf * columns)
        share = 1.0 - min(_CAUTION * edf / count, 1.0 - 1e-3)
        return float(left / share**2)

    def result(self, cut_off: float) -> tuple[np.ndarray, float]:
        """Coefficients of the spline, and the noise that it leaves aside."""
        coefficients, left, edf = self._solve(cut_off)
        count, columns = self.y.shape
        return coefficients, float(np.sqrt(left / (columns * max(count - edf, 1.0))))

    def _solve(self, cut_off: float) -> tuple[np.ndarray, float, float]:
        """Coefficients, sum of squares left over, and equivalent degrees of freedom."""
        from scipy.linalg import solveh_banded  # noqa: PLC0415  heavy: loaded on first use

        bands = self.normal + self.rate / cut_off**6 * self.penalty
        try:
            found = solveh_banded(bands, self.right)
        except np.linalg.LinAlgError as err:
            raise InputError(
                "no smooth curve can be found: time stamps are too uneven",
                hint="Drop samples that crowd, or give smoothing=0.",
                argument="t",
            ) from err
        columns = self.y.shape[1]
        left = float(((self.B @ found[:, :columns] - self.y) ** 2).sum())
        edf = self.share * float((self.probes * (self.B @ found[:, columns:])).sum())
        return found[:, :columns], left, edf


def _sites(u: np.ndarray, spacing: float) -> np.ndarray:
    """Times of data as knots, so far apart."""
    least = spacing * _CROWDED if spacing == 1.0 else spacing * (1.0 - 1e-9)
    kept = [float(u[0])]
    for each in u[1:]:
        if each - kept[-1] >= least:
            kept.append(float(each))
    return np.array([*kept[: max(len(kept) - 1, 1)], float(u[-1])])


def _roughness(knots: np.ndarray) -> Any:
    """Matrix of ``integral f'''^2``, for the coefficients of f."""
    from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use
    from scipy.sparse import diags_array  # noqa: PLC0415  heavy: loaded on first use

    D, degree = diags_array(np.ones(len(knots) - DEGREE - 1)).tocsr(), DEGREE
    for _ in range(3):  # a derivative is a difference of coefficients, one degree less
        scale = degree / (knots[degree + 1 : -1] - knots[1 : -degree - 1])
        size = len(scale)
        D = diags_array([-scale, scale], offsets=[0, 1], shape=(size, size + 1)) @ D
        knots, degree = knots[1:-1], degree - 1
    # third derivatives are quadratic: with three Gauss points in every span the integral is exact
    nodes, weights = np.polynomial.legendre.leggauss(3)
    ends = np.unique(knots)
    half = np.diff(ends)[:, None] / 2.0
    at = (ends[:-1, None] + half * (1.0 + nodes)).ravel()
    third = BSpline.design_matrix(at, knots, degree) @ D
    return third.T @ (diags_array((half * weights).ravel()) @ third)


def _bands(matrix: Any) -> np.ndarray:
    """A symmetric matrix as LAPACK keeps it: its diagonals above, the main one last."""
    found = np.zeros((DEGREE + 1, matrix.shape[0]))
    for k in range(DEGREE + 1):
        found[DEGREE - k, k:] = matrix.diagonal(k)
    return found
