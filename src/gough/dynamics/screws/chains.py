"""Chains of joint screws at one state: twists, accelerators and efforts along them.  [GA] section 2

All screws of a leg are represented at one point of its own, as [GA] chooses O for the gearshift:
where most of its axes meet.  The Lie product knows no point, so that twists and accelerators at
that point follow the same formulas; the point is the one of the base that is there now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gough import screw
from gough.base.spatial import Array, collect, cross
from gough.dynamics.screws.graph import Part, ScrewGraph
from gough.mechanism.closure.drags import Drag, Pull
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Lock
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.topology.coupled import Coupled
from gough.mechanism.topology.tree import Tree
from gough.robot import Joint
from gough.robot.joint_kinds import BALL, KINDS, SCREW, SLIDE

_BASE = np.eye(3)
Held = tuple[Tree, list[Pose], Lock]
"""A frozen freedom, with its tree and the poses of the tree's links."""


class Moving(NamedTuple):
    """Twist and Lie screw (or accelerator) of a body."""

    V: Array
    A: Array


STILL = Moving(np.zeros(6), np.zeros(6))


class Axis(NamedTuple):
    """Screws of one axis, which act together: none carries the other.

    Attributes:
        screws: one, three of a ball, two of a plane.
        center: of a ball, whose screws keep the directions of the base and move with it.
    """

    screws: list[Array]
    center: Array | None = None


class Group(NamedTuple):
    """An axis in the direction of travel, with the places of its rates."""

    axis: Axis
    places: tuple[int, ...]


def joint_axes(joint: Joint, A: Pose, B: Pose, center: Array, point: Array) -> list[Axis]:
    """Screws of a joint's axes, in order from parent to child, base axes.

    Args:
        joint: the joint.
        A: its frame on the parent.
        B: its frame on the child.
        center: a point of its axes: where A and B meet, from whichever side is known.
        point: the point of representation.
    """
    arm, found = center - point, []
    for moves in KINDS[joint.kind].groups.values():
        screws, ball = [], None
        for move in moves:
            axis = (A if move.on == "A" else B).R[:, move.axis]
            if move.what == BALL:
                screws, ball = [screw.revolute(e, arm) for e in _BASE], center
            elif move.what == SLIDE:
                screws.append(screw.prismatic(axis))
            elif move.what == SCREW:
                screws.append(screw.helical(axis, arm, joint.pitch))
            else:
                screws.append(screw.revolute(axis, arm))
        found.append(Axis(screws, ball))
    return found


def joint_center(graph: ScrewGraph, joint: Joint, A: Pose, B: Pose) -> Array:
    """A point of all turning axes of a joint; of two that coincide the one on the hub.

    What turns and slides sideways turns about the child's origin; where a joint slides along an
    axis that it turns about, both origins are on it.
    """
    if KINDS[joint.kind].has_face or joint.child in graph.on_hub:
        return B.p
    return A.p


class Chains:
    """The screws of one part at a state.

    Args:
        graph: the robot.
        part: the leg, or the hub.
        at: the state.
        point: where screws are represented; the centre of a joint of the part if not given.
    """

    def __init__(
        self, graph: ScrewGraph, part: Part, at: Equations, point: Array | None = None
    ) -> None:
        self.graph, self.part, self.at = graph, part, at
        self.count = len(part.slots)
        self.point: Array = self._center(part.center) if part.center else point
        joints = [way.joint for way in part.ways] + list(part.closing)
        self.axes = {joint.name: self._axes(joint) for joint in joints}

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies that move with the part; the base is none."""
        roots = [body for body in self.part.roots if body != self.graph.robot.base]
        return (*roots, *self.part.bodies)

    def _center(self, joint: Joint) -> Array:
        return joint_center(self.graph, joint, *self.at.frames(joint))

    def _axes(self, joint: Joint) -> list[Axis]:
        frames = self.at.frames(joint)
        return joint_axes(joint, *frames, self._center(joint), self.point)

    def groups(self, joint: Joint, sign: float) -> Iterator[Group]:
        """Axes of a joint with the places of their rates, in the direction of travel."""
        axes = list(zip(self.axes[joint.name], joint.axis_names, strict=True))
        for axis, name in axes if sign > 0 else reversed(axes):
            places = tuple(self.part.places[i] for i in self.graph.slots[name])
            turned = axis if sign > 0 else axis._replace(screws=[-s for s in axis.screws])
            yield Group(turned, places)

    # first order

    def columns(self, body: str) -> Array:
        """Twist of a body against its root per rate of the part, 6xn.  [GA] (7)."""
        return self.joined(self.pairs(body))

    def pairs(self, body: str) -> list[tuple[Array, int]]:
        """Screws on the way from a root to a body, with the places of their rates."""
        ways = self.part.way(body)
        return [pair for way in ways for pair in self.over(way.joint, way.sign)]

    def over(self, joint: Joint, sign: float) -> list[tuple[Array, int]]:
        """Screws of a joint in the direction of travel, with the places of their rates."""
        groups = self.groups(joint, sign)
        return [pair for g in groups for pair in zip(g.axis.screws, g.places, strict=True)]

    def joined(self, pairs: Sequence[tuple[Array, int]]) -> Array:
        """Screws as columns in their places, 6xn."""
        found: list[Array] = [np.zeros(6)] * self.count
        for s, i in pairs:
            found[i] = found[i] + s
        return collect(found, empty=(0, 6)).T

    def twists(self, roots: Mapping[str, Array], rates: Array) -> dict[str, Array]:
        """Twists of all bodies; of unit rates of one variable these are partial screws."""
        found = dict(roots)
        for way in self.part.ways:
            V = found[way.before]
            for s, i in self.over(way.joint, way.sign):
                V = V + s * rates[i]  # [GA] (6), (18)
            found[way.body] = V
        return found

    def loop_rows(self, joints: Sequence[Joint]) -> list[Array]:
        """Loops within the part, six rows each: there, over the joint, and back.  [GA] (16)."""
        rows: list[Array] = []
        for joint in joints:
            back = [(-s, i) for s, i in self.pairs(joint.child)]
            rows += list(self.joined(self.pairs(joint.parent) + self.over(joint, 1.0) + back))
        return rows

    def coupling_row(self, coupled: Coupled) -> Array:
        """A coupling per rate of the part: rates are those of the axes themselves."""
        row: Array = np.zeros(self.count)
        for place, coefficient in self.coupled_places(coupled).items():
            row = row + np.eye(self.count)[place] * coefficient
        return row

    def coupled_places(self, coupled: Coupled) -> dict[int, float]:
        """Places of a coupling's axes among the part's rates, with their coefficients."""
        slots = {name: self.graph.slots[name][0] for name in coupled.coupling.axes}
        return {
            self.part.places[slots[name]]: coefficient
            for name, coefficient in coupled.coupling.axes.items()
            if slots[name] in self.part.places
        }

    def lock_row(self, tree: Tree, placed: Sequence[Pose], lock: Lock) -> Array:
        """What a lock keeps at zero, per rate of the part."""
        if lock.axis is not None:
            body, x, pulls = self.spin(tree, placed, lock)
            row: Array = x @ self.columns(body)[:3]
            for pull in pulls:
                if pull.body in self.bodies:
                    row = row - pull.y @ self.columns(pull.body)[:3]
            return row
        unit, link = np.eye(self.count), tree.link_of(lock.column)
        joint, axis, places = self._locked(tree, link)
        if len(places) == 1:
            return unit[places[0]]
        if tree.links[link].move == SLIDE:  # one of a plane's two
            return unit[places[tree.place_in_axis(link)]]
        # a component of a ball, about an axis of its link
        e = placed[link].R[:, lock.column - tree.columns[link].start]
        found: Array = np.zeros(self.count)
        for s, i in zip(self.axes[joint.name][axis].screws, places, strict=True):
            found = found + unit[i] * (e @ s[:3])
        return found

    def drag(self, tree: Tree, lock: Lock) -> Drag:
        """The row of a spin that joints drag along."""
        return Drag(self.at, self.at.topology.trees.index(tree) - 1, lock)

    def spin(self, tree: Tree, placed: Sequence[Pose], lock: Lock) -> tuple[str, Array, list[Pull]]:
        """The body that a lock keeps from spinning, its axis, and what drags it along."""
        if not lock.beside:
            return tree.body_on(lock.link), placed[lock.link].R @ lock.axis, []
        drag = self.drag(tree, lock)
        return drag.body, drag.own, drag.pulls

    def lock_bias(
        self,
        tree: Tree,
        placed: Sequence[Pose],
        lock: Lock,
        lie: Mapping[str, Moving],
        rates: Array,
        hub: Mapping[str, Array] | None = None,
    ) -> Any:
        """Right side of a lock for accelerations, from the Lie screws of the bodies.

        ``hub`` are twists of the hub's bodies: they may drag along what a leg has.
        """
        if lock.beside:
            still = np.zeros(3)

            def turning(body: str) -> tuple[Array, Array]:
                if body in lie:
                    return lie[body].V[:3], lie[body].A[:3]
                return (hub[body][:3] if hub and body in hub else still), still

            return self.drag(tree, lock).bias(turning)
        if lock.axis is not None:  # fixed in the body: d/dt (x . omega) = x . omega_dot
            own, x = lie[tree.body_on(lock.link)], placed[lock.link].R @ lock.axis
            return -(x @ own.A[:3])
        link = tree.link_of(lock.column)
        joint, _, places = self._locked(tree, link)
        if len(places) == 1 or tree.links[link].move == SLIDE:
            return 0.0
        # rates of a ball keep the directions of the base, while the joint turns with its parent
        e = placed[link].R[:, lock.column - tree.columns[link].start]
        return e @ cross(lie[joint.parent].V[:3], collect([rates[i] for i in places]))

    def is_slide(self, tree: Tree, placed: Sequence[Pose], lock: Lock) -> bool:
        """Whether a lock holds a slide."""
        return lock.axis is None and tree.links[tree.link_of(lock.column)].move == SLIDE

    def _locked(self, tree: Tree, link: int) -> tuple[Joint, int, tuple[int, ...]]:
        """Joint, axis and places of the rates that a link of a tree belongs to."""
        joint, axis = self.graph.robot.joint(tree.links[link].joint), tree.links[link].axis
        slots = self.graph.slots[joint.axis_names[axis]]
        return joint, axis, tuple(self.part.places[i] for i in slots)

    # second order

    def motions(
        self, roots: Mapping[str, Moving], rates: Array, accelerations: Array | None = None
    ) -> dict[str, Moving]:
        """Twist and accelerator of every body; without accelerations its Lie screw.

        Equations:
            [GA] (12)-(13): a body's accelerator is its chain's, screw by screw.
        """
        found = dict(roots)
        for way in self.part.ways:
            before = found[way.before]
            found[way.body] = self.behind(before, way.joint, way.sign, rates, accelerations)
        return found

    def behind(
        self,
        before: Moving,
        joint: Joint,
        sign: float,
        rates: Array,
        accelerations: Array | None = None,
    ) -> Moving:
        """Motion of the body behind a joint."""
        V, A = before
        for (screws, center), places in self.groups(joint, sign):
            own: Array = np.zeros(6)
            for s, i in zip(screws, places, strict=True):
                own = own + s * rates[i]
                if accelerations is not None:
                    A = A + s * accelerations[i]  # [GA] (12)
            A = A + screw.bracket(self._carrier(V, center), own)  # [GA] (13), erratum GA-9
            V = V + own  # [GA] (6)
        return Moving(V, A)

    def _carrier(self, V: Array, center: Array | None) -> Array:
        """The twist that carries screws along: the body's, or only the velocity of a centre."""
        if center is None:
            return V
        return np.concatenate([np.zeros(3), screw.moved(V, center - self.point)[3:]])

    def loop_biases(
        self, joints: Sequence[Joint], lie: Mapping[str, Moving], rates: Array
    ) -> list[Any]:
        """Right sides of the loops for accelerations: Lie screws of both ways.  [GA] (16)."""
        rows: list[Any] = []
        for joint in joints:
            rows += list(lie[joint.child].A - self.behind(lie[joint.parent], joint, 1.0, rates).A)
        return rows

    # efforts

    def efforts(self, wrenches: Mapping[str, Array]) -> tuple[list[Any], dict[str, Array]]:
        """Power of wrenches on bodies per unit of each rate, and what they are on the roots.

        Wrenches ``[f; n]`` about the point.  Along a chain they add up, before the Klein form is
        taken with each screw: the sum over bodies of [GA] (36), joint by joint.
        """
        behind: dict[str, Array] = dict(wrenches)
        found: list[Any] = [0.0] * self.count
        for way in reversed(self.part.ways):
            W = behind.pop(way.body, None)
            if W is None:
                continue
            for s, i in self.over(way.joint, way.sign):
                found[i] = found[i] + screw.klein(W, s)  # [GA] (25), (32)
            behind[way.before] = behind[way.before] + W if way.before in behind else W
        return found, behind
