"""``gough base-parameters``: what efforts tell of masses, friction and drives."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.printing import print_result
from gough.cli.tables import TableOf, find_table, say_reading, with_table
from gough.cli.words import AsJson, RobotWord, find_robot
from gough.errors import InputError


@app.command("base-parameters")
@with_table
def base_parameters(
    robot: RobotWord,
    motion: Annotated[
        str | None,
        typer.Argument(
            metavar="[MOTION]",
            help="As for 'gough idm': what it excites of them is said too.",
            show_default=False,
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="GROUPS",
            help="Parameters there are: bodies,rotors,friction,offsets,passive_friction,springs; "
            "without it, what the robot's model has.",
            show_default=False,
        ),
    ] = None,
    share: Annotated[
        str | None,
        typer.Option(
            metavar="legs", help="Legs built alike have equal parameters.", show_default=False
        ),
    ] = None,
    about: TableOf = find_table,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Chooses the random motions.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Sums of masses, friction and drives that the motors' efforts depend on."""
    from gough.cli.scenario import motion_from_words
    from gough.identification.base_parameters import base_parameters as find

    groups = None if only is None else [word.strip() for word in only.split(",")]
    if groups is not None and not all(groups):
        raise InputError("--only: expected groups of parameters with commas between them")
    machine = find_robot(robot, remarks=True)
    path = None
    if motion is not None:
        path = motion_from_words(machine, motion, about())
        say_reading(path)
    found = find(machine, parameters=groups, share=share, motion=path, seed=seed)
    print_result(found, as_json=as_json)
