"""Loops that a file cannot hold: pairs of frames as an argument, or a YAML file beside it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.base.arguments import check_known, nearest
from gough.errors import FileError, InputError, shown
from gough.robot.file.document import parse_file
from gough.robot.formats.model import Drive, Mark, Model, Tie
from gough.robot.formats.rejoined import WORDS, in_words, kind_of, rejoin
from gough.robot.formats.rooting import resolve

KINDS = {
    "spherical": "spherical",
    "ball": "spherical",
    "3d": "spherical",
    "revolute": "revolute",
    "continuous": "revolute",
    "hinge": "revolute",
    "prismatic": "prismatic",
    "slide": "prismatic",
    "cylindrical": "cylindrical",
    "universal": "universal",
    "fixed": "fixed",
    "weld": "fixed",
    "6d": "fixed",
}
"""Words for the kinds of loops, in files and as arguments; axes are z of both frames."""

_KEY = "closed_loop"


def loop_tie(
    name: str,
    kind: str,
    ends: tuple[str, str],
    frames: tuple[np.ndarray, np.ndarray],
    how: str,
) -> Tie:
    """A joint that closes a loop between frames on two links."""
    return Tie(name, kind, *ends, *frames, loop=how)


@dataclass(frozen=True)
class Sidecar:
    """Loops, motors and kinds of joints that a YAML file beside a URDF says.

    Attributes:
        file: its path.
        loops: pairs of frames with a kind.
        motors: names of driven joints, or parts of their names.
        kinds: joints that are of another kind than the URDF says, :mod:`.rejoined`.
        balls: part of the names of joints that are balls; empty if there are none.
    """

    file: str
    loops: tuple[tuple[str, str, str], ...]
    motors: tuple[str, ...]
    kinds: tuple[tuple[str, str], ...]
    balls: str

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Sidecar:
        """A file with ``closed_loop``, and perhaps ``type``, ``name_mot`` and ``joint_name``."""
        _, document = parse_file(path)
        data, file = document.data, os.fspath(path)
        if not isinstance(data, Mapping) or not isinstance(data.get(_KEY), list):
            raise FileError(
                f"has no list {_KEY!r}",
                file=file,
                hint="closed_loop: [[frame_a, frame_b], ...], type: [3d, ...]",
            )
        pairs, kinds = data[_KEY], data.get("type", [])
        kinds = kinds if isinstance(kinds, list) and kinds else ["6d"] * len(pairs)
        loops = []
        for pair, kind in zip(pairs, [*kinds, *(["6d"] * len(pairs))], strict=False):
            word = str(kind).lower()
            if not isinstance(pair, list) or len(pair) != 2 or word not in KINDS:
                raise FileError(
                    f"{_KEY}: {shown(pair)} of type {shown(kind)} is no pair of frames",
                    file=file,
                    hint=f"Types: {', '.join(KINDS)}.",
                )
            loops.append((str(pair[0]), str(pair[1]), word))
        motors = data.get("name_mot", [])
        names, kinds = data.get("joint_name") or [], data.get("joint_type") or []
        others = []
        for name, word in zip(names, kinds, strict=False):
            kind = kind_of(str(word))
            if not kind:
                raise FileError(
                    f"joint_type {shown(word)} of {shown(name)} is not known",
                    file=file,
                    hint=f"Known: {WORDS}.",
                )
            others.append((str(name), kind))
        chosen = [motors] if isinstance(motors, str) else [str(name) for name in motors or []]
        balls = str(data.get("rotule_name") or "")
        return cls(file, tuple(loops), tuple(chosen), tuple(others), balls)


def sidecar_beside(file: str) -> Path | None:
    """A YAML file of the same name, or ``robot.yaml``, that speaks of closed loops."""
    path = Path(file)
    for each in (path.with_suffix(".yaml"), path.with_suffix(".yml"), path.with_name("robot.yaml")):
        try:
            head = each.read_bytes()[: 2**16] if each.is_file() else b""
        except OSError:
            continue
        if _KEY.encode() in head:
            return each
    return None


def with_sidecar(model: Model, sidecar: Sidecar) -> None:
    """Add what a sidecar says to a model."""
    model.note("sidecar", f"loops are those of {Path(sidecar.file).name}, beside the file")
    kinds = dict(sidecar.kinds)
    if sidecar.balls:
        found = [tie.name for tie in model.joints if sidecar.balls in tie.name]
        kinds = {**dict.fromkeys(found, "SPHERICAL"), **kinds}
    for name, kind in kinds.items():
        tie = model.joint(name)
        if tie is None:
            raise FileError(
                f"joint_name: unknown joint {shown(name)}",
                file=sidecar.file,
                hint=nearest(name, [each.name for each in model.joints]),
            )
        rejoin(model, tie, kind)
    if kinds:
        said = ", ".join(f"{name!r} {in_words(kind)}" for name, kind in kinds.items())
        model.note("kinds", f"kinds of joints are those of {Path(sidecar.file).name}: {said}")
    add_loops(model, [list(each) for each in sidecar.loops], sidecar.file)
    for word in sidecar.motors:
        exact = [tie for tie in model.joints if tie.name == word]
        for tie in exact or [t for t in model.joints if word in t.name]:
            known = {drive.joint for drive in model.drives}
            if tie.kind in ("revolute", "prismatic") and tie.name not in known:
                model.drives.append(Drive(tie.name))


def add_loops(model: Model, loops: Any, file: str = "loops=") -> None:
    """Add loops between frames that a user, or a file, names."""
    if not isinstance(loops, Sequence) or isinstance(loops, str):
        raise InputError(
            f"expected pairs of frames, got {shown(loops)}",
            hint='loops=[("tip", "ring"), ("a", "b", "revolute")], or the path of a YAML file.',
            argument="loops",
        )
    known = [tie for tie in model.joints if tie.loop]
    for each in loops:
        parts = list(each) if isinstance(each, Sequence) and not isinstance(each, str) else []
        if len(parts) not in (2, 3) or not all(isinstance(part, str) for part in parts):
            raise InputError(
                f"loops: {shown(each)} is no pair of names, with a kind or without",
                hint='For instance ("tip", "ring", "revolute").',
                argument="loops",
            )
        a, b, word = (*parts, "spherical")[:3]
        check_known(word, KINDS, "loops: unknown kind", "loops")
        one, two = _frame(model, a), _frame(model, b)
        if one.link == two.link:
            raise InputError(f"loops: {a!r} and {b!r} are on one body", argument="loops")
        name = f"{a}_{b}"
        for tie in list(known):  # what a pair of frames was taken for until now
            if {tie.parent, tie.child} == {one.link, two.link}:
                model.joints.remove(tie)
                known.remove(tie)
                name = tie.name
        how = f"{name!r} is a {KINDS[word]} joint between {a!r} and {b!r}: {Path(file).name}"
        model.joints.append(loop_tie(name, KINDS[word], (one.link, two.link), (one.T, two.T), how))


def _frame(model: Model, name: str) -> Mark:
    """A frame by name; that of a joint is its child's, as Pinocchio has it."""
    tie = model.joint(name)
    if tie is None or tie.loop or name in model.links or name in model.marks:
        return resolve(model, name, "loops")
    return Mark(tie.child, np.eye(4))


def with_loops(model: Model, loops: Any) -> Model:
    """The model with the loops of an argument."""
    if isinstance(loops, (str, os.PathLike)):
        with_sidecar(model, Sidecar.read(loops))
    elif loops is not None:
        add_loops(model, loops)
    return replace(model)
