"""The machine as an integrator sees it: slopes and states, a step from a pose.

Kernels answer; where one is in doubt the NumPy reference has the last word: the answer, or the
named error that becomes an event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.closure.solution import Solution
from gough.dynamics.loads import Loads
from gough.dynamics.methods import METHODS
from gough.errors import GoughError
from gough.kernels.compile import find_kernel
from gough.kernels.kernel import Bound
from gough.kinematics.inverse import regular
from gough.kinematics.regularity import check_regular
from gough.mobility.assembly import Assembly
from gough.tracing.quantities import posed_by_form
from gough.tracing.settled import reaches_all, settle
from gough.tracing.states import Variant
from gough.tracing.stepping import closing, moved, normed, slope_of, sprung, watched_of

POWERS = 3
"""Works that are integrated along: of the motors, of friction, of loads on bodies."""

_CLOSING_STEPS = 3
_SINGULAR = 2e-3
"""Smallest singular value, natural units, at which a motion is taken to have met a singularity.

Joints then move five hundred times as fast as the platform; no step is short enough much longer.
"""


class Seen(NamedTuple):
    """States of N machines, and what is watched of them.

    Attributes:
        T_0p, V_0p: pose and twist.
        q, qd: positions and rates of the motors, as the kernel counts turns.
        bounded: positions of axes with limits.
        type_2: changes its sign at a Type-2 singularity.
        closure: what the loops are open by, natural units.
        energy: kinetic and potential [J].
    """

    T_0p: np.ndarray
    V_0p: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    bounded: np.ndarray
    type_2: np.ndarray
    closure: np.ndarray
    energy: np.ndarray


@dataclass(eq=False)
class Plant:
    """N machines of one kind.

    Attributes:
        assembly: the robot.
        variant: which kernel of the dynamics.
        figures: loads and parameters by the kernel's names, ``(N, ...)`` each.
    """

    assembly: Assembly
    variant: Variant
    figures: Mapping[str, np.ndarray]

    def __post_init__(self) -> None:
        self._slopes = find_kernel(self.assembly, "slope", self.variant)
        self._motions = find_kernel(self.assembly, "motion", self.variant)
        self.free = list(self.assembly.free)

    def select(self, indices: np.ndarray) -> Plant:
        """Some of the machines."""
        return Plant(self.assembly, self.variant, {k: a[indices] for k, a in self.figures.items()})

    def bound(self, count: int) -> tuple[Bound, Bound]:
        """Kernels of slope and motion with arrays for so many machines, loads filled in."""
        slopes, motions = self._slopes.bound(count), self._motions.bound(count)
        for name, array in self.figures.items():
            slopes.inputs[name][...] = array
            motions.inputs[name][...] = array
        return slopes, motions

    # the reference, one machine at a time

    def slope(
        self, i: int, T_0p: np.ndarray, V_r: np.ndarray, step: np.ndarray, tau: np.ndarray
    ) -> np.ndarray:
        """Slope of a machine's state; raises what is wrong with it."""
        solution, V = self._solved(T_0p, V_r, step)
        method, loads = self.variant.method, self._loads(i)
        found = slope_of(self.assembly, solution, V, step, tau, loads, method)
        return np.asarray(found, dtype=float)

    def twist_rate(self, i: int, T_0p: np.ndarray, V: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Twist rate of a machine; not numbers where there is none."""
        try:
            solution = self._regular(T_0p)
        except GoughError:
            return np.full(6, np.nan)
        method = METHODS[self.variant.method]
        return np.asarray(method.twist_rate(self.assembly, solution, V, tau, self._loads(i)))

    def _loads(self, i: int) -> Loads:
        given = {name: array[i] for name, array in self.figures.items()}
        return self.variant.loads(self.assembly, given)

    def seen(self, i: int, T_0p: np.ndarray, V_r: np.ndarray, step: np.ndarray) -> Seen:
        """State of a machine; raises what is wrong with it."""
        solution, V = self._solved(T_0p, V_r, step)
        at = solution.equations
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = at.platform
        watched = watched_of(self.assembly, solution, V, self._loads(i))
        return Seen(T, np.asarray(V, dtype=float), **watched)

    def _solved(
        self, T_0p: np.ndarray, V_r: np.ndarray, step: np.ndarray
    ) -> tuple[Solution, np.ndarray]:
        assembly = self.assembly
        T = moved(T_0p, step)
        if not (assembly.mobility == 6 or reaches_all(assembly)):
            T = self._closed(T)
        T = settle(assembly, T).T_0p
        solution = self._regular(T)
        check_regular(assembly, solution, _SINGULAR)
        return solution, solution.Psi @ (V_r + step[6:])

    def _regular(self, T: np.ndarray) -> Solution:
        return regular(self.assembly, T, turns=sprung(self.assembly, self.variant))

    def _closed(self, T: np.ndarray) -> np.ndarray:
        """Dependent components brought to where the loops close; as it was, if they do not."""
        found = T
        with np.errstate(all="ignore"):
            for _ in range(_CLOSING_STEPS):
                at, _ = posed_by_form(self.assembly, found)
                try:
                    nearby = self.assembly.equations(found, normed(at.configuration))
                    found = moved(found, closing(self.assembly.solution(nearby)))
                except (GoughError, np.linalg.LinAlgError):
                    return T
                if not np.isfinite(found).all():
                    return T
        return found
