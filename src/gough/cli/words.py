"""Words that commands share: arguments, options, and the robot that is meant by one."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Mapping
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
        help="A pose, by the robot's freedoms [m, rad], or 5mm,10deg; without it, home.",
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
MotionTablePath = Annotated[
    Path | None,
    typer.Option(
        "--motion",
        metavar="FILE",
        help="Table of the motion to write, for a drive or to be read again: .csv, .parquet, .npz.",
    ),
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
        help="Parts that the report leaves out: workspace, bearings, elastic, inputs.",
        show_default=False,
    ),
]


def find_robot(word: str, *, assembled: bool = True, remarks: bool = False) -> Robot:
    """The robot of a file, or of the zoo; a file hides a robot of the zoo of the same name.

    Args:
        word: as it was typed.
        assembled: whether the loops of a file are closed and checked.
        remarks: whether likely mistakes are printed on stderr; those of files of other programs
            always are, which are silent about the platform and the like.

    Raises:
        FileError: there is neither; names the nearest robot of the zoo.
    """
    from gough.base.arguments import nearest
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
    from gough.robot.file.reading import read
    from gough.robot.formats.loading import is_foreign, load

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GoughWarning)
        robot = load(path) if assembled or is_foreign(path) else read(path)
    for warning in caught if remarks or is_foreign(path) else ():
        say(f"gough: remark: {warning.message}", err=True)
    return robot


def numbers(option: str, words: str, units: Mapping[str, str]) -> np.ndarray:
    """Numbers with commas between them, one for every name; ``10deg`` and ``5mm`` are understood.

    Args:
        option: that has them, for messages.
        words: as they were typed.
        units: ``"rad"``, ``"m"`` or nothing, by name.

    Raises:
        InputError: others, or too few or too many.
    """
    import numpy as np

    from gough.base.english import counted

    given = words.split(",")
    if len(given) != len(units):
        raise InputError(
            f"{option} has {counted(len(given), 'number')}, expected {len(units)}: "
            f"{', '.join(units)}"
        )
    found = [
        one_number(option, word, *each) for word, each in zip(given, units.items(), strict=True)
    ]
    return np.array(found)


_NUMBER = re.compile(r"\s*([-+0-9.eE]+|nan|inf)\s*([a-z]*)\s*", re.IGNORECASE)

_LARGEST_ANGLE = 4.0 * math.pi  # beyond two turns degrees are likelier

_FACTORS = {
    "rad": {"rad": 1.0, "deg": math.pi / 180.0, "mrad": 1e-3},
    "m": {"m": 1.0, "mm": 1e-3, "um": 1e-6},
    "": {},
}
"""Units that may follow a number, by the SI unit that is meant without one."""


def one_number(option: str, word: str, name: str, unit: str) -> float:
    """A number in SI units, from a word with a unit or without."""
    parts = _NUMBER.fullmatch(word)
    try:
        value = float(parts.group(1)) if parts else float(word)
    except ValueError as err:
        raise InputError(
            f"{option} has {shown(word)}, which is not a number",
            hint="Numbers are written as 0.1, 5mm or 10deg, with commas between several.",
        ) from err
    suffix = parts.group(2) if parts else ""
    from gough.base.english import listed

    if not suffix:
        if unit == "rad" and abs(value) > _LARGEST_ANGLE:
            say(
                f"gough: remark: {option}: {name} is {value:g} rad; is {value:g}deg meant?",
                err=True,
            )
        return value
    if suffix not in _FACTORS[unit]:
        known = listed(_FACTORS[unit], "or") if unit else "no unit"
        raise InputError(f"{option}: {name} has {shown(word)}, expected {known}")
    return value * _FACTORS[unit][suffix]


def find_pose(robot: Robot, words: str | None) -> np.ndarray:
    """The pose that is meant by ``--pose``; home's without it."""
    import numpy as np

    from gough.evaluation.loops.state import state

    if words is None:
        return np.asarray(robot.assembly.T_home)
    return state(robot, numbers("--pose", words, freedom_units(robot.freedoms))).T_0p


def freedom_units(freedoms: Iterable[str]) -> dict[str, str]:
    """Units of freedoms by name: those that turn begin with r."""
    return {name: "rad" if name.startswith("r") else "m" for name in freedoms}


def motor_units(robot: Robot) -> dict[str, str]:
    """Units of motor positions by name."""
    from gough.mechanism.closure.axes import is_turn

    return {name: "rad" if is_turn(robot.assembly.axes[name]) else "m" for name in robot.motors}
