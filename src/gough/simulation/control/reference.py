"""The motion a controller follows: sampled ahead in one go, with its motors and its weight."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import check_finite, state_arguments
from gough.base.options import options
from gough.dynamics.shared.load_arguments import at_time, check_loads
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.schedule import INSTANT, LoadSchedule
from gough.errors import InputError
from gough.evaluation.evaluator import usual
from gough.functions.dynamics import inverse_dynamics
from gough.functions.kinematics import inverse_kinematics
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.states.state import State

_SOON = 0.01
"""Time between two instants over which turns can be followed by the rates of the motors [s].

A motor would have to change its speed by some 300 rad/s in between to be read on a wrong turn.
"""


class Wanted(NamedTuple):
    """The motion at one instant: platform, motors, efforts against gravity, and the time."""

    T_0p: np.ndarray
    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    weight: np.ndarray
    t: np.ndarray


class Reference:
    """A motion at instants that are known beforehand, or at any other.

    Args:
        model: the machine as the controller knows it.
        motion: to follow: ``motion(t)`` gives a :class:`gough.State`.
        loads: forces and payload that the controller knows of.

    Attributes:
        model, motion, loads: as given.

    Raises:
        InputError: the motion is none.
    """

    def __init__(
        self, model: Robot, motion: Any, loads: Loads | LoadSchedule | None = None
    ) -> None:
        if not callable(motion):
            raise InputError(
                f"motion is a {type(motion).__name__}, expected a motion",
                hint="gough.motion makes them: point_to_point, circle, through, ...",
                argument="motion",
            )
        given = check_loads(assembled(model), loads)
        self.model, self.motion = model, motion
        self.loads = loads if isinstance(loads, LoadSchedule) else given.loads
        self._forget()
        self._states(np.zeros(1))  # or what is wrong with them, before any work is done

    def fresh(self) -> Reference:
        """The same motion, without what was sampled and counted of it."""
        found = copy(self)
        found._forget()
        return found

    def _forget(self) -> None:
        self._times, self._slack = np.zeros(0), 0.0
        self._known: Wanted | None = None
        self._last: tuple[float, np.ndarray, np.ndarray] | None = None

    def prepare(self, times: np.ndarray) -> None:
        """Sample the motion ahead.

        Args:
            times: instants that will be asked for, increasing ``(K,)`` [s].
        """
        self._times, self._known = times, self._sampled(times)
        # just before a change of loads is another instant
        self._slack = min(1e-9 * float(times[-1]), INSTANT) if len(times) else 0.0

    def at(self, t: float) -> Wanted:
        """The motion at an instant [s]."""
        if self._known is not None:
            k = int(np.searchsorted(self._times, t - self._slack))
            if k < len(self._times) and abs(self._times[k] - t) <= self._slack:
                return Wanted(*(array[k] for array in self._known))
        return Wanted(*(array[0] for array in self._sampled(np.array([t]))))

    def _states(self, times: np.ndarray) -> State:
        """States that the motion answers, checked."""
        wanted = self.motion(times)
        if not isinstance(wanted, State):
            raise self._no_states(f"a {type(wanted).__name__}")
        if wanted.shape != times.shape:
            raise self._no_states(f"states of shape {wanted.shape} for {len(times)} instants")
        for name, array in zip(("T_0p", "V_0p", "Vdot_0p"), wanted.arrays, strict=True):
            check_finite(array, f"{name} of the motion")
        return wanted

    def _no_states(self, given: str) -> InputError:
        return InputError(
            f"motion answers {given}, expected a gough.State",
            hint="For t of shape (K,) its shape is (K,), with twists and twist rates; gough.motion "
            "makes such: point_to_point, circle, through, ...",
            argument="motion",
        )

    def _sampled(self, times: np.ndarray) -> Wanted:
        T, V, Vdot = self._states(times).arrays
        q, qd, qdd = self._motors(times, T, V, Vdot)
        weight = replace(at_time(self.loads, times), friction=False)
        with options(engine="compiled"):
            held = inverse_dynamics(self.model, T, loads=weight)
        return Wanted(T, V, Vdot, q, qd, qdd, np.asarray(held), times)

    def _motors(
        self, times: np.ndarray, T: np.ndarray, V: np.ndarray, Vdot: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions, rates and accelerations of the motors, whole turns counted along time."""
        assembly = assembled(self.model)
        arguments = state_arguments(T_0p=T, V_0p=V, Vdot_0p=Vdot)
        q, qd, qdd, *_ = usual(assembly, "motor_motion")(arguments, engine="compiled").values
        if self._last is not None and abs(times[0] - self._last[0]) < _SOON:
            before, position, rate = self._last
            first = position + 0.5 * (rate + qd[0]) * (times[0] - before)
        else:
            first = np.asarray(inverse_kinematics(self.model, T[0]))
        turns = [is_turn(assembly.axes[name]) for name in self.model.motors]
        q = np.where(turns, _unwrapped(times, q, qd, first), q)
        self._last = (float(times[-1]), q[-1], qd[-1])
        return q, qd, qdd


def _unwrapped(times: np.ndarray, q: np.ndarray, qd: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Angles ``(K, m)`` on the turns that follow from the rates, instant by instant [rad]."""
    steps = 0.5 * (qd[1:] + qd[:-1]) * np.diff(times)[:, None]
    gone = np.concatenate([np.zeros_like(qd[:1]), np.cumsum(steps, axis=0)])
    q = np.unwrap(q - gone, axis=0) + gone
    return np.asarray(q + 2.0 * np.pi * np.round((first - q[0]) / (2.0 * np.pi)))
