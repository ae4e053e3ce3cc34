"""Options of loads, the same for all commands, and the loads that they mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from gough.cli.words import numbers
from gough.errors import InputError, shown
from gough.robot import Robot

if TYPE_CHECKING:
    from gough.dynamics.loads import Force, Loads

PayloadMass = Annotated[
    float | None,
    typer.Option("--payload", metavar="KG", help="Mass at the platform's origin [kg]."),
]
ForceWords = Annotated[
    list[str] | None,
    typer.Option(
        "--load",
        metavar="BODY:FX,FY,FZ[:NX,NY,NZ]",
        help="Force and moment on a body, at its origin, base axes [N, N m]; repeatable.",
    ),
]
Friction = Annotated[
    bool, typer.Option("--friction/--no-friction", help="Whether friction counts.")
]
Rotors = Annotated[bool, typer.Option("--rotors/--no-rotors", help="Whether rotor inertia counts.")]
Smoothing = Annotated[
    float | None,
    typer.Option(metavar="SPEED", help="Speed that smooths Coulomb friction [rad/s or m/s]."),
]


def find_loads(
    robot: Robot,
    *,
    payload: float | None = None,
    forces: Sequence[str] | None = None,
    friction: bool = True,
    rotors: bool = True,
    smoothing: float | None = None,
) -> Loads:
    """The loads that are meant by the options, refused before any work if no machine bears them."""
    from gough.dynamics.load_arguments import LoadArguments
    from gough.dynamics.loads import Loads

    pushes = [_force(word) for word in forces or ()]
    loads = Loads(pushes, payload, friction, rotors, smoothing)
    LoadArguments(robot.assembly, loads).only()
    return loads


def _force(word: str) -> Force:
    from gough.dynamics.loads import Force

    body, *parts = word.split(":")
    if len(parts) not in (1, 2):
        raise InputError(
            f"--load is {shown(word)}, expected BODY:FX,FY,FZ or BODY:FX,FY,FZ:NX,NY,NZ",
            hint="--load platform:0,0,-20 pushes the platform down with 20 N.",
            argument="load",
        )
    return Force(
        body, *(numbers("--load", part, axes) for part, axes in zip(parts, _AXES, strict=False))
    )


_AXES = (("FX", "FY", "FZ"), ("NX", "NY", "NZ"))
