"""``gough.options``: which engine answers and how many threads it takes, for a block of code."""

from __future__ import annotations

import inspect
import os
from contextlib import ContextDecorator
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any, Literal, NamedTuple

from gough.base.arguments import one_of, whole
from gough.errors import InputError, shown

Engine = Literal["auto", "compiled", "numpy"]
ENGINES = ("auto", "compiled", "numpy")


class Chosen(NamedTuple):
    """Options that hold in a thread.

    Attributes:
        engine: of functions of states.
        threads: most threads for a large batch; ``None``: all cores.
    """

    engine: Engine
    threads: int | None


_CHOSEN: ContextVar[tuple[Chosen, ...]] = ContextVar("gough options", default=())
"""Options of the blocks that are open in this thread or task, the innermost last."""


def chosen() -> Chosen:
    """Options that hold here; those of the environment where no block says otherwise."""
    blocks = _CHOSEN.get()
    return blocks[-1] if blocks else from_environment()


@cache
def from_environment() -> Chosen:
    """Options of the environment variables ``GOUGH_ENGINE`` and ``GOUGH_THREADS``."""
    engine = os.environ.get("GOUGH_ENGINE", "").strip() or "auto"
    threads = os.environ.get("GOUGH_THREADS", "").strip()
    if engine not in ENGINES:
        raise InputError(
            f"the environment variable GOUGH_ENGINE is {shown(engine)}, expected "
            f"{', '.join(ENGINES)}",
            argument="engine",
        )
    if threads and not (threads.isdecimal() and int(threads) > 0):
        raise InputError(
            f"the environment variable GOUGH_THREADS is {shown(threads)}, expected a whole number "
            "of at least 1",
            argument="threads",
        )
    return Chosen(engine, int(threads) if threads else None)  # type: ignore[arg-type]


class options(ContextDecorator):
    """Choose engine and threads for a block of code: ``with gough.options(engine="compiled"):``.

    Blocks nest: what is not given stays as it is outside.  Each thread and each task of asyncio has
    its own; a new thread begins with the environment variables ``GOUGH_ENGINE`` and
    ``GOUGH_THREADS``.  It decorates functions and coroutines as well.  A generator that gives way
    within a block leaves it open for its caller: put blocks around what a generator calls.

    Args:
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: NumPy for a few states, interpreted
            programs for small batches, compiled once that pays.  They agree to rounding.
        threads: most threads for a large batch.

    Raises:
        InputError: an engine that is not known, or no number of threads.
    """

    def __init__(self, engine: Engine | None = None, *, threads: int | None = None) -> None:
        if engine is not None:
            one_of(engine, "engine", ENGINES)
        if threads is not None:
            whole(threads, "threads", least=1)
        self._engine, self._threads = engine, threads

    def __repr__(self) -> str:
        given = {"engine": self._engine, "threads": self._threads}
        listed = ", ".join(
            f"{name}={value!r}" for name, value in given.items() if value is not None
        )
        return f"<gough.options({listed}): holds in a with block, or for a function it decorates>"

    def __enter__(self) -> Chosen:
        engine, threads = self._engine, self._threads
        if engine is None or threads is None:
            outside = chosen()
            engine = outside.engine if engine is None else engine
            threads = outside.threads if threads is None else threads
        inside = Chosen(engine, threads)
        _CHOSEN.set((*_CHOSEN.get(), inside))
        return inside

    def __exit__(self, *error: Any) -> None:
        _CHOSEN.set(_CHOSEN.get()[:-1])

    def __call__(self, function: Any) -> Any:
        """A function that runs in such a block, a coroutine as well."""
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise InputError(
                f"options: {function.__name__} is a generator, which gives way in between",
                hint="Put the block around what the generator calls.",
                argument="function",
            )
        if inspect.isclass(function):
            raise InputError(
                f"options: {function.__name__} is a class, which would become a function",
                hint="Decorate its methods.",
                argument="function",
            )
        if not inspect.iscoroutinefunction(function):
            return super().__call__(function)

        @wraps(function)
        async def inner(*arguments: Any, **named: Any) -> Any:
            with self:
                return await function(*arguments, **named)

        return inner
