"""From bytes to text: what is not a small UTF-8 text file is refused before anything parses it."""

from __future__ import annotations

import os
import re

from gough.base.tables import whole
from gough.errors import FileError, InputError, shown

LARGEST_FILE = 3 * 2**19
"""Most bytes of a robot file; room for the largest robot, whatever its names and figures."""

# Beyond control characters: line breaks of Unicode, which YAML 1.1 and 1.2 count differently, and
# the byte order mark; any of them may be in a string as an escape.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")

# The parser takes quadratic time over one long tag, and tags are refused in any case.
_LONG_TAG = re.compile(r"![^\s]{1000}")


def file_name(path: str | os.PathLike[str]) -> str:
    """A path as text; anything that is no path is refused."""
    return whole.file_name(path, "robot file", 'For instance gough.load("my_robot.yaml").')


def read_text(path: str | os.PathLike[str]) -> str:
    """Text of a file, decoded and checked."""
    file = file_name(path)
    raw, size = whole.read_bounded(file, LARGEST_FILE, "robot file")
    _check_size(size, file)
    return decode(raw, file)


def decode(raw: bytes, file: str) -> str:
    """Text of UTF-8 bytes, with or without a byte order mark; line ends become newlines."""
    _check_size(len(raw), file)
    hint = "A robot file is YAML or JSON, saved as UTF-8."
    return check_text(whole.decoded(raw, file, "it is not a text file", hint), file)


def check_text(text: str, file: str) -> str:
    """Text that may be parsed: small, not empty, without characters that do not belong there."""
    if not isinstance(text, str):
        raise InputError(f"expected the text of a robot file, got {shown(text)}", argument="text")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        _check_size(len(text.encode()), file)
    except UnicodeEncodeError as err:
        line = text.count("\n", 0, err.start) + 1
        raise FileError("holds half of a surrogate pair", file=file, line=line) from err
    if not text.strip():
        raise FileError("is empty", file=file, hint="A robot file begins with 'gough: 1'.")
    for pattern, what in ((_FORBIDDEN, "a control character"), (_LONG_TAG, "an endless tag")):
        found = pattern.search(text)
        if found:
            raise FileError(
                f"holds {what}" + (f", {found.group()!a}" if len(found.group()) == 1 else ""),
                file=file,
                line=text.count("\n", 0, found.start()) + 1,
                hint=r"In a quoted string such a character may be written as an escape: \u0007.",
            )
    return text


def _check_size(size: int, file: str) -> None:
    if size > LARGEST_FILE:
        raise FileError(
            f"has {size} bytes, a robot file has at most {LARGEST_FILE}",
            file=file,
            hint="Is this the right file?",
            size=size,
        )
