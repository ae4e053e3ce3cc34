"""The machine as an integrator sees it: slopes and states, a step from a pose.

Kernels answer; where one is in doubt the NumPy reference decides: the answer, or the named error
that becomes an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import OnError
from gough.compiler.machine_code.kernel import Bound
from gough.dynamics.quantities import PUBLIC
from gough.dynamics.quantities.parameters import NEAR
from gough.dynamics.quantities.ports import POWERS
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import load_inputs
from gough.dynamics.shared.schedule import INSTANT, LoadSchedule
from gough.errors import GoughError
from gough.evaluation.compile import find_kernel
from gough.evaluation.evaluator import Evaluator
from gough.evaluation.reference import Reference, of_one_state
from gough.evaluation.repeated import Repeated
from gough.geometry.inverse import posed
from gough.geometry.turns import wound_axes
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.freedoms import best_freedoms
from gough.mechanism.mobility.measures import allowed_twists, in_freedoms
from gough.simulation.drive import Measured

POOR, POOR_IN_TROUBLE = 25.0, 12.0
"""Square of the norm of Psi, natural units, from which a machine is described in other freedoms.

Dependent components then move up to five times as fast as the freedoms, and soon without bound: a
step of 1 ms still follows that.  The best freedoms have a norm of at most ``sqrt(1 + n (6 - n))``,
3.2.  Before a step that fails, or meets an event, more than that may be to blame.
"""

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
        stretch: bound on the square of the norm of Psi, natural units.
        V_r: rates of the freedoms in which each machine is described.
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
    stretch: np.ndarray
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
        others: machines that are described in other freedoms than the robot's own, by number: the
            same robot in those.
        keeps: whether the robot's own freedoms are kept, also where they are poor: where they lose
            a direction, the run is to end.
    """

    assembly: Assembly
    variant: Variant
    figures: Mapping[str, np.ndarray]
    schedule: LoadSchedule | None = None
    others: Mapping[int, Assembly] = field(default_factory=dict)
    keeps: bool = False

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
        figures = {k: a[indices] for k, a in self.figures.items()}
        others = {k: self.others[i] for k, i in enumerate(indices.tolist()) if i in self.others}
        return replace(self, figures=figures, others=others)

    def described(self, i: int) -> Assembly:
        """The robot in the freedoms in which machine i is described."""
        return self.others.get(i, self.assembly)

    def groups(self, count: int) -> list[tuple[Any, Plant]]:
        """Machines that are described in the same freedoms: which of N, and a plant of them."""
        if not self.others:
            return [(slice(None), self)]
        alike: dict[tuple[int, ...], list[int]] = {}
        for i in range(count):
            alike.setdefault(self.described(i).free, []).append(i)
        return [
            (np.array(own), replace(self.select(np.array(own)), assembly=robot, others={}))
            for own in alike.values()
            for robot in [self.described(own[0])]
        ]

    def redescribed(self, state: State, limit: float = POOR) -> tuple[Plant, State]:
        """The machines in freedoms that tell their motions, where those in use hardly do.

        Only the description changes: pose, twist and energy stay.  The same plant, if none does.

        Args:
            state: where they are.
            limit: of ``stretch``.
        """
        poor = np.flatnonzero(~(state.stretch[:, 0] <= limit))
        if self.keeps or not len(poor):
            return self, state
        plant = self._better(state.T_0p, poor)
        if plant is self:
            return self, state
        found = plant._at(state.T_0p, state.V_0p, state.wound)
        return plant, state._replace(V_r=found.V_r, type_2=found.type_2, stretch=found.stretch)

    def _better(self, T_0p: np.ndarray, which: np.ndarray) -> Plant:
        """Some machines described in the freedoms that are best where they are."""
        others = dict(self.others)
        for i in which.tolist():
            try:
                at = posed(self.assembly, T_0p[i], turns=False)
            except GoughError:  # the run is about to end there
                continue
            best = best_freedoms([allowed_twists(self.assembly, at)])
            if best != self.described(i).free:
                others[i] = in_freedoms(self.assembly, best, at)
        return self if others == self.others else replace(self, others=others)

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
        energy = self._at(state.T_0p, state.V_0p, state.wound).energy
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
        robot = self.described(0)
        asked = Evaluator(robot, quantity, self.variant, self._reference(quantity, robot))
        return Repeated(asked, 1, self.figures)

    def start(self, T_0p: np.ndarray, V_0p: np.ndarray) -> tuple[Plant, State]:
        """The machines at the start of a run, in freedoms that serve there.

        It may be a state that no step leads beyond: then it is recorded, and the first step ends.
        """
        wound, plant = self.wound_at(T_0p), self
        if not self.keeps and self.assembly.constant_Psi is None:
            stretch = self._at(T_0p, V_0p, wound, "nan").stretch[:, 0]
            plant = self._better(T_0p, np.flatnonzero(~(stretch <= POOR)))
        return plant, plant._at(T_0p, V_0p, wound)

    def _at(
        self, T_0p: np.ndarray, V_0p: np.ndarray, wound: np.ndarray, on_error: OnError = "raise"
    ) -> State:
        """All machines at poses and twists, before any work is done."""
        count = len(T_0p)
        nothing = np.zeros((count, POWERS + 1))
        parts: list[tuple[Any, State]] = []
        for which, own in self.groups(count):
            V_r = V_0p[which][:, list(own.assembly.free)]
            given = {"T_0p": T_0p[which][:, None], "V_r": V_r[:, None]}
            given |= {
                "step": np.zeros(6 + own.assembly.mobility),
                **own.near(wound[which][:, None]),
            }
            known = np.ones((len(V_r), 1), dtype=bool)
            seen = own._over("motion", given, known, on_error)
            parts.append((which, State(*(*seen, V_r, nothing[which, :-1], nothing[which, -1:]))))
        found = State(*(np.zeros((count, *array.shape[1:])) for array in parts[0][1]))
        for which, part in parts:
            for array, value in zip(found, part, strict=True):
                array[which] = value
        return found

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
        found[known] = self._over("forward_dynamics", given, known, "nan")[0]
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
        names = PUBLIC[quantity].input_shapes(self.assembly, self.variant)
        return self._reference(quantity, self.described(i))(*(given[name] for name in names))

    def _reference(self, quantity: str, robot: Assembly) -> Reference:
        return of_one_state(robot, quantity, self.variant, least=_SINGULAR)
