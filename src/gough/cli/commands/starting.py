"""``gough list``, ``zoo`` and ``new``: robots to start from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from gough.cli.app import app
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
    from gough.base.tables.whole import check_place
    from gough.robot.file.writing import dumps, save
    from gough.zoo.registry import load

    if name is None:
        if output is not None:
            raise typer.BadParameter("say which robot: gough zoo NAME -o FILE")
        list_robots()
    elif output is None:
        typer.echo(dumps(load(name)), nl=False)
    else:
        check_place(output, force=force)
        robot = load(name)
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
    changes: Annotated[
        str | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE,...",
            help="Parameters of the robot of the zoo that differ: arm=0.3,platform.mass=1.2; also "
            "of a builder: --like build.delta.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Write NAME.yaml, a commented robot file to start from."""
    from gough.base.arguments import nearest
    from gough.build.templating import TEMPLATES, write_template
    from gough.errors import InputError, shown
    from gough.zoo.makers import builders, make
    from gough.zoo.registry import load, names

    known = [*TEMPLATES, *(robot for robot in names() if robot not in TEMPLATES)]
    model = None
    if changes is not None and like in TEMPLATES and like not in names():
        raise InputError(
            f"the template {shown(like)} has no parameters to set",
            hint=f"Of a builder: --like build.{like}; without --set the file is there to be edited."
            if f"build.{like}" in builders()
            else "Without --set the file is there to be edited.",
        )
    if changes is not None:
        model = make(like, _values(changes))
    elif like not in known:
        raise InputError(
            f"there is no robot {shown(like)} to start from", hint=nearest(like, known)
        )
    elif like not in TEMPLATES:
        model = load(like)
    path = write_template(Path(name), like, force=force, model=model, changes=changes or "")
    say(f"Wrote {path}. Edit it, then run: gough check {path}")


def _values(words: str) -> dict[str, Any]:
    """Parameters by name or path, from ``arm=0.3,platform.mass=1.2``; lists are in brackets."""
    from gough.errors import FileError, InputError, shown
    from gough.robot.file.document import parse

    found: dict[str, Any] = {}
    for word in re.split(r",(?![^\[]*\])(?=[^,=]*=)", words):
        name, equals, value = word.partition("=")
        try:
            found[name.strip()] = parse(value, "--set").data if equals else None
        except FileError:
            equals = ""
        if not equals:
            raise InputError(
                f"--set has {shown(word)}, expected NAME=VALUE", hint="arm=0.3,platform.mass=1.2"
            )
    return found
