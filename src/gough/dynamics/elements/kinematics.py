"""Kinematics of a robot made of kinematic elements.  [OZ] sections 4.1, 5.1-5.4

State variables {x, d, theta} of all elements, the motion basis {xdot, ddot, thetadot}, kinematic
coordinates (Kane's partial velocities) and motion constraints, which map the robot's own freedoms
to the motion basis.  Velocities and accelerations are its own: of the rest of the library it takes
positions, and which of the platform's components are free.  The spin thetadot is a quasi-velocity,
omega . x, as the joints impose it, erratum OZ-4.  Numbers and symbols run through the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from gough.base.spatial import Array, collect, cross, skew, total
from gough.dynamics.elements.accelerations import acceleration_of, accelerations, turned_by
from gough.dynamics.elements.constraints import Constraint, Moving, constraints
from gough.dynamics.elements.decomposition import (
    Decomposition,
    Key,
    element_parts,
    turned_bodies,
)
from gough.dynamics.elements.differential import bias_twist_rate, solved
from gough.dynamics.elements.partials import (
    V_KEY,
    Arm,
    Drawn,
    Partial,
    Point,
    along,
    in_freedoms,
    plus,
    scaled,
)
from gough.dynamics.elements.variables import Direction, Length, Variables, direction, turning
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import value
from gough.mechanism.closure.equations import BASE
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.topology.edges import TreeEdge
from gough.robot import Joint
from gough.robot.joint_kinds import KINDS, SLIDE
from gough.robot.names import joint_of

_ON_AXIS = 1e-13  # figures of the description, in units of the robot's length: rounding


class ElementState:
    """Elements of a robot at one state: everything that needs positions only.

    Args:
        kin: the robot at the state.
        parts: the elements, if they are not those that the library finds.

    Attributes:
        divisible: whether a group of variables is found by projections here, as far as asked.
    """

    def __init__(self, kin: Kinematics, parts: Decomposition | None = None) -> None:
        self.kin, self.assembly, self.at = kin, kin.assembly, kin.solution.equations
        self.parts = parts = parts or element_parts(kin.assembly)
        self.platform = parts.element_of[parts.robot.platform]
        self.poses: dict[str, Pose] = {parts.robot.base: BASE, **self.at.body_poses}
        self.x = {e.name: self.poses[e.name].R @ e.x for e in parts.elements.values()}
        self.seats = self.at.topology.seats
        self._gaps: dict[str, Partial] = {}
        self.divisible: dict[int, bool] = {}

    @property
    def Psi(self) -> Array:
        """The platform twist per unit of each freedom, ``V = Psi V_r``."""
        return self.kin.solution.Psi

    def frame_on(self, joint: Joint, body: str) -> Array:
        """Where a joint sits on one of its bodies, body axes [m]."""
        return self.seats[joint.name].on(joint, body).p

    @cached_property
    def _turned(self) -> Mapping[str, Array]:
        """Rotation of each body against the first of its element."""
        moved = self.assembly.moved
        return turned_bodies(self.parts, self.seats) if moved else self.parts.turned

    # state variables and motion basis, [OZ] 5.1

    def omega(self, body: str, *, given: bool = False) -> Partial:
        """Angular velocity, ``x x xdot + thetadot x``.  [OZ] (12), (50)."""
        name = self.parts.element_of[body]
        if not name or self.parts.elements[name].fixed:
            return {}
        if given and name == self.platform:
            return {V_KEY: np.concatenate([np.zeros((3, 3)), np.eye(3)], axis=1)}
        found: Partial = {("x", name, 0): skew(self.x[name])}
        return found | ({("spin", name, 0): self.x[name]} if self.spins(name) else {})

    def spins(self, name: str) -> bool:
        """Whether an element is a spindle or a screw: bars and telescopes have no spin."""
        return self.parts.elements[name].spins

    def at_point(
        self, body: str, r: np.ndarray, drawn: Drawn = (), *, given: bool = False
    ) -> Partial:
        """``omega x r`` of a vector in a body: ``rho xdot + omega x e``, ``r = rho x + e``.

        Args:
            body: that carries the vector.
            r: fixed in it, body axes [m].
            drawn: lengths that are added to it, along directions in body axes.
            given: whether the platform's element moves by the twist V, not by variables.

        Equations:
            [OZ] (14), Table 1; off the axis erratum OZ-5.
        """
        name = self.parts.element_of[body]
        if not name or self.parts.elements[name].fixed:
            return {}
        if given and name == self.platform:
            whole = self.poses[body].R @ total([s * d for d, s in drawn], r)
            return {V_KEY: np.concatenate([np.zeros((3, 3)), -skew(whole)], axis=1)}
        rho, e = self.arm(body, r, drawn)
        x, found = self.x[name], np.eye(3) * rho
        if e is None:
            return {("x", name, 0): found}
        turn: Partial = {("x", name, 0): found - skew(e) @ skew(x)}
        return turn | ({("spin", name, 0): cross(x, e)} if self.spins(name) else {})

    def arm(self, body: str, r: np.ndarray, drawn: Drawn = ()) -> Arm:
        """A vector in a body as ``rho x + e``.  [OZ] (11)."""
        x = self._turned[body].T @ self.parts.elements[self.parts.element_of[body]].x
        length = self.assembly.length

        def split(v: Array, size: float) -> tuple[Array, list[Array]]:
            rho = x @ v
            e = v - x * rho
            known = e.dtype != object and not self.assembly.moved
            nothing = known and np.abs(e).max() < _ON_AXIS * size
            return rho, [] if nothing else [e]

        rho, across = split(r, length)
        for d, s in drawn:
            part, off = split(s, 1.0)
            rho = rho + d * part
            across += [e * d for e in off]
        return Arm(rho, self.poses[body].R @ total(across, np.zeros(3)) if across else None)

    def drawn(self, joint: Joint, sign: float = 1.0) -> Drawn:
        """Lengths of a joint, and their directions in axes of its parent."""
        found = []
        for (key, s), axis in zip(self.slides(joint), KINDS[joint.kind].travel, strict=True):
            names = [n for n in joint.axis_names if self.assembly.axes[n].what == SLIDE]
            if names:
                d = value(self.at, self.assembly.axes[names[key[2]]], 0.0)
            else:
                A, B = self.at.frames(joint)
                d = s @ (B.p - A.p)
            found.append((d * sign, self.seats[joint.name].A.R[:, axis]))
        return tuple(found)

    def split(self, body: str, r: Array) -> tuple[Array, Array]:
        """A vector of the base as ``rho x + e``, e across the element's direction.  [OZ] (11)."""
        x = self.x[self.parts.element_of[body]]
        rho = x @ r
        return rho, r - x * rho

    def slides(self, joint: Joint) -> list[tuple[Key, Array]]:
        """Lengths of a joint that vary: their names and directions, fixed in the parent."""
        travel = KINDS[joint.kind].travel
        A = self.at.frames(joint)[0] if travel else BASE
        return [(("d", joint.name, k), A.R[:, axis]) for k, axis in enumerate(travel)]

    def slides_of(self, axis: str) -> list[tuple[Key, Array]]:
        """The same of one axis: a slide has one length, a plane two."""
        joint = self.parts.robot.joint(joint_of(axis))
        kind = KINDS[joint.kind]
        short = [*kind.groups][joint.axis_names.index(axis)]
        slides = self.slides(joint)
        return [slides[i] for i in kind.travel_of(short)]

    # velocities along a chain, [OZ] 5.2

    def walk(
        self, points: Mapping[str, Point], ways: Iterable[TreeEdge], *, given: bool = False
    ) -> dict[str, Point]:
        """Velocities of bodies along a chain, element by element.

        ``given`` says that the platform's element moves by the twist V, not by variables.

        Equations:
            [OZ] (28), (30): every element begins where the one before it ends.
        """
        found = dict(points)
        for way in ways:
            here, there = (self.frame_on(way.joint, body) for body in (way.before, way.body))
            v = self.velocity(found[way.before], here, given=given)
            slides = self.slides(way.joint)
            if slides:
                grown = [{key: direction * way.sign} for key, direction in slides]
                drawn = self.drawn(way.joint, way.sign)
                turn = self.at_point(way.joint.parent, np.zeros(3), drawn, given=given)
                v = plus(v, *grown, turn)
            found[way.body] = Point(way.body, there, v)
        return found

    def velocity(self, of: Point, r: np.ndarray, *, given: bool = False) -> Partial:
        """Velocity of a body's point at r, body axes."""
        return plus(of.v, self.at_point(of.body, r - of.at, given=given))

    # motion constraints, [OZ] 5.3

    @cached_property
    def chains(self) -> list[dict[str, Point]]:
        """Each leg with its part of the hub: velocities of all bodies as maps of the basis."""
        return [self.walk(self._ground, (*b.own, *b.hub)) for b in self.parts.branches]

    @property
    def _ground(self) -> dict[str, Point]:
        base = self.parts.robot.base
        return {base: Point(base, np.zeros(3), {})}

    @cached_property
    def _points(self) -> dict[str, Point]:
        """Bodies of the legs from the base, and of the hub from the platform, whose twist is V."""
        robot, found = self.parts.robot, self._ground
        for branch in self.parts.branches:
            found = self.walk(found, branch.own, given=True)
        v: Partial = {V_KEY: np.concatenate([np.eye(3), np.zeros((3, 3))], axis=1)}
        platform = Point(robot.platform, np.array(robot.platform_frame.position), v)
        return found | self.walk({robot.platform: platform}, self.parts.hub, given=True)

    @cached_property
    def unknowns(self) -> list[Key]:
        """Variables of the motion basis that the motion constraints must give."""
        found: list[Key] = []
        for element in self.parts.elements.values():
            if not element.fixed and element.name != self.platform:
                found.append(("x", element.name, 0))
                found += [("spin", element.name, 0)] if element.spins else []
        ways = [way for branch in self.parts.branches for way in branch.own]
        for way in (*ways, *self.parts.hub):
            found += [key for key, _ in self.slides(way.joint)]
        return found

    @cached_property
    def constraints(self) -> list[Constraint]:
        """Everything that binds the motion basis and V."""
        return constraints(self)

    def turning(self, joint: Joint, *, given: bool = True) -> Partial:
        """Angular velocity of a joint's child against its parent."""
        there, here = (self.omega(b, given=given) for b in (joint.child, joint.parent))
        return plus(there, scaled(here, -1.0))

    def gap(self, joint: Joint) -> Partial:
        """Velocity of the child's joint point, seen from the parent, over the basis and V."""
        if joint.name not in self._gaps:
            self._gaps[joint.name] = self._gap(joint)
        return self._gaps[joint.name]

    def _gap(self, joint: Joint) -> Partial:
        there, here = self._points[joint.child], self._points[joint.parent]
        moved = self.velocity(there, self.frame_on(joint, joint.child), given=True)
        own = self.velocity(here, self.frame_on(joint, joint.parent), given=True)
        turn = self.at_point(joint.parent, np.zeros(3), self.drawn(joint), given=True)
        return plus(moved, scaled(plus(own, turn), -1.0))

    @cached_property
    def motion_constraints(self) -> dict[Key, Array]:
        """``xdot = M_x V_r, thetadot = M_theta V_r, ddot = M_d V_r``: 3xn, or a row.  [OZ] (55)."""
        n = self.Psi.shape[1]
        rows = [each.row for each in self.constraints]
        found = solved(
            self, [-(row[V_KEY] @ self.Psi) if V_KEY in row else np.zeros(n) for row in rows]
        )
        if not self.parts.elements[self.platform].fixed:
            x = self.x[self.platform]
            found["x", self.platform, 0] = -(skew(x) @ self.Psi[3:])
            if self.spins(self.platform):
                found["spin", self.platform, 0] = x @ self.Psi[3:]
        for key, row in self._closing_lengths:
            found[key] = in_freedoms(row, found, self.Psi)
        return found

    @cached_property
    def _closing_lengths(self) -> list[tuple[Key, Partial]]:
        """Lengths of joints that close loops, and their rates."""
        return [
            (key, along(s, self.gap(joint)))
            for joint in self.parts.closing
            for key, s in self.slides(joint)
        ]

    # the machine in motion: first and second order

    @cached_property
    def first_order(self) -> Variables:
        """Rates of directions, spins and lengths; accelerations are what rates alone make."""
        V_r = collect([self.kin.V[i] for i in self.assembly.free], empty=(0,))
        rates = {key: M @ V_r for key, M in self.motion_constraints.items()}
        return self._variables(rates, {}, np.zeros(3))

    @cached_property
    def Vdot(self) -> Array:
        """Platform twist rate: the motion's, or that of the bias motion, by these constraints."""
        return bias_twist_rate(self) if self.kin.is_bias else self.kin.Vdot

    @cached_property
    def bias_motion(self) -> Moving:
        """The velocities, and accelerations of points while no rate of the basis changes."""
        return self._moving(self.first_order, np.zeros(3))

    @cached_property
    def motion(self) -> Variables:
        """State variables in the platform's motion, by this theory's own constraints.

        Equations:
            [OZ] (33), (37) differentiated once more.
        """
        still, first = self.bias_motion, self.first_order
        right = [
            -(each.row[V_KEY] @ self.Vdot if V_KEY in each.row else 0.0) - each.bias(still)
            for each in self.constraints
        ]
        rates = first.rates
        second = solved(self, right)
        found = self._variables(rates, second, self.Vdot[3:])
        for joint in self.parts.closing:
            slides = self.slides(joint)
            if slides:
                relative = self.gap_acceleration(joint, self._moving(found, self.Vdot[:3]))
                for key, s in slides:
                    second[key] = s @ relative
        return self._variables(rates, second, self.Vdot[3:])

    def _variables(
        self, rates: Mapping[Key, Array], second: Mapping[Key, Array], wd: Array
    ) -> Variables:
        """State variables from rates of the basis, and their rates where they are not zero."""
        directions: dict[str, Direction] = {}
        for e in self.parts.elements.values():
            if e.fixed:
                continue
            if e.name == self.platform:
                directions[e.name] = turning(self.x[e.name], self.kin.V[3:], wd)
                continue
            keys: tuple[Key, Key] = ("x", e.name, 0), ("spin", e.name, 0)
            xdd = second.get(keys[0], np.zeros(3))
            spin = (rates[keys[1]], second.get(keys[1], 0.0)) if e.spins else ()
            directions[e.name] = direction(self.x[e.name], rates[keys[0]], xdd, *spin)
        lengths = {
            key: Length(rate, second.get(key, 0.0)) for key, rate in rates.items() if key[0] == "d"
        }
        return Variables(directions, lengths)

    def _moving(self, motion: Variables, vd: Array) -> Moving:
        """A point of every body and its acceleration, the platform's origin given."""
        robot, parts = self.parts.robot, self.parts
        points = {robot.base: (np.zeros(3), np.zeros(3))}
        for branch in parts.branches:
            points = accelerations(self, motion, points, branch.own)
        hub = {robot.platform: (np.array(robot.platform_frame.position), vd)}
        return Moving(motion, points | accelerations(self, motion, hub, parts.hub))

    def gap_acceleration(self, joint: Joint, at: Moving) -> Array:
        """Acceleration of the child's joint point as an observer on the parent sees it."""
        motion, points = at
        there, here = (
            acceleration_of(self, motion, body, self.frame_on(joint, body), points[body])
            for body in (joint.child, joint.parent)
        )
        here = here + turned_by(self, motion, joint.parent, np.zeros(3), self.drawn(joint))
        name = self.parts.element_of[joint.parent]
        if name not in at.variables.directions or not KINDS[joint.kind].travel:
            return there - here  # nothing moves there that the parent's turning could bend
        seen = self.evaluated(self.gap(joint), at.variables)
        return there - here - cross(at.variables.directions[name].w, seen) * 2.0

    def evaluated(self, each: Partial, motion: Variables) -> Array:
        """A velocity from the rates of a motion."""
        total: Array = 0.0
        for key, block in each.items():
            kind, name, _ = key
            if key == V_KEY:
                total = total + block @ self.kin.V
            elif kind == "x":
                total = total + block @ motion.directions[name].xd
            elif kind == "spin":
                total = total + block * motion.directions[name].spin
            else:
                total = total + block * motion.lengths[key].rate
        return total
