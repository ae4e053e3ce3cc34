"""The words for what the columns of a rotation mean, and the rotations that they then are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.base import turns
from gough.base.english import listed
from gough.errors import InputError, shown

VECTORS, EULER, QUATERNIONS = "rotation_vector", "euler", "quaternion"

_OPTIONS = (
    "rotation_vector, rpy, three rotations such as 'zyx intrinsic' or 'xyz fixed', quaternion, "
    "'quaternion wxyz' or 'quaternion xyzw'"
)
_SEQUENCE = re.compile(r"(?!.*([xyz])\1)[xyz]{3}")
_FIXED, _MOVING = ("fixed", "extrinsic"), ("intrinsic", "moving")
_QUATERNIONS = ("quaternion wxyz", "quaternion xyzw")


class Reading(NamedTuple):
    """How the columns of a rotation are read.

    Attributes:
        kind: a rotation vector, three rotations one after the other, or a quaternion.
        axes: of the rotations, in their order; of a quaternion: its components in the order of its
            columns, empty where their names say it.
        fixed: of rotations: about axes of the base; otherwise each about an axis that the ones
            before have moved.
    """

    kind: str
    axes: str = ""
    fixed: bool = True

    def sentence(self, names: Sequence[str]) -> str:
        """What the columns were read as, in words; rotations have the columns in their order."""
        if self.kind == VECTORS:
            return "the rotation vector of R = exp(rx, ry, rz) R_ref, base axes"
        if self.kind == QUATERNIONS:
            order = f"in the order {' '.join(self.axes)}, " if self.axes else ""
            scalar = names[self.axes.index("w")] if self.axes else "qw"
            return f"a quaternion, {order}its scalar being {scalar}"
        turned = [f"R{a}({name})" for a, name in zip(self.axes, names, strict=True)]
        product = " ".join(reversed(turned) if self.fixed else turned)
        whose = "fixed axes" if self.fixed else "axes of the platform, which move with it,"
        called = ", ".join(self.axes)
        return f"rotations about the {whose} {called} in this order: R = {product}"

    def rotations(self, values: np.ndarray, R_ref: np.ndarray) -> np.ndarray:
        """Rotations of the platform in the base (K, 3, 3).

        Args:
            values: columns (K, 3) [rad], or of a quaternion of unit length (K, 4).
            R_ref: that rotation vectors are counted from.
        """
        if self.kind == VECTORS:
            return np.asarray(turns.rotations(values) @ R_ref)
        if self.kind == EULER:
            return turns.from_sequence(values, self.axes, fixed=self.fixed)
        scalar = self.axes.index("w") if self.axes else 0
        w, v = values[:, scalar], np.delete(values, scalar, axis=1)
        K = turns.skew(v)
        return np.asarray(np.eye(3) + 2.0 * w[:, None, None] * K + 2.0 * (K @ K))


RPY = Reading(EULER, "xyz")
"""Roll, pitch, yaw, as in robot files and URDF."""


def find_reading(rotation: Any) -> Reading | None:
    """What a word for rotations means; None if nothing was said.

    Raises:
        InputError: it means nothing, or not one thing; lists what there is.
    """
    if rotation is None:
        return None
    words = re.split(r"[\s,_\-]+", rotation.strip().lower()) if isinstance(rotation, str) else []
    plain = " ".join(words)
    if plain == "rotation vector":
        return Reading(VECTORS)
    if words[:1] == ["quaternion"] and plain in ("quaternion", *_QUATERNIONS):
        return Reading(QUATERNIONS, "".join(words[1:]))
    if plain in ("rpy", "roll pitch yaw"):
        return RPY
    if words[:1] in (["rpy"], ["euler"]):
        words = words[1:]
    if len(words) in (1, 2) and _SEQUENCE.fullmatch(words[0]):
        if len(words) == 2 and words[1] in (*_FIXED, *_MOVING):
            return Reading(EULER, words[0], words[1] in _FIXED)
        if len(words) == 1:
            raise InputError(
                f"rotation is {shown(rotation)}: about fixed axes, or about axes that move?",
                hint=f"Say '{words[0]} fixed' or '{words[0]} intrinsic'.",
                argument="rotation",
            )
    raise InputError(
        f"rotation is {shown(rotation)}, expected one of {_OPTIONS}", argument="rotation"
    )


def ask_for_order(names: Sequence[str]) -> InputError:
    """The error about a quaternion whose columns do not say which one is the scalar."""
    return InputError(
        f"the columns {' '.join(names)} are a quaternion, with its scalar first or last",
        hint=f"Say which: {listed([f'rotation={word!r}' for word in _QUATERNIONS], 'or')}. "
        "Columns called qw qx qy qz need no word.",
        argument="rotation",
    )
