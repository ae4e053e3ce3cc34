"""Call a function with symbols and keep the program it spells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from gough.base.spatial import Array
from gough.compiler.tracing.program import Instruction, Port, Program
from gough.compiler.tracing.slopes import jacobian
from gough.compiler.tracing.symbols import (
    HELD,
    MIXED,
    Graph,
    Scalar,
    Symbol,
    needed,
    replaced,
    symbol_of,
)
from gough.errors import GoughError, TraceError


def trace(
    name: str,
    function: Callable[..., Mapping[str, Array]],
    inputs: Mapping[str, tuple[int, ...]],
    derivatives: Sequence[str] = (),
    vanishing: Sequence[str] = (),
    graph: Graph | None = None,
) -> Program:
    """The program of a function written in plain NumPy.

    Args:
        name: what it computes.
        function: called once with arrays of symbols, by keyword; returns arrays by name.
        inputs: shape of each argument.
        derivatives: inputs by which all outputs but ``doubt`` are differentiated; ``d_tau_d_V_0p``
            becomes an output too.
        vanishing: inputs that are zero once derivatives are taken, and no inputs of the program.
        graph: keeps the operations; a new one if not given.  Its ``kept`` are those of the program.

    Raises:
        TraceError: the function asks a symbol for its value (``if x > 0``, ``float(x)``,
            storing it into an array of numbers, ...).
    """
    own = graph is None
    graph = Graph(differentiated=bool(derivatives)) if graph is None else graph
    kept = [key for key in inputs if key not in vanishing]
    ports = {key: k for k, key in enumerate([*kept, *vanishing])}
    arguments = {key: _symbols(graph, ports[key], shape) for key, shape in inputs.items()}
    try:
        outputs = {
            key: np.asarray(value, dtype=object) for key, value in function(**arguments).items()
        }
        found = [(Port(key, value.shape), [*value.flat]) for key, value in outputs.items()]
        plain = [(port, scalars) for port, scalars in found if port.name != "doubt"]
        for wrt in derivatives:
            rows = iter(jacobian([x for _, each in plain for x in each], [*arguments[wrt].flat]))
            for port, scalars in plain:
                slopes = [slope for _ in scalars for slope in next(rows)]
                shape = (*port.shape, *inputs[wrt])
                found.append((Port(f"d_{port.name}_d_{wrt}", shape), slopes))
        if derivatives:
            gone = {symbol: 0.0 for key in vanishing for symbol in arguments[key].flat}
            whole = iter(replaced(_released([x for _, each in found for x in each]), gone))
            found = [(port, [next(whole) for _ in scalars]) for port, scalars in found]
        given = tuple(Port(key, tuple(inputs[key])) for key in kept)
        asked = [x for key in kept for x in arguments[key].flat]
        return _program(name, graph, given, asked, found)
    except GoughError:
        raise
    except Exception as err:
        raise TraceError(
            f"{name} cannot be traced: {type(err).__name__}: {err}",
            hint="In code of your own: never choose by the value of a symbol, and never store one "
            "into an array of numbers.",
        ) from err
    finally:
        if own:
            graph.forget()


def _symbols(graph: Graph, port: int, shape: tuple[int, ...]) -> np.ndarray:
    """The scalars of an input."""
    size = int(np.prod(shape))
    flat = np.fromiter((graph.input(port, k) for k in range(size)), dtype=object, count=size)
    return flat.reshape(shape)


_UNSEEN = 1e-300
"""By this much the square of an input that nothing else looks at counts in the residual."""


def _program(
    name: str,
    graph: Graph,
    inputs: tuple[Port, ...],
    asked: Sequence[Symbol],
    found: Sequence[tuple[Port, list[Scalar]]],
) -> Program:
    """The operations that outputs need, numbered in order.

    ``doubt`` looks at every input that is ``asked``, so that no answer comes of NaN or infinity: an
    input drops out where all that it would act on vanishes, such as the twist of legs without mass.
    """
    ports = [port for port, _ in found]
    results = [[symbol_of(graph, x) for x in scalars] for _, scalars in found]
    if any(x.graph is not graph for result in results for x in result):
        raise TraceError(MIXED)
    whole = needed(x for result in results for x in result)
    doubts = [k for k, port in enumerate(ports) if port.name == "doubt"]
    used = {symbol.index for symbol in whole if symbol.op == "input"} if doubts else set()
    unused = [x * x for x in asked if x.index not in used] if doubts else []
    if unused:
        look = sum(unused[1:], unused[0]) * _UNSEEN
        for k in doubts:
            results[k] = [x + look for x in results[k]]
        whole = needed(x for result in results for x in result)
    place: dict[int, int] = {}
    code: list[Instruction] = []
    for k, symbol in enumerate(whole):
        place[symbol.index] = k
        args = symbol.args if symbol.op == "input" else [place[a.index] for a in symbol.args]
        code.append(Instruction(symbol.op, tuple(args), symbol.value))
    graph.kept = tuple(place)
    final = tuple(tuple(place[x.index] for x in result) for result in results)
    return Program(name, inputs, tuple(ports), tuple(code), final)


def _released(results: Sequence[Scalar]) -> list[Scalar]:
    """Results with what was held in its place again, once derivatives are taken."""
    found = [*results]
    while True:  # what is held may be made of what was held before it
        symbols = needed(x for x in found if isinstance(x, Symbol))
        stand_ins = [x for x in symbols if x.op == "input" and x.args[0] == HELD]
        if not stand_ins:
            return found
        found = replaced(found, {x: x.graph.nodes[x.args[1]] for x in stand_ins})
