"""Motions from tables of measured poses: CSV, Parquet or NPZ."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from os import PathLike, fspath
from typing import Any

import numpy as np

from gough.base.tables import read_table
from gough.errors import FileError, GoughError, InputError
from gough.motion import arguments
from gough.motion.columns import POSITION, TIME, VECTOR, Columns, find_columns
from gough.motion.distances import check_distance, check_steps
from gough.motion.faults import CHOICES
from gough.motion.findings import Finding, convention
from gough.motion.measured import FEWEST, MEASURED, check_times, measured
from gough.motion.motion import Motion
from gough.motion.rotation_columns import Meaning, meaning, turned
from gough.motion.rotation_words import VECTORS, Reading, find_reading
from gough.motion.series import FEWEST as FEW
from gough.motion.series import series
from gough.motion.space import Space, located, space_of
from gough.motion.units import check_units, named
from gough.robot import Robot


def from_file(
    robot: Robot,
    path: str | PathLike[str],
    *,
    smoothing: Any = "auto",
    time: str = "t",
    outliers: str = "warn",
    rotation: str | None = None,
    angles: str | None = None,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
) -> Motion:
    """The motion that a table of poses describes.

    Columns: the time, and the robot's freedoms by name; or the whole pose, ``x y z`` and a
    quaternion ``qw qx qy qz``, angles ``roll pitch yaw`` (``R = Rz(yaw) Ry(pitch) Rx(roll)``), or
    a rotation vector ``rx ry rz`` (base axes, counted as ``robot.freedoms`` are).  Usual other
    names are known, ``time``, ``pos_x``, and units in the header, ``x [mm]``, ``roll_deg``; other
    columns are left alone.  ``motion.findings`` says how the columns were read.

    Args:
        robot: the machine.
        path: a .csv, .parquet or .npz file.
        smoothing: as for :func:`from_samples`.
        time: name of the column with time stamps.
        outliers: as for :func:`from_samples`.
        rotation: what columns mean: ``"rotation_vector"``; ``"rpy"`` (columns ``rx ry rz`` as
            roll, pitch, yaw, too); rotations about three axes one after the other,
            ``"xyz fixed"``, ``"zyx intrinsic"``; ``"quaternion"``, and for columns
            ``q0 q1 q2 q3`` or ``q1 q2 q3 q4`` their order, ``"quaternion wxyz"`` or
            ``"quaternion xyzw"``.  Needed for ``rx ry rz`` where it makes a difference, unless
            gough itself wrote the table.
        angles: ``"radians"`` or ``"degrees"``, as ``units={"angle": ...}``; needed where angles
            look like degrees.
        columns: names of columns by what they hold: ``{"t": "stamp", "x": "pos_x",
            "roll": "rx"}``; what is not named here is found by its name.  Angles of a sequence
            with one axis twice, ``"zxz fixed"``, are ``angle1 angle2 angle3``.
        units: ``{"length": "mm", "angle": "deg", "time": "ms"}``, some of them; they win over the
            header.  Without either it is m, rad, s.

    Raises:
        FileError: the table is none, or lacks columns.
        InputError: it can be read in two ways; says how far they differ.
    """
    reading = find_reading(rotation)
    arguments.choice(outliers, "outliers", CHOICES)
    said = check_units(units, angles)
    space, table = space_of(robot), read_table(path)
    file = fspath(path)
    found = find_columns(table, file, _with_time(columns, time), said)
    try:
        t = found.values(TIME)[:, 0]
        check_times(t, FEWEST, "t", of=MEASURED)
        slow = check_steps(t, found)
        poses, known = _poses(space, t, found, reading)
        known += slow
        return measured(robot, t, poses, smoothing=smoothing, outliers=outliers, known=known)
    except FileError:
        raise
    except GoughError as err:
        raise located(err, file) from err


def _with_time(columns: Mapping[str, str] | None, time: str) -> Mapping[str, str] | None:
    """The columns that were named, with that of the time."""
    if time == TIME[0] or (columns is not None and not isinstance(columns, Mapping)):
        return columns
    if TIME[0] in (columns or {}):
        raise InputError("time and columns both name the column of the time", argument="time")
    return {**(columns or {}), TIME[0]: time}


def _poses(
    space: Space, t: np.ndarray, columns: Columns, reading: Reading | None
) -> tuple[np.ndarray, tuple[Finding, ...]]:
    """Freedoms (K, n) or matrices (K, 4, 4), and findings about how columns were read."""
    freedoms, R_ref = space.assembly.freedoms, space.assembly.chart.R_ref
    meant = meaning(columns, freedoms, reading, R_ref)
    if meant is None:
        w, said = np.empty((len(t), 0)), ""
    else:
        w, said = turned(
            meant,
            columns,
            asked=reading is not None,
            noise=partial(_noise, t),
            where=lambda k: f"at t = {t[k]:.6g} s",
        )
    whole = meant is not None and _is_whole(meant, columns, freedoms)
    straight = POSITION if whole else tuple(name for name in freedoms if name in POSITION)
    if whole and not columns.of(POSITION) and not {*POSITION} & {*freedoms}:
        straight = ()  # a wrist, whose middle stays where it is
    place = columns.values(straight) if straight else np.empty((len(t), 0))
    slip = check_distance(space, straight, place, columns) if straight else ()
    said += _units(columns, straight, meant)
    if meant is not None and whole:
        poses = np.zeros((len(t), 4, 4))
        poses[:, :3, :3], poses[:, 3, 3] = meant.reading.rotations(w, R_ref), 1.0
        poses[:, :3, 3] = place if straight else space.assembly.T_home[:3, 3]
    else:
        at = {name: k for k, name in enumerate(() if meant is None else meant.names)}
        poses = np.stack(
            [
                place[:, straight.index(name)]
                if name in straight
                # an angle alone may be called yaw
                else w[:, at.get(name, 0)]
                for name in freedoms
            ],
            axis=1,
        )
    return poses, (convention(said), *slip)


def _noise(t: np.ndarray, angles: np.ndarray) -> float:
    """Of measured angles (K, m) [rad]; none is known of few."""
    return series(t, angles).noise if len(t) >= FEW else 0.0


def _is_whole(meant: Meaning, columns: Columns, freedoms: tuple[str, ...]) -> bool:
    """Whether a table holds whole poses, more than the freedoms."""
    if meant.reading.kind != VECTORS:
        return True
    every = POSITION + VECTOR
    return columns.of(every) == every != freedoms


def _units(columns: Columns, straight: tuple[str, ...], meant: Meaning | None) -> str:
    """In which units lengths and time were read, and from which columns, in words."""
    parts = [f"lengths are in {named(columns.units(straight))}"] if straight else []
    parts.append(f"{'time' if parts else 'time is'} in {named(columns.units(TIME))}")
    used = (*TIME, *straight, *(() if meant is None else meant.names))
    return ", ".join(parts) + columns.renamed(used) + columns.overruled(used)
