"""Which columns are the rotation of a table, and how they are read; asked for where it is unclear.

Three angles may be a rotation vector or rotations one after the other, in degrees or radians; four
numbers a quaternion with its scalar first or last.  Names decide where they can.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

from gough.base import spatial, turns
from gough.errors import FileError, InputError
from gough.motion.columns import NUMBERED, QUATERNION, RPY, UNNAMED, VECTOR, Columns
from gough.motion.rotation_words import EULER, QUATERNIONS, VECTORS, Reading, ask_for_order
from gough.motion.rotation_words import RPY as ROLL_PITCH_YAW
from gough.motion.units import named

OWN = ("wx", "wy", "wz", "wdx", "wdy", "wdz")
"""Columns beside which gough itself writes rotation vectors."""

_SMALL = 1e-4  # readings that differ less are the same for a machine [rad]: 0.1 mm at 1 m
_NOISE = 3.0  # standard deviations of the noise that a difference must exceed to matter
_TURN, _HALF, _QUARTER = (np.pi * part + 1e-3 for part in (2.0, 1.0, 0.5))  # and rounding [rad]
_UNIT = 1e-2  # a quaternion may miss length 1 by this much, from few digits, and is put right
_ROUNDING = 1e-5  # and by this much without a word: what five digits leave


class Meaning(NamedTuple):
    """How columns are read, and their quantities; angles in the order of the rotations."""

    reading: Reading
    names: tuple[str, ...]

    def sentence(self, columns: Columns) -> str:
        """In words, with the unit."""
        if self.reading.kind == QUATERNIONS:
            unit = ""
        else:
            unit = f", in {named(columns.units(self.names))}"
        if len(self.names) == 1:
            about = "xyz"[[*VECTOR, *RPY].index(self.names[0]) % 3]
            return f"the column {self.names[0]} was read as the angle about base {about}{unit}"
        said = self.reading.sentence(self.names)
        return f"the columns {' '.join(self.names)} were read as {said}{unit}"


def meaning(
    columns: Columns, wanted: Collection[str], reading: Reading | None, R_ref: np.ndarray
) -> Meaning | None:
    """How the rotation of a table is to be read; ``None`` if it has none that is wanted.

    Args:
        columns: of the table.
        wanted: freedoms of the robot.
        reading: what the caller said.
        R_ref: that the robot's own angles are counted from.
    """
    turning = tuple(name for name in VECTOR if name in wanted)
    if reading is None:
        alone = tuple(RPY[VECTOR.index(name)] for name in turning)
        if len(alone) == 1 and columns.of(RPY) == alone and not columns.of(VECTOR + QUATERNION):
            if np.abs(R_ref - np.eye(3)).max() < _SMALL:  # then it is the robot's own angle
                return Meaning(Reading(VECTORS), alone)
        reading = _by_names(columns, turning)
    if reading.kind == QUATERNIONS:
        return Meaning(*_quaternion(columns, reading))
    if reading.kind == EULER:
        return Meaning(reading, _angles(columns, reading))
    names = VECTOR if len(columns.of(VECTOR)) == len(VECTOR) else turning
    return Meaning(reading, names) if names else None


def _by_names(columns: Columns, turning: Sequence[str]) -> Reading:
    """How the names of columns say that the rotation is to be read."""
    vector, rpy = columns.of(VECTOR), columns.of(RPY)
    if columns.of(QUATERNION):
        if others := (*vector, *rpy):
            raise InputError(
                f"there are columns {' '.join(columns.of(QUATERNION))} and columns "
                f"{' '.join(others)}",
                hint="Say which ones count: rotation='quaternion', rotation='rotation_vector' or "
                "rotation='rpy'.",
                argument="rotation",
            )
        return Reading(QUATERNIONS)
    if rpy and turning:
        if vector:
            raise InputError(
                f"there are columns {' '.join(vector)} and columns {' '.join(rpy)}",
                hint="Say which ones count: rotation='rotation_vector' or rotation='rpy'.",
                argument="rotation",
            )
        return ROLL_PITCH_YAW
    if turning and not vector:
        if unnamed := _unnamed(columns):
            raise ask_for_order(unnamed)
        if columns.of(NUMBERED):
            raise InputError(
                f"the columns {' '.join(columns.of(NUMBERED))} are rotations one after the other, "
                "in an order that is not said",
                hint="Say it: rotation='zyx intrinsic', rotation='zxz fixed', ...",
                argument="rotation",
            )
    return Reading(VECTORS)


def _unnamed(columns: Columns) -> tuple[str, ...]:
    """The four columns of a quaternion whose names say nothing, if there are such."""
    groups = [names for names in UNNAMED if len(columns.of(names)) == len(names)]
    if len(groups) > 1:
        raise InputError(
            "there are columns q0 q1 q2 q3 q4, five of them: a quaternion has four",
            hint='Say which: columns={"qw": "q0", "qx": "q1", "qy": "q2", "qz": "q3"}.',
            argument="columns",
        )
    return groups[0] if groups else ()


def _quaternion(columns: Columns, reading: Reading) -> tuple[Reading, tuple[str, ...]]:
    """The columns of a quaternion; names that say which one is the scalar win over an order."""
    unnamed = () if columns.of(QUATERNION) else _unnamed(columns)
    if not unnamed:
        return Reading(QUATERNIONS), QUATERNION
    if not reading.axes:
        raise ask_for_order(unnamed)
    return reading, unnamed


def _angles(columns: Columns, reading: Reading) -> tuple[str, ...]:
    """The columns of rotations one after the other, in their order."""
    if len(set(reading.axes)) == len(reading.axes) and not columns.of(NUMBERED):
        # by the axis that they turn about
        names = RPY if columns.of(RPY) else VECTOR
        return tuple(names["xyz".index(axis)] for axis in reading.axes)
    return NUMBERED


def check_unit(meant: Meaning, columns: Columns) -> None:
    """Refuse angles that are larger than radians usually are, until the unit is given.

    Angles about one axis may reach a turn, several half a turn; a pitch is a quarter turn at most,
    and a platform does not turn by more than that about two axes.
    """
    if meant.reading.kind == QUATERNIONS:
        return
    columns.check_headers(meant.names)
    if columns.unit(meant.names[0]) is not None or set(OWN) <= set(columns.names):
        return
    values = columns.raw(meant.names)
    largest = np.abs(values).max(axis=0)
    most = np.full(len(largest), _HALF if len(largest) > 1 else _TURN)
    if meant.reading.kind == EULER:
        # the middle one of three different axes is at most a quarter turn
        most[1] = _QUARTER if len(set(meant.reading.axes)) > 2 else _HALF
    if (np.ptp(np.unwrap(values, axis=0), axis=0) > _QUARTER).sum() > 1:
        most = np.minimum(most, 0.5 * _QUARTER)
    worst = int(np.argmax(largest / most))
    if largest[worst] > most[worst]:
        raise InputError(
            f"the column {meant.names[worst]} reaches {largest[worst]:.4g}: are these degrees?",
            hint="Say angles='degrees' or angles='radians', or write the unit into the header: "
            f"{meant.names[worst]} [deg].",
            argument="angles",
            largest=float(largest[worst]),
        )


def check_meaning(
    meant: Meaning,
    values: np.ndarray,
    columns: Columns,
    *,
    noise: float,
    where: Callable[[int], str],
) -> str:
    """Refuse columns rx ry rz that mean different rotations in two conventions, until one is given.

    Args:
        meant: how they will be read by default.
        values: angles (K, 2 or 3) [rad].
        columns: of the table.
        noise: of the angles, below which a difference does not matter [rad].
        where: says where a row is, for the error: ``at t = 0.5 s``.

    Returns:
        A clause for the finding: how little the other convention would differ.
    """
    if set(OWN) <= set(columns.names):
        return ""
    w = np.zeros((len(values), 3))
    w[:, [VECTOR.index(name) for name in meant.names]] = values
    # the angle between both readings of a row
    off = spatial.turn_angles(turns.rotations(w) @ np.swapaxes(turns.from_rpy(w), 1, 2))
    worst = int(np.argmax(off))
    if off[worst] > max(_SMALL, _NOISE * noise):
        raise InputError(
            f"the columns {' '.join(meant.names)} are a rotation vector, or roll, pitch, yaw: it "
            f"makes a difference of {off[worst]:.3g} rad {where(worst)}",
            hint="Say which: rotation='rotation_vector' or rotation='rpy', or another order of "
            "rotations: 'zyx fixed'. Columns called roll pitch yaw need no word.",
            argument="rotation",
            difference=float(off[worst]),
        )
    return f"; as roll, pitch, yaw they would differ by {off[worst]:.2g} rad at most"


def turned(
    meant: Meaning,
    columns: Columns,
    *,
    asked: bool,
    noise: Callable[[np.ndarray], float],
    where: Callable[[int], str],
    lines: Sequence[int] = (),
) -> tuple[np.ndarray, str]:
    """Columns of a rotation [rad, or quaternions of length 1], and how they were read.

    Args:
        meant: how they are read.
        columns: of the table.
        asked: whether the caller said how.
        noise: of angles (K, m) [rad].
        where: says where a row is, for errors: ``at t = 0.5 s``.
        lines: of the rows in the file, for errors.
    """
    raw = columns.raw(meant.names)  # refuses what is missing before it asks how it is meant
    check_unit(meant, columns)
    said = meant.sentence(columns)
    if meant.reading.kind == QUATERNIONS:
        values, more = unit_quaternions(raw, columns.file, lines)
        return values, f"{said}{more}; "
    values = columns.values(meant.names)
    if not asked and meant.reading.kind == VECTORS and len(meant.names) > 1:
        said += check_meaning(meant, values, columns, noise=noise(values), where=where)
    return values, f"{said}; "


def unit_quaternions(q: np.ndarray, file: str, lines: Sequence[int] = ()) -> tuple[np.ndarray, str]:
    """Quaternions (K, 4) of length 1, and a clause that says so if they were not quite."""
    length = np.linalg.norm(q, axis=1)
    apart = np.abs(length - 1.0)
    off = ~(apart < _UNIT)  # also for NaN
    if off.any():
        k = int(np.argmax(off))
        raise FileError(
            f"the quaternion{'' if lines else f' of row {k}'} has length {length[k]:.6g}, "
            "expected 1",
            file=file,
            line=lines[k] if lines else None,
            hint="The columns are qw qx qy qz, the scalar being qw.",
            row=k,
        )
    worst = float(apart.max())
    said = f"; their lengths miss 1 by up to {worst:.2g} and were put right"
    return q / length[:, None], said if worst > _ROUNDING else ""
