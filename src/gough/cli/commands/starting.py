"""``gough list``, ``zoo`` and ``new``: robots to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.files import check_free
from gough.cli.printing import print_json, print_table, say
from gough.cli.words import AsJson, Force


@app.command("list")
def list_robots(as_json: AsJson = False) -> None:
    """List the robots of the zoo: legs, freedoms, motors."""
    from gough.zoo.index import index
    from gough.zoo.registry import names

    known = index()
    found = [known.get(name) or listed(name) for name in names()]
    if as_json:
        print_json(found)
        return
    rows = [(f["name"], str(len(f["legs"])), str(f["mobility"]), f["robot"]) for f in found]
    print_table(["name", "legs", "mobility", "robot"], rows)


def listed(name: str) -> dict[str, Any]:
    """What the list says of a robot, as plain data; found by assembling it."""
    from gough.report.sheet import chain
    from gough.zoo import registry

    robot = registry.load(name)
    return {
        "name": name,
        "legs": [chain(robot, leg) for leg in robot.assembly.topology.legs],
        "mobility": robot.mobility,
        "freedoms": list(robot.freedoms),
        "motors": list(robot.motors),
        "robot": robot.label,
    }


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
    force: Force = False,
) -> None:
    """Print a robot of the zoo as a robot file; without a name, list them."""
    from gough.robot.file.writing import dumps, save
    from gough.zoo.registry import load

    if name is None:
        if output is not None:
            raise typer.BadParameter("say which robot: gough zoo NAME -o FILE")
        list_robots()
    elif output is None:
        typer.echo(dumps(load(name)), nl=False)
    else:
        robot = load(name)
        check_free(output, force=force)
        save(robot, output)
        say(f"Wrote {output}. Edit it, then run: gough check {output}")


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
    like: Annotated[
        str,
        typer.Option(
            "--like",
            "--kind",
            metavar="ROBOT",
            help="What to start from: hexapod, delta, five_bar, three_rrr, blank, "
            "or a name of the zoo.",
        ),
    ] = "blank",
    force: Force = False,
) -> None:
    """Write NAME.yaml, a commented robot file to start from."""
    from gough.build.templating import TEMPLATES, write_template
    from gough.errors import InputError, shown
    from gough.robot.names import nearest
    from gough.zoo.registry import load, names

    known = [*TEMPLATES, *(robot for robot in names() if robot not in TEMPLATES)]
    if like not in known:
        raise InputError(
            f"there is no robot {shown(like)} to start from", hint=nearest(like, known)
        )
    model = None if like in TEMPLATES else load(like)
    path = write_template(Path(name), like, force=force, model=model)
    say(f"Wrote {path}. Edit it, then run: gough check {path}")
