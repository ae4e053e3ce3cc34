"""``gough export``: code for other machines."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from gough.cli.app import app
from gough.cli.loads import Friction, Rotors, Smoothing
from gough.cli.printing import say
from gough.cli.words import Force, Method, RobotWord, find_robot

if TYPE_CHECKING:
    from gough.dynamics.shared.loads import Loads

export = typer.Typer(help="Write code for other machines.", no_args_is_help=True)
app.add_typer(export, name="export")


Quantity = Annotated[
    str, typer.Argument(help="What it computes: inverse_dynamics, ...", show_default=False)
]
Carrying = Annotated[bool, typer.Option("--payload", help="Take a payload as arguments.")]
Pushed = Annotated[
    list[str] | None,
    typer.Option(metavar="BODY", help="Take a force on this body as arguments; repeatable."),
]
Single = Annotated[bool, typer.Option("--float", help="float instead of double.")]
Legs = Annotated[str, typer.Option(help="flat, or shared: one routine for legs that are alike.")]


@export.command("c")
def export_c(
    robot: RobotWord,
    quantity: Quantity = "inverse_dynamics",
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the files go.")
    ] = Path(),
    method: Method = "legs",
    single: Single = False,
    payload: Carrying = False,
    legs: Legs = "flat",
    load: Pushed = None,
    friction: Friction = True,
    rotors: Rotors = True,
    smoothing: Smoothing = None,
    force: Force = False,
) -> None:
    """Write C99 for a controller: one .c and one .h, no heap, no globals."""
    from gough.evaluation.exports.export import export_c as write

    code, header = write(
        find_robot(robot, remarks=True),
        quantity,
        output,
        method=method,
        single=single,
        legs=legs,
        loads=_loads(load, payload, friction, rotors, smoothing),
        force=force,
    )
    say(f"Wrote {code} and {header}. Try it: cc -std=c99 -O2 -DGOUGH_SELF_TEST {code} -lm")


@export.command("bundle")
def export_bundle(
    robot: RobotWord,
    quantities: Annotated[
        list[str] | None,
        typer.Argument(help="inverse_kinematics inverse_dynamics if none.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="gough_ROBOT if not given."),
    ] = None,
    method: Method = "legs",
    single: Single = False,
    payload: Carrying = False,
    legs: Legs = "flat",
    load: Pushed = None,
    friction: Friction = True,
    rotors: Rotors = True,
    smoothing: Smoothing = None,
    force: Force = False,
) -> None:
    """Write a folder of C99: several functions, a sample main.c, Makefile and README.txt."""
    from gough.evaluation.exports.c_bundle import USUAL
    from gough.evaluation.exports.c_bundle import export_bundle as write

    found = write(
        find_robot(robot, remarks=True),
        quantities or USUAL,
        output,
        method=method,
        single=single,
        legs=legs,
        loads=_loads(load, payload, friction, rotors, smoothing),
        force=force,
    )
    say(f"Wrote {len(found.files)} files into {found.folder}. Try it: make -C {found.folder} run")


@export.command("casadi")
def export_casadi(
    robot: RobotWord,
    quantity: Quantity = "inverse_dynamics",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="ROBOT_QUANTITY.casadi if not given."),
    ] = None,
    method: Method = "legs",
    payload: Carrying = False,
    load: Pushed = None,
    friction: Friction = True,
    rotors: Rotors = True,
    smoothing: Smoothing = None,
    force: Force = False,
) -> None:
    """Write a function for CasADi, for optimal control: casadi.Function.load reads it."""
    from gough.base.tables.whole import check_place, write_whole
    from gough.evaluation.exports.targets import export as make

    machine = find_robot(robot, remarks=True)
    file = output or Path(f"{machine.name}_{quantity}.casadi")
    check_place(file, force=force)
    loads = _loads(load, payload, friction, rotors, smoothing)
    found = make(machine, quantity, method=method, loads=loads)
    with TemporaryDirectory() as folder:  # CasADi writes files by itself, and not at once
        draft = Path(folder) / "function.casadi"
        found.save(str(draft))
        write_whole(file, draft.read_bytes())
    say(f"Wrote {file}: {found}")


def _loads(
    pushed: list[str] | None, payload: bool, friction: bool, rotors: bool, smoothing: float | None
) -> Loads:
    """Loads whose forces and payload are arguments, whatever their numbers are."""
    from gough.dynamics.shared.loads import Force as Push
    from gough.dynamics.shared.loads import Loads

    forces = [Push(body) for body in pushed or ()]
    return Loads(forces, 0.0 if payload else None, friction, rotors, smoothing)
