"""A mode followed along a motion of the motors: the poses, and where other modes came near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.modes.poses import Status


class Meeting(NamedTuple):
    """Where two assembly modes meet, or nearly do: a Type-2 singularity.

    A motion that ends elsewhere, motors that do not fit together, is told in the same way; the
    sentence says that no singularity explains it.

    Attributes:
        sample: index of the sample, with those of the batch in front.
        t: its time [s], ``None`` if times were not given.
        smallest: distance to Type 2 there, natural units; of a motion that is stopped, at the state
            nearest to where it ends.
        twist: motion that the platform has there although the motors are locked, base axes; its
            largest component is 1 rad, or the robot's length.
        stopped: whether the motion of the motors ends there, as no pose continues it.
        sentence: the same in words.
    """

    sample: tuple[int, ...]
    t: float | None
    smallest: float
    twist: np.ndarray
    stopped: bool
    sentence: str


class LegPassed(NamedTuple):
    """Where a leg is stretched out or folded (Type 1) and goes on on another branch.

    Attributes:
        sample: index of the sample before which it happens.
        leg: its name.
    """

    sample: tuple[int, ...]
    leg: str


@dataclass(frozen=True, eq=False, repr=False)
class Track:
    """Poses along a motion of the motors; K samples, with axes of a batch in front.

    Attributes:
        q_a: motor positions ``(..., K, n)`` [rad or m].
        t: times ``(K,)`` [s], if they were given.
        T_0p: poses ``(..., K, 4, 4)``; NaN where the status is not ``CONVERGED``.
        status: a :class:`~gough.modes.poses.Status` for each sample ``(..., K)``.
        smallest: distance to Type 2 of ``gough.singularities`` ``(..., K)``, natural units; at 0
            modes meet.
        on_home: whether legs are on home's branch ``(..., K)``; elsewhere ``robot.rehomed`` is.
        meetings: where modes meet, in order of time.
        crossings: where legs change their branch, in order of time.
        ends: the last assembled state of each motion ``(...,)``: a branch, and a start to go on.
        V_0p, Vdot_0p: twists and twist rates ``(..., K, 6)``, if rates of the motors were given.
    """

    q_a: np.ndarray
    t: np.ndarray | None
    T_0p: np.ndarray
    status: np.ndarray
    smallest: np.ndarray
    on_home: np.ndarray
    meetings: tuple[Meeting, ...]
    crossings: tuple[LegPassed, ...]
    ends: np.ndarray
    V_0p: np.ndarray | None = None
    Vdot_0p: np.ndarray | None = None

    @property
    def branch(self) -> Any:
        """The last assembled state of one motion; of a batch, those of all ``(...,)``."""
        return self.ends if self.ends.ndim else self.ends[()]

    @property
    def complete(self) -> bool:
        """Whether every sample has its pose."""
        return bool((self.status == Status.CONVERGED).all())

    def __repr__(self) -> str:
        good = int((self.status == Status.CONVERGED).sum())
        return f"<Track: {good} of {self.status.size} poses, {len(self.meetings)} meetings>"

    def __str__(self) -> str:
        lines = [f"{repr(self)[1:-1]}, {len(self.crossings)} legs on another branch"]
        lines += [meeting.sentence for meeting in self.meetings]
        lines += [
            f"sample {index(c.sample)}: leg {c.leg!r} is stretched or folded and goes on"
            " on another branch"
            for c in self.crossings
        ]
        return "\n".join(lines)


def index(sample: tuple[int, ...]) -> str:
    """A sample's place as it appears in sentences."""
    return str(sample[0]) if len(sample) == 1 else str(sample)
