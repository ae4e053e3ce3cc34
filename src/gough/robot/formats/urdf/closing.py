"""Loops of a URDF: ``<loop>``, ``<loop_joint>``, ``<gazebo><joint>``, pairs of closing frames."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from gough.base.arguments import nearest
from gough.robot.formats.loops import KINDS, loop_tie
from gough.robot.formats.model import BASE, Model, place_of
from gough.robot.formats.sdf.joints import closing_joint
from gough.robot.formats.sdf.plugins import held_together
from gough.robot.formats.urdf.poses import along, axis_of, origin
from gough.robot.formats.xml import Node

_PAIR = re.compile(r"(closing_.+)_1")


def read_loops(root: Node, model: Model) -> None:
    """Add the loops of a file to a model whose tree is there."""
    for node in root.all("loop"):
        _loop(node, model, ("predecessor", "successor"))
    for node in root.all("loop_joint"):
        _loop(node, model, ("link1", "link2"))
    poses = None
    for node in (each for block in root.all("gazebo") for each in block.all("joint")):
        poses = model.poses() if poses is None else poses
        model.joints.append(closing_joint(node, model, poses))
    plugins = [each for block in root.all("gazebo") for each in block.all("plugin")]
    held_together(plugins, model, model.poses(), [model.name])
    for node in root.all("constraint"):
        _constraint(node, model)
    _pairs(model)


def _constraint(node: Node, model: Model) -> None:
    """A loop as a fork of urdfdom has it: parent and child, each with an origin of its own."""
    word = node.get("type", "spherical").removesuffix("_joint")
    inner = []
    for tag in ("parent", "child"):
        end, origin_of = node.first(tag), node.first(f"{tag}_origin")
        if end is None:
            node.refuse(f"has no <{tag}>", hint=f'Write <{tag} link="..."/>.')
        figures = {} if origin_of is None else origin_of.attributes
        inner.append(replace(end, attributes={**figures, **end.attributes}))
    attributes = {**node.attributes, "type": word}
    _loop(replace(node, attributes=attributes, children=inner), model, ("parent", "child"))


def _loop(node: Node, model: Model, ends: tuple[str, str]) -> None:
    """A loop with a frame on each of two links."""
    links, frames = [], []
    for tag in ends:
        end = node.first(tag)
        if end is None:
            node.refuse(f"has no <{tag}>", hint=f'Write <{tag} link="...">.')
        name = end.need("link")
        if name == BASE and model.root == f"{BASE}_link":  # a link of the file has that name
            name = model.root
        if name not in model.links:
            end.refuse(f"unknown link {name!r}", hint=nearest(name, model.links))
        links.append(name)
        frames.append(origin(end.first("origin") or end))
    word = node.get("type", "spherical")
    if word not in KINDS:
        node.refuse(f"unknown type {word!r}", hint=nearest(word, KINDS))
    kind = KINDS[word]
    seat = np.eye(4) if kind in ("spherical", "fixed") else along(axis_of(node))
    name = node.get("name") or "_".join(links)
    how = f"{name!r} is a {kind} joint between {links[0]!r} and {links[1]!r}: <{node.tag}>"
    tie = loop_tie(name, kind, (links[0], links[1]), (frames[0] @ seat, frames[1] @ seat), how)
    model.joints.append(tie.at(place_of(node)))


def _pairs(model: Model) -> None:
    """Frames of CAD exporters in pairs: closing_NAME_1 and closing_NAME_2."""
    found = []
    for name in list(model.links):
        match = _PAIR.fullmatch(name)
        if match is None or f"{match[1]}_2" not in model.links:
            continue
        ends = (name, f"{match[1]}_2")
        how = (
            f"{match[1]!r} is a ball between {ends[0]!r} and {ends[1]!r}, a pair of frames of the "
            "exporter"
        )
        model.joints.append(loop_tie(match[1], "spherical", ends, (np.eye(4), np.eye(4)), how))
        found.append(match[1])
    if found:
        model.warn(
            "closing-frames",
            f"the file does not say which joints close {', '.join(found)}: balls are assumed, "
            "three rows each",
            "If one is a hinge, say loops=[('..._1', '..._2', 'revolute')].",
            loops=found,
        )
