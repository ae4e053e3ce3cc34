"""A control loop: a law, and what sampling, delay, saturation and encoders make of it."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from gough.batch import as_array
from gough.closure.axes import is_turn
from gough.control.reference import Reference, Wanted
from gough.errors import InputError, shown
from gough.mobility.assembly import assembled
from gough.simulation.drive import Measured


class Law(Protocol):
    """From what is wanted and what is seen to efforts ``(N, m)``."""

    def efforts(self, wanted: Wanted, measured: Measured) -> np.ndarray:
        """Efforts of N machines."""


class Loop:
    """A controller for :func:`gough.simulate`.

    Args:
        reference: what is wanted, and of which model.
        law: the control law.
        period: time between two samples [s]; ``None``: continuous.
        delay: time from a sample to its efforts [s].
        saturation: ``"limits"`` (the model's effort limits), largest efforts ``(m,)``, or ``None``.
        quantisation: step of the encoders ``(m,)`` or one number [rad or m].
        noise: standard deviation of the encoders [rad or m].
        seed: of the noise.

    With encoders that have steps or noise, rates are differences of positions over a period.
    """

    def __init__(
        self,
        reference: Reference,
        law: Law,
        *,
        period: float | None = None,
        delay: float = 0.0,
        saturation: Any = None,
        quantisation: Any = None,
        noise: Any = 0.0,
        seed: int = 0,
    ) -> None:
        robot = reference.model
        m = len(robot.motors)
        self._reference, self.law = reference, law
        self.reference = reference.motion
        self.period = None if period is None else _number("period", period, above=0.0)
        self.delay = _number("delay", delay)
        self.seed = seed
        self._largest = _saturation(robot, saturation)
        self._step = None if quantisation is None else _each("quantisation", quantisation, m)
        self._noise = _each("noise", noise, m)
        self._coarse = self._step is not None or bool(self._noise.any())
        if self.period is None and (self.delay or self._coarse):
            raise InputError(
                "delay, quantisation and noise need a sampled controller",
                hint="Give it a period, for example period=1e-3.",
                argument="period",
            )
        assembly = assembled(robot)
        self._turns = np.array([is_turn(assembly.axes[name]) for name in robot.motors], dtype=bool)
        self._before: np.ndarray | None = None

    def start(self, count: int) -> None:
        """Before a simulation of so many machines."""
        self._rng = np.random.default_rng(self.seed)
        self._before = None

    def prepare(self, times: np.ndarray) -> None:
        """Instants at which efforts will be asked for."""
        self._reference.prepare(times)

    def keep(self, indices: np.ndarray) -> None:
        """Some of the machines go on."""
        if self._before is not None:
            self._before = self._before[indices]

    def efforts(self, t: float, measured: Measured) -> np.ndarray:
        """Efforts that the law answers, within their bounds."""
        wanted = self._reference.at(t)
        tau = self.law.efforts(wanted, self._encoded(wanted, measured))
        return tau if self._largest is None else np.clip(tau, -self._largest, self._largest)

    def _encoded(self, wanted: Wanted, measured: Measured) -> Measured:
        """What encoders tell, turns counted as the reference counts them."""
        q, qd = measured.q, measured.qd
        if self._turns.any():
            whole = np.round((wanted.q - q) / (2.0 * np.pi))
            q = np.where(self._turns, q + 2.0 * np.pi * whole, q)
        if self._coarse:
            q = q + self._noise * self._rng.standard_normal(q.shape)
            if self._step is not None:
                q = np.where(self._step > 0.0, np.round(q / self._step) * self._step, q)
            # at the first sample there is nothing to compare with: the machine is as it should be
            qd = wanted.qd + np.zeros_like(q)
            if self._before is not None:
                qd = (q - self._before) / self.period
            self._before = q
        return Measured(measured.T_0p, measured.V_0p, q, qd)


def _number(name: str, value: Any, above: float | None = None) -> float:
    good = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not good or not np.isfinite(value) or value < 0.0 or (above is not None and value <= above):
        wanted = "a number above zero" if above is not None else "a number, zero or more"
        raise InputError(f"{name} is {shown(value)}, expected {wanted}", argument=name)
    return float(value)


def _each(name: str, value: Any, motors: int) -> np.ndarray:
    array = np.broadcast_to(np.asarray(value, dtype=float), (motors,)).copy()
    if not np.isfinite(array).all() or (array < 0.0).any():
        raise InputError(f"{name} has a number below zero, or none", argument=name)
    return array


def _saturation(robot: Any, saturation: Any) -> np.ndarray | None:
    if saturation is None:
        return None
    if isinstance(saturation, str):
        if saturation != "limits":
            raise InputError(
                f"saturation is {shown(saturation)}, expected 'limits' or numbers",
                argument="saturation",
            )
        efforts = [robot.axis(name).limits.effort for name in robot.motors]
        return np.array([np.inf if e is None else e for e in efforts])
    found = as_array(np.atleast_1d(saturation), (), "saturation")
    return _each("saturation", found, len(robot.motors))
