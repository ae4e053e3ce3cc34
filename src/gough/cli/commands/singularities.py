"""``gough singularities``: which kind is near, and what it means."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from gough.cli.app import app
from gough.cli.printing import print_facts, print_json
from gough.cli.progress import progress_bar
from gough.cli.words import AsJson, RobotWord, find_robot
from gough.errors import InputError, shown


@app.command()
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
    pose: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,...",
            help="The robot's freedoms [m, rad]; without them, home.",
            show_default=False,
        ),
    ] = None,
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
    as_json: AsJson = False,
) -> None:
    """Singularities of a pose, or along a motion: which kind, which motion is free, which leg.

    Type 1: a leg can move although the platform is held.  Type 2: the platform can move although
    all motors are held.  Constraint: the legs fix less of the platform than they should.
    """
    if motion is not None and (pose is not None or distance):
        raise InputError(
            "a motion takes neither --pose nor --distance", hint="Ask about one pose at a time."
        )
    machine = find_robot(robot, remarks=True)
    found = _of_pose(machine, pose, length, distance) if motion is None else None
    found = _along(machine, str(motion), length) if found is None else found
    if as_json:
        print_json(found.as_dict())
    else:
        print_facts(found.lines())


def _of_pose(machine: Any, pose: str | None, length: float | None, distance: bool) -> Any:
    from gough.geometry.state import state
    from gough.singularity.singularities import singularities as explain

    T = machine.assembly.T_home if pose is None else state(machine, _freedoms(machine, pose))[0]
    return explain(machine, T, length=length, distance=distance)


def _freedoms(machine: Any, words: str) -> np.ndarray:
    names = machine.freedoms
    try:
        values = [float(word) for word in words.split(",")]
    except ValueError as err:
        raise InputError(
            f"--pose is {shown(words)}, expected numbers with commas between them"
        ) from err
    if len(values) != len(names):
        raise InputError(
            f"--pose has {len(values)} numbers, expected {len(names)}: {', '.join(names)}"
        )
    return np.array(values)


def _along(machine: Any, words: str, length: float | None) -> Any:
    from gough.scenario import motion_from_words
    from gough.singularity.along import singularities_along

    path = motion_from_words(machine, words)
    with progress_bar("singularities") as progress:
        return singularities_along(machine, path, length=length, progress=progress)
