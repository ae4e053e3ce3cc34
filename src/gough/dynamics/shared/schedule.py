"""Loads that change in time: which payloads and forces act when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from gough.base.arguments import number
from gough.base.batch import as_array, check_finite
from gough.base.english import aligned, figures
from gough.dynamics.shared.loads import Force, Loads, Payload, check_payload
from gough.errors import InputError, shown
from gough.robot.inertia import MassProperties, composite

INSTANT = 1e-9
"""Times that differ by less are one instant [s]: rounding of times that were added up."""

APART = 4.0 * INSTANT
"""Changes that are closer happen at once; each has room for an instant just before it [s]."""


def just_before(t: Any) -> Any:
    """The instant before a change at ``t`` [s], at which loads are still the old ones."""
    return t - 2.0 * INSTANT


@dataclass(frozen=True, eq=False)
class TimedLoad:
    """A payload or a force that acts from one time to another, ``start <= t < end``.

    Args:
        load: a :class:`gough.Payload`; a :class:`gough.Force`; or a function of time [s] that
            returns the force, on the same body always.
        start: time from which it acts [s]; from the beginning if not given.
        end: time from which it acts no longer [s]; to the end if not given.
        times: makes a table of a force: instants ``(K,)``, increasing, of the rows ``(K, 3)`` of
            its parts [s].  Straight lines in between, held before the first and after the last.

    Raises:
        InputError: a part is not what it should be; names it.
    """

    load: Payload | Force | Callable[[float], Force]
    start: float | None = None
    end: float | None = None
    times: Any = None

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, number(given, name))
        if self.end is not None and self.end - self.begins <= APART:
            raise InputError(
                f"a load ends at {self.end:g} s, not after its start at {self.start:g} s",
                argument="end",
            )
        if self.times is not None:
            object.__setattr__(self, "times", _instants(self.times))
        if isinstance(self.load, Payload):
            _check_carried(self.load, self.times)
        elif isinstance(self.load, Force):
            _check_rows(self.load, self.times)
        elif not callable(self.load) or self.times is not None:
            raise InputError(
                f"load is {shown(self.load)}, expected gough.Payload(...), gough.Force(...) or a "
                "function of time that returns a force",
                argument="load",
            )

    @property
    def begins(self) -> float:
        """Time from which it acts, minus infinity if it always did [s]."""
        return -np.inf if self.start is None else self.start

    @property
    def ends(self) -> float:
        """Time from which it acts no longer, or infinity [s]."""
        return np.inf if self.end is None else self.end

    @cached_property
    def body(self) -> str:
        """Body that the force acts on."""
        if isinstance(self.load, Force):
            return self.load.body
        first = 0.0 if self.start is None else self.start
        return self._called(first).body if callable(self.load) else ""

    @property
    def varies(self) -> bool:
        """Whether it changes while it acts."""
        return self.times is not None or not isinstance(self.load, (Payload, Force))

    def force(self, t: np.ndarray, acts: np.ndarray) -> Force:
        """The force at times ``(K,)``; zero where it does not act."""
        if not isinstance(self.load, Force):
            return self._by_function(t, acts)
        found = []
        for array in (self.load.f, self.load.n, self.load.point):
            if self.times is not None and array.ndim == 2:
                array = np.stack([np.interp(t, self.times, x) for x in array.T], axis=1)
            found.append(np.broadcast_to(array, (len(t), 3)))
        f, n, point = found
        return Force(self.body, np.where(acts, f, 0.0), np.where(acts, n, 0.0), point)

    def _by_function(self, t: np.ndarray, acts: np.ndarray) -> Force:
        parts = np.zeros((3, len(t), 3))
        for k in np.flatnonzero(acts[:, 0]):
            force = self._called(float(t[k]))
            if force.body != self.body:
                raise InputError(
                    f"the function of a force answers one on {force.body!r} at {t[k]:g} s, and one "
                    f"on {self.body!r} before",
                    hint="Give each body a function of its own.",
                    argument="load",
                )
            parts[:, k] = force.f, force.n, force.point
        return Force(self.body, *parts)

    def _called(self, t: float) -> Force:
        """What the function answers, checked."""
        found = self.load(t) if callable(self.load) else self.load
        if not isinstance(found, Force):
            raise InputError(
                f"the function of a force answers {shown(found)} at {t:g} s, expected "
                "gough.Force(body, f, n, point)",
                argument="load",
            )
        for name in ("f", "n", "point"):
            part = getattr(found, name)
            if part.shape != (3,):
                raise InputError(
                    f"the function of a force answers {name} of shape {part.shape} at {t:g} s, "
                    "expected (3,)",
                    argument="load",
                )
            check_finite(part, f"{name} of a force at {t:g} s")
        return found

    def __str__(self) -> str:
        """What it is and when, in a sentence without a verb."""
        load = self.load
        if isinstance(load, Payload):
            what = f"{float(load.mass):.6g} kg"
            what += f" at {figures(load.center)} m" if load.center.any() else ""
        elif isinstance(load, Force) and self.times is None:
            parts = [f"{figures(x)} {u}" for x, u in ((load.f, "N"), (load.n, "N m")) if x.any()]
            what = f"{' and '.join(parts) or '0 N'} on {self.body}"
        else:
            form = "a function of time" if self.times is None else f"{len(self.times)} rows in time"
            what = f"{form} on {self.body}"
        if self.start is None and self.end is None:
            return what
        since = "" if self.start is None else f" from {self.start:g} s"
        return what + since + (" on" if self.end is None else f" to {self.end:g} s")


@dataclass(frozen=True, eq=False)
class LoadSchedule:
    """Loads that change in time: payloads picked up and put down, forces that come and go.

    Whatever knows time takes a schedule as ``loads``: :func:`gough.analyse`,
    :func:`gough.simulate`, controllers.  :meth:`at` gives the loads at times, for all the rest.

    A payload moves with the platform when it is picked up, so that no velocity jumps: it brings
    its own kinetic and potential energy, and takes it along when it is put down.

    Args:
        parts: :class:`gough.TimedLoad`, or :class:`gough.Payload` and :class:`gough.Force`, which
            act all the time.  Payloads that are carried together are one body.
        friction: whether viscous and Coulomb friction of all axes count.
        rotors: whether rotor inertia counts.
        smoothing: as that of :class:`gough.Loads` [rad/s or m/s].

    Raises:
        InputError: a part is not what it should be; names it.
    """

    parts: Sequence[TimedLoad | Payload | Force]
    friction: bool = True
    rotors: bool = True
    smoothing: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _parts(self.parts))
        plain = Loads((), None, self.friction, self.rotors, self.smoothing)  # checks them
        for name in ("friction", "rotors", "smoothing"):
            object.__setattr__(self, name, getattr(plain, name))

    @property
    def payloads(self) -> tuple[TimedLoad, ...]:
        """Those of the parts that are payloads."""
        return tuple(part for part in self._timed if isinstance(part.load, Payload))

    @property
    def forces(self) -> tuple[TimedLoad, ...]:
        """Those of the parts that are forces."""
        return tuple(part for part in self._timed if not isinstance(part.load, Payload))

    @property
    def _timed(self) -> tuple[TimedLoad, ...]:
        return cast(tuple[TimedLoad, ...], self.parts)  # they are, once checked

    @property
    def varies(self) -> bool:
        """Whether a force changes between :attr:`jumps` as well."""
        return any(part.varies for part in self._timed)

    @cached_property
    def jumps(self) -> np.ndarray:
        """Times at which something begins or ceases to act, increasing ``(J,)`` [s]."""
        times = sorted({t for part in self._timed for t in (part.begins, part.ends)})
        found: list[float] = []
        for t in times:
            if np.isfinite(t) and (not found or t - found[-1] > APART):
                found.append(t)
        return np.array(found)

    @cached_property
    def _stretches(self) -> np.ndarray:
        """An instant in each stretch between jumps ``(J + 1,)`` [s]."""
        if not len(self.jumps):
            return np.zeros(1)
        middles = 0.5 * (self.jumps[1:] + self.jumps[:-1])
        return np.concatenate([[self.jumps[0] - 1.0], middles, [self.jumps[-1] + 1.0]])

    @cached_property
    def _carried(self) -> Payload:
        """What is carried in each stretch, as one body: arrays ``(J + 1, ...)``."""
        bodies = [_together([p.load for p in self.payloads if _in(p, t)]) for t in self._stretches]
        return Payload(
            np.array([b.mass for b in bodies]),
            np.stack([b.center for b in bodies]),
            np.stack([b.inertia for b in bodies]),
        )

    def at(self, t: Any) -> Loads:
        """The loads at times of any shape [s], with the axes of the times in front.

        At the time of a change they are the new ones; times that differ by a nanosecond are one.
        """
        times = as_array(t, (), "t")
        check_finite(times, "t")
        flat, lead = times.reshape(-1), times.shape
        k = np.searchsorted(self.jumps - INSTANT, flat, side="right")

        def shaped(array: np.ndarray) -> np.ndarray:
            return np.asarray(array.reshape((*lead, *array.shape[1:])))

        forces = []
        for part in self.forces:
            acts = np.array([_in(part, middle) for middle in self._stretches])[k]
            found = part.force(flat, acts[:, None])
            forces.append(Force(part.body, *(shaped(x) for x in (found.f, found.n, found.point))))
        payload = None
        if self.payloads:
            body = self._carried
            payload = Payload(*(shaped(x[k]) for x in (body.mass, body.center, body.inertia)))
        return Loads(forces, payload, self.friction, self.rotors, self.smoothing)

    def never(self, first: float, last: float) -> list[str]:
        """Sentences about parts that do not act between two times [s]: perhaps a mistake."""
        return [
            f"{kind} {part}: does not act between {first:g} s and {last:g} s"
            for kind, parts in (("payload", self.payloads), ("force", self.forces))
            for part in parts
            if part.begins > last + INSTANT or part.ends <= first + INSTANT
        ]

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, in reading order: what acts, and when."""
        found = [("payload", str(part)) for part in self.payloads]
        found += [("force", str(part)) for part in self.forces]
        left_out = [name for name in ("friction", "rotors") if not getattr(self, name)]
        found += [("left out", ", ".join(left_out))] if left_out else []
        return found or [("loads", "none")]

    def __str__(self) -> str:
        return aligned(self.lines())


def _in(part: TimedLoad, t: float) -> bool:
    """Whether a part acts in the stretch that has ``t`` in its middle."""
    return part.begins <= t < part.ends


def _together(payloads: Sequence[Any]) -> Payload:
    """Payloads as one body; a body without mass if there is none."""
    if sum(float(one.mass) for one in payloads) == 0.0:
        return Payload(0.0, inertia=sum((one.inertia for one in payloads), np.zeros((3, 3))))
    if len(payloads) == 1:
        return payloads[0]  # type: ignore[no-any-return]
    whole = composite(
        [
            MassProperties(
                mass=float(one.mass), center=one.center.tolist(), inertia=one.inertia.tolist()
            )
            for one in payloads
        ]
    )
    return Payload(**whole)


def _parts(given: Any) -> tuple[TimedLoad, ...]:
    several = isinstance(given, (tuple, list))
    if not several or not all(isinstance(one, (TimedLoad, Payload, Force)) for one in given):
        raise InputError(
            f"parts are {shown(given)}, expected a list of gough.TimedLoad(load, start, end)",
            hint="gough.TimedLoad(gough.Payload(0.3), start=0.1, end=0.4) is a payload that is "
            "picked up and put down.",
            argument="parts",
        )
    return tuple(one if isinstance(one, TimedLoad) else TimedLoad(one) for one in given)


def _instants(given: Any) -> np.ndarray:
    times = as_array(given, (), "times")
    check_finite(times, "times")
    if times.ndim != 1 or len(times) < 2:
        raise InputError(
            f"times has shape {times.shape}, expected (K,) with two instants or more",
            argument="times",
        )
    back = np.flatnonzero(np.diff(times) <= 0.0)
    if len(back):
        k = int(back[0])
        raise InputError(
            f"times do not increase at row {k + 1}: {times[k]:g} s, then {times[k + 1]:g} s",
            argument="times",
        )
    return times


def _check_carried(payload: Payload, times: Any) -> None:
    """Refuse a payload that no body can have, or one that changes other than at once."""
    if (
        times is not None
        or payload.mass.ndim
        or payload.center.ndim > 1
        or payload.inertia.ndim > 2
    ):
        raise InputError(
            "a payload of a schedule is one body: its mass does not change while it is carried",
            hint="Give several payloads, each with its start and end.",
            argument="load",
        )
    for name in ("mass", "center", "inertia"):
        check_finite(getattr(payload, name), f"payload.{name}")
    check_payload(payload.mass, payload.inertia, "payload")


def _check_rows(force: Force, times: Any) -> None:
    """Refuse a force whose rows are not those of the times."""
    rows = () if times is None else ((len(times),),)
    for name in ("f", "n", "point"):
        part = getattr(force, name)
        check_finite(part, f"force.{name}")
        if part.shape[:-1] not in ((), *rows):
            hint = "" if times is not None else "times=... makes a table in time of several rows."
            expected = "(3,)" if times is None else f"(3,) or ({len(times)}, 3)"
            raise InputError(
                f"force.{name} has shape {part.shape}, expected {expected}",
                hint=hint,
                argument="load",
            )
