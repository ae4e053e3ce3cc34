"""Call a function with symbols and keep the program it spells."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gough.errors import GoughError
from gough.spatial import Array
from gough.tracing.extract import TraceError, extract
from gough.tracing.program import Port, Program

# building CasADi expressions is not thread-safe
_LOCK = threading.Lock()


def trace(
    name: str,
    function: Callable[..., Mapping[str, Array]],
    inputs: Mapping[str, tuple[int, ...]],
) -> Program:
    """The program of a function written in plain NumPy.

    Args:
        name: what it computes.
        function: called once with symbols in NumPy clothes, by keyword; returns arrays by name.
        inputs: shape of each argument.

    Raises:
        TraceError: the function asks a symbol for its value (``if x > 0``, ``float(x)``,
            ``np.array([x, y])``, ...).
    """
    import casadi as ca  # noqa: PLC0415  heavy: loaded on first use

    with _LOCK:
        before = ca.GlobalOptions.getNumpyMode()
        ca.GlobalOptions.setNumpyMode(1)
        try:
            # generated names: no text of a user ever reaches the expression graph
            symbols = [
                ca.SX.sym(f"i{k}", int(np.prod(shape))) for k, shape in enumerate(inputs.values())
            ]
            arguments = {
                key: ca.array(symbol).reshape(*shape)
                for (key, shape), symbol in zip(inputs.items(), symbols, strict=True)
            }
            outputs = dict(function(**arguments))
            ports = [Port(key, tuple(value.shape)) for key, value in outputs.items()]
            flat = [_column(value, ca) for value in outputs.values()]
            compiled = ca.Function("f", symbols, flat)
        except GoughError:
            raise
        except Exception as err:
            raise TraceError(
                f"{name} cannot be traced: {type(err).__name__}: {err}",
                hint="Collect scalars with np.stack; never choose by the value of a symbol.",
            ) from err
        finally:
            ca.GlobalOptions.setNumpyMode(before)
        given = [Port(key, tuple(shape)) for key, shape in inputs.items()]
        return extract(name, compiled, given, ports)


def _column(value: Array, ca: Any) -> Any:
    """All scalars of an output, in C order, as a dense column."""
    if isinstance(value, (np.ndarray, float, int)):
        return ca.SX(ca.DM(np.asarray(value, dtype=float).reshape(-1)))
    return ca.densify(ca.SX(value.reshape(-1).to_casadi())).reshape((-1, 1))
