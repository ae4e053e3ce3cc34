"""Divisions by the same value share one reciprocal: a division takes as long as ten products."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gough.compiler.tracing.program import Instruction, Program


def share_reciprocals(program: Program) -> Program:
    """The program with ``a / y, b / y`` as ``r = 1 / y; a r, b r``, wherever y divides twice."""
    code = program.instructions
    one = [k for k, i in enumerate(code) if i.op == "const" and i.value == 1.0]
    times = Counter(i.args[1] for i in code if i.op == "div")
    made: list[Instruction] = []
    place: list[int] = []  # of each old value among the new ones
    known: dict[int, int] = {}  # reciprocals by the divisor's old index

    def add(instruction: Instruction) -> int:
        made.append(instruction)
        return len(made) - 1

    unit = add(Instruction("const", (), 1.0)) if any(n > 1 for n in times.values()) else -1
    for op, args, value in code:
        if op in ("input", "const"):
            place.append(add(Instruction(op, args, value)))
        elif op == "div" and times[args[1]] > 1:
            above, below = args
            if below not in known:
                known[below] = add(Instruction("div", (unit, place[below])))
            is_one = above in one
            product = Instruction("mul", tuple(sorted((place[above], known[below]))))
            place.append(known[below] if is_one else add(product))
        else:
            place.append(add(Instruction(op, tuple([place[a] for a in args]), value)))
    results = tuple(tuple(place[v] for v in result) for result in program.results)
    return replace(program, instructions=tuple(made), results=results)
