"""From a problem to a fit: the device placed first, noise found where it is not known, outliers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.progress import Progress
from gough.calibration.data import Data
from gough.calibration.fit import Fitted, Loss, Problem, fit
from gough.calibration.knowledge import Knowledge
from gough.calibration.outliers import LeftOut, Outlier, left_out, worst_outlier
from gough.calibration.registration import placed

_ROUNDS = 8  # of fits that find noise which was not given
_STILL = 1e-3  # of a change of the noise that needs no further round
_LEAST = 1e-3  # of noise as it was guessed: what fits exactly has some
ENOUGH = 3.0  # degrees of freedom that are left, from which residuals tell noise
_MOST_NAMED = 12  # each takes a fit of its own
_MOST = 0.2  # of all measurements: beyond, the model is wrong and not they


class Solved(NamedTuple):
    """A calibration without words.

    Attributes:
        problem: what is measured and free, noise completed.
        before: the machine as described, device placed.
        fitted: the calibrated one.
        knowledge: what the fit is worth.
        others: every measurement predicted by the others.
        scale: factor of all standard deviations, where those given were weights only.
        noise_is_known: whether noise was given; otherwise it is what residuals show.
    """

    problem: Problem
    before: Fitted
    fitted: Fitted
    knowledge: Knowledge
    others: LeftOut
    scale: float
    noise_is_known: bool

    @property
    def left(self) -> float:
        """Degrees of freedom that are left."""
        return max(len(self.problem.data.rows) - self.knowledge.effective, 1.0)

    @property
    def chi_square(self) -> float:
        """Sum of squares over the degrees of freedom that are left; as much as each row counts."""
        return squares(self.problem.data, self.fitted) / self.left


def solve(
    problem: Problem, *, loss: Loss = "linear", scaled: bool = False, progress: Progress | None
) -> Solved:
    """Fit a problem.

    Args:
        problem: what is measured and free.
        loss: of measured numbers.
        scaled: whether standard deviations are weights only.
        progress: called with the share that is done.
    """
    before = _before(problem)
    fitted = fit(problem, before.p, loss=loss, progress=progress)
    knowledge, scale = Knowledge.of(problem, fitted), 1.0
    least = _LEAST * problem.data.deviations
    for _ in range(_ROUNDS if scaled or problem.data.unknown.any() else 0):
        data = problem.data
        if scaled:
            left = max(len(data.rows) - knowledge.effective, 1.0)
            factor = max(float(np.sqrt(squares(data, fitted) / left)), _LEAST)
            scale, found = scale * factor, data.deviations * factor
        else:
            found = _noise(data, fitted, knowledge, least)
        change = float(np.abs(np.log(found / data.deviations)).max())
        problem = problem.with_data(data.with_deviations(found))
        problem.start_at(fitted.seen)
        if scaled and not problem.with_prior:  # one factor of all rows changes no parameter
            rows = problem.rows(fitted.p)
            fitted = fitted._replace(rows=rows, cost=fitted.cost / factor**2)
        else:
            fitted = fit(problem, fitted.p, loss=loss)
        knowledge = Knowledge.of(problem, fitted)
        if change < _STILL:
            break
    known = not scaled and not problem.data.unknown.any()
    others = left_out(problem.data, fitted, knowledge, known=known)
    return Solved(problem, before, fitted, knowledge, others, scale, known)


def _before(problem: Problem) -> Fitted:
    """The machine as described, with device and tool where measurements have them."""
    p = placed(problem).p
    rows = problem.rows(p)
    weighed = rows.off / problem.data.deviations
    return Fitted(p, problem.seen(p), rows, 0, float(weighed @ weighed), np.ones(len(rows.off)))


def squares(data: Data, fitted: Fitted) -> float:
    """Sum of squares of measured less predicted numbers, as much as each counts."""
    return float((fitted.weights * (fitted.rows.off / data.deviations) ** 2).sum())


def _noise(data: Data, fitted: Fitted, knowledge: Knowledge, least: np.ndarray) -> np.ndarray:
    """Standard deviations, those that were guessed found from residuals, kind by kind."""
    found = data.deviations.copy()
    used = np.einsum("mi,ij,mj->m", knowledge.by, knowledge.natural, knowledge.by, optimize=True)
    groups = [
        (row.kind, row.unit) if guess else None
        for row, guess in zip(data.rows, data.unknown, strict=True)
    ]
    for group in {each for each in groups if each is not None}:
        own = np.array([each == group for each in groups])
        left = float((1.0 - used[own]).sum())
        if left < ENOUGH:
            continue  # residuals of so few say nothing: the guess stays
        size = float(np.sqrt((fitted.weights * fitted.rows.off**2)[own].sum() / left))
        found[own] = np.maximum(size, least[own])
    return found


def without_outliers(
    problem: Problem, solved: Solved, *, loss: Loss, scaled: bool, progress: Progress | None
) -> tuple[list[Outlier], Solved]:
    """Measurements that the others contradict, and the fit without them.

    Args:
        problem: as it was given, noise not yet found.
        solved: the fit of all of it.
        loss: of measured numbers.
        scaled: whether standard deviations are weights only.
        progress: called with the share that is done.
    """
    found: list[Outlier] = []
    kept = np.ones(problem.data.count, dtype=bool)
    most = min(_MOST * len(kept), _MOST_NAMED)
    while len(found) < most:
        worst = worst_outlier(solved.problem.data, solved.others)
        if worst is None:
            break
        which, outlier = worst
        found.append(outlier)
        kept[np.flatnonzero(kept)[which]] = False
        solved = solve(problem.chosen(kept), loss=loss, scaled=scaled, progress=progress)
    return found, solved
