"""Programs run with NumPy: any batch, one instruction after the other over all states."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gough.base.arguments import switch
from gough.base.batch import as_array, leading_axes
from gough.errors import InputError
from gough.kernels.tracing.program import FUNCTIONS, Program, check_program
from gough.kernels.tracing.symbols import UFUNCS


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
    functions = UFUNCS | _EXACT if switch(exact, "exact") else UFUNCS
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
    flat = [
        a.reshape(*own, port.size)
        for a, own, port in zip(arrays, leads, program.inputs, strict=True)
    ]
    values: list[Any] = [None] * len(program)
    free_after: dict[int, list[int]] = {}
    for value, last in enumerate(program.last_use):
        free_after.setdefault(last, []).append(value)
    with np.errstate(all="ignore"):
        for k, (op, args, constant) in enumerate(program.instructions):
            if op == "input":
                values[k] = flat[args[0]][..., args[1]]
            elif op == "const":
                values[k] = np.float64(constant)
            else:
                values[k] = functions[op](*[values[a] for a in args])
            for dead in free_after.get(k, ()):
                if dead != k:
                    values[dead] = None
    found = {}
    for port, result in zip(program.outputs, program.results, strict=True):
        stacked = np.empty((*lead, len(result)))
        for i, v in enumerate(result):
            stacked[..., i] = values[v]
        found[port.name] = stacked.reshape(lead + port.shape)
    return found
