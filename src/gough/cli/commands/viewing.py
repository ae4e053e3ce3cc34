"""``gough view``: a page in which a robot moves and is computed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.files import check_files
from gough.cli.printing import say
from gough.cli.progress import progress_bar
from gough.cli.words import Force, RobotWord, find_robot

if TYPE_CHECKING:
    from gough.robot import Robot


@app.command()
def view(
    robot: RobotWord,
    motion: Annotated[
        str | None,
        typer.Argument(
            metavar="[MOTION]",
            help="What is played: a kind (circle:radius=0.1), a table of poses, or a scenario, "
            "whose simulation is run if it has one.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Page to write: .html.")
    ] = Path("page.html"),
    modes: Annotated[
        bool, typer.Option("--modes/--no-modes", help="Whether to look for other assembly modes.")
    ] = True,
    opened: Annotated[
        bool, typer.Option("--open/--no-open", help="Whether to open it in a browser.")
    ] = True,
    force: Force = False,
) -> None:
    """Write a page in which a robot is dragged, its motors move, and its efforts are read."""
    from gough.report.view import view as write

    (target,) = check_files(force=force, page=output).values()
    machine = find_robot(robot)
    run, loads = (None, None) if motion is None else _played(machine, motion)
    write(machine, run, target, modes=modes, loads=loads)
    say(target)
    if opened:
        import webbrowser

        webbrowser.open(Path(target).resolve().as_uri())


def _played(machine: Robot, word: str) -> tuple[Any, Any]:
    """What a word means: the simulation of a scenario that asks for one, or a motion; its loads."""
    from gough.cli.scenario import load, motion_from_words
    from gough.cli.scenario.parts import FILES

    loads = None
    if Path(word).suffix.lower() in FILES:
        given = load(Path(word))
        if given.robot == machine:
            loads = given.loads
            if given.simulates:
                with progress_bar("simulation") as progress:
                    return given.simulate(progress), loads
    return motion_from_words(machine, word), loads
