"""Robots to files: exact, readable, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np

from gough.base.tables.whole import write_whole
from gough.errors import FileError, InputError
from gough.robot.body import Body
from gough.robot.elastic import materials_of
from gough.robot.file.layout import to_json, to_yaml
from gough.robot.file.schema import RobotEntry
from gough.robot.file.text import LARGEST_FILE, file_name
from gough.robot.file.versions import needed_version
from gough.robot.joint import Joint
from gough.robot.joint_kinds import KINDS
from gough.robot.material import MATERIALS
from gough.robot.robot import Robot
from gough.robot.section import Box, CrossSection, Tube
from gough.robot.shape import Shape

_SECTIONS = {"tube": Tube, "box": Box, "section": CrossSection}


def dumps(robot: Robot) -> str:
    """The robot as YAML; ``loads`` gives back an equal one."""
    return to_yaml(describe(robot))


def save(robot: Robot, path: str | os.PathLike[str]) -> None:
    """Writes the robot to a file, as JSON if its name ends in ``.json``, else as YAML.

    The file appears whole or not at all, and keeps its permissions if it was there before.
    """
    if not isinstance(robot, Robot):
        raise InputError(
            f"expected a gough.Robot, got {type(robot).__name__}",
            hint="gough.save(robot, path).",
            argument="robot",
        )
    file = file_name(path)
    layout = to_json if file.lower().endswith(".json") else to_yaml
    content = layout(describe(robot)).encode()
    if len(content) > LARGEST_FILE:
        message = f"would have {len(content)} bytes, a robot file has at most {LARGEST_FILE}"
        raise FileError(message, file=file, hint="Shorten the labels.", size=len(content))
    write_whole(file, content)


def describe(robot: Robot) -> dict[str, Any]:
    """The robot as plain data of the file format; what equals its default is left out.

    The version is the oldest one that has all its keys.
    """
    placed = _changed(robot.platform_frame)
    found = {
        **_changed(robot, "name", "label", "source", "base", "gravity"),
        "platform": {"body": robot.platform, "frame": placed} if placed else robot.platform,
        **_changed(robot, "motors", "redundant"),
        **_materials(robot),
        "bodies": {body.name: _body(body) for body in robot.bodies},
        "joints": {joint.name: _joint(joint.released) for joint in robot.joints},
        **_changed(robot, "home", "locked"),
        **({"couplings": _couplings(robot)} if robot.couplings else {}),
        **_changed(robot, "precision"),
        **_shapes("base_shapes", robot.base_shapes),
    }
    return {"gough": needed_version(RobotEntry, found), **found}


def _couplings(robot: Robot) -> dict[str, Any]:
    """Couplings by name."""
    return {each.name: _changed(each, "axes", "offset", "label") for each in robot.couplings}


def _changed(part: Any, *keys: str) -> dict[str, Any]:
    """Fields of a part of the description that differ from their defaults, all or some of them."""
    known = {each.name: each for each in fields(part)}
    found = {}
    for key in keys or known:
        value, own = getattr(part, key), known[key]
        default = own.default if own.default_factory is MISSING else own.default_factory()
        if value != default:
            found[key] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    """A value as a file has it: sequences as lists, parts by what is changed in them."""
    if is_dataclass(value):
        return _changed(value)
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, tuple) else value


def _body(body: Body) -> dict[str, Any]:
    found = _changed(body, "mass", "massless", "center", "inertia", "label")
    diagonal = np.diagonal(body.inertia)
    if "inertia" in found and np.array_equal(body.inertia, np.diag(diagonal)):
        found["inertia"] = diagonal.tolist()  # if that is all there is
    if body.beam is not None:
        kind = next(
            name for name, section in _SECTIONS.items() if isinstance(body.beam.section, section)
        )
        bends = _changed(body.beam, "points", "up", "lumps")
        found["beam"] = {
            kind: _changed(body.beam.section),
            "material": body.beam.material.name,
            **bends,
        }
    return {**found, **_changed(body, "stiffness"), **_shapes("shapes", body.shapes)}


def _shapes(name: str, shapes: tuple[Shape, ...]) -> dict[str, Any]:
    """Shapes of a body, or of the base; rows of numbers of a mesh as text."""
    found = [_changed(shape) for shape in shapes]
    for each in found:
        for key in ("points", "triangles"):
            if key in each:
                each[key] = ", ".join(" ".join(map(repr, row)) for row in each[key])
    return {name: found} if found else {}


def _materials(robot: Robot) -> dict[str, Any]:
    """Materials that are not the usual ones of their names."""
    found = {
        name: {key: value for key, value in _changed(each).items() if key != "name"}
        for name, each in materials_of(robot.bodies).items()
        if MATERIALS.get(name) != each
    }
    return {"materials": found} if found else {}


def _joint(joint: Joint) -> dict[str, Any]:
    ends = ("kind", "parent", "child", "parent_frame", "child_frame")
    order = ("viscous", "coulomb", "rotor_inertia", "limits", "spring", "transmission", "motor")
    axes = {n: _changed(a, *order) for n, a in zip(KINDS[joint.kind].axes, joint.axes, strict=True)}
    several = {name: axis for name, axis in axes.items() if axis}
    own = {"axes": several} if several else {}
    if len(axes) == 1:  # a joint with one axis has the axis's keys for its own
        (own,) = axes.values()
    return {**_changed(joint, *ends, "pitch", "idle", "bearing", "guide", "label"), **own}
