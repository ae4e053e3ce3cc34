"""Configuration files of Klipper: sections of keys and values, and the block that it saves itself.

A file is read as Klipper does.  ``#`` begins a comment anywhere, ``;`` at the start of a line or
after a space; indented lines continue a value; of values given twice the later one counts;
``[include NAME]`` puts another file there.  The last lines may be the SAVE_CONFIG block, behind
``#*#``; a key that stands above the block as well counts there.  Nothing in a file is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gough.base.arguments import read_number
from gough.base.tables.whole import decoded, file_name, read_bounded
from gough.errors import FileError, shown, warn

LARGEST_FILE = 2**20
"""Most bytes of a file; a long configuration has 50 thousand."""

MOST_FILES = 100
"""Most files that are included, in all."""

HEADER = (
    "#*# <---------------------- SAVE_CONFIG ---------------------->",
    "#*# DO NOT EDIT THIS BLOCK OR BELOW. The contents are auto-generated.",
    "#*#",
)
"""Lines at which the SAVE_CONFIG block begins."""

_PREFIX = "#*#"
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.A)
_COMMENT = re.compile(r"#.*|(?:^|(?<=\s));.*")
_SECTION = re.compile(r"\[(.+)\]")
_OPTION = re.compile(r"([^=:]+?)\s*[=:]\s*(.*)")
_WHAT = "Klipper's printer.cfg is plain text in UTF-8."


class Statement(NamedTuple):
    """A header of a section, or a key with its value.

    Attributes:
        section: name of the section.
        key: in lower case; empty for the header itself.
        value: without comments and blank lines; its lines are joined by line feeds.
        file: where it stands.
        first: its first line, from 1.
        last: its last line.
    """

    section: str
    key: str
    value: str
    file: str
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Config:
    """A configuration, and the lines of its file.

    Args:
        file: path of the file.
        lines: of the file, in order, above the SAVE_CONFIG block.
        saved: lines of the block below its header, with their prefix; None if there is no block.
        statements: what Klipper reads; of those with the same key the last one counts.
        entries: those that count, by section and key; headers of sections with an empty key.
        end: what ends a line before its line feed: nothing, or a carriage return.
    """

    file: str
    lines: tuple[str, ...]
    saved: tuple[str, ...] | None
    statements: tuple[Statement, ...]
    entries: Mapping[tuple[str, str], Statement]
    end: str = ""

    def has(self, section: str, key: str) -> bool:
        """Whether there is such a key."""
        return (section, key) in self.entries

    def keys(self, section: str) -> list[str]:
        """Keys of a section, in order."""
        return [key for name, key in self.entries if name == section and key]

    def text(self, section: str, key: str, hint: str = "") -> str:
        """A value that must be there."""
        statement = self.entries.get((section, key))
        if statement is None:
            header = self.entries.get((section, ""))
            raise FileError(
                f"[{section}] has no {key}" if header else f"there is no section [{section}]",
                file=header.file if header else self.file,
                line=header.first if header else None,
                path=f"{section}.{key}",
                hint=hint,
            )
        return statement.value

    def number(
        self,
        section: str,
        key: str,
        default: float | None = None,
        *,
        above: float | None = None,
    ) -> float:
        """A finite number, above a bound if one is given; the default where the key is missing."""
        if default is not None and not self.has(section, key):
            return default
        found = self.numbers(section, key, self.text(section, key), 1)[0]
        if above is not None and found <= above:
            raise self.refused(section, key, f"must be above {above:g}, is {found:g}")
        return found

    def numbers(self, section: str, key: str, text: str, count: int) -> list[float]:
        """So many finite numbers of a value, with commas between them."""
        words = [word.strip() for word in text.split(",")] if count > 1 else [text]
        if len(words) != count or not all(_NUMBER.fullmatch(word) for word in words):
            wanted = "a number" if count == 1 else f"{count} numbers with commas between them"
            hint = "Decimals stand behind a point." if count == 1 and "," in text else ""
            raise self.refused(section, key, f"expected {wanted}, got {shown(text)}", hint)
        found = []
        for word in words:
            value, fault = read_number(float(word))
            if fault:
                raise self.refused(section, key, fault)
            found.append(value)
        return found

    def refused(self, section: str, key: str, message: str, hint: str = "") -> FileError:
        """The error of a value, which names file, line and key."""
        statement = self.entries.get((section, key))
        return FileError(
            f"{key} of [{section}]: {message}",
            file=statement.file if statement else self.file,
            line=statement.first if statement else None,
            path=f"{section}.{key}",
            hint=hint,
        )

    def saving(self, values: Mapping[tuple[str, str], str]) -> str:
        """Text of the file with values in its SAVE_CONFIG block, as Klipper saves them.

        The same keys above the block become comments, which is what Klipper does: they would count.
        All other lines stay as they are.

        Args:
            values: by section and key.

        Raises:
            FileError: a key stands in an included file, which Klipper refuses, too.
        """
        lines, saved = list(self.lines), list(self.saved or ())
        for statement in self.statements:
            if (statement.section, statement.key) not in values:
                continue
            if statement.file != self.file:
                raise self.refused(
                    statement.section,
                    statement.key,
                    "stands in an included file, over which SAVE_CONFIG has no power",
                    f"Move it to {Path(self.file).name}, or make a comment of it.",
                )
            if statement.last <= len(lines):
                for number in range(statement.first - 1, statement.last):
                    if _without_comment(lines[number]):
                        lines[number] = f"#{lines[number]}"
        for (section, key), value in values.items():
            saved = self._saved_with(saved, section, key, value)
        if self.saved is None:
            while lines and not lines[-1].strip():
                lines.pop()
            lines = [*lines[:-1], lines[-1].rstrip("\r") + self.end, self.end]
        header = [line + self.end for line in HEADER]
        return "\n".join([*lines, *header, *saved, ""])

    def _saved_with(self, saved: list[str], section: str, key: str, value: str) -> list[str]:
        """Lines of the block with one value set."""
        statements = _parsed([line[4:] for line in saved], self.file)
        line = f"{_PREFIX} {key} = {value}{self.end}"
        places = [s for s in statements if (s.section, s.key) == (section, key)]
        inside = [s.last for s in statements if s.section == section]
        if not inside:
            between = [_PREFIX + self.end] if saved else []
            return [*saved, *between, f"{_PREFIX} [{section}]{self.end}", line]
        if not places:
            return [*saved[: inside[-1]], line, *saved[inside[-1] :]]
        for again in reversed(places[1:]):
            del saved[again.first - 1 : again.last]
        return [*saved[: places[0].first - 1], line, *saved[places[0].last :]]


def read_config(path: object) -> Config:
    """A configuration from a file and those that it includes.

    Files are included from the folder of the file and folders in it; others are not read.

    Args:
        path: of the file.

    Raises:
        FileError: it is no configuration; says file and line.

    Warns:
        GoughWarning: files to be included are not there or lie elsewhere.
    """
    file = file_name(path, "printer.cfg")
    every = _lines(file)
    begins = _block(every, file)
    regular, saved = every[:begins], None
    below: list[Statement] = []
    if begins < len(every):
        saved = every[begins + len(HEADER) :]
        while saved and not saved[-1].strip():
            saved.pop()
        _check_saved(saved, file, begins + len(HEADER))
        below = _parsed([line[4:] for line in saved], file, begins + len(HEADER))
    files = _Files([], [])
    statements = (*below, *_included(_parsed(regular, file), (file,), files))
    if files.missed:
        warn(f"{file}: not read are included files that were not found: {', '.join(files.missed)}")
    entries = {(each.section, each.key): each for each in statements}
    end = "\r" if every[0].endswith("\r") else ""
    kept = None if saved is None else tuple(saved)
    return Config(file, tuple(regular), kept, statements, entries, end)


def _lines(file: str) -> list[str]:
    raw, size = read_bounded(file, LARGEST_FILE, "printer.cfg")
    if size > LARGEST_FILE:
        raise FileError(
            f"has more than {LARGEST_FILE} bytes", file=file, hint="Is this the right file?"
        )
    return decoded(raw, file, "it is no text", _WHAT).split("\n")


def _block(lines: Sequence[str], file: str) -> int:
    """Where the SAVE_CONFIG block begins; the number of lines if there is none."""
    for at, line in enumerate(lines):
        if not line.startswith(_PREFIX):
            continue
        head = tuple(each.rstrip("\r") for each in lines[at : at + len(HEADER)])
        if head != HEADER:
            raise FileError(
                f"a line begins with {_PREFIX}, but the SAVE_CONFIG block does not begin there",
                file=file,
                line=at + 1,
                hint="Klipper ignores a block whose header was changed. Its first lines are: "
                + " / ".join(HEADER),
            )
        return at
    return len(lines)


def _check_saved(saved: Sequence[str], file: str, before: int) -> None:
    for at, line in enumerate(saved):
        bare = line.rstrip("\r")
        if not bare.startswith(_PREFIX) or (len(bare) > 3 and bare[3] != " "):
            raise FileError(
                f"a line of the SAVE_CONFIG block does not begin with '{_PREFIX} '",
                file=file,
                line=before + at + 1,
                hint="Klipper ignores the whole block then. Move the line above the block.",
            )


def _without_comment(line: str) -> str:
    return _COMMENT.sub("", line).rstrip()


def _parsed(lines: Iterable[str], file: str, before: int = 0) -> list[Statement]:
    """Statements of lines, the first of which comes after so many others."""
    found: list[Statement] = []
    more: list[list[str]] = []  # lines of each value
    section, deep = "", 0
    for number, line in enumerate(lines, before + 1):
        text = _without_comment(line)
        bare = text.lstrip()
        if not bare:
            continue
        indent = len(text) - len(bare)
        if found and found[-1].key and indent > deep:
            more[-1].append(bare)
            found[-1] = found[-1]._replace(last=number)
            continue
        deep = indent
        if header := _SECTION.match(bare):
            section, key, value = header[1], "", ""
        elif (option := _OPTION.fullmatch(bare)) and section:
            key, value = option[1].lower(), option[2]
        else:
            raise FileError(
                "is neither [section] nor key = value" if section else "no [section] stands above",
                file=file,
                line=number,
                hint=_WHAT,
            )
        found.append(Statement(section, key, "", file, number, number))
        more.append([value])
    return [
        each._replace(value="\n".join(value).strip())
        for each, value in zip(found, more, strict=True)
    ]


class _Files(NamedTuple):
    """Files that have been included, and those that could not be; both lists grow."""

    read: list[str]
    missed: list[str]


def _included(
    statements: Sequence[Statement], way: tuple[str, ...], files: _Files
) -> list[Statement]:
    """Statements with those of included files in their places.

    Args:
        statements: of a file.
        way: files that led here, the last of which is this one.
        files: read so far.
    """
    found: list[Statement] = []
    for statement in statements:
        word, _, name = statement.section.partition(" ")
        if statement.key or word != "include":
            found.append(statement)
            continue
        matching = _matching(statement, name.strip())
        if matching is None:
            files.missed.append(f"{shown(name)} (line {statement.first} of {Path(way[-1]).name})")
        for other in matching or ():
            if any(Path(other).samefile(each) for each in way):
                raise FileError("a file includes itself", file=way[-1], line=statement.first)
            files.read.append(other)
            if len(files.read) > MOST_FILES:
                message = f"more than {MOST_FILES} files are included"
                raise FileError(message, file=way[-1], line=statement.first)
            found += _included(_parsed(_lines(other), other), (*way, other), files)
    return found


def _matching(statement: Statement, name: str) -> list[str] | None:
    """Files that an include means, in order; None for a file that is not there, or elsewhere."""
    folder, pattern = Path(statement.file).parent, Path(name)
    if not name or pattern.anchor or ".." in pattern.parts or "**" in name:
        return None
    try:
        files = islice(folder.glob(name), MOST_FILES + 1)
        found = sorted(str(each) for each in files if each.is_file())
    except (OSError, ValueError):  # no name of a file
        return None
    return found if found or re.search(r"[*?[]", name) else None
