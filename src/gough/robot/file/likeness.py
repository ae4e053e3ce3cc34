"""Files that say ``like``: a robot of the zoo, or of a builder, with other figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gough.base.arguments import nearest
from gough.base.english import counted
from gough.errors import DescriptionError, InputError, shown
from gough.robot.file import joints
from gough.robot.file.homing import moved_home
from gough.robot.file.paths import from_steps, join
from gough.robot.file.problems import Problem, collecting, schema_problems, within
from gough.robot.file.schema import AxisEntry, LikeEntry
from gough.robot.joint import Joint
from gough.robot.recipe import Recipe, remember
from gough.robot.robot import LARGEST, Robot


def build_like(data: dict[str, Any]) -> tuple[Robot | None, list[Problem]]:
    """The robot that plain data with the key ``like`` mean, or what is wrong with them."""
    problems = schema_problems(LikeEntry, data)
    if problems:
        return None, problems
    entry = LikeEntry.model_validate(data)
    robot = None
    with collecting(problems):
        _check_lists(entry.parameters or {}, "parameters")
        like = _made(entry.like, entry.parameters or {})
        _check_names(entry, like)
        changes = entry.given("name", "label", "source", "gravity", "motors", "redundant", "locked")
        changes["joints"] = _joints(like, entry.axes or {})
        robot = moved_home(replace(like, **changes), entry.home)
        if like.recipe is not None:
            remember(robot, Recipe(like.recipe.maker, like.recipe.parameters))
    return robot, problems


def _made(like: str, parameters: Mapping[str, Any]) -> Robot:
    """The robot that is meant, its parameters changed; the zoo is opened when it is asked for."""
    from gough.zoo.makers import make

    try:
        with within("parameters"):
            return make(like, parameters)
    except InputError as err:
        argument = getattr(err, "argument", "")
        path = "like" if argument == "like" else join("parameters", argument)
        raise DescriptionError(err.message, path=path, hint=err.hint) from err


def _check_lists(value: Any, path: str) -> None:
    """Refuse lists that no robot has, before time is spent on their items."""
    if isinstance(value, list) and len(value) > LARGEST:
        raise DescriptionError(
            f"has {counted(len(value), 'entry', 'entries')}, expected at most {LARGEST}", path=path
        )
    parts = dict(enumerate(value)) if isinstance(value, list) else value
    for step, part in parts.items() if isinstance(parts, dict) else ():
        _check_lists(part, join(path, from_steps([step])))


def _check_names(entry: LikeEntry, like: Robot) -> None:
    """Refuse a number that is called as a parameter is: which one would be varied?"""
    for name in entry.numbers or {}:
        if name in like.parameters:
            raise DescriptionError(
                f"{entry.like} has a parameter of this name",
                path=f"numbers.{name}",
                hint="Call the number otherwise, or give the parameter its value directly.",
            )


def _joints(like: Robot, axes: Mapping[str, AxisEntry]) -> tuple[Joint, ...]:
    """Joints whose axes have what the file says of them, and else what they had."""
    for name in axes:
        if name not in like.axis_names:
            raise DescriptionError(
                f"unknown axis {shown(name)}",
                path=f"axes.{name}",
                hint=nearest(name, like.axis_names),
            )
    return tuple(_joint(joint, axes) for joint in like.joints)


def _joint(joint: Joint, axes: Mapping[str, AxisEntry]) -> Joint:
    found = []
    kinds = joint.axis_kinds.values()
    for name, what, own in zip(joint.axis_names, kinds, joint.axes, strict=True):
        with within("axes", name):
            found.append(joints.axis(axes[name], what, own) if name in axes else own)
    return replace(joint, axes=tuple(found))
