"""Which bodies are the hub, and which legs carry it.

The hub is the platform plus, for an articulated nacelle, the smallest set of bodies (ties: nearest
the platform) whose removal leaves no component with two base joints, plus the components without
any.  With base and hub removed, the connected components are the legs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from gough.mechanism.topology.separation import groups, smallest_cut
from gough.robot import Joint, Robot


@dataclass(frozen=True)
class Partition:
    """Hub bodies (the platform first), and the bodies and joints of every leg.

    A leg without bodies is a joint from the base straight to the hub.
    """

    hub: tuple[str, ...]
    hub_joints: tuple[Joint, ...]
    legs: tuple[tuple[tuple[str, ...], tuple[Joint, ...]], ...]


def find_partition(robot: Robot, extra_hub: Iterable[str] = ()) -> Partition:
    """Hub and legs of a robot.

    Args:
        robot: the description.
        extra_hub: bodies to count with the hub as well; another choice of hub must give the same
            results, and tests use this to prove it.
    """
    hub = {robot.platform, *extra_hub}
    near, base_joints = _distances(robot), _base_joints(robot)
    hub |= smallest_cut(_links(robot, hub), base_joints, near)
    for component in _components(robot, hub):
        if not any(base_joints[body] for body in component):
            hub |= component
    order = {body.name: place for place, body in enumerate(robot.bodies)}
    ordered = sorted(hub, key=lambda b: (b != robot.platform, near[b], order[b]))

    legs: list[tuple[tuple[str, ...], tuple[Joint, ...]]] = []
    hub_joints: list[Joint] = []
    for joint in robot.joints:
        ends = {joint.parent, joint.child}
        if ends <= hub:
            hub_joints.append(joint)
        elif robot.base in ends and ends <= hub | {robot.base}:
            legs.append(((), (joint,)))
    for component in _components(robot, hub):
        bodies = tuple(b.name for b in robot.bodies if b.name in component)
        joints = tuple(j for j in robot.joints if {j.parent, j.child} & component)
        legs.append((bodies, joints))
    first = {joint.name: i for i, joint in enumerate(robot.joints)}
    legs.sort(key=lambda leg: first[leg[1][0].name])
    return Partition(tuple(ordered), tuple(hub_joints), tuple(legs))


def _components(robot: Robot, hub: Collection[str]) -> list[set[str]]:
    """Connected components of the moving bodies outside the hub, in the order of the bodies."""
    return [set(group) for group in groups(_links(robot, hub))]


def _links(robot: Robot, hub: Collection[str]) -> dict[str, list[str]]:
    """Neighbours of the moving bodies outside the hub among each other."""
    links: dict[str, list[str]] = {b.name: [] for b in robot.bodies if b.name not in hub}
    for joint in robot.joints:
        if joint.parent in links and joint.child in links:
            links[joint.parent].append(joint.child)
            links[joint.child].append(joint.parent)
    return links


def _base_joints(robot: Robot) -> dict[str, int]:
    """Number of joints between each body and the base."""
    count = {b.name: 0 for b in robot.bodies}
    for joint in robot.joints:
        if robot.base in (joint.parent, joint.child):
            count[joint.child if joint.parent == robot.base else joint.parent] += 1
    return count


def _distances(robot: Robot) -> dict[str, int]:
    """Number of joints between each body and the platform, the base not being a way through."""
    distance = {robot.platform: 0}
    queue = deque([robot.platform])
    while queue:
        here = queue.popleft()
        for j in robot.joints:
            for a, b in ((j.parent, j.child), (j.child, j.parent)):
                if a == here and b != robot.base and b not in distance:
                    distance[b] = distance[here] + 1
                    queue.append(b)
    return {b.name: distance.get(b.name, len(robot.bodies)) for b in robot.bodies}
