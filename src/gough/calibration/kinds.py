"""Kinds of measurements: of the tool's pose, of heights and distances, of passive joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base import turns
from gough.base.arguments import words
from gough.base.batch import as_array, check_finite, check_poses
from gough.calibration.measured import (
    COMPONENTS,
    Compared,
    Measurements,
    View,
    deviations,
    labels_of,
    lengths_of,
    motors_of,
    positive,
    rows_of,
)
from gough.errors import InputError, shown


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
        q, count = motors_of(motors)
        T = rows_of(T, (4, 4), count, "T")
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
        pairs = deviations(std, count, 2)
        self._set(T=T, motors=q, values=values, std=np.repeat(pairs, 3, axis=1))
        self._set(labels=labels_of(labels, count, "pose"))

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
        q, count = motors_of(motors)
        values = rows_of(points, (3,), count, "points")
        self._set(motors=q, values=values, std=np.repeat(deviations(std, count, 1), 3, axis=1))
        self._set(labels=labels_of(labels, count, self.kind))

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
        q, count = motors_of(motors)
        T = np.tile(np.eye(4), (count, 1, 1))
        T[:, :3, :3] = rows_of(R, (3, 3), count, "R")
        whole = Poses(motors, T, components=components)
        self._set(R=whole.T[:, :3, :3], motors=q, values=whole.values[:, 3:])
        self._set(std=np.repeat(deviations(std, count, 1), 3, axis=1))
        self._set(labels=labels_of(labels, count, self.kind))

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
        q, count = motors_of(motors)
        values = rows_of(heights, (), count, "heights")[:, None]
        self._set(motors=q, values=values, std=deviations(std, count, 1))
        self._set(labels=labels_of(labels, count, self.kind))

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
        q, count = motors_of(motors)
        second, _ = motors_of(others, "others")
        if second.shape != q.shape:
            raise InputError(
                f"others has shape {second[:, 0].shape}, motors {q[:, 0].shape}", argument="others"
            )
        values = positive(rows_of(distances, (), count, "distances"), "distances")[:, None]
        self._set(motors=np.concatenate([q, second], axis=1), values=values)
        self._set(std=deviations(std, count, 1), labels=labels_of(labels, count, self.kind))

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        between = view.T_dt[:, 1, :3, 3] - view.T_dt[:, 0, :3, 3]
        length, towards = lengths_of(between)
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
        q, count = motors_of(motors)
        values = positive(rows_of(lengths, (), count, "lengths"), "lengths")[:, None]
        point = as_array(anchor, (3,), "anchor")
        check_finite(point, "anchor")
        self._set(anchor=np.broadcast_to(point, (count, 3)), motors=q, values=values)
        self._set(std=deviations(std, count, 1), labels=labels_of(labels, count, self.kind))

    anchor: np.ndarray

    def compared(self, view: View) -> Compared:
        """Measured less predicted numbers."""
        length, towards = lengths_of(view.T_dt[:, 0, :3, 3] - self.anchor)
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
        slides: whether the axis slides: its unit is the metre.  A calibration asks the robot.
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
        q, count = motors_of(motors)
        values = rows_of(readings, (), count, "readings")[:, None]
        self._set(axis=str(axis), slides=slides, motors=q, values=values)
        self._set(std=deviations(std, count, 1))
        self._set(labels=labels_of(labels, count, f"encoder {axis}"))

    slides: bool

    def of_unit(self, slides: bool) -> Encoders:
        """The same readings of an axis that slides, or turns."""
        found = self.chosen(slice(None))
        object.__setattr__(found, "slides", slides)
        return found

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
