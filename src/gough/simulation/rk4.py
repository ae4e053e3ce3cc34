"""Fixed steps: the classical Runge-Kutta method of order four, N machines side by side.

In every step the state is counted from the pose at its beginning, so that the method is the usual
one on a small vector.  Steps are taken in chunks; doubts and events are checked for a whole chunk
at once, and the machines concerned are integrated again step by step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gough.dynamics.quantities.ports import POWERS
from gough.simulation.drive import Drive, Measured
from gough.simulation.events import Watch
from gough.simulation.plant import SEEN, Plant, State

_LONGEST, _SHORTEST, _STATES = 64, 4, 1 << 13
"""Most and fewest steps of a chunk, and its states: few enough to stay in the cache."""

_BISECTIONS = 40
_STAGES = ((0.0, 1.0, 0.5), (0.5, 2.0, 0.5), (0.5, 2.0, 1.0), (1.0, 1.0, 0.0))
"""Of each stage: share of the step at which it is, its weight, how far the next one goes."""


class Rk4:
    """The method for N machines, in chunks of steps.

    Args:
        plant: the machines.
        drive: what drives them.
        watch: knows which axes turn.
        count: N.

    Attributes:
        steps: how many a chunk holds.
        states: before, between and after them, one row more than steps.
        tau: efforts at the beginning of each step.
        doubt: the sum of all in each step.
    """

    def __init__(self, plant: Plant, drive: Drive, watch: Watch, count: int) -> None:
        self.plant, self.drive, self.watch, self.count = plant, drive, watch, count
        self._groups = [_Group(which, own, count) for which, own in plant.groups(count)]
        mobility = plant.assembly.mobility
        self.steps = max(_SHORTEST, min(_LONGEST, _STATES // count))
        cores = [a.shape[1:] for a in self._groups[0].seen]
        cores += [(mobility,), (POWERS,), (1,)]
        self.states = State(*(np.empty((self.steps + 1, count, *core)) for core in cores))
        self.tau, self.doubt = np.empty_like(self.states.q), np.empty((self.steps + 1, count, 2))
        self._efforts = np.zeros(self.states.q.shape[1:])

    def load(self, plant: Plant) -> None:
        """Go on with the machines under other loads."""
        self.plant = plant
        for group, (_, own) in zip(self._groups, plant.groups(self.count), strict=True):
            group.load(own)

    def run(self, state: State, t: float, h: float, steps: int, until: float = np.inf) -> None:
        """Some steps; doubts are noted, not looked into.

        Args:
            state: at the beginning.
            t: time there [s].
            h: length of a step [s].
            steps: how many.
            until: latest time for which efforts and loads are asked [s].
        """
        for array, value in zip(self.states, state, strict=True):
            array[0] = value
        self.states.handed[: steps + 1] = state.handed  # payloads change between chunks only
        self._until, self._varies = until, self.plant.varies
        for j in range(steps):
            self._step(j, t + j * h, h)

    def state(self, j: int) -> State:
        """The state before step j."""
        return State(*(array[j].copy() for array in self.states))

    def _step(self, j: int, t: float, h: float) -> None:
        drive, states, efforts = self.drive, self.states, self._efforts
        for group in self._groups:
            group.begin(states, j)
        for k, (share, _, ahead) in enumerate(_STAGES):
            now = self._look() if drive.looks else None
            when = min(t + share * h, self._until)
            asked = share == 0.0 or not drive.steady
            if asked:
                efforts[...] = drive.at(when, now)
            if share == 0.0:
                self.tau[j] = efforts
            for group in self._groups:
                group.stage(
                    k, ahead * h, efforts if asked else None, when if self._varies else None
                )
        for group in self._groups:
            group.end(states, self.doubt, j, h)
        if self.watch.turning.any():
            bounded = states.bounded
            bounded[j + 1] = self.watch.counted_on(bounded[j], bounded[j + 1])

    def _look(self) -> Measured:
        """What a controller sees within a step."""
        seen = [np.empty((self.count, *array.shape[1:])) for array in self._groups[0].seen[:4]]
        for group in self._groups:
            for array, value in zip(seen, group.look(), strict=True):
                array[group.which] = value
        return Measured(*seen)


class _Group:
    """Machines that are described in the same freedoms: their kernels, and a step of them.

    Args:
        which: their numbers among all, or a slice of all.
        plant: these machines alone.
        count: of all machines.
    """

    def __init__(self, which: Any, plant: Plant, count: int) -> None:
        self.which, self.plant = which, plant
        own = len(np.arange(count)[which])
        self._slopes, self._motions = (plant.bound(name, own) for name in ("slope", "motion"))
        self.seen = [self._motions.outputs[name] for name in SEEN]
        self.size = 6 + plant.assembly.mobility
        # every stage writes into its own row, so that they are added up at once
        self._rates = np.zeros((len(_STAGES), own, self.size + POWERS))
        self._doubts = np.zeros((len(_STAGES) + 1, own, 2))
        self._stages = [
            self._slopes.into({"slope": rates, "doubt": doubt})
            for rates, doubt in zip(self._rates, self._doubts[:-1], strict=True)
        ]
        self._weights = np.array([weight / 6.0 for _, weight, _ in _STAGES])

    def load(self, plant: Plant) -> None:
        """Go on under other loads."""
        self.plant = plant
        for kernel in (self._slopes, self._motions):
            plant.fill(kernel)

    def begin(self, states: State, j: int) -> None:
        """Fill in the state before step j."""
        which = self.which
        given = {"T_0p": states.T_0p[j][which], "V_r": states.V_r[j][which]}
        given |= self.plant.near(states.wound[j][which])
        for kernel in (self._slopes, self._motions):
            for name, array in given.items():
                kernel.inputs[name][...] = array
        self._slopes.inputs["step"].fill(0.0)

    def stage(self, k: int, ahead: float, efforts: np.ndarray | None, when: float | None) -> None:
        """Stage k, and where the next one is: ``ahead`` [s] along its slope.

        Args:
            k: which stage.
            ahead: time from the beginning of the step to the next stage [s].
            efforts: of all machines; as before if ``None``.
            when: time of the loads, if they vary [s].
        """
        if efforts is not None:
            self._slopes.inputs["tau"][...] = efforts[self.which]
        if when is not None:
            self.plant.fill(self._slopes, when)
        self._stages[k]()
        np.multiply(self._rates[k, :, : self.size], ahead, self._slopes.inputs["step"])

    def look(self) -> list[np.ndarray]:
        """What is measured where the next stage is."""
        self._motions.inputs["step"][...] = self._slopes.inputs["step"]
        self._motions()
        return self.seen[:4]

    def end(self, states: State, doubt: np.ndarray, j: int, h: float) -> None:
        """Add up the stages of step j, and write the state after it."""
        which, size, rates = self.which, self.size, self._rates
        total = (self._weights @ rates.reshape(len(_STAGES), -1)).reshape(rates.shape[1:])
        total *= h
        self._motions.inputs["step"][...] = total[:, :size]
        self._motions()
        self._doubts[-1] = self._motions.outputs["doubt"]
        doubt[j][which] = np.add.reduce(self._doubts)
        for array, value in zip(states, self.seen, strict=False):
            array[j + 1][which] = value
        states.V_r[j + 1][which] = states.V_r[j][which] + total[:, 6:size]
        states.work[j + 1][which] = states.work[j][which] + total[:, size:]


def careful_step(
    plant: Plant,
    i: int,
    state: State,
    t: float,
    h: float,
    drive: Drive,
    until: float = np.inf,
) -> State:
    """One step of machine i by the NumPy reference; raises what is wrong on the way.

    Args:
        plant: the machines.
        i: which one, in the plant and in the state.
        state: at the beginning.
        t: time there.
        h: length of the step.
        drive: of this machine alone.
        until: latest time for which efforts and loads are asked.
    """
    size = 6 + plant.assembly.mobility
    step, total = np.zeros(size), np.zeros(size + POWERS)
    for share, weight, ahead in _STAGES:
        now = None
        if drive.looks:
            now = Measured(*(a[None] for a in plant.by_numpy("motion", i, state, step)[:4]))
        when = min(t + share * h, until)
        tau = drive.at(when, now)
        acting = plant.at(when) if plant.varies else plant
        (slope,) = acting.by_numpy("slope", i, state, step, tau=tau)
        total += weight * slope
        step = ahead * h * slope[:size]
    total *= h / 6.0
    seen = plant.by_numpy("motion", i, state, total[:size])
    counted = state.V_r[i] + total[6:size], state.work[i] + total[size:], state.handed[i]
    return State(*(*seen, *counted))


def last_good(
    step: Callable[[float], State | None], h: float, good: Callable[[State], bool]
) -> tuple[float, State | None]:
    """The longest part of a step that ends in a good state, by bisection: length and state."""
    low, high = 0.0, h
    found: State | None = None
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        trial = step(middle)
        if trial is not None and good(trial):
            low, found = middle, trial
        else:
            high = middle
        if high - low < 1e-9 * h:  # events are known to 1e-9 of a step; 30 bisections
            break
    return low, found
