"""The smallest set of bodies whose removal leaves no group of bodies with two base joints.

Among sets of one size, the one nearest the platform counts, then the first by order.  For two base
joints this is a minimum vertex cut, found by the largest flow between them.  For more it is hard in
general: every set is tried while there are few, and beyond that each base joint is cut off from
the others, and bodies that the cut can do without are taken back.  So the work grows with a small
power of the number of bodies; a cut that is not the smallest changes the work of later steps, not
the answers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import comb

Links = Mapping[str, Collection[str]]
_Node = tuple[str, bool]  # a body's entrance (False) or exit (True)

MOST_TRIES = 5_000
"""Sets that are tried one by one; there are more from about 100 bodies or 4 needed ones."""


def smallest_cut(
    links: Links, base_joints: Mapping[str, int], distances: Mapping[str, int]
) -> set[str]:
    """Fewest bodies, ties: nearest the platform, whose removal separates all base joints.

    Args:
        links: neighbours of every body, the base and the hub left out.
        base_joints: number of joints between each body and the base.
        distances: of every body from the platform, in the order that decides further ties.
    """
    weights = _weights(links, distances)
    found = {body for body in links if base_joints[body] > 1}  # nothing else separates these
    for part in groups(links, found):
        feet = [body for body in part if base_joints[body]]
        inner = {body: [b for b in links[body] if b in part] for body in part}
        if len(feet) == 2:
            found |= _between(inner, feet[:1], feet[1:], weights)
        elif len(feet) > 2:
            found |= _of_all_sets(inner, feet, weights) or _one_by_one(inner, feet, weights)
    return found


def groups(links: Links, without: Collection[str] = ()) -> Iterator[list[str]]:
    """Connected groups of bodies when some are removed, in the order of the bodies."""
    seen = set(without)
    for first in links:
        if first in seen:
            continue
        seen.add(first)
        group = [first]
        for body in group:  # grows while it is gone through
            for other in links[body]:
                if other not in seen:
                    seen.add(other)
                    group.append(other)
        yield group


def _weights(links: Links, distances: Mapping[str, int]) -> dict[str, int]:
    """Whole numbers whose sum over a set says, in this order: how many, how far, how late."""
    bodies = [body for body in sorted(distances, key=lambda b: distances[b]) if body in links]
    late = 1 << len(bodies)
    far = late * (len(bodies) + 1)
    many = far * (1 + sum(distances[body] for body in bodies))
    return {
        body: many + far * distances[body] + late - (late >> (place + 1))
        for place, body in enumerate(bodies)
    }


def _separates(links: Links, feet: Collection[str], cut: Collection[str]) -> bool:
    standing = set(feet)
    return all(len(standing.intersection(group)) <= 1 for group in groups(links, cut))


def _of_all_sets(links: Links, feet: Sequence[str], weights: Mapping[str, int]) -> set[str]:
    """The lightest set of all, or none if there are too many to try."""
    tries = 0
    for size in range(1, len(links) + 1):
        tries += comb(len(links), size)
        if tries > MOST_TRIES:
            break
        fitting = [cut for cut in combinations(links, size) if _separates(links, feet, cut)]
        if fitting:
            return set(min(fitting, key=lambda cut: sum(weights[body] for body in cut)))
    return set()


def _one_by_one(links: Links, feet: Sequence[str], weights: Mapping[str, int]) -> set[str]:
    """Cuts of each foot from all others, without the bodies that the whole can do without."""
    found: set[str] = set()
    for foot in feet:
        found |= _between(links, [foot], [other for other in feet if other != foot], weights)
    for body in sorted(found, key=lambda b: -weights[b]):
        if _separates(links, feet, found - {body}):
            found.remove(body)
    return found


def _between(
    links: Links, sources: Sequence[str], sinks: Sequence[str], weights: Mapping[str, int]
) -> set[str]:
    """The lightest set of bodies without which nothing leads from sources to sinks.

    They may be among the set.  By the largest flow in which a body lets through its weight and no
    more (Edmonds and Karp): every body is an arc from its entrance to its exit.
    """
    room: dict[_Node, dict[_Node, int]] = {}
    unlimited = 1 + sum(weights[body] for body in links)
    for body, others in links.items():
        room.setdefault((body, False), {})[body, True] = weights[body]
        room.setdefault((body, True), {})[body, False] = 0
        for other in others:
            room[body, True][other, False] = unlimited
            room.setdefault((other, False), {})[body, True] = 0
    start = [(body, False) for body in sources]
    ends = {(body, True) for body in sinks}
    while True:
        came = _reached(room, start, ends)
        end = next((node for node in ends if node in came), None)
        if end is None:
            return {b for b in links if (b, False) in came and (b, True) not in came}
        path = [end]
        while (before := came[path[-1]]) is not None:
            path.append(before)
        steps = [(a, b) for b, a in pairwise(path)]
        flow = min(room[a][b] for a, b in steps)
        for a, b in steps:
            room[a][b] -= flow
            room[b][a] += flow


def _reached(
    room: Mapping[_Node, Mapping[_Node, int]], start: Sequence[_Node], ends: Collection[_Node]
) -> dict[_Node, _Node | None]:
    """Where every node was reached from, breadth first, until an end is."""
    came: dict[_Node, _Node | None] = dict.fromkeys(start)
    queue = deque(start)
    while queue:
        here = queue.popleft()
        for there, left in room[here].items():
            if left > 0 and there not in came:
                came[there] = here
                if there in ends:
                    return came
                queue.append(there)
    return came
