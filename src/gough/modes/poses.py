"""Poses of motor positions, and what became of each of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from gough.base.result import Result, pose_columns


class Status(IntEnum):
    """What became of a state."""

    CONVERGED = 0
    """The pose is the one that continues the guess."""
    IN_DOUBT = 1
    """Steps met the motor positions, but perhaps in another assembly mode."""
    NOT_CONVERGED = 2
    """The steps allowed were not enough: the guess is too far away."""
    SINGULAR = 3
    """A Type 2 singularity is near, or lies between the guess and the motors."""
    OUT_OF_REACH = 4
    """A leg cannot follow the guess, or a step from it; or motors that do not fit together."""
    BAD_INPUT = 5
    """A number that is not finite or beyond 1e9, or a guess that is no pose."""


@dataclass(frozen=True, eq=False)
class Poses(Result):
    """Poses of motor positions.

    Attributes:
        T_0p: platform poses ``(..., 4, 4)``; NaN where the status is not ``CONVERGED``.
        status: a :class:`Status` for each ``(...,)``.
        iterations: Newton's steps that were made ``(...,)``; -1 where NumPy had the last word.
        error: sum of what motors and loops are off by, before the last step ``(...,)``, natural
            units: radians, and lengths in units of the robot's.
    """

    T_0p: np.ndarray
    status: np.ndarray
    iterations: np.ndarray
    error: np.ndarray

    @classmethod
    def unknown(cls, count: int) -> Poses:
        """So many that nobody has looked for yet."""
        return cls(
            np.full((count, 4, 4), np.nan),
            np.full(count, Status.NOT_CONVERGED, dtype=np.int8),
            np.zeros(count, dtype=np.int16),
            np.full(count, np.nan),
        )

    def put(self, part: Any, other: Poses) -> None:
        """Write others into places."""
        for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True):
            mine[part] = theirs

    def reshaped(self, lead: tuple[int, ...]) -> Poses:
        """The same with other leading axes."""
        T, *rest = self.T_0p, self.status, self.iterations, self.error
        return Poses(T.reshape(*lead, 4, 4), *(each.reshape(lead) for each in rest))

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: position and rotation of the platform, and what became of it."""
        figures = ("status", "iterations", "error")
        return pose_columns(self.T_0p) | {n: getattr(self, n).reshape(-1) for n in figures}

    @property
    def converged(self) -> np.ndarray:
        """Which poses are known ``(...,)``."""
        return np.asarray(self.status == Status.CONVERGED)

    def __repr__(self) -> str:
        count = {s.name: int((self.status == s).sum()) for s in Status}
        told = ", ".join(f"{n} {name}" for name, n in count.items() if n)
        return f"<Poses {self.status.shape}: {told or 'none'}>"
