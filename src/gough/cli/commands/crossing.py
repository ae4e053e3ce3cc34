"""``gough crossing``: whether a motion can be driven through Type 2 singularities."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.files import check_files
from gough.cli.loads import LoadsOf, find_loads, with_loads
from gough.cli.motions import motion_table
from gough.cli.printing import print_result
from gough.cli.progress import progress_bar
from gough.cli.tables import TableOf, find_table, say_reading, with_table
from gough.cli.words import (
    AsJson,
    Force,
    MotionTablePath,
    MotionWord,
    RobotWord,
    TablePath,
    find_robot,
)
from gough.errors import InputError


@app.command()
@with_loads
@with_table
def crossing(
    robot: RobotWord,
    motion: MotionWord,
    output: TablePath = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Re-time the motion so that it can pass, and look again.")
    ] = False,
    table: MotionTablePath = None,
    about: TableOf = find_table,
    loads: LoadsOf = find_loads,
    rate: Annotated[
        float, typer.Option(metavar="HZ", help="Samples per second of the tables.")
    ] = 500.0,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Where a motion meets Type 2 singularities, whether it can pass, and what it would need.

    The table has the efforts, and on singular samples their limit along the motion; with --motion
    another one has poses, twists, twist rates, positions and speeds of the motors.  Exit code 1 if
    it cannot pass.
    """
    from gough.base.tables import write_table
    from gough.cli.scenario import motion_from_words
    from gough.singularity.crossing.plan import plan_crossing
    from gough.singularity.crossing.verdict import crossing as look

    files = check_files(force=force, efforts=output, motion=table)
    if output is not None and table is not None and output.resolve() == table.resolve():
        raise InputError(f"--output and --motion name the same file, {output}", argument="motion")
    machine = find_robot(robot, remarks=True)
    acting = loads(machine)
    with progress_bar("crossing") as progress:
        path: Any = motion_from_words(machine, motion, about())
        say_reading(path)
        progress(0.2)
        if plan:
            path = plan_crossing(machine, path, loads=acting)
            progress(0.6)
        found = look(machine, path, loads=acting, rate=rate)
        if output is not None:
            write_table(output, found.columns())
        if table is not None:
            write_table(table, motion_table(path, rate))
    print_result(found, as_json=as_json, files=files)
    if not found.bounded:
        raise typer.Exit(1)
