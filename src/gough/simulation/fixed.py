"""A simulation in fixed steps, with its events."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from math import ceil

import numpy as np

from gough.errors import GoughError, InputError, NoEfforts
from gough.simulation.drive import Drive, Measured
from gough.simulation.events import Advice, Book, Watch, ending
from gough.simulation.plant import Plant, Seen
from gough.simulation.record import Record, replaced, rows
from gough.simulation.result import Event
from gough.simulation.rk4 import Chunk, Rk4, State, careful_step, last_good
from gough.tracing.stepping import POWERS
from gough.tracing.verdict import stands

Progress = Callable[[float], None]


def fitting_step(drive: Drive, step: float, t_end: float) -> tuple[float, int]:
    """A step, at most the one wished for, that meets the end and every instant of a controller."""
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

    def run(
        self, T_0p: np.ndarray, V_r: np.ndarray, h: float, steps: int, progress: Progress | None
    ) -> int:
        """Go on to the end, or until every machine has stopped; returns the steps made."""
        state = self.method.state(T_0p, V_r, np.zeros((len(T_0p), POWERS)))
        self.book = Book(state.seen.energy, state.work, self.watch.small)
        done = 0
        while done < steps and len(self.active):
            count = 1 if self.drive.stateful else min(self.method.chunk.steps, steps - done)
            if self.drive.stateful:
                self.drive.look(done * h, Measured(*state.seen[:4]))
            made = self.method.run(state, done * h, h, count)
            trouble = self._trouble(made, count)
            good = count if trouble is None else trouble
            # the state before the step that is in trouble is recorded, too
            self._put(done, made, good if trouble is None else good + 1)
            state, done = made.state(good), done + good
            self.book.go_on(state.seen.energy, state.work)
            if trouble is not None:
                bad = ~stands(made.doubt[trouble])
                bad |= ~np.isfinite(made.V_r[trouble + 1]).all(axis=1)
                after, tau = made.state(trouble + 1), made.tau[trouble].copy()
                state = self._looked_into(state, after, bad, tau, done * h, h)
                done += 1
            if progress is not None:
                progress(done / steps)
        if len(self.active):
            self._put_last(state, done * h)
        return done

    def _put_last(self, state: State, t: float) -> None:
        """Record the end."""
        now, chunk = Measured(*state.seen[:4]), self.method.chunk
        chunk.begin(state)
        self.drive.look(t, now)
        chunk.tau[0] = self.drive.at(t, now)
        q = self.record.follow(self.active, chunk.seen.q[:1])
        seen = Seen(*(array[:1] for array in chunk.seen))._replace(q=q)
        last = slice(len(self.record.t) - 1, None)
        end = State(seen, chunk.V_r[:1], chunk.work[:1])
        self.record.put(last, self.active, end, chunk.tau[:1])

    def _put(self, first: int, made: Chunk, count: int) -> None:
        """Record states before each of some steps, those whose turn it is."""
        if not count:
            return
        q = self.record.follow(self.active, made.seen.q[:count])
        chosen = slice((-first) % self.stride, count, self.stride)
        begin = -(-first // self.stride)
        seen = Seen(*(array[chosen] for array in made.seen))._replace(q=q[chosen])
        state = State(seen, made.V_r[chosen], made.work[chosen])
        instants = slice(begin, begin + len(state.V_r))
        if len(state.V_r):
            self.record.put(instants, self.active, state, made.tau[chosen])

    def _trouble(self, made: Chunk, count: int) -> int | None:
        """The first step in which something is to be looked into."""
        found = ~stands(made.doubt[:count])
        seen, states = made.seen, slice(count + 1)
        found |= self.watch.crossings(seen.type_2[states], seen.bounded[states])
        after = slice(1, count + 1)
        found |= self.book.broken(seen.energy[after], made.work[after])
        if not found.any():
            return None
        return int(np.flatnonzero(found.any(axis=1))[0])

    def _looked_into(
        self, before: State, after: State, bad: np.ndarray, tau: np.ndarray, t: float, h: float
    ) -> State:
        """A step in which some machines are in doubt, or have crossed something."""
        stopped: dict[int, GoughError | None] = {}
        for i in np.flatnonzero(bad):
            try:
                own = careful_step(self.plant, int(i), before, t, h, self._efforts(int(i), tau))
                counted = self.watch.counted_on(before.seen.bounded[i], own.seen.bounded)
                own = own._replace(seen=own.seen._replace(bounded=counted))
                after = replaced(after, int(i), own)
            except GoughError as err:
                stopped[int(i)] = err
        wrong = self.book.broken(after.seen.energy, after.work)
        wrong |= self.watch.crossed(before.seen, after.seen)
        for i in np.flatnonzero(wrong):
            stopped.setdefault(int(i), None)
        for k, error in stopped.items():
            self._end(k, before, rows(after, [k]), tau, t, h, error)
        if not stopped:
            return after
        keep = np.array([i for i in range(len(self.active)) if i not in stopped], dtype=int)
        self.active = self.active[keep]
        self.plant = self.plant.select(keep)
        self.drive.keep(keep)
        self.book.keep(keep)
        if len(keep):
            self.method = Rk4(self.plant, self.drive, self.watch, len(keep))
        return rows(after, keep)

    def _efforts(
        self, i: int, tau: np.ndarray
    ) -> Callable[[float, Callable[[], Seen]], np.ndarray]:
        """Efforts of one machine within a step; raises what is said where there are none."""

        def efforts(t: float, seen: Callable[[], Seen]) -> np.ndarray:
            own = np.asarray(tau[i])
            if not self.drive.stateful:
                now = Measured(*(a[None] for a in seen()[:4])) if self.drive.looks else None
                found = self.drive.at(t, now)
                own = np.asarray(found if found.ndim == 1 else found[i if len(found) > 1 else 0])
            if not np.isfinite(own).all():
                raise self.drive.missing(self.plant.assembly.robot, t, own)
            return own

        return efforts

    def _end(
        self,
        i: int,
        before: State,
        after: State,
        tau: np.ndarray,
        t: float,
        h: float,
        error: GoughError | None,
    ) -> None:
        """Find when an event happens, and write it down."""
        start, efforts = rows(before, [i]), self._efforts(i, tau)
        book = copy(self.book)
        book.keep(np.array([i]))
        method = Rk4(
            self.plant.select(np.array([i])), _OneOf(efforts, looks=self.drive.looks), self.watch, 1
        )

        def step(part: float) -> State | None:
            try:
                made = method.run(start, t, part, 1)
            except NoEfforts:
                return None
            return made.state(1) if stands(made.doubt[0]).all() else None

        def good(trial: State) -> bool:
            crossed = self.watch.crossed(start.seen, trial.seen)[0]
            return not crossed and not book.broken(trial.seen.energy, trial.work)[0]

        length, found = last_good(step, h, good)
        last = start if found is None else found
        if error is None and self.watch.crossed(start.seen, after.seen)[0]:
            kind, reason = self.watch.sentence(start.seen, after.seen, 0)
        else:
            advice = Advice("rk4", h, 0.0, self.drive.looks or self.drive.stateful)
            kind, reason = ending(self.plant.assembly, error, last.seen, advice)
        self.record.events[int(self.active[i])] = Event(t + length, kind, reason)
        if len(self.record.events) == 1:
            self.record.cut(self._recorded(t, h))
            if length > 0.0:
                self.record.add(t + length, last, tau[i])

    def _recorded(self, t: float, h: float) -> int:
        """Instants recorded up to the step that begins at t."""
        return round(t / h) // self.stride + 1


class _OneOf(Drive):
    """The drive of one machine of several."""

    def __init__(
        self, efforts: Callable[[float, Callable[[], Seen]], np.ndarray], *, looks: bool
    ) -> None:
        self._efforts, self.looks = efforts, looks

    def at(self, t: float, measured: Measured | None) -> np.ndarray:
        """Efforts of this machine."""

        def seen() -> Seen:
            known = {} if measured is None else measured._asdict()
            return _NOTHING._replace(**{name: array[0] for name, array in known.items()})

        return self._efforts(t, seen)


_NOTHING = Seen(*(np.zeros(0),) * len(Seen._fields))
