"""Derivatives of what was traced, as symbols of the same graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from gough.compiler.tracing.symbols import Scalar, Symbol, needed

Slopes = Callable[[Symbol, tuple[Symbol, ...]], tuple[Scalar, ...]]
"""Derivatives of an operation by what it is made of."""


def jacobian(results: Sequence[Scalar], inputs: Sequence[Symbol]) -> list[list[Scalar]]:
    """Derivatives of every result by every input: forwards or backwards, whichever has less to do.

    Zeros are numbers and take no part, so that each operation only meets the inputs that it
    depends on, or the results that depend on it.
    """
    order = needed(x for x in results if isinstance(x, Symbol))
    if len(inputs) <= len(results):
        return _forwards(order, results, inputs)
    return _backwards(order, results, inputs)


def _forwards(
    order: Sequence[Symbol], results: Sequence[Scalar], inputs: Sequence[Symbol]
) -> list[list[Scalar]]:
    """By the chain rule from the inputs on: every operation by all inputs it depends on."""
    found: dict[int, dict[int, Scalar]] = {x.index: {k: 1.0} for k, x in enumerate(inputs)}
    for symbol in order:
        moving = [arg for arg in _args(symbol) if arg.index in found]
        if not moving:
            continue
        own: dict[int, Scalar] = {}
        for arg, slope in _with_slopes(symbol):
            for k, value in found.get(arg.index, {}).items():
                own[k] = own.get(k, 0.0) + slope * value
        found[symbol.index] = own
    rows = [found.get(x.index, {}) if isinstance(x, Symbol) else {} for x in results]
    return [[row.get(k, 0.0) for k in range(len(inputs))] for row in rows]


def _backwards(
    order: Sequence[Symbol], results: Sequence[Scalar], inputs: Sequence[Symbol]
) -> list[list[Scalar]]:
    """By the chain rule from the results back: all results that depend on an operation by it."""
    places = {x.index for x in inputs}
    depends = set(places)
    for symbol in order:
        if any(arg.index in depends for arg in _args(symbol)):
            depends.add(symbol.index)
    found: dict[int, dict[int, Scalar]] = {}
    for k, x in enumerate(results):
        if isinstance(x, Symbol):
            found.setdefault(x.index, {})[k] = 1.0
    for symbol in reversed(order):
        own = found.get(symbol.index, {})
        if not own or symbol.index not in depends or symbol.index in places:
            continue
        for arg, slope in _with_slopes(symbol):
            if arg.index in depends:
                behind = found.setdefault(arg.index, {})
                for k, value in own.items():
                    behind[k] = behind.get(k, 0.0) + slope * value
    columns = [found.get(x.index, {}) for x in inputs]
    return [[column.get(k, 0.0) for column in columns] for k in range(len(results))]


def _args(symbol: Symbol) -> tuple[Symbol, ...]:
    return () if symbol.op in ("input", "const") else symbol.args


def _with_slopes(symbol: Symbol) -> Iterable[tuple[Symbol, Scalar]]:
    """What an operation is made of, and its derivative by each."""
    return zip(symbol.args, _SLOPES[symbol.op](symbol, *symbol.args), strict=True)


def _is_less(a: Any, b: Any) -> Scalar:
    """1 where a < b, 0 where a > b, a half where they are equal."""
    return (np.sign(b - a) + 1.0) * 0.5


_SLOPES: dict[str, Callable[..., tuple[Scalar, ...]]] = {
    "add": lambda y, a, b: (1.0, 1.0),
    "sub": lambda y, a, b: (1.0, -1.0),
    "mul": lambda y, a, b: (b, a),
    "div": lambda y, a, b: (1.0 / b, -(y / b)),
    "neg": lambda y, a: (-1.0,),
    "sqrt": lambda y, a: (0.5 / y,),
    "sin": lambda y, a: (np.cos(a),),
    "cos": lambda y, a: (-np.sin(a),),
    "tan": lambda y, a: (1.0 + y * y,),
    "asin": lambda y, a: (1.0 / np.sqrt(1.0 - a * a),),
    "acos": lambda y, a: (-1.0 / np.sqrt(1.0 - a * a),),
    "atan": lambda y, a: (1.0 / (1.0 + a * a),),
    "atan2": lambda y, a, b: (b / (a * a + b * b), -a / (a * a + b * b)),
    "exp": lambda y, a: (y,),
    "log": lambda y, a: (1.0 / a,),
    "abs": lambda y, a: (np.sign(a),),
    "sign": lambda y, a: (0.0,),
    "copysign": lambda y, a, b: (np.sign(a) * np.sign(y), 0.0),
    "min": lambda y, a, b: (_is_less(a, b), _is_less(b, a)),
    "max": lambda y, a, b: (_is_less(b, a), _is_less(a, b)),
    "lt": lambda y, a, b: (0.0, 0.0),
    "le": lambda y, a, b: (0.0, 0.0),
}
