"""An MJCF file as a neutral model."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.base import spatial
from gough.robot.formats.digits import precision_of
from gough.robot.formats.mjcf.actuators import read_actuators
from gough.robot.formats.mjcf.assets import Assets
from gough.robot.formats.mjcf.bodies import Bodies
from gough.robot.formats.mjcf.compiler import Compiler, rotation_of
from gough.robot.formats.mjcf.defaults import Defaults, check_attributes
from gough.robot.formats.mjcf.equality import read_equalities
from gough.robot.formats.mjcf.included import with_includes
from gough.robot.formats.mjcf.options import lightened, read_options
from gough.robot.formats.mjcf.replicated import with_copies
from gough.robot.formats.mjcf.tendons import acting
from gough.robot.formats.model import Model
from gough.robot.formats.xml import Budget, Node, read_xml

_FIGURES = ("pos", "quat", "euler", "axisangle", "xyaxes", "zaxis", "axis", "anchor", "relpose")
_IGNORED = ("contact", "sensor", "visual", "statistic", "size", "custom", "extension")


def read_mjcf(path: str | os.PathLike[str], root: Node | None = None) -> Model:
    """The model of an MJCF file.

    Args:
        path: of the file.
        root: its root element, if it is read already.
    """
    root = read_xml(path) if root is None else root
    if root.tag not in ("mujoco", "mujocoinclude"):
        root.refuse(f"begins with <{root.tag}>, not with <mujoco>")
    budget = Budget()
    budget.spend(sum(1 for _ in root.within()), root)
    with_copies(with_includes(root, Path(root.file).parent, budget), budget)
    model = Model(root.get("model") or Path(root.file).stem, root.file, "MJCF")
    check_attributes(root, model)
    compiler, defaults = Compiler.of(root), Defaults(root)
    bodies = Bodies(model, compiler, defaults, Assets.of(root, compiler, defaults))
    worlds = root.all("worldbody")
    if not worlds:
        root.refuse("has no <worldbody>", hint="Is this the main file, or one that it includes?")
    for world in worlds:
        bodies.world(world)
    if compiler.total_mass > 0.0:
        _scale(model, compiler.total_mass)
    read_options(root, model)
    lightened(bodies.lighter, model)
    read_equalities(root, model, defaults)
    read_actuators(root, model, defaults, compiler)
    _keyframes(root, model, bodies)
    model.obstacles += [
        obstacle
        for block in root.all("tendon")
        for tendon in block.children
        if (obstacle := acting(tendon, model, defaults)) is not None
    ]
    model.precision = precision_of(
        text for node in root.within() for text in map(node.get, _FIGURES) if text
    )
    _ignored(root, model, bodies)
    return model


def _scale(model: Model, total: float) -> None:
    """All masses scaled, as the compiler does on demand."""
    now = sum(link.mass for link in model.links.values())
    for name, link in model.links.items() if now else ():
        share = total / now
        model.links[name] = replace(link, mass=share * link.mass, inertia=share * link.inertia)


def _keyframes(root: Node, model: Model, bodies: Bodies) -> None:
    """Add postures that the file names."""
    size = sum(count for _, count in bodies.order)
    for k, key in enumerate(each for block in root.all("keyframe") for each in block.all("key")):
        given = key.numbers("qpos")
        if given is None or not len(given):
            continue
        if len(given) != size:
            key.refuse(f"qpos has {len(given)} numbers, the joints have {size}")
        values: dict[str, tuple[Any, ...]] = {}
        start = 0
        for name, count in bodies.order:
            part = given[start : start + count]
            start += count
            if count == 4 and np.linalg.norm(part) > 0.0:
                values[name] = (rotation_of(part),)
            elif count == 7 and np.linalg.norm(part[3:]) > 0.0:
                values[name] = (spatial.pose(rotation_of(part[3:]), part[:3]),)
            elif count == 1:
                values[name] = (float(part[0]),)
        model.starts[f"keyframe {key.get('name') or k!r}"] = values


def _ignored(root: Node, model: Model, bodies: Bodies) -> None:
    """Say what has no part in the mechanics of the machine."""
    found = dict(bodies.ignored)
    for block in root.children:
        if block.tag in _IGNORED and block.children:
            found[block.tag] = found.get(block.tag, 0) + len(block.children)
    words = ", ".join(f"{count} of <{tag}>" for tag, count in found.items() if count)
    if words:
        model.note("ignored", f"contacts, sensors and the like are not used: {words}")
