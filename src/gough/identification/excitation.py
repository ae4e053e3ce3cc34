"""The result of a search for a motion that excites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.english import percent
from gough.base.result import Result
from gough.identification.base_result import BaseParameters
from gough.motion.motion import Motion


@dataclass(frozen=True, eq=False)
class Excitation(Result):
    """A motion that excites the base parameters of a robot.

    Attributes:
        motion: the motion, a Fourier series of the freedoms about a pose.
        base: the base parameters, with what the motion excites of them.
        asked: what it asks, each as a share of what is allowed: ``position``, ``velocity``,
            ``effort`` and ``heating`` of motors, ``passive`` joints, ``condition`` of the motors'
            Jacobian, ``type_1`` for the nearest leg; 0 where no limit is known.
        information: logarithm of the determinant of ``W_b^T W_b``, mean of a sample, SI units: what
            the search makes large.
        started: the same of the best random motion, from which the search began.
        trials: motions that were looked at.
        remarks: what the search could not know, in sentences.
    """

    motion: Motion
    base: BaseParameters
    asked: dict[str, float]
    information: float
    started: float
    trials: int
    remarks: tuple[str, ...]

    @property
    def condition(self) -> float:
        """Condition number of the base regressor along the motion, columns of unit size."""
        return self.base.condition

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        base = self.base
        yield "robot", self.motion.robot.name
        yield "motion", f"{self.motion.label}, {self.motion.duration:.6g} s"
        yield "excited", f"{base.excited} of {base.number} base parameters"
        yield "condition", f"{self.condition:.4g}, columns of unit size"
        yield "information", f"{self.information:.4g}, best random motion {self.started:.4g}"
        yield "asked", ", ".join(f"{name} {percent(x)}" for name, x in self.asked.items() if x)
        yield "trials", f"{self.trials}"
        if base.weak:
            yield "weak", ", ".join(base.weak)
        if base.unexcited:
            yield "not excited", ", ".join(base.unexcited)
        for remark in self.remarks:
            yield "remark", remark

    def columns(self) -> dict[str, np.ndarray]:
        """The motion at 500 Hz as columns of a table."""
        return self.motion.columns()

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        found = super().to_dict()
        return found | {
            "motion": self.motion.to_dict(),
            "base": self.base.to_dict(),
            "condition": self.condition,
        }
