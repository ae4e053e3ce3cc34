"""Motions from tables of measured poses: CSV, Parquet or NPZ."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

import numpy as np

from gough.base import turns
from gough.base.tables import read_table
from gough.errors import FileError, GoughError
from gough.motion import arguments
from gough.motion.faults import CHOICES
from gough.motion.findings import convention
from gough.motion.measured import FEWEST, check_times, measured
from gough.motion.motion import Motion
from gough.motion.rotation_columns import (
    MEANINGS,
    UNITS,
    VECTOR,
    check_meaning,
    check_unit,
    meaning,
)
from gough.motion.space import Space, located, space_of
from gough.robot import Robot
from gough.robot.names import nearest

POSITION = ("x", "y", "z")

_UNIT = 1e-2  # a quaternion may miss length 1 by this much, from few digits, and is put right


def from_file(
    robot: Robot,
    path: str | PathLike[str],
    *,
    smoothing: Any = "auto",
    time: str = "t",
    outliers: str = "warn",
    rotation: str | None = None,
    angles: str | None = None,
) -> Motion:
    """The motion that a table of poses describes.

    Columns: the time, and the robot's freedoms by name; or the whole pose, ``x y z`` and a
    quaternion ``qw qx qy qz``, angles ``roll pitch yaw`` (``R = Rz(yaw) Ry(pitch) Rx(roll)``), or
    a rotation vector ``rx ry rz`` (base axes, counted as ``robot.freedoms`` are).  Other columns
    are left alone.  ``motion.findings`` says how the rotation was read.

    Args:
        robot: the machine.
        path: a .csv, .parquet or .npz file.
        smoothing: as for :func:`from_samples`.
        time: name of the column with time stamps [s].
        outliers: as for :func:`from_samples`.
        rotation: what columns mean: ``"rotation_vector"``, ``"rpy"`` (columns ``rx ry rz`` as
            roll, pitch, yaw, too) or ``"quaternion"``; needed for ``rx ry rz`` where it makes a
            difference, unless gough itself wrote the table.
        angles: ``"radians"`` or ``"degrees"``; needed where angles look like degrees.

    Raises:
        FileError: the table is none, or lacks columns.
        InputError: it can be read in two ways; says how far they differ.
    """
    for value, name, words in ((rotation, "rotation", MEANINGS), (angles, "angles", UNITS)):
        if value is not None:
            arguments.choice(value, name, words)
    arguments.choice(outliers, "outliers", CHOICES)
    space, table = space_of(robot), read_table(path)
    file = fspath(path)
    t = _columns(table, (time,), file)[:, 0]
    try:
        check_times(t, FEWEST, "t")
        poses, said = _poses(space, t, table, file, rotation, angles)
        known = (convention(said),) if said else ()
        return measured(robot, t, poses, smoothing=smoothing, outliers=outliers, known=known)
    except FileError:
        raise
    except GoughError as err:
        raise located(err, file) from err


def _poses(
    space: Space,
    t: np.ndarray,
    table: dict[str, np.ndarray],
    file: str,
    rotation: str | None,
    angles: str | None,
) -> tuple[np.ndarray, str]:
    """Freedoms (K, n) or matrices (K, 4, 4), and how rotations were read."""
    freedoms = space.assembly.freedoms
    meant = meaning(table, freedoms, rotation, angles)
    if meant is None:
        return _columns(table, freedoms, file), ""
    values = _columns(table, meant.names, file)
    check_unit(meant, values, angles, table)
    values, said = values * meant.factor, meant.sentence
    if rotation is None and meant.kind == "rotation_vector" and len(meant.names) > 1:
        said += check_meaning(meant, t, values, table)
    if meant.kind == "rotation_vector" and not _whole(table, freedoms):
        scaled = table | dict(zip(meant.names, values.T, strict=True))
        return _columns(scaled, freedoms, file), said
    if meant.kind == "quaternion":
        R = _from_quaternions(values, file)
    elif meant.kind == "rpy":
        R = turns.from_rpy(values)
    else:
        R = turns.rotations(values) @ space.assembly.chart.R_ref
    T = np.zeros((len(R), 4, 4))
    T[:, :3, :3], T[:, 3, 3] = R, 1.0
    T[:, :3, 3] = _columns(table, POSITION, file)
    return T, said


def _whole(table: dict[str, np.ndarray], freedoms: tuple[str, ...]) -> bool:
    """Whether a table of rotation vectors holds more than the freedoms: whole poses."""
    return {*POSITION, *VECTOR} <= set(table) and freedoms != POSITION + VECTOR


def _columns(table: dict[str, np.ndarray], names: tuple[str, ...], file: str) -> np.ndarray:
    """Columns by name, side by side."""
    for name in names:
        if name not in table:
            raise FileError(
                f"there is no column {name!r}; wanted: {', '.join(names)}",
                file=file,
                hint=nearest(name, table),
                column=name,
            )
    return np.stack([table[name] for name in names], axis=1)


def _from_quaternions(q: np.ndarray, file: str) -> np.ndarray:
    """Rotations (K, 3, 3) of quaternions (K, 4), scalar first."""
    length = np.linalg.norm(q, axis=1)
    off = ~(np.abs(length - 1.0) < _UNIT)  # also for NaN
    if off.any():
        k = int(np.argmax(off))
        raise FileError(
            f"the quaternion of row {k} has length {length[k]:.6g}, expected 1",
            file=file,
            hint="The columns are qw qx qy qz, the scalar being qw.",
            row=k,
        )
    w, v = (q / length[:, None])[:, 0, None, None], turns.skew(q[:, 1:] / length[:, None])
    return np.asarray(np.eye(3) + 2.0 * w * v + 2.0 * (v @ v))
