"""A folder of the user's own that keeps what takes long to work out, for later processes.

It is trusted with machine code, so it is used only where nobody else can write into it.  Nothing
here raises an error: where a file is missing, unsafe or cannot be written, the answer is that there
is none, and the caller works it out again.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gough.base.tables.whole import write_whole
from gough.errors import FileError, warn

VARIABLE = "GOUGH_CACHE"
"""Environment variable: the path of the folder, or ``off``."""

MOST = 256 * 2**20
"""Bytes that all files together may have; beyond it, those that were not used longest go."""

_LEFT = 0.75  # share of MOST that is left then, so that not every new file has to remove one
_LARGEST = MOST // 8  # bytes of one file
_FILE = re.compile(r"[0-9a-f]{64}\.kernel")
_DRAFT = re.compile(r"\.[0-9a-f]{16}\.tmp")  # of write_whole, left behind by a process that died
_OLD_DRAFT = 3600.0  # no honest one is that old [s]
_READ = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):  # no links, no pipes; bytes on Windows
    _READ |= getattr(os, _flag, 0)
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_TOLD: set[Path] = set()
"""Folders of which it was said already that they are not used."""


class Entry(NamedTuple):
    """A file of the folder.

    Attributes:
        path: of the file.
        size: bytes.
        used: when it was written or read last [s since the epoch].
    """

    path: Path
    size: int
    used: float


def cache_place() -> Path | None:
    """The folder that the environment names, or the platform's own; ``None`` if switched off."""
    told = os.environ.get(VARIABLE, "").strip()
    if told.lower() == "off":
        return None
    try:
        return Path(told).expanduser().absolute() if told else _usual_place()
    except (OSError, RuntimeError, ValueError):  # there is no home, or no current folder
        return None


def _usual_place() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local", "gough/cache")
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/gough"
    told = Path(os.environ.get("XDG_CACHE_HOME", ""))  # a relative one is to be ignored
    return (told if told.is_absolute() else Path.home() / ".cache") / "gough"


def read_cached(name: str) -> bytes | None:
    """The content of a file of the cache; ``None`` if there is none that can be trusted.

    Args:
        name: 64 hexadecimal digits.
    """
    folder = cache_place()
    if folder is None or not is_safe(folder):
        return None
    path = _file(folder, name)
    try:
        # opened first and looked at then: nobody can put another file there in between
        with os.fdopen(os.open(path, _READ), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode) or _fault(status):
                return None
            if status.st_size > _LARGEST:
                return None
            content = stream.read(_LARGEST + 1)
    except OSError:
        return None
    if len(content) != status.st_size:
        return None
    try:
        os.utime(path)  # so that the oldest are those that nobody needs
    except OSError:
        pass
    return content


def write_cached(name: str, content: bytes) -> None:
    """Keep a file, if that is possible; it appears whole or not at all.

    Args:
        name: 64 hexadecimal digits.
        content: to be kept.
    """
    folder = cache_place()
    if folder is None or len(content) > _LARGEST:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_safe(folder):
            write_whole(_file(folder, name), content, mode=0o600)
            _trim(folder)
    except (OSError, FileError):  # read-only, full, or no folder
        return


def is_safe(folder: Path) -> bool:
    """Whether a folder is there that only this user can write into; says so once if it is not."""
    try:
        # a symbolic link must be ours as well as what it leads to
        fault = _fault(folder.lstat(), link=True) or _fault(folder.stat())
        if not folder.is_dir():
            fault = "is not a folder"
    except (OSError, ValueError):
        return False  # there is none yet, or it is not ours to look at
    if fault and folder not in _TOLD:
        _TOLD.add(folder)
        warn(
            f"compiled kernels are not kept on disk: {folder} {fault}. Make it a folder of your "
            f"own (chmod 700), or set {VARIABLE} to another one, or to 'off'."
        )
    return not fault


def entries(folder: Path) -> list[Entry]:
    """Files that the cache keeps in a folder, those that were not used longest first."""
    return sorted(_listed(folder, _FILE), key=lambda entry: entry.used)


def clear(folder: Path) -> int:
    """Remove the files of the cache, and nothing else; returns how many."""
    count = sum(_remove(entry.path) for entry in entries(folder))
    _remove_drafts(folder)
    return count


def _trim(folder: Path) -> None:
    """Remove the oldest files if all together have become too large."""
    size = sum(status.st_size for _, status in _seen(folder, _FILE))  # after every new file: quick
    if size <= MOST:
        return
    _remove_drafts(folder)
    for entry in entries(folder):
        if size <= _LEFT * MOST:
            return
        size -= entry.size if _remove(entry.path) else 0


def _remove_drafts(folder: Path) -> None:
    for entry in _listed(folder, _DRAFT):
        if time.time() - entry.used > _OLD_DRAFT:
            _remove(entry.path)


def _listed(folder: Path, names: re.Pattern[str]) -> Iterator[Entry]:
    for path, status in _seen(folder, names):
        yield Entry(Path(path), status.st_size, status.st_mtime)


def _seen(folder: Path, names: re.Pattern[str]) -> Iterator[tuple[str, os.stat_result]]:
    try:
        found = [each for each in os.scandir(folder) if names.fullmatch(each.name)]
    except OSError:
        return
    for each in found:
        try:
            status = each.stat(follow_symlinks=False)
        except OSError:  # another process has just removed it
            continue
        yield each.path, status


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:  # another process was faster, or reads it (Windows)
        return False
    return True


def _fault(status: os.stat_result, *, link: bool = False) -> str:
    """What is wrong with owner or mode; empty if nothing is.

    Windows has neither: there, the folder lies in the user's profile, which is closed to others.
    """
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & _OTHERS_MAY_WRITE and not (link and stat.S_ISLNK(status.st_mode)):
        return "can be written by other users"
    return ""


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.kernel"
