"""A program known by what it takes and gives; its instructions wait until they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gough.base.once import once_property
from gough.compiler.tracing.count import Operations
from gough.compiler.tracing.program import Port, Program


@dataclass(frozen=True, eq=False)
class Deferred:
    """What is said of a program without its instructions.

    Attributes:
        name: what it computes.
        inputs, outputs: its ports.
        operations: operation count of one state.
        trace: makes the program.
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    operations: Operations
    trace: Callable[[], Program]

    @once_property
    def program(self) -> Program:
        """The program itself, traced on first demand."""
        return self.trace()
