"""Mistakes, each in one place of the library, and whose answers they move, for docs/methods.md.

    python tests/mistakes.py --write     # writes the table of the page

``tests/agreement/test_independence.py`` makes them in turn and looks whose answers move.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from gough import screw
from gough.dynamics.elements import accelerations, constraints, variables
from gough.dynamics.elements import dynamics as elements_dynamics
from gough.dynamics.elements import kinematics as elements_kinematics
from gough.dynamics.methods import METHODS
from gough.dynamics.screws import dynamics as screws_dynamics
from gough.dynamics.shared import axes, masses, newton_euler, state_loads
from gough.dynamics.shared.state_loads import StateLoads
from gough.dynamics.tree import kinematics as tree_kinematics
from gough.dynamics.tree.kinematics import CutJointState
from gough.dynamics.tree.recursion import LinkBody
from gough.mechanism.closure import equations
from gough.mechanism.closure.equations import Equations

PAGE = Path(__file__).resolve().parents[1] / "docs" / "methods.md"
BEGIN, END = "<!-- mistakes: tests/mistakes.py -->", "<!-- end of mistakes -->"
ALL = frozenset(METHODS)


class Mistake(NamedTuple):
    """A mistake: where, in what function, how it is made, and which methods it moves."""

    places: list[Any]
    name: str
    make: Callable[[Any], Any]
    moves: frozenset[str]


def _scaled(right):
    return lambda *arguments, **options: right(*arguments, **options) * 1.1


def _more(*fields):
    """Fields of what is returned, or of all entries of it, made larger by a hundredth."""

    def larger(found):
        return found._replace(**{field: getattr(found, field) * 1.01 for field in fields})

    def make(right):
        def wrong(*arguments, **options):
            found = right(*arguments, **options)
            if isinstance(found, dict):
                return {key: larger(each) for key, each in found.items()}
            return [larger(each) for each in found] if isinstance(found, list) else larger(found)

        return wrong

    return make


def _wrong_wrench(right):
    def wrong(*arguments):
        f, n = right(*arguments)
        return f * 1.01, n

    return wrong


def _wrong_biases(right):
    def wrong(self, *arguments):
        hub, legs = right(self, *arguments)
        return [x * 1.1 for x in hub], [[x * 1.1 for x in leg] for leg in legs]

    return wrong


def _wrong_columns(right):
    def wrong(*arguments):
        seen = right(*arguments)
        return seen._replace(twist=seen.twist._replace(v=seen.twist.v * 1.01))

    return wrong


def _quicker_directions(right):
    return lambda x, xd, xdd, *spin: right(x, xd * 1.01, xdd, *spin)


_LEGS, _ELEMENTS, _SCREWS, _TREE = (frozenset({name}) for name in METHODS)

MISTAKES = {
    "forces on bodies, Newton and Euler": Mistake(
        [newton_euler], "body_wrench", _wrong_wrench, _LEGS
    ),
    "motions of links, recursion": Mistake([equations, newton_euler], "motions", _more("a"), _LEGS),
    "Jacobians of loops": Mistake([equations], "look_back", _more("v"), _LEGS),
    "accelerations of loops": Mistake([Equations], "biases", _wrong_biases, _LEGS),
    "masses merged to base parameters": Mistake(
        [StateLoads], "base_masses", _more("m", "s"), _LEGS
    ),
    "brackets of screws": Mistake([screw], "bracket", _scaled, _SCREWS),
    "wrenches of screws": Mistake([screws_dynamics], "body_wrench", _wrong_wrench, _SCREWS),
    "points of elements": Mistake(
        [accelerations, elements_dynamics, elements_kinematics],
        "acceleration_of",
        _scaled,
        _ELEMENTS,
    ),
    "biases of elements": Mistake([constraints], "_turn_bias", _scaled, _ELEMENTS),
    "spins of elements": Mistake(
        [variables, elements_kinematics], "direction", _quicker_directions, _ELEMENTS
    ),
    "forces on bodies, spatial vectors": Mistake([LinkBody], "wrench", _more("f"), _TREE),
    "Jacobians of cut joints": Mistake([tree_kinematics], "frame_columns", _wrong_columns, _TREE),
    "accelerations of cut joints": Mistake([CutJointState], "bias", _scaled, _TREE),
    "law of friction": Mistake([axes], "friction_effort", _scaled, ALL),
    "rotors and springs as described": Mistake(
        [state_loads], "own_parameters", _more("inertia", "stiffness"), ALL
    ),
    "masses as described": Mistake([masses], "central_mass", _more("m"), ALL),
}
"""What is made wrong, by name."""


def lines() -> list[str]:
    """The table as it should stand on the page."""
    head = ["mistake in", *(f"`{method}`" for method in METHODS)]
    rows = [
        [name, *("moves" if method in mistake.moves else "" for method in METHODS)]
        for name, mistake in MISTAKES.items()
    ]
    return ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]


def main() -> None:
    """Write the table."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest[rest.index(END) :]
    PAGE.write_text("\n".join([before + BEGIN, *lines(), after]), encoding="utf-8")


if __name__ == "__main__":
    main()
