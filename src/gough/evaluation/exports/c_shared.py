"""A program as C with one routine for each kind of legs.  [BK] 4.3, [KI] after (22)

A routine takes the figures of a leg, the arguments of the function and values from outside that
legs have in common, and leaves what others ask of the leg in an array of the leg's own.  It writes
to nothing else, so that the legs of one phase could run at the same time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from string import ascii_lowercase

import numpy as np

from gough.compiler.targets.c_source import Writer
from gough.compiler.tracing.count import Operations, count_of
from gough.compiler.tracing.program import Program
from gough.evaluation.exports.leg_program import FIGURES
from gough.evaluation.exports.outline import Outline, Shared

Routine = tuple[int, int]
"""A kind of legs, and a phase."""


class SharedWriter(Writer):
    """Statements of a program whose alike legs share routines.

    Args:
        program: what it computes, figures being its last inputs.
        name: of the function.
        single: ``float`` instead of ``double``.
        outline: what its legs share.
        legs: names of the legs of every kind.
    """

    def __init__(
        self,
        program: Program,
        name: str,
        single: bool,
        outline: Outline,
        legs: Sequence[Sequence[str]],
    ) -> None:
        super().__init__(program, name, single)
        self.outline, self.legs = outline, legs
        self.inputs = [port for port in program.inputs if not port.name.startswith(FIGURES)]
        self.figures: list[dict[tuple[float, ...], int]] = [{} for _ in legs]
        self.routines = {
            routine: self._statements(routine)
            for routine in sorted({self._routine(shared) for shared in outline.shared})
        }

    def operations(self) -> Operations:
        """How many are carried out: not those by which figures follow from figures."""
        code = enumerate(self.program.instructions)
        return count_of(each.op for k, each in code if k not in self.outline.numbers)

    def remarks(self) -> list[str]:
        """Which legs share a routine."""
        kinds = {kind for kind, _ in self.routines}
        return [f"one routine for the legs {', '.join(self.legs[kind])}" for kind in sorted(kinds)]

    def before(self) -> list[str]:
        """Figures of the legs, and their routines."""
        lines: list[str] = []
        for kind in sorted({kind for kind, _ in self.routines}):
            columns = np.array([*self.figures[kind]]).reshape(-1, len(self.legs[kind]))
            rows = [", ".join(self.number(x) for x in row) for row in columns.T]
            head = f"static const {self.real} {self.name}_figures_{ascii_lowercase[kind]}"
            if len(columns):
                lines += [f"{head}[{len(rows)}][{len(columns)}] = {{"]
                lines += [f"    {{{row}}}," for row in rows] + ["};", ""]
        for routine, statements in self.routines.items():
            takes = ", ".join(declared for declared, _ in self._arguments(routine, 0))
            lines += [f"static void {self._name(routine)}({takes}) {{", *statements, "}", ""]
        return lines

    def body(self) -> list[str]:
        """Statements of the function: phase by phase, what is outside and then the legs."""
        lines = self.unused()
        if self._common:
            lines.append(f"    {self.real} common[{len(self._common)}];")
        for kind, asked in enumerate(self._asked):
            if asked:
                size = f"[{len(self.legs[kind])}][{len(asked)}]"
                lines.append(f"    {self.real} leg_{ascii_lowercase[kind]}{size};")
        outline, code = self.outline, self.program.instructions
        for phase in range(max(outline.phases, default=0) + 1):
            for k in self._outside:
                if outline.phases[k] != phase:
                    continue
                text = self.operation(code[k].op, [self._text(a) for a in code[k].args])
                lines.append(f"    const {self.real} v{k} = {text};")
                if k in self._common:
                    lines.append(f"    common[{self._common[k]}] = v{k};")
            for routine in self.routines:
                if routine[1] == phase:
                    for row in range(len(self.legs[routine[0]])):
                        given = ", ".join(given for _, given in self._arguments(routine, row))
                        lines.append(f"    {self._name(routine)}({given});")
        return [*lines, *self.ending(self._text)]

    # what is where

    def _routine(self, shared: Shared) -> Routine:
        return shared.kind, self.outline.phases[shared.values[0]]

    def _name(self, routine: Routine) -> str:
        kind, phase = routine
        return f"{self.name}_leg_{ascii_lowercase[kind]}{phase}"

    @cached_property
    def _outside(self) -> list[int]:
        """Instructions that no routine has."""
        outline = self.outline
        return [
            k
            for k, instruction in enumerate(self.program.instructions)
            if instruction.op not in ("input", "const")
            and k not in outline.place
            and k not in outline.numbers
        ]

    @cached_property
    def _common(self) -> dict[int, int]:
        """Values from outside that routines need, and their places."""
        code, outline = self.program.instructions, self.outline
        found: dict[int, int] = {}
        for shared in outline.shared:
            for a in shared.operands[0]:
                if a not in outline.place and a not in outline.numbers and code[a].op != "input":
                    found.setdefault(a, len(found))
        return found

    @cached_property
    def _asked(self) -> list[dict[int, int]]:
        """Of every kind, shared instructions whose values others need, and their places."""
        outline, code = self.outline, self.program.instructions
        needed = {v for result in self.program.results for v in result}
        needed |= {a for k in self._outside for a in code[k].args}
        asked = {outline.place[v][0] for v in needed if v in outline.place}
        for shared in outline.shared:
            phase = self._routine(shared)[1]
            for a in shared.operands[0]:
                if a in outline.place and outline.phases[a] < phase:
                    asked.add(outline.place[a][0])
        found: list[dict[int, int]] = [{} for _ in self.legs]
        for k in sorted(asked):
            own = found[outline.shared[k].kind]
            own[k] = len(own)
        return found

    def _text(self, value: int) -> str:
        """A value as the function writes it."""
        op, args, _ = self.program.instructions[value]
        if value in self.outline.numbers:
            return self._literal(self.outline.numbers[value])
        if op == "input":
            return f"{self.program.inputs[args[0]].name}[{args[1]}]"
        if value not in self.outline.place:
            return f"v{value}"
        k, row = self.outline.place[value]
        kind = self.outline.shared[k].kind
        return f"leg_{ascii_lowercase[kind]}[{row}][{self._asked[kind][k]}]"

    def _literal(self, number: float) -> str:
        text = self.number(number)
        return f"({text})" if text.startswith("-") else text

    # routines

    def _statements(self, routine: Routine) -> list[str]:
        kind, phase = routine
        lines = []
        for k, shared in enumerate(self.outline.shared):
            if self._routine(shared) != routine:
                continue
            operands = zip(*shared.operands, strict=True)
            text = self.operation(
                shared.op, [self._operand(kind, phase, same) for same in operands]
            )
            lines.append(f"    const {self.real} v{k} = {text};")
            if k in self._asked[kind]:
                lines.append(f"    leg[{self._asked[kind][k]}] = v{k};")
        return lines

    def _operand(self, kind: int, phase: int, same: Sequence[int]) -> str:
        """An operand of a shared instruction, given what it is in every leg."""
        outline, first = self.outline, same[0]
        if first in outline.numbers:
            return self._figure(kind, tuple(outline.numbers[v] for v in same))
        if first in outline.place:
            k = outline.place[first][0]
            here = outline.phases[first] == phase
            return f"v{k}" if here else f"leg[{self._asked[kind][k]}]"
        return f"common[{self._common[first]}]" if first in self._common else self._text(first)

    def _figure(self, kind: int, numbers: tuple[float, ...]) -> str:
        """A number, or the place in the table of one that legs differ by."""
        if len({x.hex() for x in numbers}) == 1:  # which tells 0 from -0
            return self._literal(numbers[0])
        table = self.figures[kind]
        opposite = tuple(-x for x in numbers)
        if opposite in table:
            return f"(-figures[{table[opposite]}])"
        return f"figures[{table.setdefault(numbers, len(table))}]"

    def _arguments(self, routine: Routine, row: int) -> Iterator[tuple[str, str]]:
        """What a routine takes: how it is declared, and what is given for a leg."""
        kind, _ = routine
        letter = ascii_lowercase[kind]
        used = {*re.findall(r"\b(\w+)\[", "\n".join(self.routines[routine]))}
        if "figures" in used:
            size = len(self.figures[kind])
            given = f"{self.name}_figures_{letter}[{row}]"
            yield f"const {self.real} figures[{size}]", given
        for port in self.inputs:
            if port.name in used:
                yield f"const {self.real} {port.name}[{port.size}]", port.name
        if "common" in used:
            yield f"const {self.real} common[{len(self._common)}]", "common"
        yield f"{self.real} leg[{len(self._asked[kind])}]", f"leg_{letter}[{row}]"
