"""XML read safely: no entities, no DTD, bounded size and depth; every element knows its line."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers import expat

import numpy as np

from gough.base.tables import whole
from gough.errors import FileError, shown

LARGEST_FILE = 2**24
"""Most bytes of a foreign robot file: 16 MiB, without its meshes."""

DEEPEST = 500
"""Most elements within each other: no robot has more bodies in a row."""

MOST = 200_000
"""Most elements of a file."""

_BOMB = "Expand the file with the tool that made it, or write its text without entities."


@dataclass
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
        return f"<{self.tag} name={shown(name)}>" if name else f"<{self.tag}>"

    def refuse(self, message: str, hint: str = "", **data: Any) -> NoReturn:
        """Refuse the file because of this element."""
        raise FileError(
            f"{self.label}: {message}",
            file=self.file,
            line=self.line,
            path=self.tag,
            hint=hint,
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
            found.append(value)
        if counts and len(found) not in counts:
            wanted = " or ".join(map(str, counts))
            self.refuse(f"{what} has {len(found)} numbers, expected {wanted}")
        return np.array(found)


def read_xml(path: str | os.PathLike[str]) -> Node:
    """The root element of a file.

    Raises:
        FileError: there is no such file, it is too large, ill-formed, or declares entities.
    """
    file = whole.file_name(path, "robot file", 'For instance gough.load("robot.xml").')
    raw, size = whole.read_bounded(file, LARGEST_FILE, "robot file")
    if size > LARGEST_FILE:
        hint = "Is this the right file? Meshes belong beside it."
        message = f"has {size} bytes, a robot file has at most {LARGEST_FILE}"
        raise FileError(message, file=file, hint=hint, size=size)
    return parse_xml(raw, file)


def parse_xml(raw: bytes, file: str) -> Node:
    """The root element of XML text."""
    if not raw.strip():
        raise FileError("is empty", file=file, hint="Is this the right file?")
    reading = _Reading(file)
    try:
        reading.parser.Parse(raw, True)
    except expat.ExpatError as err:
        raise FileError(
            f"is not well-formed XML: {expat.ErrorString(err.code)}",
            file=file,
            line=err.lineno,
            hint="Mend the element that ends or begins there: every tag is closed, & is &amp;.",
        ) from err
    if reading.root is None:
        raise FileError("holds no element", file=file)
    return reading.root


class _Reading:
    """Handlers of the parser, which refuse what an honest file does not have."""

    def __init__(self, file: str) -> None:
        self.file, self.count = file, 0
        self.root: Node | None = None
        self.open: list[Node] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._entity
        self.parser.UnparsedEntityDeclHandler = self._entity
        self.parser.ExternalEntityRefHandler = self._entity
        self.parser.SkippedEntityHandler = self._entity
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def _refuse(self, message: str, hint: str) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise FileError(message, file=self.file, line=line, hint=hint)

    def _doctype(self, name: str, system: str | None, public: str | None, inner: int) -> None:
        if system or public or inner:
            self._refuse("declares a document type, which robot files have not", _BOMB)

    def _entity(self, *_: Any) -> int:
        self._refuse("declares entities, which could read other files or grow without end", _BOMB)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) >= DEEPEST or self.count > MOST:
            what = f"{DEEPEST} elements deep" if len(self.open) >= DEEPEST else f"{MOST} elements"
            self._refuse(f"holds more than {what}", "Is this the right file?")
        tag = name.rpartition(":")[2] if not name.startswith("xacro:") else name
        if tag.startswith("xacro:"):
            self._refuse(
                f"is xacro, not a robot yet: <{name}>",
                "Expand it first: 'xacro FILE > robot.urdf' (ROS), then load robot.urdf.",
            )
        node = Node(tag, attributes, self.file, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)

    def _end(self, _: str) -> None:
        self.open.pop()

    def _data(self, text: str) -> None:
        if self.open:
            self.open[-1].text += text
