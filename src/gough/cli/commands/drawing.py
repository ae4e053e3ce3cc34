"""``gough draw``: robots at home as a picture."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.printing import say
from gough.cli.words import Force, RobotWords, check_free, find_robot
from gough.errors import FileError
from gough.robot import Robot
from gough.tables import write_whole


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
    check_free(output if output.is_dir() else picture_path(output), force=force)
    say(write_picture(list(map(find_robot, robots)), output, names=names, legend=legend))


def write_picture(robots: Sequence[Robot], path: Path, **options: Any) -> Path:
    """Draw robots into a file, which appears whole or not at all; its path, ending and all."""
    from gough.drawing import draw_row

    target = picture_path(path)
    save_picture(lambda: draw_row(robots, **options), target)
    return target


def save_picture(draw: Callable[[], Any], path: Path, dpi: float = 200.0) -> None:
    """Save what is drawn into a file by its ending, which appears whole or not at all."""
    stream = io.BytesIO()
    try:
        draw().savefig(stream, format=path.suffix[1:].lower(), dpi=dpi)
    except ValueError as err:
        if type(err) is not ValueError:
            raise  # ours, or another story
        raise FileError(str(err), file=str(path), hint="Name a picture: robot.png.") from err
    write_whole(path, stream.getvalue())


def picture_path(path: Path) -> Path:
    """A path with the ending of a picture, if it has none."""
    return path if path.suffix else Path(f"{path}.png")
