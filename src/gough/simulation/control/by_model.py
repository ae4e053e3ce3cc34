"""What control laws have in common that use a model of the machine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.simulation.control.calls import Calls


class ByModel:
    """A control law that uses a model of the machine."""

    def __init__(self, call: Calls, kp: np.ndarray, kd: np.ndarray) -> None:
        self.call, self.kp, self.kd = call, kp, kd

    def smooth(self, speeds: Mapping[str, float]) -> None:
        """Smooth Coulomb friction over the given speeds, by axis [rad/s or m/s]."""
        self.call = self.call.smoothed(speeds)

    def fresh(self) -> ByModel:
        """The same law, its model with other arrays."""
        return type(self)(self.call.fresh(), self.kp, self.kd)
