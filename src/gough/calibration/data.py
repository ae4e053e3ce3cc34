"""Measurements of all kinds together: one row a number, weighed by its standard deviation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known, number
from gough.calibration.bench import Seen, SeenSlopes
from gough.calibration.geometry import move_of
from gough.calibration.kinds import Encoders
from gough.calibration.measured import Measurements, View
from gough.errors import InputError, shown
from gough.robot import Robot
from gough.robot.joint_kinds import SLIDE, TURN
from gough.robot.names import joint_of

GUESS = 0.1
"""Noise of numbers that come without, as a share of what parts are made to: a first guess."""


class Row(NamedTuple):
    """One measured number.

    Attributes:
        kind: of the measurement.
        label: where it stands.
        name: of the number among those of its measurement.
        unit: ``m`` or ``rad``.
        measurement: which one of all it belongs to.
        value: as it was measured [m or rad].
    """

    kind: str
    label: str
    name: str
    unit: str
    measurement: int
    value: float


@dataclass(frozen=True, eq=False)
class Data:
    """All that was measured.

    Attributes:
        sets: measurements, kind by kind.
        std: standard deviations of each set's numbers ``(K, c)``, all of them known.
        guessed: which of them were not given, set by set.
    """

    sets: tuple[Measurements, ...]
    std: tuple[np.ndarray, ...]
    guessed: tuple[np.ndarray, ...]

    @classmethod
    def of(
        cls,
        robot: Robot,
        given: Any,
        noise: Any,
        tolerances: tuple[float, float],
        name: str = "measurements",
    ) -> Data:
        """Measurements of an argument, checked; standard deviations completed by ``noise``."""
        sets = tuple(_checked(robot, each, name) for each in _sets(given, name))
        sizes = dict(zip(("m", "rad"), (GUESS * each for each in tolerances), strict=True))
        said: dict[str, float] = {}
        if noise is not None and not isinstance(noise, str):
            if np.shape(noise) != (2,):
                raise InputError(
                    f"noise is {shown(noise)}, expected standard deviations of lengths [m] and of "
                    "angles [rad]",
                    argument="noise",
                )
            said = {
                unit: number(value, "noise", positive=True)
                for unit, value in zip(("m", "rad"), noise, strict=True)
            }
        std, guessed = [], []
        for each in sets:
            units = each.number_units
            own = np.array([said.get(unit, sizes[unit]) for unit in units])
            missing = np.isnan(each.std)
            std.append(np.where(missing, own, each.std))
            guessed.append(missing & np.array([unit not in said for unit in units]))
        return cls(sets, tuple(std), tuple(guessed))

    @cached_property
    def readings(self) -> np.ndarray:
        """Motor readings of all states ``(S, n)``, set by set."""
        return np.concatenate([each.motors.reshape(-1, each.motors.shape[2]) for each in self.sets])

    @property
    def axes(self) -> tuple[str, ...]:
        """Joint axes that are read."""
        return tuple(dict.fromkeys(each.axis for each in self.sets if each.axis))

    @cached_property
    def known(self) -> tuple[np.ndarray, ...]:
        """Which numbers of each set were measured ``(K, c)``."""
        return tuple(np.isfinite(each.values) for each in self.sets)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """What each row is."""
        found, first = [], 0
        for each, known in zip(self.sets, self.known, strict=True):
            for k, i in np.argwhere(known).tolist():
                unit, value = each.number_units[i], float(each.values[k, i])
                row = Row(each.kind, each.labels[k], each.names[i], unit, first + k, value)
                found.append(row)
            first += len(each)
        return tuple(found)

    @cached_property
    def owners(self) -> np.ndarray:
        """Which measurement each row belongs to ``(m,)``."""
        return np.array([row.measurement for row in self.rows])

    @cached_property
    def deviations(self) -> np.ndarray:
        """Standard deviation of every row ``(m,)`` [m or rad]."""
        return self._stacked(self.std)

    @cached_property
    def unknown(self) -> np.ndarray:
        """Rows whose standard deviation was guessed ``(m,)``."""
        return self._stacked(self.guessed).astype(bool)

    def _stacked(self, parts: Iterable[np.ndarray]) -> np.ndarray:
        return np.concatenate([part[known] for part, known in zip(parts, self.known, strict=True)])

    def with_deviations(self, deviations: np.ndarray) -> Data:
        """The same numbers with other standard deviations ``(m,)``."""
        std, first = [], 0
        for old, known in zip(self.std, self.known, strict=True):
            new = old.copy()
            count = int(known.sum())
            new[known] = deviations[first : first + count]
            std.append(new)
            first += count
        return Data(self.sets, tuple(std), self.guessed)

    def chosen(self, measurements: np.ndarray) -> Data:
        """Some of the measurements, by a mask over all."""
        sets, std, guessed, first = [], [], [], 0
        for each, deviations, guess in zip(self.sets, self.std, self.guessed, strict=True):
            own = measurements[first : first + len(each)]
            first += len(each)
            if own.any():
                sets.append(each.chosen(own))
                std.append(deviations[own])
                guessed.append(guess[own])
        return Data(tuple(sets), tuple(std), tuple(guessed))

    @property
    def count(self) -> int:
        """How many measurements there are."""
        return sum(len(each) for each in self.sets)

    @property
    def labels(self) -> list[str]:
        """Where each measurement stands."""
        return [label for each in self.sets for label in each.labels]

    def states_of(self, measurement: int) -> np.ndarray:
        """Which states a measurement is about."""
        first, state = 0, 0
        for each in self.sets:
            s = each.motors.shape[1]
            if measurement < first + len(each):
                return np.asarray(state + s * (measurement - first) + np.arange(s))
            first, state = first + len(each), state + s * len(each)
        raise IndexError(measurement)

    def compared(self, seen: Seen, slopes: SeenSlopes) -> tuple[np.ndarray, np.ndarray]:
        """Measured less predicted numbers ``(m,)``, predicted ones by the geometry ``(m, G)``."""
        off, by, state = [], [], 0
        for each, known in zip(self.sets, self.known, strict=True):
            K, s, _ = each.motors.shape
            own = slice(state, state + K * s)
            state += K * s
            axes = {each.axis: slopes.axes[each.axis][own].reshape(K, s)} if each.axis else {}
            found = each.compared(View(seen.T_dt[own].reshape(K, s, 4, 4), axes))
            tool = slopes.tool[own].reshape(K, s, 6, -1)
            slope = np.einsum("kcsi,ksig->kcg", found.by_tool, tool, optimize=True)
            if each.axis:
                read = slopes.axes_by[each.axis][own].reshape(K, s, -1)
                slope = slope + np.einsum("kcs,ksg->kcg", found.by_axis, read, optimize=True)
            off.append(found.off[known])
            by.append(slope[known])
        return np.concatenate(off), np.concatenate(by)


def _sets(given: Any, name: str) -> list[Measurements]:
    """One object, or several; anything else is refused."""
    found = [given] if isinstance(given, Measurements) else given
    if not isinstance(found, Sequence) or isinstance(found, (str, bytes)) or not found:
        raise InputError(
            f"{name}: {shown(given)}, expected objects of gough.calibration",
            hint="For instance gough.calibration.Poses(motors, T), or what "
            "gough.calibration.read_measurements(robot, path) gives.",
            argument=name,
        )
    for each in found:
        if not isinstance(each, Measurements):
            raise InputError(
                f"{name}: {shown(each)} is no object of gough.calibration",
                argument=name,
            )
    return list(found)


def _slides(robot: Robot, axis: str) -> bool:
    what = move_of(robot.joint(joint_of(axis)), axis)
    if what not in (TURN, SLIDE):
        raise InputError(
            f"{axis} has no single coordinate that an encoder reads", argument="measurements"
        )
    return what == SLIDE


def _checked(robot: Robot, each: Measurements, name: str) -> Measurements:
    n = len(robot.motors)
    if each.motors.shape[2] != n:
        raise InputError(
            f"{each!r} has {each.motors.shape[2]} motor readings a state, {robot.name} has {n} "
            f"motors: {', '.join(robot.motors)}",
            argument=name,
        )
    if isinstance(each, Encoders):
        check_known(each.axis, robot.axis_names, f"{robot.name} has no axis", name)
        each = each.of_unit(_slides(robot, each.axis))
        if each.axis in robot.motors:
            raise InputError(
                f"{each.axis} is a motor: its readings are known already",
                argument=name,
            )
    if not np.isfinite(each.values).any():
        raise InputError(f"{each!r}: nothing was measured", argument=name)
    return each
