"""What every way from motor positions to the platform returns: poses, and a status for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from gough.base.result import Result, pose_columns


class PoseStatus(IntEnum):
    """Whether a pose was found for motor positions, and why not."""

    CONVERGED = 0
    """The pose is the one that continues the start."""
    IN_DOUBT = 1
    """Steps reached the motor positions, but perhaps in another assembly mode."""
    NOT_CONVERGED = 2
    """The steps allowed were not enough: the start is too far away."""
    SINGULAR = 3
    """A Type 2 singularity is near, or lies between the start and the motors."""
    OUT_OF_REACH = 4
    """A leg cannot follow the start, or a step from it; or motors that do not fit together."""
    BAD_INPUT = 5
    """A number that is not finite or beyond 1e9, or a start that is no pose."""


class FromMotors(Result):
    """Platform poses that belong to motor positions, with any leading axes.

    It unpacks as :func:`gough.state` does: ``T_0p, V_0p, Vdot_0p = ...``.

    Attributes:
        T_0p: platform poses ``(..., 4, 4)``; NaN where the status is not ``CONVERGED``.
        status: a :class:`gough.PoseStatus` for each ``(...,)``.
        V_0p, Vdot_0p: twists and twist rates ``(..., 6)``; ``None`` where no rates were asked for.
    """

    T_0p: np.ndarray
    status: np.ndarray
    V_0p: np.ndarray | None
    Vdot_0p: np.ndarray | None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.T_0p, self.V_0p, self.Vdot_0p))

    @property
    def converged(self) -> np.ndarray:
        """Which poses are known ``(...,)``."""
        return np.asarray(self.status == PoseStatus.CONVERGED)

    @property
    def complete(self) -> bool:
        """Whether every pose is known."""
        return bool(self.converged.all())


@dataclass(frozen=True, eq=False, repr=False)
class Poses(FromMotors):
    """Poses of single sets of motor positions.

    Attributes:
        T_0p: platform poses ``(..., 4, 4)``; NaN where the status is not ``CONVERGED``.
        status: a :class:`gough.PoseStatus` for each ``(...,)``.
        iterations: Newton's steps that were made ``(...,)``; -1 where NumPy led the motors.
        error: sum of what motors and loops are off by, before the last step ``(...,)``, natural
            units: radians, and lengths in units of the robot's.
        V_0p, Vdot_0p: twists and twist rates ``(..., 6)``, of :func:`gough.state_from_motors`.
    """

    T_0p: np.ndarray
    status: np.ndarray
    iterations: np.ndarray
    error: np.ndarray
    V_0p: np.ndarray | None = None
    Vdot_0p: np.ndarray | None = None

    @classmethod
    def unknown(cls, count: int) -> Poses:
        """So many poses that are still to be found."""
        return cls(
            np.full((count, 4, 4), np.nan),
            np.full(count, PoseStatus.NOT_CONVERGED, dtype=np.int8),
            np.zeros(count, dtype=np.int16),
            np.full(count, np.nan),
        )

    def put(self, part: Any, other: Poses) -> None:
        """Write other poses, without twists, into places of this batch."""
        for name in ("T_0p", "status", "iterations", "error"):
            getattr(self, name)[part] = getattr(other, name)

    def reshaped(self, lead: tuple[int, ...]) -> Poses:
        """The same poses, without twists, with other leading axes."""
        T, *rest = self.T_0p, self.status, self.iterations, self.error
        return Poses(T.reshape(*lead, 4, 4), *(each.reshape(lead) for each in rest))

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: position and rotation of the platform, and what became of it."""
        figures = ("status", "iterations", "error")
        return pose_columns(self.T_0p) | {n: getattr(self, n).reshape(-1) for n in figures}

    def __repr__(self) -> str:
        count = {s.name: int((self.status == s).sum()) for s in PoseStatus}
        found = ", ".join(f"{n} {name}" for name, n in count.items() if n)
        return f"<Poses {self.status.shape}: {found or 'none'}>"
