"""Reports of progress during long computations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

from gough.errors import InputError, shown

Progress = Callable[[float], None]
Item = TypeVar("Item")


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


def reported(items: Sequence[Item], progress: Progress | None) -> Iterator[Item]:
    """Items one after the other, the share done being reported between them."""
    for k, item in enumerate(items):
        if progress is not None:
            progress(k / len(items))
        yield item
    if progress is not None:
        progress(1.0)
