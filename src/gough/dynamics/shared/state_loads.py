"""What acts on a machine besides its motors, at one state.

Gravity, wrenches on bodies, a payload, and which of friction, rotors and springs count.  Every
method takes the same object; numbers and symbols run through these lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, cross
from gough.dynamics.shared.masses import (
    CentralMass,
    Mass,
    base_masses,
    central_masses,
    known_base_masses,
    link_masses,
    on_links,
    with_body,
)
from gough.dynamics.shared.parameters import AxisParameters, Parameters, own_parameters, present
from gough.mechanism.closure.recursion import STILL, Motion, Pose, carried
from gough.mechanism.mobility.scales import EARTH
from gough.mechanism.topology.tree import ROOT, Tree
from gough.robot import Robot

ROUNDING = 1e-10
"""Rates of axes below this share of the platform's speed, natural units, are taken for zero.

So are those below this share of the natural rate, ``Scales.frequency``, however slow all is.

Coulomb friction takes the sign of a rate: of an axis at rest that would be the sign of rounding.
"""


class Push(NamedTuple):
    """A load on a body: force [N] and moment [N m], base axes; the point in the body's frame."""

    body: str
    point: Array
    f: Array
    n: Array


@dataclass(frozen=True, eq=False)
class StateLoads:
    """Everything that acts on a machine at one state, its motors apart.

    Attributes:
        gravity: acceleration of free fall, base axes [m/s^2].
        pushes: wrenches on bodies.
        payload: a body fixed to the platform.
        friction: whether viscous and Coulomb friction of all axes count.
        rotors: whether rotor inertia counts.
        springs: whether springs count.
        smoothing: speed at which Coulomb friction has reached 71 % [rad/s or m/s]; 0 is the sign.
        still: square of the rate below which an axis is taken to be still [rad^2/s^2].
        length: natural length; a slide is still below ``length`` times that rate.
        swift: square of a speed from which the platform's was subtracted, natural units: that of
            what carries the machine, whose rounding the platform's twist has as well.
        figures: figures of bodies and axes that replace the robot's own.
        base: how the base moves, base axes, with gravity as an acceleration upwards: what an
            inertial sensor at its origin shows.  At rest, in the given gravity, if there is none.
    """

    gravity: Array
    pushes: tuple[Push, ...] = ()
    payload: CentralMass | None = None
    friction: bool = True
    rotors: bool = True
    springs: bool = True
    smoothing: float = 0.0
    still: Array = 0.0
    length: float = 1.0
    swift: Array = 0.0
    figures: Parameters | None = None
    base: Motion | None = None

    @property
    def ground(self) -> Motion:
        """Motion of the base that all bodies feel: one at rest accelerates against gravity."""
        return STILL._replace(a=-self.gravity) if self.base is None else self.base

    def felt(self, motion: Motion, p: Array) -> Motion:
        """Motion of a mass at ``p`` as it feels it, from that relative to the base; base axes."""
        if self.base is None:
            return motion._replace(a=motion.a - self.gravity)
        return carried(self.base, motion, p)

    @property
    def inertial(self) -> StateLoads:
        """Masses and rotors alone: no gravity, no force, a base at rest."""
        none = np.zeros(3)
        return replace(self, gravity=none, base=None, pushes=(), friction=False, springs=False)

    def axis(self, robot: Robot, name: str) -> AxisParameters:
        """Parameters of an axis."""
        if self.figures is not None and name in self.figures.axes:
            return self.figures.axes[name]
        return own_parameters(robot.axis(name))

    def loaded_axes(self, robot: Robot) -> list[str]:
        """Axes that have friction, a rotor or a spring."""
        found = [(name, self.axis(robot, name)) for name in robot.axis_names]
        return [name for name, a in found if a.rubs or present(a.inertia) or present(a.stiffness)]

    def during(self, V: Array, length: float) -> StateLoads:
        """The same loads at a platform twist, whose size decides which axis rates are rounding."""
        return self.at_speed((V[:3] @ V[:3]) / length**2 + V[3:] @ V[3:], length)

    def at_speed(self, squared: Array, length: float) -> StateLoads:
        """The same loads at a platform speed, given squared, natural units [rad^2/s^2].

        A machine next to rest has rates that are rounding of its usual ones, natural units.
        """
        usual = EARTH / length
        return replace(self, still=(squared + self.swift + usual) * ROUNDING**2, length=length)

    def masses(self, robot: Robot) -> list[CentralMass]:
        """Bodies with mass, and the payload."""
        own = central_masses(robot)
        if self.figures is not None:
            own = {**own, **self.figures.bodies}
        return [*own.values()] if self.payload is None else [*own.values(), self.payload]

    def link_masses(self, robot: Robot, tree: Tree) -> dict[int, Mass]:
        """Inertial parameters by link, the payload on its own."""
        found = self._own_link_masses(robot, tree)
        if self.payload is None or self.payload.body not in tree.bodies:
            return found
        _, m, c, inertia = self.payload
        mount = tree.bodies[self.payload.body]
        return found | {mount.link: with_body(found.get(mount.link), mount, m, c, inertia)}

    def _own_link_masses(self, robot: Robot, tree: Tree) -> dict[int, Mass]:
        if self.figures is None or not self.figures.bodies:
            return link_masses(robot, tree)
        return on_links(tree, {**central_masses(robot), **self.figures.bodies})

    def base_masses(self, robot: Robot, tree: Tree) -> dict[int, Mass]:
        """Fewer parameters by link with the same efforts, the payload included."""
        loaded = self.payload is not None and self.payload.body in tree.bodies
        if not loaded and (self.figures is None or not self.figures.bodies):
            return known_base_masses(robot, tree)
        return base_masses(tree, self.link_masses(robot, tree))

    def on_links(
        self, tree: Tree, placed: Sequence[Pose], root: Pose
    ) -> dict[int, tuple[Array, Array]]:
        """Force and moment about the origin that pushes exert on each link, link axes.

        Args:
            tree: the links.
            placed: their poses in the base.
            root: pose of the root in the base.
        """
        found: dict[int, tuple[Array, Array]] = {}
        for push in self.pushes:
            if push.body not in tree.bodies:
                continue
            mount = tree.bodies[push.body]
            R = (root if mount.link == ROOT else placed[mount.link]).R
            f = R.T @ push.f
            n = R.T @ push.n + cross(mount.p + mount.R @ push.point, f)
            if mount.link in found:
                f, n = f + found[mount.link][0], n + found[mount.link][1]
            found[mount.link] = (f, n)
        return found
