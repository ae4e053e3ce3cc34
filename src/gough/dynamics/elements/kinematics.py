"""Kinematics of a robot made of kinematic elements.  [OZ] sections 4.1, 5.1-5.4

State variables {x, d, theta} of all elements, the motion basis {xdot, ddot, thetadot}, kinematic
coordinates (Kane's partial velocities) and motion constraints, which map the robot's own freedoms
to the motion basis.  The spin thetadot is a quasi-velocity, omega . x, as the joints impose it,
erratum OZ-4.  Numbers and symbols run through the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.base.linalg import Factor, Plan, choose_plan
from gough.base.spatial import Array, collect, cross, skew
from gough.dynamics.elements.decomposition import SLIDES, Decomposition, Key, element_parts
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.equations import BASE
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge
from gough.mechanism.topology.moves import BALL, SLIDE
from gough.robot import Joint

Partial = dict[Key, Array]
"""A velocity as a linear map of the motion basis: 3x3 for xdot, a vector for spins and lengths."""

V_KEY: Key = ("V", "", 0)
"""The platform twist, 3x6: what is given when motion constraints are solved."""


class Point(NamedTuple):
    """A body's point in a chain: where it is, and its velocity as a map of the motion basis."""

    body: str
    p: Array
    v: Partial


def plus(*maps: Mapping[Key, Array]) -> Partial:
    """Sum of linear maps."""
    total: Partial = {}
    for each in maps:
        for key, block in each.items():
            total[key] = total[key] + block if key in total else block
    return total


def scaled(each: Mapping[Key, Array], factor: float) -> Partial:
    """A linear map times a number."""
    return {key: block * factor for key, block in each.items()}


def along(n: Array, each: Mapping[Key, Array]) -> Partial:
    """Component of a velocity along a direction: a row for each variable."""
    return {key: n @ block for key, block in each.items()}


def constraint_plan(assembly: Assembly) -> Plan:
    """Pivots of the motion constraints for a trace, good around home; found once."""

    def make(assembly: Assembly) -> Plan:
        states = [ElementState(Kinematics(assembly, each)) for each in assembly.regular_solutions]
        systems = [np.asarray(state.constraint_matrix(), dtype=float) for state in states]
        return choose_plan(systems, systems[0].shape[1])

    return assembly.cached("motion constraints", make)


class ElementState:
    """Elements of a robot at one state: everything that needs positions only.

    Args:
        kin: the robot at the state.
        parts: the elements, if they are not those that the library finds.
    """

    def __init__(self, kin: Kinematics, parts: Decomposition | None = None) -> None:
        self.kin, self.assembly, self.at = kin, kin.assembly, kin.solution.equations
        self.parts = parts = parts or element_parts(kin.assembly)
        self.platform = parts.element_of[parts.robot.platform]
        self.poses: dict[str, Pose] = {parts.robot.base: BASE, **self.at.body_poses}
        self.x = {e.name: self.poses[e.name].R @ e.x for e in parts.elements.values()}

    @property
    def Psi(self) -> Array:
        """The platform twist per unit of each freedom, ``V = Psi V_r``."""
        return self.kin.solution.Psi

    # state variables and motion basis, [OZ] 5.1

    def omega(self, body: str, *, given: bool = False) -> Partial:
        """Angular velocity, ``x x xdot + thetadot x``.  [OZ] (12), (50)."""
        name = self.parts.element_of[body]
        if not name or self.parts.elements[name].fixed:
            return {}
        if given and name == self.platform:
            return {V_KEY: np.concatenate([np.zeros((3, 3)), np.eye(3)], axis=1)}
        return {("x", name, 0): skew(self.x[name]), ("spin", name, 0): self.x[name]}

    def at_point(self, body: str, r: Array, *, given: bool = False) -> Partial:
        """``omega x r`` of a vector fixed in a body: ``rho xdot + omega x e``, ``r = rho x + e``.

        Equations:
            [OZ] (14), Table 1; off the axis erratum OZ-5.
        """
        name = self.parts.element_of[body]
        if not name or self.parts.elements[name].fixed:
            return {}
        if given and name == self.platform:
            return {V_KEY: np.concatenate([np.zeros((3, 3)), -skew(r)], axis=1)}
        x = self.x[name]
        rho, e = self.split(body, r)
        return {
            ("x", name, 0): np.eye(3) * rho - skew(e) @ skew(x),
            ("spin", name, 0): cross(x, e),
        }

    def split(self, body: str, r: Array) -> tuple[Array, Array]:
        """A vector as ``rho x + e``, e across the element's direction.  [OZ] (11)."""
        x = self.x[self.parts.element_of[body]]
        rho = x @ r
        return rho, r - x * rho

    def slides(self, joint: Joint) -> list[tuple[Key, Array]]:
        """Lengths of a joint that vary: their names and directions, fixed in the parent."""
        if joint.kind not in SLIDES:
            return []
        A, _ = self.at.frames(joint)
        axes = (0, 1) if joint.kind == "planar_contact" else (2,)
        return [(("d", joint.name, k), A.R[:, axis]) for k, axis in enumerate(axes)]

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
            A, B = self.at.frames(way.joint)
            here, there = (A, B) if way.sign > 0 else (B, A)
            v = self.velocity(found[way.before], here.p, given=given)
            slides = self.slides(way.joint)
            if slides:
                grown = [{key: direction * way.sign} for key, direction in slides]
                v = plus(v, *grown, self.at_point(way.joint.parent, there.p - here.p, given=given))
            found[way.body] = Point(way.body, there.p, v)
        return found

    def velocity(self, of: Point, p: Array, *, given: bool = False) -> Partial:
        """Velocity of the point of a body that is at p."""
        return plus(of.v, self.at_point(of.body, p - of.p, given=given))

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
        platform = Point(robot.platform, self.at.platform.p, v)
        return found | self.walk({robot.platform: platform}, self.parts.hub, given=True)

    @cached_property
    def unknowns(self) -> list[Key]:
        """Variables of the motion basis that the motion constraints must give."""
        found: list[Key] = []
        for element in self.parts.elements.values():
            if not element.fixed and element.name != self.platform:
                found += [("x", element.name, 0), ("spin", element.name, 0)]
        ways = [way for branch in self.parts.branches for way in branch.own]
        for way in (*ways, *self.parts.hub):
            found += [key for key, _ in self.slides(way.joint)]
        return found

    @cached_property
    def constraint_rows(self) -> list[Partial]:
        """Everything that binds the motion basis and V: rows that vanish.

        Equations:
            [OZ] (37): positions of loops; ``x . xdot = 0``; and what each joint forbids of the
            relative rotation, which makes the spin the one that the joints impose, erratum OZ-4.
        """
        rows: list[Partial] = [{key: self.x[key[1]]} for key in self.unknowns if key[0] == "x"]
        closing = {joint.name for joint in self.parts.closing}
        for joint in self.parts.robot.joints:
            A, B = self.at.frames(joint)
            turn = self.turning(joint)
            rows += [along(n, turn) for n in _forbidden_turns(joint, A, B)]
            gap = self._gap(joint, B) if joint.name in closing else None
            if gap is not None:
                rows += [along(n, gap) for n in _forbidden_slides(joint, A)]
            if joint.kind == "helical":
                ((key, s),) = self.slides(joint)
                advance = {key: 1.0} if gap is None else along(s, gap)
                rows.append(plus(advance, scaled(along(s, turn), -joint.pitch)))
        return [row for row in (*rows, *self._idle_rows()) if row]

    def turning(self, joint: Joint, *, given: bool = True) -> Partial:
        """Angular velocity of a joint's child against its parent."""
        there, here = (self.omega(b, given=given) for b in (joint.child, joint.parent))
        return plus(there, scaled(here, -1.0))

    def _gap(self, joint: Joint, B: Pose) -> Partial:
        """Velocity of the child's joint point, seen from the parent."""
        there = self.velocity(self._points[joint.child], B.p, given=True)
        here = self.velocity(self._points[joint.parent], B.p, given=True)
        return plus(there, scaled(here, -1.0))

    def _idle_rows(self) -> list[Partial]:
        """What freezes idle freedoms: bars do not spin, and what hangs loose keeps still."""
        rows: list[Partial] = []
        for tree, poses, lock in self.at.held:
            if lock.axis is not None:
                x, body = poses[lock.link].R @ lock.axis, tree.body_on(lock.link)
                rows.append(along(x, self.omega(body, given=True)))
                continue
            i = tree.link_of(lock.column)
            joint = self.parts.robot.joint(tree.links[i].joint)
            if tree.links[i].move == SLIDE:
                rows.append({self.slides(joint)[tree.place_in_axis(i)][0]: 1.0})
            else:
                ball = tree.links[i].move == BALL
                axis = lock.column - tree.columns[i].start if ball else 2
                rows.append(along(poses[i].R[:, axis], self.turning(joint)))
        return rows

    @cached_property
    def motion_constraints(self) -> dict[Key, Array]:
        """``xdot = M_x V_r, thetadot = M_theta V_r, ddot = M_d V_r``: 3xn, or a row.  [OZ] (55)."""
        found: dict[Key, Array] = {}
        if self.unknowns:
            rows, n = self.constraint_rows, self.Psi.shape[1]
            left = self.constraint_matrix()
            right = [-(row[V_KEY] @ self.Psi) if V_KEY in row else np.zeros(n) for row in rows]
            solved = iter(Factor(left, self._plan(left)).solve(right))
            for key in self.unknowns:
                rows_of_key = [next(solved) for _ in range(_width(key))]
                found[key] = collect(rows_of_key) if key[0] == "x" else rows_of_key[0]
        if not self.parts.elements[self.platform].fixed:
            x = self.x[self.platform]
            found["x", self.platform, 0] = -(skew(x) @ self.Psi[3:])
            found["spin", self.platform, 0] = x @ self.Psi[3:]
        for joint in self.parts.closing:
            slides = self.slides(joint)
            gap = self._gap(joint, self.at.frames(joint)[1]) if slides else {}
            for key, s in slides:
                found[key] = in_freedoms(along(s, gap), found, self.Psi)
        return found

    def _plan(self, matrix: Array) -> Plan:
        if self.kin.plans_are_fixed:
            return constraint_plan(self.assembly)
        return choose_plan([matrix], matrix.shape[1])

    def constraint_matrix(self) -> Array:
        """The rows over all unknowns."""
        return collect([self._dense(row) for row in self.constraint_rows])

    def _dense(self, row: Partial) -> Array:
        """A row over all unknowns."""
        blocks = []
        for key in self.unknowns:
            block = row.get(key, np.zeros(_width(key)))
            blocks.append(block if getattr(block, "shape", ()) else collect([block]))
        return np.concatenate(blocks)


def _width(key: Key) -> int:
    return 3 if key[0] == "x" else 1


def in_freedoms(row: Mapping[Key, Array], M: Mapping[Key, Array], Psi: Array) -> Array:
    """A row over the motion basis, or three of them, as one over the robot's own freedoms."""
    total: Array = 0.0
    for key, block in row.items():
        total = total + (block @ Psi if key == V_KEY else _times(block, M[key]))
    return total


def _times(block: Array, M: Array) -> Array:
    """``block @ M``; a spin or a length has one row in M and one column in a block."""
    if len(M.shape) == 2:
        return block @ M
    return np.outer(block, M) if getattr(block, "shape", ()) else M * block


def _forbidden_turns(joint: Joint, A: Pose, B: Pose) -> Sequence[Array]:
    """Directions about which a joint's bodies do not turn against each other."""
    if joint.kind in ("revolute", "helical", "cylindrical"):
        return [A.R[:, 0], A.R[:, 1]]
    if joint.kind == "universal":
        return [cross(A.R[:, 2], B.R[:, 2])]
    return []  # balls turn as they like; what slides only is one element


def _forbidden_slides(joint: Joint, A: Pose) -> Sequence[Array]:
    """Directions in which the child's joint point does not move against the parent."""
    if joint.kind in ("prismatic", "cylindrical", "helical"):
        return [A.R[:, 0], A.R[:, 1]]
    if joint.kind == "planar_contact":
        return [A.R[:, 2]]
    return [A.R[:, 0], A.R[:, 1], A.R[:, 2]]
