"""An SDF file as a neutral model."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from gough.base.english import quoted
from gough.robot.formats.digits import precision_of
from gough.robot.formats.meshes import Shelf
from gough.robot.formats.model import (
    BASE,
    FREE,
    Drive,
    Link,
    Mark,
    Model,
    Obstacle,
    Relation,
    Tie,
    place_of,
)
from gough.robot.formats.sdf.drake import close_loops
from gough.robot.formats.sdf.frames import Frames
from gough.robot.formats.sdf.joints import gear_of, is_old, ties_of
from gough.robot.formats.sdf.looks import looks_of
from gough.robot.formats.sdf.nested import flattened
from gough.robot.formats.sdf.plugins import driven_joints, held_together
from gough.robot.formats.sdf.text import MOMENTS, bound, number, pose_of, word
from gough.robot.formats.xml import Budget, Node, read_xml


def read_sdf(path: str | os.PathLike[str], root: Node | None = None) -> Model:
    """The model of an SDF file.

    Args:
        path: of the file.
        root: its root element, if it is read already.
    """
    root = read_xml(path) if root is None else root
    version = _version(root)
    node = _model(root, version)
    model = Model(node.get("name") or Path(root.file).stem, root.file, "SDF")
    _gravity(root, model)
    frames, T_0, shelf = Frames(node), pose_of(node.first("pose")), Shelf(root.file)
    model.links[BASE] = Link(BASE)
    poses = {BASE: np.eye(4)}
    for each in node.all("link"):
        if each.get("name") == "world":  # older files have a link for it
            model.note("world", f"the link 'world' in line {each.line} is the world itself")
            continue
        model.add(replace(_link(each), looks=looks_of(each, shelf, frames)))
        poses[each.get("name")] = T_0 @ frames.pose(each.get("name"), each)
    if len(model.links) == 1:
        node.refuse("has no <link>")
    _weightless(node, model)
    ties = [t for each in node.all("joint") for t in _joint(each, model, poses, frames, version)]
    _grown(model, ties, poses)
    for each in node.all("frame"):
        name = each.get("name")
        on = frames.link_of(name, each)
        T = T_0 @ frames.pose(name, each)
        model.marks[name] = Mark(on or BASE, np.linalg.inv(poses[on or BASE]) @ T)
    close_loops(node, model)
    held_together(node.all("plugin"), model, poses, [model.name])
    _drives(node, model)
    _starting(node, model)
    model.precision = precision_of(
        each.text for each in root.within() if each.tag in ("pose", "xyz") and each.text.strip()
    )
    sensors = sum(1 for each in root.within() if each.tag == "sensor")
    if sensors:
        model.note("ignored", f"sensors are not used: {sensors} of <sensor>")
    return model


def _version(root: Node) -> tuple[int, int]:
    if root.tag not in ("sdf", "gazebo"):
        root.refuse(f"begins with <{root.tag}>, not with <sdf>")
    major, _, minor = root.get("version", "1.0").partition(".")
    if not major.isdigit() or not minor.isdigit() or major != "1":
        root.refuse(f"its version is {root.get('version')!r}", hint="Known: 1.3 to 1.12.")
    return int(major), int(minor)


def _model(root: Node, version: tuple[int, int]) -> Node:
    """The one model of a file, with those within it."""
    folder, budget = Path(root.file).parent, Budget()
    budget.spend(sum(1 for _ in root.within()), root)
    top = [root, *root.all("world")]
    models = [model for each in top for model in each.all("model")]
    found = [flattened(model, version <= (1, 4), folder, budget) for model in models]
    whole = [node for node in found if node.first("link") is not None]
    joints = [node for node in whole if node.first("joint") is not None]
    if not found:
        root.refuse("has no <model>")
    if len(joints or whole) != 1:
        names = quoted([node.get("name") for node in whole][:5])
        root.refuse(f"has several models, {names}", hint="Keep the robot alone in the file.")
    return (joints or whole)[0]


def _gravity(root: Node, model: Model) -> None:
    for world in root.all("world"):
        given = world.first("gravity")
        x, y, z = (0.0, 0.0, -9.8) if given is None else given.values((3,)).tolist()
        model.gravity = (x, y, z)


def _weightless(node: Node, model: Model) -> None:
    """Links that gravity does not act on: all of them, or none, unless they are not part of it."""
    links = [each for each in node.all("link") if each.get("name") != "world"]
    light = [each for each in links if word(each, "gravity", "true").lower() in ("false", "0")]
    if len(light) == len(links):
        model.gravity = (0.0, 0.0, 0.0)
        model.note("gravity", "the file switches gravity off, link by link")
        return
    model.obstacles += [
        Obstacle(
            frozenset([each.get("name")]),
            place_of(each),
            "gravity does not act on it, which no body here can say",
            "Take <gravity> out of all links, or switch it off in all of them; what holds a body "
            "up can be added as loads=.",
        )
        for each in light
    ]


def _link(node: Node) -> Link:
    name, inertial = node.need("name"), node.first("inertial")
    if inertial is None:
        # the format gives 1 kg and 1 kg m^2 to a link that is silent
        return Link(name, 1.0, np.zeros(3), np.eye(3), place_of(node))
    T, inertia = pose_of(inertial.first("pose")), inertial.first("inertia")
    about = np.eye(3)
    if inertia is not None:
        about = np.zeros((3, 3))
        for key, (i, j) in MOMENTS.items():
            about[i, j] = about[j, i] = number(inertia, key, 1.0 if i == j else 0.0)
    R = T[:3, :3]
    return Link(name, number(inertial, "mass", 1.0), T[:3, 3], R @ about @ R.T, place_of(node))


def _joint(
    node: Node,
    model: Model,
    poses: dict[str, np.ndarray],
    frames: Frames,
    version: tuple[int, int],
) -> list[Tie]:
    """A joint, in the graph."""
    name = node.need("name")
    for tag in ("parent", "child"):  # frames may stand for the links that they are attached to
        end = node.first(tag)
        if end is not None and end.text.strip() in frames.nodes:
            end.text = frames.link_of(end.text.strip(), node) or "world"
    T_joint = frames.of(node)
    child = word(node, "child")
    T_child = np.linalg.inv(frames.pose(child, node)) @ T_joint if child != "world" else T_joint

    def turn(xyz: Node) -> np.ndarray:
        expressed = xyz.get("expressed_in")
        axis = next(a for a in node.all("axis", "axis2") if any(c is xyz for c in a.children))
        if expressed:
            return np.asarray(T_joint[:3, :3].T @ frames.pose(expressed, node)[:3, :3])
        if is_old(axis, version):
            return np.asarray(T_joint[:3, :3].T)
        return np.eye(3)

    found = ties_of(node, model, poses, T_child, turn)
    for mimic in (m for axis in node.all("axis") for m in axis.all("mimic")):
        factor, offset = number(mimic, "multiplier", 1.0), number(mimic, "offset")
        offset -= factor * number(mimic, "reference")
        terms = {name: 1.0, mimic.need("joint"): -factor}
        model.relate(Relation(f"{name}_mimic", terms, offset, place_of(mimic)))
    return found


def _grown(model: Model, ties: list[Tie], poses: dict[str, np.ndarray]) -> None:
    """Joints of the graph in a tree from where it stands; the others close loops."""
    children = {tie.child for tie in ties}
    roots = [n for n in model.links if n != BASE and n not in children] or list(model.links)[1:]
    grounded = any(BASE in (tie.parent, tie.child) for tie in ties)
    start = BASE if grounded else max(roots, key=lambda n: model.links[n].mass)
    reached, left = {start: 0}, list(ties)  # links, and how many were reached before them
    tree: list[Tie] = []
    while True:
        ready = [t for t in left if (t.parent in reached) != (t.child in reached)]
        if not ready:
            break
        # links that were reached first carry the others: loops are cut as far out as can be
        best = min(
            ready, key=lambda t: min(reached[e] for e in (t.parent, t.child) if e in reached)
        )
        left.remove(best)
        tree.append(best)
        reached[best.child if best.parent in reached else best.parent] = len(reached)
    loops = [
        replace(
            t,
            loop=f"{t.name!r}, a {t.kind} joint, closes a loop of the graph between "
            f"{t.parent!r} and {t.child!r}",
        )
        for t in left
    ]
    floating = [n for n in model.links if n not in reached and n != BASE]
    for name in [*([] if grounded else [start]), *floating]:
        free = Tie(f"{name}_free", FREE, BASE, name, np.eye(4), np.eye(4), drawn=(poses[name],))
        model.joints.append(free)
    model.joints += [*tree, *loops]


def _is_weak(node: Node) -> bool:
    """Whether a joint has an effort of 0: Drake takes it for one without a motor."""
    axis = node.first("axis")
    limit = None if axis is None else axis.first("limit")
    return bound(limit, "effort") == 0.0


def _starting(node: Node, model: Model) -> None:
    """Add the posture of ``<initial_position>``, if joints have one that is not drawn."""
    found = {
        joint.get("name"): (number(axis, "initial_position"),)
        for joint in node.all("joint")
        for axis in joint.all("axis")
        if len(joint.all("axis2")) == 0 and number(axis, "initial_position")
    }
    if found:
        model.starts["initial positions"] = found


def _drives(node: Node, model: Model) -> None:
    """Motors: joints that plugins name, or those that have an effort while others have none."""
    known = {tie.name: tie for tie in model.joints}
    named = driven_joints(node.all("plugin"), model)
    if named:
        nodes = {each.get("name"): each for each in node.all("joint")}
        model.drives += [Drive(name, gear_of(nodes[name])) for name in named]
        return
    single = [t for t in known.values() if t.kind in ("revolute", "prismatic")]
    strong = [t for t in single if t.axes[0].limits.effort is not None]
    what = "with a limit of effort"
    if not strong:
        what = "whose effort is not said to be 0"
        weak = {each.get("name") for each in node.all("joint") if _is_weak(each)}
        strong = [t for t in single if t.name not in weak]
    if strong and len(strong) < len(single):
        names = [tie.name for tie in strong]
        model.drives += [Drive(name) for name in names]
        model.warn(
            "motors",
            f"joints {what} are taken for the motors: {quoted(names)}",
            "The format does not say which joints are driven: motors=[...].",
        )
