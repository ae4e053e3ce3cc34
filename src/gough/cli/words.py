"""Words that commands share: arguments, options, and the robot that is meant by one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gough.cli.printing import say
from gough.errors import FileError, GoughWarning, InputError, shown

if TYPE_CHECKING:
    import numpy as np

    from gough.robot import Robot

RobotWord = Annotated[
    str,
    typer.Argument(metavar="ROBOT", help="A robot file, or a name of the zoo.", show_default=False),
]
RobotWords = Annotated[
    list[str],
    typer.Argument(
        metavar="ROBOT...", help="Robot files, or names of the zoo.", show_default=False
    ),
]
MotionWord = Annotated[
    str,
    typer.Argument(
        metavar="MOTION",
        help="A table of poses (poses.csv, poses.csv:outliers=drop,rotation=rpy), a scenario file, "
        "or a kind: circle:radius=0.1,duration=2.",
        show_default=False,
    ),
]
ScenarioPath = Annotated[
    Path, typer.Argument(metavar="SCENARIO", help="A scenario file.", show_default=False)
]
PoseWord = Annotated[
    str | None,
    typer.Option(
        "--pose",
        metavar="X,Y,...",
        help="A pose, by the robot's freedoms [m, rad]; without it, home.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print data instead of tables.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there already.")]
Method = Annotated[str, typer.Option(metavar="METHOD", help="legs, elements, screws or tree.")]
TablePath = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Table to write: .csv, .parquet, .npz."),
]
ReportPath = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Report to write: .html.")
]

ReportTitle = Annotated[
    str | None,
    typer.Option("--title", metavar="TEXT", help="Title of the report.", show_default=False),
]
ReportWithout = Annotated[
    str | None,
    typer.Option(
        "--without",
        metavar="PARTS",
        help="Parts that the report leaves out: workspace, bearings, inputs.",
        show_default=False,
    ),
]


def find_robot(word: str, *, assembled: bool = True, remarks: bool = False) -> Robot:
    """The robot of a file, or of the zoo; a file hides a robot of the zoo of the same name.

    Args:
        word: as it was typed.
        assembled: whether the loops of a file are closed and checked.
        remarks: whether likely mistakes are printed on stderr.

    Raises:
        FileError: there is neither; names the nearest robot of the zoo.
    """
    from gough.robot.names import nearest
    from gough.zoo.registry import load as fetch
    from gough.zoo.registry import names

    known = names()
    path = Path(word)
    if not path.exists() and word in known:
        return fetch(word)
    if not path.exists():
        raise FileError(
            f"there is no such file, and no robot {shown(word)} in the zoo",
            file=word,
            hint=nearest(path.stem, known),
        )
    return _from_file(path, assembled=assembled, remarks=remarks)


def _from_file(path: Path, *, assembled: bool, remarks: bool) -> Robot:
    from gough.robot.file.reading import load, read

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GoughWarning)
        robot = load(path) if assembled else read(path)
    for warning in caught if remarks else ():
        say(f"gough: remark: {warning.message}", err=True)
    return robot


def numbers(option: str, words: str, names: Sequence[str]) -> np.ndarray:
    """Numbers with commas between them, one for every name.

    Raises:
        InputError: others, or too few or too many.
    """
    import numpy as np

    try:
        values = np.array([float(word) for word in words.split(",")])
    except ValueError as err:
        raise InputError(
            f"{option} is {shown(words)}, expected numbers with commas between them"
        ) from err
    if len(values) != len(names):
        raise InputError(
            f"{option} has {len(values)} numbers, expected {len(names)}: {', '.join(names)}"
        )
    return values


def find_pose(robot: Robot, words: str | None) -> np.ndarray:
    """The pose that is meant by ``--pose``; home's without it."""
    import numpy as np

    from gough.kernels.loops.state import state

    if words is None:
        return np.asarray(robot.assembly.T_home)
    return np.asarray(state(robot, numbers("--pose", words, robot.freedoms))[0])
