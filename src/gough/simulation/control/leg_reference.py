"""The legs of a model in a reference motion: where they point, and what moves them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.dynamics.elements.kinematics import ElementState
from gough.kinematics.inverse import moving
from gough.mechanism.mobility.assembly import Assembly
from gough.simulation.control.reference import Wanted


class WantedLegs(NamedTuple):
    """Legs in the reference motion at one instant, base axes.

    Attributes:
        x, xd: directions and their rates ``(k, 3)``.
        w, wd: angular rates and accelerations across them ``(k, 3)``.
        M: rates of directions by those of the robot's freedoms ``(k, 3, n)``, [OZ] (55).
        J_inv: rates of motors by those of the freedoms ``(m, n)``.
    """

    x: np.ndarray
    xd: np.ndarray
    w: np.ndarray
    wd: np.ndarray
    M: np.ndarray
    J_inv: np.ndarray


class LegReference:
    """Legs in a reference motion, each instant worked out once for all runs of a controller."""

    def __init__(self, assembly: Assembly, names: tuple[str, ...]) -> None:
        self.assembly, self.names = assembly, names
        self._known: dict[int, WantedLegs] = {}

    def at(self, t: float, wanted: Wanted) -> WantedLegs:
        """The legs at an instant [s] at which the platform is as wanted."""
        key = round(t * 1e9)  # instants are multiples of a period, rounded
        if key not in self._known:
            self._known[key] = self._found(wanted)
        return self._known[key]

    def _found(self, wanted: Wanted) -> WantedLegs:
        kin = moving(self.assembly, wanted.T_0p, wanted.V_0p, wanted.Vdot_0p)
        here = ElementState(kin)
        M, motion = here.motion_constraints, here.motion.directions
        x = np.array([here.x[name] for name in self.names], dtype=float)
        xd, xdd = (
            np.array([getattr(motion[name], which) for name in self.names], dtype=float)
            for which in ("xd", "xdd")
        )
        return WantedLegs(
            x,
            xd,
            np.cross(x, xd),
            np.cross(x, xdd),
            np.array([M["x", name, 0] for name in self.names], dtype=float),
            np.asarray(kin.J_inv, dtype=float),
        )
