"""Logs from tables: CSV, Parquet or NPZ, one row a sample."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any

from gough.base.tables import read_table
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.standard import axis_kinds
from gough.errors import FileError, shown
from gough.identification.log import Log
from gough.mechanism.mobility.assembly import assembled
from gough.motion.columns import Columns, Vocabulary, find_columns, plain_name
from gough.motion.units import check_units
from gough.robot import Robot
from gough.robot.joint_kinds import SLIDE

_EFFORTS = ("N m", "Nm", "N*m", "N·m", "N", "A")
"""Units of efforts and currents that are read: SI alone."""


def read_log(
    robot: Robot,
    path: str | PathLike[str],
    *,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    angles: str | None = None,
    gains: Any = None,
    loads: Loads | None = None,
) -> Log:
    """A log of a machine's controller from a table, one row a sample.

    Columns are known by their names, with units of times and positions in the header where it has
    them, ``q_arm1 [deg]``; other columns are left alone.  With a motor ``arm1``:

    - ``t`` or ``time``;
    - ``q_arm1``, ``arm1`` or ``position_arm1``: its position;
    - ``tau_arm1``, ``effort_arm1``, ``torque_arm1`` or ``force_arm1``: its effort at the axis [N m
      or N]; or ``current_arm1`` [A], if there are no efforts or ``gains`` are given;
    - ``reference_arm1`` or ``command_arm1``: its position as commanded, if it is recorded.

    Args:
        robot: the machine.
        path: a .csv, .parquet or .npz file.
        columns: names of columns by what they hold: ``{"q_arm1": "enc 1", "tau_arm1": "T1"}``.
        units: ``{"time": "ms", "angle": "deg", "length": "mm"}``; they win over the header.
        angles: ``"radians"`` or ``"degrees"``, as ``units={"angle": ...}``.
        gains: effort at the axis per ampere, for currents: one, or ``(n,)``, sign included.
        loads: forces and a payload of known figures that the machine carried.

    Raises:
        FileError: the file is no table, or a column is missing.
    """
    vocabulary = _vocabulary(assembled(robot).robot)
    said = check_units(units, angles)
    found = find_columns(read_table(path), fspath(path), columns, said, vocabulary)
    motors = robot.motors
    wanted = {kind: [f"{kind}_{name}" for name in motors] for kind in _KINDS}
    amperes = gains is not None or (
        not found.of(wanted["tau"]) and bool(found.of(wanted["current"]))
    )
    driven = wanted["current" if amperes else "tau"]
    _check_efforts(found, driven)
    efforts = found.values(driven)
    has_reference = bool(found.of(wanted["reference"]))
    return Log(
        found.values(["t"])[:, 0],
        found.values(wanted["q"]),
        None if amperes else efforts,
        currents=efforts if amperes else None,
        gains=gains,
        reference=found.values(wanted["reference"]) if has_reference else None,
        loads=loads,
    )


_KINDS = {
    "q": ("position", "pos", "motor"),
    "tau": ("effort", "torque", "force"),
    "current": ("i",),
    "reference": ("command", "setpoint", "ref"),
}


def _vocabulary(robot: Robot) -> Vocabulary:
    """What logs of a robot may hold."""
    does = axis_kinds(robot)
    kinds: dict[str, str] = {"t": "time"}
    words: dict[str, tuple[str, ...]] = {"t": ("time", "timestamp", "time_stamp")}
    for kind, others in _KINDS.items():
        for name in robot.motors:
            counts = "length" if does[name] == SLIDE else "angle"
            kinds[f"{kind}_{name}"] = counts if kind in ("q", "reference") else ""
            own = tuple(plain_name(f"{word}_{name}") for word in others)
            words[f"{kind}_{name}"] = (*own, plain_name(name)) if kind == "q" else own
    first = robot.motors[0] if robot.motors else "arm1"
    hint = f'Say which is which: columns={{"q_{first}": "enc 1", "tau_{first}": "T1"}}.'
    return Vocabulary(kinds, words, hint)


def _check_efforts(found: Columns, quantities: list[str]) -> None:
    """Refuse efforts in units that would be taken for SI."""
    for each in quantities:
        column = found.one(each, quantities)
        if column.unit and column.unit.replace(" ", "") not in {
            word.replace(" ", "") for word in _EFFORTS
        }:
            raise FileError(
                f"column {shown(column.name)}: efforts are read in N m or N and currents in A, not "
                f"in {shown(column.unit)}",
                file=found.file,
                hint="Convert it first.",
                column=column.name,
            )
