"""A robot as chains of joint screws: what hangs on the base leg by leg, and what they carry.

Bodies, joints and the places of their rates; nothing that depends on a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from gough.base.once import known_of
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge, ways
from gough.mechanism.topology.topology import Topology
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import BALL, FREEDOMS, PLANE, SLIDE

_TURNS = {SLIDE: 0, PLANE: 0, BALL: 3}


@dataclass(frozen=True, eq=False)
class Part:
    """A leg, which hangs on the base; or the hub, which hangs on the platform.

    Attributes:
        roots: bodies that it hangs on.  Bodies of the hub that no joint of its own leads to are
            further ones: their twists are unknown as the platform's is.
        ways: how its bodies are reached, those nearer the root first.
        closing: joints of its own that close loops: within it, or with the hub.
        slots: places of its rates among those of the robot, in order.
        center: the joint at whose centre its screws are represented, where most axes meet.
    """

    roots: tuple[str, ...]
    ways: tuple[TreeEdge, ...]
    closing: tuple[Joint, ...]
    slots: tuple[int, ...]
    center: Joint | None

    @cached_property
    def places(self) -> dict[int, int]:
        """Where a rate of the robot stands among those of the part."""
        return {slot: place for place, slot in enumerate(self.slots)}

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies that it reaches, without its roots."""
        return tuple(way.body for way in self.ways)

    def way(self, body: str) -> list[TreeEdge]:
        """The chain from a root to a body."""
        found: list[TreeEdge] = []
        by_body = {way.body: way for way in self.ways}
        while body in by_body:
            found.insert(0, by_body[body])
            body = by_body[body].before
        return found


@dataclass(frozen=True, eq=False)
class ScrewGraph:
    """A robot as legs and a hub.

    Attributes:
        robot: the description.
        slots: places of every axis among the rates: one, three of a ball, two of a plane.
        rates: how many rates there are.
        hub: the platform and what hangs on it.
        legs: the others, in the order of the robot's topology.
    """

    robot: Robot
    slots: dict[str, tuple[int, ...]]
    rates: int
    hub: Part
    legs: tuple[Part, ...]

    @property
    def strangers(self) -> tuple[str, ...]:
        """Bodies of the hub that no joint of its own leads to."""
        return self.hub.roots[1:]

    @property
    def on_hub(self) -> frozenset[str]:
        """Bodies of the hub."""
        return frozenset((*self.hub.roots, *self.hub.bodies))

    @cached_property
    def closing(self) -> tuple[Joint, ...]:
        """All joints that close loops."""
        return tuple(joint for part in (self.hub, *self.legs) for joint in part.closing)


@known_of(Assembly)
def graph_of(assembly: Assembly) -> ScrewGraph:
    """The chains and loops of a robot, found once."""
    return screw_graph(assembly.robot, assembly.topology)


def screw_graph(robot: Robot, topology: Topology) -> ScrewGraph:
    """Chains of a robot, found breadth first in the hub and in every leg."""
    slots: dict[str, tuple[int, ...]] = {}
    count = 0
    for joint in robot.joints:
        for name, what in joint.axis_kinds.items():
            slots[name] = tuple(range(count, count + FREEDOMS[what]))
            count += FREEDOMS[what]
    inside = set(topology.hub.bodies)
    own = [joint for joint in robot.joints if {joint.parent, joint.child} <= inside]
    roots = [robot.platform]
    while unreached := inside - set(roots) - {way.body for way in ways(roots, inside, own)}:
        roots.append(next(body for body in topology.hub.bodies if body in unreached))
    hub = _part(roots, inside, own, slots, None)
    legs = []
    for leg in topology.legs:
        bodies = {*leg.tree.bodies} - {robot.base}
        closing = {each.joint.name for each in leg.closings}
        joints = [j for j in robot.joints if {j.parent, j.child} & bodies or j.name in closing]
        # where axes meet, screws have no dual part; of equal joints that on the hub, which is known
        center = max(joints, key=lambda j: (_turns(j), bool({j.parent, j.child} & inside)))
        legs.append(_part([robot.base], bodies, joints, slots, center))
    return ScrewGraph(robot, slots, count, hub, tuple(legs))


def _part(
    roots: Sequence[str],
    bodies: Iterable[str],
    joints: Sequence[Joint],
    slots: dict[str, tuple[int, ...]],
    center: Joint | None,
) -> Part:
    found = ways(roots, bodies, joints)
    used = {way.joint.name for way in found}
    closing = tuple(joint for joint in joints if joint.name not in used)
    own = tuple(i for joint in joints for name in joint.axis_names for i in slots[name])
    return Part(tuple(roots), found, closing, own, center)


def _turns(joint: Joint) -> int:
    """How many axes a joint turns about, which meet in its centre."""
    return sum(_TURNS.get(what, 1) for what in joint.axis_kinds.values())
