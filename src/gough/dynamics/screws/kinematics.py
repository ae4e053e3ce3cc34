"""Velocity and acceleration of a whole machine by joint screws.  [GA]

Every joint is one or several screws, represented at the origin of the base; every body is the end
of an open chain of them.  Loops are closed chains, [GA] (16): the two ways to a body give the same
twist and the same accelerator.  Nothing here knows of legs or of a hub, only of bodies, joints and
their poses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough import screw
from gough.base.spatial import Array, collect, cross
from gough.dynamics.shared.all_rates import AllRates
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.locks import Lock
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge, ways
from gough.mechanism.topology.moves import SLIDE
from gough.mechanism.topology.tree import Tree
from gough.robot import KINDS, Joint, Robot
from gough.robot.joint import FREEDOMS


@dataclass(frozen=True, eq=False)
class ScrewGraph:
    """A robot as open chains on the base, and joints that close them.

    Attributes:
        robot: the description.
        ways: how every body is reached, bodies nearer the base first.
        closing: joints that close loops.
        slots: places of every axis among the rates: one, three of a ball, two of a plane.
        rates: how many rates there are.
    """

    robot: Robot
    ways: tuple[TreeEdge, ...]
    closing: tuple[Joint, ...]
    slots: dict[str, tuple[int, ...]]
    rates: int

    def way(self, body: str) -> list[TreeEdge]:
        """The chain from the base to a body."""
        found: list[TreeEdge] = []
        by_body = {way.body: way for way in self.ways}
        while body != self.robot.base:
            found.insert(0, by_body[body])
            body = by_body[body].before
        return found


def screw_graph(robot: Robot) -> ScrewGraph:
    """Open chains of a robot, found breadth first."""
    found = ways([robot.base], [body.name for body in robot.bodies], robot.joints)
    used = {way.joint.name for way in found}
    slots: dict[str, tuple[int, ...]] = {}
    count = 0
    for joint in robot.joints:
        for name, what in zip(joint.axis_names, KINDS[joint.kind].values(), strict=True):
            slots[name] = tuple(range(count, count + FREEDOMS[what]))
            count += FREEDOMS[what]
    closing = tuple(joint for joint in robot.joints if joint.name not in used)
    return ScrewGraph(robot, found, closing, slots, count)


def joint_screws(joint: Joint, A: Pose, B: Pose) -> list[list[Array]]:
    """Screws of a joint's axes, in order from parent to child, base axes, at O.

    Screws of one axis (a ball's three, a plane's two) act together: none carries the other.
    """
    x, y, z = A.R[:, 0], A.R[:, 1], A.R[:, 2]
    found: dict[str, Any] = {
        "revolute": lambda: [[screw.revolute(z, A.p)]],
        "prismatic": lambda: [[screw.prismatic(z)]],
        "helical": lambda: [[screw.helical(z, A.p, joint.pitch)]],
        "universal": lambda: [[screw.revolute(z, A.p)], [screw.revolute(B.R[:, 2], B.p)]],
        "cylindrical": lambda: [[screw.revolute(z, A.p)], [screw.prismatic(z)]],
        "spherical": lambda: [[screw.revolute(e, A.p) for e in (x, y, z)]],
        "planar_contact": lambda: [
            [screw.prismatic(x), screw.prismatic(y)],
            [screw.revolute(e, B.p) for e in (x, y, z)],  # the ball slides with its body
        ],
        "fixed": list,
    }
    return list(found[joint.kind]())


class Moving(NamedTuple):
    """Twist and Lie screw (or accelerator) of a body, at O."""

    V: Array
    A: Array


def graph_of(assembly: Assembly) -> ScrewGraph:
    """The chains and loops of a robot, found once."""
    return assembly.cached("screw graph", lambda assembly: screw_graph(assembly.robot))


class ScrewState(AllRates):
    """The screws of a machine at one state, and its motion by them.

    Args:
        kin: the robot at the state.
    """

    def __init__(self, kin: Kinematics) -> None:
        super().__init__(kin)
        self.at = kin.solution.equations
        self.graph, self.poses = graph_of(kin.assembly), self.at.body_poses
        graph, robot = self.graph, self.graph.robot
        self.screws = {j.name: joint_screws(j, *self.at.frames(j)) for j in robot.joints}
        self.E, self.P = self._closure_rows(), self._platform_rows()
        self.S = [np.eye(graph.rates)[graph.slots[name][0]] for name in robot.motors]

    def groups(self, joint: Joint, sign: float) -> Iterator[list[tuple[Array, int]]]:
        """Screws of a joint with their places, axis by axis, in the direction of travel."""
        names = joint.axis_names
        axes = list(zip(self.screws[joint.name], names, strict=True))
        for found, name in axes if sign > 0 else reversed(axes):
            slots = self.graph.slots[name]
            yield [(s * sign, i) for s, i in zip(found, slots, strict=True)]

    # first order

    def columns(self, body: str) -> Array:
        """Twist of a body per rate, 6xn: its chain's screws in their places.  [GA] (7)."""
        return self._joined([(s, i) for way in self.graph.way(body) for s, i in self._flat(way)])

    def _flat(self, way: TreeEdge) -> list[tuple[Array, int]]:
        return [pair for group in self.groups(way.joint, way.sign) for pair in group]

    def _joined(self, pairs: Sequence[tuple[Array, int]]) -> Array:
        found: list[Array] = [np.zeros(6)] * self.graph.rates
        for s, i in pairs:
            found[i] = found[i] + s
        return collect(found, empty=(0, 6)).T

    def _closure_rows(self) -> Array:
        """Closed chains, six rows each, [GA] (16); then what freezes idle freedoms."""
        rows: list[Array] = []
        for joint in self.graph.closing:
            over = [pair for group in self.groups(joint, 1.0) for pair in group]
            there = [p for way in self.graph.way(joint.parent) for p in self._flat(way)]
            back = [(-s, i) for way in self.graph.way(joint.child) for s, i in self._flat(way)]
            loop = self._joined(there + over + back)
            rows += [loop[i] for i in range(6)]  # [GA] (16)
        rows += [self.lock_row(*held) for held in self.at.held]
        return collect(rows, empty=(0, self.graph.rates))

    def lock_row(self, tree: Tree, placed: Sequence[Pose], lock: Lock) -> Array:
        """What a lock keeps at zero, per rate."""
        if lock.axis is not None:
            body = tree.body_on(lock.link)
            return (placed[lock.link].R @ lock.axis) @ self.columns(body)[:3]
        link = tree.link_of(lock.column)
        joint, axis = self.graph.robot.joint(tree.links[link].joint), tree.links[link].axis
        slots = self.graph.slots[joint.axis_names[axis]]
        unit = np.eye(self.graph.rates)
        if len(slots) == 1:
            return unit[slots[0]]
        if tree.links[link].move == SLIDE:  # one of a plane's two
            return unit[slots[tree.place_in_axis(link)]]
        # a component of a ball, about an axis of its link
        e = placed[link].R[:, lock.column - tree.columns[link].start]
        row: Array = np.zeros(self.graph.rates)
        for s, i in zip(self.screws[joint.name][axis], slots, strict=True):
            row = row + unit[i] * (e @ s[:3])
        return row

    def _platform_rows(self) -> Array:
        """Twist ``[v; omega]`` of the platform origin per rate."""
        found = self.columns(self.graph.robot.platform)
        return np.concatenate([found[3:] - cross(self.at.platform.p, found[:3]), found[:3]])

    # second order

    def motions(self, rates: Array, accelerations: Array | None = None) -> dict[str, Moving]:
        """Twist and accelerator of every body; without accelerations its Lie screw.

        Equations:
            [GA] (12)-(13): a body's accelerator is its chain's, screw by screw.
        """
        still = Moving(np.zeros(6), np.zeros(6))
        found = {self.graph.robot.base: still}
        for way in self.graph.ways:
            found[way.body] = self._over(
                found[way.before], way.joint, way.sign, rates, accelerations
            )
        return found

    def _over(
        self,
        before: Moving,
        joint: Joint,
        sign: float,
        rates: Array,
        accelerations: Array | None,
    ) -> Moving:
        """Motion of the body behind a joint."""
        V, A = before
        for group in self.groups(joint, sign):
            own: Array = np.zeros(6)
            for s, i in group:
                own = own + s * rates[i]
                if accelerations is not None:
                    A = A + s * accelerations[i]  # [GA] (12)
            A = A + screw.bracket(V, own)  # [GA] (13), erratum GA-9
            V = V + own  # [GA] (6)
        return Moving(V, A)

    def biases_of(self, rates: Array) -> tuple[list[Any], Array]:
        """Bias accelerations of the closed chains and of the platform: Lie screws."""
        lie = self.motions(rates)
        gamma: list[Any] = []
        for joint in self.graph.closing:
            here = self._over(lie[joint.parent], joint, 1.0, rates, None)
            gap = lie[joint.child].A - here.A  # $_L of the closed chain, [GA] (16)
            gamma += [gap[i] for i in range(6)]
        for tree, placed, lock in self.at.held:
            if lock.axis is None:
                gamma.append(0.0)
                continue
            # x is fixed in the body and x . omega = 0, so only omega_dot counts
            x = placed[lock.link].R @ lock.axis
            gamma.append(-(x @ lie[tree.body_on(lock.link)].A[:3]))
        moved = lie[self.graph.robot.platform]
        return gamma, screw.to_twist_rate(moved.A, moved.V, self.at.platform.p)
