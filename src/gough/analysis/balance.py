"""The energy balance of a motion: work of the motors, losses, and energy of the machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gough.analysis.integrals import accumulated
from gough.analysis.samples import among_all
from gough.base.english import small
from gough.dynamics.answers.energy import Energy
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.parameters import own_parameters
from gough.dynamics.shared.sharing import EffortSharing
from gough.errors import InputError
from gough.functions.dynamics import energy, inverse_dynamics
from gough.motion.motion import Samples
from gough.robot import Robot


class EnergyBalance(NamedTuple):
    """Work and energy since the first sample ``(K,)`` [J].

    Attributes:
        work: of the motors on the axes.
        loss: what friction has taken.
        external_work: of external loads on the machine.
        handed_over: energy that came with a payload when it was taken, or left with it.
        residual: ``work + external_work + handed_over - loss`` less the change of energy: what the
            balance does not explain, that is, errors of the sums over time.
        relative: the largest residual, as a share of the largest figure in the balance.
    """

    work: np.ndarray
    loss: np.ndarray
    external_work: np.ndarray
    handed_over: np.ndarray
    residual: np.ndarray
    relative: float

    def __repr__(self) -> str:
        return f"<EnergyBalance: closes to {small(self.relative)} of the largest figure>"


class Loaded:
    """A robot and the loads of a motion, sample by sample.

    Args:
        robot: the machine.
        count: number of samples.
        loading: the loads, checked.
        share: how more motors than freedoms share the work.
        method: theory of the dynamics.
        breaks: samples before which loads jump.
    """

    def __init__(
        self,
        robot: Robot,
        count: int,
        loading: LoadArguments,
        share: EffortSharing | None,
        method: str,
        breaks: np.ndarray | tuple[()] = (),
    ) -> None:
        self.method, self.breaks = method, breaks
        self.robot, self.loading, self.share = robot, loading, share
        for name, (a, core) in loading.arguments.items():
            lead = a.shape[: a.ndim - core]
            if lead not in ((), (1,), (count,)):
                raise InputError(
                    f"{name} is given for {lead} samples, the motion has {count}",
                    hint="Give one for all, or one for each sample.",
                    argument=name,
                )
        self.payload_varies = any(
            a.ndim > core and (a != a[:1]).any()
            for name, (a, core) in loading.arguments.items()
            if ".payload." in name
        )

    def loads(self, index: Any, **changed: Any) -> Loads:
        """The loads of some samples, some parts of them changed."""
        return replace(self.loading.loads.at(index), **changed)

    def options(self, index: Any, **changed: Any) -> dict[str, Any]:
        """Keywords of :func:`gough.inverse_dynamics` at some samples."""
        return {"loads": self.loads(index, **changed), "share": self.share, "method": self.method}


def energy_balance(
    track: Samples, tau: np.ndarray, qd: np.ndarray, loaded: Loaded, good: np.ndarray
) -> tuple[Energy, EnergyBalance]:
    """Energy along a motion, and its balance.

    Args:
        track: the motion.
        tau: efforts of the motors ``(K, m)``.
        qd: their rates ``(K, m)``.
        loaded: robot and loads.
        good: indices of the samples that can be.
    """
    robot, count = loaded.robot, len(track.t)
    some = track.at(good)
    found = energy(robot, some.state, loads=loaded.loads(good))
    kinetic, potential = (among_all(each, good, count) for each in found)
    nothing = np.where(np.isfinite(kinetic), 0.0, np.nan)

    def given_to(**without: Any) -> np.ndarray:
        # virtual work: power that the motors need less without the load is power they give to it
        options = loaded.options(good, **without)
        other = inverse_dynamics(robot, some.state, **options, on_error="nan")
        power = ((tau[good] - other) * qd[good]).sum(axis=1)
        return accumulated(track.t, among_all(power, good, count), loaded.breaks)

    rubs = any(own_parameters(robot.axis(name)).rubs for name in robot.axis_names)
    loss = given_to(friction=False) if rubs and loaded.loading.loads.friction else nothing
    external = -given_to(forces=()) if loaded.loading.bodies else nothing
    work = accumulated(track.t, (tau * qd).sum(axis=1), loaded.breaks)
    handed = _handed_over(track, loaded, kinetic + potential) if loaded.payload_varies else nothing
    change_of_energy = (kinetic + potential) - (kinetic + potential)[0]
    residual = work + external + handed - loss - change_of_energy
    terms = np.stack([work, loss, external, handed, kinetic, change_of_energy])
    known = np.abs(terms[np.isfinite(terms)])
    gone = np.abs(residual[np.isfinite(residual)])
    # a motion that begins with a sample that cannot be has no energy balance
    relative = float(gone.max() / max(known.max(), 1e-300)) if gone.size else float("nan")
    return Energy(kinetic, potential), EnergyBalance(
        work, loss, external, handed, residual, relative
    )


def _handed_over(track: Samples, loaded: Loaded, total: np.ndarray) -> np.ndarray:
    """Energy that a change of payload brings ``(K,)`` [J]: of the new one less that of the old."""
    good = np.flatnonzero(np.isfinite(total))
    good = good[good > 0]
    before = energy(loaded.robot, track.state[good], loads=loaded.loads(good - 1))
    steps = np.zeros(len(total))
    steps[good] = total[good] - (before.kinetic + before.potential)
    return np.asarray(np.cumsum(steps))
