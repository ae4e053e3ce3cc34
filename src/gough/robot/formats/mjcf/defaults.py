"""Default classes: nested, in several blocks, chosen by ``class`` or by ``childclass``."""

from __future__ import annotations

from collections.abc import Mapping

from gough.robot.formats.xml import Node
from gough.robot.names import nearest

MAIN = "main"

ACTUATORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder"),
    *("muscle", "adhesion", "plugin"),
)
"""Kinds of actuators; they share one default, the last one that sets an attribute wins."""

_SHARED = dict.fromkeys(ACTUATORS, "actuator")
_SHARED |= {"connect": "equality", "weld": "equality"}

Attributes = dict[str, str]


class Defaults:
    """Attributes that elements have unless they say otherwise."""

    def __init__(self, root: Node) -> None:
        self.classes: dict[str, dict[str, Attributes]] = {MAIN: {}}
        for block in root.all("default"):
            self._read(block, block.get("class", MAIN) or MAIN, self.classes[MAIN])

    def _read(self, block: Node, name: str, inherited: Mapping[str, Attributes]) -> None:
        start = self.classes.get(name, inherited)
        found = {tag: dict(attributes) for tag, attributes in start.items()}
        self.classes[name] = found
        for child in block.children:
            if child.tag == "default":
                continue
            own = found.setdefault(_SHARED.get(child.tag, child.tag), {})
            own.update({k: v for k, v in child.attributes.items() if k != "class"})
        for child in block.all("default"):
            self._read(child, child.need("class"), found)

    def apply(self, node: Node, childclass: str) -> Node:
        """The element with its defaults; ``childclass`` is that of the bodies around it."""
        name = node.get("class") or childclass or MAIN
        if name not in self.classes:
            node.refuse(f"unknown default class {name!r}", hint=nearest(name, self.classes))
        tag = _SHARED.get(node.tag, node.tag)
        attributes = {**self.classes[name].get(tag, {}), **node.attributes}
        if any(each in node.attributes for each in _TURNS):  # one orientation takes another's place
            for each in _TURNS:
                if each not in node.attributes:
                    attributes.pop(each, None)
        return Node(node.tag, attributes, node.file, node.line, node.children, node.text)


_TURNS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
