"""Inertial parameters of links: all bodies that a link carries, taken together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gough.base.spatial import Array
from gough.mechanism.topology.tree import ROOT, Mount, Tree
from gough.robot import Body, Robot
from gough.robot.joint_kinds import BALL, SLIDE, TURN


class Mass(NamedTuple):
    """Mass m [kg], first moment s = m c [kg m], inertia I about the origin [kg m^2], link axes."""

    m: Array
    s: Array
    I: Array  # noqa: E741  the papers' name

    @property
    def J(self) -> Array:
        """Second moments of the mass, ``integral(r r^T dm)``."""
        I = self.I  # noqa: E741
        return np.eye(3) * ((I[0, 0] + I[1, 1] + I[2, 2]) / 2.0) - I


_KNOWN: WeakKeyDictionary[Tree, dict[int, Mass]] = WeakKeyDictionary()


def link_masses(robot: Robot, tree: Tree) -> dict[int, Mass]:
    """Inertial parameters by link; the root's too, if it carries bodies that move.

    Worked out once for each tree, which belongs to one robot.
    """
    if tree not in _KNOWN:
        found = on_links(tree, {body.name: central_mass(body) for body in robot.bodies})
        _KNOWN[tree] = {link: clean(mass) for link, mass in found.items()}
    return _KNOWN[tree]


def on_links(tree: Tree, bodies: Mapping[str, CentralMass]) -> dict[int, Mass]:
    """Inertial parameters by link of the bodies that a tree carries."""
    found: dict[int, Mass] = {}
    for name, mount in tree.bodies.items():
        if name in bodies:
            _, m, c, inertia = bodies[name]
            found[mount.link] = with_body(found.get(mount.link), mount, m, c, inertia)
    return found


_BASE: WeakKeyDictionary[Tree, dict[int, Mass]] = WeakKeyDictionary()


def known_base_masses(robot: Robot, tree: Tree) -> dict[int, Mass]:
    """Base parameters of a tree's own bodies, worked out once."""
    if tree not in _BASE:
        found = base_masses(tree, link_masses(robot, tree))
        _BASE[tree] = {link: clean(mass) for link, mass in found.items()}
    return _BASE[tree]


def stand_in_masses(tree: Tree, links: dict[int, Mass], base: dict[int, Mass]) -> None:
    """Give a tree that stands in for another one parameters of its own, symbols among them."""
    _KNOWN[tree], _BASE[tree] = links, base


def clean(mass: Mass) -> Mass:
    """Parameters with rounding errors set to zero, relative to the size of this body."""
    m, s, I = mass.m, mass.s, (mass.I + mass.I.T) / 2.0  # noqa: E741
    largest = float(np.abs(I).max())
    radius = max(float(np.sqrt(largest * m)), float(np.abs(s).max()))
    return Mass(m, _without_dust(s, radius), _without_dust(I, largest))


def _without_dust(values: np.ndarray, scale: float) -> np.ndarray:
    return np.where(np.abs(values) < 4e-16 * scale, 0.0, values)  # two units of rounding


def with_body(mass: Mass | None, mount: Mount, m: Array, c: Array, inertia: Array) -> Mass:
    """What a link carries when a body is added; c and inertia about it are in the body's axes."""
    at = mount.p + mount.R @ c
    about_origin = mount.R @ inertia @ mount.R.T + (np.eye(3) * (at @ at) - np.outer(at, at)) * m
    if mass is None:
        return Mass(m, at * m, about_origin)
    return Mass(mass.m + m, mass.s + at * m, mass.I + about_origin)


def base_masses(tree: Tree, masses: Mapping[int, Mass]) -> dict[int, Mass]:
    """Base inertial parameters: fewer parameters that give the same efforts.

    Mass on the axis of a turn, or a thin rod along it, acts the same if it is fixed to the parent,
    and so does all inertia of a body that only slides: such parameters are moved to the parent.
    The parent of the first joints is at rest: parameters moved there have no effect.

    Equations:
        Base inertial parameters: M, MZ and the second moment along z of a revolute joint, all
        inertia of a prismatic one.
    """
    found = dict(masses)
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        if k not in found or link.move not in (TURN, SLIDE, BALL):
            continue
        m, s, I = found[k]  # noqa: E741
        none, z = np.zeros(3), np.array([0.0, 0.0, 1.0])
        if link.move == TURN:
            rod = np.diag([1.0, 1.0, 0.0]) * ((I[0, 0] + I[1, 1] - I[2, 2]) / 2.0)
            found[k] = Mass(0.0, s * np.array([1.0, 1.0, 0.0]), I - rod)
            moved = Mass(m, z * s[2], rod)
        elif link.move == SLIDE:
            found[k] = Mass(m, s, np.zeros((3, 3)))
            moved = Mass(0.0, none, I)
        else:
            found[k] = Mass(0.0, s, I)
            moved = Mass(m, none, np.zeros((3, 3)))
        if link.parent != ROOT or ROOT in masses:
            found[link.parent] = _added(found.get(link.parent), shifted(moved, link.R, link.p))
    return found


def shifted(mass: Mass, R: Array, p: Array) -> Mass:
    """Inertial parameters in the frame in which their own has the rotation R and the origin p."""
    m, s, I = mass.m, R @ mass.s, R @ mass.I @ R.T  # noqa: E741
    both = np.outer(p, s)
    about = np.eye(3) * (2.0 * (p @ s)) - both - both.T
    return Mass(m, s + p * m, I + about + (np.eye(3) * (p @ p) - np.outer(p, p)) * m)


def _added(mass: Mass | None, more: Mass) -> Mass:
    if mass is None:
        return more
    return Mass(mass.m + more.m, mass.s + more.s, mass.I + more.I)


class CentralMass(NamedTuple):
    """A body about its mass centre: mass [kg], centre [m] and inertia [kg m^2], body axes."""

    body: str
    m: Array
    c: Array
    I: Array  # noqa: E741  the papers' name


def central_masses(robot: Robot) -> dict[str, CentralMass]:
    """Bodies that have mass or inertia, by name."""
    found = [central_mass(body) for body in robot.bodies]
    return {mass.body: mass for mass in found if mass.m or mass.I.any()}


def central_mass(body: Body) -> CentralMass:
    """A body as described."""
    return CentralMass(body.name, body.mass, np.array(body.center), np.array(body.inertia))
