"""``gough modes``: every pose that motor positions allow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.files import check_files, save_picture
from gough.cli.printing import print_json, print_places, print_table, say
from gough.cli.progress import progress_bar
from gough.cli.words import (
    AsJson,
    Force,
    PoseWord,
    RobotWord,
    find_pose,
    find_robot,
    motor_units,
    numbers,
)
from gough.errors import InputError

if TYPE_CHECKING:
    import numpy as np

# Modes whose joints stand side by side in a table.
_BESIDE = 8

Picture = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Picture to write: .png, .svg, ..."),
]


@app.command()
def modes(
    robot: RobotWord,
    motors: Annotated[
        str | None,
        typer.Option(
            metavar="Q,Q,...",
            help="Positions of all motors [rad, m], or 10deg; without them, the pose's.",
            show_default=False,
        ),
    ] = None,
    pose: PoseWord = None,
    output: Picture = None,
    details: Annotated[
        bool, typer.Option("--details", help="Positions of all joints in every mode.")
    ] = False,
    operation: Annotated[
        str,
        typer.Option(
            metavar="HOW", help="home: platforms that move as around home; any: others too."
        ),
    ] = "home",
    starts: Annotated[int, typer.Option(metavar="N", help="Most starts of a search.")] = 1152,
    seed: Annotated[int, typer.Option(metavar="N", help="Of a search's random starts.")] = 0,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """All assembly modes: every pose of the platform that motor positions allow.

    Limits are ignored, and so is home's branch. A search says that it is one: it cannot promise to
    be complete.
    """
    from gough.modes.direct import forward_kinematics

    if motors is not None and pose is not None:
        raise InputError(
            "--motors and --pose exclude each other", hint="A pose stands for its motor positions."
        )
    files = check_files(force=force, picture=output)
    machine = find_robot(robot, remarks=True)
    q_a = _positions(machine, motors, pose)
    options: dict[str, Any] = {"operation": operation, "starts": starts, "seed": seed}
    with progress_bar("assembly modes") as progress:
        progress(0.1)
        found = forward_kinematics(machine, q_a, **options)
        progress(0.8)
        if files:
            from gough.report.drawing.modes import draw_modes

            save_picture(lambda: draw_modes(found), files["picture"])
    if as_json:
        print_json({**_with_joints(found, details), "files": files})
        return
    for line in str(found).splitlines():
        if not line.startswith(" "):  # one line a mode: the table has them
            say(line)
    positions = zip(machine.motors, q_a, strict=True)
    say("Motors: " + ", ".join(f"{name} = {value:.6g}" for name, value in positions))
    if len(found):
        _print_modes(found)
    elif found.is_search:
        say("The search found no pose with these motor positions; it may have missed one.")
    else:
        say("No pose has these motor positions: the machine cannot be assembled with them.")
    if details:
        _print_joints(found)
    print_places(files)


def _positions(machine: Any, motors: str | None, pose: str | None) -> np.ndarray:
    import numpy as np

    from gough.functions.kinematics import inverse_kinematics

    if motors is not None:
        return numbers("--motors", motors, motor_units(machine))
    if pose is None:
        home = machine.assembly.home_values
        return np.array([home[name] for name in machine.motors])
    return np.asarray(inverse_kinematics(machine, find_pose(machine, pose)))


def _print_modes(found: Any) -> None:
    typer.echo()
    head = ["mode", "x [m]", "y [m]", "z [m]", "rx [deg]", "ry [deg]", "rz [deg]", "condition"]
    rows = [
        [mode.name, *_placed(mode), mode.condition, mode.residual, mode.found] for mode in found
    ]
    head += ["off by", "found"]
    shown = len(head) if found.is_search else len(head) - 1
    print_table(head[:shown], [row[:shown] for row in rows])


def _placed(mode: Any) -> list[float]:
    """Origin [m] and rotation vector [deg], without the dust of rounding."""
    import numpy as np

    from gough.base.english import clean
    from gough.base.spatial import rotation_log

    p, turn = mode.T_0p[:3, 3], np.degrees(rotation_log(mode.T_0p[:3, :3]))
    parts = [(p, 1.0 + np.abs(p).max()), (turn, 180.0)]
    return [clean(x, size) for part, size in parts for x in part]


def _joints(found: Any, mode: Any) -> dict[str, float]:
    """Positions of all axes [rad, m]."""
    assembly = found.robot.assembly
    at = assembly.equations(*mode.branch)
    return {name: float(assembly.axis_position(at, name)) for name in assembly.home_values}


def _print_joints(found: Any) -> None:
    for start in range(0, len(found), _BESIDE):
        some = found[start : start + _BESIDE]
        typer.echo()
        columns = [_joints(found, mode) for mode in some]
        rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
        print_table(["joint [rad, m]", *(mode.name for mode in some)], rows)


def _with_joints(found: Any, details: bool) -> dict[str, Any]:
    data: dict[str, Any] = found.to_dict()
    if details:
        for one, mode in zip(data["modes"], found, strict=True):
            one["joints"] = _joints(found, mode)
    return data
