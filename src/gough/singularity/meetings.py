"""Where a motion meets Type 2 singularities: times, poses, and the motion that is free there.

Between samples too: a crossing shows by the sign of the determinant, a touch or a pair of
crossings by a smallest singular value that falls steeply enough to vanish.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.geometry.newton import State
from gough.mobility.assembly import Assembly
from gough.singularity.course import RATE, Course
from gough.singularity.look import TOLERANCE, Look
from gough.singularity.roots import Zero, zeros


class Meeting(NamedTuple):
    """A place of a motion at which the platform can move although all motors are held.

    Attributes:
        time: when [s].
        until: when it is over [s]; later than ``time`` only where the motion stays singular.
        T_0p, V_0p, Vdot_0p: pose, twist and twist rate of the motion there.
        t_s: the free twist in the robot's own freedoms, ``J_inv t_s = 0``, ``(n,)``.
        twist: the same as a platform twist ``[v; omega]``, of unit size in natural units.
        crossing: whether the determinant changes its sign there.
        smallest: smallest singular value of the motors' Jacobian that is left there.
        look: everything about the state.
    """

    time: float
    until: float
    T_0p: np.ndarray
    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    t_s: np.ndarray
    twist: np.ndarray
    crossing: bool
    smallest: float
    look: Look


def type_2_meetings(
    assembly: Assembly,
    motion: Any,
    *,
    rate: float = RATE,
    branch: State | None = None,
    length: float | None = None,
    tolerance: float = TOLERANCE,
) -> list[Meeting]:
    """All meetings of a motion with Type 2 singularities, in time.

    Args:
        assembly: the robot.
        motion: a :class:`gough.motion.Motion`, or samples with ``t`` and ``T_0p``.
        rate: samples a second [Hz]; at least 201 are looked at.
        branch: which posture of the legs is meant at the start; home's if not given.
        length: what a metre is counted in [m]; the robot's own size if not given.
        tolerance: smallest singular value that is not taken for zero.
    """
    course = Course(assembly, motion, rate=rate, branch=branch, length=length, tolerance=tolerance)
    return meetings_of(course)


def meetings_of(course: Course) -> list[Meeting]:
    """The meetings of a motion that has been looked at."""
    if not course.assembly.mobility or not course.assembly.robot.motors:
        return []
    signed = SignedValue(course)
    found = zeros(course.times, signed.values, signed, course.tolerance)
    return [_meeting(course, zero) for zero in found]


def _meeting(course: Course, zero: Zero) -> Meeting:
    look = course.look(zero.time)
    state = course.motion(zero.time)
    twist = look.softest
    return Meeting(
        zero.time + course.begin,
        zero.until + course.begin,
        *state,
        t_s=twist[list(course.assembly.free)],
        twist=twist,
        crossing=zero.crossing,
        smallest=look.type_2,
        look=look,
    )


class SignedValue:
    """Smallest singular value of the motors' Jacobian, with the sign of its determinant.

    The sign goes on from sample to sample in the twists that the legs allow, whatever the
    coordinates do.  Without a determinant there is no sign.
    """

    def __init__(self, course: Course) -> None:
        self._course = course
        self.values = np.full(len(course.times), np.nan)
        self._seen: list[tuple[float, Look, float]] = []
        sign = 1.0
        for k, look in enumerate(course.looks):
            if look is None or _one_sided(look):
                continue
            sign = sign * _turn(self._seen[-1][1], look) if self._seen else sign
            self._seen.append((float(course.times[k]), look, sign))
            self.values[k] = sign * _signed(look)

    def __call__(self, t: float) -> float:
        """The value at any time [s]."""
        look = self._course.look(t)
        _, near, sign = min(self._seen, key=lambda each: abs(each[0] - t))
        if _one_sided(look):
            return sign * float(np.sign(_signed(near))) * look.type_2
        return sign * _turn(near, look) * _signed(look)


def _one_sided(look: Look) -> bool:
    """Whether a determinant is missing that there is elsewhere: another kind of singularity."""
    a = look.assembly
    return len(a.robot.motors) == a.mobility and not look.square


def _signed(look: Look) -> float:
    """Smallest singular value with the sign of the determinant in the look's own basis."""
    if not look.square:
        return look.type_2
    return float(np.sign(np.linalg.det(look.motors))) * look.type_2


def _turn(before: Look, after: Look) -> float:
    """Whether two bases of twists lie alike, +1, or are mirrored, -1."""
    if not after.square or before.twists.shape != after.twists.shape:
        return 1.0
    return -1.0 if np.linalg.det(before.twists.T @ after.twists) < 0.0 else 1.0
