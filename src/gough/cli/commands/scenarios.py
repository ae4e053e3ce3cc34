"""``gough simulate`` and ``gough run``: what a scenario file asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.files import check_files, typed
from gough.cli.printing import print_facts, print_json, print_places, print_sizing
from gough.cli.progress import progress_bar
from gough.cli.reports import check_report_options, report_parts
from gough.cli.units import UnitsWord, find_units
from gough.cli.words import (
    AsJson,
    Force,
    ReportPath,
    ReportTitle,
    ReportWithout,
    ScenarioPath,
    TablePath,
)
from gough.errors import FileError


@app.command()
def simulate(
    scenario: ScenarioPath,
    output: TablePath = None,
    report: ReportPath = None,
    title: ReportTitle = None,
    without: ReportWithout = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Simulate the machine of a scenario, and print how it went."""
    from gough.base.tables import write_table
    from gough.cli.scenario import load

    left_out = report_parts(without)
    check_report_options(report is not None, title=title, without=without)
    files = check_files(force=force, simulation=output, report=report)
    given = load(scenario)
    if not given.simulates:
        raise FileError("asks for no simulation", file=str(scenario), hint="Give it 'simulation:'.")
    with progress_bar("simulation") as progress:
        found = given.simulate(progress)
    if output is not None:
        write_table(output, found.columns())
    if report is not None:
        from gough.report import write_report

        write_report(
            report,
            robot=given.robot,
            simulation=found,
            title=title or given.label,
            command=typed(),
            scenario_text=given.text,
            without=left_out or given.without,
        )
    if as_json:
        print_json({**given.to_dict(), "simulation": simulation_facts(found), "files": files})
        return
    print_facts([*given.lines(), *simulation_lines(found)])
    print_places(files)


@app.command()
def run(
    scenario: ScenarioPath,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Where results go."),
    ] = None,
    title: ReportTitle = None,
    without: ReportWithout = None,
    units: UnitsWord = "si",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Do all that a scenario asks for: inverse dynamics, simulation, tables, report."""
    from gough.cli.scenario import load, planned_files, write_outputs
    from gough.cli.scenario.outputs import check_planned

    shown = find_units(units)
    left_out = report_parts(without)
    given = load(scenario)
    check_report_options(given.output.report is not False, title=title, without=without)
    if output is not None and output.exists() and not output.is_dir():
        raise FileError("is not a folder", file=str(output), hint="Name a folder for results.")
    check_planned(planned_files(given, output), force=force)
    with progress_bar(given.path.stem) as progress:
        outcome = given.run(lambda share: progress(0.8 * share))
        files = write_outputs(
            outcome, output, command=typed(), force=force, title=title or "", without=left_out
        )
    analysis, simulation = outcome.analysis, outcome.simulation
    if as_json:
        facts = {
            **given.to_dict(),
            "inverse_dynamics": None if analysis is None else analysis.to_dict(),
            "simulation": None if simulation is None else simulation_facts(simulation),
            "seconds": outcome.seconds,
            "files": files,
        }
        print_json(facts)
        return
    print_facts(given.lines())
    if analysis is not None:
        typer.echo("\nInverse dynamics")
        skipped = ("robot", "motion")
        print_facts([line for line in analysis.lines() if line[0] not in skipped])
        typer.echo()
        print_sizing(analysis.robot, analysis.sizing, shown)
    if simulation is not None:
        typer.echo("\nSimulation")
        print_facts(simulation_lines(simulation))
    print_places(files)


def simulation_facts(found: Any) -> dict[str, Any]:
    """How a simulation went, as plain data."""
    from gough.simulation.summary import summary

    return {**summary(found), "beyond_limits": _beyond_limits(found)}


def simulation_lines(found: Any) -> list[tuple[str, str]]:
    """How a simulation went, for the eye."""
    skipped = ("robot",)
    lines = [line for line in found.lines() if line[0] not in skipped]
    return [*lines, *(("violation", sentence) for sentence in _beyond_limits(found))]


def _beyond_limits(found: Any) -> list[str]:
    """Limits of axes and motors that a simulation passes, in sentences."""
    from gough.report.course import of_simulation
    from gough.report.words import exceeded

    return exceeded(of_simulation(found)) if len(found.t) > 2 else []
