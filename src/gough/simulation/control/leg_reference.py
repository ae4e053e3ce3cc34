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
        x, xd, xdd: directions, their rates and accelerations ``(k, 3)``.
        w, wd: angular rates and accelerations across them ``(k, 3)``.
        M: rates of directions by those of the robot's freedoms ``(k, 3, n)``, [OZ] (55).
        J_inv: rates of motors by those of the freedoms ``(m, n)``.
    """

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
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
            xdd,
            np.cross(x, xd),
            np.cross(x, xdd),
            np.array([M["x", name, 0] for name in self.names], dtype=float),
            np.asarray(kin.J_inv, dtype=float),
        )


def between(
    before: WantedLegs, after: WantedLegs, span: float, t: float
) -> tuple[np.ndarray, np.ndarray]:
    """Directions and angular rates ``(k, 3)`` a time after the first of two instants.

    The polynomials of degree five that both agree with in place, rate and acceleration.
    """
    c0, c1, c2 = before.x, span * before.xd, 0.5 * span**2 * before.xdd
    d0, d1 = after.x - c0 - c1 - c2, span * after.xd - c1 - 2.0 * c2
    d2 = 0.5 * span**2 * after.xdd - c2
    rest = (10.0 * d0 - 4.0 * d1 + d2, -15.0 * d0 + 7.0 * d1 - 2.0 * d2, 6.0 * d0 - 3.0 * d1 + d2)
    s, c = t / span, (c0, c1, c2, *rest)
    x = sum((each * s**i for i, each in enumerate(c)), np.zeros(3))
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    xd = sum((i * each * s ** (i - 1) for i, each in enumerate(c) if i), np.zeros(3)) / span
    return x, np.cross(x, xd)
