"""Commented robot files to start from: ``gough new``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gough.base.arguments import nearest
from gough.base.tables.whole import check_place, write_whole
from gough.errors import InputError, shown
from gough.robot import Robot
from gough.robot.file.writing import dumps
from gough.robot.names import check_name

_FOLDER = Path(__file__).parent / "templates"

TEMPLATES = ("hexapod", "delta", "five_bar", "three_rrr", "blank")
"""Kinds of templates."""

# Comments above the keys of a robot that is written out.
_COMMENTS = {
    "gough": ["Version of the file format."],
    "label": ["Free text, and where your figures come from."],
    "gravity": ["Acceleration of free fall, base axes [m/s^2]."],
    "platform": ["The body whose pose is commanded, and the frame on it that is meant."],
    "motors": ["Actuated axes, in the order of the efforts; u_1.first is one of several axes."],
    "redundant": ["More motors than freedoms are meant, not a mistake."],
    "bodies": [
        "Bodies: mass [kg], centre of mass [m] and inertia about it [kg m^2] in the body's own",
        "frame (three figures are the diagonal), or massless: true.  Shapes do it, too:",
        "rod: {mass: 0.8, start: [0, 0, 0], end: [0.25, 0, 0]}; cylinder, box, sphere, composite.",
    ],
    "joints": [
        "Joints: a frame on the parent meets a frame on the child; z is the axis.  position [m],",
        "rotation: three rows, or z and x as directions, or rpy [rad].  Of an axis: viscous and",
        "coulomb friction, rotor_inertia, limits, transmission, spring; with gough: 2 also motor.",
    ],
    "locked": ["Joints that are held at home, as by a brake."],
    "home": ["One assembled posture, which picks the branch; rough figures will do [m, rad]."],
}


def template(kind: str, name: str = "my_robot") -> str:
    """Text of a commented robot file, ready to be edited.

    Args:
        kind: one of :data:`TEMPLATES`.
        name: identifier of the robot.

    Returns:
        YAML that loads as it is.
    """
    if not isinstance(kind, str) or kind not in TEMPLATES:
        raise InputError(
            f"there is no template {shown(kind)}", hint=nearest(kind, TEMPLATES), argument="kind"
        )
    check_name(name, "name")
    text = (_FOLDER / f"{kind}.yaml").read_text("utf-8")
    return text.replace("name: my_robot", f"name: {name}", 1)


def commented(robot: Robot, name: str = "my_robot", changes: str = "") -> str:
    """A robot as a file to start from: its figures under another name, with comments.

    Args:
        robot: the machine to start from.
        name: identifier of the new one.
        changes: parameters in which it differs from what it is like, in words.

    Returns:
        YAML that loads as the same machine.
    """
    check_name(name, "name")
    changed = f" with {' '.join(changes.split())}" if changes else ""
    lines = [
        f"# {name}, to start from: the figures are those of {robot.name}{changed}.",
        "#",
        "# Units: metres, kilograms, seconds, newtons, radians.  "
        "Check what you wrote: gough check my_robot.yaml",
    ]
    for line in dumps(replace(robot, name=name)).splitlines():
        comment = _COMMENTS.get(line.partition(":")[0], [])
        lines += [*([""] if comment else []), *(f"# {text}" for text in comment), line]
    return "\n".join(lines) + "\n"


def write_template(
    path: Path,
    kind: str = "blank",
    *,
    force: bool = False,
    model: Robot | None = None,
    changes: str = "",
) -> Path:
    """Write a template to ``path``, with the ending ``.yaml`` if it has none.

    Args:
        path: where to; the name of the file becomes the name of the robot.
        kind: one of :data:`TEMPLATES`.
        force: whether an existing file is replaced.
        model: a machine to start from instead of a template.
        changes: parameters in which it differs from what it is like, in words.

    Returns:
        The path of the file.
    """
    target = path if path.suffix in (".yaml", ".yml") else Path(f"{path}.yaml")
    text = template(kind, target.stem) if model is None else commented(model, target.stem, changes)
    text = text.replace("gough check my_robot.yaml", f"gough check {target.name}")
    check_place(target, force=force)
    write_whole(target, text.encode())
    return target
