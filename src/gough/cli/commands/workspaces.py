"""``gough workspace``: what a robot can reach, and where it is singular, over two freedoms."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.files import check_files, save_picture
from gough.cli.loads import PayloadMass, find_loads
from gough.cli.printing import print_result, print_table
from gough.cli.progress import progress_bar
from gough.cli.words import AsJson, Force, RobotWord, find_robot, freedom_units, one_number
from gough.errors import InputError, shown

_PICTURES = (".png", ".svg", ".pdf", ".jpg")

Span = Annotated[
    str | None, typer.Option(metavar="LO:HI[:N]", help="Span of this freedom, or N points.")
]


@app.command()
def workspace(
    robot: RobotWord,
    x: Span = None,
    y: Span = None,
    z: Span = None,
    rx: Span = None,
    ry: Span = None,
    rz: Span = None,
    at: Annotated[
        str, typer.Option(metavar="NAME=VALUE,...", help="Freedoms that are held: z=0.2,rz=0.1.")
    ] = "",
    capability: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="payload or acceleration that the motors allow."),
    ] = None,
    efforts: Annotated[
        str | None,
        typer.Option(metavar="E[,E...]", help="Largest effort of all motors, or of each [N m, N]."),
    ] = None,
    payload: PayloadMass = None,
    limits: Annotated[
        bool, typer.Option(help="Whether limits of joints count for parts and extent.")
    ] = True,
    what: Annotated[
        str | None, typer.Option("--map", metavar="MAP", help="What a picture shows.")
    ] = None,
    volume: Annotated[
        bool,
        typer.Option("--volume", help="Over three freedoms: volume, largest cylinder and box."),
    ] = False,
    height: Annotated[
        float | None,
        typer.Option(metavar="H", help="Height of the cylinder of --volume; the widest is found."),
    ] = None,
    diameter: Annotated[
        float | None,
        typer.Option(metavar="D", help="Diameter of that cylinder; the highest is found."),
    ] = None,
    shape: Annotated[
        str | None, typer.Option(metavar="SHAPE", help="In a picture of --volume: cylinder or box.")
    ] = None,
    elastic: Annotated[
        str | None,
        typer.Option(
            metavar="MAPS",
            help="Of a robot with elastic data: frequency, stiffness, sag; with commas between.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Picture (.png, .svg) or table (.csv, .npz)."
        ),
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """What a robot can reach over two freedoms, its parts free of singularities, its capability.

    Without spans the first two freedoms are taken, as far as the robot reaches. A span is
    LO:HI:N, or N points of what is found. --volume takes the first three freedoms, or three spans.
    """
    from gough.base.tables import write_table
    from gough.singularity.workspace.workspace import workspace as find_workspace

    picture = output is not None and output.suffix.lower() in _PICTURES
    files = check_files(force=force, **{"picture" if picture else "table": output})
    spans = {"x": x, "y": y, "z": z, "rx": rx, "ry": ry, "rz": rz}
    axes = {name: _span(name, word) for name, word in spans.items() if word is not None}
    held = _held(at)
    if volume:
        others = {"capability": capability, "efforts": efforts, "payload": payload}
        _refuse_with_volume(**others, map=what, elastic=elastic)
        solid: dict[str, Any] = {"height": height, "diameter": diameter}
        shape = "cylinder" if shape is None else shape
        _volume(robot, axes, held, solid, shape, output, files, limits=limits, as_json=as_json)
        return
    _refuse_without_volume(height=height, diameter=diameter, shape=shape)
    bounds = None if efforts is None else _numbers("--efforts", efforts.split(","))
    machine = find_robot(robot, remarks=True)
    with progress_bar("workspace") as progress:
        found = find_workspace(
            machine,
            at=held,
            limits=limits,
            capability=capability,  # type: ignore[arg-type]
            efforts=bounds[0] if bounds is not None and len(bounds) == 1 else bounds,
            elastic=None if elastic is None else [word.strip() for word in elastic.split(",")],
            loads=find_loads(machine, payload=payload),
            progress=progress,
            **axes,
        )
        first = found.elastic or found.capability
        shown_map = what or (next(iter(first.maps)) if first else "component")
        if picture and output is not None:
            save_picture(lambda: found.draw(shown_map), output, dpi=150.0)
        elif output is not None:
            write_table(output, found.columns())

    def show() -> None:
        if len(found.areas):
            typer.echo()
            rows = [
                [k, area, "yes" if k == found.home_component else ""]
                for k, area in enumerate(found.areas[:8].tolist(), start=1)
            ]
            print_table(["part", f"size [{found.section.unit}]", "home"], rows)

    print_result(found, as_json=as_json, files=files, show=show)


def _volume(
    robot: str,
    axes: dict[str, Any],
    held: dict[str, float],
    solid: dict[str, Any],
    shape: str,
    output: Path | None,
    files: dict[str, Path],
    *,
    limits: bool,
    as_json: bool,
) -> None:
    """The workspace over three freedoms: numbers, and a picture or a table of its border."""
    from gough.base.arguments import one_of
    from gough.base.tables import write_table
    from gough.singularity.workspace.volume import workspace_volume

    one_of(shape, "shape", ("cylinder", "box"))
    machine = find_robot(robot, remarks=True)
    with progress_bar("workspace") as progress:
        found = workspace_volume(
            machine, at=held, limits=limits, progress=progress, **solid, **axes
        )
        if "picture" in files:
            save_picture(lambda: found.draw(shape=shape), files["picture"], dpi=150.0)
        elif output is not None:
            write_table(output, found.columns())
    print_result(found, as_json=as_json, files=files)


def _refuse_with_volume(**given: Any) -> None:
    """Refuse options that a volume does not have."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"--{name} does not go with --volume", argument=name)


def _refuse_without_volume(**given: Any) -> None:
    """Refuse options that only a volume has."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"--{name} needs --volume", argument=name)


def _span(name: str, word: str) -> Any:
    """``LO:HI``, ``LO:HI:N`` or ``N``."""
    parts, units = word.split(":"), freedom_units([name])
    spans = parts[:2] if len(parts) > 1 else []  # one alone is a number of points
    numbers = [one_number(f"--{name}", part, name, units[name]) for part in spans]
    numbers += _numbers(f"--{name}", parts[len(spans) :])
    if len(parts) == 1:
        if numbers[0] != int(numbers[0]):
            raise InputError(
                f"--{name} {shown(word)}: expected LO:HI, LO:HI:N or a number of points",
                argument=name,
            )
        return int(numbers[0])
    if len(parts) > 3:
        raise InputError(f"--{name} {shown(word)}: expected LO:HI or LO:HI:N", argument=name)
    return tuple(numbers)


def _held(words: str) -> dict[str, float]:
    found = {}
    for word in filter(None, words.split(",")):
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError(f"--at {shown(words)}: expected NAME=VALUE, ...", argument="at")
        name = name.strip()
        found[name] = one_number("--at", value, name, freedom_units([name])[name])
    return found


def _numbers(option: str, words: Iterable[str]) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError as err:
        raise InputError(
            f"{option} {shown(':'.join(words))}: not a number", argument=option
        ) from err
