"""From a problem to a fit: the device placed first, noise found where it is not known, outliers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.progress import Progress
from gough.calibration.data import Data
from gough.calibration.fit import Fitted, Loss, Problem, fit
from gough.calibration.geometry import DEVICE
from gough.calibration.knowledge import Knowledge
from gough.calibration.outliers import LeftOut, Outlier, left_out, worst_outlier

_ROUNDS = 8  # of fits that find noise which was not given
_STILL = 1e-3  # of a change of the noise that needs no further round
_LEAST = 1e-3  # of noise as it was guessed: what fits exactly has some
ENOUGH = 3.0  # degrees of freedom that are left, from which residuals tell noise
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
    """

    problem: Problem
    before: Fitted
    fitted: Fitted
    knowledge: Knowledge
    others: LeftOut
    scale: float

    @property
    def left(self) -> float:
        """Degrees of freedom that are left."""
        return max(len(self.problem.data.rows) - self.knowledge.effective, 1.0)

    @property
    def chi_square(self) -> float:
        """Sum of squares over the degrees of freedom that are left."""
        return self.fitted.cost / self.left


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
    before = placed(problem)
    fitted = fit(problem, before.p, loss=loss, progress=progress)
    knowledge, scale = Knowledge.of(problem, fitted.rows), 1.0
    least = _LEAST * problem.data.deviations
    for _ in range(_ROUNDS if scaled or problem.data.unknown.any() else 0):
        data = problem.data
        if scaled:
            left = max(len(data.rows) - knowledge.effective, 1.0)
            factor = max(float(np.sqrt(fitted.cost / left)), _LEAST)
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
        knowledge = Knowledge.of(problem, fitted.rows)
        if change < _STILL:
            break
    known = not scaled and not problem.data.unknown.any()
    others = left_out(problem.data, fitted, knowledge, known=known)
    return Solved(problem, before, fitted, knowledge, others, scale)


def placed(problem: Problem) -> Fitted:
    """The machine as described, with the measuring device where measurements have it."""
    free, p = problem.free, problem.free.nominal
    own = [k for k, each in enumerate(free.parameters) if each.owner == DEVICE]
    if own and len(own) < len(p):
        # it is nearly there: loops stay as they are, and one step of least squares is enough
        rows, p = problem.rows(p), p.copy()
        by = rows.by[:, own] / problem.data.deviations[:, None]
        off = rows.off / problem.data.deviations
        if problem.with_prior:
            by = np.vstack([by, np.diag(1.0 / free.prior[own])])
            off = np.concatenate([off, np.zeros(len(own))])
        p[own] += np.linalg.lstsq(by, off, rcond=1e-12)[0]
    rows = problem.rows(p)
    weighed = rows.off / problem.data.deviations
    return Fitted(p, problem.seen(p), rows, 0, float(weighed @ weighed))


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
        size = float(np.sqrt((fitted.rows.off[own] ** 2).sum() / left))
        found[own] = np.maximum(size, least[own])
    return found


def without_outliers(
    solved: Solved, *, loss: Loss, scaled: bool, progress: Progress | None
) -> tuple[list[Outlier], Solved]:
    """Measurements that the others contradict, and the fit without them."""
    found: list[Outlier] = []
    most = _MOST * solved.problem.data.count
    while len(found) < most:
        worst = worst_outlier(solved.problem.data, solved.others)
        if worst is None:
            break
        which, outlier = worst
        found.append(outlier)
        kept = np.arange(solved.problem.data.count) != which
        problem = solved.problem.chosen(kept)
        solved = solve(problem, loss=loss, scaled=scaled, progress=progress)
    return found, solved
