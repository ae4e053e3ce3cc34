"""A grid over some of a robot's freedoms, the others held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.batch import as_array
from gough.errors import InputError, shown
from gough.mobility.assembly import Assembly
from gough.robot.names import nearest

POINTS = {1: 1001, 2: 101, 3: 31}
"""Points along each freedom, by the number of freedoms, if nothing is said."""

MOST = 20_000_000
"""Points of a grid that can be held in memory."""


@dataclass(frozen=True, eq=False)
class Section:
    """A grid over one to three of a robot's freedoms, coordinates as in ``gough.state``.

    Attributes:
        freedoms: all names, in the robot's order.
        names: those that vary, in the order of the grid's axes.
        values: of each, rising ``(n,)`` [m or rad].
        held: the others' values by name [m or rad].
    """

    freedoms: tuple[str, ...]
    names: tuple[str, ...]
    values: tuple[np.ndarray, ...]
    held: dict[str, float]

    @property
    def shape(self) -> tuple[int, ...]:
        """Points along each freedom that varies."""
        return tuple(len(v) for v in self.values)

    @property
    def units(self) -> tuple[str, ...]:
        """Unit of each freedom that varies."""
        return tuple(unit_of(name) for name in self.names)

    @property
    def unit(self) -> str:
        """Unit of an area (a length, a volume) of the section."""
        return _product(self.units)

    @cached_property
    def spacing(self) -> np.ndarray:
        """Distance between points along each freedom, ``(d,)``."""
        return np.array([(v[-1] - v[0]) / max(len(v) - 1, 1) for v in self.values])

    @property
    def cell(self) -> float:
        """Area (length, volume) that one point stands for."""
        return float(np.prod(self.spacing))

    @property
    def points(self) -> np.ndarray:
        """Freedoms of every point in C order ``(K, n)``."""
        found = np.empty((*self.shape, len(self.freedoms)))
        for name, value in self.held.items():
            found[..., self.freedoms.index(name)] = value
        grid = np.meshgrid(*self.values, indexing="ij")
        for name, values in zip(self.names, grid, strict=True):
            found[..., self.freedoms.index(name)] = values
        return found.reshape(-1, len(self.freedoms))

    @property
    def columns_varied(self) -> list[int]:
        """Where the varied freedoms stand among all."""
        return [self.freedoms.index(name) for name in self.names]

    def nearest(self, x: np.ndarray) -> int:
        """Number of the point nearest to freedoms ``(n,)``, the held ones aside."""
        place = [
            int(np.argmin(np.abs(v - x[i])))
            for i, v in zip(self.columns_varied, self.values, strict=True)
        ]
        return int(np.ravel_multi_index(place, self.shape))

    def __str__(self) -> str:
        spans = [
            f"{name} {v[0]:.4g} to {v[-1]:.4g} {unit_of(name)} ({len(v)})"
            for name, v in zip(self.names, self.values, strict=True)
        ]
        held = [f"{name} = {value:.4g} {unit_of(name)}" for name, value in self.held.items()]
        return " x ".join(spans) + (f" at {', '.join(held)}" if held else "")


@dataclass(frozen=True, eq=False)
class Wish:
    """What a caller said of a section: spans that are not given are found.

    Attributes:
        spans: by name, lowest and highest value; ``None`` where they are to be found.
        counts: points by name.
        exact: values by name, where all of them are given.
        held: values of the other freedoms.
    """

    spans: dict[str, tuple[float, float] | None]
    counts: dict[str, int]
    exact: dict[str, np.ndarray]
    held: dict[str, float]

    def section(self, assembly: Assembly, spans: Mapping[str, tuple[float, float]]) -> Section:
        """The grid, with the spans that were found."""
        values = []
        for name, given in self.spans.items():
            low, high = given or spans[name]
            values.append(self.exact.get(name, np.linspace(low, high, self.counts[name])))
        return Section(assembly.freedoms, tuple(self.spans), tuple(values), self.held)

    def coarse(
        self, assembly: Assembly, spans: Mapping[str, tuple[float, float]], count: int
    ) -> Section:
        """The same with few points."""
        values = [
            np.linspace(*spans[name], count if spans[name][0] < spans[name][1] else 1)
            for name in self.spans
        ]
        return Section(assembly.freedoms, tuple(self.spans), tuple(values), self.held)


def wished(assembly: Assembly, axes: Mapping[str, Any], at: Mapping[str, Any] | None) -> Wish:
    """What keywords say of a section.

    Args:
        assembly: the robot.
        axes: by freedom a tuple ``(low, high)`` or ``(low, high, points)``, all values as an array
            or a list, a number of points, or ``None`` for the whole reach; the first two freedoms
            if empty.
        at: values of the freedoms that are held; home's if not given.
    """
    known = assembly.freedoms
    if not known:
        raise InputError(
            f"{assembly.robot.name} has no freedom: there is nothing to vary", argument="section"
        )
    if at is not None and not isinstance(at, Mapping):
        raise InputError(f"at: expected {{freedom: value}}, got {shown(at)}", argument="at")
    for name in (*axes, *(at or {})):
        if name not in known:
            raise InputError(
                f"{assembly.robot.name} has no freedom {shown(name)}",
                hint=f"{nearest(name, known)} gough.state takes the same ones.",
                argument=str(name),
            )
    chosen = dict(axes) or _first_two(known, at or {})
    if len(chosen) > 3:
        raise InputError(
            f"a section varies one to three freedoms, not {len(chosen)}: {', '.join(chosen)}",
            hint="Hold the others: at={'z': 0.3}.",
            argument="section",
        )
    home = assembly.chart.coordinates(assembly.T_home)
    held = {
        name: float(home[i])
        for name, i in zip(known, assembly.free, strict=True)
        if name not in chosen
    }
    for name, value in (at or {}).items():
        if name in chosen:
            raise InputError(f"{name} is both varied and held", argument=name)
        number = as_array(value, (), name)
        if number.ndim or not np.isfinite(number):
            raise InputError(f"{name} is {shown(value)}, expected one finite number", argument=name)
        held[name] = float(number)
    wish = Wish({}, {}, {}, held)
    for name, given in chosen.items():
        _take(wish, name, given, POINTS[len(chosen)])
    total = float(np.prod([float(n) for n in wish.counts.values()]))
    if total > MOST:
        raise InputError(
            f"a grid of {total:.3g} points is more than {MOST:.0e}",
            hint="Take fewer points, or several sections.",
            argument="section",
        )
    return wish


def unit_of(name: str) -> str:
    """Unit of a freedom."""
    return "rad" if name.startswith("r") else "m"


def _first_two(known: tuple[str, ...], at: Mapping[str, Any]) -> dict[str, None]:
    """Freedoms that vary if nothing is said: the first two that are not held."""
    return dict.fromkeys([name for name in known if name not in at][:2])


def _take(wish: Wish, name: str, given: Any, points: int) -> None:
    """What is said of one freedom."""
    wish.spans[name], wish.counts[name] = None, points
    if given is None:
        return
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        wish.counts[name] = _count(name, given)
        return
    array = as_array(given, (), name)
    if array.ndim != 1 or not len(array):
        raise InputError(
            f"{name} is {shown(given)}, expected (low, high), (low, high, points) or all values "
            "as an array",
            argument=name,
        )
    if not np.isfinite(array).all():
        raise InputError(f"{name} is {shown(given)}: not all finite", argument=name)
    if isinstance(given, tuple):
        _take_span(wish, name, array)
        return
    steps = np.diff(array)
    if len(steps) and (steps.min() <= 0.0 or np.ptp(steps) > 1e-6 * abs(steps.mean())):
        raise InputError(
            f"{name}: its {len(array)} values do not rise evenly",
            hint=f"np.linspace(low, high, points) makes such values; {name}=(low, high, points) "
            "is a span.",
            argument=name,
        )
    wish.exact[name], wish.counts[name] = array.copy(), len(array)
    wish.spans[name] = (float(array[0]), float(array[-1]))


def _take_span(wish: Wish, name: str, span: np.ndarray) -> None:
    """Lowest and highest value of a freedom, perhaps with a number of points."""
    if len(span) not in (2, 3):
        raise InputError(
            f"{name} is a tuple of {len(span)}, expected (low, high) or (low, high, points)",
            hint="All values themselves are an array, or a list.",
            argument=name,
        )
    low, high = float(span[0]), float(span[1])
    if not low < high:
        raise InputError(f"{name} goes from {low:g} to {high:g}: it must rise", argument=name)
    wish.spans[name] = (low, high)
    if len(span) == 3:
        wish.counts[name] = _count(name, span[2])


def _count(name: str, value: Any) -> int:
    if value != int(value) or value < 2:
        raise InputError(
            f"{name} has {shown(value)} points, expected a whole number, 2 or more", argument=name
        )
    return int(value)


def _product(units: tuple[str, ...]) -> str:
    """Units multiplied: m², m rad ..."""
    found = []
    for unit in dict.fromkeys(units):
        power = units.count(unit)
        found.append(unit + ("" if power == 1 else "²" if power == 2 else "³"))
    return " ".join(found)
