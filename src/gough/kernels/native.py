"""Machine code in memory: LLVM for the processor at hand.  Nothing is written to disk."""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import Any

from gough.kernels.ir import FLAGS, NAME, module
from gough.tracing.program import Program

_LOCK = threading.Lock()
_LONGEST_OPTIMISED = 8_000
"""Longer programs are compiled without LLVM's own passes and scheduled less carefully: measured,
it halves the wait and costs the code nothing."""


class Native:
    """Compiled code of a program.

    Attributes:
        width: states side by side in one vector.
        address: of the function.
    """

    def __init__(self, program: Program, *, width: int | None = None, flags: str = FLAGS) -> None:
        import llvmlite.binding as llvm  # noqa: PLC0415  heavy: loaded on first use

        self.width = width or vector_width()
        with _LOCK:
            parsed = llvm.parse_assembly(module(program, self.width, flags))
            parsed.verify()
            long = len(program) > _LONGEST_OPTIMISED
            machine = _machine(1 if long else 2)
            if not long:
                _optimise(parsed, machine)
            self._engine = llvm.create_mcjit_compiler(parsed, machine)
            self._engine.finalize_object()
            self.address = int(self._engine.get_function_address(NAME))
        whole = ctypes.c_int64
        pointer = ctypes.c_void_p
        prototype = ctypes.CFUNCTYPE(None, whole, whole, whole, pointer, pointer, pointer)
        self.call: Any = prototype(self.address)  # releases the interpreter lock


@cache
def _target() -> tuple[Any, str, str]:
    """Target, name and features of the processor; LLVM is set up on first use."""
    import llvmlite.binding as llvm  # noqa: PLC0415

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # the name alone is not enough: a virtual machine may hide what its processor has
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple(), llvm.get_host_cpu_name(), features


def _machine(level: int) -> Any:
    target, cpu, features = _target()
    return target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)


def vector_width() -> int:
    """States in one vector: eight with AVX-512, else four."""
    _, _, features = _target()
    return 8 if "+avx512f" in features.split(",") else 4


def _optimise(parsed: Any, machine: Any) -> None:
    import llvmlite.binding as llvm  # noqa: PLC0415

    tuning = llvm.create_pipeline_tuning_options(speed_level=1)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(parsed, builder)
