"""The register of the zoo: names, parameters, and the robots themselves.

A robot is made by the function of its name in the file of its name; its parameters are keywords,
and the file ``.yaml`` beside it has their values.  Both are read when the robot is asked for.  What
all robots have is read here, and handed on ready for ``gough.build.machine``: name, label, source,
gravity, and of most the body ``platform``.
"""

from __future__ import annotations

import copy
from functools import cache
from importlib import import_module, resources
from typing import Any

from gough.errors import InputError, shown
from gough.robot import Robot
from gough.robot.file.document import parse
from gough.robot.names import nearest
from gough.zoo.reading import body
from gough.zoo.shapes import made

_ABOUT = ("label", "source")
"""Keys of the files that are no parameters."""

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
    """A robot of the zoo, as in its file or with other parameters.

    Args:
        name: one of :func:`names`.
        **parameters: those that differ from the defaults; :func:`parameters` lists them.

    Returns:
        The robot.

    Raises:
        InputError: an unknown robot or parameter.
        DescriptionError: a value that makes no sense; names the parameter.
    """
    known, about = _figures(_known(name))
    for key in parameters:
        if key not in known:
            raise InputError(
                f"{name} has no parameter {shown(key)}",
                hint=nearest(key, list(known)),
                argument=key,
            )
    maker = getattr(import_module(f"gough.zoo.{name}"), name)
    given = known | parameters
    if "platform" in known:
        given["platform"] = body("platform", given["platform"])
    robot: Robot = maker(name=name, **about, **given)
    return robot


def parameters(name: str, /) -> dict[str, Any]:
    """Parameters of a robot with their default values, as a copy that may be changed."""
    return copy.deepcopy(_figures(_known(name))[0])


def _known(name: object) -> str:
    if not isinstance(name, str) or name not in ROBOTS:
        raise InputError(
            f"the zoo has no robot {shown(name)}", hint=nearest(name, ROBOTS), argument="name"
        )
    return name


@cache
def _figures(name: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Parameters of a robot, in the order of its file, and words about it; not to be changed."""
    file = f"{name}.yaml"
    text = resources.files("gough.zoo").joinpath(file).read_text("utf-8")
    figures: dict[str, Any] = made(parse(text, file).data)
    about = {key: figures.pop(key) for key in _ABOUT}
    rows = {key: figures.get(key) for key in ("gravity", "home")}
    tuples = {key: tuple(row) for key, row in rows.items() if isinstance(row, list)}
    return figures | tuples, about
