"""How far open every closing joint is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.rows import LoopJoint, residual


class Gap(NamedTuple):
    """Opening of one loop joint.

    Attributes:
        leg: name of its leg; ``hub`` for a loop of the hub.
        joint: name of the joint.
        length: distance that is missing [m].
        angle: misalignment [rad].
    """

    leg: str
    joint: str
    length: float
    angle: float

    def size(self, unit_length: float) -> float:
        """The larger of length over ``unit_length`` [m] and angle: one figure, natural units."""
        return max(self.length / unit_length, self.angle)

    def __str__(self) -> str:
        if self.length > 1e-3 * self.angle:
            return f"{self.length:.4g} m"
        return f"{self.angle:.4g} rad"


def gaps(at: Equations) -> list[Gap]:
    """Openings of all closing joints (numbers only)."""
    names = ("hub", *(leg.name for leg in at.topology.legs))
    return [
        gap_of(name, c.joint.name, m)
        for name, closed in zip(names, at.closed, strict=True)
        for c, m in closed
    ]


def gap_of(leg: str, joint: str, m: LoopJoint) -> Gap:
    """Opening of a joint, from the pose of one of its frames in the other."""
    rho = np.array(residual(m), dtype=float)
    in_metres = np.array(m.kind.rows, dtype=bool)
    length, angle = np.linalg.norm(rho[in_metres]), np.linalg.norm(rho[~in_metres])
    return Gap(leg, joint, float(length), float(angle))
