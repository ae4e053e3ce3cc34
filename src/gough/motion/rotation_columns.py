"""What the columns of a rotation mean: a rotation vector, roll pitch yaw, or a quaternion."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from gough.base import spatial, turns
from gough.errors import InputError
from gough.motion.series import FEWEST, series

QUATERNION, VECTOR, RPY = ("qw", "qx", "qy", "qz"), ("rx", "ry", "rz"), ("roll", "pitch", "yaw")
MEANINGS = ("rotation_vector", "rpy", "quaternion")
"""What the columns of a rotation may mean."""
UNITS = ("radians", "degrees")
"""What angles may be counted in."""

OWN = ("wx", "wy", "wz", "wdx", "wdy", "wdz")
"""Columns beside which gough itself writes rotation vectors."""

_SAID = {
    "rotation_vector": "the rotation vector of R = exp(rx, ry, rz) R_ref, base axes",
    "rpy": "roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll)",
    "quaternion": "a quaternion, its scalar being qw",
}
_SMALL = 1e-4  # readings that differ less are the same for a machine [rad]: 0.1 mm at 1 m
_NOISE = 3.0  # standard deviations of the noise that a difference must exceed to matter
_TURN, _HALF, _QUARTER = (np.pi * part + 1e-3 for part in (2.0, 1.0, 0.5))  # and rounding [rad]


class Meaning(NamedTuple):
    """How columns are read: the kind, their names, and the factor that makes them radians."""

    kind: str
    names: tuple[str, ...]
    factor: float

    @property
    def sentence(self) -> str:
        """In words."""
        unit = ", in degrees" if self.factor != 1.0 else ""
        if len(self.names) == 1:
            return f"the column {self.names[0]} was read as the angle about that axis{unit}"
        return f"the columns {' '.join(self.names)} were read as {_SAID[self.kind]}{unit}"


def meaning(
    columns: Collection[str], wanted: Collection[str], rotation: str | None, angles: str | None
) -> Meaning | None:
    """How the rotation of a table is to be read; ``None`` if it has none that is wanted.

    Args:
        columns: of the table.
        wanted: freedoms of the robot.
        rotation: one of ``MEANINGS``, if it was said.
        angles: one of ``UNITS``, if it was said.
    """
    factor = np.pi / 180.0 if angles == "degrees" else 1.0
    has = {
        names: [name for name in names if name in columns] for names in (QUATERNION, VECTOR, RPY)
    }
    if rotation == "quaternion" or (rotation is None and has[QUATERNION]):
        return Meaning("quaternion", QUATERNION, 1.0)
    turning = [name for name in VECTOR if name in wanted]
    if rotation == "rpy":
        return Meaning("rpy", RPY if has[RPY] else VECTOR, factor)
    if rotation is None and has[RPY] and turning:
        if has[VECTOR]:
            raise InputError(
                f"there are columns {' '.join(has[VECTOR])} and columns {' '.join(has[RPY])}",
                hint="Say which ones count: rotation='rotation_vector' or rotation='rpy'.",
                argument="rotation",
            )
        return Meaning("rpy", RPY, factor)
    names = VECTOR if len(has[VECTOR]) == 3 else tuple(turning)
    return Meaning("rotation_vector", names, factor) if names else None


def check_unit(
    meant: Meaning, values: np.ndarray, angles: str | None, columns: Collection[str]
) -> None:
    """Refuse angles that are larger than radians usually are, until the unit is given.

    Angles about one axis may reach a turn, several half a turn; a pitch is a quarter turn at most,
    and a platform does not turn by more than that about two axes.

    Args:
        meant: how they will be read by default.
        values: angles (K, 1, 2 or 3), as they are in the table.
        angles: the unit, if it was said.
        columns: of the table.
    """
    if angles is not None or meant.kind == "quaternion" or set(OWN) <= set(columns):
        return
    largest = np.abs(values).max(axis=0)
    most = np.full(len(largest), _HALF if len(largest) > 1 else _TURN)
    if meant.kind == "rpy":
        most[1] = _QUARTER
    if (np.ptp(np.unwrap(values, axis=0), axis=0) > _QUARTER).sum() > 1:
        most = np.minimum(most, 0.5 * _QUARTER)
    worst = int(np.argmax(largest / most))
    if largest[worst] > most[worst]:
        raise InputError(
            f"the column {meant.names[worst]} reaches {largest[worst]:.4g}: are these degrees?",
            hint="Say angles='degrees' or angles='radians'.",
            argument="angles",
            largest=float(largest[worst]),
        )


def check_meaning(
    meant: Meaning, t: np.ndarray, values: np.ndarray, columns: Collection[str]
) -> str:
    """Refuse columns rx ry rz that mean different rotations in two conventions, until one is given.

    Args:
        meant: how they will be read by default.
        t: times (K,).
        values: angles (K, 2 or 3) [rad].
        columns: of the table.

    Returns:
        A clause for the finding: how little the other convention would differ.
    """
    if set(OWN) <= set(columns):
        return ""
    w = np.zeros((len(values), 3))
    w[:, [VECTOR.index(name) for name in meant.names]] = values
    # the angle between both readings of a row
    off = spatial.turn_angles(turns.rotations(w) @ np.swapaxes(turns.from_rpy(w), 1, 2))
    worst = int(np.argmax(off))
    noise = series(t, values).noise if len(t) >= FEWEST else 0.0
    if off[worst] > max(_SMALL, _NOISE * noise):
        raise InputError(
            f"the columns {' '.join(meant.names)} are a rotation vector, or roll, pitch, yaw: it "
            f"makes a difference of {off[worst]:.3g} rad at t = {t[worst]:.6g} s",
            hint="Say which: rotation='rotation_vector' or rotation='rpy'. "
            "Columns called roll pitch yaw need no word.",
            argument="rotation",
            difference=float(off[worst]),
        )
    return f"; as roll, pitch, yaw they would differ by {off[worst]:.2g} rad at most"
