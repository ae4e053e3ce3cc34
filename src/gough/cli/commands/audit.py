"""``gough audit``: what an answer is worth, at home or along a motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.loads import LoadsOf, find_loads, with_loads
from gough.cli.printing import print_facts, print_json
from gough.cli.progress import progress_bar
from gough.cli.tables import TableOf, find_table, say_reading, with_table
from gough.cli.words import AsJson, RobotWord, find_robot
from gough.errors import InputError

if TYPE_CHECKING:
    pass


@app.command()
@with_loads
@with_table
def audit(
    robot: RobotWord,
    motion: Annotated[
        str | None,
        typer.Argument(
            metavar="[MOTION]",
            help="As for 'gough idm'; without one, home at rest.",
            show_default=False,
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option(metavar="N", help="States along the motion that are looked at.")
    ] = 25,
    about: TableOf = find_table,
    loads: LoadsOf = find_loads,
    as_json: AsJson = False,
) -> None:
    """The certificate: closure, power balance, agreement of four methods, singularities nearby.

    Of a motion, the worst along it.  Exit code 1 if it fails.
    """
    if samples < 1:
        raise InputError(f"--samples is {samples}, expected 1 or more")
    machine = find_robot(robot, remarks=True)
    acting = loads(machine)
    states = _states(machine, motion, samples, about())
    found = _audited(machine, states, acting)
    if as_json:
        print_json({**_figures(found), "motion": motion or "home at rest"})
    else:
        print_facts(found.lines())
    if not found.passed:
        raise typer.Exit(1)


def _states(machine: Any, motion: str | None, samples: int, about: dict[str, Any]) -> Any:
    """States along a motion, or home at rest."""
    import numpy as np

    from gough.cli.scenario import motion_from_words
    from gough.states.state import State

    if motion is None:
        return State(machine.assembly.T_home[None])
    path = motion_from_words(machine, motion, about)
    say_reading(path)
    return path(np.linspace(0.0, path.duration, samples))


def _audited(machine: Any, states: Any, loads: Any) -> Any:
    """One certificate of all states, found one by one so that the bar moves."""
    from dataclasses import replace

    import numpy as np

    from gough.dynamics.answers.certificate import FIGURES
    from gough.functions.audit import audit as certify

    parts = []
    with progress_bar("audit") as progress:
        for k, state in enumerate(states):
            progress(k / len(states))
            parts.append(certify(machine, state, loads=loads))
    efforts = {m: np.stack([p.efforts[m] for p in parts]) for m in parts[0].efforts}
    figures: dict[str, Any] = {
        name: np.stack([getattr(p, name) for p in parts]) for name in FIGURES
    }
    return replace(parts[0], efforts=efforts, **figures)


def _figures(found: Any) -> dict[str, Any]:
    """The worst of every figure, as a number."""
    import numpy as np

    worst = {
        name: float(np.max(getattr(found, name)))
        for name in (
            *("closure", "closure_rate", "closure_acceleration"),
            *("power", "agreement", "condition"),
        )
    }
    kinds = ("type_1", "type_2", "constraint")
    least = {name: float(np.min(getattr(found, name))) for name in kinds}
    efforts = {method: np.abs(tau).max(axis=0) for method, tau in found.efforts.items()}
    head = {"robot": found.robot, "passed": found.passed, "states": len(found.closure)}
    return {**head, **worst, **least, "largest_efforts": efforts}
