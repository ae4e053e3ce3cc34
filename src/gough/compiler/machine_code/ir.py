"""A program as LLVM IR: a loop over states, several of them side by side in every vector.

Arrays keep the layout that users give them, one row of scalars a state.  Rows are loaded four
scalars at a time and turned over in registers, so that each vector holds one scalar of several
states.  The last vector of a batch that does not fill it repeats the last state.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from gough.compiler.tracing.program import Program

NAME = "kernel"
BOUND = "bound"
"""The same with its arguments in a table: converting one takes Python a third of the time."""
"""Of the function: ``void kernel(begin, end, last, inputs, strides, outputs)``."""

FLAGS = "contract reassoc arcp"
"""Liberties of rounding: fused and reordered sums, reciprocals; NaN and infinity survive."""

COPIED = 16
"""Quartets of an output from which on constants are copied by a loop.

LLVM looks at pairs of stores: 2,081 outputs of a Delta, 1,862 of them constant, took it 5 s.
"""

QUARTET = 4
_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_INTRINSICS = {"sqrt": "sqrt", "abs": "fabs", "copysign": "copysign"}
_INTRINSICS |= {name: name for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")}
_INTRINSICS |= {"exp": "exp", "log": "log", "min": "minimum", "max": "maximum"}


def module(program: Program, width: int, flags: str = FLAGS) -> str:
    """The text of a module with one function.

    Args:
        program: what it computes.
        width: states in one vector, a multiple of four.
        flags: liberties of rounding; none makes the code equal the interpreter bit by bit.
    """
    return _Writer(program, width, flags).text()


def scalar_module(programs: Mapping[str, Program], flags: str = FLAGS) -> str:
    """The text of a module with a function for each program, for one state at a time.

    Functions are ``void name(ptr in, ptr out)``: all inputs of a state one after the other, and all
    outputs.

    Args:
        programs: by the names of their functions, which are made of letters, digits and ``_``.
        flags: liberties of rounding.
    """
    writers = [_Scalar(program, flags, name) for name, program in programs.items()]
    texts = [writer.text() for writer in writers]
    declared = sorted({line for writer in writers for line in writer.declared})
    return "\n".join([*declared, *texts])


class _Writer:
    def __init__(self, program: Program, width: int, flags: str) -> None:
        self.program, self.width, self.flags = program, width, flags
        self.vector = f"<{width} x double>"
        self.bits = f"<{width} x i1>"
        self.lines: list[str] = []
        self.declared: set[str] = set()
        self._numbers: Iterator[int] = count()
        self._block = "loop"  # the one that lines are added to

    def text(self) -> str:
        """The whole module."""
        head = (
            f"define void @{NAME}(i64 %begin, i64 %end, i64 %last, ptr %in, ptr %strides, ptr %out)"
        )
        self.lines += [f"{head} #0 {{", "entry:"]
        # pointers and strides do not change in the loop
        bases = [self._loaded("ptr", "%in", i) for i in range(len(self.program.inputs))]
        strides = [self._loaded("i64", "%strides", i) for i in range(len(self.program.inputs))]
        outs = [self._loaded("ptr", "%out", i) for i in range(len(self.program.outputs))]
        self.lines += ["  br label %loop", "loop:"]
        self.lines.append("  %i = phi i64 [ %begin, %entry ], [ %next, %stored ]")
        rows = [self._row(k) for k in range(self.width)]
        values = self._values(self._inputs(bases, strides, rows))
        for port, base, results in zip(
            self.program.outputs, outs, self.program.results, strict=True
        ):
            self._store([values[v] for v in results], base, port.size, rows)
        self.lines += [
            "  br label %stored",
            "stored:",
            f"  %next = add i64 %i, {self.width}",
            "  %more = icmp slt i64 %next, %end",
            "  br i1 %more, label %loop, label %done",
            "done:",
            "  ret void",
            "}",
            f"define void @{BOUND}(ptr %table) #0 {{",
        ]
        kinds = ["i64"] * 3 + ["ptr"] * 3
        values = [self._loaded(kind, "%table", i) for i, kind in enumerate(kinds)]
        given = ", ".join(f"{kind} {value}" for kind, value in zip(kinds, values, strict=True))
        self.lines += [
            f"  call void @{NAME}({given})",
            "  ret void",
            "}",
            # vectors that do not fit into registers are kept on the stack, aligned as they need
            'attributes #0 = { nounwind alignstack=64 "stackrealign" }',
        ]
        return "\n".join([*sorted(self.declared), *self.lines])

    def put(self, code: str) -> str:
        """A line that makes a value; returns the value's name."""
        name = f"%t{next(self._numbers)}"
        self.lines.append(f"  {name} = {code}")
        return name

    # rows of arrays

    def _loaded(self, kind: str, array: str, index: int) -> str:
        return self.put(
            f"load {kind}, ptr {self.put(f'getelementptr {kind}, ptr {array}, i64 {index}')}"
        )

    def _row(self, k: int) -> str:
        """Number of the state in a lane; lanes past the end repeat the last one."""
        own = self.put(f"add i64 %i, {k}")
        inside = self.put(f"icmp slt i64 {own}, %last")
        return self.put(f"select i1 {inside}, i64 {own}, i64 %last")

    def _inputs(
        self, bases: Sequence[str], strides: Sequence[str], rows: Sequence[str]
    ) -> dict[tuple[int, ...], str]:
        used: dict[int, list[int]] = {}
        for op, args, _ in self.program.instructions:
            if op == "input":
                used.setdefault(args[0], []).append(args[1])
        found: dict[tuple[int, ...], str] = {}
        for port, positions in used.items():
            starts = []
            for row in rows:
                offset = self.put(f"mul i64 {row}, {strides[port]}")
                starts.append(self.put(f"getelementptr double, ptr {bases[port]}, i64 {offset}"))
            for first, members in quartets(sorted(positions), self.program.inputs[port].size):
                columns = (
                    [self._column(starts, first)]
                    if len(members) == 1
                    else self._turned(starts, first)
                )
                at = first if len(members) > 1 else members[0]
                found |= {(port, m): columns[m - at] for m in members}
        return found

    def _column(self, starts: Sequence[str], position: int) -> str:
        """One scalar of every row, one by one."""
        vector = "undef"
        for lane, start in enumerate(starts):
            place = self.put(f"getelementptr double, ptr {start}, i64 {position}")
            scalar = self.put(f"load double, ptr {place}")
            vector = self.put(f"insertelement {self.vector} {vector}, double {scalar}, i32 {lane}")
        return vector

    def _turned(self, starts: Sequence[str], first: int) -> list[str]:
        """Four neighbouring scalars of every row, as four vectors."""
        blocks = []
        for k in range(0, self.width, QUARTET):
            loaded = []
            for start in starts[k : k + QUARTET]:
                place = self.put(f"getelementptr double, ptr {start}, i64 {first}")
                loaded.append(self.put(f"load <4 x double>, ptr {place}, align 8"))
            blocks.append(self._transposed(loaded))
        return [self._joined([block[c] for block in blocks]) for c in range(QUARTET)]

    def _transposed(self, rows: Sequence[str]) -> list[str]:
        """A 4x4 block turned over."""
        low = [self._shuffled(rows[k], rows[k + 1], (0, 4, 2, 6)) for k in (0, 2)]
        high = [self._shuffled(rows[k], rows[k + 1], (1, 5, 3, 7)) for k in (0, 2)]
        return [
            self._shuffled(pair[0], pair[1], mask)
            for mask in ((0, 1, 4, 5), (2, 3, 6, 7))
            for pair in (low, high)
        ]

    def _shuffled(self, a: str, b: str, mask: Sequence[int], kind: str = "<4 x double>") -> str:
        chosen = ", ".join(f"i32 {m}" for m in mask)
        return self.put(f"shufflevector {kind} {a}, {kind} {b}, <{len(mask)} x i32> <{chosen}>")

    def _joined(self, parts: Sequence[str]) -> str:
        """Vectors of four one after the other."""
        size, parts = QUARTET, list(parts)
        while len(parts) > 1:
            kind, mask = f"<{size} x double>", range(2 * size)
            parts = [
                self._shuffled(parts[k], parts[k + 1], mask, kind) for k in range(0, len(parts), 2)
            ]
            size *= 2
        return parts[0]

    def _store(self, values: Sequence[str], base: str, size: int, rows: Sequence[str]) -> None:
        """Results, back into rows."""
        starts = []
        for row in rows:
            offset = self.put(f"mul i64 {row}, {size}")
            starts.append(self.put(f"getelementptr double, ptr {base}, i64 {offset}"))
        whole = len(values) - len(values) % QUARTET
        fixed = [
            not any(v.startswith("%") for v in values[k : k + QUARTET])
            for k in range(0, whole, QUARTET)
        ]
        if copied := sum(fixed) >= COPIED:
            # what varies is written over it
            first_lane = (
                v.split()[1].rstrip(",>") if v[0] == "<" else "0.0" for v in values[:whole]
            )
            self._copy([*first_lane], starts)
        for first in range(0, whole, QUARTET):
            group = values[first : first + QUARTET]
            if copied and fixed[first // QUARTET]:
                continue
            for k in range(0, self.width, QUARTET):
                lanes = range(k, k + QUARTET)
                block = [self._shuffled(v, v, lanes, self.vector) for v in group]
                for lane, row in zip(lanes, self._transposed(block), strict=True):
                    place = self.put(f"getelementptr double, ptr {starts[lane]}, i64 {first}")
                    self.lines.append(f"  store <4 x double> {row}, ptr {place}, align 8")
        for position in range(whole, len(values)):
            for lane, start in enumerate(starts):
                scalar = self.put(f"extractelement {self.vector} {values[position]}, i32 {lane}")
                place = self.put(f"getelementptr double, ptr {start}, i64 {position}")
                self.lines.append(f"  store double {scalar}, ptr {place}")

    def _copy(self, values: Sequence[str], starts: Sequence[str]) -> None:
        """The same numbers into every row, a quartet at a time."""
        before, name = self._block, f"copy{next(self._numbers)}"
        listed = ", ".join(f"double {value}" for value in values)
        self.declared.add(
            f"@{name} = private constant [{len(values)} x double] [{listed}], align 32"
        )
        self._block = f"{name}.done"
        self.lines += [f"  br label %{name}", f"{name}:"]
        self.lines.append(f"  %{name}.i = phi i64 [ 0, %{before} ], [ %{name}.next, %{name} ]")
        place = self.put(f"getelementptr double, ptr @{name}, i64 %{name}.i")
        loaded = self.put(f"load <4 x double>, ptr {place}, align 32")
        for start in starts:
            place = self.put(f"getelementptr double, ptr {start}, i64 %{name}.i")
            self.lines.append(f"  store <4 x double> {loaded}, ptr {place}, align 8")
        self.lines += [
            f"  %{name}.next = add i64 %{name}.i, {QUARTET}",
            f"  %{name}.more = icmp slt i64 %{name}.next, {len(values)}",
            f"  br i1 %{name}.more, label %{name}, label %{self._block}",
            f"{self._block}:",
        ]

    # arithmetic

    def _values(self, inputs: dict[tuple[int, ...], str]) -> list[str]:
        found: list[str] = []
        for op, args, value in self.program.instructions:
            if op == "input":
                found.append(inputs[args])
            elif op == "const":
                found.append(self._constant(value))
            else:
                found.append(self._operation(op, [found[a] for a in args]))
        return found

    def _constant(self, value: float) -> str:
        bits = struct.unpack(">Q", struct.pack(">d", value))[0]
        return "<" + ", ".join([f"double 0x{bits:016X}"] * self.width) + ">"

    def _operation(self, op: str, args: Sequence[str]) -> str:
        kind, flags = self.vector, f"{self.flags} " if self.flags else ""
        if op in _BINARY:
            return self.put(f"{_BINARY[op]} {flags}{kind} {args[0]}, {args[1]}")
        if op == "neg":
            return self.put(f"fneg {flags}{kind} {args[0]}")
        if op in _INTRINSICS:
            name = f"@llvm.{_INTRINSICS[op]}.v{self.width}f64"
            self.declared.add(f"declare {kind} {name}({', '.join([kind] * len(args))})")
            return self.put(f"call {kind} {name}({', '.join(f'{kind} {a}' for a in args)})")
        if op in ("lt", "le"):
            holds = self.put(f"fcmp o{op} {kind} {args[0]}, {args[1]}")
            return self.put(f"uitofp {self.bits} {holds} to {kind}")
        return self._sign(args[0])

    def _sign(self, x: str) -> str:
        kind, zero = self.vector, self._constant(0.0)
        above = self.put(f"fcmp ogt {kind} {x}, {zero}")
        below = self.put(f"fcmp olt {kind} {x}, {zero}")
        level = self.put(f"fcmp oeq {kind} {x}, {zero}")
        found = self._choose(level, zero, x)  # NaN stays
        found = self._choose(below, self._constant(-1.0), found)
        return self._choose(above, self._constant(1.0), found)

    def _choose(self, condition: str, a: str, b: str) -> str:
        kind = self.vector
        return self.put(f"select {self.bits} {condition}, {kind} {a}, {kind} {b}")


class _Scalar(_Writer):
    """One state: vectors of a single number, which LLVM takes for numbers."""

    def __init__(self, program: Program, flags: str, name: str) -> None:
        super().__init__(program, 1, flags)
        self.name = name

    def text(self) -> str:
        """One function, without declarations."""
        self.lines += [f"define void @{self.name}(ptr %in, ptr %out) nounwind {{", "entry:"]
        firsts = [0]
        for port in self.program.inputs:
            firsts.append(firsts[-1] + port.size)
        inputs = {
            args: self.put(
                f"load {self.vector}, ptr {self._place('%in', firsts[args[0]] + args[1])}"
            )
            for op, args, _ in self.program.instructions
            if op == "input"
        }
        values = self._values(inputs)
        results = [value for port in self.program.results for value in port]
        for k, value in enumerate(results):
            place = self._place("%out", k)
            self.lines.append(f"  store {self.vector} {values[value]}, ptr {place}")
        self.lines += ["  ret void", "}"]
        return "\n".join(self.lines)

    def _place(self, base: str, index: int) -> str:
        return self.put(f"getelementptr double, ptr {base}, i32 {index}")


def quartets(positions: Sequence[int], size: int) -> Iterator[tuple[int, list[int]]]:
    """Positions of a row in groups of neighbours within four; single ones alone."""
    left = list(positions)
    while left:
        first = max(0, min(left[0], size - QUARTET))
        members = [p for p in left if p < first + QUARTET] if size >= QUARTET else left[:1]
        yield (first, members) if len(members) > 1 else (members[0], members)
        left = [p for p in left if p not in members]
