"""``gough export``: code for other machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.loads import Friction, Rotors, Smoothing
from gough.cli.printing import say
from gough.cli.words import Method, RobotWord, find_robot

export = typer.Typer(help="Write code for other machines.", no_args_is_help=True)
app.add_typer(export, name="export")


@export.command("c")
def export_c(
    robot: RobotWord,
    quantity: Annotated[
        str, typer.Argument(help="What it computes: inverse_dynamics, ...", show_default=False)
    ] = "inverse_dynamics",
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the files go.")
    ] = Path(),
    method: Method = "legs",
    single: Annotated[bool, typer.Option("--float", help="float instead of double.")] = False,
    payload: Annotated[
        bool, typer.Option("--payload", help="Take a payload as arguments.")
    ] = False,
    legs: Annotated[
        str, typer.Option(help="flat, or shared: one routine for legs that are alike.")
    ] = "flat",
    load: Annotated[
        list[str] | None,
        typer.Option(metavar="BODY", help="Take a force on this body as arguments; repeatable."),
    ] = None,
    friction: Friction = True,
    rotors: Rotors = True,
    smoothing: Smoothing = None,
) -> None:
    """Write C99 for a controller: one .c and one .h, no heap, no globals."""
    from gough.dynamics.shared.loads import Force, Loads
    from gough.kernels.export import export_c as write

    forces = [Force(body) for body in load or ()]
    code, header = write(
        find_robot(robot, remarks=True),
        quantity,
        output,
        method=method,
        single=single,
        legs=legs,
        loads=Loads(forces, 0.0 if payload else None, friction, rotors, smoothing),
    )
    say(f"Wrote {code} and {header}. Try it: cc -std=c99 -O2 -DGOUGH_SELF_TEST {code} -lm")
