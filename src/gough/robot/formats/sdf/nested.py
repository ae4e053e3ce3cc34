"""Models within models of SDF as one: names ``inner::link``, frames in place of inner models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from gough.errors import shown
from gough.robot.formats.sdf.frames import MODEL
from gough.robot.formats.sdf.text import word
from gough.robot.formats.xml import Budget, Node, included_path, read_xml

_DEEPEST = 20  # models within each other; names of what they hold grow with it

_KEPT = ("link", "joint", "frame", "plugin")
_WORLD = "world"
_REFERRING = ("parent", "child", "joint_name", "jointName")
"""Elements whose text is a name; attributes are those of :data:`_NAMING`."""
_NAMING = ("relative_to", "attached_to", "expressed_in", "link")


def flattened(model: Node, old: bool, folder: Path, budget: Budget) -> Node:
    """A model without models within it.

    Args:
        model: the model.
        old: whether axes are in their model's frame, as they are up to 1.4.
        folder: of the file: what it includes lies there or below.
        budget: elements that all files and copies of models may have together.
    """
    return _flat(model, old, folder.resolve(), budget, 0)


def _flat(model: Node, old: bool, folder: Path, budget: Budget, depth: int) -> Node:
    if depth > _DEEPEST:
        model.refuse(f"stands more than {_DEEPEST} models deep", hint="Does one include itself?")
    children: list[Node] = []
    for child in model.children:
        if child.tag == "include":
            child = _included(child, folder, budget)
        if child.tag != "model":
            children.append(child)
            continue
        inner = _flat(child, old, folder, budget, depth + 1)
        children += _named(inner, old, budget)
    return replace(model, children=children)


def _included(node: Node, folder: Path, budget: Budget) -> Node:
    """The model of a file, under the name and in the place that the include gives it."""
    uri = word(node, "uri")
    name = uri.removeprefix("model://").removeprefix("file://")
    target = included_path(name, folder, node)
    if node.flag("merge") or node.get("placement_frame") or node.first("placement_frame"):
        node.refuse(
            "merges a model, or places it by a frame of its own",
            hint="Write the model into the file, or 'gz sdf -p FILE' does so.",
        )
    root = read_xml(target, budget)
    models = root.all("model")
    if root.tag != "sdf" or len(models) != 1:
        node.refuse(f"includes {shown(uri)}, which does not hold one model")
    (found,) = models
    kept = [child for child in found.children if child.tag != "pose"]
    place = [each for each in (node.first("pose") or found.first("pose"),) if each is not None]
    called = word(node, "name") or found.get("name")
    attributes = {**found.attributes, "name": called}
    return replace(found, attributes=attributes, children=[*place, *kept])


def _named(model: Node, old: bool, budget: Budget) -> list[Node]:
    """What a model within another holds, in names of the outer one, and its own frame."""
    name = model.need("name")
    if model.get("placement_frame"):
        model.refuse("is placed by a frame of its own", hint="Place it by its own pose.")

    def scoped(text: str) -> str:
        if text == _WORLD or not text:
            return text
        budget.spend((len(name) + len(text)) // 100, model)  # long names count as elements
        return name if text == MODEL else f"{name}::{text}"

    links = [each.get("name") for each in model.all("link")]
    canonical = model.get("canonical_link") or next(iter(links), "")
    frame = Node("frame", {"name": name}, model.file, model.line)
    if canonical:
        frame.attributes["attached_to"] = scoped(canonical)
    given = model.first("pose")
    place = Node("pose", {}, model.file, model.line) if given is None else given
    relative = place.get("relative_to") or MODEL
    frame.children = [replace(place, attributes={**place.attributes, "relative_to": relative})]
    inside = [child for child in model.children if child.tag in _KEPT]
    budget.spend(sum(1 for child in inside for _ in child.within()), model)
    return [frame, *(_scoped(child, name, scoped, old) for child in inside)]


def _scoped(node: Node, model: str, scoped: Callable[[str], str], old: bool) -> Node:
    """An element with the names that it has, and refers to, in the outer model."""
    found = _renamed(node, scoped, top=True)
    if node.tag in ("link", "frame"):
        pose = found.first("pose")
        if pose is None:
            pose = Node("pose", {}, node.file, node.line)
            found.children.append(pose)
        if not pose.get("relative_to") and not found.get("attached_to"):
            pose.attributes["relative_to"] = model
        if node.tag == "frame" and not found.get("attached_to"):
            found.attributes["attached_to"] = model
    for axis in found.all("axis", "axis2"):
        in_model = old or word(axis, "use_parent_model_frame", "false") in ("true", "1")
        for xyz in axis.all("xyz"):
            if in_model and not xyz.get("expressed_in"):
                xyz.attributes["expressed_in"] = model
    return found


def _renamed(node: Node, scoped: Callable[[str], str], *, top: bool) -> Node:
    attributes = dict(node.attributes)
    for key, value in node.attributes.items():
        refers = key in _NAMING or (node.tag == "mimic" and key == "joint")
        if refers or (top and key == "name" and node.tag != "plugin"):
            attributes[key] = scoped(value)
    text = node.text
    if node.tag in _REFERRING and text.strip():
        text = scoped(text.strip())
    children = [_renamed(child, scoped, top=False) for child in node.children]
    return replace(node, attributes=attributes, children=children, text=text)
