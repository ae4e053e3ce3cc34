"""Builders of whole machines say how a robot was made, so that it can be varied by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec

from gough.robot import Robot
from gough.robot.recipe import Recipe, frozen, remember

P = ParamSpec("P")


@dataclass(frozen=True)
class Builder:
    """A builder of whole machines.

    Attributes:
        function: makes the robot.
        parameters: what it takes by keyword; ``needed``: what it must be given.
    """

    function: Callable[..., Robot]
    parameters: tuple[str, ...]
    needed: tuple[str, ...]


BUILDERS: dict[str, Builder] = {}
"""Builders of whole machines by name."""


def recorded(*options: str) -> Callable[[Callable[P, Robot]], Callable[P, Robot]]:
    """Decorator of a builder whose robots remember its arguments.

    Args:
        *options: keywords that it hands on, besides those of its own.
    """

    def record(builder: Callable[P, Robot]) -> Callable[P, Robot]:
        name, signature = builder.__name__, inspect.signature(builder)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        rest = [p.name for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD]

        @wraps(builder)
        def build(*args: P.args, **kwargs: P.kwargs) -> Robot:
            robot = builder(*args, **kwargs)
            given: dict[str, Any] = signature.bind(*args, **kwargs).arguments
            more = {key: value for each in rest for key, value in given.pop(each, {}).items()}
            defaults = {p.name: p.default for p in own if p.default is not p.empty}
            return remember(robot, Recipe(f"build.{name}", frozen({**defaults, **given, **more})))

        needed = tuple(p.name for p in own if p.default is p.empty)
        BUILDERS[name] = Builder(build, (*(p.name for p in own), *options), needed)
        return build

    return record
