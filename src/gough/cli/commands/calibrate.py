"""``gough calibrate``: the geometry of a machine from measurements, or what to measure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.files import check_robot_and_tables, typed
from gough.cli.measuring import (
    KLIPPER,
    Bench,
    check_fit,
    check_robot_file,
    check_twice,
    find_bench,
    find_frame,
    find_held_back,
    find_noise,
    find_prior,
    read_tables,
)
from gough.cli.planning import find_anchor, make_plan
from gough.cli.printing import print_result, say
from gough.cli.progress import progress_bar
from gough.cli.proposals import as_data, print_proposals
from gough.cli.reports import check_report_options
from gough.cli.tables import TableOf, find_table, with_table
from gough.cli.units import Units, UnitsWord, find_units
from gough.cli.wording import in_options, named_figures
from gough.cli.words import AsJson, Force, ReportPath, ReportTitle
from gough.errors import InputError

_ROWS = 30  # of parameters on the screen

OPTIONS = {
    "count": "--plan",
    "held_back": "--held-back",
    "columns": "--columns",
    "units": "--column-units",
    **{
        name: f"--{name}"
        for name in ("free", "prior", "noise", "device", "tool", "anchor", "loss", "outliers")
    },
    **{name: f"--{name}" for name in ("kind", "axis", "stroke", "height", "rotation")},
}
"""Options by the arguments that they stand for."""


@app.command()
@with_table
def calibrate(
    robot: Annotated[
        str,
        typer.Argument(
            metavar="ROBOT",
            help="A robot file, a name of the zoo, or Klipper's printer.cfg.",
            show_default=False,
        ),
    ],
    measured: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="MEASURED...",
            help="Tables of measurements: .csv, .parquet, .npz. A printer.cfg has its own.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Calibrated robot to write: .yaml or .json; of a printer also .cfg. With --plan: "
            "the table to fill in.",
        ),
    ] = None,
    report: ReportPath = None,
    title: ReportTitle = None,
    residuals: Annotated[
        Path | None,
        typer.Option("--residuals", metavar="FILE", help="Table: a row for every measured number."),
    ] = None,
    parameters: Annotated[
        Path | None,
        typer.Option("--parameters", metavar="FILE", help="Table: a row for every parameter."),
    ] = None,
    free: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="What may differ from the description: 'u*.base.position', p1.offset, bar, tool; "
            "repeatable. Default: all joints, tool, device; of a printer what its firmware fits.",
            show_default=False,
        ),
    ] = None,
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="SIZES",
            help="How far parameters may be off: none, a factor of the usual tolerances, "
            "0.5mm,0.5mrad, or '*.position=0.2mm'. Default: manufacturing; of a printer none.",
            show_default=False,
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            metavar="SIZES",
            help="Noise of what comes without: 0.02mm,0.05mrad; or scaled: standard deviations are "
            "weights only. Default: found from the residuals; of a printer scaled.",
            show_default=False,
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,Z[,R,P,Y]",
            help="Measuring device in the base: position, and roll, pitch, yaw: 1m,0,0,0,0,90deg.",
            show_default=False,
        ),
    ] = None,
    tool: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,Z[,R,P,Y]",
            help="What is measured, in the platform's frame.",
            show_default=False,
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,Z",
            help="Fixed point of measured lengths in the device's frame.",
            show_default=False,
        ),
    ] = None,
    loss: Annotated[
        str, typer.Option(metavar="LOSS", help="linear, soft_l1, huber or cauchy.")
    ] = "linear",
    outliers: Annotated[
        str, typer.Option(metavar="warn|drop|keep", help="What becomes of outliers.")
    ] = "warn",
    held_back: Annotated[
        str,
        typer.Option(
            metavar="SHARE|FILE",
            help="Share of the measurements that is only predicted, or a table of such.",
        ),
    ] = "0",
    propose: Annotated[
        int,
        typer.Option("--next", metavar="N", help="Measurements to make next that are proposed."),
    ] = 3,
    plan: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Plan N measurements instead, before anything is measured.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Of --plan: poses (default), positions, orientations, heights, distances, lengths "
            "or encoders; several with commas.",
            show_default=False,
        ),
    ] = None,
    axis: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of --plan: the axis that is read.", show_default=False),
    ] = None,
    stroke: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[MOTOR=]LO:HI",
            help="Of --plan: where motors may be; repeatable. Default: their limits.",
            show_default=False,
        ),
    ] = None,
    height: Annotated[
        str | None,
        typer.Option(
            metavar="H",
            help="Of --plan: height of the tool over the device's plane, where heights and "
            "distances are measured on one.",
            show_default=False,
        ),
    ] = None,
    about: TableOf = find_table,
    units: UnitsWord = "deg",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Calibrate a machine: its geometry from measurements, and what the answer is worth.

    Tables have motor positions and what was measured there: poses, positions, orientations,
    heights, distances, lengths, encoders. 'gough calibrate printer.cfg' takes all from the file of
    a Delta printer. With --plan nothing is needed but the robot: it says where to measure.
    """
    shown_units = find_units(units)
    point = find_anchor(anchor)
    frames = {"device": find_frame("--device", device), "tool": find_frame("--tool", tool)}
    if plan is not None:
        _refuse(
            "does not go with --plan",
            report=report,
            title=title,
            residuals=residuals,
            parameters=parameters,
            **{"measured": measured or None},
        )
        wanted = {"kind": kind, "axis": axis, "stroke": stroke, "height": height}
        about_it = {"free": free or None, "anchor": point, **frames}
        with in_options(OPTIONS):
            make_plan(
                robot, plan, output, wanted, (prior, noise), about_it, shown_units, as_json, force
            )
        return
    _refuse("needs --plan", kind=kind, axis=axis, stroke=stroke or None, height=height)
    klipper = Path(robot).suffix.lower() == KLIPPER
    if not measured and not klipper:
        raise InputError(
            "nothing was measured",
            hint=f"gough calibrate {robot} measured.csv; 'gough calibrate {robot} --plan 30 -o "
            "plan.csv' says where to measure.",
            argument="measured",
        )
    check_fit(loss, outliers, propose)
    spare = find_held_back(held_back)
    find_prior(prior), find_noise(noise, ())
    check_report_options(report is not None, title=title)
    check_robot_file(output, klipper=klipper)
    check_twice([*(measured or []), *([spare] if isinstance(spare, Path) else [])])
    files = check_robot_and_tables(
        output, force=force, residuals=residuals, parameters=parameters, report=report
    )
    reading = about() | ({} if point is None else {"anchor": point})
    sizes = {"prior": prior, "noise": noise}
    more: dict[str, Any] = {**frames, "loss": loss, "outliers": outliers, "free": free or None}
    with in_options(OPTIONS):
        bench = find_bench(robot, measured or [], reading)
        more["held_back"] = spare
        if isinstance(spare, Path):
            more["held_back"] = read_tables(bench.robot, [spare], reading)
        found, proposals = _fitted(bench, sizes, more, propose)
    doubt = output is not None and outliers == "warn" and bool(found.outliers)
    if doubt:
        del files["robot"]
    _write(found, files, bench.printer, title)

    def show() -> None:
        _show(found, proposals, files, shown_units)

    nearby = {"next": as_data(found.nominal, proposals)}
    print_result(found, as_json=as_json, files=files, show=show, **nearby)
    if doubt:
        raise _doubtful(found, output)


def _fitted(
    bench: Bench, sizes: dict[str, str | None], more: dict[str, Any], propose: int
) -> tuple[Any, Any]:
    """The calibration, and what to measure next; of a printer on its bed."""
    from gough.calibration.calibrate import calibrate as fit

    printer = bench.printer
    if printer is not None:
        more["free"] = more["free"] or printer.free
    with progress_bar("calibration") as progress, named_figures(bench.robot):
        found = fit(
            bench.robot,
            bench.measurements,
            prior=find_prior(sizes["prior"], "manufacturing" if printer is None else None),
            noise=find_noise(
                sizes["noise"], bench.measurements, None if printer is None else "scaled"
            ),
            progress=lambda share: progress(0.8 * share),
            **more,
        )
        if printer is not None:
            found = replace(found, design=replace(found.design, radius=printer.print_radius))
        return found, found.next(propose) if propose else ()


def _doubtful(found: Any, output: Path | None) -> InputError:
    """Why a robot was not written."""
    from gough.base.english import counted, listed

    labels = [each.label for each in found.outliers]
    return InputError(
        f"{output} is not written: {counted(len(labels), 'outlier')} moved what was found "
        f"({listed(labels)})",
        hint="--outliers drop fits without them; --outliers keep writes the robot all the same.",
        argument="outliers",
    )


def _write(found: Any, files: dict[str, Path], printer: Any, title: str | None) -> None:
    """Files that were asked for."""
    from gough.base.tables import write_table
    from gough.robot.file.writing import save

    if output := files.get("robot"):
        if output.suffix.lower() == KLIPPER:
            printer.write(output, found.robot)
        else:
            save(found.robot, output)
    if "residuals" in files:
        write_table(files["residuals"], found.residuals.columns(), gaps=True, words=True)
    if "parameters" in files:
        write_table(files["parameters"], found.columns(), gaps=True, words=True)
    if "report" in files:
        from gough.report import write_calibration

        write_calibration(found, files["report"], title=title or "", command=typed())


def _show(found: Any, proposals: Any, files: dict[str, Path], units: Units) -> None:
    """Parameters, and what to measure next."""
    say()
    say(found.table(_ROWS))
    rest = len(found.parameters) - len(found.telling(_ROWS))
    if rest > 0:
        where = [str(files[what]) for what in ("parameters", "report") if what in files]
        hint = f"in {' and '.join(where)}" if where else "--parameters FILE.csv has all"
        say(f"... and {rest} more: {hint}")
    if proposals:
        say()
        print_proposals(found.nominal, proposals, units, "measure next")


def _refuse(why: str, **given: Any) -> None:
    """Refuse options that would say nothing."""
    for name, value in given.items():
        if value is not None:
            option = "MEASURED" if name == "measured" else f"--{name}"
            raise InputError(f"{option} {why}", argument=name)
