"""Mass, centre and inertia of simple shapes, ready for ``Body(name, **rod(...))``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from gough.errors import DescriptionError
from gough.robot.frame import Frame, unit
from gough.robot.numbers import Matrix, Vector, check_matrix, check_number, check_vector


class MassProperties(TypedDict):
    """Mass [kg], centre of mass [m] and inertia about it [kg m^2], in body axes."""

    mass: float
    center: Vector
    inertia: Matrix


def rod(mass: float, start: Any, end: Any) -> MassProperties:
    """Slender uniform rod between two points of the body."""
    m = check_number(mass, "mass", positive=True)
    a, b = np.array(check_vector(start, "start")), np.array(check_vector(end, "end"))
    d = b - a
    inertia = m / 12.0 * ((d @ d) * np.eye(3) - np.outer(d, d))
    return _properties(m, (a + b) / 2.0, inertia)


def cylinder(
    mass: float,
    radius: float,
    length: float,
    *,
    axis: Any = (0.0, 0.0, 1.0),
    center: Any = (0.0, 0.0, 0.0),
    inner_radius: float = 0.0,
) -> MassProperties:
    """Uniform cylinder, or tube, about an axis."""
    m = check_number(mass, "mass", positive=True)
    r = check_number(radius, "radius", positive=True)
    h = check_number(length, "length", nonnegative=True)
    hole = check_number(inner_radius, "inner_radius", nonnegative=True)
    if hole >= r:
        raise DescriptionError(f"the hole ({hole:g} m) is not smaller than the radius ({r:g} m)")
    rr = r * r + hole * hole
    x = unit(axis, "axis")
    along, across = m * rr / 2.0, m * (3.0 * rr + h * h) / 12.0
    inertia = across * np.eye(3) + (along - across) * np.outer(x, x)
    return _properties(m, center, inertia)


def box(mass: float, size: Any, *, center: Any = (0.0, 0.0, 0.0)) -> MassProperties:
    """Uniform box with edges along the body axes; ``size`` are the three edges [m]."""
    m = check_number(mass, "mass", positive=True)
    edges = check_vector(size, "size")
    x, y, z = (check_number(e, f"size[{i}]", nonnegative=True) ** 2 for i, e in enumerate(edges))
    return _properties(m, center, m / 12.0 * np.diag([y + z, z + x, x + y]))


def sphere(mass: float, radius: float, *, center: Any = (0.0, 0.0, 0.0)) -> MassProperties:
    """Uniform ball; radius 0 is a point mass."""
    m = check_number(mass, "mass", positive=True)
    r = check_number(radius, "radius", nonnegative=True)
    return _properties(m, center, 0.4 * m * r * r * np.eye(3))


def ellipsoid(mass: float, radii: Any, *, center: Any = (0.0, 0.0, 0.0)) -> MassProperties:
    """Uniform ellipsoid with its axes along the body axes; ``radii`` are half of them [m]."""
    m = check_number(mass, "mass", positive=True)
    given = check_vector(radii, "radii")
    x, y, z = (check_number(r, f"radii[{i}]", nonnegative=True) ** 2 for i, r in enumerate(given))
    return _properties(m, center, m / 5.0 * np.diag([y + z, z + x, x + y]))


def capsule(
    mass: float, radius: float, length: float, *, center: Any = (0.0, 0.0, 0.0)
) -> MassProperties:
    """Uniform cylinder along z with half a ball at each end; ``length`` is the cylinder's [m]."""
    m = check_number(mass, "mass", positive=True)
    r = check_number(radius, "radius", positive=True)
    h = check_number(length, "length", nonnegative=True)
    ball, tube = m * 4.0 * r / (4.0 * r + 3.0 * h), m * 3.0 * h / (4.0 * r + 3.0 * h)
    along = tube * r * r / 2.0 + ball * 0.4 * r * r
    across = tube * (3.0 * r * r + h * h) / 12.0
    across += ball * (0.4 * r * r + h * h / 4.0 + 3.0 * h * r / 8.0)
    return _properties(m, center, np.diag([across, across, along]))


def composite(
    parts: Sequence[MassProperties | tuple[MassProperties, Frame]],
) -> MassProperties:
    """Bodies rigidly joined; a part may bring the frame its properties are written in."""
    placed = [_placed(part) for part in parts]
    if not placed:
        raise DescriptionError("a composite body needs at least one part")
    mass = sum(m for m, _, _ in placed)
    center = sum((m * c for m, c, _ in placed), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for m, c, about_c in placed:
        d = c - center
        inertia += about_c + m * ((d @ d) * np.eye(3) - np.outer(d, d))
    return _properties(mass, center, inertia)


def _placed(part: Any) -> tuple[float, np.ndarray, np.ndarray]:
    properties, frame = part if isinstance(part, tuple) else (part, Frame())
    if not isinstance(properties, Mapping):
        raise DescriptionError("a part is what rod, cylinder, box, sphere or composite return")
    R, p = np.array(frame.rotation), np.array(frame.position)
    center = p + R @ np.array(properties["center"])
    return properties["mass"], center, R @ np.array(properties["inertia"]) @ R.T


def _properties(mass: float, center: Any, inertia: np.ndarray) -> MassProperties:
    symmetric = (inertia + inertia.T) / 2.0
    # rounding dust is measured by the largest entry: a small body has small moments
    symmetric[np.abs(symmetric) < 4e-16 * np.abs(symmetric).max()] = 0.0
    return {
        "mass": mass,
        "center": check_vector(np.asarray(center).tolist(), "center"),
        "inertia": check_matrix(symmetric.tolist(), "inertia"),
    }
