"""What drives a simulated machine: efforts as a function of time, or a feedback controller."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from gough.base.batch import as_array, check_finite
from gough.errors import GoughError, InputError, NoEfforts
from gough.robot import Robot


class Measured(NamedTuple):
    """Measurements of a controller; a batch has its axis in front.

    Attributes:
        T_0p, V_0p: pose and twist of the platform, base axes.
        q, qd: positions and rates of the motors [rad or m, and per second].
    """

    T_0p: np.ndarray
    V_0p: np.ndarray
    q: np.ndarray
    qd: np.ndarray


@runtime_checkable
class Controller(Protocol):
    """A controller: efforts from measurements.

    One that also has ``begin(count)`` is not started itself: ``begin`` returns a controller for one
    simulation, with its own memory, so that several simulations may share the first.  One with
    cameras has ``meet(robot)``, which tells it what they look at: the machine, not its model; one
    with ``before_first()`` says which efforts act before its first ones do, zero otherwise.

    Attributes:
        period: time between two samples [s]; ``None``: continuous.
        delay: time from a sample to its efforts [s].
        reference: the motion it follows, or ``None``.
    """

    period: float | None
    delay: float
    reference: Any

    def start(self, count: int) -> None:
        """Called before a simulation of ``count`` machines."""

    def efforts(self, t: float, measured: Measured) -> np.ndarray:
        """Motor efforts ``(N, m)``."""


class Drive(ABC):
    """Efforts of N machines in time.

    Attributes:
        looks: whether efforts depend on the state at every instant (continuous feedback).
        period: time between two samples of a sampled controller [s], or ``None``.
        delay: time from a sample to its efforts [s].
        reference: the motion a controller follows, or ``None``.
        stateful: whether efforts depend on earlier calls.
        steady: whether efforts do not change within a step.
        message: the last error that a controller or function raised instead of efforts.
        who: ``controller`` or ``function``, for messages.
    """

    looks = False
    period: float | None = None
    delay = 0.0
    reference: Any = None
    stateful = False
    steady = False
    message = ""
    who = "controller"

    @abstractmethod
    def at(self, t: float, measured: Measured | None) -> np.ndarray:
        """Efforts at an instant, ``(m,)`` or ``(N, m)``; with feedback, at a measured state.

        NaN where there is no answer; at the start that is an error.
        """

    def missing(self, robot: Robot, t: float, tau: np.ndarray) -> NoEfforts:
        """The error about efforts ``(m,)`` that are not numbers."""
        odd = np.flatnonzero(~np.isfinite(tau))
        said = f"answers {tau[odd[0]]:g} for motor {robot.motors[odd[0]]!r}"
        said = f"says: {self.message}" if self.message else said
        return NoEfforts(f"{robot.name}: no efforts at {t:.6g} s: the {self.who} {said}")

    def prepare(self, t_end: float, h: float) -> None:  # noqa: B027  a hook
        """Called before a run in fixed steps, whose instants are known."""

    def smooth(self, speeds: Mapping[str, float]) -> None:  # noqa: B027  a hook
        """Set the speeds that smooth Coulomb friction of the machine, by the name of the axis."""

    def look(self, t: float, measured: Measured) -> None:  # noqa: B027  a hook
        """Called at the beginning of a step: a sampled controller measures if it is time."""

    def keep(self, indices: np.ndarray) -> None:  # noqa: B027  a hook
        """Keep some of the machines; the others have stopped."""


class Constant(Drive):
    """Efforts that do not change."""

    steady = True

    def __init__(self, tau: np.ndarray) -> None:
        self.tau = tau

    def at(self, t: float, measured: Measured | None) -> np.ndarray:
        """Efforts at an instant."""
        return self.tau

    def keep(self, indices: np.ndarray) -> None:
        """Keep some of the machines."""
        self.tau = _kept(self.tau, indices)


class Table(Drive):
    """Efforts at given instants, linear in between, held beyond the ends."""

    def __init__(self, t: np.ndarray, tau: np.ndarray) -> None:
        self.t, self.tau = t, tau

    def at(self, t: float, measured: Measured | None) -> np.ndarray:
        """Efforts at an instant."""
        k = int(np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, len(self.t) - 2))
        share = min(max((t - self.t[k]) / (self.t[k + 1] - self.t[k]), 0.0), 1.0)
        return np.asarray(self.tau[k] * (1.0 - share) + self.tau[k + 1] * share)


class Answered(Drive):
    """Efforts that a function or a controller answers.

    Args:
        answer: efforts in an instant, of what is seen of N machines.
        motors: how many.
    """

    def __init__(self, answer: Callable[[float, Measured], Any], motors: int) -> None:
        self._answer, self.motors = answer, motors

    def _asked(self, t: float, seen: Measured) -> np.ndarray:
        """Efforts ``(N, m)`` of the function or controller; NaN for machines that it fails on.

        It is not called with states that are not finite, which trial steps may lead to.
        """
        known = np.all([np.isfinite(a.reshape(len(a), -1)).all(axis=1) for a in seen], axis=0)
        tau = np.full((len(known), self.motors), np.nan)
        if not known.any():
            return tau
        if not known.all():
            # a known one in the place of each that is not
            index = np.where(known, np.arange(len(known)), np.flatnonzero(known)[0])
            seen = Measured(*(a[index] for a in seen))
        found = self._checked_answer(t, lambda: self._answer(t, seen))
        if found is not None:
            tau[...] = found
            tau[~known] = np.nan
        elif len(known) > 1 and not self.stateful:
            for i in np.flatnonzero(known):
                tau[i] = self._asked(t, Measured(*(a[i : i + 1] for a in seen)))[0]
        return tau

    def _checked_answer(self, t: float, answer: Callable[[], Any]) -> np.ndarray | None:
        """A checked answer; ``None`` if it is an error, which is raised at the start only."""
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                return checked(answer(), self.motors, t)
        except GoughError as err:
            if t <= 0.0:
                raise
            self.message = err.message
            return None

    def at(self, t: float, measured: Measured | None) -> np.ndarray:
        """Efforts at an instant."""
        if measured is None:
            raise InputError(f"a {self.who} needs something to look at")
        return self._asked(t, measured)


class Function(Answered):
    """Efforts by a function of time, or of time and state."""

    who = "function"

    def __init__(self, function: Any, motors: int, *, looks: bool, single: bool) -> None:
        def answer(t: float, seen: Measured) -> Any:
            return function(t, Measured(*(a[0] for a in seen)) if single else seen)

        super().__init__(answer, motors)
        self.function, self.looks = function, looks
        self._which: np.ndarray | None = None

    def at(self, t: float, measured: Measured | None) -> np.ndarray:
        """Efforts at an instant."""
        if self.looks:
            return super().at(t, measured)
        found = self._checked_answer(t, lambda: self.function(t))
        if found is None:
            return np.full(self.motors, np.nan)
        return found if self._which is None or found.ndim == 1 else found[self._which]

    def keep(self, indices: np.ndarray) -> None:
        """Keep some of the machines; a function of time alone still answers for all."""
        self._which = indices if self._which is None else self._which[indices]


class Continuous(Answered):
    """A continuous controller."""

    looks = True

    def __init__(self, controller: Controller, motors: int) -> None:
        super().__init__(controller.efforts, motors)
        self.controller, self.reference = controller, controller.reference

    def _call_hook(self, what: str, given: Any) -> None:
        """Call a hook of the controller, if it has that one."""
        hook = getattr(self.controller, what, None)
        if hook is not None:
            hook(given)

    def smooth(self, speeds: Mapping[str, float]) -> None:
        """Smooth friction in the controller's model as in the machine, unless it has its own."""
        self._call_hook("smooth", speeds)

    def prepare(self, t_end: float, h: float) -> None:
        """Prepare the instants of efforts: once a period, or three times in every step."""
        every = self.period or 0.5 * h
        self._call_hook("prepare", np.arange(round(t_end / every) + 2) * every)


class Sampled(Continuous):
    """A sampled controller, whose efforts are held until the next ones act."""

    looks = False
    stateful = True
    steady = True

    def __init__(self, controller: Controller, motors: int) -> None:
        super().__init__(controller, motors)
        self.delay = float(controller.delay)
        self.period = float(controller.period or 0.0)
        self._next = 0
        self._coming: list[tuple[float, np.ndarray]] = []
        self._held = np.zeros(motors)
        before_first = getattr(controller, "before_first", None)
        if before_first is not None and self.delay:
            self._held = checked(before_first(), motors, 0.0)

    def look(self, t: float, measured: Measured) -> None:
        """Call the controller, if it is time for a sample."""
        period = self.period or 0.0
        slack = 1e-9 * period  # instants are multiples of a step, rounded
        if t >= self._next * period - slack:
            self._coming.append((t + self.delay, self._asked(t, measured)))
            self._next += 1
        while self._coming and self._coming[0][0] <= t + slack:
            self._held = self._coming.pop(0)[1]

    def at(self, t: float, measured: Measured | None) -> np.ndarray:
        """Efforts at an instant."""
        return self._held

    def keep(self, indices: np.ndarray) -> None:
        """Keep some of the machines."""
        self._held = _kept(self._held, indices)
        self._coming = [(t, _kept(tau, indices)) for t, tau in self._coming]
        self._call_hook("keep", indices)


def _kept(tau: np.ndarray, indices: np.ndarray) -> np.ndarray:
    return tau[indices] if tau.ndim == 2 else tau


def checked(found: Any, motors: int, t: float) -> np.ndarray:
    """Efforts that a function or controller answered, or what is wrong with them.

    Numbers that are not finite are refused at the start; later they end a machine's run.
    """
    try:
        tau = as_array(found, (motors,), "efforts")
        if t <= 0.0:
            check_finite(tau, "efforts")
    except InputError as err:
        raise InputError(f"at {t:g} s: {err.message}", hint=err.hint, argument="efforts") from err
    return tau


def as_drive(robot: Robot, efforts: Any, lead: tuple[int, ...]) -> Drive:
    """The drive for an argument ``efforts`` of :func:`gough.simulate`."""
    m, count = len(robot.motors), int(np.prod(lead))
    if efforts is None:
        return Constant(np.zeros(m))
    if isinstance(efforts, Controller):
        run = _begun(efforts, count)
        meet = getattr(run, "meet", None)
        if meet is not None:
            meet(robot)
        return Continuous(run, m) if run.period is None else Sampled(run, m)
    if callable(efforts):
        return Function(efforts, m, looks=_asked(efforts) > 1, single=not lead)
    if isinstance(efforts, tuple) and len(efforts) == 2 and np.ndim(efforts[1]) == 2:
        return _table(efforts, m)
    tau = as_array(efforts, (m,), "efforts")
    check_finite(tau, "efforts")
    if tau.ndim == 1:
        return Constant(tau)
    try:
        return Constant(np.broadcast_to(tau, (*lead, m)).reshape(count, m).copy())
    except ValueError as err:
        raise InputError(
            f"efforts have shape {tau.shape}, the states {lead}: they do not fit",
            hint="Efforts in time are a pair (t, tau), a function of t, or a controller.",
            argument="efforts",
        ) from err


def _begun(controller: Controller, count: int) -> Controller:
    """A controller for one simulation: a copy if it has ``begin``, or itself."""
    begin = getattr(controller, "begin", None)
    if begin is not None:
        run: Controller = begin(count)
        return run
    controller.start(count)
    return controller


def _asked(function: Any) -> int:
    """How many arguments a function wants."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in plain and p.default is inspect.Parameter.empty for p in parameters)


def _table(efforts: tuple[Any, Any], motors: int) -> Table:
    t = as_array(efforts[0], (), "efforts[0]")
    tau = as_array(efforts[1], (motors,), "efforts")
    if t.ndim != 1 or len(t) != len(tau) or len(t) < 2:
        raise InputError(f"efforts: {t.shape} instants for {tau.shape} efforts", argument="efforts")
    check_finite(t, "efforts[0]")
    check_finite(tau, "efforts[1]")
    back = np.flatnonzero(np.diff(t) <= 0.0)
    if len(back):
        k = int(back[0])
        raise InputError(
            f"efforts: time does not increase at row {k + 1}: {t[k]:g} s, then {t[k + 1]:g} s",
            argument="efforts",
        )
    return Table(t, tau)
