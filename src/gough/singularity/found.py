"""Results of ``gough.singularities`` at one pose: numbers, motions and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base.english import listed, motion, plain, quoted
from gough.base.result import Result
from gough.base.spatial import twist_scales

_KINDS = {"type_1": "Type 1", "type_2": "Type 2", "constraint": "constraint"}
DUST = 1e-6
"""Share of the largest component, natural units, below which a component counts as zero.

Null vectors at a pose that is singular to the tolerance, 1e-6, are not known better.
"""


class ScrewAxis(NamedTuple):
    """The axis of a twist.

    Attributes:
        direction: unit vector along it.
        point: its point nearest the platform origin [m]; ``None`` of a translation.
        pitch: advance per turn [m/turn]; ``None`` of a translation.
    """

    direction: np.ndarray
    point: np.ndarray | None
    pitch: float | None


class FreeMotion(NamedTuple):
    """A motion of the platform.

    Attributes:
        twist: ``[v; omega]`` of the platform origin, base axes; omega, or v of a translation, has
            length 1.
        axis: the same as a screw.
        words: the same as a verb: ``rotate about the axis through ... m along z``.
    """

    twist: np.ndarray
    axis: ScrewAxis
    words: str

    def to_dict(self) -> dict[str, Any]:
        """Plain words and numbers."""
        return dict(plain({"twist": self.twist, **self.axis._asdict(), "words": self.words}))


@dataclass(frozen=True, eq=False)
class LooseLeg:
    """A leg that moves by itself, the platform or at least the robot's freedoms being held.

    Attributes:
        leg: its name, or ``nacelle``.
        joints: those of its joints that move.
        rates: rate of every joint axis that moves, largest 1, by joint [rad/s or m/s]; arrays for
            balls.
        motors: motors that move with it although the platform does not.
        wrench: ``[f; n]`` at the platform origin, base axes, that the leg bears without a motor:
            the platform cannot move against it.  Zeros where the platform loses nothing.
        sentence: all this in words.
    """

    leg: str
    joints: tuple[str, ...]
    rates: dict[str, np.ndarray]
    motors: tuple[str, ...]
    wrench: np.ndarray
    sentence: str


@dataclass(frozen=True, eq=False)
class TypeOne:
    """Serial singularities: a leg, or the nacelle, can move although the platform is held.

    Where the platform is itself a bar of a leg (a five-bar whose tip is what counts), it is enough
    that its freedoms are held: the leg is stretched out, and they lose a direction.

    Attributes:
        smallest: distance to Type 1: the smallest of what follows.
        legs: smallest singular value of every leg's own Jacobian, and of the nacelle's if there is
            one.
        freedoms: smallest singular value of the map from the twists that the legs allow to the
            independent coordinates; 1 if these determine the twist exactly, 0 where they lose a
            direction.
        loose: the legs that are singular.
    """

    smallest: float
    legs: dict[str, float]
    freedoms: float
    loose: tuple[LooseLeg, ...]

    @property
    def singular(self) -> bool:
        """Whether the pose is one."""
        return bool(self.loose)

    @property
    def nearest(self) -> str:
        """The leg that is nearest to it."""
        return min(self.legs, key=lambda name: self.legs[name]) if self.legs else ""


@dataclass(frozen=True, eq=False)
class TypeTwo:
    """Parallel singularities: the platform can move although all motors are held.

    Attributes:
        smallest: smallest singular value of the motors' Jacobian, over all twists that the legs
            allow.
        condition: its condition number.
        sign: sign of the determinant of ``qd = J_inv V_r``; 0 where there is none.
        singular: whether the motors control less here than there are motors and freedoms.
        underactuated: freedoms that no posture lets the motors control, being too few.
        free: the motions that are free with all motors held.
        softest: the motion with the smallest motor rates; the free one, if there is one.
        wrench: ``[f; n]`` of unit size in natural units that works most on that motion: no motor
            resists it where the pose is singular.
        efforts: motor efforts that cancel, so that no wrench acts on the platform, columns.
        sentence: all this in words.
    """

    smallest: float
    condition: float
    sign: float
    singular: bool
    underactuated: int
    free: tuple[FreeMotion, ...]
    softest: FreeMotion | None
    wrench: np.ndarray
    efforts: np.ndarray
    sentence: str


@dataclass(frozen=True, eq=False)
class Constraint:
    """Constraint singularities: the legs fix less of the platform than they should.

    Attributes:
        smallest: smallest singular value of the constraints of the legs on the platform; 1 of a
            platform with six freedoms, which has none.
        mobility: freedoms of the platform here, to first order.
        usual: freedoms elsewhere.
        singular: whether there are more here than elsewhere.
        allowed: all motions that the legs allow here.
        sentence: all this in words.
    """

    smallest: float
    mobility: int
    usual: int
    singular: bool
    allowed: tuple[FreeMotion, ...]
    sentence: str


@dataclass(frozen=True, eq=False)
class Singularities(Result):
    """What kind of singularity a pose is, or is nearest to.

    Singular values are in natural units: angles in radians, lengths in units of ``length``.  With
    another length they are other numbers, but zero stays zero.

    Attributes:
        robot: name of the machine.
        T_0p: the pose.
        length: characteristic length, the unit of lengths [m].
        tolerance: singular values below it count as zero.
        type_1, type_2, constraint: the three kinds.
        remarks: what else should be known.
        nearest: the nearest Type 2 pose, if it was asked for.
    """

    robot: str
    T_0p: np.ndarray
    length: float
    tolerance: float
    type_1: TypeOne
    type_2: TypeTwo
    constraint: Constraint
    remarks: tuple[str, ...] = ()
    nearest: Any = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """``Type 1``, ``Type 2``, ``constraint``: those that the pose is."""
        return tuple(word for name, word in _KINDS.items() if getattr(self, name).singular)

    @property
    def is_singular(self) -> bool:
        """Whether the pose is singular in any way."""
        return bool(self.kinds)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the singularities of the pose mean."""
        found = [leg.sentence for leg in self.type_1.loose]
        found += [part.sentence for part in (self.type_2, self.constraint) if part.singular]
        return tuple(found)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Headings and facts."""
        verdict = f"{listed(self.kinds)} singularity" if self.kinds else "regular"
        yield "robot", f"{self.robot}: {verdict}"
        for leg in self.type_1.loose:
            yield "Type 1", leg.sentence
        if not self.type_1.singular and self.type_1.legs:
            text = f"no: smallest singular value {self.type_1.smallest:.3g}"
            of_legs = min(self.type_1.legs.values()) <= self.type_1.freedoms
            who = quoted([self.type_1.nearest]) if of_legs else "the robot's freedoms"
            yield "Type 1", f"{text}, of {who}"
        yield "Type 2", self.type_2.sentence
        yield "constraint", self.constraint.sentence
        for remark in self.remarks:
            yield "remark", remark
        if self.nearest is not None:
            yield "distance", self.nearest.sentence
        yield (
            "units",
            f"lengths count in units of {self.length:.4g} m, angles in rad; singular values below "
            f"{self.tolerance:.2g} count as zero",
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain words, numbers and lists; ``None`` for what is infinite."""
        head = ("robot", "T_0p", "length", "tolerance", "is_singular", "kinds", "sentences")
        two = self.type_2
        found = plain({name: getattr(self, name) for name in (*head, *_KINDS, "remarks")})
        found["type_1"]["nearest"] = self.type_1.nearest
        found["type_2"] |= {
            "free": [each.to_dict() for each in two.free],
            "softest": None if two.softest is None else two.softest.to_dict(),
            "efforts": two.efforts.T.tolist(),
        }
        found["constraint"]["allowed"] = [each.to_dict() for each in self.constraint.allowed]
        return {**found, "nearest": None if self.nearest is None else self.nearest.to_dict()}


def free_motion(V: np.ndarray, at: np.ndarray, length: float, rough: float = DUST) -> FreeMotion:
    """A twist ``[v; omega]`` of the point ``at`` with its axis, its length and its words.

    Parts that are small beside the others by rounding, or by the tolerance, are left out.

    Args:
        V: the twist, not zero.
        at: the platform origin [m].
        length: size of the robot [m].
        rough: share of the largest component below which components are left out of the words.
    """
    V = cleaned(V, length)
    v, w = V[:3], V[3:]
    leading = w if w.any() else v
    V = V / (np.linalg.norm(leading) * np.sign(leading[np.argmax(np.abs(leading))]))
    v, w = V[:3], V[3:]
    words = motion(cleaned(V, length, rough), at, length)
    if not w.any():
        return FreeMotion(V, ScrewAxis(v, None, None), words)
    pitch = float(w @ v)
    pitch = 0.0 if abs(pitch) < DUST * length else pitch
    return FreeMotion(V, ScrewAxis(w, at + np.cross(w, v), 2.0 * np.pi * pitch), words)


def cleaned(V: np.ndarray, length: float, dust: float = DUST) -> np.ndarray:
    """Twists ``(6,)`` or ``(6, k)`` without what is small in natural units beside the rest."""
    natural = (np.asarray(V).T / twist_scales(length)).T
    return np.where(np.abs(natural) < dust * np.abs(natural).max(initial=0.0), 0.0, V)
