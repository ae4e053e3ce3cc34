"""Motions from tables of measured poses: CSV, Parquet or NPZ."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

import numpy as np

from gough.errors import FileError, GoughError
from gough.motion import turns
from gough.motion.measured import from_samples
from gough.motion.motion import Motion
from gough.motion.space import Space, space_of
from gough.robot import Robot
from gough.robot.names import nearest
from gough.tables import read_table

POSITION, QUATERNION, VECTOR = ("x", "y", "z"), ("qw", "qx", "qy", "qz"), ("rx", "ry", "rz")

_UNIT = 1e-2  # a quaternion may miss length 1 by this much, from few digits, and is put right


def from_file(
    robot: Robot, path: str | PathLike[str], *, smoothing: Any = "auto", time: str = "t"
) -> Motion:
    """The motion that a table of poses describes.

    Columns: the time, and the robot's freedoms by name; or the whole pose, ``x y z`` and a
    quaternion ``qw qx qy qz`` or a rotation vector ``rx ry rz`` (base axes, counted as
    ``robot.freedoms`` are).  Other columns are left alone.

    Args:
        robot: the machine.
        path: a .csv, .parquet or .npz file.
        smoothing: as for :func:`from_samples`.
        time: name of the column with time stamps [s].
    """
    space, table = space_of(robot), read_table(path)
    file = fspath(path)
    t = _columns(table, (time,), file)[:, 0]
    try:
        return from_samples(robot, t, _poses(space, table, file), smoothing=smoothing)
    except FileError:
        raise
    except GoughError as err:
        raise _in_file(err, file) from err


def _poses(space: Space, table: dict[str, np.ndarray], file: str) -> np.ndarray:
    """Freedoms (K, n), or matrices (K, 4, 4)."""
    whole = set(VECTOR) <= set(table) and set(POSITION) <= set(table)
    if any(name in table for name in QUATERNION):
        R = _from_quaternions(_columns(table, QUATERNION, file), file)
    elif whole and space.assembly.freedoms != POSITION + VECTOR:
        R = turns.rotations(_columns(table, VECTOR, file)) @ space.assembly.chart.R_ref
    else:
        return _columns(table, space.assembly.freedoms, file)
    T = np.zeros((len(R), 4, 4))
    T[:, :3, :3], T[:, 3, 3] = R, 1.0
    T[:, :3, 3] = _columns(table, POSITION, file)
    return T


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


def _in_file(err: GoughError, file: str) -> GoughError:
    return type(err)(f"{file}: {err.message}", hint=err.hint, **err.data)
