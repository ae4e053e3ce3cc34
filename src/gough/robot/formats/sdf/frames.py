"""Frames of SDF: poses of links, joints and frames, relative to each other."""

from __future__ import annotations

import numpy as np

from gough.robot.formats.sdf.text import pose_of, word
from gough.robot.formats.xml import Node
from gough.robot.names import nearest

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
        self.known: dict[str, np.ndarray] = {MODEL: np.eye(4)}
        self.open: list[str] = []

    def pose(self, name: str, asking: Node) -> np.ndarray:
        """Pose of a link, joint or frame."""
        if name in ("", MODEL):
            return self.known[MODEL]
        if name in self.known:
            return self.known[name]
        if name not in self.nodes:
            asking.refuse(f"refers to {name!r}", hint=nearest(name, self.nodes))
        if name in self.open:
            asking.refuse(f"the pose of {name!r} is relative to itself")
        self.open.append(name)
        self.known[name] = self.of(self.nodes[name])
        self.open.pop()
        return self.known[name]

    def of(self, node: Node) -> np.ndarray:
        """Pose of an element, in the frame of the model."""
        given = node.first("pose")
        relative = "" if given is None else given.get("relative_to")
        if not relative and node.tag == "frame":
            relative = node.get("attached_to")
        if not relative and node.tag == "joint":
            relative = word(node, "child")
        return np.asarray(self.pose(relative, node) @ pose_of(given))

    def link_of(self, name: str, asking: Node) -> str:
        """The link that something is attached to; empty for the model itself."""
        seen: list[str] = []
        while name and name != MODEL:
            if name not in self.nodes or name in seen:
                asking.refuse(f"is attached to {name!r}", hint=nearest(name, self.nodes))
            seen.append(name)
            node = self.nodes[name]
            if node.tag == "link":
                return name
            name = node.get("attached_to") if node.tag == "frame" else word(node, "child")
        return ""
