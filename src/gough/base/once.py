"""What is worked out once and kept, however many threads ask for it at the same time."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Hashable, MutableMapping
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast, overload

from gough.base.blas_threads import one_thread

A = TypeVar("A")
P = ParamSpec("P")
T = TypeVar("T")


class _Making:
    """A lock for one thing that is being made, and how many threads hold it or wait for it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # a maker that asks for its own result recurses, as ever
        self.asking = 0


_GUARD = threading.Lock()
_MAKING: dict[tuple[int, Hashable], _Making] = {}


def once(table: MutableMapping[Any, T], key: Hashable, make: Callable[[], T]) -> T:
    """An entry of a table, made on first demand by one thread while the others wait for it.

    There is a lock for each entry, not for the table: makers ask for other entries, also through
    threads that they start, and a thread waits only for the entry it needs.  Locks are not kept
    with the table, so that its owner can be copied.

    Args:
        table: what is kept.
        key: of the entry.
        make: works it out; what it raises goes to the thread that called it, and the next one
            tries again.
    """
    try:
        return table[key]
    except KeyError:
        pass
    place = (id(table), key)
    with _GUARD:
        making = _MAKING.setdefault(place, _Making())
        making.asking += 1
    try:
        with making.lock:
            if key not in table:
                with one_thread():
                    table[key] = make()
            return table[key]
    finally:
        with _GUARD:
            making.asking -= 1
            if not making.asking:
                del _MAKING[place]


class Facts(dict[Hashable, Any]):
    """What is known of a value, by the functions that found it; a pickle finds it again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Facts, ()


def find_fact(about: Any, key: Hashable, make: Callable[[Any], T], table: str = "_facts") -> T:
    """What is kept with a value as it is described, found on first demand."""
    about = getattr(about, "described", about)
    kept: dict[Hashable, T] = vars(about).setdefault(table, Facts())
    return once(kept, key, lambda: make(about))


def tell_fact(about: Any, fact: Callable[..., T], value: T, table: str = "_facts") -> None:
    """Let a fact be known of a value without being looked for."""
    vars(about).setdefault(table, Facts())[(inspect.unwrap(fact),)] = value


def known_of(
    layer: type[A], *, shared: bool = False
) -> Callable[[Callable[Concatenate[A, P], T]], Callable[Concatenate[A, P], T]]:
    """Keep what a function finds out about a value with that value: it is found once.

    A table in the function's own room would keep every value alive.  What else the function is
    given tells facts apart: it must be hashable, and there must be few of them.

    Args:
        layer: type of the first argument.  Its ``described`` is what facts are found and kept of.
        shared: whether a fact is about the geometry, which other values may share.
    """
    table = "_shared" if shared else "_facts"

    def declare(function: Callable[Concatenate[A, P], T]) -> Callable[Concatenate[A, P], T]:
        @wraps(function)
        def fact(about: Any, *args: Any) -> T:
            key = (function, *args)
            return find_fact(about, key, lambda a: function(a, *args), table)  # type: ignore[call-arg]

        return cast(Callable[Concatenate[A, P], T], fact)

    return declare


class once_property(cached_property[T]):
    """A cached property that is worked out by one thread only, in every version of Python."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...
    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        """The value; kept in the instance's dictionary, where it is found from then on."""
        if instance is None:
            return self
        return once(vars(instance), self.attrname, lambda: self.func(instance))
