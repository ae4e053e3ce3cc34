"""Programs run with NumPy: any batch, one instruction after the other over all states."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gough.base.arguments import switch
from gough.base.batch import as_array, leading_axes
from gough.compiler.tracing.program import FUNCTIONS, Program, check_program
from gough.compiler.tracing.symbols import UFUNCS
from gough.errors import InputError


def _exactly(name: str) -> Callable[..., Any]:
    """A function of the C library for arrays; where Python would complain, NumPy answers."""

    def one(*args: float) -> float:
        try:
            return float(getattr(math, name)(*args))
        except (ValueError, OverflowError):
            return float(UFUNCS[name](*map(np.float64, args)))

    return np.vectorize(one, otypes=[float])


_EXACT = {name: _exactly(name) for name in FUNCTIONS}
"""Functions of the C library, where NumPy's differ in the last bit."""


_PLAIN = UFUNCS | {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
}
"""Every operation, of arrays and of plain numbers: these are quicker, and round alike."""


def run(
    program: Program, inputs: Mapping[str, Any], *, exact: bool = False
) -> dict[str, np.ndarray]:
    """Outputs of a program by name; inputs may have leading batch axes.

    A singular state gives infinities or NaN, never an exception: check the result.

    Args:
        program: what to compute.
        inputs: arrays by name.
        exact: use the functions of the C library, slowly, so that C gives the same bits.
    """
    check_program(program)
    functions = _PLAIN | _EXACT if switch(exact, "exact") else _PLAIN
    names = [port.name for port in program.inputs]
    if not isinstance(inputs, Mapping) or set(inputs) != set(names):
        got = ", ".join(map(str, inputs)) if isinstance(inputs, Mapping) else type(inputs).__name__
        raise InputError(
            f"inputs: {program.name} takes {', '.join(names)}; got {got}", argument="inputs"
        )
    arrays = [as_array(inputs[port.name], port.shape, port.name) for port in program.inputs]
    leads = [a.shape[: a.ndim - len(p.shape)] for a, p in zip(arrays, program.inputs, strict=True)]
    lead = leading_axes(
        {p.name: (a, len(p.shape)) for a, p in zip(arrays, program.inputs, strict=True)}
    )
    # of inputs that all states share plain numbers, which take a tenth of the time of arrays
    flat: list[Any] = [
        np.moveaxis(a.reshape(*own, port.size), -1, 0) if own else a.reshape(port.size).tolist()
        for a, own, port in zip(arrays, leads, program.inputs, strict=True)
    ]
    values: list[Any] = [None] * len(program)
    with np.errstate(all="ignore"):
        for k, ((op, args, constant), dead) in enumerate(
            zip(program.instructions, program.free_after, strict=True)
        ):
            if op == "input":
                values[k] = flat[args[0]][args[1]]
            elif op == "const":
                values[k] = constant
            elif len(args) == 2:
                values[k] = functions[op](values[args[0]], values[args[1]])
            else:
                values[k] = functions[op](*[values[a] for a in args])
            for value in dead:
                values[value] = None
    found = {}
    for port, result in zip(program.outputs, program.results, strict=True):
        stacked = np.zeros((*lead, len(result)))
        for i, v in enumerate(result):
            value = values[v]
            if type(value) is not float or value or math.copysign(1.0, value) < 0.0:
                stacked[..., i] = value
        found[port.name] = stacked.reshape(lead + port.shape)
    return found
