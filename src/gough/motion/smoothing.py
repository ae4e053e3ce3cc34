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

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.motion.penalised import DEGREE, Fits, Solved

_CAUTION = 1.4
_CUT_OFFS = 60  # tried on a grid, then refined
_FASTEST = 3.0  # highest cut-off, in radians a sample; half the sampling rate would be pi
_KNOTS = 0.5  # distance of knots, in radians of the cut-off


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


def smoothed_each(
    t: np.ndarray, groups: Sequence[tuple[np.ndarray, float | None]]
) -> list[Smoothed]:
    """Smoothing splines of several groups of numbers at the same times.

    What depends on times alone is found once for all of them.

    Args:
        t: times (K,), rising.
        groups: numbers (K, m), whose columns share noise and cut-off, and the standard deviation
            of their noise; estimated if ``None``.
    """
    from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use
    from scipy.optimize import minimize_scalar  # noqa: PLC0415  heavy: loaded on first use

    if not groups:
        return []
    # in units of the usual distance of samples the matrices have entries near 1
    unit = float(np.median(np.diff(t)))
    u = (t - t[0]) / unit
    fits = Fits(u, [y for y, _ in groups])

    def solve(k: int, cut_off: float) -> Solved:
        # knots far closer than the cut-off can follow gain nothing and spoil the equations
        return fits.solve(k, cut_off, int(max(np.floor(np.log2(_KNOTS / cut_off)), 0.0)))

    def expected_error(log_cut_off: float, k: int) -> float:
        """Criterion that is minimised: C_p with a known noise, else cross validation."""
        solved, sigma = solve(k, float(np.exp(log_cut_off))), groups[k][1]
        if sigma is not None:
            return float(solved.left + 2.0 * sigma**2 * solved.edf * fits.columns(k))
        share = 1.0 - min(_CAUTION * solved.edf / fits.count, 1.0 - 1e-3)
        return float(solved.left / share**2)

    slowest = np.log(0.5 * np.pi * unit / (t[-1] - t[0]))
    grid = np.linspace(slowest, np.log(_FASTEST), _CUT_OFFS)
    tried = np.array([[expected_error(each, k) for k in range(len(groups))] for each in grid])
    found = []
    for k, best in enumerate(np.argmin(tried, axis=0)):
        around = grid[max(best - 1, 0)], grid[min(best + 1, _CUT_OFFS - 1)]
        refined = minimize_scalar(expected_error, bounds=around, args=(k,), method="bounded")
        cut_off = float(np.exp(refined.x))
        solved = solve(k, cut_off)
        spline = BSpline(t[0] + solved.knots * unit, solved.coefficients, DEGREE)
        noise = float(np.sqrt(solved.left / (fits.columns(k) * max(len(t) - solved.edf, 1.0))))
        found.append(Smoothed(spline, noise, cut_off / (2.0 * np.pi * unit)))
    return found
