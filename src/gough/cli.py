"""The command line: ``gough check``, ``new``, ``doctor``, ``zoo``, ``schema``.

Errors go to stderr in three lines without a traceback; exit codes are 0 (done), 1 (refused),
2 (wrong usage), 130 (interrupted).
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gough._version import __version__
from gough.errors import FileError, GoughError, GoughWarning
from gough.report.sheet import Sheet, sheet
from gough.robot.file.reading import load, read
from gough.robot.file.schema import json_schema

app = typer.Typer(
    name="gough",
    help="The dynamics of parallel robots: exact, checked, fast.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

_debug = False


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gough {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and stop.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    global _debug  # noqa: PLW0603
    _debug = debug


@app.command()
def check(
    robots: Annotated[
        list[Path], typer.Argument(help="Robot files (YAML or JSON).", show_default=False)
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead of tables.")] = False,
) -> None:
    """Check robot files, close their loops, and print what each machine is."""
    found = []
    for path in robots:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GoughWarning)  # the sheet has them as remarks
            found.append(sheet(load(path)))
    if as_json:
        data = [s.as_dict() for s in found]
        typer.echo(json.dumps(data[0] if len(data) == 1 else data, indent=2))
        return
    console = Console()
    for page in found:
        console.print(_table(page))


@app.command()
def doctor(
    robots: Annotated[
        list[Path], typer.Argument(help="Robot files (YAML or JSON).", show_default=False)
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead of text.")] = False,
) -> None:
    """Examine robots: mobility, loops, motors, singular homes, figures. Exit code 1 on errors."""
    from gough.diagnosis.consultation import doctor as examine

    found = [examine(read(path)) for path in robots]
    if as_json:
        data = [diagnosis.as_dict() for diagnosis in found]
        typer.echo(json.dumps(data[0] if len(data) == 1 else data, indent=2))
    else:
        typer.echo("\n".join(str(diagnosis) for diagnosis in found))
    if any(diagnosis.errors for diagnosis in found):
        raise typer.Exit(1)


@app.command()
def zoo(
    name: Annotated[
        str | None, typer.Argument(help="A robot of the zoo; none: list them.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write the robot there instead of printing it."),
    ] = None,
) -> None:
    """List the robots of the zoo, or print one as a robot file."""
    from gough.robot.file.writing import dumps, save
    from gough.zoo.registry import load as fetch
    from gough.zoo.registry import names

    if name is None:
        if output is not None:
            raise typer.BadParameter("say which robot: gough zoo NAME -o FILE")
        table = Table("name", "legs", "mobility", "robot", box=None, padding=(0, 2, 0, 0))
        for known in names():
            robot = fetch(known)
            legs = str(len(robot.assembly.topology.legs))
            table.add_row(known, legs, str(robot.mobility), Text(robot.label))
        Console().print(table)
    elif output is None:
        typer.echo(dumps(fetch(name)), nl=False)
    else:
        save(fetch(name), output)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Name of the robot.", show_default=False)],
    kind: Annotated[
        str, typer.Option(help="Template: hexapod, delta, five_bar, three_rrr or blank.")
    ] = "blank",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Write NAME.yaml, a commented robot file to start from."""
    from gough.build.templating import write_template

    path = write_template(Path(name), kind, force=force)
    typer.echo(f"Wrote {path}. Edit it, then run: gough check {path}")


@app.command()
def draw(
    robots: Annotated[
        list[Path], typer.Argument(help="Robot files (YAML or JSON).", show_default=False)
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Picture to write: .png, .pdf, .svg, ...")
    ] = Path("picture.png"),
    names: Annotated[bool, typer.Option("--names", help="Write the names of the joints.")] = False,
    legend: Annotated[bool, typer.Option("--legend", help="Say what colours mean.")] = False,
) -> None:
    """Draw robots at home, side by side, into one picture."""
    from gough.drawing import draw_row

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoughWarning)  # 'check' is the command that remarks
        figure = draw_row([load(path) for path in robots], names=names, legend=legend)
    try:
        figure.savefig(output, dpi=200)
    except (OSError, ValueError) as err:
        raise FileError(str(err), file=str(output), hint="Name a picture: robot.png.") from err
    typer.echo(str(output))


@app.command()
def schema() -> None:
    """Print the JSON Schema of robot files."""
    typer.echo(json.dumps(json_schema(), indent=2))


def _table(page: Sheet) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for heading, fact in page.lines():
        style = "yellow" if heading == "remark" else ""
        table.add_row(Text(heading), Text(fact, style=style))
    return table


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        code = app(standalone_mode=False)
    except GoughError as err:
        if _debug:
            raise
        _complain(err)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as err:
        if _debug:
            raise
        sys.exit(_usage(err))
    sys.exit(code if isinstance(code, int) else 0)


def _complain(err: GoughError) -> None:
    typer.echo(f"gough: {err.message}", err=True)
    typer.echo(f"  {err.hint or 'The page on errors in docs/ says more.'}", err=True)
    typer.echo("  Run 'gough --debug ...' to see where it was raised.", err=True)


def _usage(err: Exception) -> int:
    """Wrong usage gets its own message and code; anything else is a bug and says so."""
    show, code = getattr(err, "show", None), getattr(err, "exit_code", None)
    if callable(show):
        show()
        return int(code if code is not None else 2)
    typer.echo(f"gough: unexpected {type(err).__name__}: {err}", err=True)
    typer.echo("  This is a bug in gough. Please report it with the robot file.", err=True)
    typer.echo("  Run 'gough --debug ...' to see where it was raised.", err=True)
    return 1


if __name__ == "__main__":
    main()
