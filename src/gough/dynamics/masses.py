"""Inertial parameters of links: all bodies that a link carries, taken together."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gough import spatial
from gough.robot import Robot
from gough.topology.tree import Tree


class Mass(NamedTuple):
    """Mass m [kg], first moment s = m c [kg m], inertia I about the origin [kg m^2], link axes."""

    m: float
    s: np.ndarray
    I: np.ndarray  # noqa: E741  the papers' name


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
        c = mount.p + mount.R @ np.array(body.center)
        about_c = mount.R @ np.array(body.inertia) @ mount.R.T
        I = about_c + body.mass * ((c @ c) * np.eye(3) - np.outer(c, c))  # noqa: E741
        so_far = found.get(mount.link, Mass(0.0, np.zeros(3), np.zeros((3, 3))))
        found[mount.link] = Mass(so_far.m + body.mass, so_far.s + body.mass * c, so_far.I + I)
    _KNOWN[tree] = {
        link: Mass(m, spatial.snap(s), spatial.snap((J + J.T) / 2.0))
        for link, (m, s, J) in found.items()
    }
    return _KNOWN[tree]


class CentralMass(NamedTuple):
    """A body about its mass centre: mass [kg], centre [m] and inertia [kg m^2], body axes."""

    body: str
    m: float
    c: np.ndarray
    I: np.ndarray  # noqa: E741  the papers' name


def central_masses(robot: Robot) -> dict[str, CentralMass]:
    """Bodies that have mass or inertia, by name."""
    found = {
        body.name: CentralMass(body.name, body.mass, np.array(body.center), np.array(body.inertia))
        for body in robot.bodies
    }
    return {name: mass for name, mass in found.items() if mass.m or mass.I.any()}
