"""Key paths such as ``joints.a_1.limits.position[0]``: joined, and made fit to print."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LONGEST = 200


def join(*parts: str) -> str:
    """Paths put end to end; empty ones vanish."""
    path = ""
    for part in parts:
        path += part if not path or not part or part.startswith("[") else f".{part}"
    return path


def from_steps(steps: Iterable[str | int]) -> str:
    """Path of keys and list positions."""
    return join(*(f"[{step}]" if isinstance(step, int) else step for step in steps))


def prefixes(path: str) -> list[str]:
    """The path and those above it, shortest first."""
    return [*(path[: at.start()] for at in re.finditer(r"[.\[]", path)), path]


def printable(path: str) -> str:
    """A path as it may appear in a message: keys of a hostile file are escaped and cut."""
    text = path if path.isprintable() else ascii(path)[1:-1]
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
