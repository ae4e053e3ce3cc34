"""Lines of a listing: operations of a program put together to expressions of readable length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gough.compiler.tracing.program import Program
from gough.evaluation.listings.names import Namer
from gough.evaluation.listings.noted import Note

_MOST = 76
"""Letters in one line, about; what would be longer becomes a line of its own."""


class Term(NamedTuple):
    """An expression: an operation on expressions, a number or a name.

    Attributes:
        op: operation, ``"const"`` or ``"name"``.
        args: what it is made of.
        value: of a number.
        name: of a value.
        size: letters in it, about.
    """

    op: str
    args: tuple[Term, ...] = ()
    value: float = 0.0
    name: str = ""
    size: int = 0


class Line(NamedTuple):
    """One line: ``name = term``.

    Attributes:
        name: what is computed.
        term: how.
        heading: what the lines from here on are about; empty if that of the line before holds.
        cited: equations of the papers beside it; may be empty.
    """

    name: str
    term: Term
    heading: str = ""
    cited: str = ""


def lines_of(
    program: Program,
    inputs: Mapping[str, Sequence[str]],
    outputs: Mapping[str, Sequence[str]],
    wanted: Mapping[int, tuple[str, str]],
    notes: Sequence[Note | None],
    namer: Namer,
) -> list[Line]:
    """Lines of a program.

    Args:
        program: what is computed.
        inputs: names of the scalars of every input.
        outputs: names of the scalars of every output.
        wanted: names of values in the equations with what is cited there, by instruction.
        notes: where instructions come from.
        namer: makes names that are not taken.
    """
    uses = Counter(a for i in program.instructions if i.op != "input" for a in i.args)
    results = {
        value: name
        for port, values in reversed([*zip(program.outputs, program.results, strict=True)])
        for value, name in reversed([*zip(values, outputs[port.name], strict=True)])
    }
    needed = _needed(program)
    terms: list[Term] = []
    lines: list[Line] = []
    here: Note | None = None

    def settle(name: str, term: Term, note: Note | None, cited: str = "") -> Term:
        nonlocal here
        lines.append(Line(name, term, _heading(note, here), cited))
        here = note if note is not None and note.heading else here
        return Term("name", name=name, size=len(name))

    for k, (op, args, value) in enumerate(program.instructions):
        if op == "input":
            name = inputs[program.inputs[args[0]].name][args[1]]
            terms.append(Term("name", name=name, size=len(name)))
        elif op == "const":
            terms.append(Term("const", value=value, size=len(repr(value))))
        elif k not in needed:
            terms.append(Term("const"))
        else:
            parts = [terms[a] for a in args]
            while sum(part.size for part in parts) > _MOST:
                longest = max(range(len(parts)), key=lambda i: parts[i].size)
                parts[longest] = settle(namer.next(), parts[longest], notes[k])
            term = Term(op, tuple(parts), size=4 + sum(part.size for part in parts))
            shared = uses[k] > 1 and op != "neg"
            if k in results:
                term = settle(results[k], term, notes[k], wanted.get(k, ("", ""))[1])
            elif k in wanted and op != "neg" and (shared or wanted[k][1]):
                term = settle(namer(wanted[k][0]), term, notes[k], wanted[k][1])
            elif shared:
                term = settle(namer.next(), term, notes[k])
            terms.append(term)
    for port, values in zip(program.outputs, program.results, strict=True):
        for value, name in zip(values, outputs[port.name], strict=True):
            if terms[value].name != name:
                settle(name, terms[value], None)
    return lines


def _heading(note: Note | None, before: Note | None) -> str:
    """What lines are about from here on; empty if that of the lines before holds."""
    if note is None or not note.heading or note == before:
        return ""
    if before is not None and note[:2] == before[:2]:
        return f"... leg {note.leg}" if note.leg else "... all of it"
    leg = f", leg {note.leg}" if note.leg else ""
    return f"{note.heading}{leg}" + (f"  {note.cited}" if note.cited else "")


def _needed(program: Program) -> set[int]:
    """Instructions that the outputs need."""
    found: set[int] = set()
    stack = [value for result in program.results for value in result]
    while stack:
        k = stack.pop()
        if k not in found:
            found.add(k)
            instruction = program.instructions[k]
            stack += instruction.args if instruction.op != "input" else ()
    return found
