"""Errors of a scenario file with the place that causes them: file, line and key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gough.errors import DescriptionError, FileError, GoughError, InputError
from gough.robot.file.document import Document
from gough.robot.file.paths import join, printable

PAGE = "docs/scenarios.md lists every key with its unit and default."


@contextmanager
def at_key(document: Document, path: str) -> Iterator[None]:
    """Adds to errors raised inside the place in the file that causes them.

    Errors about another file, which name their own place, pass.
    """
    try:
        yield
    except FileError:
        raise
    except (InputError, DescriptionError) as err:
        inner = str(err.data.get("argument") or getattr(err, "path", ""))
        inner = inner.removeprefix(path).removeprefix(".")
        line = document.place(join(path, inner)).line
        # an argument that has the name of the key says where it is
        named = not path or err.message.startswith((f"{path}.", f"{path}:"))
        message = err.message if named else f"{printable(path)}: {err.message}"
        raise FileError(
            message, file=document.file, line=line, path=path, hint=err.hint or PAGE, **_kept(err)
        ) from err
    except GoughError as err:
        line = document.place(path).line
        message = f"{document.file}, line {line}: {printable(path)}: {err.message}"
        raise type(err)(message, hint=err.hint, **err.data) from err


def _kept(err: GoughError) -> dict[str, Any]:
    taken = ("file", "line", "path", "hint", "message")
    return {name: value for name, value in err.data.items() if name not in taken}
