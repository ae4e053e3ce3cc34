"""A program as C99: one function, no heap, no globals, nothing of libc but its mathematics.

Every name is made here; of what users write only names that match the description's pattern reach
the text, in comments and behind a prefix.  Numbers are hexadecimal floats, exact in any locale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gough.compiler.tracing.count import Operations, count
from gough.compiler.tracing.program import Port, Program

STATUS = {"OK": 0, "UNREACHABLE": 1, "SINGULAR": 2, "INCONSISTENT": 3}
"""What a function returns."""

_PRINTED = ", printed by gough "
AGREED, AGREED_SINGLE = 1e-9, 1e-3
"""Share by which a self-test in double and in single precision may be off."""
_ROUNDING = 1e-12
_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_FUNCTIONS = {"sqrt": "sqrt", "abs": "fabs", "copysign": "copysign"}
_FUNCTIONS |= {n: n for n in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log")}


class Source(NamedTuple):
    """Text of the two files, and the name of their function."""

    name: str
    header: str
    code: str


class Subject(NamedTuple):
    """What the text is about; names only, no free text.

    Attributes:
        robot: its name.
        checksum: of its description.
        version: of this library.
        motors: their names.
        meanings: what arguments are, with frame and unit, by name.
        variant: what sets it apart, as a suffix of the name: ``tree_payload``.
        options: method, friction and so on, in words.
        freedoms: components that describe the platform's motion.
        columns: names of the columns of a regressor.
    """

    robot: str
    checksum: str
    version: str
    motors: tuple[str, ...]
    meanings: Mapping[str, str]
    variant: str = ""
    options: str = ""
    freedoms: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


def source(
    program: Program,
    subject: Subject,
    sample: Mapping[str, np.ndarray],
    expected: Mapping[str, np.ndarray],
    *,
    single: bool = False,
    write: Callable[[Program, str, bool], Writer] | None = None,
) -> Source:
    """The C of a program.

    Args:
        program: what it computes; its output ``doubt`` becomes the status.
        subject: what it is about.
        sample: inputs of a self-test, by name.
        expected: outputs there.
        single: ``float`` instead of ``double``.
        write: what makes statements of a program, by its name and ``single``; one flat function if
            not given.
    """
    parts = ["gough", subject.robot, program.name, subject.variant, "f" if single else ""]
    name = "_".join(part for part in parts if part)
    writer = (write or Writer)(program, name, single)
    about = _about(program, subject, writer)
    guard = f"{name}_H"
    header = [
        about,
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        *_status(name),
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        f"{writer.prototype()};",
        "",
        f"int {name}_self_test(void);",
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
        "#endif",
        "",
    ]
    code = [
        about,
        f'#include "{name}.h"',
        "",
        "#include <math.h>",
        "",
        *writer.before(),
        f"{writer.prototype()} {{",
        *writer.body(),
        "}",
        "",
        *writer.self_test(sample, expected),
        "",
        "#ifdef GOUGH_SELF_TEST",
        "int main(void) {",
        f"    return {name}_self_test();",
        "}",
        "#endif",
        "",
    ]
    return Source(name, "\n".join(header), "\n".join(code))


def magnitude(values: np.ndarray) -> float:
    """What answers of a self-test are measured by; 1 for those that should vanish."""
    size = float(np.abs(values).max(initial=0.0))
    return size if size > _ROUNDING else 1.0


def _status(name: str) -> list[str]:
    meaning = {
        "OK": "the answer is valid",
        "UNREACHABLE": "no leg reaches the pose, or an input is no number: outputs are not set",
        "SINGULAR": "a leg or the motors are singular, or nearly: outputs are set, do not use them",
        "INCONSISTENT": "pose or twist is outside the mobility: outputs are set, do not use them",
    }
    return [
        f"#define {name.upper()}_{key} {value} /* {meaning[key]} */"
        for key, value in STATUS.items()
    ]


def _about(program: Program, subject: Subject, writer: Writer) -> str:
    def said(port: Port) -> str:
        return subject.meanings.get(port.name, "")

    lines = [
        f"{program.name} of {subject.robot}{_PRINTED}{subject.version}",
        f"robot checksum (SHA-256): {subject.checksum}",
        f"operations: {writer.operations()}",
        f"motors: {', '.join(subject.motors) or 'none'}",
        f"freedoms: {', '.join(subject.freedoms) or 'none'}",
        *([subject.options] if subject.options else []),
        *([f"columns of W: {', '.join(subject.columns)}"] if subject.columns else []),
        *writer.remarks(),
        "",
        "arguments:",
    ]
    for port in writer.inputs:
        lines.append(f"  in   {port.name}[{port.size}]: {said(port)}")
    for port in writer.outputs:
        lines.append(f"  out  {port.name}_out[{port.size}]: {said(port)}")
    others = ", ".join(f"{writer.name.upper()}_{key}" for key in [*STATUS][1:])
    lines += ["", f"returns 0 if the answer is valid, otherwise {others}"]
    return "/*\n" + "\n".join(f" * {line}".rstrip() for line in lines) + "\n */"


def declared(text: str) -> str | None:
    """Function, robot and variant that a header declares; ``None`` of other texts.

    Figures of the robot and the version do not count.
    """
    lines = [line.removeprefix(" * ") for line in text.splitlines()]
    if len(lines) < 2 or _PRINTED not in lines[1]:
        return None
    options = [line for line in lines if line.startswith("method ")]
    return "; ".join([lines[1].split(_PRINTED)[0], *options])


class Writer:
    """Statements of a program, in one flat function."""

    def __init__(self, program: Program, name: str, single: bool) -> None:
        self.program, self.name, self.single = program, name, single
        self.real, self.suffix = ("float", "f") if single else ("double", "")
        self.inputs: Sequence[Port] = program.inputs
        self.outputs = [port for port in program.outputs if port.name != "doubt"]

    def operations(self) -> Operations:
        """How many are carried out."""
        return count(self.program)

    def remarks(self) -> list[str]:
        """What is to be said above about how the code is made."""
        return []

    def before(self) -> list[str]:
        """The text before the function."""
        return []

    def prototype(self) -> str:
        """Declaration of the function."""
        takes = [f"const {self.real} {p.name}[{p.size}]" for p in self.inputs]
        gives = [f"{self.real} {p.name}_out[{p.size}]" for p in self.outputs]
        return f"int {self.name}(" + ", ".join([*takes, *gives]) + ")"

    def number(self, value: float) -> str:
        """An exact literal."""
        if not np.isfinite(value):
            raise ValueError(f"{value} has no literal")
        exact = float(np.float32(value)) if self.single else float(value)
        return f"{exact.hex()}{self.suffix}"

    def body(self) -> list[str]:
        """Statements of the function."""
        lines = self.unused()
        for k, (op, args, value) in enumerate(self.program.instructions):
            if op == "input":
                text = f"{self.program.inputs[args[0]].name}[{args[1]}]"
            elif op == "const":
                text = self.number(value)
            else:
                text = self.operation(op, [f"v{a}" for a in args])
            lines.append(f"    const {self.real} v{k} = {text};")
        return [*lines, *self.ending(lambda v: f"v{v}")]

    def unused(self) -> list[str]:
        """No warning about an argument that the answer does not depend on."""
        return [f"    (void){port.name};" for port in self.inputs]

    def ending(self, text: Callable[[int], str]) -> list[str]:
        """Outputs set and the status returned; ``text`` is how a value is written."""
        lines: list[str] = []
        results = dict(
            zip((p.name for p in self.program.outputs), self.program.results, strict=True)
        )
        doubts = [text(v) for v in results.pop("doubt", ())]
        answer = dict.fromkeys(text(v) for values in results.values() for v in values)
        upper = self.name.upper()
        if doubts:
            consistent, regular = doubts
            # x - x is zero, but NaN for NaN and infinity
            total, one, zero = f"{consistent} + {regular}", self.number(1.0), self.number(0.0)
            finite = " + ".join(f"({v} - {v})" for v in answer) or zero
            lines.append(f"    if ({total} != {total} || ({total} < {one} && {finite} != {zero}))")
            lines.append(f"        return {upper}_UNREACHABLE;")
        for name, values in results.items():
            lines += [f"    {name}_out[{i}] = {text(v)};" for i, v in enumerate(values)]
        if doubts:
            one = self.number(1.0)
            lines.append(f"    if (!({regular} < {one}))")
            lines.append(f"        return {upper}_SINGULAR;")
            lines.append(f"    if (!({consistent} < {one}))")
            lines.append(f"        return {upper}_INCONSISTENT;")
        return [*lines, f"    return {upper}_OK;"]

    def operation(self, op: str, args: Sequence[str]) -> str:
        """One operation, as the interpreter does it."""
        a, b = args[0], args[-1]
        if op in _INFIX:
            return f"{a} {_INFIX[op]} {b}"
        if op == "neg":
            return f"-{a}"
        if op in _FUNCTIONS:
            return f"{_FUNCTIONS[op]}{self.suffix}({', '.join(args)})"
        one, zero = self.number(1.0), self.number(0.0)
        level = f"{a} == {zero} ? {zero} : {a}"
        return {
            "sign": f"{a} > {zero} ? {one} : ({a} < {zero} ? -{one} : ({level}))",
            "min": f"({a} < {b} || {a} != {a}) ? {a} : {b}",
            "max": f"({a} > {b} || {a} != {a}) ? {a} : {b}",
            "lt": f"{a} < {b} ? {one} : {zero}",
            "le": f"{a} <= {b} ? {one} : {zero}",
        }[op]

    def self_test(
        self, sample: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]
    ) -> list[str]:
        """A function that calls the first one with a known state."""
        lines = [f"int {self.name}_self_test(void) {{"]
        for port in self.inputs:
            lines.append(self._array(port.name, np.asarray(sample[port.name]), const=True))
        for port in self.outputs:
            lines.append(
                self._array(f"{port.name}_known", np.asarray(expected[port.name]), const=True)
            )
            lines.append(f"    {self.real} {port.name}_out[{port.size}];")
        names = [p.name for p in self.inputs] + [f"{p.name}_out" for p in self.outputs]
        lines += ["    int i;", f"    const int status = {self.name}({', '.join(names)});"]
        lines += ["    if (status != 0)", "        return status;"]
        tolerance = self.number(AGREED_SINGLE if self.single else AGREED)
        for port in self.outputs:
            size = magnitude(expected[port.name])
            lines += [
                f"    for (i = 0; i < {port.size}; i++)",
                f"        if (!(fabs{self.suffix}({port.name}_out[i] - {port.name}_known[i])"
                f" <= {tolerance} * {self.number(size)}))",
                "            return 4;",
            ]
        return [*lines, "    return 0;", "}"]

    def _array(self, name: str, values: np.ndarray, *, const: bool) -> str:
        listed = ", ".join(self.number(x) for x in values.reshape(-1))
        return f"    {'const ' if const else ''}{self.real} {name}[{values.size}] = {{{listed}}};"
