"""One call of a public function: by a kernel where that pays, by NumPy where a state needs it.

A kernel answers a whole batch and says which states it is not sure of.  Those are worked out again
by the NumPy reference, with pivots chosen for each, and only its verdict counts: the answer, or the
named error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, Literal, NamedTuple

import numpy as np

from gough.arguments import one_of
from gough.batch import OnError, check_on_error, leading_axes
from gough.dynamics.frozen import frozen_exactly
from gough.errors import GoughError, InputError, TraceError
from gough.kernels.compile import find_kernel
from gough.kernels.kernel import Kernel, check_threads
from gough.mobility.assembly import Assembly
from gough.tracing.states import Variant

Engine = Literal["auto", "compiled", "numpy"]
Arguments = Mapping[str, tuple[np.ndarray, int]]
Reference = Callable[..., Any]

LARGE = 64
"""States from which a kernel is compiled at once; smaller batches first use NumPy."""

_DOUBLE = np.dtype(np.float64)

PAYS = 0.5
"""Time in NumPy on one quantity of one robot after which its kernel is compiled [s]."""


class Options(NamedTuple):
    """How a call is to be answered.

    Attributes:
        engine: ``"auto"``, ``"compiled"`` or ``"numpy"``.
        on_error: what becomes of states that are refused.
        threads: most threads for a large batch; all cores if not given.
        out: array for the first output.
    """

    engine: Engine = "auto"
    on_error: OnError = "raise"
    threads: int | None = None
    out: np.ndarray | None = None


class _Kept(NamedTuple):
    """What an assembly remembers: kernels, time without, what has none, kernels without loads."""

    kernels: dict[Any, Kernel]
    spent: dict[Any, float]
    refused: set[Any]
    bare: dict[Any, Kernel]


def at_once(
    assembly: Assembly, key: tuple[Any, ...], arrays: Sequence[tuple[Any, tuple[int, ...]]]
) -> Any:
    """One state without loads, by a kernel that is there already; ``None`` for the long way."""
    kept: _Kept | None = vars(assembly).get("_kept", {}).get("kernels")
    kernel = None if kept is None else kept.bare.get(key)
    if kernel is None:
        return None
    for array, shape in arrays:
        if type(array) is not np.ndarray or array.shape != shape or array.dtype != _DOUBLE:
            return None
    value, doubt = kernel.one([array for array, _ in arrays])
    inconsistent, singular = doubt.tolist()
    good = inconsistent + singular < 1.0 and isfinite(sum(value.tolist()))
    return value if good else None


def answered(
    assembly: Assembly,
    quantity: str,
    variant: Variant | None,
    arguments: Arguments,
    reference: Reference,
    options: Options,
    suspects: np.ndarray | None = None,
) -> Any:
    """The answer to a call.

    Args:
        assembly: the robot.
        quantity: what is asked.
        variant: which kernel; ``None`` if only NumPy can answer.
        arguments: arrays and their core axes by name, those of the state first, then of loads.
        reference: the NumPy function of the same arrays; takes ``on_error``.
        options: how to answer.
        suspects: samples that the reference shall see in any case.
    """
    engine = options.engine
    check_engine(engine)
    check_on_error(options.on_error)
    check_threads(options.threads)
    kept: _Kept = assembly.once("kernels", lambda _: _Kept({}, {}, set(), {}))
    key = (quantity, variant)
    if variant is not None and engine != "numpy":
        kernel = kept.kernels.get(key)
        if kernel is None:
            states = int(np.prod(leading_axes(dict(arguments)), dtype=float))
            late = kept.spent.get(key, 0.0) > PAYS
            if engine == "compiled" or ((states >= LARGE or late) and key not in kept.refused):
                kernel = _built(assembly, quantity, variant, kept, key, engine)
        if kernel is not None:
            return _by_kernel(kernel, quantity, arguments, reference, options, suspects)
    start = time.perf_counter()
    try:
        found = reference(*(a for a, _ in arguments.values()), on_error=options.on_error)
    finally:
        kept.spent[key] = kept.spent.get(key, 0.0) + time.perf_counter() - start
    return _into(found, options)


def check_engine(engine: Any) -> None:
    """Refuse what is no way to compute."""
    one_of(engine, "engine", ("auto", "compiled", "numpy"))


def _built(
    assembly: Assembly, quantity: str, variant: Variant, kept: _Kept, key: Any, engine: Engine
) -> Kernel | None:
    """A kernel, or none where the robot cannot be traced: NumPy knows why."""
    try:
        kernel = kept.kernels[key] = find_kernel(assembly, quantity, variant)
    except TraceError:
        if engine == "compiled":
            raise
        kept.refused.add(key)
        return None
    bare = Variant(variant.method, variant.friction, variant.rotors)
    if variant == bare and frozen_exactly(assembly):  # otherwise every call shall warn
        kept.bare[quantity, variant.method, variant.friction, variant.rotors] = kernel
    return kernel


def _into(found: Any, options: Options) -> Any:
    """What NumPy answered, written where the caller wants it."""
    if options.out is None:
        return found
    values = found[0] if options.on_error == "mask" else found
    _check_out(options.out, values.shape)
    options.out[...] = values
    return (options.out, found[1]) if options.on_error == "mask" else options.out


def _check_out(out: Any, shape: tuple[int, ...]) -> None:
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float64:
        got = getattr(out, "shape", type(out).__name__)
        raise InputError(f"out is {got}, expected a float64 array of shape {shape}", argument="out")
    if not out.flags.writeable:
        raise InputError("out is read-only: the answer cannot be written into it", argument="out")


def _by_kernel(
    kernel: Kernel,
    quantity: str,
    arguments: Arguments,
    reference: Reference,
    options: Options,
    suspects: np.ndarray | None,
) -> Any:
    if all(a.ndim == core for a, core in arguments.values()) and options.out is None:
        found = _one_by_kernel(kernel, quantity, arguments, suspects)
        if found is not None:
            return (found, np.zeros((), dtype=bool)) if options.on_error == "mask" else found
    # a scalar of a load is a row of one for the kernel
    # and float32 becomes float64: kernels refer what it leaves open to NumPy, which settles it
    arrays = [
        np.asarray(a if core else a[..., None], dtype=float) for a, core in arguments.values()
    ]
    names = [name for name in kernel.outputs if name != "doubt"]
    direct = options.out is not None and _fits(options.out, arrays)
    out = {names[0]: options.out} if direct and options.out is not None else {}
    doubtful: list[np.ndarray] = []

    def judge(begin: int, doubts: np.ndarray) -> None:
        total = doubts[:, 0] + doubts[:, 1]
        if not total.max() < 1.0:
            doubtful.append(begin + np.flatnonzero(~(total < 1.0)))

    results = kernel.run(arrays, out, options.threads, judge=judge)
    scalars = quantity in _SCALAR_OUTPUTS
    values = [results[name][..., 0] if scalars else results[name] for name in names]
    lead = leading_axes(dict(arguments))
    failed = np.zeros(lead, dtype=bool) if options.on_error == "mask" else None
    bad = _to_be_seen(values, lead, doubtful, suspects)
    if len(bad):
        spread = [np.broadcast_to(a, lead + a.shape[a.ndim - c :]) for a, c in arguments.values()]
        for index in zip(*np.unravel_index(bad, lead), strict=True) if lead else [()]:
            place = tuple(int(i) for i in index)
            _second_verdict(place, spread, values, failed, reference, options.on_error)
    answer: Any = values[0] if len(values) == 1 else tuple(values)
    if options.out is not None and not direct:
        _check_out(options.out, answer.shape)
        options.out[...] = answer
        answer = options.out
    return (answer, failed) if options.on_error == "mask" else answer


def _to_be_seen(
    values: Sequence[np.ndarray],
    lead: tuple[int, ...],
    doubtful: Sequence[np.ndarray],
    suspects: np.ndarray | None,
) -> np.ndarray:
    """Numbers of the states that need a second look, in order."""
    found = [*doubtful]
    if suspects is not None and suspects.any():
        found.append(np.flatnonzero(np.broadcast_to(suspects, lead)))
    for value in values:
        if not isfinite(value.sum()):
            cores = tuple(range(len(lead), value.ndim))
            found.append(np.flatnonzero(~np.isfinite(value).all(axis=cores)))
    return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=int)


def _fits(out: Any, arrays: Sequence[np.ndarray]) -> bool:
    """Whether a kernel may write there at once: not into what the second look will read."""
    if not isinstance(out, np.ndarray) or not out.flags.c_contiguous or out.dtype != np.float64:
        return False
    if not out.flags.writeable:
        return False  # refused with its reason when the answer is there
    return not any(np.may_share_memory(out, a) for a in arrays)


_SCALAR_OUTPUTS = ("energy",)


def _one_by_kernel(
    kernel: Kernel, quantity: str, arguments: Arguments, suspects: np.ndarray | None
) -> Any:
    """One state by the shortest way; ``None`` if it needs a second look."""
    *values, doubt = kernel.one([a for a, _ in arguments.values()])
    if not doubt[0] + doubt[1] < 1.0 or (suspects is not None and suspects.any()):
        return None
    if not all(isfinite(value.sum()) for value in values):
        return None
    if quantity in _SCALAR_OUTPUTS:
        values = [value[0] for value in values]
    return values[0] if len(values) == 1 else tuple(values)


def _second_verdict(
    index: tuple[int, ...],
    spread: Sequence[np.ndarray],
    values: Sequence[np.ndarray],
    failed: np.ndarray | None,
    reference: Reference,
    on_error: OnError,
) -> None:
    """One state once more, by the reference."""
    try:
        found = reference(*(a[index] for a in spread), on_error="raise")
    except GoughError as err:
        if on_error == "raise":
            raise err.at_sample(index) from err
        if failed is not None:
            failed[index] = True
        for value in values:
            value[index] = np.nan
        return
    for value, one in zip(values, found if len(values) > 1 else (found,), strict=True):
        value[index] = one
