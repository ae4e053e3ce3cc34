"""Threads that do the same at the same time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


def together(count: int, work: Callable[[int], T]) -> list[T]:
    """What ``work(0)``, ``work(1)``, ... answer, each in a thread of its own, begun as one."""
    gate = threading.Barrier(count)

    def one(k: int) -> T:
        gate.wait(timeout=60.0)
        return work(k)

    with _often(), ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


@contextmanager
def _often() -> Iterator[None]:
    """Threads take turns every few instructions, so that what they share unsafely is found."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
