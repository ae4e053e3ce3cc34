"""Results of ``gough.envelope``: excursions of each freedom, as data sheets state them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base.english import counted, plain
from gough.base.result import Result
from gough.robot import Robot
from gough.singularity.workspace.section import unit_of


class Excursion(NamedTuple):
    """How far a freedom goes from home to both sides.

    Attributes:
        minus, plus: from home [m or rad]; ``minus`` is negative, or zero.
        ends: what ends it on each side, in words.
        at: all freedoms where it ends ``(2, n)`` [m or rad].
    """

    minus: float
    plus: float
    ends: tuple[str, str]
    at: np.ndarray

    @property
    def span(self) -> float:
        """From one end to the other [m or rad]."""
        return self.plus - self.minus


class Together(NamedTuple):
    """The largest box around home, in all freedoms at once, that is free.

    Attributes:
        share: its size, as a share of the excursions of each freedom alone; never more than 1.
        minus, plus: excursions of every freedom in it ``(n,)`` [m or rad].
        end: what ends it, in words.
        at: freedoms where it ends ``(n,)``.
        rays: straight ways from home to its surface that were followed, all of them free.
        fresh: random ones among them, of the last round, in which none was shorter; 0 if the last
            of forty rounds still found a shorter one.
    """

    share: float
    minus: np.ndarray
    plus: np.ndarray
    end: str
    at: np.ndarray
    rays: int
    fresh: int


class HomeRates(NamedTuple):
    """What the motors allow at home while one freedom moves and the others rest.

    Attributes:
        velocity: of each freedom ``(n,)`` [m/s or rad/s]; infinite if no motor has a limit.
        acceleration: from rest, against and along each freedom ``(n, 2)`` [m/s² or rad/s²], both
            positive; infinite if no motor has a limit, zero if the motors cannot hold the robot,
            NaN if its efforts are not determined.
    """

    velocity: np.ndarray
    acceleration: np.ndarray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Envelope(Result):
    """Excursions of a robot's freedoms from home; see :func:`gough.envelope`.

    Everything is connected with home: reached from there without passing a limit or a singularity.

    Attributes:
        robot: the machine.
        home: freedoms at home ``(n,)`` [m or rad].
        limits: whether limits of joints count.
        alone: by freedom, its excursion while all others stay at home.
        combined: by freedom, the largest excursion found while all others move as needed.
        together: the box in all freedoms at once.
        rates: velocities and accelerations that the motors allow at home.
        tolerance: to which ends of straight ways were found [m and rad]; ``None`` for 1e-6 of each
            excursion.
        step: longest step of a straight way, natural units (rad, lengths of the robot): between two
            steps nothing was looked at.
        starts: searches for each side of each freedom in ``combined``.
        gained: what the last three rounds of these searches added, minus and plus ``(n, 2)`` [m or
            rad].
    """

    robot: Robot
    home: np.ndarray
    limits: bool
    alone: dict[str, Excursion]
    combined: dict[str, Excursion]
    together: Together
    rates: HomeRates
    tolerance: float | None
    step: float
    starts: int
    gained: np.ndarray

    def __repr__(self) -> str:
        return f"<Envelope of {self.robot.name!r}: {', '.join(self.alone)}>"

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order; lengths in metres, angles in degrees."""
        yield "robot", self.robot.name
        yield "home", ", ".join(self._home_words())
        for title, found in (("alone", self.alone), ("combined", self.combined)):
            for name, one in found.items():
                yield f"{title} {name}", f"{both(name, one.minus, one.plus)}: {ends_of(one)}"
        for i, name in enumerate(self.alone):
            box = self.together
            yield f"together {name}", both(name, float(box.minus[i]), float(box.plus[i]))
        yield "box", f"{100.0 * self.together.share:.1f} % of each alone: {self.together.end}"
        yield from self._rate_lines()
        fine = "1e-06 of each" if self.tolerance is None else f"{self.tolerance:g} m and rad"
        yield (
            "searched",
            f"alone to {fine}; combined from {counted(self.starts, 'start')} "
            f"each, so at least these; together on {self.together.rays} ways from home",
        )

    def columns(self) -> dict[str, np.ndarray]:
        """One row a freedom: excursions alone, combined and together [m or rad], what ends them."""
        names = list(self.alone)
        found = {
            "freedom": np.array(names, dtype=object),
            "unit": np.array([unit_of(name) for name in names], dtype=object),
        }
        for title, each in (("alone", self.alone), ("combined", self.combined)):
            found[f"{title}_minus"] = np.array([one.minus for one in each.values()])
            found[f"{title}_plus"] = np.array([one.plus for one in each.values()])
            for k, side in enumerate(("minus", "plus")):
                ends = [one.ends[k] for one in each.values()]
                found[f"{title}_{side}_end"] = np.array(ends, dtype=object)
        found["together_minus"], found["together_plus"] = self.together.minus, self.together.plus
        found["velocity"] = self.rates.velocity
        found["acceleration_minus"], found["acceleration_plus"] = self.rates.acceleration.T
        return found

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, ready for JSON; SI units."""
        found: dict[str, Any] = {"robot": self.robot.name, "freedoms": list(self.alone)}
        for name in (
            *("home", "limits", "alone", "combined", "together", "rates"),
            *("tolerance", "step", "starts", "gained"),
        ):
            found[name] = plain(getattr(self, name))
        return found

    def _home_words(self) -> Iterator[str]:
        for name, value in zip(self.alone, self.home, strict=True):
            yield f"{name} = {value_of(name, float(value))} {shown_unit(name)}"

    def _rate_lines(self) -> Iterator[tuple[str, str]]:
        rates = self.rates
        for title, values in (("velocity", rates.velocity), ("acceleration", rates.acceleration)):
            square = "²" if title == "acceleration" else ""
            facts = []
            for name, value in zip(self.alone, values, strict=True):
                if np.isfinite(value).all():
                    least = value_of(name, float(np.min(value)))
                    facts.append(f"{name} {least} {shown_unit(name)}/s{square}")
            if facts:
                yield title, f"{', '.join(facts)} (each alone, at home)"


def both(name: str, minus: float, plus: float) -> str:
    """``-0.12 to +0.31 m``."""
    return f"{value_of(name, minus)} to +{value_of(name, plus)} {shown_unit(name)}"


def ends_of(one: Excursion) -> str:
    """What ends an excursion on both sides, in words."""
    minus, plus = one.ends
    return minus if minus == plus else f"{minus}; {plus}"


def shown_unit(name: str) -> str:
    """Unit in which a freedom is printed."""
    return "deg" if unit_of(name) == "rad" else "m"


def value_of(name: str, value: float) -> str:
    """A freedom as it is printed; rounding is zero."""
    shown = math.degrees(value) if unit_of(name) == "rad" else value
    return f"{0.0 if abs(shown) < 1e-9 else shown:.4g}"
