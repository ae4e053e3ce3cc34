"""The register of the zoo: names, parameters, and the robots themselves.

A robot lives in the file of its name and is made by the function of its name; all its parameters
are keywords with defaults.  Files are imported when their robot is asked for.
"""

from __future__ import annotations

import copy
import importlib
import inspect
from collections.abc import Callable
from typing import Any, cast

from gough.errors import InputError, shown
from gough.robot import Robot
from gough.robot.names import nearest

ROBOTS = (
    "five_bar",
    "three_rrr",
    "four_rrr",
    "spherical_2dof",
    "agile_eye",
    "delta",
    "linear_delta",
    "delta_4",
    "quattro",
    "h4",
    "orthoglide",
    "dymo",
    "tilt_3rps",
    "space_3ups",
    "c5",
    "gough_stewart",
    "gough_stewart_6spu",
    "hexapod_6rus",
    "hexapod_6pus",
)


def names() -> tuple[str, ...]:
    """Names of all robots of the zoo."""
    return ROBOTS


def load(name: str, /, **parameters: Any) -> Robot:
    """A robot of the zoo, as it stands in its file or varied.

    Args:
        name: one of :func:`names`.
        **parameters: those that differ from the defaults; :func:`parameters` lists them.

    Returns:
        The robot.

    Raises:
        InputError: an unknown robot or parameter.
        DescriptionError: a value that makes no sense; names the parameter.
    """
    builder = _builder(name)
    known = list(inspect.signature(builder).parameters)
    for key in parameters:
        if key not in known:
            raise InputError(
                f"{name} has no parameter {shown(key)}",
                hint=nearest(key, known),
                argument=key,
            )
    return builder(**parameters)


def parameters(name: str, /) -> dict[str, Any]:
    """Parameters of a robot with their default values, as a copy that may be changed."""
    signature = inspect.signature(_builder(name))
    return {key: copy.deepcopy(p.default) for key, p in signature.parameters.items()}


def _builder(name: object) -> Callable[..., Robot]:
    if not isinstance(name, str) or name not in ROBOTS:
        raise InputError(
            f"the zoo has no robot {shown(name)}", hint=nearest(name, ROBOTS), argument="name"
        )
    module = importlib.import_module(f"gough.zoo.{name}")
    return cast(Callable[..., Robot], getattr(module, name))
