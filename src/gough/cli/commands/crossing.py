"""``gough crossing``: whether a motion can be driven through Type-2 singularities."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.printing import print_facts, print_json, print_places
from gough.cli.progress import progress_bar
from gough.cli.words import (
    AsJson,
    Force,
    MotionWord,
    PayloadMass,
    RobotWord,
    TablePath,
    check_free,
    find_robot,
)


@app.command()
def crossing(
    robot: RobotWord,
    motion: MotionWord,
    output: TablePath = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Re-time the motion so that it can pass, and look again.")
    ] = False,
    payload: PayloadMass = None,
    rate: Annotated[
        float, typer.Option(metavar="HZ", help="Samples per second of the efforts.")
    ] = 500.0,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Where a motion meets Type 2 singularities, whether it can pass, and what it would need.

    The table has the efforts, and on singular samples their limit along the motion.  Exit code 1 if
    it cannot pass.
    """
    from gough.passage.plan import plan_crossing
    from gough.passage.verdict import crossing as look
    from gough.scenario import check_loads, motion_from_words
    from gough.tables import check_format, write_table

    if output is not None:
        check_format(output)
    check_free(output, force=force)
    machine = find_robot(robot, remarks=True)
    check_loads(machine, payload=payload)
    with progress_bar("crossing") as progress:
        path: Any = motion_from_words(machine, motion)
        progress(0.2)
        if plan:
            path = plan_crossing(machine, path, payload=payload)
            progress(0.6)
        found = look(machine, path, payload=payload, rate=rate)
        if output is not None:
            write_table(output, found.columns())
    written = {"efforts": str(output)} if output is not None else {}
    if as_json:
        print_json({**found.as_dict(), "files": written})
    else:
        print_facts(found.lines())
        print_places(written)
    if not found.bounded:
        raise typer.Exit(1)
