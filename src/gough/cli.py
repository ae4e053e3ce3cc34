"""The command line: ``gough check``, ``doctor``, ``zoo``, ``new``, ``draw``, ``export`` and so on.

Errors go to stderr in three lines without a traceback; exit codes are 0 (done), 1 (refused),
2 (wrong usage), 130 (interrupted).  Of several robot files, one that is refused does not keep the
others from being told.
"""

from __future__ import annotations

import io
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

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
    rich_markup_mode=None,
)

_debug = False

Page = TypeVar("Page")

_ROBOTS = typer.Argument(help="Robot files (YAML or JSON).", metavar="FILE", show_default=False)


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
    robots: Annotated[list[Path], _ROBOTS],
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead of tables.")] = False,
) -> None:
    """Check robot files and print what each machine is.

    Exit code 1 if a file is refused; the others are printed all the same.
    """

    def work(path: Path) -> Sheet:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GoughWarning)  # the sheet has them as remarks
            return sheet(load(path))

    console = Console()
    if _each(robots, work, lambda page: console.print(_table(page)), as_json=as_json)[1]:
        raise typer.Exit(1)


@app.command()
def doctor(
    robots: Annotated[list[Path], _ROBOTS],
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead of text.")] = False,
) -> None:
    """Examine robots: mobility, loops, motors, singular homes, figures.

    Exit code 1 if there are errors, or a file that is no robot.
    """
    from gough.diagnosis.consultation import doctor as examine

    found, refused = _each(robots, lambda path: examine(read(path)), typer.echo, as_json=as_json)
    if refused or any(diagnosis.errors for diagnosis in found):
        raise typer.Exit(1)


def _each(
    paths: list[Path], work: Callable[[Path], Page], show: Callable[[Page], Any], *, as_json: bool
) -> tuple[list[Page], int]:
    """Tell something of every file; of one that is refused, why.

    Returns:
        The pages, and how many files were refused.
    """
    pages, data, refused = [], [], 0
    for path in paths:
        try:
            pages.append(work(path))
        except GoughError as err:
            if _debug:
                raise
            refused += 1
            _complain(err)
            told = {"file": str(path), "error": err.message, "hint": err.hint}
            data.append({**told, "line": getattr(err, "line", None)})
            continue
        if as_json:
            data.append(pages[-1].as_dict())  # type: ignore[attr-defined]
        else:
            show(pages[-1])
    if as_json:
        typer.echo(json.dumps(data[0] if len(data) == 1 else data, indent=2))
    return pages, refused


@app.command()
def zoo(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A robot of the zoo; none: list them.", metavar="NAME", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the robot there instead of printing it."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
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
        robot = fetch(name)
        if output.is_file() and not force:
            raise FileError(
                "exists already", file=str(output), hint="Choose another name, or --force."
            )
        save(robot, output)
        typer.echo(f"Wrote {output}. Edit it, then run: gough check {output}")


@app.command()
def new(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of the robot; a folder may stand before it.",
            metavar="NAME",
            show_default=False,
        ),
    ],
    kind: Annotated[
        str,
        typer.Option(
            metavar="KIND", help="Template: hexapod, delta, five_bar, three_rrr or blank."
        ),
    ] = "blank",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Write NAME.yaml, a commented robot file to start from.

    Known machines to start from instead: gough zoo.
    """
    from gough.build.templating import write_template

    path = write_template(Path(name), kind, force=force)
    typer.echo(f"Wrote {path}. Edit it, then run: gough check {path}")


@app.command()
def draw(
    robots: Annotated[list[Path], _ROBOTS],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Picture to write: .png, .pdf, .svg, ..."
        ),
    ] = Path("picture.png"),
    names: Annotated[bool, typer.Option("--names", help="Write the names of the joints.")] = False,
    legend: Annotated[bool, typer.Option("--legend", help="Say what colours mean.")] = False,
) -> None:
    """Draw robots at home, side by side, into one picture."""
    from gough.drawing import draw_row

    target = output if output.suffix else Path(f"{output}.png")
    if output.is_dir():
        raise FileError("is a folder", file=str(output), hint="Name a picture: robot.png.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoughWarning)  # 'check' is the command that remarks
        figure = draw_row([load(path) for path in robots], names=names, legend=legend)
    try:
        figure.savefig(target, dpi=200)
    except OSError as err:
        message = f"cannot be written: {err.strerror}"
        hint = "Does the folder exist, may you write there, is there room?"
        raise FileError(message, file=str(target), hint=hint) from err
    except ValueError as err:
        raise FileError(str(err), file=str(target), hint="Name a picture: robot.png.") from err
    typer.echo(str(target))


export = typer.Typer(help="Write code for other machines.", no_args_is_help=True)
app.add_typer(export, name="export")


@export.command("c")
def export_c(
    robot: Annotated[
        str, typer.Argument(help="A robot file, or a name of the zoo.", show_default=False)
    ],
    quantity: Annotated[
        str, typer.Argument(help="What it computes: inverse_dynamics, ...", show_default=False)
    ] = "inverse_dynamics",
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the files go.")
    ] = Path(),
    method: Annotated[
        str, typer.Option(metavar="METHOD", help="legs, elements, screws or tree.")
    ] = "legs",
    single: Annotated[bool, typer.Option("--float", help="float instead of double.")] = False,
    payload: Annotated[
        bool, typer.Option("--payload", help="Take a payload as arguments.")
    ] = False,
    external: Annotated[
        list[str] | None,
        typer.Option(metavar="BODY", help="Take a load on this body as arguments; repeatable."),
    ] = None,
) -> None:
    """Write C99 for a controller: one .c and one .h, no heap, no globals."""
    from gough.kernels.export import export_c as write
    from gough.zoo.registry import load as fetch
    from gough.zoo.registry import names

    known = robot in names() and not Path(robot).is_file()
    code, header = write(
        fetch(robot) if known else load(Path(robot)),
        quantity,
        output,
        method=method,
        single=single,
        payload=payload,
        external=tuple(external or ()),
    )
    typer.echo(f"Wrote {code} and {header}. Try it: cc -std=c99 -O2 -DGOUGH_SELF_TEST {code} -lm")


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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a label may hold what a terminal cannot show
    try:
        code = app(standalone_mode=False)
    except GoughError as err:
        if _debug:
            raise
        _complain(err)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as err:
        if _debug:
            raise
        typer.echo(f"gough: cannot write: {err.strerror or err}", err=True)
        sys.exit(1)
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
