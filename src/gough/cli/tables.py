"""Options about the columns of a table of poses, the same for all commands that take a MOTION."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.options import grouped
from gough.cli.printing import say
from gough.errors import InputError, shown

if TYPE_CHECKING:
    from gough.motion.motion import Motion

TableOf = Callable[[], dict[str, Any]]
"""What a command under :func:`with_table` takes as ``about``: arguments of ``motion.from_file``."""


def with_table(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of :func:`find_table` in the place of its argument ``about``."""
    return grouped(command, "about")


def find_table(
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="NAME=COLUMN,...",
            help="Of a table of poses: which column is what: t=time,x=pos_x,roll=rx.",
            show_default=False,
        ),
    ] = None,
    column_units: Annotated[
        str | None,
        typer.Option(
            "--column-units",
            metavar="UNIT,...",
            help="Of a table of poses: its units, as mm,deg,ms; default m,rad,s or the header's.",
            show_default=False,
        ),
    ] = None,
    rotation: Annotated[
        str | None,
        typer.Option(
            "--rotation",
            metavar="WORDS",
            help="Of a table of poses: rpy, rotation_vector, 'zyx intrinsic', 'quaternion xyzw'.",
            show_default=False,
        ),
    ] = None,
) -> dict[str, Any]:
    """Arguments of ``gough.motion.from_file`` that are meant by the options."""
    given = {"rotation": rotation}
    found: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if columns is not None:
        found["columns"] = dict(_pair(word) for word in columns.split(","))
    if column_units is not None:
        found["units"] = _units(column_units)
    return found


def say_reading(motion: Motion) -> None:
    """Print on stderr how the columns of a table of poses were read."""
    for finding in motion.findings:
        if finding.kind in ("convention", "unit"):
            say(f"gough: remark: {finding.sentence}", err=True)


def _pair(word: str) -> tuple[str, str]:
    name, equals, column = (piece.strip() for piece in word.partition("="))
    if not (name and equals and column):
        raise InputError(
            f"--columns has {shown(word)}, expected NAME=COLUMN",
            hint="--columns t=time,x=pos_x,roll=rx",
            argument="columns",
        )
    return name, column


def _units(words: str) -> dict[str, str]:
    from gough.motion.units import UNITS, find_unit

    found: dict[str, str] = {}
    for word in words.split(","):
        unit = find_unit(word.rpartition("=")[2])
        if unit is None or unit.kind in found:
            what = "is no unit" if unit is None else f"is a second unit of {unit.kind}"
            raise InputError(
                f"--column-units has {shown(word)}, which {what}",
                hint=f"Known: {', '.join(UNITS)}.",
                argument="units",
            )
        found[unit.kind] = unit.symbol
    return found
