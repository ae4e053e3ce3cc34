"""XML read safely: no entities, no DTD, bounded size and depth; every element knows its line."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

import numpy as np

from gough.base.arguments import LARGEST
from gough.base.tables import whole
from gough.errors import FileError, shown

LARGEST_FILE = 2**24
"""Most bytes of a foreign robot file: 16 MiB, without its meshes."""

DEEPEST = 500
"""Most elements within each other: no robot has more bodies in a row."""

MOST = 16_000
"""Most elements of a robot, with all files that it includes and all copies that it asks for.

Robots have some hundreds, scenes of them some thousands; each costs up to 0.1 ms.
"""

LONGEST_NAME = 256
"""Most characters of a name: names are quoted in messages, and joined to others."""

_LONGEST_MESSAGE = 400  # characters that a refusal quotes of a file at most

_ENCODINGS = re.compile(
    r"utf-?8|utf-?16(le|be)?|(us-)?ascii|latin-?1|iso-?8859-\d{1,2}|(windows-|cp)125\d",
    re.IGNORECASE,
)  # of robot files; names of other codecs of Python (zip, idna) are no encodings of text
_RIGHT_FILE = "Is this the right file? Keep the robot alone in it."
XACRO = "Expand it first: 'xacro FILE > robot.urdf' (ROS), then load robot.urdf."
"""What to do with a file that xacro makes a robot of."""

_SAVE = "Save it as UTF-8."
_BOMB = "Expand the file with the tool that made it, or write its text without entities."


def brief(text: str) -> str:
    """A sentence that quotes a file, cut where it is too long for one line of a message."""
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}..."


class Budget:
    """Elements that a robot may still have: spent while they are read or copied, not after.

    Args:
        elements: that it may have in all.
    """

    def __init__(self, elements: int = MOST) -> None:
        self.left = elements

    def spend(self, count: int, node: Node) -> None:
        """Take elements, or refuse the file because of the one that asks for more."""
        self.left -= count
        if self.left < 0:
            node.refuse(f"makes a robot of more than {MOST} elements", hint=_RIGHT_FILE)


@dataclass(slots=True)
class Node:
    """An element of an XML file.

    Attributes:
        tag: its name, without a namespace.
        attributes: by name, as text.
        file, line: where it stands.
        children: elements within it.
        text: what stands between its tags.
    """

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Node] = field(default_factory=list)
    text: str = ""

    @property
    def label(self) -> str:
        """The element as a message shows it: ``<joint name='knee'>``."""
        name = self.attributes.get("name")
        tag = shown(self.tag)[1:-1]
        return f"<{tag} name={shown(name)}>" if name else f"<{tag}>"

    def refuse(self, message: str, hint: str = "", **data: Any) -> NoReturn:
        """Refuse the file because of this element."""
        raise FileError(
            brief(f"{self.label}: {message}"),
            file=self.file,
            line=self.line,
            path=self.tag,
            hint=brief(hint),
            **data,
        )

    def all(self, *tags: str) -> list[Node]:
        """Children with one of some tags, in order."""
        return [child for child in self.children if child.tag in tags]

    def first(self, *tags: str) -> Node | None:
        """First child with one of some tags."""
        return next(iter(self.all(*tags)), None)

    def within(self) -> Iterator[Node]:
        """The element and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def get(self, name: str, default: str = "") -> str:
        """An attribute as text."""
        return self.attributes.get(name, default)

    def need(self, name: str) -> str:
        """An attribute that must be there."""
        if not self.attributes.get(name):
            self.refuse(f"has no attribute {name!r}", hint=f'Write {name}="...".')
        return self.attributes[name]

    def numbers(
        self, name: str, default: Any = None, counts: tuple[int, ...] = ()
    ) -> np.ndarray | None:
        """Finite numbers of an attribute, as many as one of ``counts`` says; none if not given."""
        if name not in self.attributes:
            return None if default is None else np.array(default, dtype=float)
        return self.parsed(self.attributes[name], name, counts)

    def vector(self, name: str, default: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Three numbers of an attribute."""
        found = self.numbers(name, default, (3,))
        return np.zeros(3) if found is None else found

    def number(self, name: str, default: float = 0.0) -> float:
        """One number of an attribute."""
        found = self.numbers(name, None, (1,))
        return default if found is None else float(found[0])

    def flag(self, name: str, default: bool = False) -> bool:
        """A switch of an attribute."""
        word = self.get(name).strip().lower()
        if not word:
            return default
        if word not in ("true", "false", "1", "0"):
            self.refuse(f"{name} is {shown(word)}, expected true or false")
        return word in ("true", "1")

    def values(self, counts: tuple[int, ...] = ()) -> np.ndarray:
        """Finite numbers between the tags."""
        return self.parsed(self.text, "its text", counts)

    def parsed(self, text: str, what: str, counts: tuple[int, ...] = ()) -> np.ndarray:
        """Finite numbers of a text of this element."""
        found = []
        for word in text.replace(",", " ").split():
            try:
                value = float(word) if "_" not in word else math.nan
            except ValueError:
                value = math.nan
            if not math.isfinite(value):
                hint = "A file with ${...} is xacro: expand it first, 'xacro FILE > robot.urdf'."
                self.refuse(
                    f"{what}: {shown(word)} is not a finite number", hint=hint * ("$" in word)
                )
            if abs(value) > LARGEST:  # squares and products of such figures are not finite
                self.refuse(f"{what}: {shown(word)} is beyond all measure")
            found.append(value)
        if counts and len(found) not in counts:
            wanted = " or ".join(map(str, counts))
            self.refuse(f"{what} has {len(found)} numbers, expected {wanted}")
        return np.array(found)


def read_xml(path: str | os.PathLike[str], budget: Budget | None = None) -> Node:
    """The root element of a file.

    Args:
        path: of the file.
        budget: elements that it may have; those of a robot by itself if not given.

    Raises:
        FileError: there is no such file, it is too large, ill-formed, or declares entities.
    """
    file = whole.file_name(path, "robot file", 'For instance gough.load("robot.xml").')
    raw, size = whole.read_bounded(file, LARGEST_FILE, "robot file")
    if size > LARGEST_FILE:
        hint = "Is this the right file? Meshes belong beside it."
        message = f"has {size} bytes, a robot file has at most {LARGEST_FILE}"
        raise FileError(message, file=file, hint=hint, size=size)
    return parse_xml(raw, file, budget)


def included_path(name: str, folder: Path, node: Node) -> Path:
    """The file that an element includes, which lies in a folder or below it, links followed.

    Args:
        name: as the file has it, from the folder on; of a folder, its ``model.sdf`` is meant.
        folder: of the first file, resolved.
        node: that includes it.
    """
    try:
        target = (folder / name).resolve()
        if target.is_dir():
            target = (target / "model.sdf").resolve()  # it may be a link as well
        there = target.is_file()
    except (OSError, ValueError, RuntimeError) as err:  # too long, a NUL, links in a ring
        raise FileError(
            f"{node.label}: includes {shown(name)}, which is no path of a file",
            file=node.file,
            line=node.line,
            hint="Check the name, and links that lead to each other.",
        ) from err
    if not target.is_relative_to(folder) or Path(name).is_absolute():
        node.refuse(
            f"includes {shown(name)}, outside the folder of the file",
            hint="Files may include what lies beside or below them: copy it there.",
        )
    if not there:
        node.refuse(f"includes {shown(name)}, which is not there", hint=f"Put it into {folder}.")
    return target


def parse_xml(raw: bytes, file: str, budget: Budget | None = None) -> Node:
    """The root element of XML text."""
    if not raw.strip():
        raise FileError("is empty", file=file, hint="Is this the right file?")
    reading = _Reading(file, Budget() if budget is None else budget)
    try:
        reading.parser.Parse(raw, True)
    except expat.ExpatError as err:
        what = expat.ErrorString(err.code)
        hint = "Mend the element that ends or begins there: every tag is closed, & is &amp;."
        if raw.rfind(b"<!--", 0, reading.parser.ErrorByteIndex + 1) > raw.rfind(
            b"-->", 0, reading.parser.ErrorByteIndex
        ):  # the parser calls it an invalid token
            what = "a comment holds '--', or does not end"
            hint = "XML has no two dashes within <!-- and -->: take them out, or close it with -->."
        raise FileError(
            f"is not well-formed XML: {what}", file=file, line=err.lineno, hint=hint
        ) from err
    except (LookupError, ValueError) as err:  # of a codec; our own errors are ValueErrors, too
        if isinstance(err, FileError):
            raise
        raise FileError("its encoding cannot be read", file=file, hint=_SAVE) from err
    if reading.root is None:
        raise FileError("holds no element", file=file)
    return reading.root


class _Reading:
    """Handlers of the parser, which refuse what an honest file does not have."""

    def __init__(self, file: str, budget: Budget) -> None:
        self.file, self.budget = file, budget
        self.root: Node | None = None
        self.open: list[Node] = []
        self.texts: list[list[str]] = []  # of open elements, joined once they end
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.XmlDeclHandler = self._declaration
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._entity
        self.parser.UnparsedEntityDeclHandler = self._entity
        self.parser.ExternalEntityRefHandler = self._entity
        self.parser.SkippedEntityHandler = self._entity
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def _refuse(self, message: str, hint: str) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise FileError(message, file=self.file, line=line, hint=hint)

    def _declaration(self, _: str, encoding: str | None, __: int) -> None:
        if encoding and not _ENCODINGS.fullmatch(encoding):
            self._refuse(f"its encoding {shown(encoding)} is none of robot files", _SAVE)

    def _doctype(self, name: str, system: str | None, public: str | None, inner: int) -> None:
        if system or public or inner:
            self._refuse("declares a document type, which robot files have not", _BOMB)

    def _entity(self, *_: Any) -> int:
        self._refuse("declares entities, which could read other files or grow without end", _BOMB)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        node = Node(name, attributes, self.file, self.parser.CurrentLineNumber)
        if name.startswith("xacro:") or name.rpartition(":")[2] == "xacro":
            self._refuse(f"is xacro, not a robot yet: <{shown(name)[1:-1]}>", XACRO)
        node.tag = name.rpartition(":")[2]
        if len(attributes.get("name", "")) > LONGEST_NAME:
            self._refuse(f"a name has more than {LONGEST_NAME} characters", "Shorten it.")
        # a shelf of attributes takes as much room as elements
        self.budget.spend(1 + len(attributes) // 20, node)
        if len(self.open) >= DEEPEST:
            self._refuse(f"holds more than {DEEPEST} elements deep", _RIGHT_FILE)
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)
        self.texts.append([])

    def _end(self, _: str) -> None:
        self.open.pop().text = "".join(self.texts.pop())

    def _data(self, text: str) -> None:
        if self.open:
            self.texts[-1].append(text)
