"""``gough info``, ``check``, ``doctor`` and ``schema``: what a machine is."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from gough.cli.app import app, complain, settings
from gough.cli.files import check_files, save_picture
from gough.cli.motors import motor_facts, print_axes, print_drives
from gough.cli.printing import print_facts, print_json, print_table, say
from gough.cli.units import UnitsWord, find_units
from gough.cli.words import AsJson, Force, RobotWord, RobotWords, find_robot
from gough.errors import GoughError, GoughWarning

if TYPE_CHECKING:
    from gough.report.sheet import Sheet

Page = TypeVar("Page")


@app.command()
def info(
    robot: RobotWord,
    draw: Annotated[
        Path | None,
        typer.Option("--draw", "-o", metavar="FILE", help="Picture to write: .png, .svg, ..."),
    ] = None,
    units: UnitsWord = "si",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Print the sheet of a robot: bodies, legs, mobility, motors, and what the doctor says."""
    from gough.analysis.doctor.consultation import doctor as examine
    from gough.report.drawing import draw_row
    from gough.report.sheet import sheet

    shown = find_units(units)
    target = check_files(force=force, picture=draw).get("picture")
    machine = find_robot(robot)
    page, diagnosis = sheet(machine), examine(machine)
    if target is not None:
        save_picture(lambda: draw_row([machine]), target)
    if as_json:
        bodies = [{"name": b.name, "mass": b.mass, "center": b.center} for b in machine.bodies]
        motors = [{**m, **motor_facts(machine, m["name"])} for m in page.to_dict()["motors"]]
        facts = {**page.to_dict(), "bodies": bodies, "motors": motors}
        print_json({**facts, "doctor": diagnosis.to_dict(), "drawing": target})
        return
    print_facts([line for line in page.lines() if line[0] != "remark"])
    typer.echo("\nBodies")
    rows = [(b.name, b.mass, *b.center) for b in machine.bodies]
    print_table(["name", "mass [kg]", "center x [m]", "y [m]", "z [m]"], rows)
    typer.echo("\nMotors")
    print_axes(machine, page.motors, shown)
    print_drives(machine, page.motors, shown)
    say(f"\nDoctor\n{diagnosis}")
    if target is not None:
        say(f"\nWrote {target}.")


@app.command()
def check(
    robots: RobotWords,
    rewrite: Annotated[
        bool,
        typer.Option("--rewrite", help="Write robot files in the newest version of the format."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="With --rewrite: write there instead."),
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Check robot or scenario files and print what each is.

    Exit code 1 if a file is refused; the others are printed all the same.
    """
    if output is not None and (not rewrite or len(robots) > 1):
        raise typer.BadParameter("-o belongs to --rewrite of one file")
    if output is not None:
        from gough.base.tables.whole import check_place

        check_place(output, force=force)

    def work(word: str) -> Any:
        return _rewritten(word, output) if rewrite else _checked(word)

    if _each(robots, work, lambda page: print_facts(page.lines()), as_json=as_json)[1]:
        raise typer.Exit(1)


def _rewritten(word: str, output: Path | None) -> Any:
    """The sheet of a file that was written in the newest version."""
    from gough.robot.file.rewriting import rewrite

    place = Path(word) if output is None else output
    before = rewrite(word, output)
    say(f"gough: wrote {place}, which had version {before} of the format", err=True)
    return _checked(str(place))


def _checked(word: str) -> Any:
    from gough.cli.scenario import is_scenario
    from gough.cli.scenario import load as load_scenario
    from gough.report.sheet import sheet

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoughWarning)  # the sheet has them as remarks
        if is_scenario(word):
            return load_scenario(word)
        page: Sheet = sheet(find_robot(word))
        return page


@app.command()
def doctor(robots: RobotWords, as_json: AsJson = False) -> None:
    """Examine robots: mobility, loops, motors, singular homes, figures.

    Exit code 1 if there are errors, or a file that is no robot.
    """
    from gough.analysis.doctor.consultation import doctor as examine

    def work(word: str) -> Any:
        return examine(find_robot(word, assembled=False))

    found, refused = _each(robots, work, say, as_json=as_json)
    if refused or any(diagnosis.errors for diagnosis in found):
        raise typer.Exit(1)


def _each(
    words: list[str], work: Callable[[str], Page], show: Callable[[Page], Any], *, as_json: bool
) -> tuple[list[Page], int]:
    """Tell something of every robot; of one that is refused, why.

    Returns:
        The pages, and how many robots were refused.
    """
    pages, data, refused = [], [], 0
    for word in words:
        try:
            pages.append(work(word))
        except GoughError as err:
            if settings.debug:
                raise
            refused += 1
            complain(err)
            refusal = {"file": word, "error": err.message, "hint": err.hint}
            data.append({**refusal, "line": getattr(err, "line", None)})
            continue
        if as_json:
            data.append(pages[-1].to_dict())  # type: ignore[attr-defined]
        else:
            show(pages[-1])
    if as_json:
        print_json(data[0] if len(data) == 1 else data)
    return pages, refused


@app.command()
def schema(
    of: Annotated[str, typer.Argument(metavar="[robot|scenario]", show_default=False)] = "robot",
    version: Annotated[
        int | None,
        typer.Option(
            "--format-version", metavar="N", help="Of robot files; without it, the newest."
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of robot files, or of scenario files."""
    from gough.cli.scenario.schema import json_schema as of_scenarios
    from gough.robot.file.published import json_schema as of_robots

    known = {"robot": of_robots, "scenario": of_scenarios}
    if of not in known:
        raise typer.BadParameter(f"there is no schema of {of!r}; say robot or scenario")
    if version is not None and of != "robot":
        raise typer.BadParameter("--format-version belongs to robot files")
    found = known[of]() if version is None else of_robots(version)
    typer.echo(json.dumps(found, indent=2))
