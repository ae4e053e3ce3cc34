"""Progress that is told while one waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from gough.errors import InputError, shown

Progress = Callable[[float], None]


def telling(progress: Any) -> Progress:
    """What is told the share done; nobody, if nobody asks."""
    if progress is None:
        return lambda _share: None
    if not callable(progress):
        raise InputError(
            f"progress is {shown(progress)}, expected a function of the share done",
            argument="progress",
        )
    return cast("Progress", progress)
