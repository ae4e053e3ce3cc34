"""Commented robot files to start from: ``gough new``."""

from __future__ import annotations

from pathlib import Path

from gough.errors import FileError, InputError
from gough.robot.names import check_name, nearest, shown

_FOLDER = Path(__file__).parent / "templates"

TEMPLATES = ("hexapod", "delta", "five_bar", "three_rrr", "blank")
"""Kinds of templates."""


def template(kind: str, name: str = "my_robot") -> str:
    """Text of a commented robot file, ready to be edited.

    Args:
        kind: one of :data:`TEMPLATES`.
        name: identifier of the robot.

    Returns:
        YAML that loads as it is.
    """
    if kind not in TEMPLATES:
        raise InputError(
            f"there is no template {shown(kind)}", hint=nearest(kind, TEMPLATES), argument="kind"
        )
    check_name(name, "name")
    text = (_FOLDER / f"{kind}.yaml").read_text("utf-8")
    return text.replace("name: my_robot", f"name: {name}", 1)


def write_template(path: Path, kind: str = "blank", *, force: bool = False) -> Path:
    """Write a template to ``path``, with the ending ``.yaml`` if it has none.

    Args:
        path: where to; the name of the file becomes the name of the robot.
        kind: one of :data:`TEMPLATES`.
        force: whether an existing file is replaced.

    Returns:
        The path of the file.
    """
    target = path if path.suffix in (".yaml", ".yml") else Path(f"{path}.yaml")
    text = template(kind, target.stem)
    text = text.replace("gough check my_robot.yaml", f"gough check {target.name}")
    try:
        with target.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as err:
        raise FileError(
            "exists already", file=str(target), hint="Choose another name, or --force."
        ) from err
    except OSError as err:
        raise FileError(
            f"cannot be written: {err.strerror}",
            file=str(target),
            hint="Does the folder exist, may you write there, is there room?",
        ) from err
    return target
