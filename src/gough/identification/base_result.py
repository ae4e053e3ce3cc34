"""Base parameters: the combinations of parameters that efforts depend on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gough.base.english import listed
from gough.base.result import Result
from gough.identification.regressor import regressor
from gough.robot import Robot

_WIDE = 1e3


@dataclass(frozen=True, eq=False)
class BaseParameters(Result):
    """Base parameters of a robot: ``tau = W_b chi_b``, with ``chi_b = matrix @ chi``.

    Attributes:
        robot: the machine.
        names: names of all parameters, the columns of :func:`gough.regressor`.
        leading: names of the parameters that lead the groups: their columns of the regressor are
            ``W_b``, as ``gough.compile(robot, "regressor", columns=...)`` takes them.  With
            ``share``, names like ``arm*.Iyy`` stand for a parameter of several legs.
        units: units of the base parameters.
        groupings: the base parameters as sums: ``arm1.Iyy + arm1.rotor + 0.04 (barA.m + barB.m)``.
        matrix: K of ``chi_b = K chi`` ``(number, names)``; with ``share``, of legs that differ the
            mean is taken.
        values: base parameters of the robot as described ``(number,)``.
        distinct: by which share of itself the effect of each base parameter differs from those of
            all others together, 0 to 1 ``(number,)``; along the motion, if one is given.
        gap: smallest singular value of the scaled regressor that counts, and the largest one that
            does not, beside the largest of all: the wider apart, the surer the number.
        idle: names of parameters without any effect on the efforts.
        weak: base parameters, by their leading ones, whose ``distinct`` is below 0.02: noise of a
            few percent hides them.
        unexcited: base parameters that the motion does not show, alone or apart from others; empty
            without a motion.
        condition: condition number of ``W_b`` along the motion, columns scaled to unit size;
            infinite where it leaves base parameters unexcited, NaN without a motion.
        legs: names of the legs that share parameters, group by group.
    """

    robot: Robot
    names: tuple[str, ...]
    leading: tuple[str, ...]
    units: tuple[str, ...]
    groupings: tuple[str, ...]
    matrix: np.ndarray
    values: np.ndarray
    distinct: np.ndarray
    gap: tuple[float, float]
    idle: tuple[str, ...]
    weak: tuple[str, ...]
    unexcited: tuple[str, ...]
    condition: float
    legs: tuple[tuple[str, ...], ...]
    _spread: np.ndarray = field(repr=False)

    @property
    def number(self) -> int:
        """How many base parameters there are."""
        return len(self.leading)

    @property
    def clear(self) -> bool:
        """Whether the gap is wide, three orders at least: otherwise the number is not sure."""
        above, below = self.gap
        return above > _WIDE * below

    @property
    def excited(self) -> int:
        """Base parameters that the motion shows one by one; all, without a motion."""
        return self.number - len(self.unexcited)

    def regressor(self, state: Any, **options: Any) -> np.ndarray:
        """``W_b`` of motions ``(..., motors, number)``; arguments as in :func:`gough.regressor`."""
        columns, together = self.columns_needed
        found = regressor(self.robot, state, parameters=columns, **options)
        return np.asarray(found.W @ together) if self.legs else found.W

    @property
    def columns_needed(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Columns of the regressor, and the matrix that makes ``W_b`` of them.

        Without ``share`` they are the leading ones; of legs built alike columns are added up.
        """
        if not self.legs:
            return self.leading, np.eye(self.number)
        used = np.flatnonzero(self._spread.any(axis=1))
        return tuple(self.names[k] for k in used), self._spread[used]

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        above, below = self.gap
        yield "robot", self.robot.name
        yield "parameters", f"{len(self.names)}"
        yield (
            "without effect",
            f"{len(self.idle)}" + (", equal legs counted once" if self.legs else ""),
        )
        yield "base parameters", f"{self.number}"
        yield "gap", f"{above:.1e} counts, {below:.1e} does not"
        if not self.clear:
            yield "remark", "the gap is narrow: the number is not sure, and weak sums are guesses"
        for legs in self.legs:
            yield "built alike", listed(legs)
        if self.weak:
            yield "weak", listed(self.weak)
        if np.isfinite(self.condition) or self.unexcited:
            yield "excited", f"{self.excited} of {self.number} by the motion"
            yield "condition", f"{self.condition:.4g}"
        if self.unexcited:
            yield "not excited", listed(self.unexcited)
        for text, value, unit in zip(self.groupings, self.values, self.units, strict=True):
            yield f"{value:.6g} {unit}", text

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table: one row a base parameter."""
        words = {"parameter": self.leading, "unit": self.units, "grouping": self.groupings}
        texts = {name: np.array(each, dtype=object) for name, each in words.items()}
        return {**texts, "value": self.values, "distinct": self.distinct}

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        found = super().to_dict()
        del found["_spread"]
        return {"number": self.number, **found}
