"""How a robot was made, as data, so that another one can be made with some figures changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import nearest
from gough.errors import InputError, shown
from gough.robot.parts import FrozenDict

if TYPE_CHECKING:
    from gough.robot.robot import Robot

_STEP = re.compile(r"\[(\d+)\]|\.?([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True)
class Recipe:
    """Who made a robot, with which figures.

    Args:
        maker: a name of the zoo, ``build.NAME`` for a builder, or ``file`` for a robot file.
        parameters: figures by name, all of them.
        document: of a file, its data as they were written.
    """

    maker: str
    parameters: Mapping[str, Any] = field(hash=False)
    document: Mapping[str, Any] | None = field(default=None, hash=False)


def remember(robot: Robot, recipe: Recipe) -> Robot:
    """The robot, which now knows how it was made; only its maker may say so.

    A robot made of it by ``dataclasses.replace`` does not know: the recipe has not its changes.
    """
    vars(robot)["_recipe"] = recipe
    return robot


def frozen(value: Any) -> Any:
    """Nested figures that cannot be changed any more, nor through what they were made of."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, Mapping):
        return FrozenDict({key: frozen(part) for key, part in value.items()})
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: frozen(getattr(value, f.name)) for f in fields(value)})
    return tuple(map(frozen, value)) if isinstance(value, (list, tuple)) else value


def thawed(value: Any) -> Any:
    """Nested figures as a copy of plain dictionaries and lists, which may be changed."""
    if isinstance(value, Mapping):
        return {key: thawed(part) for key, part in value.items()}
    return [thawed(part) for part in value] if isinstance(value, (list, tuple)) else value


def changed(
    parameters: Mapping[str, Any],
    changes: Mapping[str, Any],
    owner: str,
    words: Iterable[str] = (),
) -> Any:
    """Nested figures with some of them changed.

    Args:
        parameters: figures by name.
        changes: new ones, by name or by path: ``L``, ``platform.mass``, ``legs[2].arm.mass``.
        owner: whose they are, for errors.
        words: other names that the owner would have known.

    Raises:
        InputError: a name or a path that leads nowhere.
    """
    found = thawed(parameters)
    for path, value in changes.items():
        *way, last = steps = _steps(path, owner)
        if steps[0] not in found:
            hint = nearest(steps[0], [*found, *words])
            raise InputError(f"{owner} has no parameter {shown(path)}", hint=hint, argument=path)
        at: Any = found
        for step in way:
            at = at[_known(at, step, path, owner)]
        at[_known(at, last, path, owner)] = thawed(frozen(value))
    return found


def _steps(path: object, owner: str) -> list[str | int]:
    if not isinstance(path, str):
        raise InputError(f"expected the name of a parameter of {owner}, got {shown(path)}")
    steps: list[str | int] = []
    at = 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            break
        steps.append(match[2] if match[1] is None else int(match[1]))
        at = match.end()
    if not steps or at < len(path):
        raise InputError(
            f"{owner} has no parameter {shown(path)}",
            hint="A path is written platform.mass or legs[2].arm.mass.",
            argument=path,
        )
    return steps


def _known(at: Any, step: str | int, path: str, owner: str) -> str | int:
    """A step that leads to something there is."""
    if isinstance(at, list) and isinstance(step, int) and step < len(at):
        return step
    if isinstance(at, dict) and isinstance(step, str) and step in at:
        return step
    known = at if isinstance(at, dict) else ()
    hint = nearest(step, known)
    if isinstance(at, list):
        hint = f"There are {len(at)} of them, [0] to [{len(at) - 1}]."
    elif not known:
        hint = f"{shown(at)} has no parts: change it as a whole."
    raise InputError(f"{owner} has no parameter {shown(path)}", hint=hint, argument=path)
