"""The machine as an integrator sees it: slopes and states, a step from a pose.

Kernels answer; where one is in doubt the NumPy reference decides: the answer, or the named error
that becomes an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import OnError
from gough.dynamics.shared.load_arguments import load_inputs
from gough.dynamics.shared.schedule import INSTANT, LoadSchedule
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
        handed: energy that came with payloads since the start, less what left with them [J].
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
    handed: np.ndarray

    @property
    def measured(self) -> Measured:
        """Measurements of a controller."""
        return Measured(*self[:4])

    def at(self, index: Any) -> State:
        """Some of the machines, or of the instants."""
        return State(*(array[index] for array in self))


SEEN = State._fields[:-3]
"""Fields that the kernel of a motion computes; the others are integrated or counted."""


@dataclass(eq=False)
class Plant:
    """N machines of one kind.

    Attributes:
        assembly: the robot.
        variant: which kernel of the dynamics.
        figures: loads and parameters by the kernel's names, ``(N, ...)`` each.
        schedule: how the loads among them change in time, the same for all machines.
    """

    assembly: Assembly
    variant: Variant
    figures: Mapping[str, np.ndarray]
    schedule: LoadSchedule | None = None

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
        return replace(self, figures={k: a[indices] for k, a in self.figures.items()})

    @property
    def varies(self) -> bool:
        """Whether loads change within a step, too."""
        return self.schedule is not None and self.schedule.varies

    def jumps(self, t_end: float) -> list[float]:
        """Times of a run at which loads change [s]."""
        if self.schedule is None:
            return []
        return [float(t) for t in self.schedule.jumps if INSTANT < t <= t_end + INSTANT]

    def loads_at(self, t: Any) -> dict[str, np.ndarray]:
        """Loads of a schedule at times of any shape [s], by the kernel's names."""
        if self.schedule is None:
            return {}
        return {name: array for name, (array, _) in load_inputs(self.schedule.at(t)).items()}

    def at(self, t: float) -> Plant:
        """The machines under the loads of an instant [s]."""
        changed = {
            name: np.broadcast_to(array, self.figures[name].shape)
            for name, array in self.loads_at(t).items()
        }
        return replace(self, figures={**self.figures, **changed}) if changed else self

    def taken_over(self, state: State) -> State:
        """States of other loads under these: velocities stay, payloads bring or take energy."""
        given = {"T_0p": state.T_0p[:, None], "V_r": state.V_r[:, None]}
        energy = self._seen(given, state.wound)[SEEN.index("energy")]
        came = (energy - state.energy).sum(axis=-1, keepdims=True)
        return state._replace(energy=energy, handed=state.handed + came)

    def bound(self, quantity: str, count: int) -> Bound:
        """The kernel of slope or motion with arrays for so many machines, loads filled in."""
        found = find_kernel(self.assembly, quantity, self.variant).bound(count)
        self.fill(found)
        return found

    def fill(self, kernel: Bound, t: float | None = None) -> None:
        """Fill in loads and parameters of a kernel, or the loads of an instant [s]."""
        for name, array in (self.figures if t is None else self.loads_at(t)).items():
            kernel.inputs[name][...] = array

    def repeated(self, quantity: str) -> Repeated:
        """Slope or motion of a single machine, asked again and again; raises what is wrong."""
        asked = Evaluator(self.assembly, quantity, self.variant, self._reference(quantity))
        return Repeated(asked, 1, self.figures)

    def start(self, T_0p: np.ndarray, V_r: np.ndarray) -> State:
        """The machines at the start of a run.

        It may be a state that no step leads beyond: then it is recorded, and the first step ends.
        """
        wound = self.wound_at(T_0p)
        seen = self._seen({"T_0p": T_0p[:, None], "V_r": V_r[:, None]}, wound)
        nothing = np.zeros((len(T_0p), POWERS + 1))
        return State(*(*seen, V_r, nothing[:, :-1], nothing[:, -1:]))

    def _seen(self, given: Mapping[str, np.ndarray], wound: np.ndarray) -> tuple[np.ndarray, ...]:
        """Fields that the kernel of a motion computes, of all machines where they are."""
        step = {"step": np.zeros(6 + self.assembly.mobility)}
        known = np.ones((len(wound), 1), dtype=bool)
        return self._over("motion", {**given, **self.near(wound[:, None]), **step}, known, "raise")

    def twist_rates(
        self,
        t: np.ndarray,
        T_0p: np.ndarray,
        V_0p: np.ndarray,
        wound: np.ndarray,
        tau: np.ndarray,
    ) -> np.ndarray:
        """Twist rates ``(N, K, 6)`` of all machines at instants; NaN where there is none."""
        given = {"T_0p": T_0p, "V_0p": V_0p, "tau": tau, **self.near(wound), **self.loads_at(t)}
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
