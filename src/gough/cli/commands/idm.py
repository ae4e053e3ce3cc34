"""``gough idm``: the motor efforts of a motion, and the figures for sizing motors."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.files import check_files, typed
from gough.cli.loads import LoadsOf, find_timed_loads, with_loads
from gough.cli.printing import print_result, print_sizing
from gough.cli.progress import progress_bar
from gough.cli.reports import check_report_options, report_parts
from gough.cli.tables import TableOf, find_table, with_table
from gough.cli.units import UnitsWord, find_units
from gough.cli.words import (
    AsJson,
    Force,
    Method,
    MotionWord,
    ReportPath,
    ReportTitle,
    ReportWithout,
    RobotWord,
    TablePath,
    find_robot,
)


@app.command()
@with_loads
@with_table
def idm(
    robot: RobotWord,
    motion: MotionWord,
    output: TablePath = None,
    report: ReportPath = None,
    title: ReportTitle = None,
    without: ReportWithout = None,
    about: TableOf = find_table,
    loads: LoadsOf = find_timed_loads,
    rate: Annotated[
        float, typer.Option(metavar="HZ", help="Samples per second of the motion.")
    ] = 500.0,
    method: Method = "legs",
    units: UnitsWord = "si",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Motor efforts along a motion: peak, RMS and power of every motor, and what is in the way.

    MOTION is a table of poses (.csv, .parquet, .npz), a scenario file whose motion is taken, or a
    kind of motion with its arguments: pick_and_place:cycle=0.5, circle:radius=0.1,duration=2.
    """
    from gough.analysis import analyse
    from gough.base.tables import write_table
    from gough.cli.scenario import motion_from_words
    from gough.dynamics.methods import find_method

    find_method(method)
    shown = find_units(units)
    left_out = report_parts(without)
    check_report_options(report is not None, title=title, without=without)
    files = check_files(force=force, efforts=output, report=report)
    machine = find_robot(robot, remarks=True)
    acting = loads(machine)
    with progress_bar("inverse dynamics") as progress:
        path = motion_from_words(machine, motion, about())
        progress(0.1)
        found = analyse(machine, path, rate=rate, method=method, loads=acting)
        progress(0.6)
        if output is not None:
            write_table(output, found.columns())
        progress(0.7)
        if report is not None:
            from gough.report import write_report

            write_report(
                report,
                robot=machine,
                analysis=found,
                title=title or found.label,
                command=typed(),
                without=left_out,
            )

    def show() -> None:
        typer.echo()
        print_sizing(found.robot, found.sizing, shown)

    print_result(found, as_json=as_json, files=files, show=show, method=method)
