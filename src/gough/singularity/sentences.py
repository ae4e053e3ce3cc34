"""Reports of progress during long computations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from gough.errors import InputError, shown

Progress = Callable[[float], None]


def reporter(progress: Any) -> Progress:
    """The function to call with the share done, 0 to 1; one that does nothing for ``None``."""
    if progress is None:
        return lambda _share: None
    if not callable(progress):
        raise InputError(
            f"progress is {shown(progress)}, expected a function of the share done",
            argument="progress",
        )
    return cast("Progress", progress)
