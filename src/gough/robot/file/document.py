"""From text to plain data with the line and column of every key."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import Event

from gough.errors import FileError
from gough.robot.file.composer import Composer, Node, Place
from gough.robot.file.paths import prefixes, printable
from gough.robot.file.text import read_text

_HINT = "A robot file is YAML 1.2 or JSON."
_BEGINS = "A robot file is YAML 1.2 or JSON, and begins with 'gough: 1'."
_OURS = re.compile(r"""^\s*gough\s*:|["']gough["']\s*:""", re.MULTILINE)
_LIKELY = {
    "mapping values are not allowed": "Likely: other indentation than in the lines around it, or a "
    "text with ': ' in it, which needs quotes.",
    "end of stream": "Likely: a quote or a bracket that is not closed.",
    "stream end": "Likely: a quote or a bracket that is not closed.",
    "expected <block end>": "Likely: other indentation than in the lines around it.",
    "expected ',' or": "Likely: a comma or a bracket is missing.",
    "could not find expected ':'": "Likely: a colon is missing, or a blank after it.",
}


@dataclass(frozen=True)
class Document:
    """Plain data of a file, and the place of every key path."""

    file: str
    root: Node

    @property
    def data(self) -> Any:
        """Dictionaries, lists and scalars."""
        return self.root.value

    def place(self, path: str) -> Place:
        """Place of a path such as ``joints.a_1.limits.position[0]``, or of the nearest above it."""
        node, rest = self.root, path
        while rest:
            step = _step(node, rest)
            if step is None:
                break
            node, rest = step
        return node.place


def parse(text: str, file: str) -> Document:
    """The document a text holds; refused with file and line if it holds anything unsafe.

    Args:
        text: checked by :func:`gough.robot.file.text.check_text`.
        file: its name, for messages.
    """
    composer = Composer(file)
    for event in _events(text, file):
        composer.take(event)
    if composer.root is None:
        raise FileError("is empty", file=file, hint="A robot file begins with 'gough: 1'.")
    return Document(file, composer.root)


def parse_file(path: str | os.PathLike[str]) -> tuple[str, Document]:
    """Text of a file and the document it holds.

    The message about a file that is no robot or scenario quotes nothing of it, only the line: it
    may be any file, and the reader of the message may have no right to read it.
    """
    text, file = read_text(path), os.fspath(path)
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise FileError(
            "is XML, not a robot file of gough",
            file=file,
            line=1,
            hint="MJCF is named .xml, URDF .urdf, SDF .sdf; xacro is expanded first: "
            "'xacro FILE > robot.urdf'.",
        )
    try:
        return text, parse(text, file)
    except FileError as err:
        if _OURS.search(text):
            raise
        line = err.line
    raise FileError(
        f"is no robot file, nor valid {_language(file)}", file=file, line=line, hint=_BEGINS
    )


def expected_keys(data: Any) -> str:
    """Message about a document that has no keys; it does not quote the document."""
    kind = "a list" if isinstance(data, list) else "a value"
    return f"expected keys with values, got {kind}"


def _step(node: Node, path: str) -> tuple[Node, str] | None:
    """The part of a node a path leads through, and the rest of the path."""
    if isinstance(node.parts, dict):
        # keys may hold dots ("u_1.first"): the longest that fits is meant
        for key in reversed(prefixes(path)):
            if key in node.parts:
                return node.parts[key], path[len(key) :].removeprefix(".")
    if isinstance(node.parts, list) and path.startswith("["):
        index, _, rest = path[1:].partition("]")
        if index.isdecimal() and int(index) < len(node.parts):
            return node.parts[int(index)], rest.removeprefix(".")
    return None


def _events(text: str, file: str) -> Iterator[Event]:
    """Events of the YAML parser, whose errors become ours."""
    stream = YAML(typ="safe", pure=True).parse(text)
    line = 1
    while True:
        try:
            event = next(stream)
        except StopIteration:
            return
        except MarkedYAMLError as err:
            mark = err.problem_mark or err.context_mark
            line = mark.line + 1 if mark else line
            problem = printable(str(err.problem or err.context))
            hint = _hint(problem, text, line)
            message = f"is not valid {_language(file)}: {problem}"
            raise FileError(message, file=file, line=line, hint=hint) from err
        except Exception as err:
            # The parser raises other errors in a few cases, such as OverflowError on "\UFFFFFFFF".
            message = f"is not valid {_language(file)}"
            raise FileError(message, file=file, line=line, hint=_HINT) from err
        line = event.start_mark.line + 1
        yield event


def _language(file: str) -> str:
    return "JSON" if file.lower().endswith(".json") else "YAML"


def _hint(problem: str, text: str, line: int) -> str:
    """What is likely behind an error of the parser; tabs are blamed only where there are some."""
    near = text.split("\n")[max(line - 2, 0) : line]
    if any("\t" in row[: len(row) - len(row.lstrip())] for row in near):
        return "Indent with blanks, not tabs."
    return next((hint for sign, hint in _LIKELY.items() if sign in problem), _HINT)
