"""Work on many postures in pieces, on all cores."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from gough.base.blas_threads import one_thread
from gough.base.progress import Progress
from gough.compiler.machine_code.kernel import cores

AT_ONCE = 256
"""Postures that are computed together: enough for Python's own time not to count."""


def in_pieces(
    work: Callable[[slice], None],
    count: int,
    progress: Progress = lambda _: None,
    threads: int | None = None,
) -> None:
    """Call a function with every piece of a batch; NumPy lets go of the others meanwhile.

    Args:
        work: done with each piece.
        count: of all.
        progress: called with the share done, 0 to 1.
        threads: most threads; all cores if not given.
    """
    pieces = [slice(k, min(k + AT_ONCE, count)) for k in range(0, count, AT_ONCE)]
    workers = min(cores() if threads is None else threads, max(len(pieces), 1))
    with one_thread(), ThreadPoolExecutor(workers) as pool:
        for k, _ in enumerate(pool.map(work, pieces), start=1):
            progress(k / len(pieces))
