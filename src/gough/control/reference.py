"""The motion a controller follows: sampled ahead in one go, with its motors and its weight."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.errors import InputError
from gough.kernels.functions import (
    inverse_acceleration,
    inverse_dynamics,
    inverse_geometry,
    inverse_velocity,
)
from gough.robot import Robot


class Wanted(NamedTuple):
    """The motion at one instant: platform, motors, and efforts against gravity."""

    T_0p: np.ndarray
    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    weight: np.ndarray


class Reference:
    """A motion at instants that are known beforehand, or at any other.

    Args:
        model: the machine as the controller knows it.
        motion: what it shall do: ``motion(t)`` gives poses, twists and twist rates.
        payload: a body fixed to the platform, as the controller knows it.
    """

    def __init__(self, model: Robot, motion: Any, payload: Any = None) -> None:
        if not callable(motion):
            raise InputError(
                f"motion is a {type(motion).__name__}, expected a motion",
                hint="gough.motion makes them: point_to_point, circle, through, ...",
                argument="motion",
            )
        self.model, self.motion, self.payload = model, motion, payload
        self._times = np.zeros(0)
        self._known: Wanted | None = None

    def prepare(self, times: np.ndarray) -> None:
        """Sample the motion ahead."""
        self._times, self._known = times, self._sampled(times)

    def at(self, t: float) -> Wanted:
        """The motion at an instant."""
        if self._known is not None:
            k = int(np.searchsorted(self._times, t - self._slack))
            if k < len(self._times) and abs(self._times[k] - t) <= self._slack:
                return Wanted(*(array[k] for array in self._known))
        return Wanted(*(array[0] for array in self._sampled(np.array([t]))))

    @cached_property
    def _slack(self) -> float:
        return 1e-9 * float(self._times[-1]) if len(self._times) else 0.0

    def _sampled(self, times: np.ndarray) -> Wanted:
        T, V, Vdot = self.motion(times)
        still = np.zeros_like(V)
        robot = self.model
        engine: dict[str, Any] = {"engine": "compiled"}
        weight = {"payload": self.payload, "friction": False, **engine}
        return Wanted(
            T,
            V,
            Vdot,
            np.asarray(inverse_geometry(robot, T, **engine)),
            np.asarray(inverse_velocity(robot, T, V, **engine)),
            np.asarray(inverse_acceleration(robot, T, V, Vdot, **engine)),
            np.asarray(inverse_dynamics(robot, T, still, still, **weight)),
        )
