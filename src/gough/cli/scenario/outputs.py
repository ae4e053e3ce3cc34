"""Results of a run to files: tables, report, figures, page; each whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gough.base.arguments import switch
from gough.base.tables import write_table
from gough.base.tables.whole import check_place, make_folder
from gough.cli.scenario.scenario import Outcome, Scenario
from gough.errors import FileError, shown


def output_folder(scenario: Scenario) -> Path:
    """Default folder of results: the one in the file, or ``results/NAME`` beside it.

    Raises:
        FileError: it is outside the scenario's own folder, by its path or by a link.
    """
    named = scenario.output.folder
    folder = scenario.folder / (named or f"results/{scenario.path.stem}")
    if named is not None and Path(named).is_absolute():
        raise _outside(scenario, f"{shown(named)} is an absolute path")
    if not _resolved(folder).is_relative_to(scenario.folder):
        place = shown(named) if named is not None else shown(folder.name)
        raise _outside(scenario, f"{place} leads out of the scenario's folder")
    return folder


def _outside(scenario: Scenario, problem: str) -> FileError:
    """A file says what is done, not where on the machine things are written: the user does."""
    return FileError(
        f"output.folder: {problem}",
        file=scenario.document.file,
        line=scenario.document.place("output.folder").line,
        path="output.folder",
        hint="Name a folder beside the scenario, or say where on the command line: "
        "gough run SCENARIO -o FOLDER.",
    )


def _resolved(path: Path) -> Path:
    """A path without links; one that cannot be followed stays what it is."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links that go round in circles
        return path.absolute()


def planned_files(scenario: Scenario, folder: Path | None = None) -> dict[str, Path]:
    """Files that a run writes, by what they hold; ``figures`` is a folder.

    Args:
        scenario: the scenario.
        folder: where to; :func:`output_folder` if not given.
    """
    given, folder = folder is not None, folder or output_folder(scenario)
    output = scenario.output
    tables, figures = output.tables or "csv", output.figures or "none"
    planned = {}
    if tables != "none" and scenario.analyses:
        planned["efforts"] = folder / f"efforts.{tables}"
    if tables != "none" and scenario.simulates:
        planned["simulation"] = folder / f"simulation.{tables}"
    if figures != "none":
        planned["figures"] = folder / "figures"
    if output.page:
        planned["page"] = folder / "page.html"
    if output.report is not False:
        planned["report"] = folder / "report.html"
    for path in planned.values():
        if not given and not _resolved(path).is_relative_to(scenario.folder):
            raise _outside(scenario, f"{shown(path.name)} in it is a link to elsewhere")
    return planned


def check_planned(planned: dict[str, Path], *, force: bool) -> None:
    """Refuse to write over results that are there, or where nothing can be written.

    Raises:
        FileError: names the first of them.
    """
    for what, path in planned.items():
        # figures are a folder: what is asked is whether a file can stand in it
        check_place(path / "figure" if what == "figures" else path, force=force)
        if what == "figures" and path.exists() and not force:
            hint = "Choose another folder, or --force."
            raise FileError("exists already", file=str(path), hint=hint)


def write_outputs(
    outcome: Outcome,
    folder: Path | None = None,
    *,
    command: str = "",
    force: bool = False,
    title: str = "",
    without: Sequence[str] = (),
) -> dict[str, Path]:
    """Write what the scenario asks for.

    Args:
        outcome: of a run.
        folder: where to, made if it is not there; :func:`output_folder` if not given.
        command: that made it, for the report.
        force: whether results that are there are replaced.
        title: of the report; the scenario's label if not given.
        without: parts that the report leaves out; what the scenario says if none is given.

    Returns:
        The files by what they hold.

    Raises:
        FileError: something is there already, or cannot be written.
    """
    from gough import report
    from gough.report.view import view

    scenario = outcome.scenario
    planned = planned_files(scenario, folder)
    folder = folder or output_folder(scenario)
    check_planned(planned, force=switch(force, "force"))
    make_folder(folder, "May you write there?")
    left_out = tuple(without) or scenario.without
    results = {"analysis": outcome.analysis, "simulation": outcome.simulation}
    if "efforts" in planned:
        write_table(planned["efforts"], outcome.analysis.columns())
    if "simulation" in planned:
        write_table(planned["simulation"], outcome.simulation.columns())
    if "figures" in planned:
        ending = scenario.output.figures or "png"
        report.save_figures(
            planned["figures"], robot=outcome.robot, format=ending, without=left_out, **results
        )
    if "page" in planned:
        run = outcome.simulation or outcome.motion
        # a machine that differs from its description is the one that was simulated
        machine = getattr(run, "robot", outcome.robot)
        view(machine, run, planned["page"], loads=scenario.loads)
    if "report" in planned:
        report.write_report(
            planned["report"],
            robot=outcome.robot,
            title=title or scenario.label,
            command=command,
            scenario_text=scenario.text,
            without=left_out,
            page="page.html" if "page" in planned else "",
            **results,
        )
    return planned
