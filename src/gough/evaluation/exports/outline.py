"""What legs of one kind do alike in a flat program, found by comparing their instructions.

An instruction belongs to a leg if, of all legs, it needs that one's figures or instructions only.
It is shared if every leg of the kind has its like: the same operation on like operands, where
numbers may differ.  What has no like is done outside, once for each leg.  So nothing has to be
known about legs, and whatever is found to be shared is right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gough.compiler.tracing.symbols import UFUNCS
from gough.evaluation.exports.leg_program import LegProgram

COMMUTATIVE = ("add", "mul")
_OWN, _OUTSIDE, _NUMBER = 0, 1, 2

Owner = tuple[int, int]
"""A leg: its kind, and its place there."""

Owned = dict[int, tuple[Owner, int, tuple[int, ...]]]
"""Of every instruction of a leg: the leg, what it is like, and its operands in order."""


class Operand(NamedTuple):
    """What an operand is like: own, from outside, or a number; and which of them."""

    sort: int
    which: int


@dataclass(frozen=True, eq=False)
class Shared:
    """An instruction that all legs of a kind have.

    Attributes:
        kind: of the legs.
        op: operation.
        values: its value in every leg, by their numbers in the program.
        operands: its operands in every leg, like ones in the same places.
    """

    kind: int
    op: str
    values: tuple[int, ...]
    operands: tuple[tuple[int, ...], ...]


class Outline:
    """A program taken apart into what its legs share, and the rest.

    Attributes:
        program: the program, figures being its last inputs.
        numbers: values that follow from figures and constants alone.
        shared: shared instructions, those that others need first.
    """

    def __init__(self, legs: LegProgram) -> None:
        self.legs, self.program = legs, legs.program
        self._outside: set[int] = set()  # found to have no like
        self.numbers: dict[int, float] = {}
        while True:
            found = self._compared()
            lonely = self._lonely(found)
            if not lonely:
                break
            self._outside |= lonely
        self.shared = self._listed(found)

    @cached_property
    def place(self) -> dict[int, tuple[int, int]]:
        """Of every value of a shared instruction: the instruction, and which leg's it is."""
        return {
            value: (k, row)
            for k, shared in enumerate(self.shared)
            for row, value in enumerate(shared.values)
        }

    @cached_property
    def phases(self) -> list[int]:
        """When every value is known.

        Values from outside of phase n are worked out before the legs' of phase n, and need those
        of the phases before it.
        """
        found: list[int] = []
        for k, (op, args, _) in enumerate(self.program.instructions):
            phase = 0
            for a in () if op == "input" else args:
                later = a in self.place and k not in self.place
                phase = max(phase, found[a] + later)
            found.append(phase)
        return found  # the same for all legs of a kind, as their operands are alike

    # comparing

    def _compared(self) -> Owned:
        """Instructions of legs, and numbers that follow from figures."""
        first = len(self.program.inputs) - len(self.legs.kinds)
        self.numbers = {}
        owner: dict[int, Owner | None] = {}
        like: dict[int, Operand] = {}
        known: dict[tuple[object, ...], int] = {}
        met: Counter[tuple[Owner, int]] = Counter()
        found: Owned = {}
        for k, (op, args, value) in enumerate(self.program.instructions):
            owner[k] = None
            if op == "const":
                self.numbers[k], like[k] = value, Operand(_NUMBER, -1)
            elif op == "input" and args[0] >= first:
                kind = args[0] - first
                row, column = divmod(args[1], self.legs.tables[kind].shape[1])
                self.numbers[k] = float(self.legs.tables[kind][row, column])
                owner[k], like[k] = (kind, row), Operand(_NUMBER, _named(known, kind, column))
            elif op == "input":
                like[k] = Operand(_OUTSIDE, k)
            else:
                owners = {o for a in args if (o := owner[a]) is not None}
                numbers = all(a in self.numbers for a in args)
                if numbers:
                    self.numbers[k] = float(UFUNCS[op](*(self.numbers[a] for a in args)))
                if len(owners) != 1 or k in self._outside:
                    like[k] = Operand(_NUMBER, -1) if numbers else Operand(_OUTSIDE, k)
                    continue
                (own,) = owners
                order = sorted(args, key=like.__getitem__) if op in COMMUTATIVE else [*args]
                name = _named(known, own[0], op, *(like[a] for a in order))
                owner[k] = own
                if numbers:
                    like[k] = Operand(_NUMBER, name)
                    continue
                met[own, name] += 1  # constants may make several alike: they are paired in order
                which = _named(known, name, met[own, name])
                like[k] = Operand(_OWN, which)
                found[k] = (own, which, tuple(order))
        return found

    def _lonely(self, found: Owned) -> set[int]:
        """Instructions without a like in every leg, though all their operands have one."""
        legs: dict[int, int] = Counter(which for _, which, _ in found.values())
        alone = {
            k
            for k, ((kind, _), which, _) in found.items()
            if legs[which] < len(self.legs.kinds[kind])
        }
        return {k for k in alone if not any(a in alone for a in found[k][2])}

    def _listed(self, found: Owned) -> list[Shared]:
        groups: dict[int, list[int]] = defaultdict(list)
        for k, (_, which, _) in found.items():
            groups[which].append(k)
        listed = []
        for values in groups.values():
            values.sort(key=lambda k: found[k][0])
            kind, op = found[values[0]][0][0], self.program.instructions[values[0]].op
            operands = tuple(found[k][2] for k in values)
            listed.append(Shared(kind, op, tuple(values), operands))
        return sorted(listed, key=lambda shared: shared.values[0])


def _named(known: dict[tuple[object, ...], int], *key: object) -> int:
    """A number for a key, the same for equal ones."""
    return known.setdefault(key, len(known))
