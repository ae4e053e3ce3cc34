"""``gough draw``: robots at home as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.files import check_files, save_picture
from gough.cli.printing import say
from gough.cli.words import Force, RobotWords, find_robot


@app.command()
def draw(
    robots: RobotWords,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Picture to write: .png, .pdf, .svg, ..."
        ),
    ] = Path("picture.png"),
    names: Annotated[bool, typer.Option("--names", help="Write the names of the joints.")] = False,
    legend: Annotated[bool, typer.Option("--legend", help="Say what colours mean.")] = False,
    force: Force = False,
) -> None:
    """Draw robots at home, side by side, into one picture."""
    from gough.report.drawing import draw_row

    (target,) = check_files(force=force, picture=output).values()
    machines = list(map(find_robot, robots))
    save_picture(lambda: draw_row(machines, names=names, legend=legend), target)
    say(target)
