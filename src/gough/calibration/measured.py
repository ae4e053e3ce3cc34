"""What is measured on a machine: numbers, how sure they are, and where the motors stood.

A kind of measurement knows one thing: which numbers it would read off predicted states, and by how
much they change with a small displacement of the tool.  The tool is the robot's ``T_0p`` followed
by the tool's own frame, the measuring device's frame is what poses and points are measured in; both
may be unknown, and neither is known here.

Values that are NaN were not measured.  A standard deviation that is not given is that of
``noise`` of :func:`gough.calibrate`, or found from the residuals.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gough.base.arguments import words
from gough.base.batch import as_array, check_finite
from gough.errors import InputError

COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")


class View(NamedTuple):
    """Predicted states, as a measurement sees them.

    Attributes:
        T_dt: pose of the tool in the device's frame ``(K, s, 4, 4)``; s states a measurement.
        axes: coordinates of joint axes by name ``(K, s)`` [rad or m]; those that
            :attr:`Measurements.axis` names.
    """

    T_dt: np.ndarray
    axes: Mapping[str, np.ndarray]


class Compared(NamedTuple):
    """Measured less predicted numbers, and how predicted ones change.

    Attributes:
        off: measured less predicted ``(K, c)`` [m or rad]; NaN where nothing was measured.
        by_tool: predicted numbers by a small twist of the tool, about the tool's origin and in the
            axes of the device ``(K, c, s, 6)``, translation first.
        by_axis: predicted numbers by the coordinate of the joint axis that is read ``(K, c, s)``.
    """

    off: np.ndarray
    by_tool: np.ndarray
    by_axis: np.ndarray


@dataclass(frozen=True, eq=False)
class Measurements(ABC):
    """Numbers of one kind that were measured.

    Attributes:
        motors: where the motors stood ``(K, s, n)`` [rad or m], as their controller reads them; s
            is 1, or 2 where two states are compared.
        values: numbers that were measured ``(K, c)`` [m or rad]; NaN: not measured.
        std: their standard deviations ``(K, c)``; NaN: not known.
        labels: where each of the K measurements stands, for reports and warnings: ``row 7``.
    """

    motors: np.ndarray
    values: np.ndarray
    std: np.ndarray
    labels: tuple[str, ...]

    kind: ClassVar[str]
    """One measurement, in a word."""

    units: ClassVar[tuple[str, ...]]
    """Of the c numbers: ``"m"`` or ``"rad"``."""

    names: ClassVar[tuple[str, ...]]
    """Of the c numbers."""

    axis: str = ""
    """Joint axis that is read; empty for measurements of the tool."""

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)}>"

    @property
    def number_units(self) -> tuple[str, ...]:
        """Units of the c numbers."""
        return self.units

    @abstractmethod
    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""

    def chosen(self, which: Any) -> Self:
        """Some of the K measurements, by a mask or by their places."""
        found = object.__new__(type(self))
        vars(found).update(vars(self))
        places = np.arange(len(self))[which]
        for name in ("motors", "values", "std", *self._rows):
            object.__setattr__(found, name, getattr(self, name)[places])
        object.__setattr__(found, "labels", tuple(self.labels[k] for k in places))
        return found

    _rows: ClassVar[tuple[str, ...]] = ()
    """Further arrays with a row a measurement."""

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)


def motors_of(given: Any, name: str = "motors") -> tuple[np.ndarray, int]:
    """Motor positions ``(K, 1, n)``, and how many."""
    q = np.array(as_array(given, (), name))
    if q.ndim != 2 or not len(q):
        raise InputError(
            f"{name} has shape {q.shape}, expected one row of motor positions a measurement",
            argument=name,
        )
    check_finite(q, name)
    return q[:, None], len(q)


def rows_of(given: Any, core: tuple[int, ...], count: int, name: str) -> np.ndarray:
    """One row a measurement; NaN is a number that was not measured."""
    array = as_array(given, core, name)
    if array.shape != (count, *core):
        raise InputError(
            f"{name} has shape {array.shape}, expected {(count, *core)}: one row of motors each",
            argument=name,
        )
    if np.isinf(array).any():
        raise InputError(f"{name} has an infinite number", argument=name)
    return np.array(array)


def positive(values: np.ndarray, name: str) -> np.ndarray:
    """Distances, which are positive."""
    if (values <= 0.0).any():
        raise InputError(f"{name}: a distance must be positive", argument=name)
    return values


def deviations(given: Any, count: int, kinds: int) -> np.ndarray:
    """Standard deviations ``(K, kinds)``; NaN where they are not known."""
    if given is None:
        return np.full((count, kinds), np.nan)
    std = as_array(given, (), "std")
    if kinds == 1 and std.ndim == 1:
        std = std[:, None]
    try:
        if kinds > 1 and std.ndim == 0:
            raise ValueError  # one number has one unit
        std = np.broadcast_to(std, (count, kinds))
    except ValueError:
        wanted = "one number" if kinds == 1 else "a pair of numbers [m, rad]"
        raise InputError(
            f"std has shape {np.shape(given)}, expected {wanted}, or one a measurement",
            argument="std",
        ) from None
    if (std <= 0.0).any() or np.isinf(std).any():
        raise InputError("std: a standard deviation must be positive", argument="std")
    return np.array(std)


def labels_of(given: Sequence[str] | None, count: int, kind: str) -> tuple[str, ...]:
    """Where each measurement stands; numbered if nobody says."""
    if given is None:
        return tuple(f"{kind} {k + 1}" for k in range(count))
    found = words(given, "labels")
    if len(found) != count:
        raise InputError(f"there are {len(found)} labels for {count}", argument="labels")
    return found


def lengths_of(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lengths ``(K, 1)`` and unit directions ``(K, 3)``."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return length, vectors / np.maximum(length, 1e-300)
