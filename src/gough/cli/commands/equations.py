"""``gough equations``: a robot's equations for people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.loads import Friction, Rotors, Smoothing
from gough.cli.printing import say
from gough.cli.words import Force, Method, RobotWord, find_robot


@app.command()
def equations(
    robot: RobotWord,
    quantity: Annotated[
        str, typer.Argument(help="What is computed: inverse_dynamics, ...", show_default=False)
    ] = "inverse_dynamics",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a file instead of printing."),
    ] = None,
    form: Annotated[str, typer.Option("--format", help="text, markdown or latex.")] = "text",
    parameter: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Symbols instead of numbers: masses, ...; repeatable."),
    ] = None,
    method: Method = "legs",
    friction: Friction = True,
    rotors: Rotors = True,
    smoothing: Smoothing = None,
    force: Force = False,
) -> None:
    """Print the equations of a small robot, line by line, with the symbols of the papers."""
    from gough.base.tables.whole import check_place, write_whole
    from gough.dynamics.shared.loads import Loads
    from gough.evaluation.listings.listing import listing

    if output is not None:
        check_place(output, force=force)
    loads = Loads([], None, friction, rotors, smoothing)
    machine = find_robot(robot, remarks=True)
    found = listing(machine, quantity, method=method, loads=loads, parameters=parameter or ())
    text = found.text(form)
    if output is None:
        say(text.rstrip("\n"))
        return
    write_whole(output, text.encode())
    say(f"Wrote {output}: {len(found)} lines, {sum(found.operations)} operations")
