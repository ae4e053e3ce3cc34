"""A simulation in fixed steps, with its events."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from math import ceil
from typing import NamedTuple

import numpy as np

from gough.base.conditions import is_valid
from gough.errors import GoughError, InputError, NoEfforts
from gough.robot import Robot
from gough.simulation.drive import Drive, Measured
from gough.simulation.events import Advice, EnergyMonitor, Watch, ending
from gough.simulation.plant import POOR, POOR_IN_TROUBLE, Plant, State
from gough.simulation.record import Record
from gough.simulation.result import Event
from gough.simulation.rk4 import Rk4, careful_step, last_good
from gough.simulation.stretches import Stretch, stretches

Progress = Callable[[float], None]


def fitting_step(drive: Drive, step: float, t_end: float) -> tuple[float, int]:
    """The largest step up to ``step`` [s] that meets the end and all instants of a controller.

    Returns:
        The step, and the number of steps.  Shares of 1e-9 and 1e-6 are rounding of given times.
    """
    spans = [s for s in (drive.period, drive.delay) if s]
    if not spans:
        count = max(1, ceil(t_end / step - 1e-9))
        return t_end / count, count
    unit = spans[0] / max(1, ceil(spans[0] / step - 1e-9))
    for part in range(1, 201):
        h = unit / part
        if all(abs(s / h - round(s / h)) < 1e-6 for s in spans):
            return h, max(1, ceil(t_end / h - 1e-9))
    raise InputError(
        f"a period of {drive.period:g} s and a delay of {drive.delay:g} s have no common step",
        hint="Choose a delay that is a simple share of the period.",
        argument="delay",
    )


class Fixed:
    """One run.

    Args:
        plant: the machines.
        drive: what drives them.
        watch: what stops them.
        record: where it is written.
        stride: steps from one recorded instant to the next.
    """

    def __init__(
        self, plant: Plant, drive: Drive, watch: Watch, record: Record, stride: int
    ) -> None:
        self.plant, self.drive, self.watch, self.record = plant, drive, watch, record
        self.stride = stride
        self.active = np.arange(len(record.events))
        self.method = Rk4(plant, drive, watch, len(self.active))

    def run(self, state: State, h: float, steps: int, progress: Progress | None) -> int:
        """Integrate to the end, or until every machine has stopped; returns the steps made."""
        self.book = EnergyMonitor(state, self.watch.small)
        end, made = steps * h, 0
        for part in stretches(h, steps, self.plant.jumps(end)):
            if not len(self.active):
                break
            if part.changes:
                self.plant = self.plant.at(part.t)
                self.method.load(self.plant)
                state = self.plant.taken_over(state)
            state, more = self._along(part, state, end, progress)
            made += more
        if len(self.active):
            self._put_last(state, end)
        return made

    def _along(
        self, part: Stretch, state: State, end: float, progress: Progress | None
    ) -> tuple[State, int]:
        """Steps of a stretch, until every machine has stopped: the last state, and how many."""
        done, h = 0, part.h
        while done < part.steps and len(self.active):
            method, t = self.method, part.t + done * h
            count = 1 if self.drive.stateful else min(method.steps, part.steps - done)
            if self.drive.stateful:
                self.drive.look(t, state.measured)
            method.run(state, t, h, count, part.until)
            good = self._good(count)
            if part.first is not None:
                # the state before the step that is in trouble is recorded, too
                self._put(part.first + done, min(good + 1, count))
            state, done = method.state(good), done + good
            self.book.go_on(state)
            state, other = self._redescribed(state, POOR if good == count else POOR_IN_TROUBLE)
            if good < count and not other:
                bad = ~is_valid(method.doubt[good])
                bad |= ~np.isfinite(method.states.V_r[good + 1]).all(axis=1)
                after, tau = method.state(good + 1), method.tau[good].copy()
                step = _Step(part.t + done * h, h, part.until)
                state = self._looked_into(state, after, bad, tau, step)
                done += 1
            if progress is not None:
                progress((part.t + done * h) / end)
        return state, done

    def _redescribed(self, state: State, limit: float) -> tuple[State, bool]:
        """Go on in other freedoms where those in use are poor; whether any machine does."""
        plant, state = self.plant.redescribed(state, limit)
        if plant is self.plant:
            return state, False
        self.plant = plant
        self.method = Rk4(plant, self.drive, self.watch, len(self.active))
        return state, True

    def _put_last(self, state: State, t: float) -> None:
        """Record the end."""
        self.drive.look(t, state.measured)
        tau = np.broadcast_to(self.drive.at(t, state.measured), state.q.shape)
        self.record.put(len(self.record.t) - 1, self.active, state.at(None), tau[None])

    def _put(self, first: int, count: int) -> None:
        """Record those states before some steps that are at recorded instants."""
        states, tau = self.method.states.at(slice(count)), self.method.tau[:count]
        chosen = slice((-first) % self.stride, None, self.stride)
        self.record.put(-(-first // self.stride), self.active, states, tau, chosen)

    def _good(self, count: int) -> int:
        """Number of good steps before one that must be checked."""
        states = self.method.states
        before, after = states.at(slice(count)), states.at(slice(1, count + 1))
        found = ~is_valid(self.method.doubt[:count])
        found |= self.watch.crossed(before, after) | self.book.broken(after)
        if not self.plant.keeps:
            found |= after.stretch[..., 0] > POOR
        return int(np.flatnonzero(np.append(found.any(axis=1), True))[0])

    def _looked_into(
        self, before: State, after: State, bad: np.ndarray, tau: np.ndarray, step: _Step
    ) -> State:
        """Repeat a step in which some machines are in doubt, or have met an event."""
        stopped: dict[int, GoughError | None] = {}
        for i in np.flatnonzero(bad):
            try:
                drive = self._drive_of(int(i), tau)
                own = careful_step(self.plant, int(i), before, step.t, step.h, drive, step.until)
                own = self.watch.continued(before.at(i), own)
                for array, value in zip(after, own, strict=True):
                    array[i] = value
            except GoughError as err:
                stopped[int(i)] = err
        wrong = self.book.broken(after) | self.watch.crossed(before, after)
        for i in np.flatnonzero(wrong):
            stopped.setdefault(int(i), None)
        for k, error in stopped.items():
            self._end(k, before, after.at([k]), tau, step, error)
        if not stopped:
            return after
        keep = np.array([i for i in range(len(self.active)) if i not in stopped], dtype=int)
        self.active = self.active[keep]
        self.plant = self.plant.select(keep)
        self.drive.keep(keep)
        self.book.keep(keep)
        if len(keep):
            self.method = Rk4(self.plant, self.drive, self.watch, len(keep))
        return after.at(keep)

    def _drive_of(self, i: int, tau: np.ndarray) -> _OneOf:
        return _OneOf(self.drive, self.plant.assembly.robot, i, tau[i])

    def _end(
        self,
        i: int,
        before: State,
        after: State,
        tau: np.ndarray,
        along: _Step,
        error: GoughError | None,
    ) -> None:
        """Find the time of an event, and record it."""
        t, h, until = along
        start, only = before.at([i]), np.array([i])
        book = copy(self.book)
        book.keep(only)
        method = Rk4(self.plant.select(only), self._drive_of(i, tau), self.watch, 1)

        def step(part: float) -> State | None:
            try:
                method.run(start, t, part, 1, until)
            except NoEfforts:
                return None
            return method.state(1) if is_valid(method.doubt[0]).all() else None

        def good(trial: State) -> bool:
            return not self.watch.crossed(start, trial)[0] and not book.broken(trial)[0]

        length, found = last_good(step, h, good)
        last = start if found is None else found
        if error is None and self.watch.crossed(start, after)[0]:
            kind, reason = self.watch.sentence(start, after, 0)
        else:
            advice = Advice("rk4", h, 0.0, self.drive.looks or self.drive.stateful)
            kind, reason = ending(self.plant.assembly, error, last, advice)
        self.record.stop(int(self.active[i]), Event(t + length, kind, reason), last, tau[i])


class _Step(NamedTuple):
    """A step: its time, its length, and the latest time for which efforts and loads are asked."""

    t: float
    h: float
    until: float


class _OneOf(Drive):
    """The drive of one machine of several, within a step; raises if there are no efforts.

    Args:
        drive: of all machines.
        robot: the machine.
        i: which one.
        tau: its efforts at the beginning of the step.
    """

    def __init__(self, drive: Drive, robot: Robot, i: int, tau: np.ndarray) -> None:
        self._drive, self._robot, self._i, self._tau = drive, robot, i, tau
        self.looks = drive.looks

    def at(self, t: float, measured: Measured | None) -> np.ndarray:
        """Efforts of this machine."""
        own = self._tau
        if not self._drive.stateful:
            found = self._drive.at(t, measured)
            own = found if found.ndim == 1 else found[self._i if len(found) > 1 else 0]
        if not np.isfinite(own).all():
            raise self._drive.missing(self._robot, t, own)
        return np.asarray(own)
