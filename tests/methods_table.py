"""The table robots x methods of docs/methods.md: how far each method is from others' answers.

    python tests/methods_table.py --write     # measures again and writes the page

Answers: the cases of the reference program where the robot is among its eleven, otherwise Pinocchio
with the loops closed by the tests.  Inverse dynamics, largest relative deviation over all states.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np

import gough
from engine_loops import Closed
from engines import ENGINES
from gough.dynamics.methods import METHODS
from robots import REFERENCE_NAMES, cases, random_freedoms, relative, robot

PAGE = Path(__file__).resolve().parents[1] / "docs" / "methods.md"
BEGIN, END = "<!-- robots x methods: tests/methods_table.py -->", "<!-- end -->"
STATES = 3


@cache
def answers(name: str) -> tuple[tuple[np.ndarray, ...], np.ndarray, str]:
    """States of a robot, efforts there by somebody else, and who that is."""
    if name in REFERENCE_NAMES:
        c = cases(name)
        return (c["T"], c["twist"], c["dtwist"]), c["tau"], "reference, 10 states"
    r = robot(name)
    state = gough.state(r, *random_freedoms(name, STATES, 0.05, seed=5))
    T, V, Vdot = state.arrays
    p = gough.posture(r, state)
    tau = []
    for i in range(STATES):
        poses, twists, rates = (
            {body: x[i] for body, x in group.items()}
            for group in (p.bodies, p.twists, p.twist_rates)
        )
        closed = Closed(ENGINES["pinocchio"](r), poses, twists)
        tau.append(closed.inverse_dynamics(closed.accelerations(rates))[0])
    return (T, V, Vdot), np.array(tau), f"Pinocchio, {STATES} states"


@cache
def deviation(name: str, method: str) -> float:
    """Largest relative deviation of a method's efforts."""
    motion, expected, _ = answers(name)
    return relative(
        gough.inverse_dynamics(robot(name), gough.State(*motion), method=method), expected
    )


def decade(figure: float) -> str:
    """The power of ten that a figure stays below, with a digit to spare for other processors."""
    return f"1e{max(-13, int(np.ceil(np.log10(max(figure, 1e-16)))) + 1):d}"


def lines() -> list[str]:
    """The table as it stands on the page."""
    head = ["robot", "legs", "freedoms", *(f"`{m}`" for m in METHODS), "against"]
    found = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name in gough.zoo.names():
        sheet = gough.sheet(robot(name))
        chains = list(dict.fromkeys(chain for _, chain in sheet.legs))
        cells = [
            f"`{name}`",
            ", ".join(chain.replace("|", "\\|").replace("*", "\\*") for chain in chains),
            " ".join(sheet.freedoms),
            *(f"< {decade(deviation(name, m))}" for m in METHODS),
            answers(name)[2],
        ]
        found.append("| " + " | ".join(cells) + " |")
    return found


def written() -> list[str]:
    """The table that is on the page."""
    text = PAGE.read_text(encoding="utf-8")
    rest = text[text.index(BEGIN) + len(BEGIN) :]
    return rest[: rest.index(END)].strip().splitlines()


def main() -> None:
    """Measure and write."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest[rest.index(END) :]
    PAGE.write_text("\n".join([before + BEGIN, *lines(), after]), encoding="utf-8")


if __name__ == "__main__":
    main()
