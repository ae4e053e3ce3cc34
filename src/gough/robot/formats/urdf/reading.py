"""A URDF file as a neutral model."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.base.arguments import nearest
from gough.base.english import quoted
from gough.robot.formats.digits import precision_of
from gough.robot.formats.loops import Sidecar, sidecar_beside, with_sidecar
from gough.robot.formats.meshes import Shelf
from gough.robot.formats.model import BASE, FREE, Drive, Link, Model, Relation, Tie, place_of
from gough.robot.formats.sdf.plugins import driven_joints
from gough.robot.formats.sdf.text import MOMENTS
from gough.robot.formats.urdf.closing import read_loops
from gough.robot.formats.urdf.looks import colours_of, looks_of
from gough.robot.formats.urdf.poses import along, axis_of, origin
from gough.robot.formats.xml import Node, read_xml
from gough.robot.joint import Axis, Limits

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": FREE,
    "spherical": "spherical",
    "ball": "spherical",
    "planar": "planar",
}


def read_urdf(path: str | os.PathLike[str], root: Node | None = None) -> Model:
    """The model of a URDF file; a sidecar with ``closed_loop`` beside it is used.

    Args:
        path: of the file.
        root: its root element, if it is read already.
    """
    root = read_xml(path) if root is None else root
    if root.tag != "robot":
        root.refuse(f"begins with <{root.tag}>, not with <robot>")
    model = Model(root.get("name") or Path(root.file).stem, root.file, "URDF")
    model.links[BASE] = Link(BASE)
    shelf, colours = Shelf(root.file), colours_of(root)
    for node in root.all("link"):
        model.add(replace(_link(node), looks=looks_of(node, shelf, colours)))
    if len(model.links) == 1:
        root.refuse("has no <link>", hint="Is this a robot, or a part that xacro puts into one?")
    for node in root.all("joint"):
        _joint(node, model)
    _root(root, model)
    read_loops(root, model)
    _drives(root, model)
    found = sidecar_beside(root.file)
    if found is not None:
        with_sidecar(model, Sidecar.read(found))
    model.precision = precision_of(
        text for node in root.within() for text in (node.get("xyz"), node.get("rpy")) if text
    )
    others = sum(1 for node in root.all("gazebo", "sensor"))
    if others:
        model.note("ignored", f"sensors and the like are not used: {others} of <gazebo>, <sensor>")
    return model


def _link(node: Node) -> Link:
    name, inertial = node.need("name"), node.first("inertial")
    if name == BASE:
        return Link(name + "_link", place=place_of(node))
    if inertial is None:
        return Link(name, place=place_of(node))
    mass = inertial.first("mass")
    inertia = inertial.first("inertia")
    T = origin(inertial.first("origin"))
    about = np.zeros((3, 3))
    if inertia is not None:
        for key, (i, j) in MOMENTS.items():
            about[i, j] = about[j, i] = inertia.number(key)
    R = T[:3, :3]
    return Link(
        *(name, 0.0 if mass is None else mass.number("value"), T[:3, 3], R @ about @ R.T),
        place=place_of(node),
    )


def _end(node: Node, tag: str, model: Model) -> str:
    found = node.first(tag)
    if found is None:
        node.refuse(f"has no <{tag}>", hint=f'Write <{tag} link="..."/>.')
    name = found.need("link")
    name = f"{BASE}_link" if name == BASE else name
    if name not in model.links:
        found.refuse(f"unknown link {name!r}", hint=nearest(name, model.links))
    return name


def _joint(node: Node, model: Model) -> None:
    name, word = node.need("name"), node.need("type")
    if model.joint(name) is not None:
        node.refuse("its name is given twice", hint="Rename one of them.")
    if word not in KINDS:
        node.refuse(f"unknown type {word!r}", hint=nearest(word, KINDS))
    kind, place = KINDS[word], place_of(node)
    parent, child = _end(node, "parent", model), _end(node, "child", model)
    T = origin(node.first("origin"))
    if kind in ("fixed", "spherical", FREE):
        drawn = {"spherical": (np.eye(3),), FREE: (T,)}.get(kind, ())
        T_A = np.eye(4) if kind == FREE else T
        axes = (Axis(),) if kind == "spherical" else ()
        model.joints.append(
            Tie(name, kind, parent, child, T_A, np.eye(4), axes, drawn, place=place)
        )
        return
    seat = along(axis_of(node))
    if kind == "planar":  # its axis is the normal of the plane; limits and friction it has none
        plain: dict[str, Any] = {"axes": (Axis(),) * 3, "drawn": (0.0,) * 3}
        model.joints.append(Tie(name, kind, parent, child, T @ seat, seat, **plain, place=place))
        return
    own = _axis(node, word)
    model.joints.append(Tie(name, kind, parent, child, T @ seat, seat, (own,), (0.0,), place=place))
    mimic = node.first("mimic")
    if mimic is not None:
        factor, offset = mimic.number("multiplier", 1.0), mimic.number("offset")
        if mimic.need("joint") == name:
            mimic.refuse(f"{name!r} follows itself", hint="Name the joint that leads.")
        terms = {name: 1.0, mimic.need("joint"): -factor} if factor else {name: 1.0}
        model.relate(Relation(f"{name}_mimic", terms, offset, place_of(mimic)))


def _axis(node: Node, word: str) -> Axis:
    """Limits, damping and friction of a joint."""
    limit, dynamics = node.first("limit"), node.first("dynamics")
    bounds = None
    figures: dict[str, float] = {}
    if limit is not None:
        if word != "continuous" and (limit.get("lower") or limit.get("upper")):
            bounds = (limit.number("lower"), limit.number("upper"))
            if bounds[0] > bounds[1]:
                limit.refuse(f"lower {bounds[0]:g} is above upper {bounds[1]:g}")
            bounds = bounds if bounds[0] < bounds[1] else None  # 0 0 is what exporters leave
        figures = {key: limit.number(key) for key in ("velocity", "effort")}
    limits = Limits(bounds, **{key: value for key, value in figures.items() if value > 0.0})
    damping = 0.0 if dynamics is None else max(dynamics.number("damping"), 0.0)
    friction = 0.0 if dynamics is None else max(dynamics.number("friction"), 0.0)
    return Axis(viscous=damping, coulomb=friction, limits=limits)


def _root(node: Node, model: Model) -> None:
    """The link that is nobody's child: it floats, and is the base unless the user says so."""
    children: dict[str, str] = {}
    for tie in model.joints:
        if tie.child in children:
            tie.place.refuse(
                f"{tie.child!r} is the child of {children[tie.child]!r} too: a URDF is a tree",
                hint="Close the loop with <loop>, or loops=[(FRAME, FRAME)].",
            )
        children[tie.child] = tie.name
    roots = [name for name in model.links if name != BASE and name not in children]
    if len(roots) != 1:
        what = f"has {len(roots)} roots, {quoted(roots[:6])}" if roots else "has no root"
        node.refuse(f"{what}: every link but one is the child of a joint")
    model.root = roots[0]
    free = Tie(f"{roots[0]}_free", FREE, BASE, roots[0], np.eye(4), np.eye(4), drawn=(np.eye(4),))
    model.joints.insert(0, free)
    for relation in model.relations:
        for name in relation.terms:
            if model.joint(name) is None:
                known = [tie.name for tie in model.joints]
                relation.place.refuse(f"unknown joint {name!r}", hint=nearest(name, known))


def _rotor(node: Node, model: Model, name: str) -> None:
    """The rotor of a transmission's motor, as Drake writes it, on the joint."""
    found = {each.tag: each.number("value") for each in node.within() if each.get("value")}
    tie = model.joint(name)
    if found.get("rotor_inertia") and tie is not None and len(tie.axes) == 1:
        rotor = found["rotor_inertia"] * found.get("gear_ratio", 1.0) ** 2
        axes = (replace(tie.axes[0], rotor_inertia=rotor),)
        model.joints[model.joints.index(tie)] = replace(tie, axes=axes)


def _drives(root: Node, model: Model) -> None:
    """Motors: of transmissions, ros2_control, plugins, or all joints that are not dependent."""
    gears: dict[str, float] = {}
    for node in root.all("transmission"):
        reductions = [each for each in node.within() if each.tag == "mechanicalReduction"]
        factor = float(reductions[0].values((1,))[0]) if reductions else 1.0
        for joint in node.all("joint"):
            gears.setdefault(joint.need("name"), factor or 1.0)
            _rotor(node, model, joint.need("name"))
    for node in root.all("ros2_control"):
        for joint in node.all("joint"):
            if joint.first("command_interface") is not None:
                gears.setdefault(joint.need("name"), 1.0)
    if not gears:
        plugins = [each for block in root.all("gazebo") for each in block.all("plugin")]
        gears = dict.fromkeys(driven_joints(plugins, model), 1.0)
    said = [node for node in root.all("joint") if node.get("independent")]
    if not gears and said:
        free = [n for n in root.all("joint") if n.flag("independent", True)]
        gears = {
            n.get("name"): 1.0 for n in free if KINDS[n.get("type")] in ("revolute", "prismatic")
        }
        model.note("motors", "joints that are not independent='false' are taken for the motors")
    following = {next(iter(relation.terms)) for relation in model.relations}
    for name, gear in gears.items():
        tie = model.joint(name)
        if tie is None:
            known = [each.name for each in model.joints]
            root.refuse(f"a transmission names the joint {name!r}", hint=nearest(name, known))
        if tie.kind in ("revolute", "prismatic") and name not in following:
            model.drives.append(Drive(name, gear))
