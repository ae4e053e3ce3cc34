"""Spanning trees of the graph: the joints by which every body is reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gough.robot import Joint


class TreeEdge(NamedTuple):
    """How a body is reached from a body before it; along the joint (+1) or against it."""

    body: str
    before: str
    joint: Joint
    sign: float


def ways(
    start: Sequence[str], bodies: Iterable[str], joints: Sequence[Joint]
) -> tuple[TreeEdge, ...]:
    """A spanning tree over bodies, breadth first, in the order of the joints."""
    reached, found, allowed = list(start), [], set(bodies)
    for body in reached:  # grows
        for joint in joints:
            if body in (joint.parent, joint.child):
                other = joint.child if joint.parent == body else joint.parent
                if other not in reached and other in allowed:
                    reached.append(other)
                    sign = 1.0 if joint.parent == body else -1.0
                    found.append(TreeEdge(other, body, joint, sign))
    return tuple(found)
