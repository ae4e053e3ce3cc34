"""Files read with bounds, and written so that they appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Any

from gough.errors import FileError, InputError, shown

_WRITE_HINT = "May you write there, is there room?"


def write_whole(path: str | os.PathLike[str], content: bytes, *, mode: int | None = None) -> None:
    """Write a file that appears whole or not at all, and keeps its permissions.

    Folders above it are made if they are not there.

    Args:
        path: of the file.
        content: of the file.
        mode: permissions of the file; those of the file that is replaced if not given.

    Raises:
        FileError: it cannot be written.
    """
    file = file_name(path)
    try:
        target = Path(file).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f".{secrets.token_hex(8)}.tmp")
        try:
            with draft.open("xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if mode is not None:
                draft.chmod(mode)
            elif target.exists():
                shutil.copymode(target, draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, ValueError) as err:
        reason = getattr(err, "strerror", None) or "this is not a path"
        if isinstance(err, FileExistsError):  # of a folder that should be made
            reason = "a file stands where its folder should be"
        raise FileError(f"cannot be written: {reason}", file=file, hint=_WRITE_HINT) from err


def check_place(path: Path, *, force: bool) -> None:
    """Refuse a file that cannot be written, or is there already, before any work is done.

    Args:
        path: of the file; folders above it that are missing are made when it is written.
        force: whether a file that is there may be replaced.

    Raises:
        FileError: says what is in the way.
    """
    if path.is_dir():
        raise FileError("is a folder", file=str(path), hint="Name a file in it.")
    if path.exists() and not force:
        raise FileError("exists already", file=str(path), hint="Choose another name, or --force.")
    check_folder(path.absolute().parent, path)


def check_folder(folder: Path, file: Path | None = None) -> None:
    """Refuse a folder that is there and cannot be written to, or is not and cannot be made.

    Args:
        folder: which is made when something is written into it.
        file: that shall be written there, for messages; the folder itself if not given.

    Raises:
        FileError: says what is in the way.
    """
    place = str(folder if file is None else file)
    above = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not above.is_dir():
        raise FileError(
            f"cannot be written: {above.name} is not a folder", file=place, hint=_WRITE_HINT
        )
    if not os.access(above, os.W_OK | os.X_OK):
        raise FileError(
            f"cannot be written: no permission to write into {above}", file=place, hint=_WRITE_HINT
        )
    try:
        with tempfile.TemporaryFile(dir=above):  # folders of the system have no room for files
            pass
    except OSError as err:
        raise FileError(
            f"cannot be written: {above} takes no file ({err.strerror})",
            file=place,
            hint=_WRITE_HINT,
        ) from err


def make_folder(path: Path, hint: str) -> None:
    """Make a folder, and those above it, if it is not there.

    Raises:
        FileError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as err:
        reason = getattr(err, "strerror", None) or "this is not a path"
        raise FileError(f"cannot be made: {reason}", file=str(path), hint=hint) from err


def read_bounded(file: str, most: int, what: str) -> tuple[bytes, int]:
    """Bytes of a file, at most one more than ``most``, and how many it has.

    Args:
        file: its path.
        most: bytes of an honest file.
        what: is expected, for messages.

    Raises:
        FileError: there is none, or it cannot be read.
    """
    try:
        status, raw = Path(file).stat(), b""
        if stat.S_ISREG(status.st_mode):
            with Path(file).open("rb") as stream:
                raw = stream.read(most + 1)  # it may have grown since
    except FileNotFoundError as err:
        hint = "Check the path; a relative one starts at the current folder."
        raise FileError("there is no such file", file=file, hint=hint) from err
    except OSError as err:
        raise FileError(f"cannot be read: {err.strerror}", file=file) from err
    except ValueError as err:  # a NUL in the path
        raise FileError("is not a path", file=ascii(file)) from err
    if not stat.S_ISREG(status.st_mode):
        raise FileError("is not a file", file=file, hint=f"Give the path of one {what}.")
    return raw, max(status.st_size, len(raw))


def decoded(raw: bytes, file: str, binary: str, hint: str) -> str:
    """Text of UTF-8 bytes, with or without a byte order mark.

    Args:
        raw: the bytes.
        file: they are from, for messages.
        binary: what is said of a file with NUL bytes.
        hint: what it should be.
    """
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError("is UTF-16 text", file=file, hint="Save it as UTF-8.")
    if b"\0" in raw:
        line = raw.count(b"\n", 0, raw.index(b"\0")) + 1
        raise FileError(f"holds NUL bytes: {binary}", file=file, line=line, hint=hint)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        raise FileError(
            f"byte 0x{raw[err.start]:02x} is not UTF-8 text",
            file=file,
            line=raw.count(b"\n", 0, err.start) + 1,
            hint="Likely: saved as Latin-1 (Windows-1252), or not a text file. Save it as UTF-8.",
        ) from err


def file_name(path: Any, what: str = "table", hint: str = "") -> str:
    """A path as text; anything that is no path, of ``what`` is expected, is refused."""
    found = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(found, str):
        message = f"expected the path of a {what}, got {shown(path)}"
        raise InputError(message, hint=hint, argument="path")
    return found
