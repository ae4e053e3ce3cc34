"""The program ``gough``: its options, its errors, its exit codes."""

from __future__ import annotations

import gc
import io
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import typer

from gough._version import __version__
from gough.cli.printing import say
from gough.cli.wording import as_typed
from gough.errors import GoughError, GoughWarning


class _InOrder(typer.core.TyperGroup):
    """Commands in the order a newcomer needs them, not in that of their files."""

    ORDER = (
        "list",
        "info",
        "check",
        "doctor",
        "draw",
        "view",
        "new",
        "zoo",
        "convert",
        "idm",
        "fastest",
        "audit",
        "calibrate",
        "modes",
        "singularities",
        "stiffness",
        "vibrations",
        "workspace",
        "envelope",
        "crossing",
        "base-parameters",
        "excitation-motion",
        "identify",
        "simulate",
        "run",
        "export",
        "equations",
        "schema",
        "cache",
    )

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all commands."""
        return [name for name in self.ORDER if name in self.commands]


app = typer.Typer(
    name="gough",
    cls=_InOrder,
    help="The dynamics of parallel robots: exact, checked, fast.\n\n"
    "ROBOT is a robot file or a name of the zoo.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@dataclass
class Settings:
    """What the options before the command say."""

    debug: bool = False


settings = Settings()

_INTERRUPTED = 130  # exit code that a shell expects of a program that was interrupted
_OBJECTS = 100_000  # new objects after which cycles are looked for


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
    settings.debug = debug


@cache
def _program() -> Any:
    """All commands with their options: reading their signatures takes 50 ms, so once a process."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line and exit with its code."""
    # imports and traces make many objects and hardly a cycle: looking for those as often as Python
    # does takes a tenth of the time of a short command
    gc.set_threshold(max(gc.get_threshold()[0], _OBJECTS), 20, 20)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a label may hold what a terminal cannot show
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", GoughWarning)
            warnings.showwarning = _tell
            code = _program()(standalone_mode=False)
    except GoughError as err:
        if settings.debug:
            raise
        complain(err)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(_interrupted())
    except OSError as err:
        if settings.debug:
            raise
        say(f"gough: cannot write: {err.strerror or err}", err=True)
        sys.exit(1)
    except Exception as err:
        if settings.debug:
            raise
        sys.exit(_usage(err))
    if code == _INTERRUPTED:  # what typer makes of Ctrl-C
        sys.exit(_interrupted())
    sys.exit(code if isinstance(code, int) else 0)


def _tell(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """A warning in one line on stderr, without the line of code that it came from."""
    word = "warning" if issubclass(category, GoughWarning) else category.__name__
    say(f"gough: {word}: {message}", err=True)


_OPTIONS = {
    "units": "On the command line: --column-units mm,deg.",
    "columns": "On the command line: --columns t=time,x=pos_x.",
    "rotation": "On the command line: --rotation 'quaternion wxyz'.",
}
"""Options that stand for arguments of Python, which hints are about."""


def complain(err: GoughError) -> None:
    """An error in three lines on stderr."""
    say(f"gough: {as_typed(err.message)}", err=True)
    said = as_typed(err.hint)
    option = _OPTIONS.get(str(err.data.get("argument", "")), "")
    known = bool(option) and option.split()[4] in said  # the hint says it already
    hint = " ".join(filter(None, [said, "" if known else option]))
    say(f"  {hint or 'The page on errors in docs/ says more.'}", err=True)
    typer.echo("  Run 'gough --debug ...' to see where it was raised.", err=True)


def _interrupted() -> int:
    """Say so in one line; the exit code."""
    say("gough: interrupted", err=True)
    return _INTERRUPTED


def _usage(err: Exception) -> int:
    """Wrong usage gets its own message and code; anything else is a bug and says so."""
    show, code = getattr(err, "show", None), getattr(err, "exit_code", None)
    if callable(show):
        show()
        return int(code if code is not None else 2)
    if isinstance(err, typer.Abort):  # what earlier versions of typer make of Ctrl-C
        return _interrupted()
    say(f"gough: unexpected {type(err).__name__}: {err}", err=True)
    typer.echo("  This is a bug in gough. Please report it with the robot file.", err=True)
    typer.echo("  Run 'gough --debug ...' to see where it was raised.", err=True)
    return 1
