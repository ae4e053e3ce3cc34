"""Symbols: the scalars of a program that is being traced.

Arrays of them are ordinary NumPy arrays of objects, which hold symbols and plain numbers alike, so
that every line written for numbers runs with symbols too and constants fold as it runs.  A graph
keeps each operation once, however often it is met.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, SupportsFloat

import numpy as np

from gough.errors import TraceError

MIXED = "symbols of two programs are mixed: one was kept from another trace"
Scalar = Any
"""A symbol or a number."""

HELD = -1
"""Port of inputs that stand for another symbol, whose index is their position."""


class Symbol:
    """A scalar whose value is not known yet: one operation of a graph.

    It cannot be asked for its value: ``if x > 0``, ``float(x)`` and ``x == y`` are errors, and so
    is storing it into an array of numbers.  ``x > y`` is a symbol too, 1 or 0.

    Attributes:
        graph: where it belongs.
        index: its number there; what it is made of has smaller ones.
        op: operation, one of :data:`gough.compiler.tracing.program.OPERATIONS`.
        args: symbols it is made of; of an input, port and position in it.
        value: of a constant.
    """

    __slots__ = ("args", "graph", "index", "op", "value")
    shape: tuple[int, ...] = ()
    ndim = 0

    def __init__(
        self, graph: Graph, index: int, op: str, args: tuple[Any, ...], value: float = 0.0
    ) -> None:
        self.graph, self.index, self.op, self.args, self.value = graph, index, op, args, value

    def __add__(self, other: Any) -> Scalar:
        return NotImplemented if isinstance(other, np.ndarray) else _add(self, other)

    def __radd__(self, other: Any) -> Scalar:
        return _add(other, self)

    def __sub__(self, other: Any) -> Scalar:
        return NotImplemented if isinstance(other, np.ndarray) else _sub(self, other)

    def __rsub__(self, other: Any) -> Scalar:
        return _sub(other, self)

    def __mul__(self, other: Any) -> Scalar:
        return NotImplemented if isinstance(other, np.ndarray) else _mul(self, other)

    def __rmul__(self, other: Any) -> Scalar:
        return _mul(other, self)

    def __truediv__(self, other: Any) -> Scalar:
        return NotImplemented if isinstance(other, np.ndarray) else _div(self, other)

    def __rtruediv__(self, other: Any) -> Scalar:
        return _div(other, self)

    def __pow__(self, power: Any) -> Scalar:
        if np.ndim(power):
            return NotImplemented
        count = float(power) if isinstance(power, SupportsFloat) else 0.0
        if count == 0.5:
            return self.sqrt()
        if count != int(count) or count < 1.0:
            raise TypeError(f"a symbol to the power of {power!r} is not supported")
        half = self ** (count // 2.0) if count > 1.0 else 1.0
        return half * half * self if count % 2.0 else half * half

    def __pos__(self) -> Scalar:
        return self

    def __neg__(self) -> Scalar:
        return self.args[0] if self.op == "neg" else self.graph.node("neg", (self,))

    def __abs__(self) -> Scalar:
        return self if self.op in ("abs", "sqrt") else self.graph.node("abs", (self,))

    def sqrt(self) -> Scalar:
        """Its square root; NumPy asks every entry of an array for it by this name."""
        return self.graph.node("sqrt", (self,))

    def __lt__(self, other: Any) -> Scalar:
        return _function("lt")(self, other)

    def __gt__(self, other: Any) -> Scalar:
        return _function("lt")(other, self)

    def __le__(self, other: Any) -> Scalar:
        return _function("le")(self, other)

    def __ge__(self, other: Any) -> Scalar:
        return _function("le")(other, self)

    def __bool__(self) -> bool:
        raise TypeError("a symbol has no value to choose by")

    def __eq__(self, other: object) -> bool:
        raise TypeError("a symbol has no value to compare")

    __hash__ = object.__hash__

    def __copy__(self) -> Symbol:
        return self

    def __deepcopy__(self, memo: Any) -> Symbol:
        return self  # a copy would belong to another program

    def __reduce__(self) -> NoReturn:
        raise TypeError("a symbol belongs to the program that is being traced: it has no copy")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__":
            return NotImplemented
        if options or any(getattr(x, "ndim", 0) for x in inputs):
            return ufunc(*(_boxed(x) if isinstance(x, Symbol) else x for x in inputs), **options)
        scalars = [x.item() if isinstance(x, np.ndarray) else x for x in inputs]
        return _OF_SYMBOLS[ufunc](*scalars) if ufunc in _OF_SYMBOLS else NotImplemented


def _boxed(symbol: Symbol) -> np.ndarray:
    """A symbol as an array without axes, which NumPy spreads over others."""
    box = np.empty((), dtype=object)
    box[()] = symbol
    return box


class Graph:
    """The operations of one program, each kept once.

    Attributes:
        nodes: all symbols, by index.
        differentiated: whether derivatives will be taken.
        kept: indices of the nodes that a program was made of, one an instruction.
    """

    def __init__(self, *, differentiated: bool = False) -> None:
        self.nodes: list[Symbol] = []
        self.differentiated = differentiated
        self.kept: tuple[int, ...] = ()
        self._known: dict[Any, Symbol] = {}

    def find(self, op: str, args: tuple[Symbol, ...]) -> Symbol | None:
        """An operation on symbols that was met before, if it was."""
        return self._known.get((op, *[arg.index for arg in args]))

    def node(self, op: str, args: tuple[Symbol, ...]) -> Symbol:
        """An operation on symbols, the one that is there already if it was met before."""
        key: tuple[Any, ...]
        if len(args) == 2:  # nearly all of them, spelled out: this is where a trace spends its time
            a, b = args
            key, mixed = (op, a.index, b.index), a.graph is not self or b.graph is not self
        else:
            key = (op, *[arg.index for arg in args])
            mixed = any(arg.graph is not self for arg in args)
        if mixed:
            raise TraceError(MIXED)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new(op, args)
        return found

    def input(self, port: int, position: int) -> Symbol:
        """A scalar of an input."""
        return self._new("input", (port, position))

    def held(self, symbol: Symbol) -> Symbol:
        """A stand-in that derivatives take for a constant, until it is replaced."""
        key = (HELD, symbol.index)
        if key not in self._known:
            self._known[key] = self.input(*key)
        return self._known[key]

    def constant(self, value: float) -> Symbol:
        """A number as a symbol."""
        if not math.isfinite(value):
            raise TraceError(
                f"its equations divide by zero, whatever the state: they hold the constant {value}"
            )
        # the sign of zero matters: -0.0 == 0.0, yet 1/-0.0 differs
        key = ("const", value, math.copysign(1.0, value))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new("const", (), float(value))
        return found

    def forget(self) -> None:
        """Let go of all symbols, which know their graph: then none waits for Python's collector."""
        self._known.clear()
        self.nodes.clear()

    def _new(self, op: str, args: tuple[Any, ...], value: float = 0.0) -> Symbol:
        made = Symbol(self, len(self.nodes), op, args, value)
        self.nodes.append(made)
        return made


def symbol_of(graph: Graph, x: Scalar) -> Symbol:
    """The same as a symbol, if it is a number."""
    return x if isinstance(x, Symbol) else graph.constant(float(x))


# Arithmetic.  At least one of the two is a symbol; a number that changes nothing leaves no trace.


def _add(a: Scalar, b: Scalar) -> Scalar:
    if not isinstance(a, Symbol):
        a, b = b, a
    if not isinstance(b, Symbol):
        b = float(b)
        return a if b == 0.0 else _sorted("add", a, a.graph.constant(b))
    if b.op == "neg":
        return _sub(a, b.args[0])
    if a.op == "neg":
        return _sub(b, a.args[0])
    if a.op == "sub" and a.args[1] is b:  # (x - y) + y
        return a.args[0]
    if b.op == "sub" and b.args[1] is a:
        return b.args[0]
    return _sorted("add", a, b)


def _sub(a: Scalar, b: Scalar) -> Scalar:
    if a is b:
        return 0.0
    if not isinstance(b, Symbol):
        b = float(b)
        return a if b == 0.0 else a.graph.node("sub", (a, a.graph.constant(b)))
    if not isinstance(a, Symbol):
        a = float(a)
        if a == 0.0:
            return -b
        a = b.graph.constant(a)
    if b.op == "neg":
        return _add(a, b.args[0])
    if a.op == "neg":
        return -_add(a.args[0], b)
    rest = _without(a, b, "add")
    if rest is not None:  # (x + y) - y
        return rest
    rest = _without(b, a, "add")
    if rest is not None:  # x - (x + y)
        return -rest
    known = a.graph.find("sub", (b, a))
    return a.graph.node("sub", (a, b)) if known is None else -known


def _mul(a: Scalar, b: Scalar) -> Scalar:
    if not isinstance(a, Symbol):
        a, b = b, a
    if not isinstance(b, Symbol):
        return _scaled(a, float(b))
    if a.op == "neg":
        return -_mul(a.args[0], b)
    if b.op == "neg":
        return -_mul(a, b.args[0])
    if a.op == "div" and a.args[1] is b:  # (x / y) y
        return a.args[0]
    if b.op == "div" and b.args[1] is a:
        return b.args[0]
    return _sorted("mul", a, b)


def _scaled(a: Symbol, factor: float) -> Scalar:
    if factor == 0.0:
        return 0.0
    if factor == 1.0:
        return a
    if factor < 0.0:
        return -_scaled(a, -factor)
    if a.op == "neg":
        return -_scaled(a.args[0], factor)
    if a.op == "mul":
        for own, other in (a.args, a.args[::-1]):
            if own.op == "const":
                return _scaled(other, own.value * factor)
    return _sorted("mul", a, a.graph.constant(factor))


def _div(a: Scalar, b: Scalar) -> Scalar:
    if a is b:
        return 1.0
    if not isinstance(b, Symbol):
        return _scaled(a, 1.0 / float(b))  # ZeroDivisionError: whatever the state
    if not isinstance(a, Symbol):
        a = float(a)
        if a == 0.0:
            return 0.0
        if a < 0.0:
            return -_div(-a, b)
        a = b.graph.constant(a)
    if a.op == "neg":
        return -_div(a.args[0], b)
    if b.op == "neg":
        return -_div(a, b.args[0])
    rest = _without(a, b, "mul")
    return a.graph.node("div", (a, b)) if rest is None else rest  # (x y) / y


def _without(whole: Symbol, part: Symbol, op: str) -> Scalar:
    """What a sum or a product is without one of its two parts; none if that is no part of it."""
    if whole.op != op or (whole.args[0] is not part and whole.args[1] is not part):
        return None
    return whole.args[1] if whole.args[0] is part else whole.args[0]


def _sorted(op: str, a: Symbol, b: Symbol) -> Symbol:
    """An operation whose operands may be exchanged."""
    return a.graph.node(op, (a, b) if a.index <= b.index else (b, a))


def _function(op: str) -> Callable[..., Scalar]:
    """A function of one or two scalars, at least one of them a symbol."""

    def call(*inputs: Scalar) -> Scalar:
        graph = next(x.graph for x in inputs if isinstance(x, Symbol))
        return graph.node(op, tuple(symbol_of(graph, x) for x in inputs))

    return call


UFUNCS: dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "exp": np.exp,
    "log": np.log,
    "abs": np.absolute,
    "sign": np.sign,
    "copysign": np.copysign,
    "min": np.minimum,
    "max": np.maximum,
    "lt": lambda a, b: np.less(a, b) * 1.0,
    "le": lambda a, b: np.less_equal(a, b) * 1.0,
}
"""Every operation as NumPy has it, for numbers and symbols."""

_OF_SYMBOLS: dict[Any, Callable[..., Scalar]] = {
    **{ufunc: _function(op) for op, ufunc in UFUNCS.items()},
    **{np.less: _function("lt"), np.less_equal: _function("le")},
    **{np.greater: lambda a, b: np.less(b, a), np.greater_equal: lambda a, b: np.less_equal(b, a)},
    **{np.add: _add, np.subtract: _sub, np.multiply: _mul, np.divide: _div},
    **{np.negative: Symbol.__neg__, np.absolute: Symbol.__abs__, np.sqrt: Symbol.sqrt},
    **{np.power: lambda a, power: a**power, np.square: lambda a: a * a, np.positive: lambda a: a},
}


def needed(results: Iterable[Symbol]) -> list[Symbol]:
    """All that results are made of, in the order in which it was written.

    That order makes faster kernels than one that follows the results, measured: what a loop over
    legs or links makes is mostly used soon.
    """
    found: dict[int, Symbol] = {}
    stack = [*results]
    while stack:
        symbol = stack.pop()
        if symbol.index not in found:
            found[symbol.index] = symbol
            if symbol.op != "input":
                stack += symbol.args
    return [found[index] for index in sorted(found)]


def replaced(results: Iterable[Scalar], known: Mapping[Symbol, Scalar]) -> list[Scalar]:
    """Results with some inputs put to numbers or symbols; what becomes constant folds."""
    results = [*results]
    values: dict[int, Scalar] = {symbol.index: value for symbol, value in known.items()}
    for symbol in needed(x for x in results if isinstance(x, Symbol)):
        if symbol.index in values or symbol.op == "input":
            continue
        args = [values.get(arg.index, arg) for arg in symbol.args]
        if any(new is not old for new, old in zip(args, symbol.args, strict=True)):
            plain = [x.value if isinstance(x, Symbol) and x.op == "const" else x for x in args]
            values[symbol.index] = UFUNCS[symbol.op](*plain)
    return [values.get(x.index, x) if isinstance(x, Symbol) else x for x in results]
