"""Robots to files of any kind, by the suffix of their names."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from gough.base.tables.whole import write_whole
from gough.robot.file import writing
from gough.robot.formats.limits_of_formats import Limited
from gough.robot.formats.mjcf.writing import mjcf_of
from gough.robot.formats.sdf.writing import drake_sdf_of, sdf_of
from gough.robot.formats.text import Element
from gough.robot.formats.urdf.writing import urdf_of
from gough.robot.robot import Robot

WRITERS: dict[str, tuple[str, Callable[[Robot, Limited], Element]]] = {
    ".xml": ("MJCF", mjcf_of),
    ".mjcf": ("MJCF", mjcf_of),
    ".urdf": ("URDF", urdf_of),
    ".drake.sdf": ("SDF for Drake", drake_sdf_of),
    ".sdf": ("SDF", sdf_of),
    ".world": ("SDF", sdf_of),
}
"""Formats of other programs, and who writes them, by how the name of a file ends."""


def save(robot: Robot, path: str | os.PathLike[str], *, drop: Sequence[str] | str = ()) -> None:
    """Writes the robot to a file, in the format that its name says.

    MJCF for ``.xml``, URDF with ``<loop>`` for ``.urdf``, SDF for ``.sdf``, with loops as Drake
    takes them for ``.drake.sdf``, JSON for ``.json``, else YAML, which holds everything.  The file
    appears whole or not at all, and keeps its permissions if it was there before.

    Args:
        robot: to be written.
        path: of the file.
        drop: what may be left out of a format that cannot hold it: ``elastic``, ``motors`` (their
            data), ``idle``, ``limits``, ``springs``, ``rotors``, ``gravity``, ``couplings``.

    Raises:
        FileError: the format cannot hold something; says what.
    """
    name = Path(path).name.lower() if isinstance(path, (str, os.PathLike)) else ""
    found = next((each for suffix, each in WRITERS.items() if name.endswith(suffix)), None)
    if found is None:
        writing.save(robot, path)
        return
    format, writer = found
    root = writer(robot, Limited(robot, path, format, drop))
    write_whole(path, str(root).encode())
