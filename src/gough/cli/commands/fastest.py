"""``gough fastest``: the least time along a path, by peaks and by heating of the motors."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.files import check_files
from gough.cli.loads import LoadsOf, find_timed_loads, with_loads
from gough.cli.motions import motion_table
from gough.cli.printing import print_result, print_table
from gough.cli.progress import progress_bar
from gough.cli.reports import check_report_options, report_parts
from gough.cli.tables import TableOf, find_table, say_reading, with_table
from gough.cli.words import (
    AsJson,
    Force,
    MotionTablePath,
    MotionWord,
    ReportPath,
    ReportTitle,
    ReportWithout,
    RobotWord,
    TablePath,
    find_robot,
)
from gough.errors import InputError


def _find_sharp_loads(robot: Any, **options: Any) -> Any:
    """Timed loads without smoothing, with which there is no least time."""
    return find_timed_loads(robot, **options)


_OPTIONS = inspect.signature(find_timed_loads, eval_str=True).parameters.values()
_find_sharp_loads.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [option for option in _OPTIONS if option.name != "smoothing"]
)


@app.command()
@with_loads
@with_table
def fastest(
    robot: RobotWord,
    motion: MotionWord,
    output: TablePath = None,
    report: ReportPath = None,
    title: ReportTitle = None,
    without: ReportWithout = None,
    about: TableOf = find_table,
    loads: LoadsOf = _find_sharp_loads,
    jerk: Annotated[
        float | None,
        typer.Option(metavar="JERK", help="Largest jerk along the path [m/s^3; rad/s^3]."),
    ] = None,
    motor_acceleration: Annotated[
        float | None,
        typer.Option(metavar="LIMIT", help="Of all motors' axes [rad/s^2 or m/s^2]."),
    ] = None,
    speed: Annotated[
        float | None, typer.Option(metavar="LIMIT", help="Of the platform's origin [m/s].")
    ] = None,
    acceleration: Annotated[
        float | None, typer.Option(metavar="LIMIT", help="Of the platform's origin [m/s^2].")
    ] = None,
    turning_speed: Annotated[
        float | None, typer.Option(metavar="LIMIT", help="Of the platform [rad/s].")
    ] = None,
    turning_acceleration: Annotated[
        float | None, typer.Option(metavar="LIMIT", help="Of the platform [rad/s^2].")
    ] = None,
    dwell: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Rest after every stroke [s]; as in the motion if not given."
        ),
    ] = None,
    repeated: Annotated[
        bool | None,
        typer.Option(
            "--repeated/--no-repeated",
            help="Whether a closed path is run round after round without a rest; if not given, as "
            "the motion is.",
            show_default=False,
        ),
    ] = None,
    table: MotionTablePath = None,
    rate: Annotated[
        float, typer.Option(metavar="HZ", help="Samples per second of that table and of a report.")
    ] = 500.0,
    heating: Annotated[
        bool,
        typer.Option(
            "--heating", help="Table of the motion, and report, of the motion that motors bear."
        ),
    ] = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Least time along the path of a motion, motors at their limits, and the pace they bear.

    MOTION is a table of poses (.csv, .parquet, .npz), a scenario file whose motion is taken, or a
    kind of motion with its arguments; its timing is thrown away. The table has the law at its grid
    points and the use of every limit; report and --motion are of the fastest motion.
    """
    from gough.base.tables import write_table
    from gough.cli.scenario import motion_from_words
    from gough.timing.fastest import fastest as find_fastest

    left_out = report_parts(without)
    check_report_options(report is not None, title=title, without=without)
    if heating and table is None and report is None:
        raise InputError(
            "--heating says of which motion the files are, and none is written",
            hint="Give --motion FILE or --report FILE; the pace by heating is printed anyway.",
            argument="heating",
        )
    files = check_files(force=force, law=output, motion=table, report=report)
    if output is not None and table is not None and output.resolve() == table.resolve():
        raise InputError(f"--output and --motion name the same file, {output}", argument="motion")
    machine = find_robot(robot, remarks=True)
    acting = loads(machine)
    with progress_bar("fastest motion") as progress:
        path = motion_from_words(machine, motion, about())
        say_reading(path)
        progress(0.1)
        found = find_fastest(
            machine,
            path,
            loads=acting,
            jerk=jerk,
            motor_acceleration=motor_acceleration,
            speed=speed,
            acceleration=acceleration,
            turning_speed=turning_speed,
            turning_acceleration=turning_acceleration,
            dwell=dwell,
            repeated=repeated,
        )
        progress(0.7)
        if output is not None:
            write_table(output, found.columns())
        wanted = found.cool() if heating else found.motion
        if table is not None:
            write_table(table, motion_table(wanted, rate))
        if report is not None:
            from gough.analysis import analyse
            from gough.cli.files import typed
            from gough.report import write_report

            carried = found.cool_loads if heating else found.loads
            looked = analyse(machine, wanted, loads=carried, rate=rate)
            write_report(
                report,
                robot=machine,
                analysis=looked,
                title=title or looked.label,
                command=typed(),
                without=left_out,
            )

    def show() -> None:
        typer.echo()
        print_table(*found.table())

    print_result(found, as_json=as_json, files=files, show=show)
