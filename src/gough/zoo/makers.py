"""Robots made anew with other figures: ``like`` of a robot file, and ``gough.vary``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from gough import build
from gough.base.arguments import check_known, nearest
from gough.build.recording import BUILDERS
from gough.errors import InputError, shown
from gough.robot import Robot, inertia
from gough.robot.file.body_schema import SHAPES
from gough.robot.file.building import build as build_file
from gough.robot.file.joints import axis
from gough.robot.file.paths import join
from gough.robot.file.problems import first_problem, schema_problems, within
from gough.robot.file.schema import AxisEntry
from gough.robot.joint_kinds import SLIDE
from gough.robot.recipe import changed, frozen, thawed
from gough.zoo.reading import entry
from gough.zoo.registry import known_parameters, load, names, parameters, words

_BUILD = "build."


def builders() -> list[str]:
    """Names of the builders of whole machines, as ``like`` has them: ``build.delta``."""
    return [f"{_BUILD}{name}" for name in BUILDERS]


def make(maker: str, changes: Mapping[str, Any]) -> Robot:
    """A robot by the name of its maker.

    Args:
        maker: a name of the zoo, or ``build.NAME`` of a builder of whole machines.
        changes: its parameters: of a robot of the zoo those that differ, by name or path.  A body
            may be a shape, ``{rod: {mass: 0.4, start: [0, 0, 0], end: [0.3, 0, 0]}}``; legs of a
            builder may be mappings of ``proximal``, ``distal``, ``motor`` and ``passive``, axes
            with the keys that they have in robot files.

    Raises:
        InputError: an unknown maker or parameter.
        DescriptionError: a value that makes no sense; names the parameter.
    """
    given = _solids(thawed(frozen(changes)), "")
    known = [*names(), *builders()]
    check_known(maker, known, "there is no robot to be like called", "like")
    if maker.startswith(_BUILD):
        return _built(maker.removeprefix(_BUILD), given)
    given = known_parameters(maker, given)
    return load(maker, **changed(parameters(maker), given, maker, words(maker)))


def vary(robot: Robot, changes: Mapping[str, Any] | None = None, /, **named: Any) -> Robot:
    """The same kind of robot with some of its parameters changed.

    ``robot.parameters`` has them all: those of a robot of the zoo or of a builder, and the named
    numbers and parameters of a robot file.  Robots and their copies in other processes know how
    they were made; one that ``dataclasses.replace`` made of them does not.

    Args:
        robot: the robot to start from; it stays as it is.
        changes: new values by name or by path: ``{"platform.mass": 1.2, "legs[0].phi": 0.1}``.
        **named: new values by name: ``arm=0.3``.

    Returns:
        A new robot.

    Raises:
        InputError: it is not known how the robot was made, or it has no such parameter.
        DescriptionError: a value that makes no sense.

    Example:
        >>> larger = gough.vary(gough.zoo.load("delta"), {"platform.mass": 1.2}, L=0.3)
    """
    if not isinstance(robot, Robot):
        raise InputError(
            f"expected a gough.Robot, got {type(robot).__name__}",
            hint="gough.vary(robot, name=value).",
            argument="robot",
        )
    if changes is not None and not isinstance(changes, Mapping):
        raise InputError(
            f"expected new values by name or path, got {shown(changes)}",
            hint='gough.vary(robot, {"platform.mass": 1.2}).',
            argument="changes",
        )
    recipe = robot.recipe
    if recipe is None:
        raise InputError(
            f"{robot.name}: it is not known how this robot was made, so nothing can be varied",
            hint="Robots of the zoo, of builders, and of files with 'numbers' or 'like' know; "
            "what dataclasses.replace makes of them does not: vary first, then replace.",
            argument="robot",
        )
    wanted = {**(changes or {}), **named}
    if recipe.document is not None:
        return _from_file(robot, recipe.document, wanted)
    if recipe.maker.startswith(_BUILD):
        return _built_anew(recipe.maker.removeprefix(_BUILD), recipe.parameters, wanted)
    wanted = known_parameters(recipe.maker, wanted)
    given = changed(recipe.parameters, wanted, robot.name, words(recipe.maker))
    return load(recipe.maker, **given)


def _from_file(robot: Robot, document: Mapping[str, Any], wanted: Mapping[str, Any]) -> Robot:
    """The robot of a file with other numbers, or other parameters of what it is like."""
    data = thawed(document)
    numbers = data.get("numbers", {})
    others = {path: value for path, value in wanted.items() if path not in numbers}
    if "like" in data and others:
        given = data.get("parameters", {})
        if data["like"] in names():
            given, others = (known_parameters(data["like"], each) for each in (given, others))
            changed(robot.parameters, others, robot.name)  # refuses what there is not
            data["parameters"] = {**given, **thawed(frozen(others))}
        else:  # builders take names only, no paths
            before = {**robot.parameters, **given}
            after = changed(before, others, robot.name)
            data["parameters"] = {
                name: value
                for name, value in after.items()
                if name in given or value != before[name]
            }
    elif others:
        changed(numbers, others, robot.name)
    if numbers:
        own = {name: value for name, value in wanted.items() if name in numbers}
        data["numbers"] = {**numbers, **thawed(frozen(own))}
    found, problems = build_file(data)
    if found is None:
        raise first_problem(problems)
    return found


def _built_anew(name: str, before: Mapping[str, Any], wanted: Mapping[str, Any]) -> Robot:
    """A machine of a builder with other arguments; it may have been silent about some."""
    silent = {key: None for key in BUILDERS[name].parameters if key not in before}
    given = changed({**silent, **before}, wanted, f"{_BUILD}{name}")
    kept = {key: v for key, v in given.items() if v is not None or key not in silent}
    return _built(name, kept)


def _built(name: str, given: dict[str, Any]) -> Robot:
    """A machine of a builder; what it does not know, or needs, is refused by name."""
    builder = BUILDERS[name]
    for key in given:
        if key not in builder.parameters:
            raise InputError(
                f"{_BUILD}{name} has no parameter {shown(key)}",
                hint=nearest(key, builder.parameters),
                argument=key,
            )
    for key in builder.needed:
        if key not in given:
            raise InputError(
                f"{_BUILD}{name} needs the parameter {key!r}",
                hint=f"Needed: {', '.join(builder.needed)}.",
                argument=key,
            )
    if "legs" in given:
        given = {**given, "legs": _legs(given["legs"], "legs")}
    robot: Robot = builder.function(**given)
    return robot


def _legs(value: Any, path: str) -> Any:
    """A leg of a builder, or several, also from their bodies by name."""
    if isinstance(value, list):
        return [_legs(leg, f"{path}[{i}]") for i, leg in enumerate(value)]
    if not isinstance(value, dict):
        return value
    passive = value.get("passive")
    axes = {
        "motor": _axis(value.get("motor"), f"{path}.motor"),
        "passive": {role: _axis(each, f"{path}.passive.{role}") for role, each in passive.items()}
        if isinstance(passive, dict)
        else passive,
    }
    return _called(build.Leg, {**value, **{k: v for k, v in axes.items() if k in value}}, path)


def _axis(value: Any, path: str) -> Any:
    """An axis, or several of a joint, also from their keys in robot files."""
    if isinstance(value, list):
        return [_axis(each, f"{path}[{i}]") for i, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    with within(path):
        problems = schema_problems(AxisEntry, value)
        if problems:
            raise first_problem(problems)
        return axis(AxisEntry.model_validate(value), SLIDE)  # only a slide may have a lead


def _solids(value: Any, path: str) -> Any:
    """Nested figures in which shapes have become mass properties."""
    if isinstance(value, list):
        return [_solids(part, f"{path}[{i}]") for i, part in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and (shape := next(iter(value))) in SHAPES:
        return _called(getattr(inertia, shape), value[shape], join(path, shape))
    return {key: _solids(part, join(path, str(key))) for key, part in value.items()}


def _called(function: Callable[..., Any], figures: Any, path: str) -> Any:
    """What a function makes of figures by its keywords; others are refused by their path."""
    own = inspect.signature(function).parameters
    needed = [name for name, each in own.items() if each.default is each.empty]
    entry(figures, needed, path, optional=[name for name in own if name not in needed])
    with within(path):
        return function(**figures)
