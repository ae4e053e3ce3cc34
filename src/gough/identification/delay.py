"""By how much efforts are recorded later than positions: the time at which they fit best.

Efforts that come later by d are ``W(t - d) chi``, to first order ``W chi - d (W chi)'``: beside the
base columns, the rate of the predicted efforts is one column more, and d its parameter.  Parameters
that the logs hardly show would take its part: they are held near the description, to its own size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.linalg import solve_triangular

from gough.identification.base_result import BaseParameters
from gough.identification.compressed import triangle
from gough.identification.drives import DriveGains
from gough.identification.estimate import Estimate
from gough.identification.filtering import lines_of
from gough.identification.postures import natural_units, plausible_sizes
from gough.identification.run import Run
from gough.mechanism.mobility.assembly import assembled

SURE = 4.0
"""Standard deviations from which a delay is corrected."""

_LIKELY = 2.0  # standard deviations of a first step from which a delay is sought
_STEPS = 6  # of Gauss and Newton; two or three are needed
_SHRINKS = 0.8  # a step beside the one before, at most; those towards a delay are below 0.6
_SETTLED = 0.1  # standard deviations
_SMALL = 0.01  # of a sampling step: not worth a correction, whatever its standard deviation
_MOST = 0.5  # of the samples that are dropped at each end: beyond, positions would be invented
_DEGREE = 5


class Delay(NamedTuple):
    """A delay of efforts behind positions.

    Attributes:
        seconds: by which efforts are later [s]; zero where none is sure.
        sigma: its standard deviation [s]; zero if it was given.
        lost: whether it is longer than can be corrected, or none is best.
    """

    seconds: float
    sigma: float = 0.0
    lost: bool = False


class Fitted(NamedTuple):
    """What was fitted for one delay.

    Attributes:
        runs: logs as rows.
        found: the estimate.
        gains: of the drives, if they were found with it.
    """

    runs: list[Run]
    found: Estimate
    gains: DriveGains | None


def find_delay(
    base: BaseParameters, fit: Callable[[float], Fitted], first: Fitted
) -> tuple[Delay, Fitted]:
    """The delay that logs show, with runs and estimate that have it corrected.

    Every step is a fit of all rows: there are six at most, and no more where steps do not shrink.

    Args:
        base: the base parameters.
        fit: runs and estimate for a delay.
        first: the same without one.
    """
    assembly = assembled(base.robot)
    natural = natural_units(assembly, base.units)
    near = np.diag(1.0 / plausible_sizes(assembly, base.values, natural))
    least = _SMALL / first.runs[0].filters.rate
    most = min(_MOST * run.filters.ends / run.filters.rate for run in first.runs)
    seconds, best, before = 0.0, first, np.inf
    for _ in range(_STEPS):
        step, sigma = _slope(best, near, base.values)
        # a first step falls short where columns imitate the delay: it is judged at the end
        if seconds == 0.0 and (abs(step) < _LIKELY * sigma or abs(step) < least):
            return Delay(0.0, sigma), first
        if abs(step) > _SHRINKS * before:
            # of a delay only noise is left; else what does not fit is none
            if abs(step) < sigma:
                break
            return Delay(0.0, sigma, lost=abs(seconds) > SURE * sigma), first
        before = abs(step)
        seconds += step
        if abs(seconds) > most:
            return Delay(0.0, sigma, lost=True), first
        best = fit(seconds)
        if abs(step) < max(_SETTLED * sigma, _SETTLED * least):
            break
    if abs(seconds) < SURE * sigma:
        return Delay(0.0, sigma), first
    return Delay(seconds, sigma), best


def _slope(fitted: Fitted, near: np.ndarray, described: np.ndarray) -> tuple[float, float]:
    """A step of the delay, base parameters beside it, and its standard deviation."""
    rows, (runs, found, _) = [], fitted
    for run in runs:
        predicted = run.W @ found.values
        degree = min(_DEGREE, len(run.t) - 1)
        later = -make_interp_spline(run.t, predicted, k=degree).derivative()(run.t)
        left = run.tau - predicted
        whole = np.concatenate([run.W, later[..., None], left[..., None]], axis=2)
        rows.append((whole / found.noise[:, None])[run.used])
    passed = np.sqrt(min(run.filters.passed for run in runs))
    prior = np.column_stack([near, np.zeros(len(near)), near @ (described - found.values)])
    measured = passed * np.concatenate(rows)
    A = np.concatenate([measured, prior])
    sizes = np.linalg.norm(A, axis=0)
    sizes[sizes == 0.0] = 1.0
    R = triangle(A / sizes)
    if len(R) < R.shape[1] or R[-2, -2] == 0.0:
        return 0.0, np.inf
    own = float(sizes[-2] * R[-2, -2])
    # the delay is a sum of what is measured and what is described, each by its influence
    x = solve_triangular(R[:-1, :-1], np.eye(len(R) - 1)[-1]) / sizes[:-1] / own
    influence = passed * (measured[:, :-1] @ x)
    noise = found.spectrum.covariance(lines_of(influence[:, None], found.spectrum.logs))
    sigma = float(np.sqrt(noise[0, 0] + np.sum((prior[:, :-1] @ x) ** 2)))
    return float(R[-2, -1] * sizes[-1]) / own, sigma
