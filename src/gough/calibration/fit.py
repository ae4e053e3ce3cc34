"""Least squares with a prior: parameters that explain what was measured.

Rows are measured numbers over their standard deviations, what loops leave open over the play that a
joint may have, and what parameters are off their nominal values over what parts are made to.  What
the measurements do not see stays where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from gough.base.blas_threads import one_thread
from gough.base.progress import Progress
from gough.calibration.bench import Bench, Seen, SeenSlopes
from gough.calibration.data import Data
from gough.calibration.measured import Measurements
from gough.calibration.parameters import Free
from gough.errors import GoughError, UnreachablePose

Loss = Literal["linear", "soft_l1", "huber", "cauchy"]

PLAY = 1e-6
"""What loops of an over-constrained machine may leave open, as a share of its length."""

_LOOSE = 1e-5
"""Weight of tolerances in plain least squares: what nothing shows stays, and nothing else feels it.

Combinations that are known a thousand times worse than tolerances move by 1e-4 of their error.
"""

_SETTLED = 1e-9
"""Relative change of cost and of parameters at which a fit has arrived: the next is its square."""


_FEW = 8
"""States that are led from home before all are."""

_KEPT = 4
"""Evaluations that are kept: what a fit accepts may not be what it has tried last."""


class Evaluated(NamedTuple):
    """States at some values of the parameters, the problem there, and their derivatives."""

    seen: Seen
    rows: Rows
    slopes: SeenSlopes


class Rows(NamedTuple):
    """The least-squares problem at some values, without its prior.

    Attributes:
        off: measured less predicted numbers [m or rad] ``(m,)``.
        by: predicted numbers by the parameters ``(m, n)``.
        open: what loops leave open over the play, state after state ``(k,)``.
        open_by: the same by the parameters ``(k, n)``.
    """

    off: np.ndarray
    by: np.ndarray
    open: np.ndarray
    open_by: np.ndarray


@dataclass(eq=False)
class Problem:
    """What is measured, what is free, and where states were closed last.

    Attributes:
        bench: the machine at measured states.
        free: its parameters.
        data: what was measured.
        with_prior: whether tolerances of manufacturing count.
    """

    bench: Bench
    free: Free
    data: Data
    with_prior: bool

    def __post_init__(self) -> None:
        self._kept: dict[bytes, Evaluated] = {}

    @cached_property
    def first(self) -> Seen:
        """Measured states of the machine as described, led there from home.

        Raises:
            UnreachablePose: the machine cannot have one of them; it is named.
        """
        g, bench = self.free.geometry(self.free.nominal), self.bench
        # of a table in another order or unit the first states cannot be had: not all are tried
        for states in (np.arange(min(_FEW, len(bench.readings))), np.arange(len(bench.readings))):
            seen = bench.at(bench.readings[states]).first(g)
            if not seen.closed.all():
                raise _cannot_close(self, int(np.flatnonzero(~seen.closed)[0]))
        return seen

    def start_at(self, seen: Seen) -> None:
        """Begin from states that are known already."""
        self.first = seen

    def with_data(self, data: Data) -> Problem:
        """The same states with other standard deviations."""
        found = Problem(self.bench, self.free, data, self.with_prior)
        found.start_at(self.first)
        return found

    def with_sets(self, sets: Sequence[Measurements]) -> Problem:
        """The same states measured anew, with all standard deviations given."""
        guessed = tuple(np.zeros(each.std.shape, dtype=bool) for each in sets)
        return self.with_data(Data(tuple(sets), tuple(each.std for each in sets), guessed))

    def chosen(self, measurements: np.ndarray) -> Problem:
        """The problem with some of the measurements, by a mask over all."""
        kept = np.flatnonzero(measurements)
        states = np.concatenate([self.data.states_of(int(k)) for k in kept])
        first = self.first
        bench = self.bench.at(self.bench.readings[states])
        found = Problem(bench, self.free, self.data.chosen(measurements), self.with_prior)
        machines = first.machines.select(states)
        found.start_at(Seen(machines, *(each[states] for each in first[1:])))
        return found

    def seen(self, p: np.ndarray) -> Seen:
        """States at some values, continued from the last ones."""
        return self.evaluated(p).seen

    def rows(self, p: np.ndarray) -> Rows:
        """The problem at some values.

        Raises:
            UnreachablePose: the machine cannot be assembled there; the measurement is named.
        """
        return self.evaluated(p).rows

    def tool(self, p: np.ndarray) -> np.ndarray:
        """Twists of the tool by the parameters in units of their tolerances ``(S, 6, n)``."""
        tool = self.evaluated(p).slopes.tool
        return np.asarray(tool @ (self.free.slopes(p) * self.free.prior))

    def evaluated(self, p: np.ndarray) -> Evaluated:
        """States at some values, the problem there, and derivatives."""
        key = p.tobytes()
        if key not in self._kept:
            last = [*self._kept.values()]
            near = last[-1].seen if last else self.first
            g = self.free.geometry(p)
            seen = self.bench.near(g, near.machines)
            if not seen.closed.all():
                raise _cannot_close(self, int(np.flatnonzero(~seen.closed)[0]))
            slopes = self.bench.slopes(g, seen)
            off, by = self.data.compared(seen, slopes)
            G = self.free.slopes(p)
            open_by = slopes.open_by.reshape(slopes.open.size, len(G)) @ G
            rows = Rows(off, by @ G, slopes.open.reshape(-1) / PLAY, open_by / PLAY)
            if len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = Evaluated(seen, rows, slopes)
        return self._kept[key]

    def residuals(self, p: np.ndarray) -> np.ndarray:
        """All rows; infinite where the machine cannot be assembled."""
        try:
            rows = self.rows(p)
        except GoughError:  # loops that open, a maker that refuses: take a smaller step
            return np.full(self._height, np.inf)
        found = [rows.off / self.data.deviations, rows.open]
        found.append((self.free.nominal - p) * self.hold)
        return np.concatenate(found)

    @cached_property
    def hold(self) -> np.ndarray:
        """Weights that hold parameters at their nominal values."""
        return (1.0 if self.with_prior else _LOOSE) / self.free.prior

    @cached_property
    def _height(self) -> int:
        rows = self.rows(self.free.nominal)
        return len(rows.off) + len(rows.open) + len(self.free.parameters)

    def jacobian(self, p: np.ndarray) -> np.ndarray:
        """Derivatives of all rows."""
        rows = self.rows(p)
        found = [-rows.by / self.data.deviations[:, None], rows.open_by]
        found.append(-np.diag(self.hold))
        return np.concatenate(found)


class Fitted(NamedTuple):
    """The outcome of a fit.

    Attributes:
        p: values of the parameters.
        seen: measured states at these values.
        rows: the problem there.
        steps: how many were taken.
        cost: sum of squares of measured numbers over their standard deviations.
        weights: how much of each number counts ``(m,)``, 1 unless a robust loss says less.
        arrived: whether the fit has settled.
    """

    p: np.ndarray
    seen: Seen
    rows: Rows
    steps: int
    cost: float
    weights: np.ndarray
    arrived: bool = True


def fit(
    problem: Problem,
    start: np.ndarray,
    *,
    loss: Loss = "linear",
    progress: Progress | None = None,
    most: int = 60,
) -> Fitted:
    """Parameters of least squares.

    Args:
        problem: what is measured and free.
        start: values to begin with.
        loss: of measured numbers: ``"linear"``, or one that outliers count less in.
        progress: called with a share between 0 and 1.
        most: number of steps, at most.
    """
    count = len(problem.data.rows)
    taken = 0

    def jacobian(p: np.ndarray) -> np.ndarray:
        nonlocal taken
        taken += 1
        if progress is not None:
            progress(1.0 - 0.7**taken)
        return problem.jacobian(p)

    problem.rows(start)  # or an error that names what cannot be assembled
    robust: Any = "linear" if loss == "linear" else _robust(loss, count)
    with one_thread():
        found = least_squares(
            problem.residuals,
            start,
            jacobian,
            method="trf",
            x_scale=problem.free.prior,
            ftol=_SETTLED,
            xtol=_SETTLED,
            gtol=_SETTLED,
            loss=robust,
            max_nfev=most,
        )
    rows = problem.rows(found.x)
    weighed = rows.off / problem.data.deviations
    weights = np.ones(count) if loss == "linear" else robust(weighed**2)[1]
    cost, arrived = float(weighed @ weighed), found.status > 0
    return Fitted(found.x, problem.seen(found.x), rows, taken, cost, weights, arrived)


def _robust(loss: Loss, count: int) -> Any:
    """A loss that the first rows feel, those of measured numbers."""

    def rho(z: np.ndarray) -> np.ndarray:
        found = np.stack([z, np.ones_like(z), np.zeros_like(z)])
        own = z[:count]
        if loss == "soft_l1":
            t = 1.0 + own
            found[:, :count] = 2.0 * (np.sqrt(t) - 1.0), t**-0.5, -0.5 * t**-1.5
        elif loss == "cauchy":
            t = 1.0 + own
            found[:, :count] = np.log(t), 1.0 / t, -1.0 / t**2
        else:
            far = own > 1.0
            t = np.where(far, own, 1.0)
            found[0, :count] = np.where(far, 2.0 * np.sqrt(t) - 1.0, own)
            found[1, :count] = np.where(far, t**-0.5, 1.0)
            found[2, :count] = np.where(far, -0.5 * t**-1.5, 0.0)
        return found

    return rho


def _cannot_close(problem: Problem, state: int) -> UnreachablePose:
    """The error that names the measurement whose motors the machine cannot have."""
    data, robot = problem.data, problem.bench.layout.robot
    which = next(k for k in range(data.count) if state in data.states_of(k))
    readings = ", ".join(
        f"{name} {value:.6g}"
        for name, value in zip(robot.motors, problem.bench.readings[state], strict=True)
    )
    return UnreachablePose(
        f"{data.labels[which]}: {robot.name} cannot be assembled with its motors at {readings}",
        hint="Likely: degrees or millimetres, another sign or zero of a motor, another order of "
        "the motors, or a home in another assembly mode.",
        measurement=data.labels[which],
    )
