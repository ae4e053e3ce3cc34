"""Kernels: compiled programs that take arrays."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cache
from math import prod
from typing import Any

import numpy as np

from gough.base.arguments import check_known, nearest, whole
from gough.base.batch import as_array, leading_axes
from gough.compiler.machine_code.native import Native
from gough.compiler.tracing.count import Operations, count
from gough.compiler.tracing.deferred import Deferred
from gough.compiler.tracing.program import Program
from gough.errors import InputError

BLOCK = 1 << 13
"""States that one thread takes at a time: enough to pay for starting, few enough to share out."""

Judge = Callable[[int, np.ndarray], None]


class Kernel:
    """A compiled program.

    Attributes:
        seconds: time it took to build, tracing included, or to find on disk.
        native: the machine code.
        defaults: the robot's own figures, of those that are inputs.
        origin: a function and its arguments that find the kernel again from the description, in the
            form of ``__reduce__``; ``None`` of a program alone.
    """

    def __init__(
        self,
        program: Program | Deferred,
        seconds: float,
        native: Native,
        defaults: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self._program, self.seconds, self.native = program, seconds, native
        self.defaults = dict(defaults or {})
        self.origin: tuple[Any, ...] | None = None
        self._own = threading.local()
        # numbers of axes and of entries of each input, names and shapes of outputs: asked each call
        self._takes = [(len(port.shape), port.size) for port in program.inputs]
        self._gives = [(port.name, port.shape) for port in program.outputs]

    def __reduce__(self) -> tuple[Any, ...]:
        """What a pickle holds: the way to find it again, or else the program."""
        return self.origin or (_compiled, (self.program, self.defaults))

    def __copy__(self) -> Kernel:
        return self  # it is only called

    def __deepcopy__(self, memo: Any) -> Kernel:
        return self

    def with_defaults(
        self, more: Mapping[str, np.ndarray], origin: tuple[Any, ...] | None = None
    ) -> Kernel:
        """The same machine code, with defaults of more inputs."""
        found = Kernel(self._program, self.seconds, self.native, {**self.defaults, **more})
        found.origin = origin
        return found

    @property
    def program(self) -> Program:
        """What it computes; traced again on first demand if the kernel was found on disk."""
        own = self._program
        return own.program if isinstance(own, Deferred) else own

    @property
    def name(self) -> str:
        """What it computes."""
        return self._program.name

    @property
    def inputs(self) -> dict[str, tuple[int, ...]]:
        """Shape of each input of one state, by name."""
        return {port.name: port.shape for port in self._program.inputs}

    @property
    def outputs(self) -> dict[str, tuple[int, ...]]:
        """Shape of each output of one state, by name."""
        return {port.name: port.shape for port in self._program.outputs}

    @property
    def operations(self) -> Operations:
        """Operation count of one state."""
        own = self._program
        return own.operations if isinstance(own, Deferred) else count(own)

    def __repr__(self) -> str:
        takes, gives = (", ".join(x) for x in (self.inputs, self.outputs))
        return f"<Kernel {self.name}: {takes} -> {gives}; {self.operations}>"

    def __call__(
        self,
        *arrays: Any,
        out: Mapping[str, np.ndarray] | None = None,
        threads: int | None = None,
        **by_name: Any,
    ) -> dict[str, np.ndarray]:
        """Outputs by name.

        Args:
            *arrays: inputs in order, with leading batch axes that broadcast.
            out: arrays to write outputs into, by name; the others are made.  They may overlap
                inputs, not each other.
            threads: how many to use for large batches; all cores if not given.
            **by_name: inputs by name.
        """
        names = list(self.inputs)
        states = [a for a in (*arrays, *by_name.values()) if hasattr(a, "T_0p")]
        if states:
            raise InputError(
                f"{self.name} takes arrays, got a {type(states[0]).__name__}",
                hint=f"It takes {', '.join(names)}; of a gough.State, kernel(*state.arrays) gives "
                "T_0p, V_0p and Vdot_0p in base axes.",
                argument=names[0],
            )
        if len(arrays) > len(names):
            raise InputError(f"{self.name} takes {len(names)} arrays, got {len(arrays)}")
        given = dict(zip(names, arrays, strict=False)) | by_name
        twice = len(given) < len(arrays) + len(by_name)
        given = {**self.defaults, **given}
        if set(given) != set(names) or twice:
            raise InputError(
                f"{self.name} takes {', '.join(names)}; got {', '.join(map(str, given))}"
            )
        out = {} if out is None else out
        _check_options(self, out, threads)
        ports = self._program.inputs
        checked = [as_array(given[port.name], port.shape, port.name) for port in ports]
        return self.run(checked, out, threads)

    def run(
        self,
        arrays: Sequence[np.ndarray],
        out: Mapping[str, np.ndarray],
        threads: int | None = None,
        *,
        judge: Judge | None = None,
    ) -> dict[str, np.ndarray]:
        """Outputs by name, from arrays whose last axes are known to fit.

        With a ``judge``, doubts are not among them: it is called with the doubts of each block and
        the index of the block's first state.
        """
        # one state after the other in memory is the usual case; few names and calls, as the fixed
        # cost of a batch is made of them
        shapes = [
            a.shape[: a.ndim - axes] for a, (axes, _) in zip(arrays, self._takes, strict=True)
        ]
        lead = shapes[0]
        if shapes.count(lead) < len(shapes):
            takes = zip(self._program.inputs, arrays, self._takes, strict=True)
            lead = leading_axes({port.name: (a, axes) for port, a, (axes, _) in takes})
        inputs, strides = (ctypes.c_void_p * len(shapes))(), (ctypes.c_int64 * len(shapes))()
        kept = []
        for i, (array, (axes, size)) in enumerate(zip(arrays, self._takes, strict=True)):
            rows, strides[i] = array, size
            if shapes[i] != lead or not array.flags.c_contiguous:
                rows, strides[i] = _rows(array, axes, lead)
            kept.append(rows)
            inputs[i] = rows.__array_interface__["data"][0]
        results = {}
        for name, shape in self._gives if judge is None else self._gives[:-1]:
            results[name] = (
                _result(name, lead + shape, out[name]) if name in out else np.empty(lead + shape)
            )
        # a state's inputs may be read after another's outputs are written: no overlap is safe
        apart = _apart(results, kept, out) if out else results
        if states := prod(lead):
            self._over(states, inputs, strides, [*apart.values()], threads, judge)
        for name in out:
            if apart[name] is not results[name]:
                results[name][...] = apart[name]
        return results

    def one(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Outputs in order, of one state whose arrays have exactly the shapes of the inputs."""
        try:
            bound = self._own.bound
        except AttributeError:
            bound = self._own.bound = self.bound()
        for place, array in zip(bound.inputs.values(), arrays, strict=True):
            place[...] = array
        bound()
        return [place.copy() for place in bound.outputs.values()]

    def bound(self, *lead: int) -> Bound:
        """The kernel bound to fixed arrays, for repeated calls with the same shapes."""
        return Bound(self, lead)

    def _over(
        self,
        states: int,
        inputs: Any,
        strides: Any,
        places: Sequence[np.ndarray],
        threads: int | None,
        judge: Judge | None,
    ) -> None:
        call, last = self.native.call, states - 1
        workers = min(cores() if threads is None else threads, -(-states // BLOCK))
        # one thread takes larger blocks: fewer calls; doubts still stay in the cache
        length = BLOCK if workers > 1 else 4 * BLOCK
        addresses = [place.__array_interface__["data"][0] for place in places]
        size = self._gives[-1][1][0]

        def block(begin: int) -> None:
            end = min(begin + length, states)
            if judge is None:
                outputs = (ctypes.c_void_p * len(addresses))(*addresses)
                call(begin, end, last, inputs, strides, outputs)
                return
            # doubts go into a small array that starts at this block
            doubts = np.empty((end - begin, size))
            start = doubts.__array_interface__["data"][0] - begin * size * doubts.itemsize
            outputs = (ctypes.c_void_p * (len(addresses) + 1))(*addresses, start)
            call(begin, end, last, inputs, strides, outputs)
            judge(begin, doubts)

        begins = range(0, states, length)
        if workers <= 1:
            for begin in begins:
                block(begin)
            return
        with ThreadPoolExecutor(workers) as pool:
            for _ in pool.map(block, begins):
                pass


def _compiled(program: Program, defaults: Mapping[str, np.ndarray]) -> Kernel:
    """The kernel of a program, of a pickle."""
    start = time.perf_counter()
    native = Native(program)
    return Kernel(program, time.perf_counter() - start, native, defaults)


def _check_options(kernel: Kernel, out: Mapping[str, np.ndarray], threads: int | None) -> None:
    if not isinstance(out, Mapping):
        raise InputError(
            f"out: expected arrays by the names of outputs, got {type(out).__name__}",
            hint=nearest("", kernel.outputs),
            argument="out",
        )
    for name in out:
        check_known(name, kernel.outputs, f"out: {kernel.name} has no output", "out")
    if threads is not None:
        whole(threads, "threads", least=1)


class Bound:
    """A kernel bound to fixed arrays: fill the inputs, call it, read the outputs.

    Attributes:
        inputs: arrays by name, with the leading axes asked for.
        outputs: likewise; the next call writes into the same.
    """

    def __init__(self, kernel: Kernel, lead: tuple[int, ...] = ()) -> None:
        self.kernel, self.lead = kernel, lead
        self.inputs = {name: np.zeros(lead + shape) for name, shape in kernel.inputs.items()}
        self._bind({name: np.zeros(lead + shape) for name, shape in kernel.outputs.items()})

    def into(self, outputs: dict[str, np.ndarray]) -> Bound:
        """The same inputs, with outputs into contiguous arrays of the caller's."""
        found = copy(self)
        found._bind(outputs)
        return found

    def _bind(self, outputs: dict[str, np.ndarray]) -> None:
        kernel, lead = self.kernel, self.lead
        self.outputs = outputs
        strides = [prod(shape) for shape in kernel.inputs.values()]
        self.call = kernel.native.call_bound
        self._tables = (
            (ctypes.c_void_p * len(strides))(*map(_address, self.inputs.values())),
            (ctypes.c_int64 * len(strides))(*strides),
            (ctypes.c_void_p * len(self.outputs))(*map(_address, self.outputs.values())),
        )
        states = int(np.prod(lead))
        tables = [ctypes.addressof(table) for table in self._tables]
        self._table = (ctypes.c_int64 * 6)(0, states, max(states - 1, 0), *tables)
        # made once: converting arguments takes longer than the call
        self.argument = ctypes.c_void_p(ctypes.addressof(self._table))

    def __call__(self) -> None:
        """Work out the outputs."""
        self.call(self.argument)


@cache
def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def _rows(array: np.ndarray, axes: int, lead: tuple[int, ...]) -> tuple[np.ndarray, int]:
    """The array as rows of scalars and the distance between them; zero if all states share one."""
    own = array.shape[array.ndim - axes :]
    if prod(array.shape) == prod(own):
        return np.ascontiguousarray(array), 0
    return np.ascontiguousarray(np.broadcast_to(array, lead + own)), prod(own)


def _apart(
    results: Mapping[str, np.ndarray], inputs: Sequence[np.ndarray], out: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Places for the outputs that touch no input: those asked for, or others for the time being."""
    given = [name for name in results if name in out]
    for i, name in enumerate(given):
        for other in given[:i]:
            if np.may_share_memory(results[name], results[other]):
                raise InputError(
                    f"out[{other!r}] and out[{name!r}] share memory",
                    hint="Give every output an array of its own.",
                    argument="out",
                )
    return {
        name: np.empty_like(place)
        if name in given and any(np.may_share_memory(place, a) for a in inputs)
        else place
        for name, place in results.items()
    }


def _result(name: str, shape: tuple[int, ...], given: Any) -> np.ndarray:
    """The caller's array for an output."""
    if not isinstance(given, np.ndarray) or given.shape != shape or given.dtype != np.float64:
        found = getattr(given, "shape", type(given).__name__)
        raise InputError(f"out[{name!r}] is {found}, expected float64 of shape {shape}")
    if not given.flags.c_contiguous or not given.flags.writeable:
        raise InputError(f"out[{name!r}] must be contiguous and writeable")
    return given
