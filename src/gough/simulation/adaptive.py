"""A simulation in steps of its own choice: DOP853, order eight, with its events."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.errors import GoughError, UnreachablePose
from gough.simulation.drive import Drive, Measured
from gough.simulation.events import TOO_SHORT, Book, Watch, ending
from gough.simulation.fixed import Progress
from gough.simulation.plant import POWERS, Plant, Seen
from gough.simulation.record import Record, in_front
from gough.simulation.result import Event
from gough.simulation.rk4 import State, last_good

_FAR = 0.5
"""Cayley vector at which the state is counted from a new pose [rad]."""

_COLLAPSED = 1e-9
"""Steps shorter than this share of the whole are given up."""


_CRAWL, _PATIENCE = 1e-6, 1000
"""Steps shorter than this share of the whole, so many in a row, get nowhere."""


class Adaptive:
    """One machine.

    Args:
        plant: the machine.
        drive: what drives it.
        watch: what stops it.
        record: where it is written.
        rtol: relative tolerance of a step.
        atol: absolute tolerance, natural units.
        largest: longest step [s].
    """

    def __init__(
        self,
        plant: Plant,
        drive: Drive,
        watch: Watch,
        record: Record,
        rtol: float,
        atol: float,
        largest: float,
    ) -> None:
        self.plant, self.drive, self.watch, self.record = plant, drive, watch, record
        self.rtol, self.largest = rtol, largest
        self._slopes, self._motions = plant.bound(1)
        assembly = plant.assembly
        self.size = 6 + assembly.mobility
        length = assembly.length
        # works are integrated along, but do not choose the steps
        self.atol = np.concatenate(
            [
                np.array([length] * 3 + [1.0] * 3) * atol,
                assembly.freedom_scales * atol,
                np.full(POWERS, np.inf),
            ]
        )

    def run(
        self, T_0p: np.ndarray, V_r: np.ndarray, t_end: float, progress: Progress | None
    ) -> int:
        """Go on to the end, or until an event; returns the steps made."""
        self._from(T_0p, V_r, np.zeros(POWERS))
        steps, k, crawled = 0, 0, 0
        t = 0.0
        state = self._state(np.zeros(self.size + POWERS))
        book = Book(state.seen.energy, state.work, self.watch.small)
        stride: float | None = None
        while t < t_end:
            if self.drive.stateful:
                self.drive.look(t, self._measured(state))
            until = self._until(t, t_end)
            if k == 0:
                self._put(0, t, state)
                k = 1
            solver = self._solver(t, until, stride)
            while solver.status == "running":
                before = state
                try:
                    solver.step()
                except GoughError as err:
                    stride = 0.5 * min(solver.h_abs, until - t)
                    if stride < _COLLAPSED * t_end:
                        self._stop(t, state, *ending(self.plant.assembly, err, state.seen.T_0p[0]))
                        return steps
                    self._rebase(state)
                    solver = self._solver(t, until, stride)
                    continue
                if solver.status == "failed":
                    self._stop(
                        t,
                        state,
                        "step",
                        f"{self.plant.assembly.robot.name}: the step has collapsed",
                    )
                    return steps
                steps += 1
                dense = solver.dense_output()
                state = self._state(solver.y, before)
                if book.broken(state.seen.energy, state.work)[0]:
                    self._stop(t, before, *ending(self.plant.assembly, None, before.seen.T_0p[0]))
                    return steps
                if self.watch.crossed(before.seen, state.seen)[0]:
                    self._cross(t, solver.t - t, dense, before, state, k)
                    return steps
                k = self._fill(k, dense, solver.t)
                if k < len(self.record.t) and self.record.t[k] <= solver.t + 1e-12 * t_end:
                    self._put(k, solver.t, state)
                    k += 1
                self.record.follow(_ONE, state.seen.q[None])
                crawled = crawled + 1 if solver.t - t < _CRAWL * t_end else 0
                t, stride = float(solver.t), float(solver.h_abs)
                book.go_on(state.seen.energy, state.work)
                if crawled > _PATIENCE:
                    at = state.seen.T_0p[0]
                    self._stop(t, state, *ending(self.plant.assembly, None, at, TOO_SHORT))
                    return steps
                if np.abs(solver.y[3:6]).max() > _FAR and solver.status == "running":
                    self._rebase(state)
                    solver = self._solver(t, until, stride)
                if progress is not None:
                    progress(t / t_end)
            self._rebase(state)
        return steps

    def _until(self, t: float, t_end: float) -> float:
        """The next instant at which efforts may jump."""
        if not self.drive.stateful or not self.drive.period:
            return t_end
        spans = [self.drive.period]
        jumps = [(np.floor(t / s + 1e-9) + 1.0) * s for s in spans]
        if self.drive.delay:
            period, delay = self.drive.period, self.drive.delay
            jumps.append((np.floor((t - delay) / period + 1e-9) + 1.0) * period + delay)
        return float(min(t_end, *jumps))

    def _solver(self, t: float, until: float, stride: float | None) -> Any:
        from scipy.integrate import DOP853  # noqa: PLC0415  heavy: loaded on first use

        first = None if stride is None else min(stride, until - t, self.largest)
        return DOP853(
            self._slope,
            t,
            self._y,
            until,
            rtol=self.rtol,
            atol=self.atol,
            first_step=first,
            max_step=self.largest,
        )

    def _from(self, T_0p: np.ndarray, V_r: np.ndarray, work: np.ndarray) -> None:
        """Count from a pose."""
        self.T_0p, self.V_r = T_0p, V_r
        for kernel in (self._slopes, self._motions):
            kernel.inputs["T_0p"][0], kernel.inputs["V_r"][0] = T_0p, V_r
        self._y = np.concatenate([np.zeros(self.size), work])

    def _rebase(self, state: State) -> None:
        self._from(state.seen.T_0p[0], state.V_r[0], state.work[0])

    def _state(self, y: np.ndarray, before: State | None = None) -> State:
        seen = self._seen(y[: self.size])
        if before is not None:
            seen = self.watch.continued(before.seen, seen)
        return State(seen, (self.V_r + y[6 : self.size])[None], y[None, self.size :].copy())

    def _seen(self, step: np.ndarray) -> Seen:
        motions = self._motions
        motions.inputs["step"][0] = step
        motions()
        if motions.outputs["doubt"].sum() < 1.0:
            return Seen(*(motions.outputs[name].copy() for name in Seen._fields))
        return Seen(*(a[None] for a in self.plant.seen(0, self.T_0p, self.V_r, step)))

    def _efforts(self, t: float, seen: Seen) -> np.ndarray:
        found = self.drive.at(t, Measured(*seen[:4]) if self.drive.looks else None)
        return np.asarray(found[0] if found.ndim == 2 else found)

    def _measured(self, state: State) -> Measured:
        return Measured(*state.seen[:4])

    def _slope(self, t: float, y: np.ndarray) -> np.ndarray:
        step = y[: self.size]
        tau = self._efforts(t, self._seen(step) if self.drive.looks else _NOTHING)
        slopes = self._slopes
        slopes.inputs["step"][0], slopes.inputs["tau"][0] = step, tau
        slopes()
        found = slopes.outputs["slope"][0]
        if slopes.outputs["doubt"].sum() < 1.0:
            return np.array(found)
        if not np.isfinite(found).all():
            # a trial beyond the reach; the reference would say the same, after a long search
            raise UnreachablePose(f"{self.plant.assembly.robot.name}: a leg cannot follow")
        return self.plant.slope(0, self.T_0p, self.V_r, step, tau)

    def _cross(self, t: float, h: float, dense: Any, before: State, after: State, k: int) -> None:
        """Find when something was crossed, and stop there."""
        length, found = last_good(
            lambda part: self._state(dense(t + part), before),
            h,
            lambda trial: not self.watch.crossed(before.seen, trial.seen)[0],
        )
        last = before if found is None else found
        kind, reason = self.watch.sentence(before.seen, after.seen, 0)
        self._fill(k, dense, t + length)
        self._stop(t + length, last, kind, reason)

    def _fill(self, k: int, dense: Any, until: float) -> int:
        """Record instants of a step that lie before its end; returns the next one."""
        while k < len(self.record.t) and self.record.t[k] < until:
            self._put(k, float(self.record.t[k]), self._state(dense(self.record.t[k])))
            k += 1
        return k

    def _put(self, k: int, t: float, state: State) -> None:
        seen = state.seen._replace(q=self.record.follow(_ONE, state.seen.q[None])[0])
        at = in_front(State(seen, state.V_r, state.work))
        self.record.put(slice(k, k + 1), _ONE, at, self._efforts(t, state.seen)[None, None])

    def _stop(self, t: float, state: State, kind: str, reason: str) -> None:
        self.record.events[0] = Event(t, kind, reason)
        kept = int(np.searchsorted(self.record.t, t, side="right"))
        self.record.cut(kept)
        if not len(self.record.t) or self.record.t[-1] < t:
            self.record.add(t, state, self._efforts(t, state.seen)[None])


_ONE = np.array([0])
_NOTHING = Seen(*(np.zeros(0),) * len(Seen._fields))
