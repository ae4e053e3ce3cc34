"""Which bodies are the hub, and which legs carry it.

The hub is the platform plus, for an articulated nacelle, the smallest set of bodies (ties: nearest
the platform) whose removal leaves no component with two base joints, plus the components without
any.  With base and hub removed, the connected components are the legs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb

from gough.robot import Joint, Robot

# Exhaustive search is exact; beyond this it takes seconds.
_MOST_TRIES = 5_000


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
    for component in _components(robot, hub):
        if _base_joints(robot, component) > 1:
            hub |= _smallest_cut(robot, hub, component)
    for component in _components(robot, hub):
        if _base_joints(robot, component) == 0:
            hub |= component
    near = _distances(robot)
    ordered = sorted(hub, key=lambda b: (b != robot.platform, near[b], _order(robot, b)))

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
    outside = [b.name for b in robot.bodies if b.name not in hub]
    links: dict[str, set[str]] = {name: set() for name in outside}
    for joint in robot.joints:
        if joint.parent in links and joint.child in links:
            links[joint.parent].add(joint.child)
            links[joint.child].add(joint.parent)
    found: list[set[str]] = []
    seen: set[str] = set()
    for name in outside:
        if name in seen:
            continue
        component, queue = {name}, deque([name])
        while queue:
            for other in links[queue.popleft()] - component:
                component.add(other)
                queue.append(other)
        seen |= component
        found.append(component)
    return found


def _base_joints(robot: Robot, component: Collection[str]) -> int:
    return sum(
        1
        for j in robot.joints
        if (j.parent == robot.base and j.child in component)
        or (j.child == robot.base and j.parent in component)
    )


def _smallest_cut(robot: Robot, hub: set[str], component: set[str]) -> set[str]:
    """Fewest bodies, ties: near the platform, whose removal separates a component's base joints."""
    near = _distances(robot)
    candidates = sorted(component, key=lambda b: (near[b], _order(robot, b)))
    tries = 0
    for size in range(1, len(candidates) + 1):
        tries += comb(len(candidates), size)
        if tries > _MOST_TRIES:
            break
        fitting = [
            choice
            for choice in combinations(candidates, size)
            if all(
                _base_joints(robot, part) <= 1
                for part in _components(robot, hub | set(choice))
                if part <= component
            )
        ]
        if fitting:
            # combinations come nearest first within the sorted candidates
            return set(min(fitting, key=lambda choice: sum(near[b] for b in choice)))
    return _generous_cut(robot, hub, component)


def _generous_cut(robot: Robot, hub: set[str], component: set[str]) -> set[str]:
    """A cut that is larger than need be, for machines with too many bodies to try all sets.

    All bodies that do not stand on the base, then those that hold several feet together.  Another
    hub changes the work, not the answers.
    """
    cut = {b for b in component if _base_joints(robot, {b}) != 1}
    while True:
        parts = [p for p in _components(robot, hub | cut) if p <= component]
        crowded = [p for p in parts if _base_joints(robot, p) > 1]
        if not crowded:
            return cut
        cut |= {max(sorted(p), key=lambda b: _degree(robot, b)) for p in crowded}


def _degree(robot: Robot, body: str) -> int:
    return sum(body in (j.parent, j.child) for j in robot.joints)


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


def _order(robot: Robot, body: str) -> int:
    return [b.name for b in robot.bodies].index(body)
