"""Results of ``gough.simulate``: the motion, its efforts, its energies, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gough.base.result import Result, motion_columns
from gough.dynamics.answers.smoothing import largest_speeds
from gough.dynamics.shared.loads import NO_LOADS, Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.errors import InputError
from gough.robot import Robot
from gough.simulation.summary import lines, lines_of_many
from gough.states.state import State


class Event(NamedTuple):
    """What stopped a simulation.

    Attributes:
        time: when [s].
        kind: ``"type_1"``, ``"type_2"``, ``"reach"``, ``"limits"``, ``"constraint"``, ``"step"``,
            ``"efforts"`` where a controller or function has no answer, ``"frozen"`` where loads
            come to act on a freedom that is frozen, or ``"inertia"`` where some motion has none.
        reason: a sentence.
    """

    time: float
    kind: str
    reason: str

    def __str__(self) -> str:
        return f"stopped at {self.time:.6g} s: {self.reason}"


class Tracking(NamedTuple):
    """How far a controlled machine is from its reference.

    Attributes:
        position: of the platform origin ``(..., K)`` [m].
        rotation: of the platform ``(..., K)`` [rad].
        motors: of the motors, reference less actual ``(..., K, m)`` [rad or m].
    """

    position: np.ndarray
    rotation: np.ndarray
    motors: np.ndarray


@dataclass(frozen=True, eq=False)
class Simulation(Result):
    """A simulated machine, or a batch of them ``(...,)``, at K instants.

    After an event a single machine's arrays end; in a batch they are not numbers from there on.

    Attributes:
        robot: the machine.
        t: instants ``(K,)`` [s].
        T_0p: poses ``(..., K, 4, 4)``; ``V_0p``, ``Vdot_0p``: twists and twist rates.
        tau: motor efforts ``(..., K, m)`` [N or N m].
        q: motor positions ``(..., K, m)``, turns counted; ``qd``: their rates.
        kinetic: energy ``(..., K)`` [J]; ``potential``: of gravity and springs.
        work: work of the motors since the start ``(..., K)`` [J].
        loss: work taken by friction; ``external_work``: work of loads on bodies [J].
        handed_over: energy that came with payloads that were picked up, less what left with those
            put down ``(..., K)`` [J].
        closure: sum of the loops' residuals ``(..., K)``, natural units.
        event: what stopped it, or ``None``; a tuple for a batch.
        reference: the motion that a controller followed, or ``None``.
        tracking: how far from it, or ``None``.
        steps: steps of the integrator.
        smoothing_speeds: over which Coulomb friction was smoothed, of each machine and axis
            ``(..., axes)`` [rad/s or m/s]; not a number where an axis has none.
        missed_loss: that friction would have taken more, were it not smoothed ``(..., K)`` [J].
        findings: what a user should know of the run, in sentences.
        loads: what acted besides motors and gravity.
        inputs: what the run was given, headings and facts: controller, gains, integrator.
    """

    robot: Robot
    t: np.ndarray
    T_0p: np.ndarray
    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    tau: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    work: np.ndarray
    loss: np.ndarray
    external_work: np.ndarray
    handed_over: np.ndarray
    closure: np.ndarray
    event: Any = None
    reference: Any = None
    tracking: Tracking | None = None
    steps: int = 0
    smoothing_speeds: Any = None
    missed_loss: Any = None
    findings: tuple[str, ...] = ()
    loads: Loads | LoadSchedule = NO_LOADS
    inputs: tuple[tuple[str, str], ...] = ()

    @property
    def state(self) -> State:
        """Pose, twist and twist rate at the instants, ``(..., K)``."""
        return State(self.T_0p, self.V_0p, self.Vdot_0p)

    @property
    def smoothing(self) -> dict[str, float]:
        """Speeds that smooth Coulomb friction, by the name of the axis [rad/s or m/s].

        Of axes that have some; of a batch the largest.
        """
        return largest_speeds(self.robot, self.smoothing_speeds)

    @property
    def energy(self) -> np.ndarray:
        """Kinetic and potential energy ``(..., K)`` [J]."""
        return np.asarray(self.kinetic + self.potential)

    @property
    def balance(self) -> np.ndarray:
        """Error of the energy balance ``(..., K)`` [J], zero for exact steps.

        It is the change of energy less works, and less what came with payloads.
        """
        start = self.energy[..., :1]
        came = self.work + self.external_work + self.handed_over
        return np.asarray(self.energy - start - came + self.loss)

    def __repr__(self) -> str:
        lead = self.kinetic.shape[:-1]
        many = f"{int(np.prod(lead))} times " if lead else ""
        end = f", {self.event}" if isinstance(self.event, Event) else ""
        stopped = sum(event is not None for event in self.event) if lead else 0
        end += f", {stopped} of them stopped by events" if stopped else ""
        note = "; see findings" if self.findings else ""
        what = f"{many}{self.t[-1]:g} s, {len(self.t)} instants{end}{note}"
        return f"<Simulation of {self.robot.name!r}: {what}>"

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts: how long, what stopped it, efforts, energy, tracking error."""
        return lines(self) if self.kinetic.ndim == 1 else lines_of_many(self)

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table, by name; of a single simulation."""
        if self.kinetic.ndim != 1:
            raise InputError(
                "a table holds one simulation, this is a batch", hint="Take one: simulation[0]."
            )
        motors = {"tau": self.tau, "q": self.q, "qd": self.qd}
        found = motion_columns(self.robot, self.t, (self.T_0p, self.V_0p), motors)
        for name in (*_ENERGIES, "closure"):
            found[name] = getattr(self, name)
        if self.tracking is not None:
            found["position_error"] = self.tracking.position
            found["rotation_error"] = self.tracking.rotation
        return found

    def __getitem__(self, index: int) -> Simulation:
        """One of a batch, up to where it ended."""
        if self.kinetic.ndim == 1:
            raise InputError("this is a single simulation: it has no parts")
        index = range(len(self.kinetic))[index]
        alone = self.kinetic.ndim == 2
        last = int(np.isfinite(self.kinetic[index]).sum()) if alone else len(self.t)

        def own(array: np.ndarray) -> np.ndarray:
            return np.asarray(array[index][:last] if alone else array[index])

        kept: dict[str, Any] = {name: own(getattr(self, name)) for name in _ARRAYS}
        if self.tracking is not None:
            kept["tracking"] = Tracking(*(own(part) for part in self.tracking))
        kept["smoothing_speeds"] = self.smoothing_speeds[index]
        if isinstance(self.loads, Loads):  # a schedule is the same for all
            kept["loads"] = self.loads.at(index)
        # events of a batch with several axes are in one row
        count = len(self.event) // len(self.kinetic)
        events = self.event[index * count : (index + 1) * count]
        return replace(self, t=self.t[:last], event=events[0] if alone else events, **kept)


_ENERGIES = ("kinetic", "potential", "work", "loss", "external_work", "handed_over")
_ARRAYS = (
    *("T_0p", "V_0p", "Vdot_0p", "tau", "q", "qd"),
    *(*_ENERGIES, "closure", "missed_loss"),
)
