"""Measurements of a robot from tables: CSV, Parquet or NPZ, one row a measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any, overload

import numpy as np

from gough.base.arguments import check_known, number
from gough.base.batch import as_array, check_finite
from gough.base.english import counted, listed, quoted
from gough.base.tables import read_gaps
from gough.calibration.files.table_names import (
    ANCHOR,
    ROTATION,
    SKIP,
    STD,
    STD_ANGLE,
    Names,
    names_of,
)
from gough.calibration.files.table_rows import Reader, Rows, rows_of
from gough.calibration.files.table_units import (
    check_angles,
    check_deviations,
    check_lengths,
    check_motors,
)
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
from gough.errors import FileError, GoughError, InputError, shown
from gough.motion.columns import POSITION, Columns, find_columns
from gough.motion.findings import Finding, convention, of_all
from gough.motion.rotation_words import find_reading
from gough.motion.space import located
from gough.motion.units import KINDS, check_units, named
from gough.robot import Robot

_BESIDE = (*ANCHOR, STD, STD_ANGLE)  # say nothing alone
_LISTED = 5  # rows that a sentence lists


@dataclass(frozen=True, eq=False)
class MeasurementTable(Sequence[Measurements]):
    """Measurements that a file holds: a sequence, one entry a kind.

    Attributes:
        file: they are from.
        measurements: one object for every kind that is there, and for every encoder.
        findings: how columns were read, units that hardly fit, rows that were left out; each with
            ``kind`` and ``sentence``.
    """

    file: str
    measurements: tuple[Measurements, ...]
    findings: tuple[Finding, ...]

    @overload
    def __getitem__(self, index: int) -> Measurements: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Measurements, ...]: ...

    def __getitem__(self, index: int | slice) -> Measurements | tuple[Measurements, ...]:
        return self.measurements[index]

    def __len__(self) -> int:
        return len(self.measurements)

    def __repr__(self) -> str:
        kinds = [counted(len(each), each.kind) for each in self.measurements]
        return f"<MeasurementTable {PurePath(self.file).name!r}: {listed(kinds)}>"


def read_measurements(
    robot: Robot,
    path: str | PathLike[str],
    *,
    rotation: str | None = None,
    angles: str | None = None,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    std: Mapping[str, float] | None = None,
    anchor: Any = None,
) -> MeasurementTable:
    """Measurements of a robot from a table, one row a measurement.

    Columns are known by their names, with units in the header where it has them, ``x [mm]``,
    ``arm1_deg``; other columns are left alone.  An empty cell is a number that was not measured, so
    that one table may hold several kinds:

    - where the motors stood: the names of the motors, also as ``q_p1`` or ``motor_p1``;
    - full poses: ``x y z`` and a rotation, as :func:`gough.motion.from_file` reads it; positions:
      ``x y z``, or some of them; orientations: a rotation;
    - ``height`` over the plane z = 0 of the device;
    - ``distance`` between two states, with the second state in ``other_p1``, ``other_p2``, ...;
    - ``length`` from a fixed point, ``anchor_x anchor_y anchor_z`` in the device's frame;
    - encoders of joint axes without motor: the names of the axes, ``u1.first``;
    - ``std`` and ``std_angle``: standard deviations of all lengths and of all angles of the row;
    - ``skip_rx skip_ry skip_rz``: 1 where a pose or orientation was not measured about this axis of
      the device; 0 or empty otherwise.

    Args:
        robot: the machine.
        path: a .csv, .parquet or .npz file.
        rotation: what the columns of a rotation mean, as for :func:`gough.motion.from_file`.
        angles: ``"radians"`` or ``"degrees"``, as ``units={"angle": ...}``.
        columns: names of columns by what they hold: ``{"p1": "encoder 1", "height": "probe"}``.
        units: ``{"length": "mm", "angle": "deg"}``; they win over the header, for all columns.
            Without either it is m and rad.
        std: standard deviations where the table has none: ``{"length": 2e-5, "angle": 5e-5}``
            [m, rad].
        anchor: the fixed point of lengths ``(3,)`` [m], where the table has none.

    Returns:
        Measurements, which :func:`gough.calibrate` takes as they are, and findings.  Labels are
        ``measured.csv row 7``, the row being the line that an editor shows; in files without
        lines rows count from 1.

    Raises:
        FileError: the table is none, or lacks something; says file, line and column.
        InputError: it can be read in two ways.
    """
    names, reading = names_of(robot), find_reading(rotation)
    said = check_units(units, angles, KINDS[:2])
    usual, point = _usual(std), _point(anchor)
    file = fspath(path) if isinstance(path, PathLike) else path
    table = read_gaps(path)
    kept = ~np.all([np.isnan(column) for column in table.columns.values()], axis=0)
    if not kept.any():
        raise FileError("has empty rows only", file=str(file))
    where = np.flatnonzero(kept).tolist()
    lines = [table.lines[k] for k in where] if table.lines else []
    cells = {name: column[kept] for name, column in table.columns.items()}
    try:
        found = find_columns(cells, str(file), names.given(columns), said, names.vocabulary)
        labels = [f"row {n}" for n in (lines or [k + 1 for k in where])]
        rows = rows_of(robot, names, Reader(found, labels, lines), reading, usual, point)
        measured = _measured(names, rows, PurePath(file).name)
        findings = _findings(robot, names, found, rows, measured)
    except FileError:
        raise
    except GoughError as err:
        raise located(err, str(file)) from err
    return MeasurementTable(str(file), tuple(measured), tuple(findings))


def _usual(std: Any) -> np.ndarray:
    """Standard deviations of lengths and of angles that the caller gave ``(2,)``."""
    found = np.full(2, np.nan)
    if std is None:
        return found
    if not isinstance(std, Mapping):
        raise InputError(
            f"std is {shown(std)}, expected standard deviations by what they count",
            hint='For instance: std={"length": 2e-5, "angle": 5e-5} [m, rad].',
            argument="std",
        )
    for kind, value in std.items():
        check_known(kind, KINDS[:2], "std: there is no kind", "std")
        found[KINDS.index(kind)] = number(value, f"std[{kind!r}]", positive=True)
    return found


def _point(anchor: Any) -> np.ndarray | None:
    if anchor is None:
        return None
    point = as_array(anchor, (3,), "anchor")
    if point.shape != (3,):
        raise InputError(f"anchor has shape {point.shape}, expected (3,)", argument="anchor")
    check_finite(point, "anchor")
    return point


def _measured(names: Names, rows: Rows, file: str) -> list[Measurements]:
    """One object a kind, of the rows that have it."""
    placed, oriented = rows.placed, rows.oriented
    found: list[Measurements] = []

    def chosen(where: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[str]]:
        labels = [f"{file} {label}" for label in _chosen(rows.labels, where)]
        return rows.motors[where], rows.std[where], labels

    both = placed & oriented
    if both.any():
        q, std, labels = chosen(both)
        T = np.tile(np.eye(4), (len(q), 1, 1))
        T[:, :3, :3], T[:, :3, 3] = rows.R[both], np.nan_to_num(rows.position[both])
        poses = Poses(q[:, 0], T, std, labels=labels)
        there = np.concatenate([np.isfinite(rows.position[both]), rows.turned[both]], axis=1)
        poses.values[~there] = np.nan
        found.append(poses)
    if (alone := placed & ~oriented).any():
        q, std, labels = chosen(alone)
        found.append(Positions(q[:, 0], rows.position[alone], std[:, 0], labels=labels))
    if (alone := oriented & ~placed).any():
        q, std, labels = chosen(alone)
        turned = Orientations(q[:, 0], rows.R[alone], std[:, 1], labels=labels)
        turned.values[~rows.turned[alone]] = np.nan
        found.append(turned)
    for name, values in rows.single.items():
        if (there := np.isfinite(values)).any():
            q, std, labels = chosen(there)
            more: dict[str, Any] = {"std": std[:, 0], "labels": labels}
            if name == "height":
                found.append(Heights(q[:, 0], values[there], **more))
            elif name == "distance":
                found.append(Distances(q[:, 0], q[:, 1], values[there], **more))
            else:
                found.append(Lengths(q[:, 0], rows.anchor[there], values[there], **more))
    for axis, values in rows.encoders.items():
        if (there := np.isfinite(values)).any():
            q, std, labels = chosen(there)
            slides = axis in names.slides
            deviations = std[:, 0 if slides else 1]
            found.append(
                Encoders(q[:, 0], axis, values[there], deviations, slides=slides, labels=labels)
            )
    return found


def _findings(
    robot: Robot, names: Names, columns: Columns, rows: Rows, measured: Sequence[Measurements]
) -> list[Finding]:
    """How the table was read, and what looks wrong with its units; refuses what is ambiguous."""
    if not measured:
        motors = {*names.motors.values(), *names.others.values()}
        asked = dict.fromkeys((*rows.used, *columns.of(ROTATION)))
        unfilled = [name for name in asked if name not in motors and name not in _BESIDE]
        if unfilled:
            what = "columns" if len(unfilled) > 1 else "column"
            are = "are" if len(unfilled) > 1 else "is"
            raise FileError(
                f"nothing was measured: {what} {' '.join(unfilled)} {are} empty",
                file=columns.file,
                hint="Fill in what was measured where the motors stood; rows that are left empty "
                "are left out.",
            )
        raise FileError(
            "has nothing that was measured",
            file=columns.file,
            hint="Wanted beside the motors: x y z, a rotation, height, distance, length, or the "
            f"encoder of {listed(names.encoders, 'or')}. {columns.vocabulary.hint}",
        )
    there = rows.measured
    found = [convention(_sentence(names, columns, rows))]
    second = np.isfinite(rows.motors[:, 1]).all(axis=1)
    second &= np.isfinite(rows.single.get("distance", np.full(len(second), np.nan)))
    q = np.concatenate([rows.motors[there, 0], rows.motors[second, 1]])
    labels = [*_chosen(rows.labels, there), *_chosen(rows.labels, second)]
    found += check_motors(robot, names, q, columns, labels)
    found += check_lengths(robot, q, _reaches(names, rows, columns), columns)
    found += check_angles(names, rows.encoders, columns)
    found += check_deviations(robot, rows.std[there])
    if missing := _chosen(rows.labels, ~there):
        some = ", ".join(missing[:_LISTED]) + (", ..." if len(missing) > _LISTED else "")
        count = counted(len(missing), "row has", "rows have")
        found.append(of_all("left_out", f"{count} nothing measured, left out: {some}"))
    return found


def _chosen(labels: Sequence[str], where: np.ndarray) -> list[str]:
    return [labels[k] for k in np.flatnonzero(where).tolist()]


def _reaches(names: Names, rows: Rows, columns: Columns) -> dict[str, np.ndarray]:
    """How far measured lengths reach [m], by quantity; points from their middle."""
    found = {}
    if placed := columns.of(POSITION):
        points = rows.position[:, [POSITION.index(name) for name in placed]]
        points = points[np.isfinite(points).all(axis=1)]
        if len(points):
            found[placed[0]] = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    slides = {
        names.encoders[axis]: rows.encoders[axis] for axis in rows.encoders if axis in names.slides
    }
    for name, values in {**rows.single, **slides}.items():
        if np.isfinite(values).any():
            middle = 0.0 if name in ("distance", "length") else np.nanmedian(values)
            found[name] = np.nan_to_num(np.abs(values - middle))
    return found


def _sentence(names: Names, columns: Columns, rows: Rows) -> str:
    """How the columns were read."""
    kinds = names.vocabulary.kinds
    said: list[str] = []
    assumed: list[str] = []
    for kind in ("length", "angle"):
        if mine := [each for each in rows.used if kinds[each] == kind]:
            silent = all(columns.unit(each) is None for each in mine)
            (assumed if silent else said).append(f"{kind}s in {named(columns.units(mine))}")
    if assumed:
        why = "neither the header nor the caller says it"
        said.append(f"{listed(assumed)}, assumed because {why}")
    used = {columns.one(each).name for each in (*rows.used, *columns.of(SKIP))}
    rest = [name for name in columns.names if name not in used]
    left = f"; left alone: {quoted(rest)}" if rest else ""
    more = columns.renamed(rows.used) + columns.overruled(rows.used)
    return f"{rows.said}{'; '.join(said)}{more}{left}"
