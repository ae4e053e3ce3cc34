"""A robot taken apart: the hub's tree, the legs' trees, and the joints that close them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from gough.mechanism.topology.coupled import Coupled, couplings_of, joined
from gough.mechanism.topology.hub import find_partition
from gough.mechanism.topology.seats import Seat, SeatsByJoint, described_seats
from gough.mechanism.topology.tree import HERE, Mount, Tree, grow
from gough.robot import Joint, Robot


@dataclass(frozen=True, eq=False)
class Closing:
    """A loop joint: one that closes a loop of the graph.

    Attributes:
        joint: the joint.
        near: its frame on the leg (or on the hub, for a loop of the hub).
        far: its other frame, on the hub or on the same leg.
        far_on_hub: the far frame hangs on the hub.
        near_is_parent: the near frame is the joint's frame A.
    """

    joint: Joint
    near: Mount
    far: Mount
    far_on_hub: bool
    near_is_parent: bool


@dataclass(frozen=True, eq=False)
class Leg:
    """A chain, or a branching or looping group of bodies, between base and hub."""

    name: str
    tree: Tree
    closings: tuple[Closing, ...]


@dataclass(frozen=True, eq=False)
class Topology:
    """Hub and legs of a robot.

    Attributes:
        hub: tree rooted in the platform frame; it has no links if the hub is the platform alone.
        hub_closings: loops among the hub's own bodies.
        legs: the legs, in the order of their first joint.
        seats: frames of all joints on their bodies, by joint; trees are made of these.
        locked: joints of one axis that are held at home; all of them are in the trees.
        coupled: couplings among the hub's own joints, then of each leg; legs that a coupling joins
            are one.
    """

    hub: Tree
    hub_closings: tuple[Closing, ...]
    legs: tuple[Leg, ...]
    seats: SeatsByJoint
    locked: frozenset[str] = frozenset()
    coupled: tuple[tuple[Coupled, ...], ...] = ()

    @property
    def couplings(self) -> tuple[tuple[Coupled, ...], ...]:
        """Couplings of the hub, then of each leg, also where there are none."""
        return self.coupled or ((),) * len(self.trees)

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The hub's tree, then each leg's: the order of rates, of rows and of coordinates."""
        return (self.hub, *(leg.tree for leg in self.legs))

    @cached_property
    def closings(self) -> tuple[tuple[Closing, ...], ...]:
        """Joints that close loops: within the hub, then of each leg."""
        return (self.hub_closings, *(leg.closings for leg in self.legs))


def find_topology(
    robot: Robot,
    extra_hub: Iterable[str] = (),
    locked: Iterable[str] = (),
    seats: SeatsByJoint | None = None,
    angles: Mapping[str, float] | None = None,
) -> Topology:
    """Hub, legs and spanning trees, found from the graph alone.

    Args:
        robot: the description.
        extra_hub: bodies to count with the hub as well.
        locked: joints of one axis that are held; they become links of a tree, with a coordinate
            that can be kept.  Joints between legs and hub close loops, so the hub takes their
            other body in.
        seats: where joints sit, numbers or symbols, if not as described.
        angles: of coupled turns at home [rad], by axis name, once they are known; what home says
            of them until then.
    """
    seats = described_seats(robot.joints) if seats is None else seats
    held = frozenset(locked)
    partition = find_partition(robot, extra_hub)
    beyond = _beyond(robot, partition.hub, held)
    while beyond:
        partition = find_partition(robot, {*partition.hub, *beyond})
        beyond = _beyond(robot, partition.hub, held)
    keep = [*robot.motors, *held]
    platform = Seat.of(robot.platform_frame).inverse
    hub, cut = grow(robot.platform, platform, partition.hub[1:], partition.hub_joints, keep, seats)
    hub_closings = tuple(closing(joint, seats, hub, hub, far_on_hub=True) for joint in cut)
    legs = []
    groups = joined(robot, partition.hub_joints, partition.legs)
    for bodies, joints in groups:
        inner = [j for j in joints if not {j.parent, j.child} & set(partition.hub)]
        tree, cut = grow(robot.base, HERE, bodies, inner, keep, seats)
        closings = [closing(joint, seats, tree, tree, far_on_hub=False) for joint in cut]
        outer = [joint for joint in joints if joint not in inner]
        closings += [closing(joint, seats, tree, hub, far_on_hub=True) for joint in outer]
        name = joints[0].name if not bodies else _foot(robot, bodies, inner)
        legs.append(Leg(name, tree, tuple(closings)))
    known = robot.home.joints if angles is None else angles
    coupled = couplings_of(robot, [joints for _, joints in groups], known)
    return Topology(hub, hub_closings, tuple(legs), seats, held, coupled)


def _beyond(robot: Robot, hub: Iterable[str], locked: Iterable[str]) -> set[str]:
    """Bodies outside the hub on the other side of its locked joints, the base excepted."""
    ends = [{robot.joint(name).parent, robot.joint(name).child} for name in locked]
    inside = set(hub)
    return {body for pair in ends if pair & inside for body in pair - inside} - {robot.base}


def closing(
    joint: Joint, seats: SeatsByJoint, near: Tree, far: Tree, *, far_on_hub: bool
) -> Closing:
    """A joint that closes a loop between two trees, or within one."""
    near_is_parent = joint.parent in near.bodies
    a, b = (joint.parent, seats[joint.name].A), (joint.child, seats[joint.name].B)
    at_near, at_far = (a, b) if near_is_parent else (b, a)
    return Closing(joint, near.mount(*at_near), far.mount(*at_far), far_on_hub, near_is_parent)


def _foot(robot: Robot, bodies: tuple[str, ...], joints: list[Joint]) -> str:
    """Name of a leg: its body that a joint connects with the base."""
    for joint in joints:
        if robot.base in (joint.parent, joint.child):
            return joint.child if joint.parent == robot.base else joint.parent
    return bodies[0]
