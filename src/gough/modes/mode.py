"""Assembly modes: poses that one set of motor positions allows, and what is known of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from gough.base.english import clean, counted, plain, small
from gough.base.result import Result, pose_columns
from gough.geometry.newton import AssembledState
from gough.robot import Robot


@dataclass(frozen=True, eq=False)
class Mode(Result):
    """One way to assemble a machine with its motors held at given positions.

    Attributes:
        name: ``mode 1`` and so on; the first is the nearest to home.
        T_0p: platform pose, 4x4.
        branch: pose and coordinates of every joint; ``robot.rehomed(mode)`` is at home there, and
            stays on the legs' postures of this mode.
        residual: what loops and motors are off by, natural units.
        condition: condition number of the motors' Jacobian, natural units; infinite on
            singularities.
        smallest: its smallest singular value, the distance to Type 2 of ``gough.singularities``; 0
            where modes meet, NaN where the motors do not follow from the platform (Type 1).
        sign: sign of the determinant of ``qd = J_inv V_r``; 0 on singularities, and unless there
            are as many motors as freedoms.
        found: how many starts of a search ended here; 0 if it was computed.
    """

    name: str
    T_0p: np.ndarray
    branch: AssembledState
    residual: float
    condition: float
    smallest: float
    sign: int
    found: int

    def lines(self) -> list[tuple[str, str]]:
        """Position of the platform, how well the motors hold it, how well loops are closed."""
        return [
            (self.name, f"origin ({self._origin()}) m"),
            ("condition", f"{self.condition:.3g}"),
            ("off by", small(self.residual)),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON; without the coordinates of all joints."""
        figures = ("name", "T_0p", "residual", "condition", "smallest", "sign", "found")
        return {name: plain(getattr(self, name)) for name in figures}

    def _origin(self) -> str:
        """Coordinates of the platform's origin; dust of rounding is zero."""
        p = self.T_0p[:3, 3]
        size = 1.0 + float(np.abs(p).max())
        return ", ".join(f"{clean(x, size):.6g}" for x in p)


@dataclass(frozen=True, eq=False)
class Modes(Result):
    """All assembly modes at one set of motor positions, nearest home first.

    Attributes:
        robot: the machine.
        q_a: positions of its motors.
        modes: one by one.
        method: how they were found, in words.
        is_search: whether they come from a search, which cannot promise to be complete.
        starts: how many starts a search had.
        agreed: how many of them ended in one of the modes.
        settled: whether the last starts of a search brought nothing new.
        lost: paths of a continuation that could not be followed to their end.
    """

    robot: Robot
    q_a: np.ndarray
    modes: tuple[Mode, ...]
    method: str
    is_search: bool
    starts: int
    agreed: int
    settled: bool
    lost: int

    def __len__(self) -> int:
        return len(self.modes)

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    @overload
    def __getitem__(self, index: int) -> Mode: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Mode, ...]: ...
    def __getitem__(self, index: int | slice) -> Mode | tuple[Mode, ...]:
        return self.modes[index]

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        search = ("method", "is_search", "starts", "agreed", "lost")
        return {
            "robot": self.robot.name,
            "motors": dict(zip(self.robot.motors, self.q_a.tolist(), strict=True)),
            **{name: plain(getattr(self, name)) for name in search},
            "modes": [mode.to_dict() for mode in self],
        }

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts; the modes themselves are in :meth:`table`."""
        motors = zip(self.robot.motors, self.q_a.tolist(), strict=True)
        head = [line for line in str(self).splitlines() if not line.startswith(" ")]
        return [
            *(("" if k else "modes", line) for k, line in enumerate(head)),
            ("motors", ", ".join(f"{name} = {value:.6g}" for name, value in motors)),
        ]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Headings and rows as text, one row a mode."""
        heads = ["mode", "platform", "condition", "off by", "found"]
        rows = [[mode.name, *(fact for _, fact in mode.lines()), str(mode.found)] for mode in self]
        shown = len(heads) if self.is_search else len(heads) - 1
        return heads[:shown], [row[:shown] for row in rows]

    def columns(self) -> dict[str, np.ndarray]:
        """One row a mode: position and rotation of the platform, and how well it is held."""
        figures = ("residual", "condition", "smallest", "sign")
        held = {name: np.array([getattr(mode, name) for mode in self]) for name in figures}
        return pose_columns(self.poses) | held

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.poses, dtype=dtype)

    @property
    def poses(self) -> np.ndarray:
        """Platform poses ``(k, 4, 4)``."""
        return np.array([mode.T_0p for mode in self.modes]).reshape(-1, 4, 4)

    @property
    def residuals(self) -> np.ndarray:
        """What loops and motors are off by ``(k,)``, natural units."""
        return np.array([mode.residual for mode in self.modes])

    @property
    def conditions(self) -> np.ndarray:
        """Condition numbers ``(k,)``."""
        return np.array([mode.condition for mode in self.modes])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the modes."""
        return tuple(mode.name for mode in self.modes)

    @property
    def branches(self) -> tuple[AssembledState, ...]:
        """Branches of the modes."""
        return tuple(mode.branch for mode in self.modes)

    def __str__(self) -> str:
        count = counted(len(self), "assembly mode") if self.modes else "no assembly mode"
        lines = [f"{self.robot.name}: {count}, by {self.method}."]
        if self.is_search:
            lines.append(
                f"A search: {self.agreed} of {self.starts} starts ended in one of them; "
                "others may exist."
            )
            if not self.settled:
                lines.append("The last starts still brought new ones: raise starts.")
        if self.lost:
            lines.append(f"{self.lost} paths were lost; modes near a singularity may be missing.")
        for mode in self.modes:
            found = f", found {mode.found} times" if self.is_search else ""
            lines.append(
                "  {}: {}, condition {}, off by {}".format(
                    mode.name, *(fact for _, fact in mode.lines())
                )
                + found
            )
        return "\n".join(lines)
