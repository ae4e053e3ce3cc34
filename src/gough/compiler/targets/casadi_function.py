"""A program as a ``casadi.Function``: the same operations in a graph that CasADi differentiates.

Scalars of a program are scalars of CasADi's ``SX``, one operation each, so that values are those of
kernels and C to rounding, and derivatives are CasADi's own, of any order and sparse.
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan, prod
from typing import Any

from gough.compiler.tracing.program import FUNCTIONS, Port, Program, check_program
from gough.errors import InputError, shown

_INFIX: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}
_NAMED = {"abs": "fabs", "min": "fmin", "max": "fmax"}
"""Operations whose names in CasADi are others."""


def casadi_function(program: Program, name: str = "") -> Any:
    """The ``casadi.Function`` of a program.

    Inputs and outputs have the program's names and shapes: a vector is a column, a matrix is a
    matrix, and of an array with more axes all but the first are laid out along the columns, row by
    row.  An output with the name of an input gets ``_out`` behind it.  An input that is left out
    in a call by name counts as NaN, so that nothing is taken for zero in silence.

    Args:
        program: what it computes, from :func:`gough.trace.program` or :func:`gough.trace.function`.
        name: of the function; the program's if empty.

    Raises:
        InputError: CasADi is not installed, or the name is none that it accepts.
    """
    check_program(program)
    ca = load_casadi()
    inputs = [ca.SX.sym(port.name, *_shape(port)) for port in program.inputs]
    operations = _operations(ca)
    values: list[Any] = []
    for op, args, constant in program.instructions:
        if op == "input":
            port, position = args
            columns = _shape(program.inputs[port])[1]
            values.append(inputs[port][position // columns, position % columns])
        elif op == "const":
            values.append(ca.SX(constant))
        else:
            values.append(operations[op](*[values[a] for a in args]))
    outputs = [
        _filled(ca, port, [values[v] for v in result])
        for port, result in zip(program.outputs, program.results, strict=True)
    ]
    taken = [port.name for port in program.inputs]
    given = [p.name if p.name not in taken else f"{p.name}_out" for p in program.outputs]
    called = program.name if isinstance(name, str) and not name else name
    if not isinstance(called, str) or not ca.Function.check_name(called):
        raise InputError(
            f"name: CasADi accepts no function named {shown(called)}",
            hint="Letters, digits and single underscores, a letter first.",
            argument="name",
        )
    return ca.Function(called, inputs, outputs, taken, given, {"default_in": [nan] * len(taken)})


def load_casadi() -> Any:
    """The module ``casadi``; it is large, and loaded when it is asked for first."""
    try:
        import casadi  # noqa: PLC0415  heavy: loaded on first use
    except ImportError as err:
        raise InputError(
            f"CasADi is needed for this, and cannot be imported: {err}",
            hint="pip install casadi",
        ) from err
    return casadi


def _shape(port: Port) -> tuple[int, int]:
    """Rows and columns of a port: CasADi has no other arrays."""
    first, *rest = port.shape or (1,)
    return first, prod(rest)


def _filled(ca: Any, port: Port, scalars: list[Any]) -> Any:
    """A matrix of scalars that are given row by row."""
    rows, columns = _shape(port)
    if not scalars:
        return ca.SX(rows, columns)
    return ca.reshape(ca.vertcat(*scalars), columns, rows).T  # CasADi counts down the columns


def _operations(ca: Any) -> dict[str, Callable[..., Any]]:
    """Every operation of programs, of scalars of CasADi."""
    own = ("sqrt", "sign", "copysign", *FUNCTIONS)
    return {
        **_INFIX,
        **{op: getattr(ca, op) for op in own},
        **{op: getattr(ca, theirs) for op, theirs in _NAMED.items()},
    }
