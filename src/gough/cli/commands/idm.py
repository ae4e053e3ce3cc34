"""``gough idm``: the motor efforts of a motion, and the figures for sizing motors."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.loads import LoadsOf, find_loads, with_loads
from gough.cli.printing import print_facts, print_json, print_places, print_sizing
from gough.cli.progress import progress_bar
from gough.cli.words import (
    AsJson,
    Force,
    MotionWord,
    ReportPath,
    RobotWord,
    TablePath,
    check_free,
    find_robot,
)
from gough.errors import FileError


@app.command()
@with_loads
def idm(
    robot: RobotWord,
    motion: MotionWord,
    output: TablePath = None,
    report: ReportPath = None,
    loads: LoadsOf = find_loads,
    rate: Annotated[
        float, typer.Option(metavar="HZ", help="Samples per second of the motion.")
    ] = 500.0,
    method: Annotated[
        str, typer.Option(metavar="METHOD", help="legs, elements, screws or tree.")
    ] = "legs",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Motor efforts along a motion: peak, RMS and power of every motor, and what is in the way.

    MOTION is a table of poses (.csv, .parquet, .npz), a scenario file whose motion is taken, or a
    kind of motion with its arguments: pick_and_place, circle:radius=0.1,duration=2.
    """
    from gough.analysis import analyse
    from gough.dynamics.methods import find_method
    from gough.scenario import motion_from_words
    from gough.tables import check_format, write_table

    find_method(method)
    if output is not None:
        check_format(output)
    check_report(report)
    for path in (output, report):
        check_free(path, force=force)
    machine = find_robot(robot, remarks=True)
    acting = loads(machine)
    with progress_bar("inverse dynamics") as progress:
        path_of_motion = motion_from_words(machine, motion)
        progress(0.1)
        found = analyse(machine, path_of_motion, rate=rate, method=method, loads=acting)
        progress(0.6)
        if output is not None:
            write_table(output, found.columns())
        progress(0.7)
        if report is not None:
            from gough.report import write_report

            words = " ".join(["gough", *sys.argv[1:]])
            write_report(report, robot=machine, analysis=found, title=found.label, command=words)
    files = {"efforts": output, "report": report}
    written = {name: str(path) for name, path in files.items() if path is not None}
    if as_json:
        print_json({**found.as_dict(), "method": method, "files": written})
        return
    print_facts(found.lines())
    typer.echo()
    print_sizing(found.robot, found.sizing)
    print_places(written)


def check_report(path: Any) -> None:
    """Refuse a report that is not called one."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise FileError("is no report", file=str(path), hint="A report is a file of .html.")
