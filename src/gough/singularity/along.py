"""``gough.singularities_along``: how near a motion comes to singularities, where it meets them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from gough.base.english import listed, plain
from gough.base.progress import Progress
from gough.base.result import Result
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.measures import part_names
from gough.robot import Robot
from gough.singularity.course import Course, Figure
from gough.singularity.found import Singularities
from gough.singularity.roots import Zero
from gough.singularity.singularities import explained
from gough.singularity.state import TOLERANCE, StateSingularity

# A leg at the border of reach has a singular value of about 1e-7, the root of rounding of the time;
# legs within ten times the smallest value are named, the others are far above it.
_BORDER = 10.0


@dataclass(frozen=True, eq=False)
class Event:
    """A place at which a motion meets a singularity.

    Attributes:
        kind: ``Type 1``, ``Type 2`` or ``constraint``.
        time: when [s].
        until: when it is over [s]; later than ``time`` only where the motion stays singular.
        crossing: whether it changes sides, of Type 2.
        border: whether reach ends there: the motion goes where no leg can follow.
        found: the pose, explained.
        sentence: in words.
    """

    kind: str
    time: float
    until: float
    crossing: bool
    border: bool
    found: Singularities
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists."""
        head = ("kind", "time", "until", "crossing", "border", "sentence")
        return {name: getattr(self, name) for name in head} | {"pose": self.found.to_dict()}


@dataclass(frozen=True, eq=False)
class SingularitiesAlong(Result):
    """Distances to singularities along a motion of K samples, and its meetings with them.

    Natural units as in :class:`Singularities`; NaN where the machine cannot be.

    Attributes:
        robot: name of the machine.
        label: what the motion is.
        length: characteristic length, the unit of lengths [m].
        tolerance: singular values below it count as zero.
        t: times ``(K,)`` [s].
        type_1: smallest singular value of every leg ``(K, legs)``.
        legs: names of the legs, and ``nacelle`` if there is one.
        freedoms: smallest singular value of the map from the twists that the legs allow to the
            independent coordinates ``(K,)``: at 0 they lose a direction (Type 1).
        type_2: smallest singular value of the motors' Jacobian ``(K,)``.
        condition: its condition number ``(K,)``.
        sign: sign of the determinant of ``qd = J_inv V_r`` ``(K,)``; 0 if there is none.
        constraint: smallest singular value of the constraints of the legs on the platform ``(K,)``.
        failed: samples that cannot be ``(K,)``.
        events: meetings, in time.
    """

    robot: str
    label: str
    length: float
    tolerance: float
    t: np.ndarray
    type_1: np.ndarray
    legs: tuple[str, ...]
    freedoms: np.ndarray
    type_2: np.ndarray
    condition: np.ndarray
    sign: np.ndarray
    constraint: np.ndarray
    failed: np.ndarray
    events: tuple[Event, ...]

    @property
    def is_singular(self) -> bool:
        """Whether the motion meets a singularity."""
        return bool(self.events)

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts."""
        duration = self.t[-1] - self.t[0]
        found = [("motion", f"{self.robot}, {self.label}, {duration:.4g} s, {len(self.t)} samples")]
        if self.legs and not np.isnan(self.type_1).all():
            parts = np.column_stack([self.type_1, self.freedoms])
            k, i = divmod(int(np.nanargmin(parts)), len(self.legs) + 1)
            text = f"smallest singular value {parts[k, i]:.3g} at {self.t[k]:.4g} s"
            who = repr(self.legs[i]) if i < len(self.legs) else "the robot's freedoms"
            found.append(("Type 1", f"{text}, of {who}"))
        for heading, values in (("Type 2", self.type_2), ("constraint", self.constraint)):
            if not (np.isnan(values) | (values == 1.0)).all():
                k = int(np.nanargmin(values))
                text = f"smallest singular value {values[k]:.3g} at {self.t[k]:.4g} s"
                found.append((heading, f"{text}, of the samples"))
        if self.failed.any():
            first = self.t[int(np.argmax(self.failed))]
            text = f"{int(self.failed.sum())} samples cannot be, the first at {first:.4g} s"
            found.append(("out of reach", text))
        found += [("meets", event.sentence) for event in self.events]
        if not self.events:
            found.append(("meets", "no singularity"))
        found.append(("units", f"lengths count in units of {self.length:.4g} m, angles in rad"))
        return found

    def columns(self) -> dict[str, np.ndarray]:
        """One row a sample: distances to singularities."""
        names = ("t", "type_2", "condition", "sign", "constraint", "freedoms", "failed")
        of_legs = {f"type_1_{leg}": self.type_1[:, i] for i, leg in enumerate(self.legs)}
        return {name: getattr(self, name) for name in names} | of_legs

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists; ``None`` for what is not finite."""
        head = ("robot", "label", "length", "tolerance", "is_singular", "legs")
        arrays = ("t", "freedoms", "type_2", "condition", "sign", "constraint")
        found = {name: plain(getattr(self, name)) for name in (*head, *arrays, "failed")}
        of_legs = dict(zip(self.legs, plain(self.type_1.T), strict=True))
        return found | {"events": [event.to_dict() for event in self.events], "type_1": of_legs}


def singularities_along(
    robot: Robot,
    motion: Any,
    *,
    samples: int | None = None,
    length: float | None = None,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
) -> SingularitiesAlong:
    """Distances to singularities along a motion, and every place where it meets one.

    Crossings are found between samples too, and their times to rounding; so are touches, where
    they are touched to within the tolerance.

    Args:
        robot: the machine; in another working mode :meth:`gough.Robot.rehomed` there.
        motion: a :class:`gough.motion.Motion`, or samples with ``t`` and ``T_0p``, five or more,
            through which a smooth curve is laid.
        samples: how many states are examined; 100 a second, and at least 201, if not given.  What
            lies between them is found as well.
        length: characteristic length, the unit of lengths [m]; the robot's own if not given.
        tolerance: singular values below it count as zero.
        progress: called with the share that is done, 0 to 1.

    Returns:
        Distances at the samples, and the singular instants; see :class:`SingularitiesAlong`.
    """
    assembly = assembled_by_pose(robot)
    course = Course(
        assembly, motion, samples=samples, length=length, tolerance=tolerance, progress=progress
    )
    of_legs = [_of_leg(i) for i in range(len(part_names(assembly)))]
    return SingularitiesAlong(
        robot=robot.name,
        label=course.motion.label,
        length=course.length,
        tolerance=course.tolerance,
        t=course.times + course.begin,
        type_1=np.stack([course.figures(of_leg) for of_leg in of_legs], axis=1),
        legs=part_names(assembly),
        freedoms=course.figures(_of_freedoms),
        type_2=course.figures(lambda look: look.type_2),
        condition=course.figures(lambda look: look.condition),
        sign=course.figures(lambda look: look.sign),
        constraint=course.figures(_of_constraint),
        failed=np.array([look is None for look in course.looks]),
        events=tuple(sorted(_events(course, of_legs), key=lambda event: event.time)),
    )


def _of_leg(i: int) -> Figure:
    return lambda look: look.loose[i].smallest


def _of_freedoms(look: StateSingularity) -> float:
    return look.seen.smallest


def _of_constraint(look: StateSingularity) -> float:
    return look.constraint


def _events(course: Course, of_legs: list[Figure]) -> list[Event]:
    met = [("Type 2", zero) for zero in course.type_2_zeros()]
    figures = [("Type 1", of_leg) for of_leg in of_legs]
    if course.assembly.mobility < 6:
        figures += [("Type 1", _of_freedoms), ("constraint", _of_constraint)]
    for kind, figure in figures:
        met += [(kind, zero) for zero in course.zeros(figure)]
    # legs that are singular at the same time (to 1e-9 s) make one event: the pose names them all
    once: dict[tuple[str, float], Zero] = {}
    for kind, zero in met:
        once.setdefault((kind, round(zero.time, 9)), zero)
    found = []
    for (kind, _), zero in once.items():
        what = f"{'crosses' if zero.crossing else 'meets'} a {kind} singularity"
        found.append(_event(course, kind, zero, explained(course.look(zero.time)), what))
    return [*found, *_borders(course)]


def _event(
    course: Course, kind: str, zero: Zero, found: Singularities, what: str, *, border: bool = False
) -> Event:
    """One event with its sentence: what the motion does, and why that is singular."""
    why = {
        "Type 1": listed(leg.sentence for leg in found.type_1.loose),
        "Type 2": found.type_2.sentence,
        "constraint": found.constraint.sentence,
    }[kind]
    when, until = zero.time + course.begin, zero.until + course.begin
    stay = f" to {until:.6g} s" if until > when else ""
    sentence = f"at {when:.6g} s{stay} it {what}: {why}"
    return Event(kind, when, until, zero.crossing, border, found, sentence)


def _borders(course: Course) -> list[Event]:
    """Ends of reach between samples that can be and samples that cannot."""
    found = []
    for k, (before, after) in enumerate(pairwise(course.looks)):
        if (before is None) == (after is None):
            continue
        times = float(course.times[k]), float(course.times[k + 1])
        inside, outside = times if after is None else times[::-1]
        when = course.border(inside, outside)
        look = course.look(when)
        least = max(course.tolerance, _BORDER * look.type_1)
        pose = explained(StateSingularity(course.assembly, look.state, look.length, least))
        what = f"{'leaves' if after is None else 'comes back into'} reach, a Type 1 singularity"
        found.append(_event(course, "Type 1", Zero(when, when, False), pose, what, border=True))
    return found
