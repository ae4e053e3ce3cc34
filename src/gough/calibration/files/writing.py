"""Measurements to tables that :func:`gough.calibration.read_measurements` reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any

import numpy as np

from gough.base import turns
from gough.base.arguments import check_known
from gough.base.tables import write_table
from gough.calibration.files.table_names import ANCHOR, SKIP, STD, STD_ANGLE, Names, names_of
from gough.calibration.kinds import (
    Distances,
    Encoders,
    Heights,
    Lengths,
    Orientations,
    Poses,
    Positions,
)
from gough.calibration.measured import Measurements
from gough.errors import InputError, shown
from gough.motion.columns import POSITION, QUATERNION
from gough.motion.units import SI
from gough.robot import Robot


def write_measurements(
    path: str | PathLike[str], robot: Robot, measurements: Measurements | Iterable[Measurements]
) -> None:
    """Write measurements of a robot to a table, one row each, in metres and radians.

    Numbers come back from :func:`gough.calibration.read_measurements` exactly as they were, and
    rotations, which are written as quaternions ``qw qx qy qz``, to rounding.  Labels are not
    written: they say where a measurement stands, and that is here from now on.

    Args:
        path: a .csv, .parquet or .npz file, which is replaced if it is there.
        robot: the machine; its axes name the columns.
        measurements: one object, or several of any kind.

    Raises:
        FileError: the file cannot be written; one that was there before is untouched.
        InputError: the measurements are not of this robot, or have components of one measurement
            with different standard deviations.
    """
    names = names_of(robot)
    given = [measurements] if isinstance(measurements, Measurements) else measurements
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise _refused(measurements)
    several = list(given)
    if not several or not all(isinstance(each, Measurements) for each in several):
        raise _refused(measurements)
    blocks = [dict(_columns(each, robot, names)) for each in several]
    order = [
        *(*names.motors.values(), *names.others.values(), *POSITION, *QUATERNION),
        *("height", "distance", "length", *ANCHOR, *names.encoders.values()),
        *(STD, STD_ANGLE, *SKIP),
    ]
    table = {}
    for quantity in order:
        cells = [
            block.get(quantity, np.full(len(each), np.nan))
            for block, each in zip(blocks, several, strict=True)
        ]
        column = np.concatenate(cells)
        if np.isfinite(column).any():
            kind = names.vocabulary.kind(quantity)
            table[quantity if kind is None else f"{quantity} [{SI[kind].symbol}]"] = column
    write_table(path, table, gaps=True)


def _columns(
    measured: Measurements, robot: Robot, names: Names
) -> Iterator[tuple[str, np.ndarray]]:
    """Columns of one kind of measurements, by quantity."""
    if measured.motors.shape[2] != len(robot.motors):
        raise InputError(
            f"{measured!r} has {measured.motors.shape[2]} motors, {robot.name} has "
            f"{len(robot.motors)}",
            argument="measurements",
        )
    yield from zip(names.motors.values(), measured.motors[:, 0].T, strict=True)
    values = measured.values
    if isinstance(measured, (Poses, Positions)):
        yield from zip(POSITION, values[:, :3].T, strict=True)
    if isinstance(measured, (Poses, Orientations)):
        R = measured.T[:, :3, :3] if isinstance(measured, Poses) else measured.R
        skipped = np.isnan(values[:, -3:])
        turned = np.where(skipped.all(axis=1, keepdims=True), np.nan, turns.quaternions(R))
        yield from zip(QUATERNION, turned.T, strict=True)
        yield from zip(SKIP, np.where(skipped, 1.0, np.nan).T, strict=True)
    elif isinstance(measured, Encoders):
        check_known(measured.axis, names.encoders, "there is no encoder", "measurements")
        if measured.slides != (measured.axis in names.slides):
            does = "slides" if measured.axis in names.slides else "turns"
            raise InputError(
                f"the encoder of {measured.axis} has its readings in "
                f"{'metres' if measured.slides else 'radians'}, and the axis {does}",
                argument="measurements",
            )
        yield names.encoders[measured.axis], values[:, 0]
    elif isinstance(measured, (Heights, Distances, Lengths)):
        yield measured.kind, values[:, 0]
    if isinstance(measured, Distances):
        yield from zip(names.others.values(), measured.motors[:, 1].T, strict=True)
    if isinstance(measured, Lengths):
        yield from zip(ANCHOR, measured.anchor.T, strict=True)
    for quantity, symbol in ((STD, "m"), (STD_ANGLE, "rad")):
        mine = [i for i, unit in enumerate(measured.number_units) if unit == symbol]
        if mine:
            yield quantity, _deviation(measured, mine)


def _deviation(measured: Measurements, components: list[int]) -> np.ndarray:
    """The standard deviation that all these components have ``(K,)``."""
    std = measured.std[:, components]
    unequal = ~((std == std[:, :1]) | (np.isnan(std) & np.isnan(std[:, :1]))).all(axis=1)
    if unequal.any():
        label = measured.labels[int(np.argmax(unequal))]
        raise InputError(
            f"{label}: its components have different standard deviations, and a table has one for "
            "lengths and one for angles",
            argument="measurements",
        )
    return np.asarray(std[:, 0])


def _refused(given: Any) -> InputError:
    return InputError(
        f"measurements is {shown(given)}, expected measurements, at least one object",
        hint="For instance: gough.calibration.Heights(motors, heights).",
        argument="measurements",
    )
