"""Plugins of Gazebo that are part of the mechanics: links held together, and driven joints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from gough.base.arguments import nearest
from gough.base.english import quoted
from gough.robot.formats.model import Model, Tie, place_of
from gough.robot.formats.sdf.text import word
from gough.robot.formats.xml import Node

_JOINTS = ("joint_name", "jointName")


def held_together(
    plugins: Iterable[Node], model: Model, poses: Mapping[str, np.ndarray], names: Iterable[str]
) -> None:
    """Add what a ``DetachableJoint`` holds: two links, as they are drawn.

    Args:
        plugins: of the file.
        model: to add loops to, once its tree is there.
        poses: of its links, as drawn.
        names: of the model, one of which is held to itself.
    """
    own = {"", "__model__", *names}
    for node in plugins:
        if not node.get("name").endswith("DetachableJoint"):
            continue
        parent, child = word(node, "parent_link"), word(node, "child_link")
        if word(node, "child_model") not in own:
            model.note("detachable", f"{node.label} in line {node.line} holds another model")
            continue
        for name in (parent, child):
            if name not in poses:
                node.refuse(f"holds {name!r}, which is no link", hint=nearest(name, poses))
        T = np.linalg.inv(poses[parent]) @ poses[child]
        name = f"{parent}_{child}"
        how = f"{name!r} holds {child!r} on {parent!r} as they are drawn: <plugin> DetachableJoint"
        tie = Tie(name, "fixed", parent, child, T, np.eye(4), loop=how, place=place_of(node))
        model.joints.append(tie)


def driven_joints(plugins: Iterable[Node], model: Model) -> list[str]:
    """Joints that plugins name, but for those that only watch; reported if they are not there."""
    every = [
        each.text.strip()
        for plugin in plugins
        if "publisher" not in f"{plugin.get('name')} {plugin.get('filename')}".lower()
        for each in plugin.within()
        if each.tag in _JOINTS
    ]
    known = {tie.name for tie in model.joints}
    gone = list(dict.fromkeys(name for name in every if name not in known))
    if gone:
        model.warn(
            "unknown-joints",
            f"plugins name joints that are not there: {quoted(gone)}",
            "If a motor is missing, correct its name, or say motors=[...].",
            joints=gone,
        )
    return [name for name in dict.fromkeys(every) if name in known]
