"""``gough singularities``: which kind is near, and what it means."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.printing import print_result
from gough.cli.progress import progress_bar
from gough.cli.tables import TableOf, find_table, say_reading, with_table
from gough.cli.words import AsJson, PoseWord, RobotWord, find_pose, find_robot
from gough.errors import InputError


@app.command()
@with_table
def singularities(
    robot: RobotWord,
    motion: Annotated[
        str | None,
        typer.Argument(
            metavar="[MOTION]",
            help="As for 'gough idm'; without one, a single pose.",
            show_default=False,
        ),
    ] = None,
    pose: PoseWord = None,
    length: Annotated[
        float | None,
        typer.Option(
            metavar="M",
            help="What a radian is worth beside a metre [m]; without it, the robot's size.",
            show_default=False,
        ),
    ] = None,
    distance: Annotated[
        bool, typer.Option("--distance", help="Look for the nearest Type 2 pose too.")
    ] = False,
    about: TableOf = find_table,
    within_limits: Annotated[
        bool,
        typer.Option(
            "--within-limits",
            help="Search the whole stroke of the motors for Type 2, from home or from --pose.",
        ),
    ] = False,
    starts: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="With --within-limits: goals besides the corners of the stroke; 200 by default.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="With --within-limits: chooses these goals.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Singularities of a pose, or along a motion: which kind, which motion is free, which leg.

    Type 1: a leg can move although the platform is held.  Type 2: the platform can move although
    all motors are held.  Constraint: the legs fix less of the platform than they should.
    """
    if motion is not None and (pose is not None or distance or within_limits):
        raise InputError(
            "a motion takes none of --pose, --distance and --within-limits",
            hint="Ask about one pose at a time.",
        )
    if within_limits and distance:
        raise InputError(
            "--distance and --within-limits are two searches", hint="Ask for one at a time."
        )
    if starts is not None and not within_limits:
        raise InputError("--starts needs --within-limits", argument="starts")
    machine = find_robot(robot, remarks=True)
    if within_limits:
        from gough.singularity.nearest import nearest_type_2

        begin = find_pose(machine, pose)
        with progress_bar("stroke") as progress:
            found: Any = nearest_type_2(
                machine,
                begin,
                within_limits=True,
                length=length,
                starts=starts,
                seed=seed,
                progress=progress,
            )
    elif motion is None:
        from gough.singularity.singularities import singularities as explain

        found = explain(machine, find_pose(machine, pose), length=length, distance=distance)
    else:
        from gough.cli.scenario import motion_from_words
        from gough.singularity.along import singularities_along

        path = motion_from_words(machine, motion, about())
        say_reading(path)
        with progress_bar("singularities") as progress:
            found = singularities_along(machine, path, length=length, progress=progress)
    print_result(found, as_json=as_json)
