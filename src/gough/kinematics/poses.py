"""What every way from motor positions to the platform returns: poses, and a status for each."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from gough.base.english import plain
from gough.base.result import Result, pose_columns
from gough.states.state import State


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


class Poses(State, Result):
    """States that belong to motor positions, and how each was found: a :class:`gough.State`.

    Attributes:
        T_0p: platform poses ``(..., 4, 4)``; NaN where the status is not ``CONVERGED``.
        V_0p, Vdot_0p: twists and twist rates ``(..., 6)``, of :func:`gough.state_from_motors`.
        status: a :class:`gough.PoseStatus` for each ``(...,)``.
        iterations: Newton's steps that were made ``(...,)``; -1 where NumPy led the motors.
        error: sum of what motors and loops are off by, before the last step ``(...,)``, natural
            units: radians, and lengths in units of the robot's.
    """

    __slots__ = ("_error", "_iterations", "_status")

    def __init__(
        self,
        T_0p: np.ndarray,
        status: np.ndarray,
        iterations: np.ndarray,
        error: np.ndarray,
        V_0p: np.ndarray | None = None,
        Vdot_0p: np.ndarray | None = None,
    ) -> None:
        super().__init__(T_0p, V_0p, Vdot_0p)
        self._status, self._iterations, self._error = status, iterations, error

    @property
    def status(self) -> np.ndarray:
        """A :class:`gough.PoseStatus` for each ``(...,)``."""
        return self._status

    @property
    def iterations(self) -> np.ndarray:
        """Newton's steps that were made ``(...,)``; -1 where NumPy led the motors."""
        return self._iterations

    @property
    def error(self) -> np.ndarray:
        """What motors and loops are off by, before the last step ``(...,)``, natural units."""
        return self._error

    @classmethod
    def unknown(cls, count: int) -> Poses:
        """So many poses that are still to be found."""
        return cls(
            np.full((count, 4, 4), np.nan),
            np.full(count, PoseStatus.NOT_CONVERGED, dtype=np.int8),
            np.zeros(count, dtype=np.int16),
            np.full(count, np.nan),
        )

    @property
    def converged(self) -> np.ndarray:
        """Which poses are known ``(...,)``."""
        return np.asarray(self.status == PoseStatus.CONVERGED)

    @property
    def complete(self) -> bool:
        """Whether every pose is known."""
        return bool(self.converged.all())

    def put(self, part: Any, other: Poses) -> None:
        """Write other poses, without twists, into places of a batch that is being worked out."""
        for name in ("_T", "_status", "_iterations", "_error"):
            getattr(self, name)[part] = getattr(other, name)

    def reshape(self, *shape: Any) -> Poses:
        """The same states along other leading axes."""
        figures, states = (self._status, self._iterations, self._error), super().reshape(*shape)
        return self._with(states, [a.reshape(states.shape) for a in figures])

    def __getitem__(self, index: Any) -> Poses:
        figures = (self._status, self._iterations, self._error)
        return self._with(super().__getitem__(index), [np.asarray(a[index]) for a in figures])

    @staticmethod
    def _with(state: State, figures: list[np.ndarray]) -> Poses:
        status, iterations, error = figures
        return Poses(state._T, status, iterations, error, state._V, state._Vdot)

    def __reduce__(self) -> tuple[Any, ...]:
        figures = (self._status, self._iterations, self._error)
        return Poses, (self._T, *figures, self._V, self._Vdot)

    def lines(self) -> list[tuple[str, str]]:
        """How many there are, and what became of them."""
        return [("poses", f"{self.status.size}: {self._counts()}")]

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: position and rotation of the platform, and what became of it."""
        figures = ("status", "iterations", "error")
        return pose_columns(self.T_0p) | {n: getattr(self, n).reshape(-1) for n in figures}

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON; ``None`` for what is not finite."""
        names = ("T_0p", "status", "iterations", "error", "V_0p", "Vdot_0p")
        return {name: plain(getattr(self, name)) for name in names}

    def __repr__(self) -> str:
        return f"<Poses {self.status.shape}: {self._counts()}>"

    def _counts(self) -> str:
        count = {s.name: int((self.status == s).sum()) for s in PoseStatus}
        return ", ".join(f"{n} {name}" for name, n in count.items() if n) or "none"
