"""Inertial parameters of links: all bodies that a link carries, taken together."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gough.robot import Robot
from gough.spatial import Array
from gough.topology.tree import Mount, Tree


class Mass(NamedTuple):
    """Mass m [kg], first moment s = m c [kg m], inertia I about the origin [kg m^2], link axes."""

    m: Array
    s: Array
    I: Array  # noqa: E741  the papers' name


_KNOWN: WeakKeyDictionary[Tree, dict[int, Mass]] = WeakKeyDictionary()


def link_masses(robot: Robot, tree: Tree) -> dict[int, Mass]:
    """Inertial parameters by link; the root's too, if it carries bodies that move.

    Worked out once for each tree, which belongs to one robot.
    """
    if tree in _KNOWN:
        return _KNOWN[tree]
    found: dict[int, Mass] = {}
    for name, mount in tree.bodies.items():
        if name == robot.base:
            continue
        body = robot.body(name)
        found[mount.link] = with_body(
            found.get(mount.link), mount, body.mass, np.array(body.center), np.array(body.inertia)
        )
    _KNOWN[tree] = {link: clean(mass) for link, mass in found.items()}
    return _KNOWN[tree]


def clean(mass: Mass) -> Mass:
    """Parameters without rounding dust, which is measured by the body: small ones count too."""
    m, s, I = mass.m, mass.s, (mass.I + mass.I.T) / 2.0  # noqa: E741
    largest = float(np.abs(I).max())
    radius = max(float(np.sqrt(largest * m)), float(np.abs(s).max()))
    return Mass(m, _without_dust(s, radius), _without_dust(I, largest))


def _without_dust(values: np.ndarray, scale: float) -> np.ndarray:
    return np.where(np.abs(values) < 4e-16 * scale, 0.0, values)


def with_body(mass: Mass | None, mount: Mount, m: Array, c: Array, inertia: Array) -> Mass:
    """What a link carries when a body is added; c and inertia about it are in the body's axes."""
    at = mount.p + mount.R @ c
    about_origin = mount.R @ inertia @ mount.R.T + (np.eye(3) * (at @ at) - np.outer(at, at)) * m
    if mass is None:
        return Mass(m, at * m, about_origin)
    return Mass(mass.m + m, mass.s + at * m, mass.I + about_origin)


class CentralMass(NamedTuple):
    """A body about its mass centre: mass [kg], centre [m] and inertia [kg m^2], body axes."""

    body: str
    m: Array
    c: Array
    I: Array  # noqa: E741  the papers' name


def central_masses(robot: Robot) -> dict[str, CentralMass]:
    """Bodies that have mass or inertia, by name."""
    found = {
        body.name: CentralMass(body.name, body.mass, np.array(body.center), np.array(body.inertia))
        for body in robot.bodies
    }
    return {name: mass for name, mass in found.items() if mass.m or mass.I.any()}
