"""Parts of a description: the right kind of object in the right place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from gough.errors import DescriptionError
from gough.robot.names import shown

T = TypeVar("T")


def check_part(value: Any, kind: type[T], path: str) -> T:
    """An object of the kind that is expected."""
    if not isinstance(value, kind):
        raise DescriptionError(f"expected a {kind.__name__}, got {shown(value)}", path=path)
    return value


def check_parts(values: Any, kind: type[T], path: str) -> tuple[T, ...]:
    """A sequence of such objects; a text is not a sequence of names."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise DescriptionError(f"expected a list, got {shown(values)}", path=path)
    return tuple(check_part(value, kind, f"{path}[{i}]") for i, value in enumerate(values))
