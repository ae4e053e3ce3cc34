"""Fixed steps: the classical Runge-Kutta method of order four, N machines side by side.

In every step the state is counted from the pose at its beginning, so that the method is the usual
one on a small vector.  Steps are taken in chunks; doubts and events are looked for in a whole chunk
at once, and the machines that are concerned are gone through again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from gough.simulation.drive import Drive, Measured
from gough.simulation.events import Watch
from gough.simulation.plant import Plant, Seen
from gough.tracing.stepping import POWERS
from gough.tracing.verdict import stands

_LONGEST, _SHORTEST, _STATES = 64, 4, 1 << 13
"""Steps of a chunk: few for many machines, so that its states stay at hand."""

_BISECTIONS = 40
_STAGES = ((0.0, 1.0, 0.5), (0.5, 2.0, 0.5), (0.5, 2.0, 1.0), (1.0, 1.0, 0.0))
"""Of each stage: share of the step at which it is, its weight, how far the next one goes."""


class State(NamedTuple):
    """N machines at the beginning of a step."""

    seen: Seen
    V_r: np.ndarray
    work: np.ndarray


class Chunk:
    """Steps of N machines: states before, between and after them.

    Attributes:
        steps: how many it holds.
        seen, V_r, work: states, one row more than steps.
        tau: efforts at the beginning of each step.
        doubt: the sum of all in each step.
    """

    def __init__(self, count: int, mobility: int, seen: dict[str, np.ndarray]) -> None:
        self.steps = max(_SHORTEST, min(_LONGEST, _STATES // count))

        def empty(*core: int) -> np.ndarray:
            return np.empty((self.steps + 1, count, *core))

        self.seen = Seen(*(empty(*seen[name].shape[1:]) for name in Seen._fields))
        self.V_r, self.work = empty(mobility), empty(POWERS)
        self.tau, self.doubt = empty(*seen["q"].shape[1:]), empty(2)

    def begin(self, state: State) -> None:
        """Set the first state."""
        for array, value in zip(
            (*self.seen, self.V_r, self.work), (*state.seen, *state[1:]), strict=True
        ):
            array[0] = value

    def state(self, j: int) -> State:
        """The state before step j."""
        seen = Seen(*(array[j].copy() for array in self.seen))
        return State(seen, self.V_r[j].copy(), self.work[j].copy())


class Rk4:
    """The method for N machines.

    Args:
        plant: the machines.
        drive: what drives them.
        watch: knows which axes turn.
        count: N.
    """

    def __init__(self, plant: Plant, drive: Drive, watch: Watch, count: int) -> None:
        self.plant, self.drive, self.watch, self.count = plant, drive, watch, count
        self._slopes, self._motions = plant.bound(count)
        self.size = 6 + plant.assembly.mobility
        self.chunk = Chunk(count, plant.assembly.mobility, self._motions.outputs)
        self._seen_now = [self._motions.outputs[name] for name in Seen._fields]
        # every stage writes into a row of its own, so that they are added up at once
        self._rates = np.zeros((len(_STAGES), count, self.size + POWERS))
        self._doubts = np.zeros((len(_STAGES) + 1, count, 2))
        self._stages = [
            self._slopes.into({"slope": rates, "doubt": doubt})
            for rates, doubt in zip(self._rates, self._doubts[:-1], strict=True)
        ]
        self._weights = np.array([weight / 6.0 for _, weight, _ in _STAGES])

    def state(self, T_0p: np.ndarray, V_r: np.ndarray, work: np.ndarray) -> State:
        """The machines at the start of a run."""
        wound = self.plant.wound_at(T_0p)
        self._from(T_0p, V_r, wound)
        self._motions.inputs["step"][...] = 0.0
        self._motions()
        seen = Seen(*(array.copy() for array in self._seen_now))
        if not stands(self._motions.outputs["doubt"]).all():
            still = np.zeros(self.size)
            states = enumerate(zip(T_0p, V_r, wound, strict=True))
            rows = [self.plant.seen(i, T, v, still, near, start=True) for i, (T, v, near) in states]
            seen = Seen(*(np.stack(parts) for parts in zip(*rows, strict=True)))
        return State(seen, V_r.copy(), work.copy())

    def run(self, state: State, t: float, h: float, steps: int) -> Chunk:
        """Some steps; doubts are noted, not looked into."""
        self.chunk.begin(state)
        for j in range(steps):
            self._step(j, t + j * h, h)
        return self.chunk

    def _step(self, j: int, t: float, h: float) -> None:
        chunk, drive, motions = self.chunk, self.drive, self._motions
        self._from(chunk.seen.T_0p[j], chunk.V_r[j], chunk.seen.wound[j])
        step, efforts = self._slopes.inputs["step"], self._slopes.inputs["tau"]
        looked, size = motions.inputs["step"], self.size
        step.fill(0.0)
        for (share, _, ahead), stage, rates in zip(_STAGES, self._stages, self._rates, strict=True):
            now = self._look(step) if drive.looks else None
            if share == 0.0 or not drive.steady:
                efforts[...] = drive.at(t + share * h, now)
            if share == 0.0:
                chunk.tau[j] = efforts
            stage()
            np.multiply(rates[:, :size], ahead * h, step)
        total = (self._weights @ self._rates.reshape(len(_STAGES), -1)).reshape(self.count, -1)
        total *= h
        looked[...] = total[:, :size]
        motions()
        self._doubts[-1] = motions.outputs["doubt"]
        chunk.doubt[j] = np.add.reduce(self._doubts)
        for array, value in zip(chunk.seen, self._seen_now, strict=True):
            array[j + 1] = value
        if self.watch.turning.any():
            bounded = chunk.seen.bounded
            bounded[j + 1] = self.watch.counted_on(bounded[j], bounded[j + 1])
        np.add(chunk.V_r[j], total[:, 6:size], chunk.V_r[j + 1])
        np.add(chunk.work[j], total[:, size:], chunk.work[j + 1])

    def _look(self, step: np.ndarray) -> Measured:
        """What a controller sees within a step."""
        self._motions.inputs["step"][...] = step
        self._motions()
        return Measured(*(array.copy() for array in self._seen_now[:4]))

    def _from(self, T_0p: np.ndarray, V_r: np.ndarray, wound: np.ndarray) -> None:
        given = {"T_0p": T_0p, "V_r": V_r, **self.plant.near(wound)}
        for kernel in (self._slopes, self._motions):
            for name, array in given.items():
                kernel.inputs[name][...] = array


def careful_step(
    plant: Plant,
    i: int,
    state: State,
    t: float,
    h: float,
    efforts: Callable[[float, Callable[[], Seen]], np.ndarray],
) -> State:
    """One step of machine i by the NumPy reference; raises what is wrong on the way.

    Args:
        plant: the machines.
        i: which one, in the plant and in the state.
        state: at the beginning.
        t: time there.
        h: length of the step.
        efforts: of an instant and a state of this machine alone, worked out if it is asked for.
    """
    T, V_r, wound = state.seen.T_0p[i], state.V_r[i], state.seen.wound[i]
    size = 6 + plant.assembly.mobility
    step, total = np.zeros(size), np.zeros(size + POWERS)
    for share, weight, ahead in (
        (0.0, 1.0, 0.5),
        (0.5, 2.0, 0.5),
        (0.5, 2.0, 1.0),
        (1.0, 1.0, 0.0),
    ):
        tau = efforts(t + share * h, partial(plant.seen, i, T, V_r, step, wound))
        slope = plant.slope(i, T, V_r, step, wound, tau)
        total += weight * slope
        step = ahead * h * slope[:size]
    total *= h / 6.0
    return State(
        plant.seen(i, T, V_r, total[:size], wound),
        V_r + total[6:size],
        state.work[i] + total[size:],
    )


def last_good(
    step: Callable[[float], State | None], h: float, good: Callable[[State], bool]
) -> tuple[float, State | None]:
    """The longest part of a step that can be made and ends well, by bisection: length and state."""
    low, high = 0.0, h
    found: State | None = None
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        trial = step(middle)
        if trial is not None and good(trial):
            low, found = middle, trial
        else:
            high = middle
        if high - low < 1e-9 * h:
            break
    return low, found
