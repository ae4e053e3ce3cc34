"""Options of loads, the same for all commands, and the loads that they mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.options import grouped
from gough.cli.words import numbers
from gough.errors import InputError, shown

if TYPE_CHECKING:
    from gough.dynamics.shared.loads import Force
    from gough.robot import Robot
else:
    Robot = object  # signatures are read when commands are registered

PayloadMass = Annotated[
    float | None,
    typer.Option("--payload", metavar="KG", help="Mass at the platform's origin [kg]."),
]
Friction = Annotated[
    bool, typer.Option("--friction/--no-friction", help="Whether friction counts.")
]
Rotors = Annotated[bool, typer.Option("--rotors/--no-rotors", help="Whether rotor inertia counts.")]
Smoothing = Annotated[
    float | None,
    typer.Option(metavar="SPEED", help="Speed that smooths Coulomb friction [rad/s or m/s]."),
]
LoadsOf = Callable[[Robot], Any]
"""What a command under :func:`with_loads` takes as ``loads``: the loads on the robot it found."""


def with_loads(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of :func:`find_loads` in the place of its argument ``loads``."""
    return grouped(command, "loads", find_loads, given=1)


def find_loads(
    robot: Robot,
    payload: PayloadMass = None,
    load: Annotated[
        list[str] | None,
        typer.Option(
            "--load",
            metavar="BODY:FX,FY,FZ[:NX,NY,NZ]",
            help="Force and moment on a body, at its origin, base axes [N, N m]; repeatable.",
        ),
    ] = None,
    friction: Friction = True,
    rotors: Rotors = True,
    smoothing: Smoothing = None,
) -> Any:
    """The loads that are meant by the options, refused before any work if no machine bears them."""
    from gough.dynamics.shared.load_arguments import LoadArguments
    from gough.dynamics.shared.loads import Loads

    pushes = [_force(word) for word in load or ()]
    loads = Loads(pushes, payload, friction, rotors, smoothing)
    LoadArguments(robot.assembly, loads).only()
    return loads


def _force(word: str) -> Force:
    from gough.dynamics.shared.loads import Force

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
