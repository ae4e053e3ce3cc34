"""Robot, plant and motion of a scenario, from its entries."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gough.base.arguments import check_known, nearest
from gough.cli.scenario.places import at_key
from gough.cli.scenario.schema import ScenarioEntry
from gough.errors import FileError, InputError, shown
from gough.motion.motion import Motion
from gough.robot import Robot
from gough.robot.file.document import Document
from gough.robot.file.paths import join
from gough.robot.formats.loading import load
from gough.zoo import registry

MOTIONS = (
    "point_to_point",
    "jerk_limited",
    "through",
    "circle",
    "lissajous",
    "fourier",
    "sine_sweep",
    "pick_and_place",
    "hold",
    "from_file",
)
"""Makers of :mod:`gough.motion` that a file may name."""

FILES = (".yaml", ".yml", ".json")
"""Endings of robot and scenario files."""


def load_robot(entry: ScenarioEntry, document: Document, folder: Path) -> Robot:
    """The machine that is described."""
    choice = entry.robot
    with at_key(document, "robot"):
        if not isinstance(choice, str):
            with at_key(document, "robot.parameters"):
                return registry.load(choice.zoo, **(choice.parameters or {}))
        is_path = Path(choice).suffix.lower() in FILES or len(Path(choice).parts) > 1
        if is_path:
            return load(folder / choice)
        if choice not in registry.names():
            raise InputError(
                f"the zoo has no robot {shown(choice)}",
                hint=nearest(choice, registry.names()) + " A robot file ends in .yaml or .json.",
            )
        return registry.load(choice)


def make_motion(
    robot: Robot, given: Mapping[str, Any] | list[dict[str, Any]], document: Document, folder: Path
) -> Motion:
    """The motion of a file, a :class:`gough.motion.Motion`; several follow each other."""
    if isinstance(given, Mapping):
        with at_key(document, "motion"):
            return one_motion(robot, given, folder)
    made = []
    for i, part in enumerate(given):
        with at_key(document, f"motion[{i}]"):
            made.append(one_motion(robot, part, folder))
    with at_key(document, "motion"):
        from gough import motion

        if not made:
            raise InputError("there is no motion in the list")
        return made[0] if len(made) == 1 else motion.chain(*made)


def one_motion(robot: Robot, given: Mapping[str, Any], folder: Path) -> Motion:
    """A motion from its kind and the arguments of its maker."""
    from gough import motion

    kind = given.get("kind")
    if kind is None:
        raise InputError("the key 'kind' is missing", hint=f"Known: {', '.join(MOTIONS)}.")
    check_known(kind, MOTIONS, "unknown kind of motion", "kind")
    arguments = {key: _value(value, key) for key, value in given.items() if key != "kind"}
    if kind == "from_file" and isinstance(arguments.get("path"), str):
        arguments["path"] = folder / arguments["path"]
    made: Motion = call(getattr(motion, kind), (robot,), arguments, str(kind))
    return made


def call(
    maker: Callable[..., Any],
    first: tuple[Any, ...],
    given: Mapping[str, Any],
    what: str,
    more: tuple[str, ...] = (),
) -> Any:
    """Call a maker with arguments by name; unknown and missing ones are refused.

    Args:
        maker: the function.
        first: its first arguments.
        given: the others, by name.
        what: it is called in messages.
        more: names that it hands on, beside those it has itself.
    """
    parameters = list(inspect.signature(maker).parameters.values())[len(first) :]
    own = [p for p in parameters if p.kind is not p.VAR_KEYWORD]
    known = [*(p.name for p in own), *(more if len(own) < len(parameters) else ())]
    for key in given:
        check_known(key, known, f"{what} has no argument", key)
    missing = [p.name for p in own if p.default is p.empty and p.name not in given]
    if missing:
        raise InputError(
            f"{what} needs {' and '.join(missing)}", hint=f"It takes {', '.join(known)}."
        )
    return maker(*first, **given)


def _value(value: Any, path: str) -> Any:
    """An argument: finite numbers, words, lists and mappings of such; ``home`` is no pose."""
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{path}: {value} is not a finite number", argument=path)
    if isinstance(value, Mapping):
        return {key: _value(inner, join(path, str(key))) for key, inner in value.items()}
    if isinstance(value, list):
        return [_value(inner, f"{path}[{i}]") for i, inner in enumerate(value)]
    return None if value == "home" else value


def make_plant(robot: Robot, entry: ScenarioEntry, document: Document) -> Robot:
    """The machine that is simulated: the described one, or one whose figures differ."""
    if not entry.plant:
        return robot
    from gough.simulation import control

    with at_key(document, "plant"):
        figures = {key: _value(value, key) for key, value in entry.plant.items()}
        plant: Robot = call(control.perturb, (robot,), figures, "plant")
        return plant


def table_path(folder: Path, name: str) -> Path:
    """A table that the file names, from its folder."""
    path = folder / name
    if not path.is_file():
        raise FileError(
            "there is no such file", file=str(path), hint="Paths start at the scenario."
        )
    return path
