"""A control loop: a law with sampling, delay, saturation and encoders."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from copy import copy
from typing import Any, Protocol

import numpy as np

from gough.base.arguments import number, whole
from gough.errors import InputError
from gough.modes.stepper import whole_turns
from gough.simulation.control.arguments import each
from gough.simulation.control.reference import Reference, Wanted
from gough.simulation.control.saturation import Saturation
from gough.simulation.control.words import loop_lines
from gough.simulation.drive import Measured


class Law(Protocol):
    """A control law: efforts ``(N, m)`` from reference and measurement."""

    def efforts(self, wanted: Wanted, measured: Measured) -> np.ndarray:
        """Efforts of N machines.

        A law with work arrays, such as kernels, also has ``fresh()``: the same law with other
        arrays, for another simulation.
        """


class Loop:
    """A controller for :func:`gough.simulate`, as :func:`joint_pd` and its like make them.

    With encoders that have steps or noise, rates are differences of positions over a period.

    Simulations may share a loop, also those of several threads: ``begin`` makes a copy for each.

    Args:
        reference: the motion to follow, and the model.
        law: the control law.
        period: time between two samples [s]; ``None``: continuous.
        delay: time from a sample to its efforts [s].
        saturation: ``"limits"``: effort limits of the model's axes, and the curves of its motors at
            their speeds, behind gears that lose what they do in the direction of the power; largest
            efforts ``(m,)`` or one number [N m or N]; or ``None``.
        quantisation: step of the encoders ``(m,)`` or one number [rad or m]; ``None``: none.
        noise: standard deviation of the encoders, ``(m,)`` or one number [rad or m].
        seed: of the noise, zero or more; every simulation starts from it, so that it repeats.

    Attributes:
        reference: the motion that is followed.
        law: the control law.
        period: time between two samples [s], or ``None``.
        delay: time from a sample to its efforts [s].
        seed: of the noise.
        coarse: whether encoders have steps or noise.

    Raises:
        InputError: an argument makes no sense, or needs a sampled controller; names it.
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
        self.period = None if period is None else number(period, "period", positive=True)
        self.delay = number(delay, "delay", nonnegative=True)
        self.seed = whole(seed, "seed")
        self._saturation = Saturation(robot, saturation)
        self._step = None if quantisation is None else each("quantisation", quantisation, m)
        self._noise = each("noise", noise, m)
        self.coarse = self._step is not None or bool(self._noise.any())
        if self.period is None and (self.delay or self.coarse):
            raise InputError(
                "delay, quantisation and noise need a sampled controller",
                hint="Give it a period, for example period=1e-3.",
                argument="period",
            )
        self._before: np.ndarray | None = None
        self._rng = np.random.default_rng(self.seed)

    @property
    def saturation(self) -> Saturation:
        """Bounds of the efforts."""
        return self._saturation

    @property
    def step(self) -> np.ndarray | None:
        """Step of the encoders ``(m,)`` [rad or m], or ``None``."""
        return self._step

    @property
    def noise(self) -> np.ndarray:
        """Standard deviation of the encoders ``(m,)`` [rad or m]."""
        return self._noise

    def lines(self) -> list[tuple[str, str]]:
        """Law, gains, sampling, saturation and encoders: headings and facts."""
        return loop_lines(self._reference.model, self)

    def begin(self, count: int) -> Loop:
        """A copy of the controller for one simulation, with its own memory and work arrays.

        Args:
            count: how many machines are simulated side by side.
        """
        run = copy(self)
        run._reference = self._reference.fresh()
        fresh = getattr(self.law, "fresh", None)
        run.law = self.law if fresh is None else fresh()
        run.start(count)
        return run

    def start(self, count: int) -> None:
        """Reset the controller before it is used by hand.  Simulations call ``begin`` instead.

        Args:
            count: how many machines are simulated side by side.
        """
        self._rng = np.random.default_rng(self.seed)
        self._before = None

    def smooth(self, speeds: Mapping[str, float]) -> None:
        """Smooth Coulomb friction in the law's model as the simulated machine does.

        Args:
            speeds: by the name of the axis [rad/s or m/s].
        """
        smooth = getattr(self.law, "smooth", None)
        if smooth is not None:
            smooth(speeds)

    def prepare(self, times: np.ndarray) -> None:
        """Sample the motion ahead, which is faster than instant by instant.

        Args:
            times: instants at which efforts will be asked for, increasing ``(K,)`` [s].
        """
        self._reference.prepare(times)

    def keep(self, indices: np.ndarray) -> None:
        """Keep some of the machines; the others have stopped.

        Args:
            indices: those that continue.
        """
        if self._before is not None:
            self._before = self._before[indices]

    def efforts(self, t: float, measured: Measured) -> np.ndarray:
        """Efforts of the law, limited by the saturation.

        Args:
            t: the instant [s].
            measured: what is seen of N machines.

        Returns:
            Efforts in the order of the model's motors ``(N, m)`` [N m or N].

        Raises:
            InputError: the machines have another number of motors than the model.
        """
        self._check_motors(measured)
        wanted = self._reference.at(t)
        tau = self.law.efforts(wanted, self._encoded(wanted, measured))
        return self._saturation.limited(tau, measured.qd)

    def _check_motors(self, measured: Measured) -> None:
        there, known = measured.q.shape[-1], len(self._reference.model.motors)
        if there != known:
            raise InputError(
                f"the controller is made for {self._reference.model.name}, with {known} motors; "
                f"the machine has {there}",
                hint="Make the controller for the robot that is simulated, or for a model of it.",
                argument="efforts",
            )

    def _encoded(self, wanted: Wanted, measured: Measured) -> Measured:
        """Positions and rates by the encoders, turns counted as in the reference."""
        q, qd = measured.q, measured.qd
        q = q + whole_turns(self._reference.model.assembly, wanted.q - q)
        if self.coarse:
            q = q + self._noise * self._rng.standard_normal(q.shape)
            if self._step is not None:
                q = np.where(self._step > 0.0, np.round(q / self._step) * self._step, q)
            # at the first sample there is nothing to compare with: the machine is as it should be
            qd = wanted.qd + np.zeros_like(q)
            if self._before is not None:
                qd = (q - self._before) / self.period
            self._before = q
        return Measured(measured.T_0p, measured.V_0p, q, qd)


OPTIONS = tuple(
    name for name, p in inspect.signature(Loop).parameters.items() if p.kind is p.KEYWORD_ONLY
)
"""What the makers of controllers hand on to their loop."""
