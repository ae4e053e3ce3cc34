"""``gough base-parameters`` and ``gough excitation-motion``: what efforts tell of a machine."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.files import check_files
from gough.cli.printing import print_result
from gough.cli.progress import progress_bar
from gough.cli.tables import TableOf, find_table, say_reading, with_table
from gough.cli.words import (
    AsJson,
    Force,
    MotionTablePath,
    PoseWord,
    RobotWord,
    find_pose,
    find_robot,
)
from gough.errors import InputError

Groups = Annotated[
    str | None,
    typer.Option(
        metavar="GROUPS",
        help="Parameters there are: bodies,rotors,friction,offsets,passive_friction,springs; "
        "without it, what the robot's model has.",
        show_default=False,
    ),
]
Shared = Annotated[
    str | None,
    typer.Option(
        metavar="legs", help="Legs built alike have equal parameters.", show_default=False
    ),
]


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
    only: Groups = None,
    share: Shared = None,
    about: TableOf = find_table,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Chooses the random motions.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Sums of masses, friction and drives that the motors' efforts depend on."""
    from gough.cli.scenario import motion_from_words
    from gough.identification.base_parameters import base_parameters as find

    groups = groups_of(only)
    machine = find_robot(robot, remarks=True)
    path = None
    if motion is not None:
        path = motion_from_words(machine, motion, about())
        say_reading(path)
    found = find(machine, parameters=groups, share=share, motion=path, seed=seed)
    print_result(found, as_json=as_json)


@app.command()
def excitation_motion(
    robot: RobotWord,
    duration: Annotated[
        float, typer.Option(metavar="S", help="Of the motion [s].", show_default=False)
    ],
    harmonics: Annotated[
        int, typer.Option(metavar="N", min=1, help="Multiples of the frequency in each freedom.")
    ] = 5,
    frequency: Annotated[
        float | None,
        typer.Option(
            metavar="HZ", help="The first one; without it, one period.", show_default=False
        ),
    ] = None,
    pose: PoseWord = None,
    only: Groups = None,
    share: Shared = None,
    trials: Annotated[int, typer.Option(metavar="N", min=0, help="Steps of the search.")] = 600,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the search.")] = 0,
    table: MotionTablePath = None,
    rate: Annotated[
        float, typer.Option(metavar="HZ", help="Samples per second of the table.")
    ] = 500.0,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """A motion from which masses, friction and drives can be told best, within all limits."""
    from gough.base.tables import write_table
    from gough.cli.motions import motion_table
    from gough.identification.excitation_motion import excitation_motion as find

    files = check_files(force=force, motion=table)
    machine = find_robot(robot, remarks=True)
    with progress_bar("excitation motion") as progress:
        found = find(
            machine,
            duration=duration,
            harmonics=harmonics,
            frequency=frequency,
            center=None if pose is None else find_pose(machine, pose),
            parameters=groups_of(only),
            share=share,
            trials=trials,
            seed=seed,
            progress=progress,
        )
        if table is not None:
            write_table(table, motion_table(found.motion, rate))
    print_result(found, as_json=as_json, files=files)


def groups_of(only: str | None) -> list[str] | None:
    """Groups of parameters, from words with commas between them."""
    groups = None if only is None else [word.strip() for word in only.split(",")]
    if groups is not None and not all(groups):
        raise InputError("--only: expected groups of parameters with commas between them")
    return groups
