"""From YAML events to a tree of values, safely.

Without recursion and with everything counted, so that a hostile file (deep nesting, alias bomb,
tags that build objects, keys that overwrite) is refused before anything is made of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from gough.errors import FileError, shown
from gough.robot.file.paths import from_steps, printable
from gough.robot.file.scalars import join_surrogates, resolve

DEEPEST = 16
"""Most levels of a file; an honest one has eight."""
LARGEST = 70_000
"""Most values of a file, aliases written out; the largest robot has 64 000."""
MOST_ALIASES = 100
LONGEST_KEY = 128


@dataclass(frozen=True, order=True)
class Place:
    """Where a key or value begins; lines and columns count from 1."""

    line: int
    column: int


@dataclass
class Node:
    """A value with its place; ``parts`` are the nodes of a mapping or sequence."""

    value: Any
    place: Place
    parts: dict[str, Node] | list[Node] | None = None
    size: int = 1
    height: int = 1
    anchor: str | None = None


@dataclass
class _Level:
    """A mapping or sequence whose end has not come yet, and the key whose value is awaited."""

    node: Node
    key: str | None = None
    key_place: Place = field(default_factory=lambda: Place(1, 1))

    @property
    def wants_key(self) -> bool:
        return isinstance(self.node.parts, dict) and self.key is None


@dataclass
class Composer:
    """Takes the events of one document; ``root`` is its tree when they are through."""

    file: str
    root: Node | None = None
    _levels: list[_Level] = field(default_factory=list)
    _anchors: dict[str, Node] = field(default_factory=dict)
    _documents: int = 0
    _aliases: int = 0
    _size: int = 0

    def take(self, event: Event) -> None:
        """One event."""
        place = Place(event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, DocumentStartEvent):
            self._start_document(event, place)
        elif isinstance(event, AliasEvent):
            self._add(self._aliased(str(event.anchor), place))
        elif isinstance(event, NodeEvent):
            self._start_node(event, place)
        elif isinstance(event, CollectionEndEvent):
            self._add(self._levels.pop().node)

    def _start_document(self, event: DocumentStartEvent, place: Place) -> None:
        self._documents += 1
        if self._documents > 1:
            self._refuse("a second document begins here", place, "One robot a file: remove '---'.")
        if event.tags or event.version not in (None, (1, 2)):
            self._refuse("directives other than '%YAML 1.2' are not part of this format", place)

    def _start_node(self, event: NodeEvent, place: Place) -> None:
        tag = getattr(event, "tag", None)  # the base class does not promise it
        if tag is not None:
            message = f"the tag {shown(str(tag))} is not allowed"
            self._refuse(message, place, "Remove it: plain data only.")
        self._count(1, place)
        anchor = event.anchor
        if isinstance(event, ScalarEvent):
            text, plain = join_surrogates(event.value), event.style is None
            if plain and text == "<<" and self._wants_key:
                self._refuse("merge keys (<<) are not part of this format", place)
            self._add(Node(resolve(text) if plain else text, place, anchor=anchor))
        elif isinstance(event, MappingStartEvent):
            self._open(Node({}, place, {}, anchor=anchor))
        elif isinstance(event, SequenceStartEvent):
            self._open(Node([], place, [], anchor=anchor))

    def _open(self, node: Node) -> None:
        if self._wants_key:
            self._refuse("a key must be a name, not a list or mapping", node.place)
        if len(self._levels) >= DEEPEST:
            self._refuse(f"is nested more than {DEEPEST} deep", node.place)
        self._levels.append(_Level(node))

    def _aliased(self, name: str, place: Place) -> Node:
        self._aliases += 1
        if self._aliases > MOST_ALIASES:
            self._refuse(f"there are more than {MOST_ALIASES} aliases", place)
        if name not in self._anchors:
            self._refuse(f"the alias {shown(name)} stands for nothing complete above it", place)
        target = self._anchors[name]
        self._count(target.size, place)
        if len(self._levels) + target.height - 1 > DEEPEST:
            self._refuse(f"is nested more than {DEEPEST} deep, aliases written out", place)
        # its parts keep the lines where they are written: that is where to mend them
        return replace(target, place=place, anchor=None)

    def _add(self, node: Node) -> None:
        """Puts a complete node where it belongs: root, key, item or value."""
        if node.anchor is not None:
            self._anchors[node.anchor] = node
        if not self._levels:
            self.root = node
            return
        level = self._levels[-1]
        parent = level.node
        if level.wants_key:
            self._take_key(level, node)
            return
        parent.size += node.size
        parent.height = max(parent.height, node.height + 1)
        if isinstance(parent.parts, list):
            parent.parts.append(node)
            parent.value.append(node.value)
        elif isinstance(parent.parts, dict) and level.key is not None:
            parent.parts[level.key] = replace(node, place=level.key_place)
            parent.value[level.key] = node.value
            level.key = None

    def _take_key(self, level: _Level, node: Node) -> None:
        key, place = node.value, node.place
        if not isinstance(key, str):
            self._refuse(
                f"a key must be a name, {shown(key)} is none",
                place,
                "Put it between quotes if it is meant as one.",
            )
        if len(key) > LONGEST_KEY:
            self._refuse(f"a key has {len(key)} characters, more than {LONGEST_KEY}", place)
        if isinstance(level.node.parts, dict) and key in level.node.parts:
            first = level.node.parts[key].place.line
            level.key = key
            self._refuse(
                f"this key stands twice, on lines {first} and {place.line}",
                place,
                "Remove or rename one of them.",
            )
        level.key, level.key_place = key, place

    @property
    def _wants_key(self) -> bool:
        return bool(self._levels) and self._levels[-1].wants_key

    def _count(self, size: int, place: Place) -> None:
        self._size += size
        if self._size > LARGEST:
            self._refuse(f"there are more than {LARGEST} values, aliases written out", place)

    def _refuse(self, message: str, place: Place, hint: str = "") -> NoReturn:
        path = printable(from_steps(self._steps()))
        text = f"{path}: {message}" if path else message
        raise FileError(text, file=self.file, line=place.line, path=path, hint=hint)

    def _steps(self) -> list[str | int]:
        steps = [
            len(level.node.parts) if isinstance(level.node.parts, list) else level.key
            for level in self._levels
        ]
        return [step for step in steps if step is not None]
