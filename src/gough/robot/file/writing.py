"""Robots to files: exact, readable, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from gough.errors import FileError, InputError
from gough.robot.body import ZERO, Body
from gough.robot.file.layout import to_json, to_yaml
from gough.robot.file.schema import VERSION
from gough.robot.file.text import LARGEST_FILE, file_name
from gough.robot.frame import IDENTITY, Frame
from gough.robot.joint import KINDS, Axis, Joint
from gough.robot.robot import Robot
from gough.tables.whole import write_whole

_ORIGIN = (0.0, 0.0, 0.0)
_EARTH = Robot.__dataclass_fields__["gravity"].default


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
    """The robot as plain data of the file format; what equals its default is left out."""
    return _without_defaults(
        {
            "gough": VERSION,
            "name": robot.name,
            "label": robot.label,
            "source": robot.source,
            "base": robot.base if robot.base != "base" else "",
            "gravity": list(robot.gravity) if robot.gravity != _EARTH else None,
            "platform": _platform(robot),
            "motors": list(robot.motors),
            "redundant": robot.redundant,
            "bodies": {body.name: _body(body) for body in robot.bodies},
            "joints": {joint.name: _joint(joint) for joint in robot.joints},
            "home": _without_defaults(
                {
                    "bodies": {name: _frame(at) for name, at in robot.home.bodies.items()},
                    "joints": dict(robot.home.joints),
                }
            ),
        }
    )


def _without_defaults(data: Mapping[str, Any]) -> dict[str, Any]:
    """Data without empty text, empty collections, zeros, ``False`` and ``None``."""
    return {name: value for name, value in data.items() if value}


def _platform(robot: Robot) -> Any:
    placed = _frame(robot.platform_frame)
    return {"body": robot.platform, "frame": placed} if placed else robot.platform


def _frame(frame: Frame) -> dict[str, Any]:
    return _without_defaults(
        {
            "position": list(frame.position) if frame.position != _ORIGIN else None,
            "rotation": _rows(frame.rotation) if frame.rotation != IDENTITY else None,
        }
    )


def _body(body: Body) -> dict[str, Any]:
    return _without_defaults(
        {
            "mass": body.mass,
            "massless": body.massless,
            "center": list(body.center) if body.center != _ORIGIN else None,
            "inertia": _inertia(body) if body.inertia != ZERO else None,
            "label": body.label,
        }
    )


def _inertia(body: Body) -> list[Any]:
    """The diagonal if that is all there is."""
    rows = body.inertia
    diagonal = all(rows[i][j] == 0.0 for i in range(3) for j in range(3) if i != j)
    return [rows[i][i] for i in range(3)] if diagonal else _rows(rows)


def _rows(matrix: Any) -> list[list[float]]:
    return [list(row) for row in matrix]


def _joint(joint: Joint) -> dict[str, Any]:
    axes = {n: _axis(a) for n, a in zip(KINDS[joint.kind], joint.axes, strict=True)}
    # a joint with one axis has the axis's keys for its own
    own = next(iter(axes.values())) if len(axes) == 1 else {"axes": _without_defaults(axes)}
    data = {
        "kind": joint.kind,
        "parent": joint.parent,
        "child": joint.child,
        "parent_frame": _frame(joint.parent_frame),
        "child_frame": _frame(joint.child_frame),
        "pitch": joint.pitch,
        "idle": joint.idle,
        "label": joint.label,
    }
    # an empty transmission is not the same as none: it stays
    return {**_without_defaults(data), **{n: v for n, v in own.items() if v or n == "transmission"}}


def _axis(axis: Axis) -> dict[str, Any]:
    plain = {
        "viscous": axis.viscous,
        "coulomb": axis.coulomb,
        "rotor_inertia": axis.rotor_inertia,
        "limits": _limits(axis),
        "spring": _spring(axis),
    }
    gear = axis.transmission
    if gear is None:
        return _without_defaults(plain)
    ratio = {"ratio": gear.ratio} if gear.ratio != 1.0 else {}
    inertia = {"motor_inertia": gear.motor_inertia} if gear.motor_inertia else {}
    efficiency = {"efficiency": gear.efficiency} if gear.efficiency != 1.0 else {}
    return {**_without_defaults(plain), "transmission": {**ratio, **inertia, **efficiency}}


def _spring(axis: Axis) -> dict[str, Any]:
    spring = axis.spring
    if spring is None:
        return {}
    return _without_defaults({"stiffness": spring.stiffness, "rest": spring.rest})


def _limits(axis: Axis) -> dict[str, Any]:
    """Bounds that are there; a range of zeros is one, too."""
    limits = axis.limits
    return {
        **({"position": list(limits.position)} if limits.position is not None else {}),
        **_without_defaults({"velocity": limits.velocity, "effort": limits.effort}),
    }
