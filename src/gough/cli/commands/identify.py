"""``gough identify``: masses, friction and drives from logs of a controller."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.commands.identification import Groups, Shared, groups_of
from gough.cli.files import check_robot_and_tables, typed
from gough.cli.loads import PayloadMass
from gough.cli.measuring import check_robot_file
from gough.cli.printing import print_result
from gough.cli.reports import check_report_options
from gough.cli.tables import find_table
from gough.cli.words import AsJson, Force, ReportPath, ReportTitle, RobotWord, find_robot, numbers
from gough.errors import InputError

_PLACE = {"x": "m", "y": "m", "z": "m"}


@app.command()
def identify(
    robot: RobotWord,
    logs: Annotated[
        list[Path],
        typer.Argument(
            metavar="LOG...",
            help="Tables of runs, .csv, .parquet or .npz, with columns t, q_MOTOR, and tau_MOTOR "
            "or current_MOTOR.",
            show_default=False,
        ),
    ],
    validation: Annotated[
        Path | None,
        typer.Option(
            metavar="LOG", help="A run that is predicted, not fitted.", show_default=False
        ),
    ] = None,
    loaded: Annotated[
        Path | None,
        typer.Option(
            metavar="LOG",
            help="A run with a weighed payload, --payload: fitted too; of currents without --gains "
            "it shows the gains of the drives.",
            show_default=False,
        ),
    ] = None,
    payload: PayloadMass = None,
    payload_at: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,Z",
            help="Its centre in the frame of the platform's body [m]; without it, the origin.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Robot with what was found: .yaml or .json."
        ),
    ] = None,
    parameters: Annotated[
        Path | None,
        typer.Option("--parameters", metavar="FILE", help="Table: a row for every base parameter."),
    ] = None,
    efforts: Annotated[
        Path | None,
        typer.Option("--efforts", metavar="FILE", help="Table: measured and predicted efforts."),
    ] = None,
    report: ReportPath = None,
    title: ReportTitle = None,
    only: Groups = None,
    share: Shared = None,
    method: Annotated[
        str, typer.Option(metavar="METHOD", help="least_squares or instrumental.")
    ] = "least_squares",
    cutoff: Annotated[
        float | None,
        typer.Option(
            metavar="HZ", help="Of the filter of positions; inf: none.", show_default=False
        ),
    ] = None,
    band: Annotated[
        float | None,
        typer.Option(
            metavar="HZ",
            help="Of the filter of efforts and columns; inf: none.",
            show_default=False,
        ),
    ] = None,
    gains: Annotated[
        str | None,
        typer.Option(
            metavar="G[,G...]",
            help="Effort at the axis per ampere, one for all motors or one each: logs have "
            "currents.",
            show_default=False,
        ),
    ] = None,
    delay: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="By which efforts are recorded later than positions; without it, found.",
            show_default=False,
        ),
    ] = None,
    angles: Annotated[
        str | None,
        typer.Option(metavar="UNIT", help="radians or degrees.", show_default=False),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=COLUMN,...",
            help="Which column of the logs is what: t=time,q_arm1=enc1,tau_arm1=T1.",
            show_default=False,
        ),
    ] = None,
    column_units: Annotated[
        str | None,
        typer.Option(
            metavar="UNIT,...",
            help="Of times and positions, as mm,deg,ms; default m,rad,s or the header's.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Masses, friction and drives of a machine from logs of its controller."""
    from gough.base.tables import write_table
    from gough.dynamics.shared.loads import Loads, Payload
    from gough.identification.identify import identify as find
    from gough.identification.log import Log
    from gough.identification.log_tables import read_log
    from gough.robot.file.writing import save

    check_robot_file(output, klipper=False)
    check_report_options(report is not None, title=title)
    files = check_robot_and_tables(
        output, force=force, parameters=parameters, efforts=efforts, report=report
    )
    per_ampere = None if gains is None else _numbers(gains)
    if (loaded is None) != (payload is None):
        raise InputError(
            "--loaded and --payload belong together: a run, and the mass that was on the platform"
        )
    if payload is None and payload_at is not None:
        raise InputError("--payload-at is the place of a payload, and none is given: --payload")
    about = find_table(columns, column_units)
    machine = find_robot(robot, remarks=True)

    def read(path: Path, loads: Loads | None = None) -> Log:
        return read_log(machine, path, gains=per_ampere, angles=angles, loads=loads, **about)

    runs = [read(path) for path in logs]
    if loaded is not None:
        center = (
            (0.0, 0.0, 0.0) if payload_at is None else numbers("--payload-at", payload_at, _PLACE)
        )
        runs.append(read(loaded, Loads(payload=Payload(payload, center))))
    found = find(
        machine,
        runs,
        validation=None if validation is None else read(validation),
        parameters=groups_of(only),
        share=share,
        method=method,
        cutoff=cutoff,
        band=band,
        delay=delay,
    )
    if report is not None:
        from gough.report import write_identification

        write_identification(found, report, title=title or "", command=typed())
    if output is not None:
        if found.robot is None:
            raise InputError(
                f"{output} is not written: {' '.join(found.findings)}",
                hint="Record a motion that excites more, or identify fewer parameters: --only.",
            )
        save(found.robot, output)
    if parameters is not None:
        write_table(parameters, found.columns(), gaps=True, words=True)
    if efforts is not None:
        write_table(efforts, (found.validation or found.fit[0]).columns())
    print_result(found, as_json=as_json, files=files)


def _numbers(text: str) -> float | list[float]:
    """One number, or several with commas between them."""
    try:
        found = [float(word) for word in text.split(",")]
    except ValueError:
        raise InputError(f"--gains: expected numbers with commas, got {text!r}") from None
    return found[0] if len(found) == 1 else found
