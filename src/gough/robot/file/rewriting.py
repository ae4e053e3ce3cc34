"""A file of an older version written as one of the newest; everything else in it stays."""

from __future__ import annotations

import os
import re

from gough.base.tables.whole import write_whole
from gough.errors import FileError
from gough.robot.file.document import Document, parse, parse_file
from gough.robot.file.reading import reads
from gough.robot.file.text import file_name
from gough.robot.file.versions import VERSION

_KEY = re.compile(r"""(["']?gough["']?\s*:\s*)[0-9]+(?![0-9.])""")


def rewrite(path: str | os.PathLike[str], to: str | os.PathLike[str] | None = None) -> int:
    """Write a robot file in the newest version of the format.

    A newer version has all keys of those before it, so only the number at the top is changed:
    comments, order and spelling stay.  Nothing is written if the new file would not be read.

    Args:
        path: of the file.
        to: another place to write to; without it the file is replaced.

    Returns:
        The version it had.

    Raises:
        FileError: it is no robot file, or would be none.
    """
    text, document = parse_file(path)
    data = document.data
    version = data.get("gough") if isinstance(data, dict) else None
    if type(version) is not int or not 1 <= version <= VERSION:
        reads(text, os.fspath(path))  # says what is wrong with it
    new = _upgraded(text, document)
    reads(new, os.fspath(path))
    write_whole(file_name(path if to is None else to), new.encode())
    return int(version or 0)


def _upgraded(text: str, document: Document) -> str:
    """The text with another number at the key ``gough``."""
    place = document.place("gough")
    lines = text.split("\n")
    line, start = lines[place.line - 1], place.column - 1
    found = _KEY.match(line, start)
    if found is not None:
        lines[place.line - 1] = f"{line[:start]}{found[1]}{VERSION}{line[found.end() :]}"
    new = "\n".join(lines)
    if parse(new, document.file).data != {**document.data, "gough": VERSION}:
        raise FileError(
            "the version is not written on one line with its key",
            file=document.file,
            line=place.line,
            path="gough",
            hint=f"Write 'gough: {VERSION}' there by hand.",
        )
    return new
