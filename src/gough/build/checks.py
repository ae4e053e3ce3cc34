"""Checks of builders' arguments: points, poses, lengths, masses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gough.base import spatial
from gough.base.arguments import check_known, number, read_number
from gough.base.english import counted
from gough.errors import DescriptionError, InputError, shown
from gough.robot import Axis, Body, Frame

Solid = Body | Mapping[str, Any] | None
"""A body of a leg: a Body, the mass properties of ``gough.inertia``, or nothing: massless."""

_PROPERTIES = ("mass", "center", "inertia", "label")


def solid(value: Solid, name: str) -> Body:
    """The body a builder was given, under the name it has in the machine.

    Args:
        value: a Body, which keeps its name; mass properties as ``gough.inertia.rod`` returns them;
            or None for a body without mass, declared as such.
        name: name of the body unless it brings its own.
    """
    if value is None:
        return Body(name, massless=True)
    if isinstance(value, Body):
        return value
    if not isinstance(value, Mapping):
        raise InputError(
            f"{name}: expected a gough.Body or mass properties, got {shown(value)}",
            hint="For instance gough.inertia.rod(mass, start, end).",
            argument=name,
        )
    for key in value:
        check_known(key, _PROPERTIES, f"{name}: unknown mass property", name)
    return Body(name, **value)


def point(value: Any, what: str) -> np.ndarray:
    """Three finite numbers; two are taken as a point of the plane z = 0."""
    found = _floats(value, what, "a point [x, y, z]")
    if found.shape == (2,):
        found = np.append(found, 0.0)
    if found.shape != (3,):
        raise InputError(f"{what}: expected a point [x, y, z], got {shown(value)}", argument=what)
    return found


def points(value: Any, what: str, count: int | None = None) -> np.ndarray:
    """Points, one a row; so many, if a count is given."""
    found = _floats(value, what, "points [[x, y, z], ...]")
    if found.ndim == 2 and found.shape[1] == 2:
        found = np.column_stack([found, np.zeros(len(found))])
    if found.ndim != 2 or found.shape[1] != 3:
        raise InputError(
            f"{what}: expected points [[x, y, z], ...], got an array of shape {found.shape}",
            argument=what,
        )
    if count is not None and len(found) != count:
        raise InputError(
            f"{what}: expected {counted(count, 'point')}, got {len(found)}",
            argument=what,
            count=len(found),
        )
    return found


def pose(value: Any, what: str) -> np.ndarray:
    """A 4x4 pose, given as one or as a Frame."""
    if isinstance(value, Frame):
        return value.matrix
    expected = "a 4x4 pose or a gough.Frame"
    found = _floats(value, what, expected)
    if found.shape != (4, 4):
        hint = "A position alone: gough.Frame((x, y, z))." if found.shape in ((2,), (3,)) else ""
        raise InputError(
            f"{what}: expected {expected}, got {shown(value)}", hint=hint, argument=what
        )
    try:
        return Frame.from_matrix(found).matrix
    except DescriptionError as err:
        raise InputError(f"{what}: {err.message}", hint=err.hint, argument=what) from err


def direction(value: Any, what: str) -> np.ndarray:
    """A unit vector along a direction that must not be zero."""
    found = point(value, what)
    length = float(np.linalg.norm(found))
    if length < 1e-12:
        raise InputError(f"{what}: a direction of length zero", argument=what)
    return np.asarray(found / length)


def length(value: Any, what: str, *, zero: bool = False) -> float:
    """A positive length [m]; or zero, where that makes sense."""
    return number(value, what, positive=not zero, nonnegative=True)


def side(value: Any, what: str) -> int:
    """1 or -1: one of two ways to bend a leg."""
    found = read_number(value).number
    if found not in (1.0, -1.0):
        raise InputError(f"{what}: expected 1 or -1, got {shown(value)}", argument=what)
    return int(found)


def angle(value: Any, what: str) -> float:
    """An angle [rad] of at most a turn; more than that is taken for degrees, and refused."""
    found = number(value, what)
    if abs(found) > 2.0 * np.pi + 1e-9:
        raise InputError(
            f"{what}: {found:g} rad is more than a turn",
            hint="Degrees? gough counts in radians: numpy.radians(...).",
            argument=what,
        )
    return found


def listed(value: Any, what: str, count: int | None = None) -> list[Any]:
    """A list, of as many things as are needed if a count is given."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise InputError(f"{what}: expected a list, got {shown(value)}", argument=what)
    found = list(value)
    if count is not None and len(found) != count:
        raise InputError(
            f"{what}: expected one for each of {count} joints, got {len(found)}", argument=what
        )
    return found


def motor(value: Any, what: str) -> Axis:
    """Friction, rotor, transmission and limits of an axis, given as an Axis or not at all."""
    if not isinstance(value, Axis):
        raise InputError(
            f"{what}: expected a gough.Axis, got {shown(value)}",
            hint="For instance gough.Axis(viscous=0.1, rotor_inertia=1e-3).",
            argument=what,
        )
    return value


def flat(points: np.ndarray, what: str) -> None:
    """Refuse points of a planar machine that lie at different heights."""
    height = float(np.ptp(points[:, 2]))
    if height > 1e-9 * float(np.ptp(points, axis=0).max()):
        raise InputError(
            f"{what}: the points of a planar machine lie at one height z, these {height:.4g} m "
            "apart",
            argument=what,
        )


def each(value: Any, count: int, what: str) -> list[Any]:
    """One thing for all legs, or a list with one for each."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise InputError(
            f"{what}: expected one for all or a list of {count}, got {len(value)}", argument=what
        )
    return list(value)


def foot_frame(value: Any, what: str = "base_point") -> np.ndarray:
    """Frame of a leg's foot, 4x4: from a Frame, a pose, or a point with the axes of the base."""
    if isinstance(value, Frame) or np.ndim(value) == 2:
        return pose(value, what)
    return spatial.pose(np.eye(3), point(value, what))


def _floats(value: Any, what: str, expected: str) -> np.ndarray:
    try:
        # numbers only: neither nothing nor text becomes one
        found = np.array(value)
        if found.dtype.kind not in "iuf":
            raise TypeError
        found = found.astype(float)
    except (TypeError, ValueError) as err:
        raise InputError(f"{what}: expected {expected}, got {shown(value)}", argument=what) from err
    if not np.isfinite(found).all():
        raise InputError(f"{what}: holds a number that is not finite", argument=what)
    return found
