"""What became of many random machines, family by family."""

from __future__ import annotations

import zlib
from collections import Counter

import numpy as np

from fuzz.families import Family, draw
from fuzz.trial import Outcome, run

MOST_REFUSED = 0.2
"""Largest share of regular machines that may be refused: refusing is not passing."""
COMPILED = 5
"""One machine in so many is compiled as well: that takes longer than all the rest."""


def generator(family: Family, seed: int, number: int) -> np.random.Generator:
    """Random numbers of one machine of a family, whatever else is drawn."""
    return np.random.default_rng([seed, zlib.crc32(family.name.encode()), number])


def trial(family: Family, seed: int, number: int, states: int = 2) -> Outcome:
    """The machine of a family with a number: the same one whatever else is drawn."""
    rng = generator(family, seed, number)
    rounds = number // len(family.makers)  # every maker has its turn
    compiled = (number + rounds) % COMPILED == 0
    return run(family, draw(family, rng, number, states), rng, kernels=compiled)


class Tally:
    """Outcomes of one family."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.outcomes: dict[int, Outcome] = {}

    def count(self, verdict: str) -> int:
        """Machines with a verdict."""
        return sum(o.verdict == verdict for o in self.outcomes.values())

    @property
    def complaints(self) -> list[str]:
        """What makes the family fail, one line each."""
        found = [
            f"{self.family.name} {number} ({o.machine.maker}): {'; '.join(told)}"
            for number, o in self.outcomes.items()
            if (told := faults(o))
        ]
        refused, all_ = self.count("refused"), len(self.outcomes)
        if self.family.regular and refused > MOST_REFUSED * all_:
            found.append(f"{self.family.name}: {refused} of {all_} regular machines refused")
        return found

    def row(self) -> list[str]:
        """Figures of the table."""
        outcomes = list(self.outcomes.values())
        answered = [o for o in outcomes if o.verdict == "accepted"]
        worst = max(
            ((e, door) for o in answered for door, e in o.errors.items()), default=(0.0, "")
        )
        reasons = Counter(o.reason for o in outcomes if o.verdict == "refused")
        warned = sum(bool(o.warned) for o in outcomes)
        return [
            self.family.name,
            str(len(outcomes)),
            str(sum(o.machine.redrawn for o in outcomes)),
            str(self.count("accepted")),
            str(warned),
            str(self.count("refused")),
            str(self.count("wrong")),
            f"{worst[0]:.0e} {worst[1]}" if worst[1] else "",
            ", ".join(f"{count} {why}" for why, count in reasons.most_common()),
        ]


HEAD = ["family", "drawn", "redrawn", "accepted", "warned", "refused", "wrong"]
HEAD += ["worst error", "refused by"]
WIDTHS = [18, 5, 7, 8, 6, 7, 5, 26, 0]


def line(row: list[str]) -> str:
    """A line of the table: names to the left, numbers to the right."""
    cells = [
        cell.rjust(width) if 0 < k < 7 else cell.ljust(width)
        for k, (cell, width) in enumerate(zip(row, WIDTHS, strict=True))
    ]
    return "  ".join(cells).rstrip()


def faults(outcome: Outcome) -> list[str]:
    """What is wrong with an outcome, in a few words."""
    errors = [f"{door} off by {e:.1e}" for door, e in outcome.wrong.items()]
    return [*dict.fromkeys(outcome.faults), *errors]
