"""The register of the zoo: names, parameters, and the robots themselves.

A robot is made by the function of its name in the file of its name; its parameters are keywords,
and the file ``.yaml`` beside it has their values.  Both are read when the robot is asked for.  What
all robots have is read here, and handed on ready for ``gough.build.machine``: name, label, source,
gravity, and of most the body ``platform``.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache
from importlib import import_module, resources
from typing import Any

from gough.base.arguments import nearest
from gough.errors import InputError, shown
from gough.robot import Robot
from gough.robot.file.document import parse
from gough.robot.recipe import Recipe, frozen, remember
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

DELTAS = ("delta", "linear_delta", "delta_4", "quattro", "h4", "orthoglide")
WORDS = {
    "base_radius": "Rb",
    "platform_radius": "rp",
    "arm": "L",
    "bar": "l",
    "half_spacing": "s",
}
"""Words for the symbols of Delta-like robots, as ``gough.build.delta`` has them."""


def names() -> tuple[str, ...]:
    """Names of all robots of the zoo."""
    return ROBOTS


def load(name: str, /, **parameters: Any) -> Robot:
    """A robot of the zoo, as in its file or with other parameters.

    Args:
        name: one of :func:`names`.
        **parameters: those that differ from the defaults; :func:`parameters` lists them.  Lengths
            of Delta-like robots have words as well: ``arm`` is ``L``, ``bar`` is ``l``.

    Returns:
        The robot.

    Raises:
        InputError: an unknown robot or parameter.
        DescriptionError: a value that makes no sense; names the parameter.
    """
    known, about = _figures(_known(name))
    parameters = known_parameters(name, parameters)
    for key in parameters:
        if key not in known:
            raise InputError(
                f"{name} has no parameter {shown(key)}",
                hint=nearest(key, [*known, *words(name)]),
                argument=key,
            )
    maker = getattr(import_module(f"gough.zoo.{name}"), name)
    given = known | parameters
    recipe = Recipe(name, frozen(given))
    if "platform" in known:
        given["platform"] = body("platform", given["platform"])
    robot: Robot = maker(name=name, **about, **given)
    return remember(robot, recipe)


def parameters(name: str, /) -> dict[str, Any]:
    """Parameters of a robot with their default values, as a copy that may be changed."""
    return copy.deepcopy(_figures(_known(name))[0])


def words(name: str) -> dict[str, str]:
    """Words for parameters of a robot that have symbols for names, and the symbols."""
    own = _figures(_known(name))[0]
    known = WORDS if name in DELTAS else {}
    return {word: symbol for word, symbol in known.items() if symbol in own and word not in own}


def known_parameters(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters by the names that a robot has for them: ``arm`` of a Delta is its ``L``.

    Raises:
        InputError: a parameter is given by its symbol and by its word.
    """
    symbols = words(name)
    for word, symbol in symbols.items():
        if word in given and symbol in given:
            raise InputError(
                f"{name}: {word} is {symbol}, and both are given", argument=word, symbol=symbol
            )
    return {symbols.get(key, key): value for key, value in given.items()}


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
