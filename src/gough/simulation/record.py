"""The record of a simulation while it runs: N machines at K instants, not numbers where unknown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.closure.axes import is_turn
from gough.mobility.assembly import Assembly
from gough.simulation.result import Event
from gough.simulation.rk4 import State
from gough.tracing.stepping import POWERS

ARRAYS = ("T_0p", "V_0p", "q", "qd", "tau", "work", "energy", "closure", "wound")


class Record:
    """Arrays that fill up.

    Args:
        assembly: the robot.
        count: machines.
        t: instants to be recorded.
        wound: axes whose springs feel whole turns.
    """

    def __init__(self, assembly: Assembly, count: int, t: np.ndarray, wound: int = 0) -> None:
        m, instants = len(assembly.robot.motors), len(t)
        self.t = t
        self.events: list[Event | None] = [None] * count

        def empty(*core: int) -> np.ndarray:
            return np.full((count, instants, *core), np.nan)

        self.T_0p, self.V_0p = empty(4, 4), empty(6)
        self.q, self.qd, self.tau = empty(m), empty(m), empty(m)
        self.work, self.energy, self.closure = empty(POWERS), empty(2), empty()
        self.wound = empty(wound)
        self.turns = [is_turn(assembly.axes[name]) for name in assembly.robot.motors]
        self._last_q = np.full((count, m), np.nan)

    def put(self, k: slice, which: np.ndarray, state: State, tau: np.ndarray) -> None:
        """Machines ``which`` at instants k; arrays have the instants in front.

        ``follow`` must have been told of the states before.
        """
        seen = state.seen
        for name, value in (
            ("T_0p", seen.T_0p),
            ("V_0p", seen.V_0p),
            ("q", seen.q),
            ("qd", seen.qd),
            ("tau", tau),
            ("work", state.work),
            ("energy", seen.energy),
            ("closure", seen.closure[..., 0]),
            ("wound", seen.wound),
        ):
            getattr(self, name)[which, k] = np.swapaxes(value, 0, 1)

    def follow(self, which: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Motor positions ``(K, N, m)`` with whole turns counted on from the state before."""
        if any(self.turns):
            last = self._last_q[which]
            known = np.concatenate([np.where(np.isfinite(last), last, q[0])[None], q])
            q = np.where(self.turns, np.unwrap(known, axis=0)[1:], q)
        self._last_q[which] = q[-1]
        return q

    def cut(self, instants: int) -> None:
        """Keep some instants only."""
        self.t = self.t[:instants]
        for name in ARRAYS:
            setattr(self, name, getattr(self, name)[:, :instants])

    def forget_unanswered(self) -> None:
        """Leave out instants at which there were no efforts: nothing is known from there on."""
        known = np.isfinite(self.energy).all(axis=2)
        odd = known & ~np.isfinite(self.tau).all(axis=2)
        if len(odd) == 1 and odd[0, -1]:
            self.cut(len(self.t) - 1)
            return
        for name in ARRAYS:
            getattr(self, name)[odd] = np.nan

    def add(self, t: float, state: State, tau: np.ndarray) -> None:
        """One more instant, of a single machine: where an event has stopped it."""
        which = np.array([0])
        seen = state.seen._replace(q=self.follow(which, state.seen.q[None])[0])
        self.t = np.append(self.t, t)
        for name in ARRAYS:
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.full_like(array[:, :1], np.nan)], axis=1))
        last = State(seen, state.V_r, state.work)
        self.put(slice(len(self.t) - 1, None), which, in_front(last), np.atleast_2d(tau)[None])


def in_front(state: State) -> State:
    """A state as one instant of several."""
    seen = type(state.seen)(*(array[None] for array in state.seen))
    return State(seen, state.V_r[None], state.work[None])


def rows(state: State, which: Sequence[int] | np.ndarray) -> State:
    """Some machines of a state."""
    seen = type(state.seen)(*(a[which] for a in state.seen))
    return State(seen, state.V_r[which], state.work[which])


def replaced(state: State, i: int, own: State) -> State:
    """The same machines, but for one."""
    arrays = []
    for many, one in zip(
        (*state.seen, state.V_r, state.work), (*own.seen, own.V_r, own.work), strict=True
    ):
        array = many.copy()
        array[i] = one
        arrays.append(array)
    return State(type(state.seen)(*arrays[:-2]), *arrays[-2:])
