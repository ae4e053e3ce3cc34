"""Results of ``gough.singularities`` at one pose: numbers, motions and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base.english import counted, listed, motion, motions, plain, quoted, simplest
from gough.base.result import Result
from gough.base.spatial import twist_scales
from gough.singularity.state import StateSingularity

_KINDS = {"type_1": "Type 1", "type_2": "Type 2", "constraint": "constraint"}
DUST = 1e-6
"""Share of the largest component, natural units, below which a component counts as zero.

Null vectors at a pose that is singular to the tolerance, 1e-6, are not known better.
"""


_ROUGH = 1e-3  # a motion that is only nearest to free is given to three digits


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

    Motions, wrenches and words are worked out when they are asked for.

    Attributes:
        smallest: smallest singular value of the motors' Jacobian, over all twists that the legs
            allow.
        condition: its condition number.
        sign: sign of the determinant of ``qd = J_inv V_r``; 0 where there is none.
        singular: whether the motors control less here than there are motors and freedoms.
        look: the state.
    """

    smallest: float
    condition: float
    sign: float
    singular: bool
    look: StateSingularity = field(repr=False)

    @property
    def underactuated(self) -> int:
        """Freedoms that no posture lets the motors control, being too few."""
        assembly = self.look.assembly
        return max(assembly.mobility - len(assembly.robot.motors), 0)

    @cached_property
    def free(self) -> tuple[FreeMotion, ...]:
        """The motions that are free with all motors held."""
        return free_motions(self.look, self.look.free_twists)

    @cached_property
    def softest(self) -> FreeMotion | None:
        """The motion with the smallest motor rates; the free one, if there is one."""
        look, V = self.look, self.look.softest
        rough = DUST if self.singular else _ROUGH
        return free_motion(V, look.state.T_0p[:3, 3], look.length, rough) if V.any() else None

    @cached_property
    def wrench(self) -> np.ndarray:
        """``[f; n]`` of unit size in natural units that works most on that motion.

        No motor resists it where the pose is singular.
        """
        twist = self.look.scales.twist
        wrench = self.look.softest / twist**2
        return np.asarray(wrench / max(float(np.linalg.norm(wrench * twist)), 1e-300))

    @property
    def efforts(self) -> np.ndarray:
        """Motor efforts that cancel, so that no wrench acts on the platform, columns."""
        return self.look.idle_efforts

    @cached_property
    def sentence(self) -> str:
        """All this in words."""
        look, a = self.look, self.look.assembly
        motors, n = len(a.robot.motors), a.mobility
        if not n:
            return "no: the legs hold the platform"
        free = in_words(look, look.free_twists) if look.free_twists.shape[1] else ""
        counts = f"{counted(motors, 'motor')} for {counted(n, 'freedom')}"
        few = f"{counts}: underactuated in every posture"
        if self.singular:
            text = f"with all motors locked the platform can still {free}"
            if motors < n:
                return f"{few}, and here the motors hold even less: {text}"
            if a.motor_rank < n:
                return f"{text}; the motors do not control it in any posture"
            return text
        if self.softest is None:
            return f"{few}; the platform can {free}"
        figures = f"smallest singular value {self.smallest:.3g}, condition {self.condition:.3g}"
        if motors < n:
            return f"{few}; with all motors locked the platform can {free} ({figures})"
        return f"no: {figures}; the motion that the motors feel least: to {self.softest.words}"


@dataclass(frozen=True, eq=False)
class Constraint:
    """Constraint singularities: the legs fix less of the platform than they should.

    Attributes:
        smallest: smallest singular value of the constraints of the legs on the platform; 1 of a
            platform with six freedoms, which has none.
        mobility: freedoms of the platform here, to first order.
        usual: freedoms elsewhere.
        singular: whether there are more here than elsewhere.
        look: the state.
    """

    smallest: float
    mobility: int
    usual: int
    singular: bool
    look: StateSingularity = field(repr=False)

    @cached_property
    def allowed(self) -> tuple[FreeMotion, ...]:
        """All motions that the legs allow here."""
        return free_motions(self.look, self.look.twists * self.look.scales.twist[:, None])

    @cached_property
    def sentence(self) -> str:
        """All this in words."""
        look = self.look
        if self.usual == 6:
            return "no: the legs leave the platform all six freedoms"
        if not self.singular:
            return f"no: smallest singular value {self.smallest:.3g}"
        allowed = in_words(look, look.twists * look.scales.twist[:, None])
        text = (
            f"the legs allow the platform {counted(self.mobility, 'freedom')} here, elsewhere "
            f"{self.usual}: to first order it can {allowed}"
        )
        if look.free_twists.shape[1]:
            text += f"; with all motors locked it can still {in_words(look, look.free_twists)}"
        return text


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
        found = plain({name: getattr(self, name) for name in (*head, "type_1", "remarks")})
        found["type_1"]["nearest"] = self.type_1.nearest
        of_two = (
            "smallest",
            "condition",
            "sign",
            "singular",
            "underactuated",
            "wrench",
            "sentence",
        )
        found["type_2"] = {
            **plain({name: getattr(two, name) for name in of_two}),
            "free": [each.to_dict() for each in two.free],
            "softest": None if two.softest is None else two.softest.to_dict(),
            "efforts": two.efforts.T.tolist(),
        }
        of_legs = ("smallest", "mobility", "usual", "singular", "sentence")
        found["constraint"] = {
            **plain({name: getattr(self.constraint, name) for name in of_legs}),
            "allowed": [each.to_dict() for each in self.constraint.allowed],
        }
        return {**found, "nearest": None if self.nearest is None else self.nearest.to_dict()}


def free_motions(look: StateSingularity, basis: np.ndarray) -> tuple[FreeMotion, ...]:
    """The simplest motions that span a space of twists (columns of 6xk)."""
    if not basis.shape[1]:
        return ()
    at = look.state.T_0p[:3, 3]
    return tuple(free_motion(V, at, look.length) for V in simplest(basis, look.length).T)


def in_words(look: StateSingularity, basis: np.ndarray) -> str:
    """``translate along x and rotate about ...``; how many, where there are several."""
    found = motions(cleaned(basis, look.length), look.state.T_0p[:3, 3], look.length)
    count = basis.shape[1]
    return listed(found) + (f" ({count} independent motions)" if count > 1 else "")


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
