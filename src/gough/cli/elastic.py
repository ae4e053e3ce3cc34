"""Options of elastic machines, and the analysis that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.options import grouped
from gough.cli.wording import in_options
from gough.errors import GoughError, InputError, shown

if TYPE_CHECKING:
    from gough.robot import Robot
else:
    Robot = object  # signatures are read when commands are registered

ElasticOf = Callable[[], dict[str, Any]]
"""What a command under :func:`with_elastic` takes as ``elastic``: arguments of elasticity."""

_ESTIMATE = re.compile(r"\bestimate=True\b")
_SERVO = re.compile(r"drives='locked', or gough\.Servo\(kp, kd\)")


def with_elastic(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of :func:`find_elastic` in the place of ``elastic``."""
    return grouped(command, "elastic")


def find_elastic(
    drives: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="How motors hold: locked (behind the springs of their gears), free (rotors move), "
            "or the gains of a controller at the axes, kp=2e4,kd=100 [N m/rad, N m s/rad; N/m].",
        ),
    ] = "locked",
    shear: Annotated[
        bool, typer.Option(help="Whether beams have shear and rotary inertia (Timoshenko).")
    ] = True,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate", help="Guess links without elastic data: aluminium tubes of their mass."
        ),
    ] = False,
) -> dict[str, Any]:
    """Arguments of ``gough.elasticity`` that are meant by the options."""
    return {
        "drives": find_drives(drives),
        "shear": shear,
        "estimate": estimate,
    }


def find_drives(words: str) -> Any:
    """How motors hold, by what was typed.

    Raises:
        InputError: it is neither ``locked`` nor ``free`` nor gains.
    """
    if words in ("locked", "free"):
        return words
    found = {}
    for word in words.split(","):
        name, _, value = (piece.strip() for piece in word.partition("="))
        try:
            found[name] = float(value)
        except ValueError:
            found[""] = 0.0
    if "kp" not in found or not set(found) <= {"kp", "kd"}:
        raise InputError(
            f"--drives is {shown(words)}, expected locked, free, or gains kp=2e4,kd=100",
            hint="Gains are those felt at the joints' axes [N m/rad, N m s/rad; N/m, N s/m].",
            argument="drives",
        )
    return found


@contextmanager
def elastic_words() -> Iterator[None]:
    """Errors about elastic machines in the words of the command line."""
    try:
        with in_options({"drives": "--drives", "damping": "--damping", "kind": "--shaper"}):
            yield
    except GoughError as err:
        err.hint = _ESTIMATE.sub("--estimate", err.hint)
        err.hint = _SERVO.sub("--drives locked, or --drives kp=...,kd=...", err.hint)
        raise
