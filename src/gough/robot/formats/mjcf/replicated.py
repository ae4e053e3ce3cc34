"""``<replicate>`` of MJCF: copies of what it holds, each moved further, with numbers in its names.

Actuators, tendons and equalities that refer to nothing but copied elements are copied as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from gough.robot.formats.mjcf.compiler import Compiler
from gough.robot.formats.xml import Budget, Node

_SPACES = {
    **dict.fromkeys(("joint", "joint1", "joint2", "jointinparent"), "joint"),
    **dict.fromkeys(("body", "body1", "body2"), "body"),
    **dict.fromkeys(("site", "site1", "site2", "cranksite", "slidersite", "refsite"), "site"),
    **dict.fromkeys(("tendon", "tendon1", "tendon2"), "tendon"),
}
"""Attributes that refer to something, and the kind of element that they name."""

_KINDS = {"freejoint": "joint", "fixed": "tendon", "spatial": "tendon"}
_SECTIONS = ("tendon", "equality", "actuator")


def with_copies(root: Node, budget: Budget) -> Node:
    """The tree with every ``<replicate>`` replaced by its copies.

    Args:
        root: of the file.
        budget: elements that it may still have; copies are spent before they are made.
    """
    compiler = Compiler.of(root)
    for world in root.all("worldbody"):
        _expand(root, world, compiler, budget)
    return root


def _expand(root: Node, node: Node, compiler: Compiler, budget: Budget) -> None:
    """Expand what stands within an element, the innermost first."""
    children: list[Node] = []
    for child in node.children:
        _expand(root, child, compiler, budget)
        children += _copies(root, child, compiler, budget) if child.tag == "replicate" else [child]
    node.children = children


def _copies(root: Node, node: Node, compiler: Compiler, budget: Budget) -> Iterator[Node]:
    """A frame for each copy."""
    count = node.number("count")
    if count != int(count) or count < 1:
        node.refuse(f"count is {count:g}, expected a whole number of copies")
    # looking through the sections costs as much as copying them once
    sections = root.all(*_SECTIONS)
    budget.spend(sum(_cost(section, 0) for section in sections), node)
    offset, turn = node.vector("offset"), node.vector("euler")
    width, p = len(str(int(count))), np.zeros(3)
    names = _names(node)
    parts = [(section, _taken(section, names)) for section in sections]
    longer = width + len(node.get("sep"))
    copied = [*node.children, *(each for _, taken in parts for each in taken)]
    budget.spend(int(count) * (1 + sum(_cost(each, longer) for each in copied)), node)
    for k in range(int(count)):
        angles = " ".join(repr(float(x)) for x in k * turn)
        place = {"pos": " ".join(repr(float(x)) for x in p), "euler": angles}
        frame = Node("frame", place, node.file, node.line)
        p = p + compiler.rotation(frame) @ offset
        end = f"{node.get('sep')}{k:0{width}d}"
        frame.children = [_named(child, end, {}) for child in node.children]
        if node.get("childclass"):
            frame.attributes["childclass"] = node.get("childclass")
        for section, taken in parts:
            section.children += [_named(each, end, names) for each in taken]
        yield frame


def _names(node: Node) -> dict[str, set[str]]:
    """Names of what is copied, by kind of element."""
    found: dict[str, set[str]] = {}
    for each in node.within():
        if each is not node and each.get("name"):
            found.setdefault(_KINDS.get(each.tag, each.tag), set()).add(each.get("name"))
    return found


def _taken(section: Node, names: dict[str, set[str]]) -> list[Node]:
    """Elements of a section that refer to copied ones only, taken out of it."""
    taken, kept = [], []
    for each in section.children:
        known = [
            value in names.get(space, ()) for space, value in _references(each) if space and value
        ]
        if known and all(known):
            taken.append(each)
            if section.tag == "tendon" and each.get("name"):
                names.setdefault("tendon", set()).add(each.get("name"))
        else:
            kept.append(each)
    section.children = kept
    return taken


def _cost(node: Node, longer: int) -> int:
    """Elements that a copy of one takes, its names made longer; a long name counts as several."""
    return sum(
        1
        + sum(
            (len(text) + longer) // 100
            for key, text in each.attributes.items()
            if key in _SPACES or key == "name"
        )
        for each in node.within()
    )


def _references(node: Node) -> Iterator[tuple[str, str]]:
    for each in node.within():
        for key, value in each.attributes.items():
            if key in _SPACES:
                yield _SPACES[key], value


def _named(node: Node, end: str, names: Mapping[str, set[str]]) -> Node:
    """A copy with an end to its names, and to those that it refers to."""
    attributes = dict(node.attributes)
    for key, value in node.attributes.items():
        if key == "name" or value in names.get(_SPACES.get(key, ""), ()):
            attributes[key] = value + end
    children = [_named(child, end, names) for child in node.children]
    return replace(node, attributes=attributes, children=children)
