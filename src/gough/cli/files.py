"""Files that commands write: refused before any work is done, written whole or not at all."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gough.errors import FileError, InputError

PICTURES = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".eps", ".ps")
"""Endings of pictures, as matplotlib draws them."""


def check_files(*, force: bool, **files: Path | None) -> dict[str, Path]:
    """Files that a command shall write, by what they hold, refused if they cannot be or are there.

    A ``picture`` gets an ending if it has none; ``report`` and ``page`` are pages, all others are
    tables.
    """
    from gough.base.tables import check_format
    from gough.base.tables.whole import check_place

    asked = {what: path for what, path in files.items() if path is not None}
    for what, path in asked.items():
        if what == "picture":
            asked[what] = path if path.suffix or path.is_dir() else Path(f"{path}.png")
            check_picture(asked[what])
        elif what not in ("report", "page"):
            check_format(path)
        elif path.suffix.lower() not in (".html", ".htm"):
            raise FileError(f"is no {what}", file=str(path), hint=f"A {what} is a file of .html.")
    for path in asked.values():
        check_place(path, force=force)
    return asked


def check_robot_and_tables(
    output: Path | None, *, force: bool, **others: Path | None
) -> dict[str, Path]:
    """A robot and other files to write, by what they hold, each under a name of its own."""
    from gough.base.tables.whole import check_place

    found = check_files(force=force, **others)
    if output is not None:
        check_place(output, force=force)
        found = {"robot": output, **found}
    names: dict[Path, str] = {}
    for what, path in found.items():
        other = names.setdefault(path.resolve(), what)
        if other != what:
            raise InputError(f"{other} and {what} name the same file, {path}", argument=what)
    return found


def check_picture(path: Path) -> None:
    """Refuse a picture whose ending nobody can draw, before any work is done."""
    if not path.is_dir() and path.suffix.lower() not in PICTURES:
        raise FileError(
            f"is no picture: its ending is {path.suffix}",
            file=str(path),
            hint=f"Endings of pictures are {', '.join(PICTURES)}.",
        )


def save_picture(draw: Callable[[], Any], path: Path, dpi: float = 200.0) -> None:
    """Save what is drawn into a file by its ending, which appears whole or not at all."""
    from gough.base.tables import write_whole

    stream = io.BytesIO()
    try:
        draw().savefig(stream, format=path.suffix[1:].lower(), dpi=dpi)
    except ValueError as err:
        if type(err) is not ValueError:
            raise  # ours, or another story
        raise FileError(str(err), file=str(path), hint="Name a picture: robot.png.") from err
    write_whole(path, stream.getvalue())


def typed() -> str:
    """The command as it was typed, for reports."""
    return " ".join(["gough", *sys.argv[1:]])
