"""Call a function with symbols and keep the program it spells."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gough.errors import GoughError, TraceError
from gough.spatial import Array
from gough.tracing.extract import extract
from gough.tracing.program import Port, Program

CASADI = threading.RLock()
"""Held by whoever works with CasADi: neither its expressions nor its options are for threads."""


def trace(
    name: str,
    function: Callable[..., Mapping[str, Array]],
    inputs: Mapping[str, tuple[int, ...]],
    derivatives: Sequence[str] = (),
    vanishing: Sequence[str] = (),
) -> Program:
    """The program of a function written in plain NumPy.

    Args:
        name: what it computes.
        function: called once with symbols in NumPy clothes, by keyword; returns arrays by name.
        inputs: shape of each argument; one with three axes is seen as rows.
        derivatives: inputs by which all outputs but ``doubt`` are differentiated; ``d_tau_d_V_0p``
            becomes an output too.
        vanishing: inputs that are zero once derivatives are taken, and no inputs of the program.

    Raises:
        TraceError: the function asks a symbol for its value (``if x > 0``, ``float(x)``,
            ``np.array([x, y])``, ...).
    """
    import casadi as ca  # noqa: PLC0415  heavy: loaded on first use

    with CASADI:
        before = ca.GlobalOptions.getNumpyMode()
        ca.GlobalOptions.setNumpyMode(1)
        try:
            # generated names: no text of a user ever reaches the expression graph
            symbols = [
                ca.SX.sym(f"i{k}", int(np.prod(shape))) for k, shape in enumerate(inputs.values())
            ]
            arguments = {
                key: ca.array(symbol).reshape(*_flat(shape))
                for (key, shape), symbol in zip(inputs.items(), symbols, strict=True)
            }
            outputs = dict(function(**arguments))
            ports = [Port(key, tuple(value.shape)) for key, value in outputs.items()]
            flat = [_column(value, ca) for value in outputs.values()]
            by_name = dict(zip(inputs, symbols, strict=True))
            plain = [(key, flat[i]) for i, key in enumerate(outputs) if key != "doubt"]
            for wrt in derivatives:
                for key, column in plain:
                    slope = ca.densify(ca.jacobian(column, by_name[wrt]))
                    ports.append(Port(f"d_{key}_d_{wrt}", (*outputs[key].shape, *inputs[wrt])))
                    flat.append(ca.vec(slope.T))
            if vanishing:
                gone = [by_name.pop(key) for key in vanishing]
                flat = ca.substitute(flat, gone, [ca.SX.zeros(x.shape) for x in gone])
            compiled = ca.Function("f", list(by_name.values()), flat)
        except GoughError:
            raise
        except Exception as err:
            raise TraceError(
                f"{name} cannot be traced: {type(err).__name__}: {err}",
                hint="In code of your own: collect scalars with np.stack, never choose by the "
                "value of a symbol.",
            ) from err
        finally:
            ca.GlobalOptions.setNumpyMode(before)
        given = [Port(key, tuple(shape)) for key, shape in inputs.items() if key in by_name]
        return extract(name, compiled, given, ports)


def _flat(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Symbols have two axes at most: rows of rows are rows."""
    return shape if len(shape) < 3 else (shape[0], int(np.prod(shape[1:])))


def _column(value: Array, ca: Any) -> Any:
    """All scalars of an output, in C order, as a dense column."""
    if isinstance(value, (np.ndarray, float, int)):
        return ca.SX(ca.DM(np.asarray(value, dtype=float).reshape(-1)))
    return ca.densify(ca.SX(value.reshape(-1).to_casadi())).reshape((-1, 1))
