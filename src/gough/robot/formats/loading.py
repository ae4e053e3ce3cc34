"""Robots from files of any kind: ours, MJCF, URDF, SDF, SYMORO."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gough.errors import DescriptionWarning, InputError, warn
from gough.robot.file import reading
from gough.robot.finding import NOTE
from gough.robot.formats.building import build, naming_file
from gough.robot.formats.choices import Choices
from gough.robot.formats.conversion import Conversion
from gough.robot.formats.loops import with_loops
from gough.robot.formats.mjcf import read_mjcf
from gough.robot.formats.model import Model
from gough.robot.formats.par import read_par
from gough.robot.formats.sdf.reading import read_sdf
from gough.robot.formats.urdf import read_urdf
from gough.robot.formats.xml import read_xml
from gough.robot.robot import Robot

SUFFIXES = (".xml", ".mjcf", ".urdf", ".xacro", ".sdf", ".world", ".par")
"""Files of other programs, by their names; anything else is a robot file of ours."""

READERS: dict[str, Callable[..., Model]] = {
    "mujoco": read_mjcf,
    "mujocoinclude": read_mjcf,
    "robot": read_urdf,
    "sdf": read_sdf,
}
"""Readers by the first element of a file: names of files are not to be trusted."""

Names = Sequence[str] | str

_NOTHING: tuple[str, ...] = ()


def load(
    path: str | os.PathLike[str],
    *,
    platform: str | None = None,
    base: str | None = None,
    motors: Names | None = None,
    lock: Names | Mapping[str, float] = _NOTHING,
    home: Mapping[str, Any] | str | None = None,
    loops: Any = None,
    drop: Names = _NOTHING,
    precision: float | None = None,
    numbers: Mapping[str, float] | str | os.PathLike[str] | None = None,
) -> Robot:
    """The robot of a file, its loops closed: YAML or JSON of ours, MJCF, URDF, SDF, SYMORO.

    The other arguments are for files of other programs, where these are silent; what was found,
    assumed and left out is said by :func:`gough.convert`.

    Args:
        path: of the file.
        platform: the body that does the work, by the name of a body, site, frame or link.
        base: the link that stands still, where it is not the world.
        motors: driven joints, in the order of the efforts; those of the file if not given.
        lock: joints that are held where the file draws them, or at values by name [rad or m].
        home: coordinates of joints by name, or the name of a keyframe, near the posture that is
            meant; if not given, several are tried.
        loops: of a URDF, joints that it cannot hold: pairs of frames, with a kind if it is no ball,
            ``[("tip", "ring", "revolute")]``; or the path of a YAML file with ``closed_loop``.
        drop: what to leave out: ``armature``, ``damping``, ``friction``, ``springs``, ``limits``,
            ``passive``, all of it on joints without a motor, ``links`` of next to no mass between
            three hinges, which then are one ball, or ``shapes``, so that legs are seen.
        precision: of the figures, a share of the size; from their digits if not given.
        numbers: of a table of SYMORO, values of its symbols, ``{"M1": 3.2}``; or the path of a YAML
            or JSON file with them.

    Returns:
        The robot; likely mistakes give a ``DescriptionWarning``.

    Raises:
        FileError: what is wrong, with file, line, element or key.
        NotAssembled: no start closes the loops.
    """
    if not is_foreign(path):
        given = {"platform": platform, "base": base, "motors": motors, "home": home, "loops": loops}
        given |= {"lock": lock, "drop": drop, "precision": precision, "numbers": numbers}
        named = [n for n, value in given.items() if value is not None and value is not _NOTHING]
        if named:
            raise InputError(
                f"{named[0]}= is for files of other programs",
                hint=f"A robot file says it itself; {', '.join(SUFFIXES)} are files of others.",
                argument=named[0],
            )
        return reading.load(path)
    found = convert(
        path,
        platform=platform,
        base=base,
        motors=motors,
        lock=lock,
        home=home,
        loops=loops,
        drop=drop,
        precision=precision,
        numbers=numbers,
    )
    name = os.fspath(path)
    for each in found.findings:
        if each.severity != NOTE:
            said = f"{each.sentence}. {each.advice}" if each.advice else each.sentence
            warn(f"{name}: {said}", DescriptionWarning)
    return found.robot


def is_foreign(path: str | os.PathLike[str]) -> bool:
    """Whether a file belongs to another program, by its name."""
    return isinstance(path, (str, os.PathLike)) and Path(path).suffix.lower() in SUFFIXES


def convert(
    path: str | os.PathLike[str],
    *,
    platform: str | None = None,
    base: str | None = None,
    motors: Names | None = None,
    lock: Names | Mapping[str, float] = (),
    home: Mapping[str, Any] | str | None = None,
    loops: Any = None,
    drop: Names = (),
    precision: float | None = None,
    numbers: Mapping[str, float] | str | os.PathLike[str] | None = None,
) -> Conversion:
    """The robot of a file of another program, with what was found, assumed and left out.

    The arguments are those of :func:`gough.load`.
    """
    choices = Choices(platform, base, motors, lock, home, drop, precision)
    return build(read_model(path, loops, numbers), choices)


def read_model(path: str | os.PathLike[str], loops: Any = None, numbers: Any = None) -> Model:
    """The neutral model of a file."""
    if is_foreign(path) and Path(path).suffix.lower() == ".par":
        return with_loops(read_par(path, numbers), loops)
    if numbers is not None:
        raise InputError(
            "numbers= is for tables of SYMORO, which have symbols",
            hint="Other files have numbers themselves.",
            argument="numbers",
        )
    root = read_xml(path)
    if root.tag not in READERS:
        root.refuse(
            "begins no robot that is known", hint=f"Known: {', '.join(f'<{t}>' for t in READERS)}."
        )
    with naming_file(root.file):
        return with_loops(READERS[root.tag](path, root), loops)
