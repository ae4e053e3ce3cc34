"""Motions in a few words, as the command line takes them: ``circle:radius=0.1,duration=2``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gough.base.arguments import nearest
from gough.base.tables import FORMATS
from gough.cli.scenario.parts import FILES, MOTIONS, make_motion, one_motion
from gough.cli.scenario.reading import check, read
from gough.errors import FileError, GoughWarning, InputError, shown
from gough.motion.motion import Motion
from gough.robot import Robot
from gough.robot.file.document import parse

_TABLE = re.compile(
    rf"(?P<path>.*(?:{'|'.join(map(re.escape, FORMATS))}))(?::(?P<rest>[^/]*=.*))?", re.I | re.S
)
_HINT = "For instance circle:radius=0.1,duration=2; a list is [0, 0, 1], a mapping {x: 0.05}."


def motion_from_words(robot: Robot, words: str, about: Mapping[str, Any] | None = None) -> Motion:
    """The motion that is meant, a :class:`gough.motion.Motion`.

    Args:
        robot: that moves.
        words: a table of poses, which may have arguments of ``from_file`` after a colon, a scenario
            file (of which the motion is taken), or the kind of a motion with its arguments.
        about: more arguments of ``from_file``; nothing but a table of poses may have some.

    Raises:
        FileError: a file that is none.
        InputError: words that mean no motion.
    """
    path = Path(words)
    table = _TABLE.fullmatch(words)
    if table is not None and words.partition(":")[0] not in MOTIONS:
        given = arguments(f"from_file:{table['rest'] or ''}")
        for key in about or {}:
            if key in given:
                raise InputError(f"{shown(key)} is given twice", hint="Once will do.", argument=key)
        return one_motion(robot, {**given, **(about or {}), "path": table["path"]}, Path())
    if about:
        raise InputError(
            f"{shown(words)} is no table of poses: it has no {' and no '.join(about)}",
            hint="--columns, --column-units and --rotation are about tables: poses.csv.",
        )
    if path.suffix.lower() in FILES:
        return _of_scenario(robot, path)
    return one_motion(robot, arguments(words), Path())


def _of_scenario(robot: Robot, path: Path) -> Motion:
    _, document = read(path)
    entry = check(document)
    if entry.motion is None:
        raise FileError("this scenario has no motion", file=str(path), hint="Give it one.")
    if entry.loads is not None:
        warnings.warn(
            f"{path}: its motion is taken, its loads are not: give them as options, or use 'gough "
            "run'",
            GoughWarning,
            stacklevel=2,
        )
    return make_motion(robot, entry.motion, document, path.resolve().parent)


def arguments(words: str) -> dict[str, Any]:
    """Kind and arguments of a motion in short form, as plain data."""
    kind, _, rest = words.partition(":")
    if kind not in MOTIONS:
        raise InputError(
            f"{shown(words)} is neither a file of poses, nor a scenario, nor a kind of motion",
            hint=nearest(kind, MOTIONS),
        )
    found: dict[str, Any] = {"kind": kind}
    for part in _split(rest):
        name, equals, text = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not text:
            raise InputError(f"{shown(part)} is no argument: expected name=value", hint=_HINT)
        if name in found:
            raise InputError(f"{shown(name)} is given twice", hint=_HINT)
        found[name] = _value(text)
    return found


def _split(text: str) -> list[str]:
    """Pieces between commas that are outside brackets."""
    pieces, depth = [""], 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return pieces if text.strip() else []


def _value(text: str) -> Any:
    """A number, a word, a list or a mapping, read as in a file."""
    try:
        data = parse(f"value: {text}\n", "<command line>").data
    except FileError as err:
        raise InputError(f"{shown(text)} is no value: {err.reason}", hint=_HINT) from err
    return data["value"]
