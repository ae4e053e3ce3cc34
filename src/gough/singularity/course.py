"""A motion looked at state by state, on its branch, as far as it can be followed."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.arguments import number
from gough.errors import GoughError, InputError, UnreachablePose, shown
from gough.geometry.closed_form.search import closed_form
from gough.geometry.newton import State, joints_at
from gough.geometry.walk import POSE_TOLERANCE
from gough.mobility.assembly import Assembly
from gough.motion import Motion
from gough.motion.measured import from_samples
from gough.singularity.look import EXACT, TOLERANCE, Look, by_closed_form, state_at
from gough.singularity.telling import Progress, telling

RATE = 100.0
"""Samples a second [Hz], unless said otherwise."""

FEWEST, MOST = 201, 100_000
"""Samples of a motion, at least and at most: each takes a few milliseconds."""

_STEPS = 200  # towards the border of reach


class Course:
    """Looks along a motion; each is taken once.

    Args:
        assembly: the robot.
        motion: of its platform, or samples with ``t`` and ``T_0p``, through which a curve is laid.
        rate: samples a second [Hz]; at least 201 are taken.
        branch: which posture of the legs is meant at the start; home's if not given.
        length: what a metre is counted in [m].
        tolerance: smallest singular value that is not taken for zero.

    Attributes:
        times: of the samples ``(K,)`` [s].
        looks: at the samples, ``None`` where the pose cannot be taken.
    """

    def __init__(
        self,
        assembly: Assembly,
        motion: Any,
        *,
        rate: float = RATE,
        branch: State | None = None,
        length: float | None = None,
        tolerance: float = TOLERANCE,
        progress: Progress | None = None,
    ) -> None:
        self.assembly, self.branch = assembly, branch
        self.length, self.tolerance = length, tolerance
        self.motion, self.begin = as_motion(assembly, motion)
        self.times = _times(self.motion.duration, number(rate, "rate", positive=True))
        # closed forms give home's branch at once; everything else goes on from a look nearby
        self._form = closed_form(assembly) if branch is None else None
        self._known: dict[float, Look] = {}
        # where the legs decide part of a pose, many at once take hardly longer than one
        self._poses = dict(zip(self.times.tolist(), self.motion(self.times).T_0p, strict=True))
        self._failed: set[int] = set()
        self.looks: list[Look | None] = [None] * len(self.times)
        self._fill(telling(progress))

    def look(self, t: float) -> Look:
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

    def _found(self, t: float, T_0p: np.ndarray) -> Look:
        if self._form is None:
            return self._looked(state_at(self.assembly, T_0p, self._near(t)))
        look = by_closed_form(self.assembly, self._form, T_0p, self.length, self.tolerance)
        if np.isnan(look.open_by):  # to name the leg takes half a second, and nobody asks
            raise UnreachablePose(f"{self.assembly.robot.name}: at {t:.6g} s a leg cannot reach")
        return look if look.open_by < EXACT else self._looked(state_at(self.assembly, T_0p))

    def _looked(self, state: State) -> Look:
        return Look(self.assembly, state, self.length, self.tolerance)

    def _near(self, t: float) -> State | None:
        """The nearest regular state that is known."""
        regular = [s for s, look in self._known.items() if look.type_1 > 100.0 * self.tolerance]
        if not regular:
            return self.branch
        return self._known[min(regular, key=lambda s: abs(s - t))].state

    def _fill(self, tell: Progress) -> None:
        """Look at all samples; past one that fails, ever wider steps look for the next that is.

        To prove that a pose is out of reach takes half a second.
        """
        k, stride, last = 0, 1, -1
        while k < len(self.times):
            tell(k / len(self.times))
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
        """Fill in what was jumped over, backwards from a sample that can be."""
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
                here, inside = self._looked(State(T, found)), t
                self._known[t] = here
        return inside


def as_motion(assembly: Assembly, motion: Any) -> tuple[Motion, float]:
    """A motion of this robot, and the time at which its clock starts [s]."""
    if isinstance(motion, Motion):
        if motion.robot is not assembly.robot and motion.robot != assembly.robot:
            raise InputError(
                f"the motion is of {motion.robot.name!r}, the robot is {assembly.robot.name!r}",
                hint="Make the motion for this robot.",
                argument="motion",
            )
        return motion, 0.0
    for name in ("t", "T_0p"):
        if not hasattr(motion, name):
            raise InputError(
                f"expected a motion or its samples, got {shown(motion)}, which has no {name}",
                hint="gough.motion makes motions; samples have t and T_0p.",
                argument="motion",
            )
    found = from_samples(assembly.robot, motion.t, motion.T_0p, smoothing=0.0)
    return found, float(np.asarray(motion.t)[0])


def _times(duration: float, rate: float) -> np.ndarray:
    count = max(int(np.ceil(duration * rate)) + 1, FEWEST)
    if count > MOST:
        raise InputError(
            f"{duration:g} s at {rate:g} Hz are {count} samples, more than {MOST}",
            hint="Choose a lower rate: what lies between samples is found all the same.",
            argument="rate",
        )
    return np.linspace(0.0, duration, count)
