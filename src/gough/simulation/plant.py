"""The machine as an integrator sees it: slopes and states, a step from a pose.

Kernels answer; where one is in doubt the NumPy reference decides: the answer, or the named error
that becomes an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import OnError
from gough.geometry.inverse import posed
from gough.geometry.turns import wound_axes
from gough.kernels.compile import find_kernel
from gough.kernels.evaluator import Evaluator
from gough.kernels.kernel import Bound
from gough.kernels.reference import Reference, of_one_state
from gough.kernels.repeated import Repeated
from gough.kernels.tracing.from_pose import FROM_POSE
from gough.kernels.tracing.integration_quantities import POWERS
from gough.kernels.tracing.parameters import NEAR
from gough.kernels.tracing.variant import Variant
from gough.mechanism.mobility.assembly import Assembly
from gough.simulation.drive import Measured

_SINGULAR = 2e-3
"""Smallest singular value, natural units, at which a motion is taken to have met a singularity.

Joints then move five hundred times as fast as the platform, and soon no step is short enough.
"""


class State(NamedTuple):
    """States of N machines with the figures that are monitored; instants may be in front.

    Attributes:
        T_0p, V_0p: pose and twist, base axes.
        q, qd: positions and rates of the motors, as the kernel counts turns.
        bounded: positions of axes with limits.
        type_2: changes its sign at a Type 2 singularity.
        closure: sum of the loops' residuals, natural units.
        energy: kinetic and potential [J].
        wound: positions of axes whose spring efforts depend on whole turns [rad].
        V_r: rates of the robot's freedoms.
        work: of motors, friction and loads since the start, and what friction has missed [J].
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
    V_r: np.ndarray
    work: np.ndarray

    @property
    def measured(self) -> Measured:
        """Measurements of a controller."""
        return Measured(*self[:4])

    def at(self, index: Any) -> State:
        """Some of the machines, or of the instants."""
        return State(*(array[index] for array in self))


SEEN = State._fields[:-2]
"""Fields that the kernel of a motion computes; the others are integrated."""


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
        every = "stiffness" in self.variant.parameters
        self.wound = (
            wound_axes(self.assembly, every=every) if NEAR in self.variant.parameters else []
        )
        names = self.assembly.robot.axis_names
        self._wound = np.array([names.index(name) for name in self.wound], dtype=int)

    def near(self, wound: np.ndarray) -> dict[str, np.ndarray]:
        """Input of the kernels with the angles from which wound axes ``(..., n)`` are followed."""
        if not self.wound:
            return {}
        found = np.zeros((*wound.shape[:-1], len(self.assembly.robot.axis_names)))
        found[..., self._wound] = wound
        return {NEAR: found}

    def wound_at(self, T_0p: np.ndarray) -> np.ndarray:
        """Positions of wound axes at poses ``(N, 4, 4)``, turns counted on the way from home."""
        found = np.zeros((len(T_0p), len(self.wound)))
        for i, T in enumerate(T_0p if self.wound else ()):
            at = posed(self.assembly, T)
            found[i] = [self.assembly.axis_position(at, name) for name in self.wound]
        return found

    def select(self, indices: np.ndarray) -> Plant:
        """Some of the machines."""
        return Plant(self.assembly, self.variant, {k: a[indices] for k, a in self.figures.items()})

    def bound(self, quantity: str, count: int) -> Bound:
        """The kernel of slope or motion with arrays for so many machines, loads filled in."""
        found = find_kernel(self.assembly, quantity, self.variant).bound(count)
        for name, array in self.figures.items():
            found.inputs[name][...] = array
        return found

    def repeated(self, quantity: str) -> Repeated:
        """Slope or motion of a single machine, asked again and again; raises what is wrong."""
        asked = Evaluator(self.assembly, quantity, self.variant, self._reference(quantity))
        return Repeated(asked, 1, self.figures)

    def start(self, T_0p: np.ndarray, V_r: np.ndarray) -> State:
        """The machines at the start of a run.

        It may be a state that no step leads beyond: then it is recorded, and the first step ends.
        """
        wound = self.wound_at(T_0p)
        given = {"T_0p": T_0p[:, None], "V_r": V_r[:, None], **self.near(wound[:, None])}
        given["step"] = np.zeros(6 + self.assembly.mobility)
        seen = self._over("motion", given, np.ones((len(T_0p), 1), dtype=bool), "raise")
        return State(*(*seen, V_r, np.zeros((len(T_0p), POWERS))))

    def twist_rates(
        self, T_0p: np.ndarray, V_0p: np.ndarray, wound: np.ndarray, tau: np.ndarray
    ) -> np.ndarray:
        """Twist rates ``(N, K, 6)`` of all machines at instants; NaN where there is none."""
        given = {"T_0p": T_0p, "V_0p": V_0p, "tau": tau, **self.near(wound)}
        found = np.full(V_0p.shape, np.nan)
        known = np.isfinite(T_0p).all(axis=(2, 3))
        found[known] = self._over("direct_dynamics", given, known, "nan")[0]
        return found

    def _over(
        self, quantity: str, states: Mapping[str, np.ndarray], known: np.ndarray, on_error: OnError
    ) -> tuple[np.ndarray, ...]:
        """Answers in all states ``(N, K)`` that are known, one after the other."""
        asked = Evaluator(self.assembly, quantity, self.variant)
        given = {name: array[:, None] for name, array in self.figures.items()} | dict(states)
        arguments = {
            name: (np.broadcast_to(given[name], known.shape + core)[known], len(core))
            for name, core in asked.inputs.items()
        }
        return asked(arguments, engine="compiled", on_error=on_error).values

    def by_numpy(
        self, quantity: str, i: int, state: State, step: np.ndarray, **efforts: np.ndarray
    ) -> Sequence[np.ndarray]:
        """Slope or motion of machine i, a step from a state; raises what is wrong with it."""
        given = {"T_0p": state.T_0p[i], "V_r": state.V_r[i], "step": step, **efforts}
        given |= self.near(state.wound[i])
        given |= {name: array[i] for name, array in self.figures.items()}
        names = FROM_POSE[quantity].input_shapes(self.assembly, self.variant)
        return self._reference(quantity)(*(given[name] for name in names))

    def _reference(self, quantity: str) -> Reference:
        return of_one_state(self.assembly, quantity, self.variant, least=_SINGULAR)
