"""A simulation in adaptive steps: DOP853, order eight, with its events."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.quantities.ports import POWERS
from gough.dynamics.shared.schedule import INSTANT, just_before
from gough.errors import GoughError, UnreachablePose, reasons
from gough.simulation.drive import Drive
from gough.simulation.events import Advice, EnergyMonitor, Watch, ending
from gough.simulation.fixed import Progress
from gough.simulation.plant import POOR, POOR_IN_TROUBLE, Plant, State
from gough.simulation.record import Record
from gough.simulation.result import Event
from gough.simulation.rk4 import last_good

_FAR = 0.5
"""Cayley vector, or turn of a wound axis, at which the state is counted from a new pose [rad].

Cayley vectors grow without bound towards half a turn, and angles are followed the shorter way.
"""

_COLLAPSED = 1e-9
"""Share of the duration below which a step that fails is not halved again: it ends the run."""


_CRAWL, _PATIENCE = 1e-6, 1000
"""Steps below this share of the duration, so many in a row, end the run: they cover a thousandth.

Before a singularity steps shrink without end, and efforts that jump look the same.
"""


class Adaptive:
    """One machine.

    Args:
        plant: the machine.
        drive: what drives it.
        watch: what stops it.
        record: where it is written.
        which: the record's row.
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
        which: int,
        rtol: float,
        atol: float,
        largest: float,
    ) -> None:
        self.plant, self.drive, self.watch, self.record = plant, drive, watch, record
        self.rtol, self.largest = rtol, largest
        self._advice = Advice("dop853", largest, rtol, drive.looks or drive.stateful)
        self._which = np.array([which])
        self._prepare()
        assembly = plant.assembly
        self.size = 6 + assembly.mobility
        # works are integrated along, but do not choose the steps
        natural = np.append(assembly.scales.twist, assembly.scales.freedoms)
        self.atol = np.append(natural * atol, np.full(POWERS, np.inf))

    def run(self, state: State, t_end: float, progress: Progress | None) -> int:
        """Integrate to the end, or until an event; returns the steps made."""
        self.t, self.t_end, self.steps = 0.0, t_end, 0
        self._next, self._crawled = 0, 0
        self._stride: float | None = None
        self._fault: GoughError | None = None
        self.state, self.book = state, EnergyMonitor(state, self.watch.small)
        self._jumps = self.plant.jumps(t_end)
        self._rebase()
        while self.t < t_end:
            self.drive.look(self.t, self.state.measured)
            if self._next == 0:
                self._put(0.0, self.state)
            if not self._stretch(self._until(self.t, t_end), progress):
                break
            if self._jumps and self.t >= self._jumps[0] - INSTANT:
                self._change(self._jumps.pop(0))
            self._rebase()
        return self.steps

    def _prepare(self) -> None:
        """Make ready what is computed again and again."""
        self._slopes, self._motions = (self.plant.repeated(name) for name in ("slope", "motion"))

    def _change(self, t: float) -> None:
        """Go on under other loads; an instant that is recorded here has the new ones."""
        self.plant = self.plant.at(t)
        self._prepare()
        self.state = self.plant.taken_over(self.state)
        if self._next and abs(self.record.t[self._next - 1] - t) <= INSTANT:
            self._next -= 1
            self.drive.look(self.t, self.state.measured)
            self._put(self.t, self.state)

    def _stretch(self, until: float, progress: Progress | None) -> bool:
        """Integrate to an instant; returns whether no event has stopped it."""
        solver: Any = None
        while solver is None or solver.status == "running":
            try:
                if solver is None:
                    solver = self._solver(until)
                solver.step()
            except GoughError as err:
                if err is self._fault:
                    raise
                if self._redescribe(POOR_IN_TROUBLE):
                    solver = None
                    continue
                tried = (self._stride or np.inf) if solver is None else solver.h_abs
                self._stride = 0.5 * min(tried, until - self.t)
                if self._stride < _COLLAPSED * self.t_end:
                    return self._ended(self.state, self._looked_into(err))
                self._rebase()
                solver = None
                continue
            if solver.status == "failed":
                return self._ended(self.state, None, short=True)
            if not self._accepted(solver):
                if self.record.events[int(self._which[0])] is None:  # in other freedoms, again
                    solver = None
                    continue
                return False
            if self._redescribe(POOR):
                solver = None if solver.status == "running" else solver
            elif self._is_far(solver.y) and solver.status == "running":
                self._rebase()
                solver = None
            if progress is not None:
                progress(self.t / self.t_end)
        return True

    def _redescribe(self, limit: float) -> bool:
        """Go on in other freedoms from the last state, if those in use are poor there."""
        plant, state = self.plant.redescribed(self.state, limit)
        if plant is self.plant:
            return False
        self.plant, self.state = plant, state
        self._prepare()
        self._rebase()
        return True

    def _is_far(self, y: np.ndarray) -> bool:
        """Whether the state must be counted from a new pose."""
        turned = np.abs(self.state.wound - self.base.wound).max(initial=0.0)
        return bool(np.abs(y[3:6]).max() > _FAR or turned > _FAR)

    def _accepted(self, solver: Any) -> bool:
        """Record a step, or end the run at an event in it; returns whether the run continues.

        A step in poor freedoms that would end it is not taken, but made again in others.
        """
        self.steps += 1
        before, dense = self.state, solver.dense_output()
        after = self._state(solver.y, before)
        met = self.book.broken(after)[0] or self.watch.crossed(before, after)[0]
        if met and self._redescribe(POOR_IN_TROUBLE):
            return False
        if self.book.broken(after)[0]:
            return self._ended(before, None)
        if self.watch.crossed(before, after)[0]:
            self._cross(solver.t - self.t, dense, before, after)
            return False
        self._fill(dense, solver.t)
        if self._next < len(self.record.t):
            if self.record.t[self._next] <= solver.t + 1e-12 * self.t_end:
                self._put(solver.t, after)
        self.record.follow(self._which, after.q[None])
        self._crawled = self._crawled + 1 if solver.t - self.t < _CRAWL * self.t_end else 0
        self.t, self.state, self._stride = float(solver.t), after, float(solver.h_abs)
        self.book.go_on(after)
        return self._crawled <= _PATIENCE or self._ended(after, None, short=True)

    def _looked_into(self, error: GoughError) -> GoughError:
        """The reference's error at the last state, where a trial step was out of reach."""
        if not isinstance(error, UnreachablePose):
            return error
        try:
            tau = self._efforts(self.t, self.state)
            acting = self.plant.at(self.t) if self.plant.varies else self.plant
            acting.by_numpy("slope", 0, self.state, np.zeros(self.size), tau=tau)
        except GoughError as err:
            return err
        return error

    def _ended(self, state: State, error: GoughError | None, *, short: bool = False) -> bool:
        """End the run at a state that no step leads beyond."""
        event = ending(self.plant.assembly, error, state, self._advice, short=short)
        self._stop(self.t, state, *event)
        return False

    def _until(self, t: float, t_end: float) -> float:
        """The next instant at which efforts or loads may jump."""
        jumps = [t_end, *self._jumps[:1]]
        if self.drive.stateful and self.drive.period:
            period, delay = self.drive.period, self.drive.delay
            jumps.append((np.floor(t / period + 1e-9) + 1.0) * period)
            if delay:
                jumps.append((np.floor((t - delay) / period + 1e-9) + 1.0) * period + delay)
        return float(min(jumps))

    def _solver(self, until: float) -> Any:
        from scipy.integrate import DOP853  # noqa: PLC0415  heavy: loaded on first use

        stride = self._stride
        first = None if stride is None else min(stride, until - self.t, self.largest)
        return DOP853(
            self._slope,
            self.t,
            np.zeros(self.size + POWERS),
            until,
            rtol=self.rtol,
            atol=self.atol,
            first_step=first,
            max_step=self.largest,
        )

    def _rebase(self) -> None:
        """Count from where the machine is."""
        self.base = self.state
        self._given = {"T_0p": self.base.T_0p, "V_r": self.base.V_r}
        self._given |= self.plant.near(self.base.wound)

    def _state(self, y: np.ndarray, before: State | None = None) -> State:
        counted = self.base.V_r + y[6 : self.size], self.base.work + y[self.size :]
        seen = self._motions(**self._given, step=y[: self.size])
        found = State(*(*seen, *counted, self.base.handed))
        return found if before is None else self.watch.continued(before, found)

    def _efforts(self, t: float, state: State | None) -> np.ndarray:
        """Efforts ``(m,)`` at an instant; a drive with feedback is given the state."""
        return self.drive.at(t, None if state is None else state.measured).reshape(-1)

    def _slope(self, t: float, y: np.ndarray) -> np.ndarray:
        if self._jumps:  # at the change itself efforts and loads are the new ones
            t = min(t, just_before(self._jumps[0]))
        tau = self._efforts(t, self._state(y) if self.drive.looks else None)
        if not np.isfinite(tau).all():
            raise self.drive.missing(self.plant.assembly.robot, t, tau)
        with reasons(False):  # trial steps out of reach need no explanation
            loads = self._loads(t) if self.plant.varies else {}
            found = self._slopes(**self._given, **loads, step=y[: self.size], tau=tau)[0]
        return np.asarray(found[0])

    def _loads(self, t: float) -> dict[str, np.ndarray]:
        """Loads that change within a step; a function of forces that fails ends in its error."""
        try:
            return self.plant.loads_at(t)
        except GoughError as err:
            self._fault = err
            raise

    def _cross(self, h: float, dense: Any, before: State, after: State) -> None:
        """Find the time of an event within a step, and stop there."""
        length, found = last_good(
            lambda part: self._state(dense(self.t + part), before),
            h,
            lambda trial: not self.watch.crossed(before, trial)[0],
        )
        last = before if found is None else found
        kind, reason = self.watch.sentence(before, after, 0)
        self._fill(dense, self.t + length)
        self._stop(self.t + length, last, kind, reason)

    def _fill(self, dense: Any, until: float) -> None:
        """Record instants of a step that lie before its end."""
        while self._next < len(self.record.t) and self.record.t[self._next] < until:
            t = float(self.record.t[self._next])
            self._put(t, self._state(dense(t)))

    def _put(self, t: float, state: State) -> None:
        """Record the next instant."""
        tau = self._efforts(t, state)[None, None]
        self.record.put(self._next, self._which, state.at(None), tau)
        self._next += 1

    def _stop(self, t: float, state: State, kind: str, reason: str) -> None:
        tau = self._efforts(t, state)
        self.record.stop(int(self._which[0]), Event(t, kind, reason), state, tau)
