"""Kinds of motion: the smallest group of displacements that holds what a platform can do.

Twists of several postures are looked at together, so that a kind is one of the finite motion: a
platform that turns about a point which itself moves is not rotational.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base import english as words
from gough.base.spatial import skew

_SAME = 1e-6  # differences of unit twists between postures, which are assembled to 1e-11

SIZES = {"locked": 0, "translational": 3, "planar": 3, "rotational": 3, "schoenflies": 4}
SIZES |= {"axial": 2, "spatial": 6, "other": 6}
"""Freedoms of the whole group of every kind."""


class Posture(NamedTuple):
    """Twists ``[v; omega]`` of a point, base axes, orthonormal with lengths in natural units.

    Attributes:
        twists: a basis, natural units ``(6, n)``.
        origin: the point [m].
    """

    twists: np.ndarray
    origin: np.ndarray


@dataclass(frozen=True)
class Kind:
    """What a platform can do.

    Attributes:
        name: a word of :data:`SIZES`.
        freedoms: how many the platform has.
        translations: directions in which it can move without turning, in the first posture.
        axis: the fixed direction that goes with the kind: normal of the plane, axis of the turns.
        point: the fixed point of the rotations, or one of the fixed axis [m].
    """

    name: str
    freedoms: int
    translations: int
    axis: np.ndarray | None = None
    point: np.ndarray | None = None

    @property
    def character(self) -> tuple[str, int, int]:
        """What is alike in all generic postures of one operation mode."""
        return self.name, self.freedoms, self.translations

    @property
    def data(self) -> dict[str, Any]:
        """Plain data."""
        found: dict[str, Any] = {
            "kind": self.name,
            "freedoms": self.freedoms,
            "translations": self.translations,
            "turns": self.freedoms - self.translations,
        }
        if self.axis is not None:
            found["axis"] = self.axis.tolist()
        if self.point is not None:
            found["point"] = self.point.tolist()
        return found

    def __str__(self) -> str:
        part = self.freedoms, SIZES[self.name]
        some = "" if part[0] == part[1] else f", {part[0]} of {part[1]} freedoms"
        along = "" if self.axis is None else words.direction(self.axis)
        at = "" if self.point is None else f"{words.figures(self.point)} m"
        turns = self.freedoms - self.translations
        counted = [
            words.counted(count, word)
            for count, word in ((self.translations, "translation"), (turns, "turn"))
            if count
        ]
        return {
            "locked": "no motion, the platform is locked",
            "translational": f"translational motion, without any rotation{some}",
            "planar": f"planar motion, in the plane normal to {along}{some}",
            "rotational": f"rotational motion about the fixed point {at}{some}",
            "schoenflies": f"Schoenflies motion, translations and rotation about {along}{some}",
            "axial": f"turns about {'and slides along ' * (part[0] == 2)}the fixed axis through "
            f"{at} along {along}",
            "spatial": "spatial motion, with all six freedoms",
            "other": f"{words.listed(counted)}, with axes that move",
        }[self.name]


def kind_of(postures: Sequence[Posture], length: float) -> Kind:
    """The kind of motion that some postures of one platform have in common.

    Args:
        postures: of one mode of motion, with as many freedoms each.
        length: of the robot [m], the natural unit.
    """
    first = postures[0]
    n = first.twists.shape[1]
    if not n:
        return Kind("locked", 0, 0)
    turning_there = np.linalg.svd(first.twists[3:], compute_uv=False)
    slides = n - int((turning_there > _SAME).sum())
    # all twists as those of one point, so that the same line is the same in every posture
    v = np.hstack([_at(first.origin, each, length) for each in postures])
    w = np.hstack([each.twists[3:] for each in postures])
    U, s, _ = np.linalg.svd(w)
    turns = int((s > _SAME).sum())
    if turns == 0:
        return Kind("translational", n, slides)
    center = _center(v, w, U[:, 0] if turns == 1 else np.zeros(3))
    point = None if center is None else _clean(first.origin + length * center, length)
    if turns > 1:
        if point is not None:
            return Kind("rotational", n, slides, point=point)
        return Kind("spatial" if n == 6 else "other", n, slides)
    axis = U[:, 0] * np.sign(U[np.argmax(np.abs(U[:, 0])), 0])
    axis = _clean(axis, 1.0)
    if point is not None:
        return Kind("axial", n, slides, axis, point)
    across = np.abs(axis @ v).max() < _SAME
    return Kind("planar" if across else "schoenflies", n, slides, axis)


def _at(point: np.ndarray, posture: Posture, length: float) -> np.ndarray:
    """Velocities of another point of the platform."""
    arm = (point - posture.origin) / length
    return np.asarray(posture.twists[:3] - skew(arm) @ posture.twists[3:])


def _center(v: np.ndarray, w: np.ndarray, along: np.ndarray) -> np.ndarray | None:
    """The point, seen from that of the twists, which none of them moves, but along a direction."""
    across = np.eye(3) - np.outer(along, along)
    A = np.vstack([skew(each) for each in w.T])
    b = -np.concatenate([across @ each for each in v.T])
    arm = np.linalg.lstsq(A, b, rcond=None)[0]
    return None if np.abs(A @ arm - b).max() > _SAME else np.asarray(arm)


def _clean(vector: np.ndarray, size: float) -> np.ndarray:
    """Without dust."""
    return np.where(np.abs(vector) < _SAME * size, 0.0, vector)
