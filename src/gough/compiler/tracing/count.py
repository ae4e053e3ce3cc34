"""How many operations a program takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from gough.compiler.tracing.program import FUNCTIONS, SELECTION, Program, check_program


class Operations(NamedTuple):
    """Operation count of one evaluation.

    Attributes:
        add: additions and subtractions.
        mul: multiplications.
        div: divisions.
        sqrt: square roots.
        functions: trigonometric and other functions.
        other: comparisons, selections and absolute values.

    Changes of sign are not counted: they cost nothing beside an addition.
    """

    add: int
    mul: int
    div: int
    sqrt: int
    functions: int
    other: int

    def __str__(self) -> str:
        return (
            f"{self.add} add, {self.mul} mul, {self.div} div, {self.sqrt} sqrt, "
            f"{self.functions} functions"
        )


def count(program: Program) -> Operations:
    """Operation count of a program."""
    check_program(program)
    return count_of(instruction.op for instruction in program.instructions)


def count_of(operations: Iterable[str]) -> Operations:
    """Operation count of some operations, by their names."""
    seen = Counter(operations)
    return Operations(
        add=seen["add"] + seen["sub"],
        mul=seen["mul"],
        div=seen["div"],
        sqrt=seen["sqrt"],
        functions=sum(seen[f] for f in FUNCTIONS),
        other=sum(seen[f] for f in SELECTION),
    )
