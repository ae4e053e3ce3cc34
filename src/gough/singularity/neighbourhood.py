"""Poses around a pose, by displacements of its independent coordinates, assembled on its branch.

A displacement is one number for each freedom: metres in units of the declared length, and the
rotation vector from the pose, base axes [rad].  Its length is the distance in the robot's freedoms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gough.errors import UnreachablePose
from gough.geometry.branch import continues
from gough.geometry.closed_form.search import closed_form
from gough.geometry.newton import AssembledState, close_on_branch
from gough.mechanism.mobility.chart import Chart
from gough.mechanism.mobility.newton import freedoms_held
from gough.singularity.state import StateSingularity, at_once

_SLOPE = 1e-6  # displacement of forward differences, natural units: right to 1e-6


@dataclass(frozen=True, eq=False)
class Place:
    """A pose near another.

    Attributes:
        x: displacement ``(n,)``, natural units.
        y: coordinates of the platform, position and rotation vector ``(6,)`` [m, rad].
        look: the machine there.
        twists: basis of the twists that the legs allow, turned as those at the start are.
    """

    x: np.ndarray
    y: np.ndarray
    look: StateSingularity
    twists: np.ndarray

    @property
    def motors(self) -> np.ndarray:
        """Motors' Jacobian in that basis."""
        return np.asarray(self.look.motors @ (self.look.twists.T @ self.twists))

    @property
    def distance(self) -> float:
        """Length of the displacement, natural units."""
        return float(np.linalg.norm(self.x))

    @property
    def signed(self) -> float:
        """Smallest singular value of the motors, with the sign of their determinant."""
        return self.look.signed(self.twists)


class Neighbourhood:
    """Poses around a given state."""

    def __init__(self, look: StateSingularity) -> None:
        self.assembly, self.look = look.assembly, look
        T = look.state.T_0p
        self._chart = Chart(T[:3, :3])
        self._free = list(self.assembly.free)
        # closed forms serve where the rest of the pose stays put
        still = self.assembly.mobility == 6 or self.assembly.constant_Psi is not None
        self._form = closed_form(self.assembly) if still else None
        y = np.concatenate([T[:3, 3], np.zeros(3)])
        self.start = Place(np.zeros(len(self._free)), y, look, look.twists)

    def step(self, here: Place, x: np.ndarray, *, near: bool = False) -> Place | None:
        """The place with a displacement x, continued from one nearby; ``None`` if not reachable.

        No leg may pass a Type 1 singularity on the way; that is not checked with ``near``.
        """
        y, old = here.y.copy(), self.look
        y[self._free] = self.start.y[self._free] + x * old.scales.freedoms
        T = self._chart.pose(y)
        try:
            look = at_once(self.assembly, self._form, T, old.length, old.tolerance)
        except UnreachablePose:
            return None
        if look is None:
            held = freedoms_held(self._chart, self._free)
            found = close_on_branch(self.assembly, held, y, here.look.state.configuration)
            if found is None:
                return None
            y = found.y
            state = AssembledState(self._chart.pose(y), found.configuration)
            look = StateSingularity(self.assembly, state, old.length, old.tolerance)
        if not near and not continues(self.assembly, here.look.state, look.state):
            return None
        if look.type_1 < look.tolerance or look.twists.shape != here.twists.shape:
            return None
        return aligned(Place(x, y, look, look.twists), here)

    def connected(self, here: Place, there: Place) -> bool:
        """Whether no leg has passed a Type 1 singularity between two places."""
        return continues(self.assembly, here.look.state, there.look.state)

    def slopes(self, here: Place) -> np.ndarray | None:
        """Derivative of the motors' Jacobian by each freedom, natural units ``(n, m, r)``."""
        found = []
        for k in range(len(here.x)):
            moved = self.step(here, here.x + _SLOPE * np.eye(len(here.x))[k], near=True)
            if moved is None:
                return None
            found.append((moved.motors - here.motors) / _SLOPE)
        return np.array(found)

    def barrier(self, here: Place) -> np.ndarray | None:
        """Unit displacement away from the Type 1 singularity that is near, ``(n,)``."""
        found = []
        for unit in np.eye(len(here.x)):
            for way in (_SLOPE, -_SLOPE):
                moved = self.step(here, here.x + way * unit, near=True)
                if moved is not None:
                    break
            else:
                return None
            found.append((moved.look.type_1 - here.look.type_1) / way)
        size = np.linalg.norm(found)
        return np.array(found) / size if size > 0.0 else None


def aligned(place: Place, like: Place) -> Place:
    """A place with the basis of twists nearest another's: singular vectors are arbitrary."""
    U, _, Vt = np.linalg.svd(place.look.twists.T @ like.twists)
    return replace(place, twists=place.look.twists @ U @ Vt)
