"""A grid over some of a robot's freedoms, the others held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import nearest, number
from gough.base.batch import as_array
from gough.base.english import clean, digits
from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import Assembly

POINTS = {1: 1001, 2: 101, 3: 31}
"""Points along each freedom, by the number of freedoms, if nothing is said."""

MOST = 20_000_000
"""Points of a grid that can be held in memory."""


@dataclass(frozen=True, eq=False)
class WorkspaceSection:
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
        """Area (length, volume) of the cell around one point."""
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
        """Indices of the varied freedoms among all."""
        return [self.freedoms.index(name) for name in self.names]

    def nearest(self, x: np.ndarray) -> int:
        """Number of the point nearest to freedoms ``(n,)``, the held ones aside."""
        place = [
            int(np.argmin(np.abs(v - x[i])))
            for i, v in zip(self.columns_varied, self.values, strict=True)
        ]
        return int(np.ravel_multi_index(place, self.shape))

    def to_dict(self) -> dict[str, Any]:
        """Which freedoms vary, which are held, and the unit of sizes, as plain data."""
        return {
            "axes": {
                name: {"low": float(v[0]), "high": float(v[-1]), "points": len(v)}
                for name, v in zip(self.names, self.values, strict=True)
            },
            "held": self.held,
            "unit": self.unit,
        }

    def __str__(self) -> str:
        spans = [
            f"{name} {span_words(name, v[0], v[-1])} ({len(v)})"
            for name, v in zip(self.names, self.values, strict=True)
        ]
        held = [f"{name} = {clean(value):.4g} {unit_of(name)}" for name, value in self.held.items()]
        return " x ".join(spans) + (f" at {', '.join(held)}" if held else "")


def span_words(name: str, low: float, high: float) -> str:
    """``-0.2 to 0.3 m``, with as many digits as show the difference."""
    many = digits(max(abs(low), abs(high)), high - low)
    return f"{low:.{many}g} to {high:.{many}g} {unit_of(name)}"


class Axis(NamedTuple):
    """Argument of a freedom that varies.

    Attributes:
        span: lowest and highest value; ``None`` where they are to be found.
        points: how many.
        values: all of them, where they are given.
    """

    span: tuple[float, float] | None
    points: int
    values: np.ndarray | None = None


class GridRequest(NamedTuple):
    """Arguments of a section; spans that are not given are found later.

    Attributes:
        freedoms: all names, in the robot's order.
        axes: those that vary.
        held: values of the others.
    """

    freedoms: tuple[str, ...]
    axes: dict[str, Axis]
    held: dict[str, float]

    def section(
        self, spans: Mapping[str, tuple[float, float]], points: int | None = None
    ) -> WorkspaceSection:
        """The grid over spans of all axes, with the requested number of points, or another one."""
        values = []
        for name, axis in self.axes.items():
            low, high = spans[name]
            even = np.linspace(low, high, (points or axis.points) if low < high else 1)
            values.append(axis.values if points is None and axis.values is not None else even)
        return WorkspaceSection(self.freedoms, tuple(self.axes), tuple(values), self.held)


def parse_grid(
    assembly: Assembly, axes: Mapping[str, Any], at: Mapping[str, Any] | None
) -> GridRequest:
    """Read the keywords of a section.

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
    at = {} if at is None else at
    if not isinstance(at, Mapping):
        raise InputError(f"at: expected {{freedom: value}}, got {shown(at)}", argument="at")
    for name in (*axes, *at):
        if name not in known:
            raise InputError(
                f"{assembly.robot.name} has no freedom {shown(name)}",
                hint=f"{nearest(name, known)} gough.state takes the same ones.",
                argument=str(name),
            )
    # if nothing is said, the first two that are not held vary
    chosen = dict(axes) or dict.fromkeys([name for name in known if name not in at][:2])
    if len(chosen) > 3:
        raise InputError(
            f"a section varies one to three freedoms, not {len(chosen)}: {', '.join(chosen)}",
            hint="Hold the others: at={'z': 0.3}.",
            argument="section",
        )
    home = assembly.chart.coordinates(assembly.T_home)
    held = {n: float(home[i]) for n, i in zip(known, assembly.free, strict=True) if n not in chosen}
    for name, value in at.items():
        if name in chosen:
            raise InputError(f"{name} is both varied and held", argument=name)
        held[name] = number(value, name)
    found = {name: _axis(name, given, POINTS[len(chosen)]) for name, given in chosen.items()}
    total = float(np.prod([float(axis.points) for axis in found.values()]))
    if total > MOST:
        raise InputError(
            f"a grid of {total:.3g} points is more than {MOST:.0e}",
            hint="Take fewer points, or several sections.",
            argument="section",
        )
    return GridRequest(known, found, held)


def unit_of(name: str) -> str:
    """Unit of a freedom."""
    return "rad" if name.startswith("r") else "m"


def _axis(name: str, given: Any, points: int) -> Axis:
    """Read the argument of one freedom."""
    if given is None:
        return Axis(None, points)
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        return Axis(None, _count(name, given))
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
        return _spanned(name, array, points)
    steps = np.diff(array)
    # steps of np.linspace or of a table with seven digits are equal to 1e-6
    if len(steps) and (steps.min() <= 0.0 or np.ptp(steps) > 1e-6 * abs(steps.mean())):
        raise InputError(
            f"{name}: its {len(array)} values do not rise evenly",
            hint=f"np.linspace(low, high, points) makes such values; {name}=(low, high, points) "
            "is a span.",
            argument=name,
        )
    return Axis((float(array[0]), float(array[-1])), len(array), array.copy())


def _spanned(name: str, span: np.ndarray, points: int) -> Axis:
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
    return Axis((low, high), _count(name, span[2]) if len(span) == 3 else points)


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
