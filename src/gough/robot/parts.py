"""Parts of a description: the right kind of object in the right place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from gough.errors import DescriptionError, shown

T = TypeVar("T")


class FrozenDict(dict[str, T]):
    """A dictionary that is part of a frozen description."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a description is frozen: make another one with dataclasses.replace")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = _refuse
    __ior__ = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> Any:
        return (type(self), (dict(self),))


def settle(part: object, **fields: Any) -> None:
    """Puts checked values into a frozen part while it is made."""
    for name, value in fields.items():
        object.__setattr__(part, name, value)


def check_part(value: Any, kind: type[T], path: str) -> T:
    """An object of the kind that is expected."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise DescriptionError(f"expected {article} {kind.__name__}, got {shown(value)}", path=path)
    return value


def check_parts(values: Any, kind: type[T], path: str) -> tuple[T, ...]:
    """A sequence of such objects; a text is not a sequence of names."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise DescriptionError(f"expected a list, got {shown(values)}", path=path)
    return tuple(check_part(value, kind, f"{path}[{i}]") for i, value in enumerate(values))
