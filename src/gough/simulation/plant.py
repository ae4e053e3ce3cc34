"""The machine as an integrator sees it: slopes and states, a step from a pose.

Kernels answer; where one is in doubt the NumPy reference has the last word: the answer, or the
named error that becomes an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.geometry.inverse import posed
from gough.geometry.turns import wound_axes
from gough.kernels.compile import find_kernel
from gough.kernels.evaluator import Evaluator
from gough.kernels.kernel import Bound
from gough.kernels.reference import of_one_state
from gough.mobility.assembly import Assembly
from gough.mobility.singular import SINGULAR
from gough.tracing.parameters import NEAR
from gough.tracing.variant import Variant
from gough.tracing.wholes import WHOLE

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
        state = {"T_0p": T_0p, "V_r": V_r, "step": step, "tau": tau}
        found: np.ndarray = self._reference("slope", i, wound, state, _SINGULAR)[0]
        return found

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
        state = {"T_0p": T_0p, "V_r": V_r, "step": step}
        least = SINGULAR if start else _SINGULAR
        return Seen(*self._reference("motion", i, wound, state, least))

    def _reference(
        self,
        quantity: str,
        i: int,
        wound: np.ndarray,
        state: Mapping[str, np.ndarray],
        least: float,
    ) -> Sequence[np.ndarray]:
        given = {**state, **self.near(wound)}
        given |= {name: array[i] for name, array in self.figures.items()}
        names = WHOLE[quantity].input_shapes(self.assembly, self.variant)
        one = of_one_state(self.assembly, quantity, self.variant, least=least)
        return one(*(given[name] for name in names))

    def twist_rates(
        self, T_0p: np.ndarray, V_0p: np.ndarray, wound: np.ndarray, tau: np.ndarray
    ) -> np.ndarray:
        """Twist rates ``(N, K, 6)`` of all machines at instants; NaN where there is none."""
        given = {name: array[:, None] for name, array in self.figures.items()}
        given |= {"T_0p": T_0p, "V_0p": V_0p, "tau": tau, **self.near(wound)}
        direct = Evaluator(self.assembly, "direct_dynamics", self.variant)
        found = np.full(V_0p.shape, np.nan)
        known = np.isfinite(T_0p).all(axis=(2, 3))
        arguments = {
            name: (np.broadcast_to(given[name], known.shape + core)[known], len(core))
            for name, core in direct.inputs.items()
        }
        found[known] = direct(arguments, engine="compiled", on_error="nan").values[0]
        return found
