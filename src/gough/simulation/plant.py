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
from gough.dynamics.methods import METHODS
from gough.dynamics.state_loads import StateLoads
from gough.errors import GoughError
from gough.geometry.inverse import posed
from gough.geometry.turns import ONE_WAY, followed, wound_axes
from gough.kernels.compile import find_kernel
from gough.kernels.kernel import Bound
from gough.kinematics.inverse import regular
from gough.kinematics.regularity import check_regular
from gough.mobility.assembly import Assembly
from gough.tracing.parameters import NEAR
from gough.tracing.quantities import posed_by_form
from gough.tracing.settled import reaches_all, settle
from gough.tracing.states import Variant
from gough.tracing.stepping import closing, moved, normed, slope_of, watched_of

POWERS = 4
"""Works that are integrated along: of motors, friction, loads, and what smoothing left out."""

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
        wound: positions of axes whose springs feel how often they have gone round [rad].
    """

    T_0p: np.ndarray
    V_0p: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    bounded: np.ndarray
    type_2: np.ndarray
    closure: np.ndarray
    energy: np.ndarray
    wound: np.ndarray


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
        every = "stiffness" in self.variant.parameters
        self.wound = (
            wound_axes(self.assembly, every=every) if NEAR in self.variant.parameters else []
        )
        names = self.assembly.robot.axis_names
        self._wound = np.array([names.index(name) for name in self.wound], dtype=int)

    def near(self, wound: np.ndarray) -> dict[str, np.ndarray]:
        """The kernels' input that says from where wound axes ``(..., n)`` are followed, if any."""
        if not self.wound:
            return {}
        found = np.zeros((*wound.shape[:-1], len(self.assembly.robot.axis_names)))
        found[..., self._wound] = wound
        return {NEAR: found}

    def wound_at(self, T_0p: np.ndarray) -> np.ndarray:
        """Positions of wound axes at poses ``(N, 4, 4)``, as far from home as the way there is."""
        found = np.zeros((len(T_0p), len(self.wound)))
        for i, T in enumerate(T_0p if self.wound else ()):
            at = posed(self.assembly, T)
            found[i] = [self.assembly.axis_position(at, name) for name in self.wound]
        return found

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
        self,
        i: int,
        T_0p: np.ndarray,
        V_r: np.ndarray,
        step: np.ndarray,
        wound: np.ndarray,
        tau: np.ndarray,
    ) -> np.ndarray:
        """Slope of a machine's state, a step from a pose; raises what is wrong with it."""
        solution, V = self._solved(T_0p, V_r, step, wound)
        method, loads = self.variant.method, self._loads(i)
        found = slope_of(self.assembly, solution, V, step, tau, loads, method)
        return np.asarray(found, dtype=float)

    def twist_rate(
        self, i: int, T_0p: np.ndarray, V: np.ndarray, wound: np.ndarray, tau: np.ndarray
    ) -> np.ndarray:
        """Twist rate of a machine; not numbers where there is none."""
        try:
            solution = self._regular(T_0p, wound)
            method = METHODS[self.variant.method]
            return np.asarray(method.twist_rate(self.assembly, solution, V, tau, self._loads(i)))
        except GoughError:
            return np.full(6, np.nan)

    def _loads(self, i: int) -> StateLoads:
        given = {name: array[i] for name, array in self.figures.items()}
        return self.variant.loads(self.assembly, given)

    def seen(
        self,
        i: int,
        T_0p: np.ndarray,
        V_r: np.ndarray,
        step: np.ndarray,
        wound: np.ndarray,
        *,
        start: bool = False,
    ) -> Seen:
        """State of a machine, a step from a pose; raises what is wrong with it.

        A start may lie where no run goes on: it is shown, and the first step is the event.
        """
        solution, V = self._solved(T_0p, V_r, step, wound, start=start)
        at = solution.equations
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = at.platform
        watched = watched_of(self.assembly, solution, V, self._loads(i), self.wound)
        return Seen(T, np.asarray(V, dtype=float), **watched)

    def _solved(
        self,
        T_0p: np.ndarray,
        V_r: np.ndarray,
        step: np.ndarray,
        wound: np.ndarray,
        *,
        start: bool = False,
    ) -> tuple[Solution, np.ndarray]:
        assembly = self.assembly
        T = moved(T_0p, step)
        if not (assembly.mobility == 6 or reaches_all(assembly)):
            T = self._closed(T)
        T = settle(assembly, T).T_0p
        solution = self._regular(T, wound)
        if not start:
            check_regular(assembly, solution, _SINGULAR)
        return solution, solution.Psi @ (V_r + step[6:])

    def _regular(self, T: np.ndarray, wound: np.ndarray) -> Solution:
        assembly, near = self.assembly, dict(zip(self.wound, wound, strict=True))
        solution = regular(assembly, T, turns=False)
        if not near:
            return solution
        at = followed(assembly, solution.equations, near)
        for name, before in near.items():
            if abs(assembly.axis_position(at, name) - before) > ONE_WAY:
                raise GoughError(f"{assembly.robot.name}: {name} turns too far within a step")
        return assembly.solution(at)

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
