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
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gough.base import turns
from gough.base.arguments import words
from gough.base.batch import as_array, check_finite, check_poses
from gough.errors import InputError, shown

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

    def chosen(self, which: Any) -> Measurements:
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


class Poses(Measurements):
    """Full poses of the tool in the device's frame: laser tracker, camera, measuring arm.

    Numbers are ``x y z`` [m] and the rotation vector ``rx ry rz`` [rad] of what is left between the
    predicted and the measured orientation, device axes.

    Args:
        motors: ``(K, n)`` [rad or m].
        T: measured poses ``(K, 4, 4)``.
        std: standard deviations of positions [m] and of angles [rad], one pair for all or one a
            measurement ``(K, 2)``.
        components: those that were measured, for instance ``("x", "y", "rz")`` in a plane.
        labels: where each measurement stands; numbered if not given.
    """

    kind, names = "pose", COMPONENTS
    units = ("m", "m", "m", "rad", "rad", "rad")
    _rows = ("T",)

    def __init__(
        self,
        motors: Any,
        T: Any,
        std: Any = None,
        *,
        components: Sequence[str] = COMPONENTS,
        labels: Sequence[str] | None = None,
    ) -> None:
        q, count = _motors(motors)
        T = _rows_of(T, (4, 4), count, "T")
        check_poses(T, "T")
        values = np.zeros((count, 6))
        values[:, :3] = T[:, :3, 3]
        measured = words(components, "components")
        for name in measured:
            if name not in COMPONENTS:
                raise InputError(
                    f"components: {shown(name)} is none of {' '.join(COMPONENTS)}",
                    argument="components",
                )
        values[:, [i for i, name in enumerate(COMPONENTS) if name not in measured]] = np.nan
        pairs = _deviations(std, count, 2)
        self._set(T=T, motors=q, values=values, std=np.repeat(pairs, 3, axis=1))
        self._set(labels=_labels(labels, count, "pose"))

    T: np.ndarray

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        T = view.T_dt[:, 0]
        position = self.values[:, :3] - T[:, :3, 3]
        turned = turns.logs(self.T[:, :3, :3] @ T[:, :3, :3].swapaxes(1, 2))
        off = np.concatenate([position, turned], axis=1)
        off = np.where(np.isnan(self.values), np.nan, off)
        by_tool = np.broadcast_to(np.eye(6)[None, :, None, :], (len(T), 6, 1, 6))
        return Compared(off, by_tool, np.zeros((len(T), 6, 1)))


class Positions(Measurements):
    """Positions of the tool's origin in the device's frame [m].

    Args:
        motors: ``(K, n)`` [rad or m].
        points: ``(K, 3)`` [m]; NaN for components that were not measured.
        std: standard deviation [m], one for all or one a measurement ``(K,)``.
        labels: where each measurement stands; numbered if not given.
    """

    kind, names, units = "position", COMPONENTS[:3], ("m", "m", "m")

    def __init__(
        self, motors: Any, points: Any, std: Any = None, *, labels: Sequence[str] | None = None
    ) -> None:
        q, count = _motors(motors)
        values = _rows_of(points, (3,), count, "points")
        self._set(motors=q, values=values, std=np.repeat(_deviations(std, count, 1), 3, axis=1))
        self._set(labels=_labels(labels, count, self.kind))

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        T = view.T_dt[:, 0]
        by_tool = np.broadcast_to(np.eye(6)[None, :3, None, :], (len(T), 3, 1, 6))
        return Compared(self.values - T[:, :3, 3], by_tool, np.zeros((len(T), 3, 1)))


class Orientations(Measurements):
    """Orientations of the tool in the device's frame: an inclinometer, a camera, a gyroscope.

    Args:
        motors: ``(K, n)`` [rad or m].
        R: measured rotations ``(K, 3, 3)``.
        std: standard deviation [rad], one for all or one a measurement ``(K,)``.
        components: rotations about device axes that were measured, among ``rx ry rz``; an
            inclinometer measures ``("rx", "ry")``.
        labels: where each measurement stands; numbered if not given.
    """

    kind, names, units = "orientation", COMPONENTS[3:], ("rad", "rad", "rad")
    _rows = ("R",)

    def __init__(
        self,
        motors: Any,
        R: Any,
        std: Any = None,
        *,
        components: Sequence[str] = COMPONENTS[3:],
        labels: Sequence[str] | None = None,
    ) -> None:
        q, count = _motors(motors)
        T = np.tile(np.eye(4), (count, 1, 1))
        T[:, :3, :3] = _rows_of(R, (3, 3), count, "R")
        whole = Poses(motors, T, components=components)
        self._set(R=whole.T[:, :3, :3], motors=q, values=whole.values[:, 3:])
        self._set(std=np.repeat(_deviations(std, count, 1), 3, axis=1))
        self._set(labels=_labels(labels, count, self.kind))

    R: np.ndarray

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        R = view.T_dt[:, 0, :3, :3]
        off = np.where(np.isnan(self.values), np.nan, turns.logs(self.R @ R.swapaxes(1, 2)))
        by_tool = np.broadcast_to(np.eye(6)[None, 3:, None, :], (len(R), 3, 1, 6))
        return Compared(off, by_tool, np.zeros((len(R), 3, 1)))


class Heights(Measurements):
    """Heights of the tool's origin over a plane: a probe over a bed, a gauge over a granite table.

    The plane is ``z = 0`` of the device's frame.

    Args:
        motors: ``(K, n)`` [rad or m].
        heights: ``(K,)`` [m].
        std: standard deviation [m], one for all or one a measurement ``(K,)``.
        labels: where each measurement stands; numbered if not given.
    """

    kind, names, units = "height", ("z",), ("m",)

    def __init__(
        self, motors: Any, heights: Any, std: Any = None, *, labels: Sequence[str] | None = None
    ) -> None:
        q, count = _motors(motors)
        values = _rows_of(heights, (), count, "heights")[:, None]
        self._set(motors=q, values=values, std=_deviations(std, count, 1))
        self._set(labels=_labels(labels, count, self.kind))

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        T = view.T_dt[:, 0]
        by_tool = np.broadcast_to(np.eye(6)[None, 2:3, None, :], (len(T), 1, 1, 6))
        return Compared(self.values - T[:, 2, 3:], by_tool, np.zeros((len(T), 1, 1)))


class Distances(Measurements):
    """Distances of the tool's origin between two states: calipers on a printed part, a length bar.

    Args:
        motors: of the first states ``(K, n)`` [rad or m].
        others: of the second states ``(K, n)``.
        distances: ``(K,)`` [m].
        std: standard deviation [m], one for all or one a measurement ``(K,)``.
        labels: where each measurement stands; numbered if not given.
    """

    kind, names, units = "distance", ("distance",), ("m",)

    def __init__(
        self,
        motors: Any,
        others: Any,
        distances: Any,
        std: Any = None,
        *,
        labels: Sequence[str] | None = None,
    ) -> None:
        q, count = _motors(motors)
        second, _ = _motors(others, "others")
        if second.shape != q.shape:
            raise InputError(
                f"others has shape {second[:, 0].shape}, motors {q[:, 0].shape}", argument="others"
            )
        values = _positive(_rows_of(distances, (), count, "distances"), "distances")[:, None]
        self._set(motors=np.concatenate([q, second], axis=1), values=values)
        self._set(std=_deviations(std, count, 1), labels=_labels(labels, count, self.kind))

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        between = view.T_dt[:, 1, :3, 3] - view.T_dt[:, 0, :3, 3]
        length, towards = _lengths(between)
        by_tool = np.zeros((len(between), 1, 2, 6))
        by_tool[:, 0, 0, :3], by_tool[:, 0, 1, :3] = -towards, towards
        return Compared(self.values - length, by_tool, np.zeros((len(between), 1, 2)))


class Lengths(Measurements):
    """Distances of the tool's origin from a fixed point: one wire, a ball bar, a range finder.

    Args:
        motors: ``(K, n)`` [rad or m].
        anchor: the fixed point in the device's frame ``(3,)`` or ``(K, 3)`` [m].
        lengths: ``(K,)`` [m].
        std: standard deviation [m], one for all or one a measurement ``(K,)``.
        labels: where each measurement stands; numbered if not given.
    """

    kind, names, units = "length", ("length",), ("m",)
    _rows = ("anchor",)

    def __init__(
        self,
        motors: Any,
        anchor: Any,
        lengths: Any,
        std: Any = None,
        *,
        labels: Sequence[str] | None = None,
    ) -> None:
        q, count = _motors(motors)
        values = _positive(_rows_of(lengths, (), count, "lengths"), "lengths")[:, None]
        point = as_array(anchor, (3,), "anchor")
        check_finite(point, "anchor")
        self._set(anchor=np.broadcast_to(point, (count, 3)), motors=q, values=values)
        self._set(std=_deviations(std, count, 1), labels=_labels(labels, count, self.kind))

    anchor: np.ndarray

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        length, towards = _lengths(view.T_dt[:, 0, :3, 3] - self.anchor)
        by_tool = np.zeros((len(length), 1, 1, 6))
        by_tool[:, 0, 0, :3] = towards
        return Compared(self.values - length, by_tool, np.zeros((len(length), 1, 1)))


class Encoders(Measurements):
    """Coordinates of a joint axis without motor, read by an encoder of its own.

    Args:
        motors: ``(K, n)`` [rad or m].
        axis: name of the joint axis.
        readings: its coordinates ``(K,)`` [rad or m], zero where the description has it.
        std: standard deviation [rad or m], one for all or one a measurement ``(K,)``.
        slides: whether the axis slides, so that its unit is the metre.
        labels: where each measurement stands; numbered if not given.
    """

    kind, names, units = "encoder", ("reading",), ("rad",)

    def __init__(
        self,
        motors: Any,
        axis: str,
        readings: Any,
        std: Any = None,
        *,
        slides: bool = False,
        labels: Sequence[str] | None = None,
    ) -> None:
        q, count = _motors(motors)
        values = _rows_of(readings, (), count, "readings")[:, None]
        self._set(axis=str(axis), slides=slides, motors=q, values=values)
        self._set(std=_deviations(std, count, 1))
        self._set(labels=_labels(labels, count, f"encoder {axis}"))

    slides: bool

    @property
    def number_units(self) -> tuple[str, ...]:
        """Unit of the reading."""
        return ("m",) if self.slides else ("rad",)

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        off = self.values - view.axes[self.axis]
        if not self.slides:  # whole turns are not what an encoder is wrong by
            off = off - 2.0 * np.pi * np.round(off / (2.0 * np.pi))
        count = len(off)
        return Compared(off, np.zeros((count, 1, 1, 6)), np.ones((count, 1, 1)))


def _motors(given: Any, name: str = "motors") -> tuple[np.ndarray, int]:
    """Motor positions ``(K, 1, n)``, and how many."""
    q = np.asarray(given, dtype=float) if not isinstance(given, np.ndarray) else given
    if q.ndim != 2 or not len(q):
        raise InputError(
            f"{name} has shape {q.shape}, expected one row of motor positions a measurement",
            argument=name,
        )
    q = as_array(q, (q.shape[1],), name)
    check_finite(q, name)
    return q[:, None], len(q)


def _rows_of(given: Any, core: tuple[int, ...], count: int, name: str) -> np.ndarray:
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


def _positive(values: np.ndarray, name: str) -> np.ndarray:
    if (values <= 0.0).any():
        raise InputError(f"{name}: a distance must be positive", argument=name)
    return values


def _deviations(given: Any, count: int, kinds: int) -> np.ndarray:
    """Standard deviations ``(K, kinds)``; NaN where they are not known."""
    if given is None:
        return np.full((count, kinds), np.nan)
    std = np.asarray(given, dtype=float)
    if kinds == 1 and std.ndim == 1:
        std = std[:, None]
    try:
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


def _labels(given: Sequence[str] | None, count: int, kind: str) -> tuple[str, ...]:
    if given is None:
        return tuple(f"{kind} {k + 1}" for k in range(count))
    found = words(given, "labels")
    if len(found) != count:
        raise InputError(f"there are {len(found)} labels for {count}", argument="labels")
    return found


def _lengths(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lengths ``(K, 1)`` and unit directions ``(K, 3)``."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return length, vectors / np.maximum(length, 1e-300)
