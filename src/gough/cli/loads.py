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
    typer.Option("--payload", metavar="KG", help="Mass at the origin of the platform's body [kg]."),
]
Pushes = Annotated[
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
LoadsOf = Callable[[Robot], Any]
"""What a command under :func:`with_loads` takes as ``loads``: the loads on the robot it found."""


def with_loads(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of loads in the place of its argument ``loads``.

    They are those of the function that this argument has for a default: :func:`find_loads`, or
    :func:`find_timed_loads` if the command knows time.
    """
    return grouped(command, "loads", given=1)


def find_loads(
    robot: Robot,
    payload: PayloadMass = None,
    load: Pushes = None,
    friction: Friction = True,
    rotors: Rotors = True,
    smoothing: Smoothing = None,
) -> Any:
    """The loads that are meant by the options, refused before any work if no machine bears them."""
    from gough.dynamics.shared.load_arguments import check_loads
    from gough.dynamics.shared.loads import Loads

    pushes = [_force(word) for word in load or ()]
    loads = Loads(pushes, payload, friction, rotors, smoothing)
    check_loads(robot.assembly, loads)
    return loads


def find_timed_loads(
    robot: Robot,
    payload: PayloadMass = None,
    payload_from: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Time when the payload is picked up [s].", show_default=False
        ),
    ] = None,
    payload_to: Annotated[
        float | None,
        typer.Option(metavar="S", help="Time when it is put down [s].", show_default=False),
    ] = None,
    load: Annotated[
        list[str] | None,
        typer.Option(
            "--load",
            metavar="BODY:FX,FY,FZ[:NX,NY,NZ][@FROM,TO]",
            help="Force and moment on a body, at its origin, base axes [N, N m], from one time to "
            "another [s]; repeatable.",
        ),
    ] = None,
    friction: Friction = True,
    rotors: Rotors = True,
    smoothing: Smoothing = None,
) -> Any:
    """The same for a command that knows time: loads may come and go."""
    from gough.dynamics.shared.load_arguments import check_loads
    from gough.dynamics.shared.loads import Payload
    from gough.dynamics.shared.schedule import LoadSchedule, TimedLoad

    timed = payload_from is not None or payload_to is not None
    if timed and payload is None:
        raise InputError(
            "--payload-from and --payload-to are the times of a payload, and there is none",
            hint="Give its mass: --payload KG.",
            argument="payload",
        )
    words = [word.partition("@") for word in load or ()]
    if not timed and not any(at for _, at, _ in words):
        return find_loads(robot, payload, load, friction, rotors, smoothing)
    parts: list[Any] = [TimedLoad(_force(push), *_times(when)) for push, _, when in words]
    if payload is not None:
        parts.append(TimedLoad(Payload(payload), payload_from, payload_to))
    loads = LoadSchedule(parts, friction, rotors, smoothing)
    check_loads(robot.assembly, loads)
    return loads


def _times(words: str) -> tuple[float | None, float | None]:
    """Start and end of a load, either of which may be left out: ``0.1,0.3``, ``0.1,``, ``,0.3``."""
    if not words:
        return None, None
    parts = words.split(",")
    if len(parts) != 2:
        raise InputError(
            f"--load ends in {shown('@' + words)}, expected @FROM,TO",
            hint="--load platform:0,0,-20@0.1,0.3 pushes from 0.1 s to 0.3 s.",
            argument="load",
        )
    start, end = (
        float(numbers("--load", part, {"time": ""})[0]) if part.strip() else None for part in parts
    )
    return start, end


def _force(word: str) -> Force:
    from gough.dynamics.shared.loads import Force

    if "@" in word:
        raise InputError(
            f"--load is {shown(word)}, and this command knows no times",
            hint="Loads from one time to another are for 'gough idm' and 'gough fastest'.",
            argument="load",
        )
    body, *parts = word.split(":")
    if len(parts) not in (1, 2):
        raise InputError(
            f"--load is {shown(word)}, expected BODY:FX,FY,FZ or BODY:FX,FY,FZ:NX,NY,NZ",
            hint="--load platform:0,0,-20 pushes the platform down with 20 N.",
            argument="load",
        )
    return Force(
        body,
        *(
            numbers("--load", part, dict.fromkeys(axes, ""))
            for part, axes in zip(parts, _AXES, strict=False)
        ),
    )


_AXES = (("FX", "FY", "FZ"), ("NX", "NY", "NZ"))
