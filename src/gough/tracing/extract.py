"""From a CasADi function to a program: single assignment, shared values, no dead code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gough.errors import TraceError
from gough.tracing.program import ARITHMETIC, FUNCTIONS, SELECTION, Instruction, Port, Program

_OTHERWISE = {"abs": "FABS", "min": "FMIN", "max": "FMAX", "select": "IF_ELSE_ZERO"}
"""Operations that CasADi calls by another name than we do."""

_COMMUTATIVE = ("add", "mul", "min", "max", "eq", "ne", "and", "or")


def extract(name: str, function: Any, inputs: Sequence[Port], outputs: Sequence[Port]) -> Program:
    """Read a CasADi SX function's instruction stream."""
    import casadi as ca  # noqa: PLC0415  heavy: loaded on first use

    operations = (*ARITHMETIC, *FUNCTIONS, *SELECTION)
    codes = {getattr(ca, f"OP_{_OTHERWISE.get(op, op.upper())}"): op for op in operations}
    stream = _Stream()
    registers: dict[int, int] = {}
    results: list[list[int]] = [[-1] * port.size for port in outputs]
    for k in range(function.n_instructions()):
        code = function.instruction_id(k)
        read, written = function.instruction_input(k), function.instruction_output(k)
        if code == ca.OP_OUTPUT:
            port, position = written
            results[port][position] = registers[read[0]]
        elif code == ca.OP_INPUT:
            registers[written[0]] = stream.add(Instruction("input", tuple(read)))
        elif code == ca.OP_CONST:
            registers[written[0]] = stream.constant(function.instruction_constant(k))
        else:
            args = tuple(registers[r] for r in read)
            registers[written[0]] = stream.operation(_operation(code, codes, ca), args)
    zero = [any(v < 0 for v in result) for result in results]
    if any(zero):  # structural zeros of an output have no instruction
        none = stream.constant(0.0)
        results = [[none if v < 0 else v for v in result] for result in results]
    return _compact(name, tuple(inputs), tuple(outputs), stream.instructions, results)


def _operation(code: int, codes: dict[int, str], ca: Any) -> str:
    special = {ca.OP_SQ: "sq", ca.OP_TWICE: "twice", ca.OP_INV: "inv", ca.OP_ASSIGN: "assign"}
    op = codes.get(code) or special.get(code)
    if op is None:
        raise TraceError(f"operation {code} of the expression graph has no counterpart here")
    return op


class _Stream:
    """Instructions so far; an operation met twice is stored once."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self._known: dict[Any, int] = {}

    def add(self, instruction: Instruction) -> int:
        # the sign of zero matters: -0.0 == 0.0, yet 1/-0.0 differs
        key = (*instruction, math.copysign(1.0, instruction.value))
        if key not in self._known:
            self._known[key] = len(self.instructions)
            self.instructions.append(instruction)
        return self._known[key]

    def constant(self, value: float) -> int:
        if not math.isfinite(value):
            raise TraceError(
                f"its equations divide by zero, whatever the state: they hold the constant {value}"
            )
        return self.add(Instruction("const", (), float(value)))

    def operation(self, op: str, args: tuple[int, ...]) -> int:
        if op == "assign":
            return args[0]
        if op == "sq":
            op, args = "mul", (args[0], args[0])
        elif op == "twice":
            op, args = "add", (args[0], args[0])
        elif op == "inv":
            op, args = "div", (self.constant(1.0), args[0])
        if op in _COMMUTATIVE:
            args = tuple(sorted(args))
        return self.add(Instruction(op, args))


def _compact(
    name: str,
    inputs: tuple[Port, ...],
    outputs: tuple[Port, ...],
    instructions: Sequence[Instruction],
    results: Sequence[Sequence[int]],
) -> Program:
    """Drop what no output needs."""
    needed = {v for result in results for v in result}
    for k in reversed(range(len(instructions))):
        if k in needed and instructions[k].op != "input":
            needed.update(instructions[k].args)
    new_index: dict[int, int] = {}
    kept: list[Instruction] = []
    for k, instruction in enumerate(instructions):
        if k in needed:
            new_index[k] = len(kept)
            if instruction.op != "input":
                instruction = instruction._replace(
                    args=tuple(new_index[a] for a in instruction.args)
                )
            kept.append(instruction)
    final = tuple(tuple(new_index[v] for v in result) for result in results)
    return Program(name, inputs, outputs, tuple(kept), final)
