"""The states along a motion, as far as it can be followed, and the times at which figures vanish.

Between samples too: a crossing shows by the sign of a determinant, a touch or a pair of crossings
by a smallest singular value that falls steeply enough to vanish.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gough.base.arguments import number, whole
from gough.base.progress import Progress, reporter
from gough.errors import GoughError, InputError, shown
from gough.geometry.closed_form.search import closed_form
from gough.geometry.newton import AssembledState, joints_at
from gough.geometry.walk import POSE_TOLERANCE
from gough.mechanism.mobility.assembly import Assembly
from gough.motion import Motion
from gough.motion.measured import from_samples
from gough.motion.motion import of_robot
from gough.singularity.roots import Zero, zeros
from gough.singularity.state import TOLERANCE, StateSingularity, at_once, checked_length, state_at

FEWEST, MOST = 201, 100_000
"""Samples of a motion, at least and at most: each takes a few milliseconds."""

_RATE = 100.0  # samples a second [Hz] of long motions: what lies between them is found as well

_STEPS = 200  # towards the border of reach; halvings to 1e-13 take 43 of them

Figure = Callable[[StateSingularity], float]
"""A number of a state."""


class Course:
    """States along a motion with their distances to singularities; each is computed once.

    Args:
        assembly: the robot.
        motion: of its platform, or samples with ``t`` and ``T_0p``, through which a curve is laid.
        samples: how many; 100 a second, and at least 201, if not given.
        length: characteristic length, the unit of lengths [m]; the robot's own if not given.
        tolerance: smallest singular value that is not taken for zero.
        progress: called with the share that is done, 0 to 1.

    Attributes:
        times: of the samples ``(K,)`` [s], from 0.
        begin: the motion's own time at 0 [s].
        looks: at the samples, ``None`` where the pose cannot be taken.
    """

    def __init__(
        self,
        assembly: Assembly,
        motion: Any,
        *,
        samples: int | None = None,
        length: float | None = None,
        tolerance: float = TOLERANCE,
        progress: Progress | None = None,
    ) -> None:
        self.assembly = assembly
        self.length = checked_length(assembly, length)
        self.tolerance = number(tolerance, "tolerance", positive=True)
        self.motion, self.begin = _as_motion(assembly, motion)
        self.times = _times(self.motion.duration, samples)
        # closed forms give a state directly; every other machine continues from a state nearby
        self._form = closed_form(assembly)
        self._known: dict[float, StateSingularity] = {}
        # where the legs decide part of a pose, many at once take hardly longer than one
        self._poses = dict(zip(self.times.tolist(), self.motion(self.times).T_0p, strict=True))
        self._failed: set[int] = set()
        self.looks: list[StateSingularity | None] = [None] * len(self.times)
        self._fill(reporter(progress))

    def look(self, t: float) -> StateSingularity:
        """The machine at a time between samples.

        Raises:
            GoughError: it cannot be there.
        """
        found = self._known.get(t)
        if found is None:
            T_0p = self._poses.get(t)
            found = self._found(t, self.motion(t).T_0p if T_0p is None else T_0p)
            self._known[t] = found
        return found

    def figures(self, figure: Figure) -> np.ndarray:
        """A figure at the samples ``(K,)``; NaN where the machine cannot be."""
        return np.array([np.nan if look is None else figure(look) for look in self.looks])

    def zeros(self, figure: Figure) -> list[Zero]:
        """Where a figure vanishes, in time."""
        values = self.figures(figure)
        return zeros(self.times, values, lambda t: figure(self.look(t)), self.tolerance)

    def type_2_zeros(self) -> list[Zero]:
        """Where the motion meets Type 2 singularities, in time; crossings change the sides."""
        if not self.assembly.mobility or not self.assembly.robot.motors:
            return []
        signed = _Signed(self)
        return zeros(self.times, signed.values, signed, self.tolerance)

    def _found(self, t: float, T_0p: np.ndarray) -> StateSingularity:
        look = at_once(self.assembly, self._form, T_0p, self.length, self.tolerance)
        return look or self._looked(state_at(self.assembly, T_0p, self._near(t)))

    def _looked(self, state: AssembledState) -> StateSingularity:
        return StateSingularity(self.assembly, state, self.length, self.tolerance)

    def _near(self, t: float) -> AssembledState | None:
        """The nearest regular state that is known; none at first, home is one."""
        regular = [s for s, look in self._known.items() if look.type_1 > 100.0 * self.tolerance]
        return self._known[min(regular, key=lambda s: abs(s - t))].state if regular else None

    def _fill(self, report: Progress) -> None:
        """Compute all samples; past one that fails, try ever wider steps to the next reachable one.

        To prove that a pose is out of reach takes half a second.
        """
        k, stride, last = 0, 1, -1
        while k < len(self.times):
            report(k / len(self.times))
            try:
                self.looks[k] = self.look(float(self.times[k]))
            except GoughError:
                self._failed.add(k)
                k, stride = k + stride, 2 * stride
                continue
            if stride > 1:
                self._back(k, last)
            last, k, stride = k, k + 1, 1

    def _back(self, k: int, last: int) -> None:
        """Compute the samples that were skipped, backwards from a reachable one."""
        for j in range(k - 1, last, -1):
            if j in self._failed:
                break
            try:
                self.looks[j] = self.look(float(self.times[j]))
            except GoughError:
                break

    def border(self, inside: float, outside: float) -> float:
        """The time at which reach ends between one at which the machine can be and one not.

        Ever smaller steps towards it: Newton's method from the last state that could be decides,
        and the nearer the border, the shorter the steps it can take.
        """
        here, step = self.look(inside), 0.5 * (outside - inside)
        finest = 1e-13 * max(abs(inside), abs(outside))
        for _ in range(_STEPS):
            if abs(step) < finest:
                break
            t = inside + step
            if abs(t - inside) >= abs(outside - inside):
                step *= 0.5
                continue
            T = self.motion(t).T_0p
            found = joints_at(self.assembly, T, here.state.configuration, POSE_TOLERANCE)
            if found is None:
                step *= 0.5
            else:
                here, inside = self._looked(AssembledState(T, found)), t
                self._known[t] = here
        return inside


class _Signed:
    """Smallest singular value of the motors' Jacobian, with the sign of its determinant.

    The sign is continued from sample to sample in the twists that the legs allow, whatever the
    coordinates do.  Without a determinant there is no sign.
    """

    def __init__(self, course: Course) -> None:
        self._course = course
        self.values = np.full(len(course.times), np.nan)
        self._seen: list[tuple[float, StateSingularity, float]] = []
        sign = 1.0
        for k, look in enumerate(course.looks):
            if look is None or _one_sided(look):
                continue
            sign = sign * _turn(self._seen[-1][1], look) if self._seen else sign
            self._seen.append((float(course.times[k]), look, sign))
            self.values[k] = sign * look.signed(look.twists)

    def __call__(self, t: float) -> float:
        """The value at any time [s]."""
        look = self._course.look(t)
        _, near, sign = min(self._seen, key=lambda each: abs(each[0] - t))
        if _one_sided(look):
            return sign * float(np.sign(near.signed(near.twists))) * look.type_2
        return sign * look.signed(near.twists)


def _one_sided(look: StateSingularity) -> bool:
    """Whether a determinant is missing that there is elsewhere: another kind of singularity."""
    a = look.assembly
    return len(a.robot.motors) == a.mobility and not look.square


def _turn(before: StateSingularity, after: StateSingularity) -> float:
    """+1 if two bases of twists have the same orientation, -1 if they are mirrored."""
    if not after.square or before.twists.shape != after.twists.shape:
        return 1.0
    return -1.0 if np.linalg.det(before.twists.T @ after.twists) < 0.0 else 1.0


def _as_motion(assembly: Assembly, motion: Any) -> tuple[Motion, float]:
    """A motion of this robot, and the time at which its clock starts [s]."""
    if isinstance(motion, Motion):
        return of_robot(motion, assembly.robot), 0.0
    for name in ("t", "T_0p"):
        if not hasattr(motion, name):
            raise InputError(
                f"expected a motion or its samples, got {shown(motion)}, which has no {name}",
                hint="gough.motion makes motions; samples have t and T_0p.",
                argument="motion",
            )
    found = from_samples(assembly.robot, motion.t, motion.T_0p, smoothing=0.0)
    return found, float(np.asarray(motion.t)[0])


def _times(duration: float, samples: int | None) -> np.ndarray:
    """Instants of the samples of a motion [s]."""
    if samples is not None:
        count = whole(samples, "samples", least=2)
    else:
        count = max(int(np.ceil(duration * _RATE)) + 1, FEWEST)
    if count > MOST:
        raise InputError(
            f"samples: {count} for {duration:g} s are more than {MOST}",
            hint="Give fewer: what lies between samples is found all the same.",
            argument="samples",
        )
    return np.linspace(0.0, duration, count)
