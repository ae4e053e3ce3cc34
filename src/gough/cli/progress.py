"""Bars on long work: on stderr, for a terminal, and gone when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gough.errors import visible

Progress = Callable[[float], None]


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """A function to call with the share done, 0 to 1; it prints only to a terminal."""
    if not sys.stderr.isatty():
        yield lambda _share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(visible(label), total=1.0)
        yield lambda share: bars.update(task, completed=min(max(share, 0.0), 1.0))
