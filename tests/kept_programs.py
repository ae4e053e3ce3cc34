"""Programs and machine code of equal robots: traced and compiled once a process.

Tests load the same robots again and again, and every robot has its own kernels: without this, a
third of the time of all tests would go into building the same ones anew.  All that is kept depends
on the description of a robot alone; who builds a kernel when, and for whom, is not touched.  Tests
of tracing and compiling themselves ask for the fixture ``nothing_kept``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gough.dynamics.frozen import check_frozen
from gough.kernels import compile as compiling
from gough.kernels.native import Native, vector_width
from gough.mobility.assembly import Assembly
from gough.robot import Robot
from gough.tracing.program import Program
from gough.tracing.wholes import WHOLE

PLAIN = {"whole_program": compiling.whole_program, "Native": Native}
"""What the library does."""

_MOST = 400


class _Asked:
    """An assembly, told from others by its robot and by how that was cut into hub and legs."""

    def __init__(self, assembly: Assembly) -> None:
        trees = (assembly.topology.hub, *(leg.tree for leg in assembly.topology.legs))
        self.assembly = assembly
        self.key: tuple[Robot, Any] = (assembly.robot, tuple(tuple(t.bodies) for t in trees))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.key == other.key


@lru_cache(_MOST)
def _program(asked: _Asked, *rest: Any) -> Program:
    found: Program = PLAIN["whole_program"](asked.assembly, *rest)
    asked.assembly = None  # type: ignore[assignment]  nothing is kept alive but the description
    return found


class _Same:
    """A program, told from others by being the same object."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def __hash__(self) -> int:
        return id(self.program)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.program is other.program


@lru_cache(_MOST)
def _native(same: _Same, _: int) -> Native:
    return Native(same.program)


def whole_program(
    assembly: Assembly, quantity: str, variant: Any, derivatives: tuple[str, ...] = ()
) -> Program:
    """As in the library, warnings included."""
    if quantity in WHOLE and WHOLE[quantity].loaded:
        check_frozen(assembly, friction=variant.friction)
    return _program(_Asked(assembly), quantity, variant, derivatives)


def native(program: Program) -> Native:
    """As in the library."""
    return _native(_Same(program), vector_width())


KEPT = {"whole_program": whole_program, "Native": native}


def keep() -> None:
    """Put what keeps in the place of what builds."""
    for name, function in KEPT.items():
        setattr(compiling, name, function)
