"""From bytes to text: what is not a small UTF-8 text file is refused before anything parses it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gough.errors import FileError, InputError, shown

LARGEST_FILE = 3 * 2**19
"""Most bytes of a robot file; room for the largest robot, whatever its names and figures."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")

# Beyond control characters: line breaks of Unicode, which YAML 1.1 and 1.2 count differently, and
# the byte order mark; any of them may stand in a string as an escape.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")

# The parser takes quadratic time over one long tag, and tags are refused in any case.
_LONG_TAG = re.compile(r"![^\s]{1000}")


def file_name(path: str | os.PathLike[str]) -> str:
    """A path as text; anything that is no path is refused."""
    found = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(found, str):
        raise InputError(
            f"expected the path of a robot file, got {shown(path)}",
            hint='For instance gough.load("my_robot.yaml").',
            argument="path",
        )
    return found


def read_text(path: str | os.PathLike[str]) -> str:
    """Text of a file, decoded and checked."""
    file = file_name(path)
    with _named_errors(file):
        status = Path(file).stat()
    if not stat.S_ISREG(status.st_mode):
        raise FileError("is not a file", file=file, hint="Give the path of one robot file.")
    _check_size(status.st_size, file)
    with _named_errors(file), Path(file).open("rb") as stream:
        raw = stream.read(LARGEST_FILE + 1)  # it may have grown since
    return decode(raw, file)


@contextmanager
def _named_errors(file: str) -> Iterator[None]:
    """Turns errors of the operating system into ours."""
    try:
        yield
    except FileNotFoundError as err:
        hint = "Check the path; a relative one starts at the current folder."
        raise FileError("there is no such file", file=file, hint=hint) from err
    except OSError as err:
        raise FileError(f"cannot be read: {err.strerror}", file=file) from err
    except ValueError as err:  # a NUL in the path
        raise FileError("is not a path", file=ascii(file)) from err


def decode(raw: bytes, file: str) -> str:
    """Text of UTF-8 bytes, with or without a byte order mark; line ends become newlines."""
    _check_size(len(raw), file)
    if raw.startswith(_UTF16):
        raise FileError("is UTF-16 text", file=file, hint="Save it as UTF-8.")
    if b"\0" in raw:
        raise FileError(
            "holds NUL bytes: it is not a text file",
            file=file,
            line=raw.count(b"\n", 0, raw.index(b"\0")) + 1,
            hint="A robot file is YAML or JSON, saved as UTF-8.",
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        raise FileError(
            f"byte 0x{raw[err.start]:02x} is not UTF-8 text",
            file=file,
            line=raw.count(b"\n", 0, err.start) + 1,
            hint="Likely: saved as Latin-1 (Windows-1252), or not a text file. Save it as UTF-8.",
        ) from err
    return check_text(text, file)


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
