"""Frames of SDF: poses of links, joints and frames, relative to each other."""

from __future__ import annotations

import numpy as np

from gough.base.arguments import nearest
from gough.robot.formats.sdf.text import pose_of, word
from gough.robot.formats.xml import Node

MODEL = "__model__"


class Frames:
    """Poses of everything that has a name, in the frame of the model; worked out on demand."""

    def __init__(self, model: Node) -> None:
        self.nodes: dict[str, Node] = {}
        for node in [*model.all("link", "frame"), *model.all("joint")]:
            other = self.nodes.setdefault(node.need("name"), node)
            if other is not node and other.tag == node.tag:
                node.refuse("its name is given twice", hint="Rename one of them.")
            # before 1.7 a joint may be called like a link; that name means the link then
        self.known: dict[str, np.ndarray] = {"": np.eye(4), MODEL: np.eye(4)}
        self.links: dict[str, str] = {"": "", MODEL: ""}

    def pose(self, name: str, asking: Node) -> np.ndarray:
        """Pose of a link, joint or frame."""
        waiting: dict[str, str] = {}  # what is not known yet, and what its pose is relative to
        while name not in self.known:
            if name not in self.nodes:
                asking.refuse(f"refers to {name!r}", hint=nearest(name, self.nodes))
            if name in waiting:
                asking.refuse(f"the pose of {name!r} is relative to itself")
            waiting[name] = _relative(self.nodes[name])
            name, asking = waiting[name], self.nodes[name]
        for each, other in reversed(waiting.items()):
            self.known[each] = self.known[other] @ pose_of(self.nodes[each].first("pose"))
            name = each
        return self.known[name]

    def of(self, node: Node) -> np.ndarray:
        """Pose of an element, in the frame of the model."""
        return np.asarray(self.pose(_relative(node), node) @ pose_of(node.first("pose")))

    def link_of(self, name: str, asking: Node) -> str:
        """The link that something is attached to; empty for the model itself."""
        seen: dict[str, None] = {}
        while name not in self.links:
            if name not in self.nodes or name in seen:
                asking.refuse(f"is attached to {name!r}", hint=nearest(name, self.nodes))
            seen[name] = None
            node = self.nodes[name]
            if node.tag == "link":
                self.links[name] = name
            else:
                name = node.get("attached_to") if node.tag == "frame" else word(node, "child")
        self.links |= dict.fromkeys(seen, self.links[name])
        return self.links[name]


def _relative(node: Node) -> str:
    """What the pose of an element is relative to; empty for the model."""
    given = node.first("pose")
    relative = "" if given is None else given.get("relative_to")
    if not relative and node.tag == "frame":
        relative = node.get("attached_to")
    if not relative and node.tag == "joint":
        relative = word(node, "child")
    return relative
