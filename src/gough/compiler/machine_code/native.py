"""Machine code in memory: LLVM for this processor, of a program or of an object file."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

from gough.compiler.machine_code.ir import BOUND, FLAGS, NAME, module
from gough.compiler.tracing.program import Program
from gough.errors import InputError, shown

_LOCK = threading.RLock()  # what is found on first use is asked for by those who hold it


@contextmanager
def alone_with_llvm() -> Iterator[None]:
    """LLVM is used by one thread at a time, and an interruption (Ctrl-C) waits until it is done.

    KeyboardInterrupt inside LLVM's Python binding is printed and lost where a destructor or a
    function that LLVM calls is running, and elsewhere leaves pointers behind that are freed twice.
    """
    held: list[FrameType | None] = []
    with _LOCK:
        handler = signal.getsignal(signal.SIGINT)
        # Python runs handlers in its main thread alone, and only those that are functions
        holds = callable(handler) and threading.current_thread() is threading.main_thread()
        if holds:
            signal.signal(signal.SIGINT, lambda _, frame: held.append(frame))
        try:
            yield
        finally:
            if holds:
                signal.signal(signal.SIGINT, handler)
            if held and callable(handler):
                handler(signal.SIGINT, held[0])


_LONGEST_SCHEDULED = 8_000
"""Instructions from which a program is scheduled with a lower optimisation level.

Measured: compiling takes less time and the code is as fast.
"""


WIDTH = "GOUGH_VECTOR_WIDTH"
"""Environment variable: 4 or 8 states in one vector, whatever the processor has."""

WIDTHS = (4, 8)


class Native:
    """Compiled code of a program, freed with it.

    Args:
        source: a program, or the object file that was made of one for this processor; from a file,
            this is code that will run: whoever read it has checked that it is ours and whole, for
            LLVM does not.
        width: states side by side in one vector.
        flags: what LLVM may assume of sums and products.
        level: how hard LLVM works on the code, 0 to 3; if absent, what suits its length.
        keep: called with the object file of a program.

    Attributes:
        width: states side by side in one vector.
        address: of the function.
        call: the function, of the first state, the one after the last one, the last one that there
            is, and tables of inputs, strides and outputs.
        call_bound: the same, of the address of a table of these six.
    """

    def __init__(
        self,
        source: Program | bytes,
        *,
        width: int | None = None,
        flags: str = FLAGS,
        level: int | None = None,
        keep: Callable[[bytes], None] | None = None,
    ) -> None:
        import llvmlite.binding as llvm  # noqa: PLC0415  heavy: loaded on first use

        self.width = width or vector_width()
        with alone_with_llvm():
            if isinstance(source, bytes):
                code = source
            else:
                machine = _machine(level_of(source) if level is None else level, self.width)
                code = object_file(module(source, self.width, flags), machine)
            # the engine loads finished code: it keeps neither the program's text nor its constants,
            # so that an empty module of LLVM's global context will do
            empty = llvm.parse_assembly("")
            self._engine = llvm.create_mcjit_compiler(empty, _machine(2, self.width))
            with llvm.ObjectFileRef.from_data(code) as file:
                self._engine.add_object_file(file)
            self._engine.finalize_object()
            self.address = int(self._engine.get_function_address(NAME))
            bound = int(self._engine.get_function_address(BOUND))
        if keep is not None and code is not source:
            keep(code)
        whole = ctypes.c_int64
        pointer = ctypes.c_void_p
        prototype = ctypes.CFUNCTYPE(None, whole, whole, whole, pointer, pointer, pointer)
        self.call: Any = prototype(self.address)  # releases the interpreter lock
        self.call_bound: Any = ctypes.CFUNCTYPE(None, pointer)(bound)


def level_of(program: Program) -> int:
    """How hard LLVM's code generator works on a program, 0 to 3."""
    return 1 if len(program) > _LONGEST_SCHEDULED else 2


def object_file(text: str, machine: Any) -> bytes:
    """Machine code of a module's text, as an object file, made ``alone_with_llvm``.

    Whatever else LLVM makes of the text, about a megabyte for 300 instructions, is freed here.
    """
    import llvmlite.binding as llvm  # noqa: PLC0415

    # LLVM's global context would keep the constants of every program for good
    with machine, llvm.create_context() as context, llvm.parse_assembly(text, context) as parsed:
        parsed.verify()
        # without LLVM's passes over the module: a program has no common terms and no dead code
        # left, so that they took a third of the wait and changed nothing (measured)
        return bytes(machine.emit_object(parsed))


@cache
def _target() -> tuple[Any, str, str]:
    """Target, name and features of the processor; LLVM is set up on first use."""
    import llvmlite.binding as llvm  # noqa: PLC0415

    with alone_with_llvm():
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        # the name alone is not enough: a virtual machine may hide what its processor has
        features = llvm.get_host_cpu_features().flatten()
        return llvm.Target.from_default_triple(), llvm.get_host_cpu_name(), features


def processor() -> tuple[str, str, str]:
    """What machine code is made for: platform, name and features of the processor."""
    target, cpu, features = _target()
    return str(target.triple), cpu, features


def _machine(level: int, width: int) -> Any:
    target, cpu, features = _target()
    if width < max(WIDTHS):  # the code that a processor without AVX-512 gets
        features = features.replace("+avx512", "-avx512").replace("+avx10", "-avx10")
    return target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)


def vector_width() -> int:
    """States in one vector: eight with AVX-512, else four; or what the environment says."""
    chosen = os.environ.get(WIDTH, "")
    if chosen:
        if chosen not in map(str, WIDTHS):
            raise InputError(
                f"the environment variable {WIDTH} is {shown(chosen)}, expected 4 or 8",
                hint="Leave it unset for the width that fits the processor.",
            )
        return int(chosen)
    _, _, features = _target()
    return 8 if "+avx512f" in features.split(",") else 4
