"""The data of figures: a motion with its efforts, from an analysis or from a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.analysis.result import Analysis
from gough.analysis.sizing import Sizing, size
from gough.analysis.track import follow
from gough.dynamics.answers.motor_side import MotorSide, motor_side
from gough.errors import InputError
from gough.mechanism.mobility.assembly import assembled
from gough.motion import Samples
from gough.robot import Robot
from gough.states.state import State

_LEAP = 100.0
"""Ratio of kinetic energies from which the last sample is taken to be at a singularity.

Rates grow without bound there, and would flatten all curves.
"""

_WORKS = (
    *("work of the motors", "lost to friction"),
    *("work of external loads", "came with the payload"),
)
"""What changes the energy, in the order of :func:`_energies`."""


@dataclass(frozen=True, eq=False)
class Course:
    """A motion of K samples with its efforts.

    Attributes:
        robot: the machine.
        t: times ``(K,)`` [s].
        state: pose, twist and twist rate of the samples, ``(K,)``.
        qd, tau: rates and efforts of the motors at the axes ``(K, m)``.
        motor: torque, speed and power on their shafts.
        energies: curves of the energy balance by name ``(K,)`` [J]; potential and changes since the
            first sample.
        residual: error of the energy balance ``(K,)`` [J].
        sizing: figures of every motor.
    """

    robot: Robot
    t: np.ndarray
    state: State
    qd: np.ndarray
    tau: np.ndarray
    motor: MotorSide
    energies: dict[str, np.ndarray]
    residual: np.ndarray
    sizing: tuple[Sizing, ...]

    @property
    def power(self) -> np.ndarray:
        """Of the motors at the axes ``(K, m)`` [W]."""
        return np.asarray(self.tau * self.qd)

    @property
    def good(self) -> np.ndarray:
        """Indices of the samples that are not refused."""
        return np.flatnonzero(np.isfinite(self.tau).all(axis=1))


def of_analysis(found: Analysis) -> Course:
    """The course of an analysed motion."""
    book = found.balance
    return Course(
        found.robot,
        found.t,
        found.state,
        found.qd,
        found.tau,
        found.motor,
        _energies(
            *(found.energy.kinetic, found.energy.potential),
            *(book.work, book.loss, book.external_work, book.handed_over),
        ),
        book.residual,
        found.sizing,
    )


def of_simulation(found: Any) -> Course:
    """The course of a simulated motion."""
    if np.ndim(found.kinetic) != 1:
        raise InputError(
            f"a report shows one simulation, this is a batch of shape {np.shape(found.kinetic)}",
            hint="Take one: simulation[0].",
            argument="simulation",
        )
    robot, n = found.robot, _meaningful(found)
    if n < 2:
        raise InputError(
            "the simulation has one sample: there is nothing to draw",
            hint=str(found.event) if found.event is not None else "",
            argument="simulation",
        )
    track = Samples(found.t, State(found.T_0p, found.V_0p, found.Vdot_0p)).at(slice(n))
    qd, tau, kinetic, potential = (
        x[:n] for x in (found.qd, found.tau, found.kinetic, found.potential)
    )
    works = [x[:n] for x in (found.work, found.loss, found.external_work, found.handed_over)]
    work, loss, external, handed = works
    qdd = follow(assembled(robot), track).qdd
    energy, rotors = kinetic + potential, found.loads.rotors
    return Course(
        robot,
        track.t,
        track.state,
        qd,
        tau,
        motor_side(robot, tau, qd, qdd, rotors=rotors),
        _energies(kinetic, potential, *works),
        work + external + handed - loss - (energy - energy[0]),
        size(robot, track.t, tau, qd, qdd, rotors=rotors),
    )


def _meaningful(found: Any) -> int:
    """Number of samples to show: without the last one at a singularity, where rates explode."""
    n = len(found.t)
    if found.event is not None and n > 2:
        before = float(np.nanmax(found.kinetic[:-1]))
        n -= bool(not found.kinetic[-1] < _LEAP * before)
    return n


def _energies(
    kinetic: np.ndarray, potential: np.ndarray, *works: np.ndarray
) -> dict[str, np.ndarray]:
    """Curves of the energy balance; works and losses that stay zero are left out."""
    named = zip(_WORKS, works, strict=False)
    moved = {name: curve for name, curve in named if np.nanmax(np.abs(curve)) > 0.0}
    return {"kinetic": kinetic, "potential, from the start": potential - potential[0], **moved}
