"""Messages of the library in the words of the command line: options in place of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gough.errors import GoughError

if TYPE_CHECKING:
    from gough.robot import Robot

_MAPPING = re.compile(r"\b(columns|units)=\{([^{}]*)\}")
_ENTRY = re.compile(r"[\"']([^\"']+)[\"']:\s*[\"']([^\"']+)[\"']")
_POINT = re.compile(r"\banchor=\(([^()]*)\)")
_WORDS = re.compile(r"\brotation=([\"'])([^\"']+)\1")


def as_typed(text: str) -> str:
    """A message with arguments of Python written as the options that stand for them."""
    text = _MAPPING.sub(_mapping, text)
    text = _POINT.sub(lambda found: f"--anchor {found[1].replace(' ', '')}", text)
    return _WORDS.sub(lambda found: f"--rotation {_quoted(found[2])}", text)


@contextmanager
def in_options(options: Mapping[str, str]) -> Iterator[None]:
    """Errors about arguments name the options that they come from.

    Args:
        options: of the command, by arguments of the functions that are called.
    """
    try:
        yield
    except GoughError as err:
        argument = str(err.data.get("argument", ""))
        if argument in options:
            name = re.compile(rf"(^|: ){re.escape(argument)}(?=[\s:\[])")
            err.message = name.sub(rf"\g<1>{options[argument]}", err.message, count=1)
        raise


@contextmanager
def named_figures(robot: Robot) -> Iterator[None]:
    """Where a robot has no figures of its maker, say what keeps them."""
    try:
        yield
    except GoughError as err:
        if err.data.get("argument") == "free" and not robot.parameters:
            err.hint = " ".join(
                [
                    err.hint,
                    "Figures such as bar are known of robots of the zoo, and of files with 'like: "
                    "delta' or 'like: build.delta'; a file of bodies and joints has none.",
                ]
            ).strip()
        raise


def _mapping(found: re.Match[str]) -> str:
    entries = _ENTRY.findall(found[2])
    if not entries:
        return found[0]
    if found[1] == "units":
        return f"--column-units {','.join(unit for _, unit in entries)}"
    return f"--columns {_quoted(','.join(f'{key}={name}' for key, name in entries))}"


def _quoted(words: str) -> str:
    """Words as a shell takes them for one."""
    return f"'{words}'" if re.search(r"[^\w.,=:+-]", words) else words
