"""Robots from files and text.

``load`` is ``read``; then the loops are closed from home, and likely mistakes give warnings.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

from gough.errors import DescriptionWarning, FileError, NotAssembled, shown
from gough.robot.file.building import build, entry_of
from gough.robot.file.document import Document, expected_keys, parse, parse_file
from gough.robot.file.problems import Problem, refuse
from gough.robot.file.text import check_text
from gough.robot.file.versions import VERSION, used_keys
from gough.robot.remarks import remarks
from gough.robot.robot import Robot

_KNOWN = f"versions 1 to {VERSION}"
_UPGRADE = (
    f"Write 'gough: {VERSION}' at the top, or let 'gough check FILE --rewrite' do it: newer "
    "versions have all keys of older ones."
)
_MOST_FREEDOMS = 100  # of a robot file: assembling it takes a second


def load(path: str | os.PathLike[str]) -> Robot:
    """The robot of a YAML or JSON file, its loops closed.

    Args:
        path: of the file.

    Returns:
        The robot; likely mistakes give a ``DescriptionWarning``.

    Raises:
        FileError: what is wrong, with file, line and key.
        NotAssembled: home does not close.
    """
    try:
        robot = read(path)
    except FileError as err:
        name = os.fspath(path)
        if isinstance(err.__cause__, FileNotFoundError) and not Path(name).suffix:
            err.hint = f"{err.hint}  A robot of the zoo has no file: gough.zoo.load({name!r})."
        raise
    _assemble(robot, os.fspath(path))
    return robot


def loads(text: str, name: str = "<text>") -> Robot:
    """As :func:`load`, from text; messages use ``name`` in place of a file."""
    robot = reads(text, name)
    _assemble(robot, name)
    return robot


def read(path: str | os.PathLike[str]) -> Robot:
    """The robot of a file, checked but not assembled."""
    return _robot(parse_file(path)[1])


def reads(text: str, name: str = "<text>") -> Robot:
    """The robot of a text, checked but not assembled."""
    return _robot(parse(check_text(text, name), name))


def _assemble(robot: Robot, name: str) -> None:
    """Closes the loops and warns; the warnings point to the caller of ``load``."""
    try:
        sentences = sentences_about(robot)
    except NotAssembled as err:
        raise NotAssembled(f"{name}: {err.message}", hint=err.hint, **err.data) from err
    for sentence in sentences:
        warnings.warn(f"{name}: {sentence}", DescriptionWarning, stacklevel=3)


def sentences_about(robot: Robot) -> tuple[str, ...]:
    """What a user who loads a robot is warned of; assembles it."""
    return (*remarks(robot), *robot.findings)


def too_free(freedoms: int, loops: int, most: int) -> str:
    """What is wrong with a machine that has too many freedoms to be assembled in time; or nothing.

    Args:
        freedoms: of all joints.
        loops: that take six of them each, or fewer.
        most: freedoms beyond its loops: the cost grows with their square, and more.
    """
    beyond = freedoms - 6 * loops
    if beyond <= most:
        return ""
    return (
        f"the machine has {beyond} freedoms of joints beyond its loops, at most {most} are read: a "
        "platform has six of them"
    )


def _robot(document: Document) -> Robot:
    _check_version(document.data, document)
    try:
        robot, problems = build(document.data)
    except NotAssembled as err:  # joints are locked where home has them: it must close
        raise NotAssembled(f"{document.file}: {err.message}", hint=err.hint, **err.data) from err
    if robot is None:
        refuse(document, problems)
    loops = len(robot.joints) - len(robot.bodies)
    excess = too_free(sum(joint.freedoms for joint in robot.joints), loops, _MOST_FREEDOMS)
    if excess:
        raise FileError(excess, file=document.file, hint="Make joints fixed, or leave bodies out.")
    return robot


def _check_version(data: Any, document: Document) -> None:
    """Check the version before anything else: another one has other keys."""
    if not isinstance(data, dict):
        raise FileError(
            expected_keys(data),
            file=document.file,
            line=document.root.place.line,
            hint="A robot file begins with 'gough: 1'.",
        )
    if "gough" not in data:
        raise FileError(
            "does not say which version of the format it has",
            file=document.file,
            line=document.root.place.line,
            path="gough",
            hint="Begin a robot file with 'gough: 1'.",
        )
    version = data["gough"]
    if type(version) is int and 1 <= version <= VERSION:
        too_new = [
            Problem(path, f"this key came with 'gough: {since}', the file says 'gough: {version}'")
            for path, since in used_keys(entry_of(data), data)
            if since > version
        ]
        if too_new:
            refuse(document, too_new, _UPGRADE)
        return
    newer = type(version) is int and version > VERSION
    raise FileError(
        f"gough: the format version is {shown(version)}, this gough reads {_KNOWN}",
        file=document.file,
        line=document.place("gough").line,
        path="gough",
        hint="The file is newer than this gough: pip install --upgrade gough."
        if newer
        else f"Write 'gough: 1', or 'gough: {VERSION}' for all keys.",
        version=version,
    )
