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

from gough.base.arguments import whole
from gough.base.batch import as_array, leading_axes
from gough.errors import InputError
from gough.kernels.native import Native
from gough.kernels.tracing.count import Operations, count
from gough.kernels.tracing.deferred import Deferred
from gough.kernels.tracing.program import Port, Program
from gough.robot.names import check_known, nearest

BLOCK = 1 << 13
"""States that one thread takes at a time: few enough for their arrays to stay in the cache."""

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
        ports = self._program.inputs
        lead = leading_axes({p.name: (a, len(p.shape)) for a, p in zip(arrays, ports, strict=True)})
        rows = [_rows(a, port, lead) for a, port in zip(arrays, ports, strict=True)]
        results = {
            p.name: _result(p, lead, out.get(p.name))
            for p in self._program.outputs
            if judge is None or p.name != "doubt"
        }
        # a state's inputs may be read after another's outputs are written: no overlap is safe
        apart = _apart(results, [a for a, _ in rows], out)
        states = 1
        for n in lead:
            states *= n
        if states:
            inputs = (ctypes.c_void_p * len(rows))(*(_address(a) for a, _ in rows))
            strides = (ctypes.c_int64 * len(rows))(*(stride for _, stride in rows))
            places = [apart.get(port.name) for port in self._program.outputs]
            self._over(states, inputs, strides, places, threads, judge)
        for name, place in apart.items():
            if place is not results[name]:
                results[name][...] = place
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
        places: Sequence[np.ndarray | None],
        threads: int | None,
        judge: Judge | None,
    ) -> None:
        call, last = self.native.call, states - 1
        sizes = [port.size for port in self._program.outputs]
        workers = min(cores() if threads is None else threads, -(-states // BLOCK))

        def block(begin: int) -> None:
            end = min(begin + BLOCK, states)
            if judge is None:
                call(begin, end, last, inputs, strides, _pointers(places, 0))
                return
            # doubts go into a small array that starts at this block
            doubts = np.empty((end - begin, sizes[-1]))
            shift = begin * sizes[-1] * doubts.itemsize
            call(begin, end, last, inputs, strides, _pointers([*places[:-1], doubts], shift))
            judge(begin, doubts)

        begins = range(0, states, BLOCK)
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
        self.call = kernel.native.call
        self._tables = (
            (ctypes.c_void_p * len(strides))(*map(_address, self.inputs.values())),
            (ctypes.c_int64 * len(strides))(*strides),
            (ctypes.c_void_p * len(self.outputs))(*map(_address, self.outputs.values())),
        )
        # arguments of the machine code, made once: converting them takes longer than the call
        states = int(np.prod(lead))
        numbers = [ctypes.c_int64(i) for i in (0, states, max(states - 1, 0))]
        self.arguments = (*numbers, *(_pointer(table) for table in self._tables))

    def __call__(self) -> None:
        """Work out the outputs."""
        self.call(*self.arguments)


def _pointer(table: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(ctypes.addressof(table))


@cache
def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pointers(places: Sequence[np.ndarray | None], shift: int) -> Any:
    """Addresses of outputs, the last one moved back by some bytes."""
    found = [_address(place) for place in places if place is not None]
    found[-1] -= shift
    return (ctypes.c_void_p * len(found))(*found)


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def _rows(array: np.ndarray, port: Port, lead: tuple[int, ...]) -> tuple[np.ndarray, int]:
    """The array as rows of scalars and the distance between them; zero if all states share one."""
    own = array.shape[: array.ndim - len(port.shape)]
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array)
    if own == lead:
        return array, port.size
    if all(n == 1 for n in own):
        return array, 0
    return np.ascontiguousarray(np.broadcast_to(array, lead + port.shape)), port.size


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


def _result(port: Port, lead: tuple[int, ...], given: np.ndarray | None) -> np.ndarray:
    shape = lead + port.shape
    if given is None:
        return np.empty(shape)
    if not isinstance(given, np.ndarray) or given.shape != shape or given.dtype != np.float64:
        found = getattr(given, "shape", type(given).__name__)
        raise InputError(f"out[{port.name!r}] is {found}, expected float64 of shape {shape}")
    if not given.flags.c_contiguous or not given.flags.writeable:
        raise InputError(f"out[{port.name!r}] must be contiguous and writeable")
    return given
