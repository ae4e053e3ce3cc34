"""The command line: ``gough check ROBOT``, ``gough schema``.

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
from gough.errors import GoughError, GoughWarning
from gough.report.sheet import Sheet, sheet
from gough.robot.file.reading import load
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
