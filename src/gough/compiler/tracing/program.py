"""Programs: straight-line code in single-assignment form, extracted once from an expression graph.

Value k is the result of instruction k.  A program can be run with NumPy on any batch, counted, and
(elsewhere) turned into machine code or C.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

from gough.base.english import counted
from gough.errors import InputError

ARITHMETIC = ("add", "sub", "mul", "div", "neg", "sqrt")
FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log")
SELECTION = ("abs", "sign", "copysign", "min", "max", "lt", "le")
OPERATIONS = ("input", "const", *ARITHMETIC, *FUNCTIONS, *SELECTION)


class Instruction(NamedTuple):
    """One operation.

    Attributes:
        op: one of :data:`OPERATIONS`.
        args: indices of the values it takes; for ``input``, port and position in it.
        value: of a ``const``.
    """

    op: str
    args: tuple[int, ...] = ()
    value: float = 0.0


class Port(NamedTuple):
    """A named input or output with the shape of one state."""

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of scalars."""
        return prod(self.shape)


@dataclass(frozen=True, repr=False)
class Program:
    """Straight-line code.

    Attributes:
        name: what it computes.
        inputs: input ports; their scalars are read in C order.
        outputs: output ports.
        instructions: the code, every argument before its use.
        results: for each output, the values of its scalars in C order.
        robot: name of the robot it belongs to; empty if it is nobody's.
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    instructions: tuple[Instruction, ...]
    results: tuple[tuple[int, ...], ...]
    robot: str = field(default="", compare=False)

    def __repr__(self) -> str:
        """One line: what it computes, of which robot, from what, and how much work that is."""
        ports = (
            ", ".join(f"{p.name} {p.shape}" for p in own) for own in (self.inputs, self.outputs)
        )
        whose = f" of {self.robot}" if self.robot else ""
        done = sum(i.op not in ("input", "const", "neg") for i in self.instructions)
        return f"<Program {self.name}{whose}: {' -> '.join(ports)}; {counted(done, 'operation')}>"

    @cached_property
    def last_use(self) -> tuple[int, ...]:
        """For each value, the instruction that uses it last (past the end for results)."""
        last = list(range(len(self.instructions)))
        for k, instruction in enumerate(self.instructions):
            if instruction.op != "input":
                for a in instruction.args:
                    last[a] = k
        for result in self.results:
            for a in result:
                last[a] = len(self.instructions)
        return tuple(last)

    @cached_property
    def free_after(self) -> tuple[tuple[int, ...], ...]:
        """For each instruction, the values that nothing after it uses."""
        found: list[list[int]] = [[] for _ in self.instructions]
        for value, last in enumerate(self.last_use):
            if value < last < len(found):
                found[last].append(value)
        return tuple(map(tuple, found))

    def __len__(self) -> int:
        return len(self.instructions)


def check_program(value: Any) -> None:
    """Refuse what is no program."""
    if not isinstance(value, Program):
        raise InputError(
            f"program: expected a gough.trace.Program, got {type(value).__name__}",
            hint="gough.trace.program(robot, quantity) makes one.",
            argument="program",
        )
