"""Small matrices on one thread: the threads of NumPy's linear algebra cost more than they save.

OpenBLAS, which NumPy brings along, starts its threads from about 60 rows on.  They wait for each
other by spinning: the singular values of a matrix of 78 rows take ten times as long on two threads
as on one.  No matrix of a robot is large enough to gain by them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import numpy as np

# as NumPy's wheels name them, with integers of 64 and of 32 bits; then the library's own names
_NAMES = (
    "scipy_openblas_{}_num_threads64_",
    "scipy_openblas_{}_num_threads",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)


class _Threads(NamedTuple):
    """How many threads the library uses for large matrices: functions that tell and set it."""

    get: Callable[[], int]
    set: Callable[[int], Any]


@cache
def _threads() -> _Threads | None:
    """Functions of the library that NumPy is linked with; none if it is another one."""
    try:
        # a name is looked for in the library and in those that it is linked with
        library = ctypes.CDLL(np.linalg._umath_linalg.__file__)
    except (AttributeError, OSError):
        return None
    for name in _NAMES:
        get, set_ = (getattr(library, name.format(verb), None) for verb in ("get", "set"))
        if get is not None and set_ is not None:
            return _Threads(get, set_)
    return None


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra inside the block starts no threads; afterwards it may as before.

    The number is the process's.  Where blocks of several threads overlap, the first to end allows
    threads again: the others may be slower, not wrong.
    """
    found = _threads()
    before = 1 if found is None else found.get()
    if found is None or before == 1:
        yield
        return
    found.set(1)
    try:
        yield
    finally:
        found.set(before)
