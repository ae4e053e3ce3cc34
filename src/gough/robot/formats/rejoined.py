"""Joints that become others: by a file beside a URDF, or taken apart for what moves one by one.

A URDF has hinges and slides only.  Exporters draw a ball or a universal joint as one hinge, and say
in a YAML file what is meant.  Axes are those of the joint's own frame, as Pinocchio has it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from gough.robot.formats.model import Link, Mark, Model, Tie
from gough.robot.frame import Frame
from gough.robot.joint import Axis

WORDS = "SPHERICAL, FIXED, CARDAN, UJOINT_XY (or two other axes)"
"""Kinds that are known, for sentences."""

_UNIVERSAL = re.compile(r"UJOINT_([XYZ])([XYZ])")


def kind_of(word: str) -> str:
    """The kind that a word means: ``SPHERICAL``, ``FIXED``, two axes as ``XY``; else nothing."""
    word = word.upper()
    if word in ("SPHERICAL", "FIXED"):
        return word
    if word == "CARDAN":
        return "XY"
    match = _UNIVERSAL.fullmatch(word)
    return match[1] + match[2] if match and match[1] != match[2] else ""


def in_words(kind: str) -> str:
    """A kind for a sentence."""
    return {"SPHERICAL": "a ball", "FIXED": "fixed"}.get(
        kind, f"universal, {kind[0]} then {kind[1:]}"
    )


def rejoin(model: Model, tie: Tie, kind: str) -> None:
    """Put a joint of another kind in the place of one of the model's tree."""
    at, T = model.joints.index(tie), tie.across()
    plain = replace(tie, T_A=T, T_B=np.eye(4), axes=(), drawn=())
    if kind == "FIXED":
        model.joints[at] = replace(plain, kind="fixed")
    elif kind == "SPHERICAL":
        model.joints[at] = replace(plain, kind="spherical", axes=(Axis(),), drawn=(np.eye(3),))
    else:
        cross = f"{tie.name}_cross"
        model.add(Link(cross, place=tie.place))
        hinges = []
        for letter, ends, T_A in zip(
            kind, ((tie.parent, cross), (cross, tie.child)), (T, np.eye(4)), strict=True
        ):
            seat = Frame.from_axes(z=np.eye(3)["XYZ".index(letter)].tolist()).matrix
            hinges.append(
                Tie(
                    *(f"{tie.name}_{letter}", "revolute", *ends, T_A @ seat, seat),
                    axes=(Axis(),),
                    drawn=(0.0,),
                    place=tie.place,
                )
            )
        model.joints[at : at + 1] = hinges
        if tie.name not in model.links:
            model.marks.setdefault(tie.name, Mark(tie.child, np.eye(4)))  # loops may name it


def part_planar(model: Model, named: Collection[str]) -> None:
    """Take planar joints apart into two slides and a hinge, of which one is driven, held or placed.

    Args:
        model: whose joints are changed.
        named: joints that a user names; ``film_x``, ``film_y`` and ``film_z`` are those of
            ``film``.
    """
    along_x, along_y = (Frame.from_axes(z=axis).matrix for axis in ([1, 0, 0], [0, 1, 0]))
    for tie in [each for each in model.joints if each.kind == "planar"]:
        if not {f"{tie.name}_{letter}" for letter in "xyz"} & {*named}:
            continue
        inner = [f"{tie.name}_x_link", f"{tie.name}_y_link"]
        for name in inner:
            model.add(Link(name, place=tie.place))
        row = (
            ("x", "prismatic", tie.parent, inner[0], tie.T_A @ along_x, along_x),
            ("y", "prismatic", inner[0], inner[1], along_y, along_y),
            ("z", "revolute", inner[1], tie.child, np.eye(4), tie.T_B),
        )
        at, drawn = model.joints.index(tie), tie.drawn or (0.0, 0.0, 0.0)
        model.joints[at : at + 1] = [
            Tie(f"{tie.name}_{k}", kind, a, b, T_A, T_B, (axis,), (q,), place=tie.place)
            for (k, kind, a, b, T_A, T_B), axis, q in zip(row, tie.axes, drawn, strict=True)
        ]
