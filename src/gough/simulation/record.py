"""The record of a simulation while it runs: N machines at K instants, not numbers where unknown."""

from __future__ import annotations

import numpy as np

from gough.dynamics.quantities.ports import POWERS
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly
from gough.simulation.plant import State
from gough.simulation.result import Event

_STATE = ("T_0p", "V_0p", "q", "qd", "work", "handed", "energy", "closure", "wound")


class Record:
    """Arrays that fill up.

    Args:
        assembly: the robot.
        count: machines.
        t: instants to be recorded.
        wound: number of axes whose spring efforts depend on whole turns.
    """

    def __init__(self, assembly: Assembly, count: int, t: np.ndarray, wound: int = 0) -> None:
        m, instants = len(assembly.robot.motors), len(t)
        self.t = t
        self.events: list[Event | None] = [None] * count

        def empty(*core: int) -> np.ndarray:
            return np.full((count, instants, *core), np.nan)

        self.T_0p, self.V_0p = empty(4, 4), empty(6)
        self.q, self.qd, self.tau = empty(m), empty(m), empty(m)
        self.work, self.energy, self.closure = empty(POWERS), empty(2), empty(1)
        self.wound, self.handed = empty(wound), empty(1)
        self.turns = [is_turn(assembly.axes[name]) for name in assembly.robot.motors]
        self._last_q = np.full((count, m), np.nan)

    def put(
        self,
        first: int,
        which: np.ndarray,
        states: State,
        tau: np.ndarray,
        every: slice = slice(None),
    ) -> None:
        """Machines ``which`` at instants from the first on; arrays have the instants in front.

        Motors are followed through all states, those of ``every`` are recorded.
        """
        kept = states._replace(q=self.follow(which, states.q)).at(every)
        at = slice(first, first + len(kept.q))
        values = {name: getattr(kept, name) for name in _STATE} | {"tau": tau[every]}
        for name, value in values.items():
            getattr(self, name)[which, at] = np.swapaxes(value, 0, 1)

    def follow(self, which: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Motor positions ``(K, N, m)`` with whole turns counted on from the state before."""
        if any(self.turns):
            last = self._last_q[which]
            known = np.concatenate([np.where(np.isfinite(last), last, q[0])[None], q])
            q = np.where(self.turns, np.unwrap(known, axis=0)[1:], q)
        self._last_q[which] = q[-1]
        return q

    def stop(self, which: int, event: Event, state: State, tau: np.ndarray) -> None:
        """A machine's run ends, in a state ``(1, ...)`` with efforts; a single one's arrays end."""
        self.events[which] = event
        if len(self.events) > 1:
            return
        self._resize(int(np.isfinite(self.energy[0]).all(axis=1).sum()))
        if not len(self.t) or self.t[-1] < event.time:
            self._resize(len(self.t) + 1)
            self.t[-1] = event.time
            last = state.at(None)
            self.put(len(self.t) - 1, np.array([0]), last, np.reshape(tau, (1, 1, -1)))

    def _resize(self, instants: int) -> None:
        """Leave out the last instants, or add some of which nothing is known yet."""
        more = max(instants - len(self.t), 0)
        self.t = np.concatenate([self.t[:instants], np.full(more, np.nan)])
        for name in (*_STATE, "tau"):
            array = getattr(self, name)[:, :instants]
            unknown = np.full((len(array), more, *array.shape[2:]), np.nan)
            setattr(self, name, np.concatenate([array, unknown], axis=1))

    def forget_unanswered(self) -> None:
        """Leave out instants at which there were no efforts: nothing is known from there on."""
        known = np.isfinite(self.energy).all(axis=2)
        odd = known & ~np.isfinite(self.tau).all(axis=2)
        if len(odd) == 1 and odd[0, -1]:
            self._resize(len(self.t) - 1)
            return
        for name in (*_STATE, "tau"):
            getattr(self, name)[odd] = np.nan
