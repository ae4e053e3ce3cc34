"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path
from typing import Any

from gough.errors import FileError, InputError, shown

_WRITE_HINT = "Does the folder exist, may you write there, is there room?"


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file that appears whole or not at all, and keeps its permissions.

    Raises:
        FileError: it cannot be written.
    """
    file = file_name(path)
    try:
        target = Path(file).resolve()
        draft = target.with_name(f".{secrets.token_hex(8)}.tmp")
        try:
            with draft.open("xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                shutil.copymode(target, draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, ValueError) as err:
        reason = getattr(err, "strerror", None) or "this is not a path"
        raise FileError(f"cannot be written: {reason}", file=file, hint=_WRITE_HINT) from err


def file_name(path: Any) -> str:
    """A path as text; anything that is no path is refused."""
    found = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(found, str):
        raise InputError(f"expected the path of a table, got {shown(path)}", argument="path")
    return found
