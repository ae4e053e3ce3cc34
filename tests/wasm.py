"""Programs as WebAssembly, run by wasmtime: what a browser does, without one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import wasmtime

from gough.compiler.targets.wasm import wasm_module
from gough.compiler.tracing.program import Program

_PAGE = 65536


class Module:
    """Functions of programs, called with arrays by the names of their inputs."""

    def __init__(self, programs: Mapping[str, Program], code: bytes | None = None) -> None:
        self.programs, self.code = programs, wasm_module(programs) if code is None else code
        engine = wasmtime.Engine()
        self.store, module = wasmtime.Store(engine), wasmtime.Module(engine, self.code)
        most = max(_size(p.inputs) + _size(p.outputs) for p in programs.values())
        limits = wasmtime.Limits(2 + 8 * most // _PAGE, None)
        self.memory = wasmtime.Memory(self.store, wasmtime.MemoryType(limits))
        imports: list[Any] = [
            self.memory
            if isinstance(each.type, wasmtime.MemoryType)
            else wasmtime.Func(self.store, each.type, getattr(math, each.name))
            for each in module.imports
        ]
        self.names = {each.name for each in module.imports}
        self.exports = wasmtime.Instance(self.store, module, imports).exports(self.store)

    def __call__(self, name: str, **given: Any) -> dict[str, np.ndarray]:
        """Outputs by name."""
        program = self.programs[name]
        flat = [np.ravel(np.asarray(given[port.name], dtype=float)) for port in program.inputs]
        inputs = np.concatenate(flat)
        start = 8 * len(inputs)
        self.memory.write(self.store, inputs.tobytes(), 0)
        self.exports[name](self.store, 0, start)  # type: ignore[operator]
        size = _size(program.outputs)
        cells = np.frombuffer(self.memory.read(self.store, start, start + 8 * size))
        found, place = {}, 0
        for port in program.outputs:
            found[port.name] = cells[place : place + port.size].reshape(port.shape)
            place += port.size
        return found


def _size(ports: Any) -> int:
    return sum(port.size for port in ports)
