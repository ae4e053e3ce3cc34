"""The rows of a table of measurements in SI units; cells that are missing are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gough.calibration.files.one_axis import one_rotation
from gough.calibration.files.table_names import (
    ANCHOR,
    ROTATION,
    SINGLE,
    SKIP,
    STD,
    STD_ANGLE,
    UNNAMED,
    Names,
)
from gough.errors import FileError
from gough.mechanism.mobility.assembly import assembled
from gough.motion.columns import NUMBERED, POSITION, QUATERNION, RPY, VECTOR, Columns
from gough.motion.rotation_columns import Meaning, meaning, turned
from gough.motion.rotation_words import Reading
from gough.robot import Robot


@dataclass(frozen=True, eq=False)
class Rows:
    """What K rows hold, in SI units; NaN where nothing was measured.

    Attributes:
        labels: ``row 7``.
        motors: where the motors stood ``(K, 2, n)``, in the first and in the second state.
        position: measured positions ``(K, 3)``.
        R: measured rotations ``(K, 3, 3)``; the identity where there is none.
        turned: about which axes the rotation was measured ``(K, 3)``.
        single: heights, distances and lengths ``(K,)``.
        anchor: fixed points of lengths ``(K, 3)``.
        encoders: readings by axis ``(K,)``.
        std: standard deviations of lengths and of angles ``(K, 2)``.
        used: quantities that were read.
        said: how the rotation was read, in words; empty without one.
    """

    labels: Sequence[str]
    motors: np.ndarray
    position: np.ndarray
    R: np.ndarray
    turned: np.ndarray
    single: dict[str, np.ndarray]
    anchor: np.ndarray
    encoders: dict[str, np.ndarray]
    std: np.ndarray
    used: tuple[str, ...]
    said: str

    @property
    def placed(self) -> np.ndarray:
        """Rows with a position, or a part of one ``(K,)``."""
        return np.asarray(np.isfinite(self.position).any(axis=1))

    @property
    def oriented(self) -> np.ndarray:
        """Rows with a rotation ``(K,)``."""
        return np.asarray(self.turned.any(axis=1))

    @property
    def measured(self) -> np.ndarray:
        """Rows in which anything was measured ``(K,)``."""
        found = self.placed | self.oriented
        for values in (*self.single.values(), *self.encoders.values()):
            found = found | np.isfinite(values)
        return np.asarray(found)


@dataclass(frozen=True, eq=False)
class Reader:
    """Columns of a table, and where its rows stand.

    Attributes:
        columns: by quantity.
        labels: ``row 7``.
        lines: of rows in the file; empty if it has none.
    """

    columns: Columns
    labels: Sequence[str]
    lines: Sequence[int]

    def values(self, quantities: Sequence[str]) -> np.ndarray:
        """Columns side by side in SI units ``(K, m)``; NaN for those that are not there."""
        found = np.full((len(self.labels), len(quantities)), np.nan)
        for i, each in enumerate(quantities):
            if each in self.columns:
                found[:, i] = self.columns.values([each])[:, 0]
        return found

    def refused(self, k: int, quantity: str, fault: str, hint: str = "") -> FileError:
        """The error about a cell."""
        name = self.columns.one(quantity).name
        row = "" if self.lines else f"{self.labels[k]}, "
        return FileError(
            f"{row}column {name!r} {fault}",
            file=self.columns.file,
            line=self.lines[k] if self.lines else None,
            path=name,
            hint=hint,
            column=name,
        )

    def check_filled(self, rows: np.ndarray, quantities: Sequence[str], why: str) -> None:
        """Refuse empty cells, and columns that are not there, in some rows ``(K,)``."""
        if not rows.any():
            return
        cells = self.columns.raw(quantities)
        for i, each in enumerate(quantities):
            empty = rows & np.isnan(cells[:, i])
            if empty.any():
                raise self.refused(int(np.argmax(empty)), each, f"is empty: {why}")

    def check_positive(self, quantity: str, what: str) -> None:
        """Refuse numbers of a column that are not above 0."""
        if quantity in self.columns:
            values = self.columns.raw([quantity])[:, 0]
            bad = values <= 0.0
            if bad.any():
                k = int(np.argmax(bad))
                raise self.refused(k, quantity, f"is {values[k]:g}: {what} must be above 0")


def rows_of(
    robot: Robot,
    names: Names,
    reader: Reader,
    reading: Reading | None,
    std: np.ndarray,
    anchor: np.ndarray | None,
) -> Rows:
    """The rows of a table in SI units.

    Args:
        robot: the machine.
        names: of its quantities.
        reader: of the table.
        reading: how rotations are to be read, as the caller said.
        std: standard deviations of lengths and of angles where the table has none ``(2,)``.
        anchor: fixed point of lengths where the table has none ``(3,)``.
    """
    columns = reader.columns
    motors, others = list(names.motors.values()), list(names.others.values())
    columns.raw(motors)  # refuses columns that are missing before anything is asked
    R, turned_about, meant, said = _rotations(robot, reader, reading)
    single = {name: reader.values([name])[:, 0] for name in SINGLE if name in columns}
    encoders = {
        axis: reader.values([key])[:, 0] for axis, key in names.encoders.items() if key in columns
    }
    points = reader.values(ANCHOR)
    if anchor is not None:
        points = np.where(np.isnan(points).all(axis=1, keepdims=True), anchor, points)
    deviations = reader.values((STD, STD_ANGLE))
    deviations = np.where(np.isnan(deviations), std, deviations)
    rows = Rows(
        reader.labels,
        np.stack([reader.values(motors), reader.values(others)], axis=1),
        reader.values(POSITION),
        R,
        turned_about,
        single,
        points,
        encoders,
        deviations,
        (*motors, *_used(columns, names, meant, single, encoders)),
        said,
    )
    _check(reader, names, rows, anchor)
    return rows


def _used(
    columns: Columns,
    names: Names,
    meant: Meaning | None,
    single: dict[str, np.ndarray],
    encoders: dict[str, np.ndarray],
) -> tuple[str, ...]:
    """Quantities that are read beside the motors."""
    found: list[str] = list(columns.of(names.others.values())) if "distance" in single else []
    found += [*columns.of(POSITION), *(() if meant is None else meant.names), *single]
    found += columns.of(ANCHOR) if "length" in single else ()
    found += [names.encoders[axis] for axis in encoders]
    return (*found, *columns.of((STD, STD_ANGLE)))


def _rotations(
    robot: Robot, reader: Reader, reading: Reading | None
) -> tuple[np.ndarray, np.ndarray, Meaning | None, str]:
    """Rotations ``(K, 3, 3)``, about which axes they were measured, and how they were read."""
    columns, count = reader.columns, len(reader.labels)
    R, about = np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3), dtype=bool)
    if reading is None and not columns.of(ROTATION) and len(columns.of(UNNAMED)) < len(QUATERNION):
        return R, about, None, ""
    assembly = assembled(robot)
    R_ref = assembly.chart.R_ref
    single = tuple(name for name in assembly.freedoms if name in VECTOR)
    single = single or one_rotation(assembly)
    # an angle alone is a whole rotation only where the machine turns about one axis
    alone = len(single) == 1 and len(columns.of((*VECTOR, *RPY))) == 1
    alone = alone and not columns.of((*QUATERNION, *NUMBERED))
    meant = meaning(columns, single if alone else VECTOR, reading, R_ref)
    if meant is None:
        return R, about, None, ""
    raw = columns.raw(meant.names)
    there = np.isfinite(raw).any(axis=1)
    if not there.any():
        return R, about, None, ""
    reader.check_filled(there, meant.names, "the rest of the rotation is there")
    some = np.flatnonzero(there).tolist()
    values, said = turned(
        meant,
        columns.at(np.array(some)),
        asked=reading is not None,
        noise=lambda _: 0.0,
        where=lambda k: f"in {reader.labels[some[k]]}",
        lines=[reader.lines[k] for k in some] if reader.lines else (),
    )
    if len(meant.names) == 1:
        place = VECTOR.index(single[0])
        values = values * np.eye(3)[place]
        about[some, place] = True
    else:
        about[some] = True
    R[some] = meant.reading.rotations(values, R_ref)
    skipped = reader.values(SKIP)
    for i, name in enumerate(SKIP):
        bad = ~np.isin(skipped[:, i], (0.0, 1.0)) & ~np.isnan(skipped[:, i])
        if bad.any():
            k = int(np.argmax(bad))
            raise reader.refused(k, name, f"is {skipped[k, i]:g}, expected 1, 0 or nothing")
    return R, about & ~(skipped == 1.0), meant, said


def _check(reader: Reader, names: Names, rows: Rows, anchor: np.ndarray | None) -> None:
    """Refuse units that are said for some columns only, cells that are missing, what is not > 0."""
    kinds = names.vocabulary.kinds
    for kind in ("length", "angle"):
        reader.columns.check_headers([each for each in rows.used if kinds[each] == kind])
    for each in ("distance", "length"):
        reader.check_positive(each, "a distance")
    for each in (STD, STD_ANGLE):
        reader.check_positive(each, "a standard deviation")
    motors, others = list(names.motors.values()), list(names.others.values())
    reader.check_filled(rows.measured, motors, "where did the motor stand?")
    if "distance" in rows.single:
        far = np.isfinite(rows.single["distance"])
        why = "a distance needs the motors of the second state"
        reader.check_filled(far, others, why)
    if "length" in rows.single:
        long = np.isfinite(rows.single["length"]) & ~np.isfinite(rows.anchor).all(axis=1)
        if long.any() and anchor is None and not reader.columns.of(ANCHOR):
            raise FileError(
                "there are lengths, and no columns anchor_x anchor_y anchor_z",
                file=reader.columns.file,
                hint="Say where the fixed point is in the device's frame, in metres: "
                "anchor=(0.1, 0.2, 0.0).",
                column="length",
            )
        reader.check_filled(long, ANCHOR, "a length needs the fixed point")
